"""An event that goes on at another site: marked here, and read from then on."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament, log_act, require_reason
from tournaments.models import Tournament

MAX_PLACE = 160
MAX_ADDRESS = 300
FIELDS = ("moved_at", "moved_to", "moved_url")


@in_transaction
def mark_as_moved(actor: Actor, tournament: Tournament, place: str, address: str, now: datetime) -> Tournament:
    """From now on the event goes on at `place`, if given at this http or https `address`; every act here is refused.

    DomainError "place_needed", "bad_address", "is_rehearsal"; Conflict "moved_event" for one that is marked already.
    """
    place, address = " ".join(place.split())[:MAX_PLACE], address.strip()
    if not place:
        raise DomainError("place_needed", _("Say where the event goes on."), field="to")
    if address:
        _expect_address(address)
    tournament = lock_tournament(tournament)
    if tournament.rehearsal_of_id is not None:
        raise DomainError("is_rehearsal", _("This is a rehearsal. You can't move it to another site."))
    tournament.moved_at, tournament.moved_to, tournament.moved_url = now, place, address
    tournament.save(update_fields=FIELDS)
    log_act(tournament, "event.moved", actor, now, None, {"reason": f"{place} {address}".strip()})
    return tournament


@in_transaction
def take_back_move(actor: Actor, tournament: Tournament, reason: str, now: datetime) -> Tournament:
    """The event goes on here after all, as it was left. Needs a reason; Conflict "not_moved"."""
    reason = require_reason(reason)
    tournament = lock_tournament(tournament, even_moved=True)
    if tournament.moved_at is None:
        raise Conflict("not_moved", _("This event isn't marked as moved."))
    tournament.moved_at, tournament.moved_to, tournament.moved_url = None, "", ""
    tournament.save(update_fields=FIELDS)
    log_act(tournament, "event.move_taken_back", actor, now, None, {"reason": reason})
    return tournament


def _expect_address(address: str) -> None:
    try:
        if len(address) > MAX_ADDRESS:
            raise ValidationError("too long")
        URLValidator(schemes=["http", "https"])(address)
    except ValidationError as error:
        text = _("This isn't an address such as https://events.example/e/cup/.")
        raise DomainError("bad_address", text, field="url") from error
