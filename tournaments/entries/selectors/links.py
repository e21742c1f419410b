"""Who can't act for themselves at an event: neither an account nor a personal link."""

from django.db.models import Q, QuerySet

from accounts.models import PersonalLink
from tournaments.models import Entry, EntryMember, Tournament


def members_without_a_way_in(tournament: Tournament) -> QuerySet[EntryMember]:
    """The members of registered entries who have neither an account nor a live link, with person and entry."""
    links = PersonalLink.objects.filter(Q(scope="") | Q(scope=tournament.stream), revoked_at=None)
    members = EntryMember.objects.filter(tournament=tournament, entry__state=Entry.State.REGISTERED)
    without = members.filter(person__user=None, person__erased_at=None).exclude(person__in=links.values("person"))
    return without.select_related("person", "entry")
