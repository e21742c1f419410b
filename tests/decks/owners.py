"""Owners of decks for tests: accounts and guests by personal link, and the browsers they sit at."""

from datetime import date, datetime

from django.test import Client

from accounts.actors import Actor
from accounts.identity.services import issue_personal_link, person_of
from accounts.models import Person, User
from decks.models import Deck, DeckVersion
from decks.services.decks import Terms, check_versions, read_cleanly, save_list_as, save_version
from decks.services.own_decks import create_deck
from rules_engine.repair import Verdict
from tests.decks.conftest import NOW

GAME = ("doom_pile", "standard")


def signed_in(name: str) -> Actor:
    """Somebody with an account."""
    user, _new = User.objects.get_or_create(username=name)
    return Actor(user, person_of(user, NOW), "session")


def browser_of(name: str) -> Client:
    client = Client()
    client.force_login(signed_in(name).user)
    return client


def guest_browser(person: Person, issued_at: datetime = NOW, scope: str = "event:x") -> Client:
    """The browser of somebody who came by a personal link made then."""
    client = Client()
    client.get(f"/p/{issue_personal_link(person, signed_in('olive'), issued_at, scope=scope)}/")
    return client


def save_deck_version(
    actor: str, owner: Person, game: str, format_slug: str, name: str, text: str, now: datetime
) -> DeckVersion:
    """What `text` says as the newest version of the owner's deck `name`."""
    return save_list_as(actor, owner, name, read_cleanly(text, game, format_slug), now)


def check_version(version: DeckVersion, on_date: date, now: datetime) -> Verdict:
    """A version judged as of that day; the verdict is kept."""
    (judgement,) = check_versions([version], Terms(version.deck.game, version.deck.format, on_date), now)
    return judgement.verdict


def saved(name: str, text: str, deck: str = "Winter", at: datetime = NOW, game: tuple[str, str] = GAME) -> DeckVersion:
    """A version of somebody's deck."""
    actor = signed_in(name)
    return save_deck_version(actor.key, actor.person, *game, deck, text, at)


def begun(name: str, deck: str = "Winter", game: tuple[str, str] = GAME) -> Deck:
    """An empty deck of somebody's."""
    actor = signed_in(name)
    return create_deck(actor, actor.person, *game, deck, NOW)


def resaved(name: str, deck: Deck, text: str, at: datetime = NOW) -> DeckVersion:
    """The next version of a deck."""
    return save_version(signed_in(name).key, deck, text, at)
