"""Plays the bracket of a recorded event again, after its Swiss rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from accounts.actors import SYSTEM
from scoring.standings.results import MatchResult
from tournaments.core.rounds import matches_of
from tournaments.events.recorded_playoffs import RecordedPlayoffs, Tree, players_in
from tournaments.models import Entry, Stage, Tournament
from tournaments.pairing.brackets.elimination import seed_order
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of
from tournaments.structure.services.stages import begin_recorded_stage, set_stages


def play_bracket(
    tournament: Tournament,
    entries: Mapping[str, Entry],
    playoffs: RecordedPlayoffs,
    ranks: Mapping[int, int],
    now: datetime,
    length: timedelta,
) -> datetime:
    """Add the bracket as a stage and play it, each round `length` after the one before; answers when the last was.

    `entries` are by the file's player id, `ranks` those of the Swiss rounds by entry. Seeds are such that those meet
    who met: where both sides of a match would do, the better rank has the better seed.
    """
    if playoffs.tree is None:
        return now
    size = len(players_in(playoffs.tree))
    draft = StageDraft(
        kind=Stage.Kind.SINGLE_ELIMINATION, qualify=Stage.Qualify.TOP, qualify_value=size,
        third_place=playoffs.has_third_place,
    )  # fmt: skip
    set_stages(SYSTEM, tournament, [*stage_drafts_of(tournament), draft], now)
    seeds = _seeded(playoffs.tree, seed_order(size), {player: ranks[entry.pk] for player, entry in entries.items()})
    begin_recorded_stage(SYSTEM, tournament, [entries[seeds[seed]].pk for seed in sorted(seeds)], now)
    results = {
        frozenset(entries[player].pk for player in match.players): (entries[match.first].pk, match.result)
        for match in playoffs.matches
        if match.result is not None
    }
    while results:
        now += length
        round_ = publish_round(SYSTEM, pair_next_round(SYSTEM, tournament, now, seed=0), now)
        for match in matches_of(round_):
            first, result = results.pop(frozenset(seat.entry_id for seat in match.seats.all()))
            seat = min(match.seats.all(), key=lambda seat: seat.order)
            report_result(SYSTEM, match, result if seat.entry_id == first else _turned(result), now)
    return now


def _seeded(tree: Tree, seeds: Sequence[int], ranks: Mapping[str, int]) -> dict[int, str]:
    """Who has which of the seeds, which are in order of their places."""
    if isinstance(tree, str):
        return {seeds[0]: tree}
    halves = sorted((seeds[: len(seeds) // 2], seeds[len(seeds) // 2 :]), key=min)
    sides = sorted(tree, key=lambda side: min(ranks[player] for player in players_in(side)))
    return {
        seed: player
        for side, half in zip(sides, halves, strict=True)
        for seed, player in _seeded(side, half, ranks).items()
    }


def _turned(result: MatchResult) -> MatchResult:
    """The result with the seats the other way round."""
    return replace(result, games_won=result.games_won[::-1])
