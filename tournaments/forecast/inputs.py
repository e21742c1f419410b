"""What is simulated: the standings so far, the matches and rounds that are left, and who would be in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Self

from scoring.standings.final_order import StageFinish, order_finish
from scoring.standings.records import (
    ContenderFacts,
    MatchKind,
    MatchRecord,
    Outcome,
    PointsBy,
    ScoringPolicy,
    SeatRecord,
)
from scoring.standings.results import MatchLength
from scoring.standings.standings import Standing, compute_standings
from tournaments.forecast.stage_state import Runner, Situation, Stakes


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A known match without a result: its round within the section, who sits there in order of seats.

    Alone: a bye that is sure to come.
    """

    round_number: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutlookGiven:
    """A stage that points decide, as far as it is played.

    `contenders` and `records` are those of its section; `later` the fields of the section's later stages, each ranked
    above the others. Of those `within` the stage, whoever is `gone` does not play on, and takes a place only where
    `gone_take_places`. In is who is among the first `places`, or (where that is None) has `points`.
    `rounds` are those not paired yet, from `next_round` on, each with the ids of who has a bye awarded there; at tables
    of `table_size` where that is not 2. `draws` of `decided` matches so far were drawn.
    """

    contenders: tuple[ContenderFacts, ...]
    records: tuple[MatchRecord, ...]
    policy: ScoringPolicy
    within: tuple[int, ...]
    gone: tuple[int, ...]
    gone_take_places: bool
    places: int | None
    points: int | None
    matches: tuple[OpenMatch, ...]
    rounds: tuple[tuple[int, ...], ...]
    next_round: int
    length: MatchLength
    later: tuple[tuple[int, ...], ...] = ()
    table_size: int = 2
    draws: int = 0
    decided: int = 0

    def standings(self, records: Sequence[MatchRecord] = ()) -> tuple[Standing, ...]:
        """The lines of those within the stage, best first, with `records` more."""
        lines = compute_standings(self.contenders, (*self.records, *records), self.policy)
        if self.later:
            lines = order_finish(lines, [StageFinish(each) for each in self.later])
        inside = set(self.within)
        return tuple(line for line in lines if line.contender in inside)

    def situation(self) -> Situation | None:
        """The same as points see it; None where they do not come first, or do not follow from winning and losing."""
        policy, gone = self.policy, set(self.gone)
        byes = Counter(match.seats[0] for match in self.matches if len(match.seats) == 1)
        if policy.tiebreakers[0] != "match_points" or policy.points_by is not PointsBy.OUTCOME or self.table_size > 2:
            return None
        runners = (
            Runner(
                line.contender,
                line.match_points + byes[line.contender] * policy.bye,
                plays=line.contender not in gone,
                takes_place=line.contender not in gone or self.gone_take_places,
            )
            for line in self.standings()
        )
        return Situation(
            tuple(runners),
            self.places or 0,
            Stakes(policy.win, policy.draw, policy.loss, policy.bye),
            tuple(each.seats for each in self.matches if len(each.seats) > 1),
            tuple(frozenset(each) for each in self.rounds),
            goal=self.points,
        )

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        return {
            **{name: getattr(self, name) for name in PLAIN},
            "policy": self.policy.as_dict(),
            "contenders": [[getattr(each, item.name) for item in fields(each)] for each in self.contenders],
            "records": [_record_as_list(each) for each in self.records],
            "matches": [[each.round_number, list(each.seats)] for each in self.matches],
            "length": [self.length.games, self.length.exactly],
            **{name: [list(each) for each in getattr(self, name)] for name in ("rounds", "later")},
            "within": list(self.within),
            "gone": list(self.gone),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        return cls(
            **{name: data[name] for name in PLAIN},
            policy=ScoringPolicy.from_dict(data["policy"]),
            contenders=tuple(ContenderFacts(*each) for each in data["contenders"]),
            records=tuple(_read(each) for each in data["records"]),
            matches=tuple(OpenMatch(number, tuple(seats)) for number, seats in data["matches"]),
            length=MatchLength(data["length"][0], exactly=data["length"][1]),
            rounds=tuple(tuple(each) for each in data["rounds"]),
            later=tuple(tuple(each) for each in data["later"]),
            within=tuple(data["within"]),
            gone=tuple(data["gone"]),
        )


PLAIN = ("gone_take_places", "places", "points", "next_round", "table_size", "draws", "decided")


def _record_as_list(record: MatchRecord) -> list[Any]:
    seats = [
        [
            each.contender,
            each.outcome.value,
            each.games_won,
            each.placing,
            None if each.score is None else str(each.score),
        ]
        for each in record.seats
    ]
    return [record.round_number, record.kind.value, seats, record.games_drawn, record.games_lost, record.forfeit]


def _read(values: list[Any]) -> MatchRecord:
    number, kind, seats, drawn, lost, forfeit = values
    return MatchRecord(number, MatchKind(kind), tuple(_seat(*each) for each in seats), drawn, lost, forfeit)


def _seat(contender: int, outcome: str, won: int, placing: int | None, score: str | None) -> SeatRecord:
    return SeatRecord(contender, Outcome(outcome), won, placing, None if score is None else Fraction(score))
