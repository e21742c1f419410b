"""Questions about penalties: what counts for a match, what one player has, what officials read."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.compiled_queries import compiled_once
from rules_engine.errors import NotFound, needed
from tournaments.core.rounds import with_all
from tournaments.entries.selectors.entries import called
from tournaments.kept_answers import keeps_answers, kept_answer
from tournaments.models import Entry, EntryMember, Match, Penalty, Round, Seat, Tournament
from tournaments.permissions import may_see_own_list


def penalties_of(tournament: Tournament) -> QuerySet[Penalty]:
    """Every penalty of a tournament, the newest first, with entry, round and match loaded."""
    found = Penalty.objects.filter(tournament=tournament).defer("match__explanation")
    return found.select_related("entry", "round__stage__tournament", "match", "report")


def find_penalty(tournament: Tournament, penalty_id: int) -> Penalty:
    """One of them; NotFound "unknown_penalty"."""
    penalty = penalties_of(tournament).filter(pk=penalty_id).first()
    return needed(penalty, NotFound("unknown_penalty", _("This event has no such penalty.")))


@dataclass(frozen=True, slots=True)
class PenaltiesAt:
    """What penalties say of a match: game losses by place (from 0, in seat order), and the places that lose it."""

    game_losses: Mapping[int, int]
    match_losses: tuple[int, ...]


def penalties_at(match: Match, seats: Sequence[Seat]) -> PenaltiesAt:
    """The penalties of a match that its result has to show; one query."""
    given = Counter(_given_at(match))
    losing = (Penalty.Kind.MATCH_LOSS, Penalty.Kind.DISQUALIFICATION)
    counts = {place: given[seat.entry_id, Penalty.Kind.GAME_LOSS.value] for place, seat in enumerate(seats)}
    lost = (place for place, seat in enumerate(seats) if any(given[seat.entry_id, kind.value] for kind in losing))
    return PenaltiesAt({place: count for place, count in counts.items() if count}, tuple(lost))


def know_penalties(matches: Sequence[Match]) -> None:
    """Have matches tell their penalties without asking for each, as a page needs them; one query in all, or none."""
    if matches and not keeps_answers(matches[0].round.stage.tournament):
        prefetch_related_objects(matches, "penalties")


def _given_at(match: Match) -> Iterable[tuple[int, str]]:
    """Entry and kind of each penalty that stands for a match."""
    tournament = match.round.stage.tournament
    if keeps_answers(tournament):
        given = [each for of_entry in _by_entry(tournament).values() for each in of_entry if each.match_id == match.pk]
    elif "penalties" in match.__dict__.get("_prefetched_objects_cache", {}):
        given = list(match.penalties.all())
    else:
        return _not_taken_back(match.pk)
    return [(each.entry_id, each.kind) for each in given if each.taken_back_at is None]


@compiled_once
def _not_taken_back(match_id: int) -> QuerySet[Penalty, tuple[int, str]]:
    return Penalty.objects.filter(match=match_id, taken_back_at=None).order_by().values_list("entry", "kind")


@kept_answer
def _by_entry(tournament: Tournament) -> Mapping[int, list[Penalty]]:
    """Every penalty of an event by the id of the entry that has it."""
    found: dict[int, list[Penalty]] = {}
    for penalty in penalties_of(tournament):
        found.setdefault(penalty.entry_id, []).append(penalty)
    return found


def own_penalties(actor: Actor, member: EntryMember) -> list[Penalty]:
    """A player's own penalties, the newest first; those given before the actor's link was made stay untold.

    Staff make links, and scorekeepers read no penalties.
    """
    tournament, entry = member.entry.tournament, member.entry
    kept = _by_entry(tournament).get(entry.pk, ()) if keeps_answers(tournament) else None
    given = penalties_of(tournament).filter(entry=entry) if kept is None else kept
    return [penalty for penalty in given if may_see_own_list(actor, member, penalty.given_at)]


def game_losses_left(round_: Round, leaving: Collection[Match] = ()) -> list[Penalty]:
    """The game losses of a round whose tables gave way to others unplayed, or are now `leaving`; with their entries."""
    given = Penalty.objects.filter(kind=Penalty.Kind.GAME_LOSS, taken_back_at=None, report=None)
    of_round = given.filter(match__round__stage=round_.stage_id, match__round__number=round_.number)
    left = of_round.filter(Q(match__round__superseded_at__isnull=False) | Q(match__in=leaving))
    return list(left.select_related("entry").order_by("pk"))


def found_penalties(tournament: Tournament, words: str = "", kind: str = "") -> QuerySet[Penalty]:
    """The penalties of players whose name, or a team-mate's, contains `words`, and of that kind."""
    found = penalties_of(tournament)
    if words:
        found = found.filter(entry__in=tournament.entries.filter(called(tournament, words)))
    return found.filter(kind=kind) if kind else found


def matches_to_punish(tournament: Tournament, entry: Entry) -> list[Match]:
    """The matches of an entry a penalty can be for, the newest first, loaded as `with_all` says."""
    played = Match.objects.filter(
        seats__entry=entry, kind=Match.Kind.PLAYED, round__stage__tournament=tournament, round__superseded_at=None
    )
    found = with_all(played.exclude(round__state=Round.State.PAIRED))
    return sorted(found, key=lambda match: match.round.number, reverse=True)
