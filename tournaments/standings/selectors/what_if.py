"""What would have been: standings by other rules, after fewer rounds, with another result; nothing is stored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.errors import NotFound
from scoring.standings.presets import PRESETS
from scoring.standings.records import MatchKind, MatchRecord, PointsBy, ScoringPolicy, SeatRecord
from scoring.standings.results import MatchResult, ResultKind
from scoring.standings.standings import Standing
from tournaments.core.rounds import rounds_of
from tournaments.models import Entry, Match, Round, Tournament
from tournaments.standings.selectors.lists import given_after
from tournaments.standings.selectors.standings import lot_of


@dataclass(frozen=True, slots=True)
class Supposed:
    """Other points and tiebreakers, only the rounds up to `after` (as numbered in the event), the best `cut` play on.

    None, or 0 for the cut: as it is. `results` are other results of matches, by id. The pairings stay as
    they are: whom else these rules and results had brought together is not asked.
    """

    policy: ScoringPolicy | None = None
    after: int | None = None
    cut: int = 0
    results: Mapping[int, MatchRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SupposedLine:
    """A line of the standings supposed; `now` is how the same entry stands (None: it has no line).

    `decided_by` is the first tiebreaker in which the line differs from the one above it; "" where none does, or where a
    later stage put them in order. `in_cut` and `was_in_cut`: among the best so many who still play.
    """

    standing: Standing
    now: Standing | None
    decided_by: str
    in_cut: bool
    was_in_cut: bool

    @property
    def climbs(self) -> int:
        """By how many ranks it is better than now; negative where it is worse."""
        return self.now.rank - self.standing.rank if self.now else 0


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The standings supposed, best first, by the rules they were computed with."""

    policy: ScoringPolicy
    lines: tuple[SupposedLine, ...]

    @property
    def moved(self) -> int:
        """How many lines have another rank than now."""
        return sum(line.now is None or line.climbs != 0 for line in self.lines)


def supposed_by(
    policy: ScoringPolicy,
    *,
    rules: str = "",
    points: Mapping[str, int | None],
    tiebreakers: Iterable[str] = (),
    after: int | None = None,
    cut: int | None = None,
    results: Mapping[int, MatchRecord] | None = None,
) -> Supposed:
    """What is asked for of an event that plays by `policy`.

    `rules` are a preset's key, "" the event's own; `points` as written for a win, a draw, a loss, None as by the rules.
    """
    base = PRESETS[rules].policy if rules else policy
    given = {name: count * base.point_unit for name, count in points.items() if count is not None}
    return Supposed(composed(policy, base, given, tuple(dict.fromkeys(tiebreakers))), after, cut or 0, results or {})


def record_of(match: Match, result: MatchResult) -> MatchRecord:
    """A match, with its round and seats, as the standings would read it with this result."""
    placings, scores = result.placings, result.scores
    seats = (
        SeatRecord(
            seat.entry_id, result.outcomes[place], result.games_won[place],
            placings[place] if placings else None, scores[place] if scores else None,
        )
        for place, seat in enumerate(sorted(match.seats.all(), key=lambda each: each.order))
    )  # fmt: skip
    forfeit = result.kind is ResultKind.NO_SHOW
    return MatchRecord(match.round.number, MatchKind.PLAYED, tuple(seats), result.games_drawn, forfeit=forfeit)


def suppose_now(tournament: Tournament, supposed: Supposed) -> WhatIf:
    """The same as `suppose` after the newest published round; no lines before the first.

    NotFound "unknown_round" where no published round of a stage with standings has the number to stop after.
    """
    rounds = rounds_of(tournament).exclude(state=Round.State.PAIRED).select_related("stage")
    numbers = [each.number for each in rounds if not each.stage.is_bracket]
    if supposed.after is not None and supposed.after not in numbers:
        raise NotFound("unknown_round", _("This event has no such round."))
    newest = max((each.number for each in rounds), default=0)
    return suppose(tournament, newest, supposed) if newest else WhatIf(supposed.policy or tournament.scoring_policy, ())


def suppose(tournament: Tournament, newest: int, supposed: Supposed) -> WhatIf:
    """Compare the standings after round `newest` with those supposed; as many queries as standings take twice."""
    given = given_after(tournament, newest)
    now = given.compute()
    if supposed.after is not None and supposed.after < newest:
        given = given_after(tournament, supposed.after)
    policy = supposed.policy or given.policy
    for match, record in supposed.results.items():
        given = given.with_record(match, record)
    then = given.with_policy(policy).compute()
    left = _left(tournament)
    if supposed.cut:
        now, then = (_by_lot(tournament, lines) for lines in (now, then))
    in_now = _best(now, supposed.cut, left, newest)
    in_then = _best(then, supposed.cut, left, newest if supposed.after is None else supposed.after)
    by_entry = {each.contender: each for each in now}
    lines = (
        SupposedLine(
            each, by_entry.get(each.contender), _parted(above, each, policy),
            each.contender in in_then, each.contender in in_now,
        )
        for above, each in zip((None, *then), then, strict=False)
    )  # fmt: skip
    return WhatIf(policy, tuple(lines))


def composed(
    like: ScoringPolicy, base: ScoringPolicy, points: Mapping[str, Any], criteria: tuple[str, ...]
) -> ScoringPolicy:
    """The rules `base` in an event that plays by `like`, with other points (win, draw, loss) and criteria on top.

    What a bye brings in games stays, and so do points by place: no other event has the places that they need.
    """
    bye = points.get("win", base.bye) if base.bye == base.win else base.bye
    policy = replace(base, bye=bye, bye_games=like.bye_games, tiebreakers=criteria or base.tiebreakers, **points)
    if PointsBy.PLACING in (base.points_by, like.points_by):
        policy = replace(policy, points_by=like.points_by, placing_points=like.placing_points)
    return policy


def _left(tournament: Tournament) -> dict[int, int]:
    """Those who do not play on, with the round after which they left; 0 for those who never played."""
    gone = tournament.entries.exclude(state=Entry.State.REGISTERED)
    return {pk: after or 0 for pk, after in gone.values_list("pk", "dropped_after")}


def _by_lot(tournament: Tournament, lines: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """The lines with tied ones in order of their lot, as a cut takes them."""
    lots = {pk: lot_of(tournament, number) for pk, number in tournament.entries.values_list("pk", "number")}
    return tuple(sorted(lines, key=lambda line: (line.rank, lots[line.contender])))


def _best(lines: tuple[Standing, ...], size: int, left: Mapping[int, int], after: int) -> set[int]:
    """The best so many of those who still played after a round."""
    playing = (each.contender for each in lines if left.get(each.contender, after + 1) > after)
    return set(islice(playing, size))


def _parted(above: Standing | None, below: Standing, policy: ScoringPolicy) -> str:
    valued = zip(policy.tiebreakers, above.keys, below.keys, strict=True) if above else ()
    return next((key if high > low else "" for key, high, low in valued if high != low), "")
