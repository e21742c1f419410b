"""What officials tell the room: posted, and withdrawn when it is over."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.models import Announcement, Tournament

LONGEST = 300
MAX_STANDING = 20
"""How many announcements stand at once: more would push every page out of sight."""


@in_transaction
def post_announcement(
    actor: Actor, tournament: Tournament, text: str, now: datetime, *, is_urgent: bool = False
) -> Announcement:
    """Tell the room `text`, with single spaces and at most 300 characters; DomainError "text_needed", "too_long".

    Conflict "too_many_announcements" while 20 stand.
    """
    tournament, text = lock_tournament(tournament), _as_stored(text)
    if tournament.announcements.filter(withdrawn_at=None).count() >= MAX_STANDING:
        refusal = _("%(count)d announcements stand already. Withdraw one that is over first.")
        raise Conflict("too_many_announcements", refusal % {"count": MAX_STANDING})
    posted = Announcement.objects.create(
        tournament=tournament, text=text, is_urgent=is_urgent, actor=actor.key, actor_label=actor.label[:120],
        posted_at=now,
    )  # fmt: skip
    log_act(tournament, "announcement.posted", actor, now, {"announcement": posted.pk}, {"text": text})
    return posted


def _as_stored(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise DomainError("text_needed", _("Please write what everybody should know."), field="text")
    if len(text) > LONGEST:
        message = _("This is %(length)d characters long; %(most)d fit.") % {"length": len(text), "most": LONGEST}
        raise DomainError("too_long", message, field="text")
    return text


@in_transaction
def withdraw_announcement(actor: Actor, announcement: Announcement, now: datetime) -> Announcement:
    """Take an announcement off every page and screen; Conflict "already_withdrawn" where a person did."""
    tournament = lock_tournament(announcement.tournament)
    announcement = Announcement.objects.get(pk=announcement.pk)
    if announcement.withdrawn_at is not None:
        raise Conflict("already_withdrawn", _("This announcement is withdrawn already."))
    announcement.withdrawn_at = now
    announcement.save(update_fields=["withdrawn_at"])
    subjects = {"announcement": announcement.pk}
    log_act(tournament, "announcement.withdrawn", actor, now, subjects, {"text": announcement.text})
    return announcement
