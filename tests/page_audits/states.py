"""Seldom seen states of pages: games that ended, a returned sheet, a hand, ratings, a second factor, a deck gone."""

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.test import Client
from django.test.utils import setup_test_environment, teardown_test_environment

from accounts.actors import Actor
from accounts.identity.services import link_person_to_user, set_profile_shown
from decks.models import Deck
from scoring.models import SheetPart, SheetRevision
from scoring.sheets.services import open_sheet
from scoring.tasks import tally_sheet
from tests.accounts.factors import prove
from tests.decks.owners import save_deck_version
from tests.scoring.web import test_doomlings_pages as lings
from tests.scoring.web import test_doomtrooper as trooper
from tests.scoring.web.test_hands import hold, move
from tests.tournaments.factories import NOW, account
from tournaments.decks.services.deck_ready import mark_deck_ready
from tournaments.management.demo import sample_decklist
from tournaments.models import Match, Tournament
from tournaments.tasks import rate_game

LONG = "Maximiliane von Hohenstein-Ravensburg"
FOR_GOOD = 10**9
"""Seconds after which a proved second factor is asked for again."""


def seldom_seen(olive: Actor, events: dict[str, Tournament], match: Match) -> tuple[dict[str, object], dict[str, str]]:
    """Values for addresses and sessions by name; both players of the match placed their decks."""
    setup_test_environment()  # phones ask for a host of tests
    hand, returned = own_hand(), returned_sheet()
    games = two_games()
    clients = {"hand": hand[0], "returned": returned[0], "games": games[0], "factor": with_factor()}
    values = {"hand": hand[1], "returned": returned[1], "games": games[1], "broken": broken_sheet(olive),
              "gone_deck": gone_deck(olive), "rated": rated_player(events["done"])}  # fmt: skip
    teardown_test_environment()
    for seat in match.seats.order_by("order"):
        mark_deck_ready(Actor(None, seat.member.person, "link"), seat, 1, NOW)
    return values, {name: client.cookies["sessionid"].value for name, client in clients.items()}


def own_hand() -> tuple[Client, str]:
    """A player of Doomlings with two cards in hand."""
    sheet = lings.begun("Ada", "Ben")
    move(lings.phone(sheet, "all"), sheet, "start", player="Ada")
    phone = lings.phone(sheet, 1)
    for name in ("Adorable", "Kidney"):
        hold(phone, sheet, name=name)
    return phone, sheet.key


def returned_sheet() -> tuple[Client, str]:
    """A player with too many dominants."""
    sheet = lings.begun("Ada", "Ben")
    phone = lings.phone(sheet, 1)
    lings.write(phone, sheet, 1, traits="Sentience\nViral\nApex Predator")
    lings.filed(phone, sheet)
    return phone, sheet.key


def two_games() -> tuple[Client, str]:
    """A ledger of Doomtrooper filed after two games, before a third."""
    phone, root = trooper.begun(target="8", names=f"Ada\n{LONG}")
    for kind, player, fields in (
        ("turn", "Ada", {}), ("kill", "Ada", {"other": LONG, "value": "8"}), ("next_game", "Ada", {}),
        ("turn", LONG, {}), ("kill", LONG, {"other": "Ada", "value": "9"}),
    ):  # fmt: skip
        trooper.add(phone, root, kind, player, **fields)
    phone.post(f"{root}play/file/")
    tally_sheet(SheetRevision.objects.latest("pk").pk, "")
    return phone, root.split("/")[-2]


def broken_sheet(olive: Actor) -> str:
    """Games of which nothing can be read."""
    sheet = open_sheet(olive, "doom_pile", [{"name": "Ada"}, {"name": "Ben"}], {}, NOW)
    SheetPart.objects.filter(sheet=sheet, place=0).update(content={"games": [{"winner": "Cem"}]})
    return sheet.key


def gone_deck(olive: Actor) -> str:
    """A deck of a format that is no more."""
    kept = save_deck_version(olive.key, olive.person, "doom_pile", "standard", "Old", sample_decklist(copies=3), NOW)
    Deck.objects.filter(pk=kept.deck_id).update(format="no-more")
    return str(kept.deck.public_id)


def rated_player(done: Tournament) -> str:
    """A player with an account and a rating who shows her own page."""
    pia, person = account("pia"), done.entries.get(number=2).members.get().person
    link_person_to_user(person, pia.user, pia, NOW)
    set_profile_shown(pia.user, pia, NOW, shown=True)
    rate_game(done.game)
    return str(person.public_id)


def with_factor() -> Client:
    """A browser that proved a second factor and is asked for it no more, of an account with an address."""
    user, client = account("fay").user, Client()
    EmailAddress.objects.create(user=user, email="fay@example.org", primary=True)
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    session = prove(client, user).session
    proof = session[AUTHENTICATION_METHODS_SESSION_KEY][0]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{**proof, "at": proof["at"] + FOR_GOOD, "reauthenticated": True}]
    session.save()
    RecoveryCodes.activate(user)
    return client
