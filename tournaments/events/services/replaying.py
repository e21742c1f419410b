"""Plays a finished event of another system again, act by act through our services."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from accounts.actors import SYSTEM
from journal.transactions import in_transaction
from rules_engine.systems import get_system
from scoring.standings.standings import Standing
from tournaments.core.rounds import matches_of
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.recorded_files import FileMatch, RecordedFile
from tournaments.events.recorded_playoffs import RecordedPlayoffs
from tournaments.events.services.event_drafts import EventDraft
from tournaments.events.services.events import create_tournament, finish_tournament, start_tournament
from tournaments.events.services.replayed_playoffs import play_bracket
from tournaments.models import Entry, Round, Tournament
from tournaments.pairing.swiss.swiss import recommended_rounds
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import ManualPairing, enter_pairings, publish_round
from tournaments.standings.selectors.standings import standings_of

GAME = "house_game"
ROUND_LENGTH = timedelta(hours=1)
SPARE = 4
"""Rounds beside those of the file: a bracket may need more than it wrote, and the end comes one later."""
MIN_PLAYERS = 2
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed event, which player of the file each entry is (by entry id), and the standings of its Swiss rounds."""

    tournament: Tournament
    players: dict[int, str]
    swiss: tuple[Standing, ...]


@in_transaction
def replay_event(
    event: RecordedFile, latest: datetime | None = None, playoffs: RecordedPlayoffs | None = None
) -> Replay:
    """Create the event as `house_game`, enter every Swiss round and result, drop and return players as the rounds show.

    Then the bracket of its `playoffs`, if they are given.

    Players whose first match comes later enter late, unless the event could not start without them. All or nothing: a
    file our services refuse leaves no trace and raises their DomainError. Round by round an hour passes from 9 o'clock
    on the file's date, or earlier, so that all is over at `latest`.
    """
    now = datetime.combine(event.date, time(9), tzinfo=UTC)
    if latest is not None:
        now = min(now, latest - ROUND_LENGTH * (len(event.rounds) + len(event.playoffs) + SPARE))
    tournament = create_tournament(SYSTEM, _draft(event, now), now)
    first_seen = {
        player: number for number in range(len(event.rounds), 0, -1) for player in _seated(event.rounds[number - 1])
    }
    on_time = [player for player in event.players if first_seen.get(player, 1) == 1]
    if len(on_time) < MIN_PLAYERS:
        first_seen, on_time = {}, list(event.players)
    entries = _enter(tournament, on_time, now)
    tournament = start_tournament(SYSTEM, tournament, now)
    for number, matches in enumerate(event.rounds, start=1):
        now += ROUND_LENGTH
        late = [player for player in event.players if first_seen.get(player) == number > 1]
        entries |= _enter(tournament, late, now)
        _take_attendance(entries, _seated(matches), now)
        _play_round(tournament, entries, matches, now)
    remaining = _seated(event.rounds[-1]) if event.rounds else set(event.players)
    if playoffs is not None:
        remaining |= _seated(playoffs.matches)
    _take_attendance(entries, remaining, now)
    swiss = standings_of(tournament)
    if playoffs is not None:
        ranks = {line.contender: line.rank for line in swiss}
        now = play_bracket(tournament, entries, playoffs, ranks, now, ROUND_LENGTH)
    tournament = finish_tournament(SYSTEM, tournament, now + ROUND_LENGTH)
    return Replay(tournament, {entry.pk: player for player, entry in entries.items()}, swiss)


def _draft(event: RecordedFile, now: datetime) -> EventDraft:
    return EventDraft(
        name=event.name[:120],
        starts_at=now,
        game=GAME,
        game_format="open",
        visibility=Tournament.Visibility.UNLISTED,
        best_of=event.best_of,
        exact_games=event.best_of not in get_system(GAME).match.best_of_choices,
        swiss_rounds=len(event.rounds) or recommended_rounds(len(event.players)),
        policy=event.policy,
        scores_as_recorded=True,
        self_sign_up=False,
    )


def _seated(matches: Sequence[FileMatch]) -> set[str]:
    return {player for match in matches for player in match.players}


def _enter(tournament: Tournament, players: Sequence[str], now: datetime) -> dict[str, Entry]:
    if not players:
        return {}
    entries = register_walk_ins(SYSTEM, tournament, [EntryDraft(player[:LONGEST_NAME]) for player in players], now)
    return dict(zip(players, entries, strict=True))


def _take_attendance(entries: dict[str, Entry], present: set[str], now: datetime) -> None:
    """Drop whoever is missing from now on, take back whoever came again."""
    for player, entry in entries.items():
        if player in present and entry.state == Entry.State.DROPPED:
            entries[player] = return_entry(SYSTEM, entry, now)
        elif player not in present and entry.state == Entry.State.REGISTERED:
            entries[player] = drop_entry(SYSTEM, entry, now)


def _play_round(
    tournament: Tournament, entries: dict[str, Entry], matches: Sequence[FileMatch], now: datetime
) -> Round:
    pairings = [
        ManualPairing(entries[match.first], entries[match.second] if match.second is not None else None, match.kind)
        for match in matches
    ]
    round_ = publish_round(SYSTEM, enter_pairings(SYSTEM, tournament, pairings, now), now)
    results = {entries[match.first].pk: match.result for match in matches}
    for match in matches_of(round_):
        result = results[match.seats.all()[0].entry_id]
        if result is not None:
            report_result(SYSTEM, match, result, now)
    return round_
