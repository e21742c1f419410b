"""Where an event is played differently from the way its organiser chose."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules_engine.constraints import Clause
from rules_engine.ways import Way
from scoring.sheets.tallies.options import Option
from scoring.sheets.tallies.registry import options_at_events
from tournaments.core.ways import has_usual_sheets, way_of
from tournaments.models import Stage, Tournament
from tournaments.pairing.pods.contenders import TablePolicy

Seats = tuple[int, int] | None
"""The fewest and the most at a table; None where two meet."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting (`setting`, or an `option` of the score sheets), what it is, what is usual, and the clause for that.

    Of `best_of` the values are games and whether all are played; of `tables` least and most seats, None for pairs.
    """

    setting: str
    now: Any
    usual: Any
    clause: Clause | None = None
    option: Option | None = None


def differences(tournament: Tournament, seats: Seats | bool) -> list[Difference]:
    """What an event does not do as its way says; nothing if it never chose one.

    `seats` are those of its first stage, as `seats_of` gives them; False: they are as usual. A final may be played
    otherwise.
    """
    if not tournament.way:
        return []
    way = way_of(tournament)
    found = [*_of_settings(tournament, way, seats), *_of_options(tournament, way)]
    return [each for each in found if each.now != each.usual]


def _of_settings(tournament: Tournament, way: Way, seats: Seats | bool) -> Iterator[Difference]:
    lengths = (tournament.best_of, tournament.exact_games), (way.best_of, way.exact_games)
    yield Difference("best_of", *lengths, way.reasons.get("best_of"))
    usual = way.tables and (way.tables.least, way.tables.most)
    within = isinstance(seats, bool) or (usual and seats and usual[0] <= seats[0] <= seats[1] <= usual[1])
    yield Difference("deciding_game", tournament.deciding_game, way.deciding_game)
    yield Difference("tables", usual if within else seats, usual, way.reasons.get("tables"))
    minutes = tournament.round_minutes, way.round_minutes
    if None not in minutes:
        yield Difference("round_minutes", *minutes, way.reasons.get("round_minutes"))
    if tournament.clock_warnings is not None:
        warnings = tuple(tournament.clock_warnings), way.warnings
        yield Difference("warnings", *warnings, way.reasons.get("warnings"))
    sheets = tournament.score_sheets, has_usual_sheets(tournament.game, way)
    yield Difference("score_sheets", *sheets, way.reasons.get("score_sheets"))


def differences_of_cut(
    played: Tournament, usual: Tournament, minutes: tuple[int | None, int | None]
) -> list[Difference]:
    """What an elimination after a cut does not do as its way says: its minutes, and what its sheets agree on.

    Both are the event with what the stage says of itself, and with what the way's own final would; `minutes` are what
    these two say themselves.
    """
    if not played.way:
        return []
    way = way_of(played)
    found = [] if None in minutes else [Difference("round_minutes", *minutes, way.reasons.get("cut_minutes"))]
    for option in options_at_events(played.game):
        agreed, wanted = option.value_in(played.sheet_options), option.value_in(usual.sheet_options)
        found.append(Difference("option", agreed, wanted, way.reasons.get(option.key), option))
    return [each for each in found if each.now != each.usual]


def seats_of(kind: str, tables: TablePolicy) -> Seats:
    """The fewest and the most at a table of a stage; None for pairs."""
    return (tables.least, tables.most) if kind == Stage.Kind.TABLES else None


def _of_options(tournament: Tournament, way: Way) -> Iterator[Difference]:
    for option in options_at_events(tournament.game):
        agreed, usual = option.value_in(tournament.sheet_options), option.value_in(way.sheet_options)
        yield Difference("option", agreed, usual, way.reasons.get(option.key), option)
