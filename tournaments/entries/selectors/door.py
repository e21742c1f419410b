"""Who comes in by the door: the code that opens now, names of the list that are meant, claims that wait."""

from base64 import b32encode
from datetime import datetime, timedelta

from django.core import signing
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from accounts.http.numbers import read_number
from accounts.identity.selectors import live_links
from rules_engine.errors import NotFound, needed
from tournaments.core.names import name_key, plain_name
from tournaments.models import DoorClaim, DoorCode, Entry, EntryMember, Tournament

SALT = "tournaments.door"
MARK_LENGTH = 10
"""50 bits, in letters and digits that nobody mixes up when typing them."""
OPEN_STATES = (Tournament.State.REGISTRATION, Tournament.State.RUNNING)
CLAIMS_LAST = timedelta(minutes=20)


def door_token(code: DoorCode) -> str:
    """What the poster's address ends with: the row's id and a mark that only this site can make."""
    digest = salted_hmac(SALT, f"{code.pk} {code.created_at.timestamp()}", algorithm="sha256").digest()
    return f"{code.pk}-{b32encode(digest).decode().lower()[:MARK_LENGTH]}"


def live_codes() -> QuerySet[DoorCode]:
    """The codes that open: not revoked, of an event that players enter or play."""
    return DoorCode.objects.filter(revoked_at=None, tournament__state__in=OPEN_STATES).select_related("tournament")


def door_of(tournament: Tournament) -> DoorCode | None:
    """The event's code that opens now."""
    return live_codes().filter(tournament=tournament).first()


def code_of_token(token: str) -> DoorCode | None:
    """The live code of a poster's address; unknown and revoked ones are None alike."""
    code = live_codes().filter(pk=read_number(token.partition("-")[0]) or 0).first()
    return code if code is not None and constant_time_compare(door_token(code), token.lower()) else None


def members_meant(tournament: Tournament, name: str) -> list[EntryMember]:
    """Players of the list whom a typed name can mean: the same words, in any order, or fewer or more of them."""
    words = _words(name)
    members = EntryMember.objects.filter(
        tournament=tournament, entry__state__in=(Entry.State.REGISTERED, Entry.State.WAITING)
    )
    found = [
        each
        for each in members.select_related("entry", "person").order_by("entry__number", "order")
        if any(words <= known or known <= words for known in (_words(each.person.name), _words(each.entry.name)))
    ]
    return sorted(found, key=lambda each: words not in (_words(each.person.name), _words(each.entry.name)))


def _words(name: str) -> frozenset[str]:
    return frozenset(name_key(plain_name(name))[0].split())


def is_free(code: DoorCode, member: EntryMember) -> bool:
    """Whether a player of the list needs nobody's word: before the start, while nobody acts or acted for them."""
    if not code.free_claims or code.tournament.state != Tournament.State.REGISTRATION:
        return False
    used = member.entry.checked_in_at is not None or member.deck_version_id is not None
    return not used and not live_links().filter(person=member.person_id).exists()


def claim_token(claim: DoorClaim) -> str:
    """What the address of a claim's page ends with, known to its phone alone."""
    return signing.dumps(claim.pk, salt=SALT)


def claim_of_token(code: DoorCode, token: str) -> DoorClaim | None:
    """The claim made by this code at that address."""
    try:
        number = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return code.claims.filter(pk=number).select_related("member__entry", "member__person").first()


def find_claim(tournament: Tournament, claim_id: int) -> DoorClaim:
    """A claim at the door of an event; NotFound "unknown_claim"."""
    claims = DoorClaim.objects.select_related("code", "member__entry", "member__person")
    found = claims.filter(pk=claim_id, code__tournament=tournament).first()
    return needed(found, NotFound("unknown_claim", _("There is no such claim.")))


def is_open(claim: DoorClaim, now: datetime) -> bool:
    """Whether a claim can still be answered, or taken once it is confirmed."""
    return claim.declined_at is None and claim.taken_at is None and now < claim.created_at + CLAIMS_LAST


def waiting_claims(tournament: Tournament, now: datetime) -> QuerySet[DoorClaim]:
    """The claims that wait for the staff's word, eldest first; one query."""
    claims = DoorClaim.objects.filter(code__in=live_codes().filter(tournament=tournament), confirmed_by="")
    open_ = claims.filter(declined_at=None, taken_at=None, created_at__gt=now - CLAIMS_LAST)
    return open_.select_related("member__entry", "member__person")
