"""What is known of the codes of game clients: whose signature fits, and which replays a match has."""

import hashlib
import hmac
from datetime import datetime

from django.db.models import QuerySet

from accounts.actors import Actor
from accounts.http.access import is_allowed
from tournaments.models import ClientCode, Match, Seat


def signature_of(secret: str, payload: str) -> str:
    """The signature of a payload: HMAC-SHA256 over its bytes in UTF-8, in hexadecimal digits."""
    return hmac.new(secret.encode(), payload.encode(), hashlib.sha256).hexdigest()


def signed_code(public_id: str, payload: str, signature: str) -> ClientCode | None:
    """The code that a payload is signed with; None for an unknown code and a wrong signature alike."""
    codes = ClientCode.objects.select_related("match__round__stage__tournament", "seat", "user")
    code = codes.defer("replay").filter(public_id=public_id).first()
    if code is None or not hmac.compare_digest(signature_of(code.secret, payload), signature.lower()):
        return None
    return code


def readable_replays(actor: Actor, match: Match, seat: Seat | None, now: datetime) -> QuerySet[ClientCode]:
    """The replays of a match that the actor may read, first to last, without what they hold; `seat` is their own.

    A replay may show a deck. While decks of the match are secret it is for its own side, and for who may read decks.
    """
    found = match.client_codes.filter(replay_bytes__gt=0).defer("replay").order_by("used_at", "pk")
    tournament = match.round.stage.tournament
    published_at = tournament.decks_published_at
    is_public = published_at is not None and published_at <= now
    if is_public or is_allowed("deck.read", actor, tournament) or not _has_decks(match):
        return found
    return found.filter(seat=seat) if seat is not None else found.none()


def _has_decks(match: Match) -> bool:
    return match.seats.filter(entry__members__deck_version__isnull=False).exists()
