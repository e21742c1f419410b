"""How a person is notified: browsers that asked for Web Push, and an address that mails go to."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core import signing
from django.db.models import Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.selectors import STREAM
from accounts.models import Person, PushSubscription
from accounts.notifications.push_services import Refused, check_endpoint
from accounts.notifications.webpush import decode, encrypt
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.errors import BadInput, NotFound

MAX_BROWSERS = 10
"""How many browsers of one person are notified; the oldest makes room."""
SALT = "pairing mails"
CONFIRM_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class MailWish:
    """What a link in a mail asks for: mails for a person at an address, or none any more."""

    person: Person
    email: str
    wanted: bool


@in_transaction
def subscribe(person: Person, endpoint: str, p256dh: str, auth: str, actor: Actor, now: datetime) -> PushSubscription:
    """Notify a browser, in the language it reads; one of another person is this person's now.

    BadInput "bad_browser".
    """
    try:
        check_endpoint(endpoint)
        encrypt(b"", decode(p256dh), _secret(auth))
    except (Refused, ValueError):
        raise BadInput("bad_browser", _("This browser doesn't support notifications.")) from None
    values = {"person": person, "p256dh": p256dh, "auth": auth, "created_at": now}
    values["language"] = get_language() or ""
    found, is_new = PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=values)
    own = PushSubscription.objects.filter(person=person).order_by("-created_at", "-pk")
    PushSubscription.objects.filter(pk__in=[each.pk for each in own[MAX_BROWSERS:]]).delete()
    if is_new:
        record(STREAM, "push_on", actor.key, "self", now, {"person": person.pk})
    return found


def _secret(auth: str) -> bytes:
    secret = decode(auth)
    if len(secret) != 16:
        raise ValueError("a push secret has 16 bytes")
    return secret


@in_transaction
def unsubscribe(person: Person, endpoint: str, actor: Actor, now: datetime) -> int:
    """Tell one of a person's browsers no longer; answers how many that were."""
    count = PushSubscription.objects.filter(browsers_of(person), endpoint=endpoint).delete()[0]
    if count:
        record(STREAM, "push_off", actor.key, "self", now, {"person": person.pk})
    return count


def browsers_of(person: Person) -> Q:
    """The subscriptions that tell a person: theirs, and those of the account's other persons."""
    same = Q(person=person)
    return same | Q(person__user=person.user_id) if person.user_id is not None else same


def subscriptions_of(person: Person) -> QuerySet[PushSubscription]:
    """The browsers in which a person is notified."""
    return PushSubscription.objects.filter(browsers_of(person), person__erased_at=None)


def mailed_person(person: Person) -> Person | None:
    """Whose confirmed address gets a person's mails: their own or that of another person of the account."""
    return _mailed(person).filter(erased_at=None).exclude(email="").order_by("created_at", "pk").first()


def _mailed(person: Person) -> QuerySet[Person]:
    """Those who want mails of the persons of a person's account, or of a guest alone."""
    same = Q(pk=person.pk) if person.user_id is None else Q(pk=person.pk) | Q(user=person.user_id)
    return Person.objects.filter(same, mails_pairings=True)


@in_transaction
def set_mails(person: Person, email: str, actor: Actor, now: datetime, *, wanted: bool) -> Person:
    """Send a person a mail for each round, in the language they read, to an address they confirmed; or none any more.

    No more mails: as any person of the account.
    """
    person = Person.objects.select_for_update().get(pk=person.pk)
    if not wanted:
        if _mailed(person).update(mails_pairings=False):
            record(STREAM, "mails_off", actor.key, "self", now, {"person": person.pk})
    elif (person.mails_pairings, person.email) != (True, email):
        person.mails_pairings, person.email, person.language = True, email, get_language() or ""
        person.save(update_fields=["mails_pairings", "email", "language"])
        record(STREAM, "mails_on", actor.key, "self", now, {"person": person.pk})
    person.refresh_from_db(fields=["mails_pairings"])
    return person


def mail_token(person: Person, email: str, *, wanted: bool) -> str:
    """What a link in a mail carries: it turns mails to this address on, within a day, or off, at any time."""
    return signing.dumps([str(person.public_id), email, wanted], salt=SALT, compress=True)


def read_mail_token(token: str) -> MailWish:
    """The wish of a link in a mail; NotFound "unknown_link" for what is forged, too old or about nobody."""
    try:
        public_id, email, wanted = signing.loads(token, salt=SALT)
        if wanted:
            signing.loads(token, salt=SALT, max_age=CONFIRM_SECONDS)
        person = Person.objects.get(public_id=public_id, erased_at=None)
    except (signing.BadSignature, ValueError, Person.DoesNotExist):
        raise NotFound("unknown_link", _("This link does not work any more.")) from None
    return MailWish(person, email, wanted)


def site_address() -> str:
    """Where this site is opened, without a slash at the end; "" where nobody said it."""
    return (settings.CSRF_TRUSTED_ORIGINS or [settings.PUBLIC_ADDRESS])[0].rstrip("/")
