"""Why one entry stands above another: the first thing that parts them, with its arithmetic."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import takewhile

from django.utils.translation import gettext as _

from rules_engine.errors import NotFound
from scoring.standings.derivations import Derivation
from scoring.standings.explanations import first_difference
from scoring.standings.standings import Standing
from tournaments.models import Stage, Tournament
from tournaments.standings.selectors.standings import StandingsGiven, standings_given
from tournaments.structure.selectors.stages import begun_stages, field_of


class Cause(StrEnum):
    """What parts two entries, or that nothing does."""

    TIEBREAKER = "tiebreaker"
    TIED = "tied"
    """Equal in every tiebreaker: they share a rank."""
    STAGE = "stage"
    """One plays, or played, a later stage."""
    BRACKET = "bracket"
    """The bracket has decided."""
    BRACKET_SHARED = "bracket_shared"
    """Both are out of the bracket and share a place."""
    BRACKET_OPEN = "bracket_open"
    """Both are still in the bracket, out of which a person is: they share the places left, in order of seed."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why `above` stands before `below`.

    `equal` are the tiebreakers in which they do not differ, up to `key`, which decides; `one` and `other` are how its
    value came about for each. `stage` is the later stage, or the bracket, that parts them.
    Round 1 of the derivations is the event's round `first_round`.
    """

    above: Standing
    below: Standing
    cause: Cause
    equal: tuple[tuple[str, Fraction], ...] = ()
    one: Derivation | None = None
    other: Derivation | None = None
    stage: Stage | None = None
    first_round: int = 1

    @property
    def key(self) -> str | None:
        return self.one.key if self.one else None


def compared_lines(
    tournament: Tournament, standings: Sequence[Standing], above: int | None, below: int | None
) -> tuple[Standing, Standing]:
    """Two lines by their entries' numbers, the upper first; one number alone: with its neighbour; none: the first two.

    NotFound "unknown_entry" for a number without a line, "nobody_to_compare" where there is no other line.
    """
    numbers = [number for number in (above, below) if number is not None]
    found = dict(tournament.entries.filter(number__in=numbers).values_list("number", "pk"))
    place = {each.contender: place for place, each in enumerate(standings)}
    places = [place.get(found.get(number, 0)) for number in numbers]
    if None in places:
        raise NotFound("unknown_entry", _("No such entry, or it has no rank."))
    known = sorted({each for each in places if each is not None})
    if len(known) < 2:
        known = _with_neighbour(known[0] if known else 0, len(standings), looks_down=above is not None)
    return standings[known[0]], standings[known[1]]


def _with_neighbour(place: int, lines: int, *, looks_down: bool) -> list[int]:
    if lines < 2:
        raise NotFound("nobody_to_compare", _("No two entries to compare yet."))
    upper = min(place, lines - 2) if looks_down else max(place - 1, 0)
    return [upper, upper + 1]


def reason_for(tournament: Tournament, above: Standing, below: Standing) -> Reason:
    """Why two lines of the standings stand in this order; as many queries as standings take, and one for the stages."""
    stages = begun_stages(tournament)
    stage, lower = (_last_stage(stages, each.contender) for each in (above, below))
    if stage != lower:
        return Reason(above, below, Cause.STAGE, stage=stage)
    given = standings_given(tournament)
    if stage is not None and stage.is_bracket and given.bracket is not None and given.bracket.places:
        return Reason(above, below, _cause_in_bracket(given.bracket.places, above, below), stage=stage)
    return _by_tiebreakers(given.section_with(above.contender), above, below)


def _last_stage(stages: Sequence[Stage], contender: int) -> Stage | None:
    """The latest stage whose field was chosen and has an entry in it; None where that is the first of all alone."""
    chosen = [stage for stage in stages if contender in field_of(stage)]
    return chosen[-1] if chosen else None


def _cause_in_bracket(places: Container[int], above: Standing, below: Standing) -> Cause:
    if above.rank != below.rank:
        return Cause.BRACKET
    is_certain = above.contender in places and below.contender in places
    return Cause.BRACKET_SHARED if is_certain else Cause.BRACKET_OPEN


def _by_tiebreakers(given: StandingsGiven, above: Standing, below: Standing) -> Reason:
    valued = list(zip(given.policy.tiebreakers, above.keys, below.keys, strict=True))
    equal = tuple((key, value) for key, value, _other in takewhile(lambda each: each[1] == each[2], valued))
    found = first_difference(given.contenders, given.records.values(), given.policy, above.contender, below.contender)
    if found is None:
        return Reason(above, below, Cause.TIED, equal)
    _key, one, other = found
    return Reason(above, below, Cause.TIEBREAKER, equal, one, other, first_round=given.first_round)


def contenders_in(derivation: Derivation | None) -> Iterator[int]:
    """The ids of everybody whom a derivation names, at any depth."""
    for term in derivation.terms if derivation else ():
        if term.contender is not None:
            yield term.contender
        yield from contenders_in(term.parts)
