"""The event at an address, hidden ones only for those who may see them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.selectors import STREAM
from accounts.models import Person, User
from journal.compiled_queries import compiled_once
from journal.models import LedgerEntry, LedgerHead
from rules_engine.errors import NotFound
from tournaments.core.audiences import UNDONE
from tournaments.models import Tournament
from tournaments.permissions import annotate_roles, is_visible, remember_roles


def find_event(actor: Actor, slug: str) -> Tournament:
    """The tournament at an address; unknown and hidden ones are the same NotFound "unknown_event".

    One query, the actor's roles included. See docs/how-it-works/trust.md#d5.
    """
    return _find(actor, slug, is_whole=True)


def find_event_head(actor: Actor, slug: str) -> Tournament:
    """The same with little more than its `head` (the hash of its newest ledger entry, None before the first).

    `accounts_head` is that of the accounts; `asked_at` is the database's time of the question.

    One query, the actor's roles included; whatever else is asked of it costs another.
    """
    return _find(actor, slug, is_whole=False)


def revisions_of(tournaments: Iterable[Tournament]) -> dict[str, tuple[int, datetime]]:
    """How often what an event says of itself changed and when it did last, by stream; one query."""
    acts = LedgerEntry.objects.filter(Q(act__startswith="event.") | Q(act=UNDONE))
    acts = acts.filter(stream__in=[each.stream for each in tournaments]).order_by()
    rows = acts.values("stream").annotate(times=Count("pk"), last=Max("at"))
    return {row["stream"]: (row["times"], row["last"]) for row in rows}


def _find(actor: Actor, slug: str, *, is_whole: bool) -> Tournament:
    who = actor.user or actor.person
    kind = "user" if actor.user is not None else "person" if who is not None else ""
    keys = (slug,) if who is None else (slug, who.pk)
    found = next(iter(_question(kind, is_whole=is_whole)(*keys)), None)
    return _unless_hidden(actor, found and remember_roles(actor, found))


@cache
def _question(kind: str, *, is_whole: bool) -> Callable[..., list[Tournament]]:
    """The query for the event with a slug, and for the roles of an account or person by id."""

    def ask(slug: str, who: int | None = None) -> QuerySet[Tournament]:
        user, person = User(pk=who) if kind == "user" else None, Person(pk=who) if kind == "person" else None
        head = LedgerHead.objects.filter(pk=OuterRef("stream")).values("hash")[:1]
        accounts = LedgerHead.objects.filter(pk=STREAM).values("hash")[:1]
        found = Tournament.objects.filter(slug=slug)
        few = found if is_whole else found.only("slug", "stream", "state", "visibility")
        few = few.annotate(head=Subquery(head), accounts_head=Subquery(accounts), asked_at=Now()).order_by()
        return annotate_roles(Actor(user, person, "session"), few)

    return compiled_once(ask)


def _unless_hidden(actor: Actor, tournament: Tournament | None) -> Tournament:
    if tournament is None or not is_visible(actor, tournament):
        raise NotFound("unknown_event", _("This event doesn't exist or isn't open to you."))
    return tournament
