"""Who may open a stored deck, or change a house format: its owner alone. Registered decks are for events to say."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable, Value
from django.utils.translation import gettext as _
from rules import test_rule
from rules.predicates import Predicate

from accounts.actors import Actor
from accounts.http.permissions import add_permissions
from accounts.identity.selectors import persons_of
from decks.models import Deck, DeckVersion, HouseFormat
from rules_engine.errors import NotAllowed

LINKED_AT = "owner__linked_at"
RIVALS_LINK = "rivals_link"
"""The rule, of events, that tells whether a personal link was made by an account that plays where its person does."""


def decks_of(actor: Actor, *, even_hidden: bool = False) -> QuerySet[Deck]:
    """The decks an actor may open: those of the persons of the account, or of the person of a personal link.

    Not those that were deleted while an event relies on one, unless `even_hidden`.

    Staff make personal links, and an account can take over whom a link names; so neither opens a deck of which nothing
    is younger than the link or the taking over, and a link opens nothing once its person has an account. Nor does a
    link that a rival made, who could open it too.
    """
    if test_rule(RIVALS_LINK, actor):
        return Deck.objects.none()
    decks = Deck.objects.filter(owner__in=persons_of(actor)).select_related("owner")
    if not even_hidden:
        decks = decks.filter(hidden_at=None)
    if actor.user is not None:
        return decks.filter(Q(owner__linked_at=None) | _is_younger(F(LINKED_AT), OuterRef(LINKED_AT)))
    since = Value(actor.link_issued_at)
    return decks.filter(_is_younger(since, since), owner__user=None)


def check_maker_of_link(actor: Actor) -> None:
    """Refuse who came by a link that a rival made: NotAllowed "issuer_plays"."""
    if test_rule(RIVALS_LINK, actor):
        raise NotAllowed(
            "issuer_plays",
            _(
                "The person who created your personal link plays too and could read your decks here. Sign in with "
                "an account."
            ),
        )


def may_see_version(actor: Actor, version: DeckVersion) -> bool:
    """Whether a version of an own deck is shown: not to a link or an account that came later."""
    since = version.deck.owner.linked_at if actor.user is not None else actor.link_issued_at
    return since is None or since <= version.created_at


def _is_younger(since: Combinable, since_outside: Combinable) -> Q:
    versions = DeckVersion.objects.annotate(since=since_outside).filter(deck=OuterRef("pk"), created_at__gte=F("since"))
    return Q(created_at__gte=since) | Q(Exists(versions))


def _is_own(actor: Actor, deck: Deck | None) -> bool:
    return deck is not None and decks_of(actor).filter(pk=deck.pk).exists()


add_permissions("deck", {"owner": Predicate(_is_own)})


def _made(actor: Actor, house: HouseFormat | None) -> bool:
    return house is not None and actor.user is not None and house.owner_id == actor.user.pk


add_permissions("format", {"owner": Predicate(_made)})
