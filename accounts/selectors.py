"""Reads of accounts: the persons behind an actor, and the person behind a personal link."""

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts.actors import ANONYMOUS, SYSTEM, Actor
from accounts.models import Person, PersonalLink, User


def person_or_none(user: User) -> Person | None:
    """The person of an account, None before it first needed one; the eldest where a walk-in was linked later."""
    return Person.objects.filter(user=user).order_by("created_at", "pk").first()


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


def actor_by_key(key: str) -> Actor:
    """Whoever acted under an `Actor.key`, for work that goes on later; the system where that account is gone.

    Of the code of a table only tournaments know anything (`tournaments.selectors.table_codes.actor_of_key`).
    """
    kind, _colon, number = key.partition(":")
    if kind == "table":
        return ANONYMOUS
    if kind == "user" and (user := User.objects.filter(pk=number).first()) is not None:
        return Actor(user, person_or_none(user), "session")
    if kind == "person" and (person := Person.objects.filter(pk=number).first()) is not None:
        return Actor(None, person, "link")
    return SYSTEM
