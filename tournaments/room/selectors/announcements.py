"""What the room is told."""

from tournaments.models import Announcement, Tournament

MAX_LISTED = 50


def announcements_of(tournament: Tournament) -> list[Announcement]:
    """The announcements that stand, newest first; one query."""
    return list(tournament.announcements.filter(withdrawn_at=None))


def withdrawn_of(tournament: Tournament) -> list[Announcement]:
    """The last 50 announcements that were withdrawn, the newest first; one query."""
    return list(tournament.announcements.exclude(withdrawn_at=None).order_by("-withdrawn_at", "-id")[:MAX_LISTED])


def announcement_at(tournament: Tournament, announcement_id: int) -> Announcement | None:
    """One announcement of an event; None where it has no such."""
    return tournament.announcements.select_related("tournament").filter(pk=announcement_id).first()
