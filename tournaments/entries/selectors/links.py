"""Who can't act for themselves at an event: neither an account nor a personal link."""

from django.db.models import Q, QuerySet

from accounts.models import PersonalLink
from tournaments.models import Entry, EntryMember, Tournament


def members_without_account(tournament: Tournament) -> QuerySet[EntryMember]:
    """The members of registered entries who have no account, with person and entry."""
    members = EntryMember.objects.filter(tournament=tournament, entry__state=Entry.State.REGISTERED)
    return members.filter(person__user=None, person__erased_at=None).select_related("person", "entry")


def members_without_a_way_in(tournament: Tournament) -> QuerySet[EntryMember]:
    """The members of registered entries who have neither an account nor a live link, with person and entry."""
    links = PersonalLink.objects.filter(Q(scope="") | Q(scope=tournament.stream), revoked_at=None)
    return members_without_account(tournament).exclude(person__in=links.values("person"))
