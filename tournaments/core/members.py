"""A member of an entry as it is now: staff take members out before the start, and those behind move up."""

from django.utils.translation import gettext as _

from rules_engine.errors import NotFound, needed
from tournaments.models import EntryMember


def lock_member(member: EntryMember) -> EntryMember:
    """The member locked and read again, with event, entry and person; NotFound "no_member" once taken out."""
    found = EntryMember.objects.select_for_update(of=("self",)).select_related("tournament", "entry", "person")
    return needed(found.filter(pk=member.pk).first(), no_member())


def no_member() -> NotFound:
    """What a place without a member is answered."""
    return NotFound("no_member", _("This entry has no such member."))
