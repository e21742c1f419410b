"""What results make of a bracket: who sits where, what can be played, and the places that are certain."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop
from tournaments.pairing.brackets.elimination import Bracket, BracketMatch, Slot, Source


class MatchState(StrEnum):
    """How far a match of a bracket is; a bracket reset that is not called for is `not_needed`."""

    WAITING = "waiting"
    PLAYABLE = "playable"
    PLAYED = "played"
    WALKOVER = "walkover"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class FilledMatch:
    """A match with those who are known to sit in it (None: not yet, or a bye) and its outcome, if there is one."""

    match: BracketMatch
    state: MatchState
    seats: tuple[int | None, int | None]
    winner: int | None = None
    loser: int | None = None


@dataclass(frozen=True, slots=True)
class Placing:
    """The places `first` to `last` that an entrant shares with everybody who went out at the same step."""

    entrant: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class FilledBracket:
    """What results make of a bracket: every match as it stands, and the places that are certain, the best first."""

    matches: tuple[FilledMatch, ...]
    placings: tuple[Placing, ...]

    @property
    def playable(self) -> tuple[FilledMatch, ...]:
        """The matches that can be played now."""
        return tuple(each for each in self.matches if each.state is MatchState.PLAYABLE)

    @property
    def open(self) -> bool:
        """Whether a match is still to be played."""
        return any(each.state in (MatchState.WAITING, MatchState.PLAYABLE) for each in self.matches)

    @property
    def champion(self) -> int | None:
        """Who won it all, once that is certain."""
        return next((placing.entrant for placing in self.placings if placing.last == 1), None)


def fill_bracket(bracket: Bracket, results: Mapping[str, int]) -> FilledBracket:
    """Play the results {match id: entrant who won} into the bracket.

    DomainError: unknown_match; match_without_result for a walkover or a bracket reset that is not needed;
    match_not_ready while a seat is open; not_in_match for a winner who does not sit in it.
    """
    _check_known(bracket, results)
    filled: dict[str, FilledMatch] = {}
    for match in bracket.matches:
        filled[match.id] = _fill(match, bracket.entrants, filled, results.get(match.id))
    return FilledBracket(tuple(filled.values()), _placings(filled.values()))


def _check_known(bracket: Bracket, results: Mapping[str, int]) -> None:
    unknown = sorted(set(results) - {match.id for match in bracket.matches})
    if unknown:
        raise DomainError("unknown_match", Message(gettext_noop("This bracket has no such match.")), matches=unknown)


def _fill(
    match: BracketMatch, entrants: Sequence[int | None], filled: Mapping[str, FilledMatch], winner: int | None
) -> FilledMatch:
    """One match after all those that lead to it."""
    one, other = (_seated(slot, entrants, filled) for slot in match.slots)
    first = filled.get("F1-1") if match.id == "F2-1" else None
    if first and first.winner is not None and first.winner == first.seats[0]:
        _refuse_result(match, winner)
        return FilledMatch(match, MatchState.NOT_NEEDED, (one, other), first.winner, first.loser)
    if match.walkover:
        _refuse_result(match, winner)
        return FilledMatch(match, MatchState.WALKOVER, (one, other), other if one is None else one)
    if one is None or other is None:
        if winner is not None:
            raise DomainError(
                "match_not_ready", Message(gettext_noop("Earlier matches are still open.")), match=match.id
            )
        return FilledMatch(match, MatchState.WAITING, (one, other))
    if winner is None:
        return FilledMatch(match, MatchState.PLAYABLE, (one, other))
    if winner not in (one, other):
        text = gettext_noop("The winner named does not play in this match.")
        raise DomainError("not_in_match", Message(text), match=match.id, entrant=winner)
    return FilledMatch(match, MatchState.PLAYED, (one, other), winner, other if winner == one else one)


def _seated(slot: Slot, entrants: Sequence[int | None], filled: Mapping[str, FilledMatch]) -> int | None:
    if slot.source is Source.SEED:
        return entrants[slot.seed - 1]
    if slot.source is Source.BYE:
        return None
    return filled[slot.match].winner if slot.source is Source.WINNER else filled[slot.match].loser


def _refuse_result(match: BracketMatch, winner: int | None) -> None:
    if winner is not None:
        raise DomainError("match_without_result", Message(gettext_noop("This match is not played.")), match=match.id)


def _placings(filled: Iterable[FilledMatch]) -> tuple[Placing, ...]:
    placings = [
        Placing(entrant, *places)
        for each in filled
        for entrant, places in ((each.winner, each.match.winner_places), (each.loser, each.match.loser_places))
        if entrant is not None and places
    ]
    return tuple(sorted(placings, key=lambda placing: (placing.first, placing.entrant)))
