"""The bracket of a stage as the results that count make it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from scoring.standings.final_order import StageFinish
from tournaments.core.round_names import THIRD_PLACE
from tournaments.models import DeckPlacement, Match, SeatResult, Stage
from tournaments.pairing.brackets.elimination import Bracket
from tournaments.pairing.brackets.filled import FilledBracket, FilledMatch, MatchState, fill_bracket
from tournaments.structure.selectors.stages import bracket_from, rounds_in, rounds_planned


@dataclass(frozen=True, slots=True)
class StageBracket:
    """A bracket of entries by id: who won which match, and what that makes of it.

    `winners` and `matches` are by id within the bracket ("W1-2"); `matches` are the ids of those paired so far.
    """

    bracket: Bracket
    winners: Mapping[str, int]
    matches: Mapping[str, int]
    filled: FilledBracket

    @property
    def waiting(self) -> list[FilledMatch]:
        """The matches that could be played and are not paired yet."""
        return [each for each in self.filled.playable if each.match.id not in self.matches]

    @property
    def places(self) -> dict[int, tuple[int, int]]:
        """Those whose place is certain, with (first, last)."""
        return {each.entrant: (each.first, each.last) for each in self.filled.placings}

    @property
    def finish(self) -> StageFinish:
        """What it says about the final order; whoever is to play for the third place has the third or the fourth."""
        third = [seat for each in self.filled.matches if each.match.id.startswith(THIRD_PLACE) for seat in each.seats]
        places = dict.fromkeys((seat for seat in third if seat is not None), (3, 4)) | self.places
        return StageFinish(tuple(seed for seed in self.bracket.entrants if seed is not None), places)

    def with_winners(self, winners: Mapping[str, int | None]) -> "StageBracket":
        """The bracket had other entries won (None: nobody yet); later results that then cannot be are left out."""
        wanted = {id_: winner for id_, winner in {**self.winners, **winners}.items() if winner is not None}
        return _filled(self.bracket, wanted, self.matches)


def bracket_of(stage: Stage) -> StageBracket | None:
    """The bracket of an elimination that has begun, one query; None for any other stage."""
    if stage.seeds is None or not stage.is_bracket:
        return None
    rows = Match.objects.filter(round__stage=stage, round__superseded_at=None).exclude(bracket="")
    matches = dict(rows.values_list("bracket", "pk"))
    won = SeatResult.objects.filter(
        report__in=rows.values("accepted_report"), outcome=SeatResult.Outcome.WIN
    ).values_list("seat__match__bracket", "seat__entry")
    return _filled(bracket_from(stage, stage.seeds), dict(won), matches)


def is_complete(stage: Stage) -> bool:
    """Whether a stage that has begun needs no further round; a bracket needs none once nothing is left to play."""
    bracket = bracket_of(stage)
    if bracket is not None:
        return not bracket.filled.open
    planned = rounds_planned(stage)
    return planned is not None and rounds_in(stage).count() >= planned


@dataclass(frozen=True, slots=True)
class BracketMove:
    """A paired match that the results give to other players, or to nobody (any more): as paired, and as it should be.

    One that `has_begun` has a result that counts (a walkover: a corrected one) or decks placed: nobody takes it away.
    What a person alone reported there holds up no correction, and is kept with the match.
    """

    match: Match
    filled: FilledMatch
    has_begun: bool


def bracket_moves(stage: Stage) -> list[BracketMove]:
    """The paired matches that do not fit the results."""
    bracket = bracket_of(stage)
    if bracket is None:
        return []
    filled = {each.match.id: each for each in bracket.filled.matches}
    decided = Q(kind=Match.Kind.PLAYED, accepted_report__isnull=False) | Q(accepted_report__corrects__isnull=False)
    begun = decided | Exists(DeckPlacement.objects.filter(match=OuterRef("pk")))
    rows = Match.objects.filter(pk__in=bracket.matches.values()).annotate(begun=begun)
    rows = rows.select_related("round__stage").prefetch_related("seats").order_by("round__number", "pk")
    return [BracketMove(row, filled[row.bracket], row.begun) for row in rows if not _fits(row, filled[row.bracket])]


def _fits(row: Match, filled: FilledMatch) -> bool:
    seats = {seat.entry_id for seat in row.seats.all()}
    return filled.state in (MatchState.PLAYABLE, MatchState.PLAYED) and seats == set(filled.seats)


def _filled(bracket: Bracket, winners: Mapping[str, int], matches: Mapping[str, int]) -> StageBracket:
    """Results played in, one level after the other; one that does not fit (any more) is not known."""
    known: dict[str, int] = {}
    filled = fill_bracket(bracket, known)
    while fitting := {
        each.match.id: winners[each.match.id] for each in filled.playable if winners.get(each.match.id) in each.seats
    }:
        known |= fitting
        filled = fill_bracket(bracket, known)
    return StageBracket(bracket, known, matches, filled)
