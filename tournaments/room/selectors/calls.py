"""Questions about calls for a judge: which wait, which one a table has, who called."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from rules_engine.errors import NotFound, needed
from tournaments.core.lapsed_calls import OPEN_STATES
from tournaments.models import JudgeCall, Match, Round, Seat, Tournament
from tournaments.permissions import is_staff, member_of


def calls_of(tournament: Tournament) -> QuerySet[JudgeCall]:
    """Every call of an event whose table still stands, the oldest first, with match, caller and judge loaded."""
    found = JudgeCall.objects.filter(tournament=tournament, match__round__superseded_at=None)
    return found.select_related("tournament", "match__round__stage__tournament", "member__entry", "judge")


def find_call(tournament: Tournament, call_id: int) -> JudgeCall:
    """One of them; NotFound "unknown_call"."""
    call = calls_of(tournament).filter(pk=call_id).first()
    return needed(call, NotFound("unknown_call", _("There is no such call in this event.")))


def open_calls(tournament: Tournament) -> QuerySet[JudgeCall]:
    """The calls that nobody has ended yet, whoever waits longest first."""
    return calls_of(tournament).filter(state__in=OPEN_STATES)


def ended_calls(tournament: Tournament) -> QuerySet[JudgeCall]:
    """The calls that are over, the newest end first."""
    return calls_of(tournament).exclude(state__in=OPEN_STATES).order_by("-ended_at", "-id")


def call_at(match: Match) -> JudgeCall | None:
    """The open call of a match; None without one."""
    return JudgeCall.objects.filter(match=match, state__in=OPEN_STATES).select_related("member__entry", "judge").first()


def calls_by_match(tournament: Tournament) -> dict[int | None, JudgeCall]:
    calls = JudgeCall.objects.filter(tournament=tournament, state__in=OPEN_STATES)
    return {each.match_id: each for each in calls.select_related("member__entry", "judge").order_by("-id")}


def sits_at(actor: Actor, tournament: Tournament, match: Match) -> bool:
    member = member_of(actor, tournament)
    return member is not None and Seat.objects.filter(match=match, entry=member.entry_id).exists()


def tables_to_call_from(tournament: Tournament) -> QuerySet[Match]:
    """The matches that can call a judge now: at a table, in a round that is being played."""
    rounds = Q(round__stage__tournament=tournament, round__superseded_at=None, round__state=Round.State.PUBLISHED)
    return Match.objects.filter(rounds, table_number__isnull=False).select_related("round__stage__tournament")


def find_table_to_call_from(actor: Actor, tournament: Tournament, match_id: int) -> Match:
    """The table that the actor sits at, or any for staff; NotFound "unknown_match"."""
    match = tables_to_call_from(tournament).filter(pk=match_id).first()
    if match is None or not (is_staff(actor, tournament) or sits_at(actor, tournament, match)):
        raise NotFound("unknown_match", _("This event has no such match."))
    return match
