"""Writes of accounts: persons, personal links, links for a new password."""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import datetime

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.actors import Actor
from accounts.identity.selectors import HANDED_OVER, HELD, STREAM, live_links, unclaimed_accounts
from accounts.models import Person, PersonalLink, PushSubscription, User, check_name, single_spaced
from journal.ledger.services import record
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound, needed

MAX_NAME = 120
"""Of an account, as of an entry."""


@in_transaction
def create_account(name: str, password: str, actor: Actor, now: datetime, *, site_admin: bool = False) -> User:
    """A new account, confirmed because whoever runs the site makes it.

    Conflict "name_taken", DomainError "bad_name" for a name that no sign-up would take.
    """
    if User.objects.filter(username__iexact=name).exists():
        raise Conflict("name_taken", _("There already is an account of this name."))
    user = User(username=name, is_staff=site_admin, is_superuser=site_admin, is_confirmed=True)
    user.set_password(password)
    try:
        user.full_clean()
    except ValidationError as error:
        raise DomainError("bad_name", " ".join(error.messages)) from error
    user.save()
    record(STREAM, "account_created", actor.key, "system", now, {"user": user.pk, "site_admin": site_admin})
    return user


@in_transaction
def renew_password(user: User, password: str, actor: Actor, now: datetime) -> User:
    """Give an account that nobody holds yet another password; DomainError "claimed" for any other account."""
    user = User.objects.select_for_update().get(pk=user.pk)
    if not unclaimed_accounts().filter(pk=user.pk).exists():
        raise DomainError("claimed", _("This account is in use. Only its owner can change the password."))
    user.set_password(password)
    user.save(update_fields=["password"])
    record(STREAM, "password_renewed", actor.key, "system", now, {"user": user.pk})
    return user


@in_transaction
def hold_account(user: User, actor: Actor, now: datetime) -> None:
    """Note that the password of a new account was not handed over yet."""
    record(STREAM, HELD, actor.key, "system", now, {"user": user.pk})


@in_transaction
def hand_over_account(user: User, actor: Actor, now: datetime) -> None:
    """Note that a person was shown the password of an account."""
    record(STREAM, HANDED_OVER, actor.key, "system", now, {"user": user.pk})


def create_person(name: str, email: str = "", user: User | None = None, *, now: datetime) -> Person:
    """A new person, also a namesake of another; DomainError "no_name", or "name_too_long" above 200 characters."""
    return create_people([(name, email)], user, now=now)[0]


def create_people(named: Iterable[tuple[str, str]], user: User | None = None, *, now: datetime) -> list[Person]:
    """New people of (name, mail address or ""), in this order and in few statements; as `create_person`."""
    return Person.objects.bulk_create(
        Person(name=_persons_name(name), email=email, user=user, created_at=now) for name, email in named
    )


def _persons_name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise DomainError("no_name", _("Enter a name."))
    if len(name) > 200:
        raise DomainError("name_too_long", _("A name has at most 200 characters."))
    return name


@in_transaction
def person_of(user: User, now: datetime) -> Person:
    """An account's own person, made when first needed, so that what the account does is never a guest's.

    The account's row is locked: two tabs make one.
    """
    User.objects.select_for_update().get(pk=user.pk)
    own = Person.objects.filter(user=user, linked_at=None).order_by("created_at", "pk").first()
    return own or create_person(user.get_full_name(), user.email, user, now=now)


@in_transaction
def link_person_to_user(
    person: Person, user: User, actor: Actor, now: datetime, *, link: PersonalLink | None = None
) -> Person:
    """Give a person who came by `link` an account, and kill the person's links: from now on one signs in.

    Whoever issued the link may be the one who signs in: that is kept. Conflict "person_has_account" if it already has
    another one.
    """
    locked = Person.objects.select_for_update().get(pk=person.pk)
    if locked.user_id not in (None, user.pk):
        raise Conflict("person_has_account", _("This person already has another account."))
    if locked.user_id is None:
        locked.user, locked.linked_at, locked.linked_by = user, now, link.issued_by if link else None
        locked.save(update_fields=["user", "linked_at", "linked_by"])
        subjects = {"person": locked.pk, "user": user.pk, **({"link": link.pk} if link else {})}
        record(STREAM, "person_linked", actor.key, "self", now, subjects)
        enqueue("tournaments.rate_person", [locked.pk], now)
        revoke_personal_links(locked, actor, now)
    return locked


@in_transaction
def unlink_person(person: Person, user: User, actor: Actor, now: datetime) -> Person:
    """Make a guest whom an account took over a player without an account again, and notify its browsers no longer.

    Their links stay revoked. NotFound "unknown_guest" for who was not taken over by this account.
    """
    locked = Person.objects.select_for_update().filter(pk=person.pk, user=user).exclude(linked_at=None).first()
    guest = needed(locked, NotFound("unknown_guest", _("Your account holds no such guest.")))
    PushSubscription.objects.filter(person=guest, created_at__gt=guest.linked_at).delete()
    guest.user = guest.linked_at = guest.linked_by = None
    guest.save(update_fields=["user", "linked_at", "linked_by"])
    record(STREAM, "person_unlinked", actor.key, "self", now, {"person": guest.pk, "user": user.pk})
    enqueue("tournaments.rate_person", [guest.pk], now)
    return guest


@in_transaction
def rename_account(user: User, name: str, actor: Actor, now: datetime) -> User:
    """Correct the name that others read; the log keeps the old one, and what signs in stays as it is.

    The account's own person is called by it; entries of events and guests it took over keep their name. DomainError
    "no_name", "name_too_long", "bad_name".
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    name, before = _account_name(name), user.get_full_name()
    if name != before:
        user.name = name
        user.save(update_fields=["name"])
        Person.objects.filter(user=user, linked_at=None, erased_at=None).update(name=name)
        record(STREAM, "account_renamed", actor.key, "self", now, {"user": user.pk}, {"before": before, "name": name})
    return user


def _account_name(text: str) -> str:
    name = single_spaced(text)
    if not name:
        raise DomainError("no_name", _("Enter a name."))
    if len(name) > MAX_NAME:
        raise DomainError("name_too_long", _("A name has at most %(most)d characters.") % {"most": MAX_NAME})
    try:
        check_name(name)
    except ValidationError as error:
        raise DomainError("bad_name", error.message) from error
    return name


@in_transaction
def set_profile_shown(user: User, actor: Actor, now: datetime, *, shown: bool) -> User:
    """Let everybody see the page about an account's play, or nobody."""
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.shows_profile != shown:
        user.shows_profile = shown
        user.save(update_fields=["shows_profile"])
        record(STREAM, "profile_shown" if shown else "profile_hidden", actor.key, "self", now, {"user": user.pk})
    return user


@in_transaction
def issue_personal_link(
    person: Person, actor: Actor, now: datetime, expires_at: datetime | None = None, scope: str = "", seed: str = ""
) -> str:
    """A new personal link in place of the older ones of its scope; answers the raw token (192 bits), kept nowhere.

    With a `scope` (40 characters at most, opaque here) it holds only where its issuer says so. The older ones die, so
    that whoever holds one learns of the new one. With a `seed` the token is `token_of_seed(seed)`.
    """
    Person.objects.select_for_update().get(pk=person.pk)  # two at once would leave two live ones
    _end_links(PersonalLink.objects.filter(person=person, scope=scope, revoked_at=None), person, now)
    token = token_of_seed(seed) if seed else secrets.token_urlsafe(24)
    link = PersonalLink.objects.create(
        person=person, token_hash=hash_token(token), scope=scope, issued_by=actor.user, created_at=now,
        expires_at=expires_at,
    )  # fmt: skip
    record(_stream_of(person), "link_issued", actor.key, "", now, {"person": person.pk, "link": link.pk})
    return token


def token_of_seed(seed: str) -> str:
    """The token of a link that a worker mails: the outbox holds a random seed, useless without the site's secret key.

    So a link is issued and logged by whoever asks for the mail, a mail sent twice has the same link, and neither the
    database nor the key is enough to find the token.
    """
    digest = salted_hmac("accounts.mailed_link", seed, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:24]).decode()


@in_transaction
def revoke_personal_links(person: Person, actor: Actor, now: datetime, scope: str = "") -> int:
    """Kill every link of a person, or those of one scope, and the sessions opened by them; answers how many died.

    Browsers that were notified of pairings (Web Push) are notified no longer: they came by these links.
    """
    links = PersonalLink.objects.filter(person=person, revoked_at=None)
    count = _end_links(links.filter(scope=scope) if scope else links, person, now)
    if count:
        record(_stream_of(person), "links_revoked", actor.key, "", now, {"person": person.pk, "count": count})
    return count


def _end_links(links: QuerySet[PersonalLink], person: Person, now: datetime) -> int:
    count = links.update(revoked_at=now)
    if count:
        PushSubscription.objects.filter(person=person).delete()
    return count


@in_transaction
def limit_personal_links(scope: str, until: datetime) -> int:
    """Let the live links of one scope expire at that moment, whatever was said of them; answers how many they are."""
    return PersonalLink.objects.filter(scope=scope, revoked_at=None).update(expires_at=until)


@in_transaction
def restore_personal_links(person: Person, actor: Actor, revoked_at: datetime, now: datetime, scope: str) -> int:
    """Let the link of one scope that was revoked at that moment count again; answers how many: 1, or 0 for none.

    None of a person who signs in by now, or whose data has been erased, or who was given a newer one.
    """
    if person.user_id is not None or person.erased_at is not None:
        return 0
    links = PersonalLink.objects.filter(person=person, scope=scope)
    ended = links.filter(revoked_at=revoked_at).order_by("-created_at", "-pk").first()
    if ended is None or links.filter(revoked_at=None).exists():
        return 0
    ended.revoked_at = None
    ended.save(update_fields=["revoked_at"])
    record(_stream_of(person), "links_restored", actor.key, "", now, {"person": person.pk, "count": 1})
    return 1


def find_personal_link(token: str, now: datetime) -> PersonalLink:
    """The live link of a raw token, its person loaded; NotFound "unknown_link" otherwise."""
    link = live_links().filter(token_hash=hash_token(token)).first()
    if link is None or (link.expires_at is not None and link.expires_at <= now):
        raise NotFound("unknown_link", _("This link isn't valid. Ask the organiser for a new one."))
    return link


@in_transaction
def issue_reset_link(user: User, actor: Actor, now: datetime) -> str:
    """The path of a page where the holder sets a new password; good once, until PASSWORD_RESET_TIMEOUT.

    For commands and site admins; not for a disabled account; for a site admin's, a superuser must ask: NotAllowed.
    """
    _refuse_reset(user, actor)
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    record(STREAM, "reset_link_issued", actor.key, "site_admin" if actor.user else "system", now, {"user": user.pk})
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})


def _refuse_reset(user: User, actor: Actor) -> None:
    if not user.is_active:
        raise NotAllowed("account_disabled", _("This account is disabled."))
    check_manages(user, actor)


def check_manages(user: User, actor: Actor) -> None:
    """Pass for the command line and for site admins, about another's site admin account for superusers; NotAllowed."""
    if actor.via == "command":
        return
    if actor.user is None or not actor.user.is_staff:
        raise NotAllowed("not_site_admin", _("Only a site admin changes accounts of others."))
    if (user.is_staff or user.is_superuser) and not actor.user.is_superuser:
        raise NotAllowed("of_site_admin", _("Only a superuser or the command line can change a site admin's account."))


def hash_token(token: str) -> str:
    """SHA-256 (hex) of a raw token: all that is ever stored of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _stream_of(person: Person) -> str:
    return f"person:{person.public_id}"
