"""What every service does around its own work: take the lock, write the ledger, ask for follow-up work."""

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.compiled_queries import compiled_once
from journal.ledger.contents import Row
from journal.ledger.services import record
from journal.outbox.messages import enqueue
from rules_engine.errors import Conflict, DomainError, NotFound
from tournaments.core.audiences import ear_of, public_subjects
from tournaments.core.contents import rows_of
from tournaments.core.parts import ends_answers
from tournaments.models import Tournament, Webhook
from tournaments.permissions import acting_role

CALL_WEBHOOK = "tournaments.call_webhook"
WRITE_COPY = "tournaments.write_copy"
COPIED_AFTER = ("round.paired", "round.published", "round.closed", "event.state_changed")
"""After these acts an event is copied into the second folder at once; pairing a round closes the one before."""


def lock_tournament(tournament: Tournament, *, even_moved: bool = False) -> Tournament:
    """The tournament's row, locked until the transaction ends: the first lock of every service.

    An event that nobody may change here is refused, see `expect_changeable`; one that moved away is locked `even_moved`
    by what must be possible all the same. See docs/how-it-works/architecture.md#truth.
    """
    return lock_tournament_of(tournament.pk, even_moved=even_moved)


def lock_tournament_of(tournament_id: int, *, even_moved: bool = False) -> Tournament:
    """The same for who knows only the id, as from a row of the event."""
    found = _locked(tournament_id)
    if not found:
        raise NotFound("unknown_event", _("This event does not exist any more."))
    expect_changeable(found[0], even_moved=even_moved)
    return found[0]


@compiled_once
def _locked(tournament_id: int) -> QuerySet[Tournament]:
    return Tournament.objects.select_for_update().filter(pk=tournament_id).order_by("pk")


def expect_changeable(tournament: Tournament, *, even_moved: bool = False) -> None:
    """Refuse an event that came in as a file (DomainError "brought_event") or moved away (Conflict "moved_event")."""
    if tournament.is_brought:
        raise DomainError("brought_event", _("This event came in as a file. Nobody can change it here."))
    if tournament.moved_at is not None and not even_moved:
        text = _("This event moved to %(place)s. Nothing can be changed here.")
        raise Conflict("moved_event", text % {"place": tournament.moved_to})


def log_act(
    tournament: Tournament,
    act: str,
    actor: Actor,
    now: datetime,
    subjects: Mapping[str, int | str] | None = None,
    personal: Mapping[str, str] | None = None,
    *,
    held: Mapping[Row, object] | None = None,
) -> None:
    """One ledger entry for one act, and the outbox messages that refresh standings and call webhooks; call it last.

    The entry commits to the rows that its subjects name, as they lie now. Of who came by a personal link or a table's
    code it names the issuer too, who could have acted by it. `held` spares reading rows again that were just written.
    """
    role = acting_role(actor, tournament)
    ear = ear_of(act, subjects or {})
    rows = rows_of(tournament, act, subjects or {})
    all_subjects = {**(subjects or {}), **actor.came_by}
    about = None if ends_answers(act) else _match_of(all_subjects)
    record(tournament.stream, act, actor.key, role, now, all_subjects, dict(personal or {}), ear, rows, held, about)
    enqueue("tournaments.refresh_standings", [tournament.pk], now, tournament.stream)
    if settings.COPIES and act in COPIED_AFTER:
        enqueue(WRITE_COPY, [tournament.pk], now, tournament.stream)
    if public_subjects(act, all_subjects) is not None:
        for webhook in _webhooks_of(tournament.pk):
            enqueue(CALL_WEBHOOK, [webhook], now, tournament.stream)


@compiled_once
def _webhooks_of(tournament_id: int) -> QuerySet[Webhook, int]:
    """Those that are called, by id."""
    return Webhook.objects.filter(tournament=tournament_id, stopped_at=None).values_list("pk", flat=True)


def _match_of(subjects: Mapping[str, object]) -> int | None:
    match = subjects.get("match")
    return match if isinstance(match, int) else None


def require_reason(reason: str) -> str:
    """A reason as stored: single spaces, at most 500 characters; DomainError "reason_needed" without one."""
    reason = " ".join(reason.split())
    if not reason:
        raise DomainError("reason_needed", _("Give a reason; it is logged."))
    return reason[:500]


def expect_state(tournament: Tournament, *states: str) -> None:
    """Refuse an event in any other state: DomainError "wrong_state"."""
    if tournament.state not in states:
        raise DomainError(
            "wrong_state",
            _("You can't do this while the event is “%(state)s”.") % {"state": tournament.get_state_display()},
            state=tournament.state,
        )
