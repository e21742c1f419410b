"""Reads of accounts: the persons behind an actor, and the person behind a personal link."""

from collections.abc import Mapping
from datetime import datetime

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from knox.models import AuthToken

from accounts.actors import ANONYMOUS, SYSTEM, Actor
from accounts.models import Person, PersonalLink, User, single_spaced
from journal.compiled_queries import compiled_once
from journal.models import LedgerEntry
from rules_engine.errors import NotFound, needed

STREAM = "accounts"
HELD, HANDED_OVER = "account_held", "account_handed_over"
OWN_FIRST = (F("linked_at").asc(nulls_first=True), "created_at", "pk")
"""The order of an account's persons: its own, then the guests it took over."""


def person_or_none(user: User) -> Person | None:
    """The person of an account, None before it first needed one; of guests alone, the first it took over."""
    return next(iter(_first_person(user.pk)), None)


@compiled_once
def _first_person(user_id: int) -> QuerySet[Person]:
    return Person.objects.filter(user=user_id).order_by(*OWN_FIRST)[:1]


def name_of(user: User) -> str:
    """The name of an account that others read."""
    return user.get_full_name()


def masked(email: str) -> str:
    """An address that its owner knows again: the first letter and the site."""
    return f"{email[:1]}…{email[email.rfind('@') :]}"


def unclaimed_accounts() -> QuerySet[User]:
    """New accounts whose password was never handed over, and that nobody ever signed in to."""
    acts = LedgerEntry.objects.filter(stream=STREAM, act__in=(HELD, HANDED_OVER)).values_list("act", "subjects")
    held, given = ({subjects["user"] for act, subjects in acts if act == one} for one in (HELD, HANDED_OVER))
    return User.objects.filter(pk__in=held - given, last_login=None).order_by("pk")


def persons_of(actor: Actor) -> QuerySet[Person]:
    """Every person the actor speaks for: all of an account's, or that of a personal link until it has an account."""
    if actor.user is not None:
        return Person.objects.filter(user=actor.user)
    return Person.objects.filter(pk=actor.person.pk, user=None) if actor.person else Person.objects.none()


def live_links() -> QuerySet[PersonalLink]:
    """Personal links that open now by the database's clock: not revoked, not expired.

    Nor is their person erased, or one who signs in with an account.
    """
    unexpired = Q(expires_at=None) | Q(expires_at__gt=Now())
    links = PersonalLink.objects.filter(unexpired, revoked_at=None, person__erased_at=None, person__user=None)
    return links.select_related("person")


@compiled_once
def live_link(link_id: int) -> QuerySet[PersonalLink]:
    """One of them, or none: every request of a visitor who came by a link asks."""
    return live_links().filter(pk=link_id)


def account_named(login: str) -> User | None:
    """The account that a person signs in to by this name, or by this mail address if it was proved to be theirs.

    Names differ by more than capital letters, or none of them is meant.
    """
    login = single_spaced(login)
    proved = User.objects.filter(emailaddress__email__iexact=login, emailaddress__verified=True)
    named = list(proved[:1]) or list(User.objects.filter(username__iexact=login)[:2])
    return named[0] if len(named) == 1 else None


def has_factor(user: User) -> bool:
    """Whether an account asks for a code beside the password."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def tokens_of(user: User, now: datetime) -> QuerySet[AuthToken]:
    """The API tokens of an account that work at `now`, the newest first, each with its note."""
    working = AuthToken.objects.filter(user=user, expiry__gt=now, note__isnull=False)
    found: QuerySet[AuthToken] = working.select_related("note").order_by("-created", "digest")
    return found


def find_token(user: User, public_id: str, now: datetime) -> AuthToken:
    """The account's token of this `token_id` that works at `now`; NotFound "unknown_token"."""
    row = next((each for each in tokens_of(user, now) if token_id(each) == public_id), None)
    return needed(row, NotFound("unknown_token", _("You don't have this token any more.")))


def token_id(row: AuthToken) -> str:
    """What a token is called in addresses and in the log: the first letters of its hash."""
    return str(row.digest)[:16]


def own_events(user: User) -> Mapping[str, str]:
    """The names, by slug, of the events that an account runs or plays in, the newest first."""
    found: Mapping[str, str] = import_string(settings.OWN_EVENTS)(Actor(user, person_or_none(user), "session"))
    return found


def actor_of_link(link: PersonalLink, device: str = "") -> Actor:
    """Who acts by a personal link."""
    return Actor(
        None, link.person, "link", link.created_at, link.scope,
        link=link.pk, issuer=link.issued_by_id or 0, device=device,
    )  # fmt: skip


def actor_by_key(key: str) -> Actor:
    """Whoever acted under an `Actor.key`, for work that goes on later; the system where that account is gone.

    Of the code of a table only tournaments know anything (`tournaments.core.actors.actor_of_key`).
    """
    kind, _colon, number = key.partition(":")
    if kind == "table":
        return ANONYMOUS
    if kind == "user" and (user := User.objects.filter(pk=number).first()) is not None:
        return Actor(user, person_or_none(user), "session")
    if kind == "person" and (person := Person.objects.filter(pk=number).first()) is not None:
        return Actor(None, person, "link")
    return SYSTEM
