"""What the room sees."""

from django.utils.translation import gettext as _

from rules_engine.errors import NotFound, needed
from tournaments.kept_answers import kept_answer
from tournaments.models import Announcement, Tournament

MAX_LISTED = 50


@kept_answer
def announcements_of(tournament: Tournament) -> list[Announcement]:
    """The announcements that stand, newest first; one query."""
    return list(tournament.announcements.filter(withdrawn_at=None))


def withdrawn_of(tournament: Tournament) -> list[Announcement]:
    """The last 50 announcements that were withdrawn, the newest first; one query."""
    return list(tournament.announcements.exclude(withdrawn_at=None).order_by("-withdrawn_at", "-id")[:MAX_LISTED])


def find_announcement(tournament: Tournament, announcement_id: int) -> Announcement:
    """One announcement of an event; NotFound "unknown_announcement"."""
    found = tournament.announcements.select_related("tournament").filter(pk=announcement_id).first()
    return needed(found, NotFound("unknown_announcement", _("This event has no such announcement.")))
