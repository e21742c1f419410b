"""Which entries played; what one of them played, match by match, and its points after each."""

from collections.abc import Iterable, Sequence

from scoring.standings.records import MatchRecord, ScoringPolicy
from scoring.standings.standings import compute_standings
from tournaments.core.rounds import with_all
from tournaments.models import Entry, Match, Round, Seat, Stage, Tournament
from tournaments.pairing.brackets.filled import MatchState, fill_bracket
from tournaments.standings.selectors.standings import records_by_section
from tournaments.structure.selectors.stages import bracket_from


def entries_that_played(tournaments: Iterable[Tournament]) -> set[int]:
    """The ids of all who had a seat in a match with a result, in any stage, or a bye. Two queries."""
    ids = [each.pk for each in tournaments]
    seats = Seat.objects.filter(
        entry__tournament__in=ids, match__round__superseded_at=None, match__accepted_report__isnull=False
    )
    return {*seats.values_list("entry", flat=True).distinct(), *_with_bye_in_bracket(ids)}


def _with_bye_in_bracket(tournaments: Sequence[int]) -> Iterable[int]:
    """Seeds whose first match is against nobody, in brackets of which a round was paired: no row tells of it."""
    rounds = Round.objects.filter(stage__tournament__in=tournaments, stage__seeds__isnull=False, superseded_at=None)
    brackets = (Stage.Kind.SINGLE_ELIMINATION, Stage.Kind.DOUBLE_ELIMINATION)
    for stage in Stage.objects.filter(pk__in=rounds.values("stage"), kind__in=brackets):
        for each in fill_bracket(bracket_from(stage, stage.seeds or ()), {}).matches:
            if each.state is MatchState.WALKOVER and each.winner is not None:
                yield each.winner


def matches_of_entry(entry: Entry) -> list[Match]:
    """Its matches in rounds that everybody may see, first round first, loaded as `with_all` says."""
    own = Seat.objects.filter(entry=entry).exclude(round__state=Round.State.PAIRED).values("match")
    return list(with_all(Match.objects.filter(pk__in=own, round__superseded_at=None)).order_by("round__number"))


def points_after_each(entry: Entry) -> dict[int, int]:
    """Match points after each match that has a result and brings points, in policy points, by match id.

    They start from 0 with each stage that starts anew, as in the standings. Matches of brackets bring none.
    """
    policy = entry.tournament.scoring_policy
    found: dict[int, int] = {}
    for section in records_by_section(entry.tournament, entry):
        played = list(section.values())
        found |= {match: _points(entry.pk, played[:count], policy) for count, match in enumerate(section, 1)}
    return found


def _points(entry: int, played: Sequence[MatchRecord], policy: ScoringPolicy) -> int:
    there = {seat.contender for record in played for seat in record.seats}
    return next(line.match_points for line in compute_standings(there, played, policy) if line.contender == entry)
