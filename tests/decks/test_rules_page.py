"""The pages of rules and card lists: clauses, what formats ask, lists in force and to come; how admins write them."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.actors import Actor
from accounts.models import User
from decks import tasks
from decks.models import CardList, Recheck
from decks.services.card_lists import ListDraft, announce_list, draft_list
from decks.services.rechecks import start_recheck
from journal.clock import database_now
from journal.models import OutboxMessage
from rules_engine.systems import extra_games, get_system, list_systems
from tests.decks.owners import save_deck_version
from tests.rules_engine.test_loading import GAMES

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

DOOM = ("doom_pile", "standard")
TROOPER = ("doomtrooper", "tournament-1997")


@pytest.fixture
def now():
    return database_now()


@pytest.fixture
def root(db):
    return Actor(User.objects.create_user("root", is_staff=True), None, "session")


@pytest.fixture
def desk(root):
    client = Client()
    client.force_login(root.user)
    return client


def write(root, now, key=DOOM, limits=None, days=20, **changes):
    day = now.date() + timedelta(days=days)
    return draft_list(root, ListDraft(*key, "Spring list", day, limits or {"": {"ash ledger": 0}}, **changes), now)


def text(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.mark.parametrize("game", [system.slug for system in list_systems()])
def test_every_clause_has_its_anchor_words_and_book(client, catalogue, game):
    page = text(client, f"/rules/{game}/")
    for clause in get_system(game).clauses:
        assert f'id="{clause.id}"' in page
    for game_format in get_system(game).formats:
        assert f'id="format-{game_format.slug}"' in page


def test_formats_say_what_they_ask(client, catalogue):
    page = text(client, "/rules/doomtrooper/")
    for words in (
        "Playing deck: 60 cards or more.",
        "Side Bar: no card at all or exactly 25 cards.",
        "Playing deck: at least 5 cards of type Warrior.",
        "Playing deck, Side Bar together: at most 5 copies of a card.",
        "Inquisition",
        "Two teams",
    ):
        assert words in page
    assert "Nothing to check" in text(client, "/rules/dead_or_destroyed/")


def test_the_long_list_is_searched(client, catalogue):
    page = text(client, "/rules/doomtrooper/")
    assert page.count("RAGATHOL") == 1
    assert "Head to head: Banned" in " ".join(page.split())
    found = text(client, "/rules/doomtrooper/?q=luna")
    assert "LUNA" in found
    assert "RAGATHOL" not in found
    assert "the general rule applies" in text(client, "/rules/doomtrooper/?q=%3Cb%3Exyz")
    assert "<b>xyz" not in text(client, "/rules/doomtrooper/?q=%3Cb%3Exyz")


def test_lists_to_come_are_shown_with_what_changes(client, catalogue, root, now):
    row = write(root, now, slug=CardList.objects.get(game="doom_pile").slug)
    assert "In force from" not in text(client, "/rules/doom_pile/")
    announce_list(root, row, now, row.digest)
    page = text(client, "/rules/doom_pile/")
    assert page.index("In force from") < page.index("In force since")
    assert "From then on" in page


def test_a_format_leads_to_its_place(client, catalogue):
    assert client.get("/rules/doom_pile/standard/")["Location"] == "/rules/doom_pile/#format-standard"
    assert client.get("/rules/doom_pile/nope/").status_code == 404


def test_rules_pages_take_a_constant_number_of_queries(client, catalogue, root, now, django_assert_max_num_queries):
    for days in (3, 4, 5):
        row = write(root, now, days=days, slug="spring-list" if days > 3 else "")
        announce_list(root, row, now, row.digest)
    for game in ("doom_pile", "doomtrooper"):
        text(client, f"/rules/{game}/")  # what is read once a process is read
        with django_assert_max_num_queries(6):
            text(client, f"/rules/{game}/")


def test_a_fifth_game_has_its_rules_page(client, db):
    with extra_games(GAMES):
        assert "TS-KNIGHTS" in text(client, "/rules/toy_skirmish/")


# The pages of site admins.


@pytest.mark.parametrize("name", ["", "olive"])
def test_card_lists_are_for_site_admins(client, catalogue, root, now, name):
    row = write(root, now)
    recheck = start_recheck(root, row, now)
    if name:
        client.force_login(User.objects.create_user(name))
    pages = ["/lists/", f"/lists/{row.pk}/", f"/lists/{row.pk}/edit/", f"/rechecks/{recheck.public_id}/"]
    pages += ["/lists/new/doom_pile/standard/", "/lists/999999/"]
    for page in pages:
        assert client.get(page).status_code == (403 if name else 302)
    for act in ("announce", "delete", "recheck"):
        assert client.post(f"/lists/{row.pk}/{act}/").status_code == (403 if name else 302)
    for act in ("resume", "cancel"):
        assert client.post(f"/rechecks/{recheck.public_id}/{act}/").status_code == (403 if name else 302)
    row.refresh_from_db()
    assert (row.state, Recheck.objects.get().cancelled_at) == ("draft", None)


def test_a_list_is_written_looked_at_and_announced(desk, catalogue, ada, legal_text, root, now):
    save_deck_version("x", ada, *DOOM, "Secret weapon", legal_text, now)
    new = "/lists/new/doom_pile/standard/"
    day = (now.date() + timedelta(days=10)).isoformat()
    answer = desk.post(new, {"name": "Spring list", "valid_from": day, "text": "Ash Ledger: 0\nGlass Widow: 1"})
    row = CardList.objects.get(slug="spring-list")
    assert answer["Location"] == f"/lists/{row.pk}/"
    page = text(desk, f"/lists/{row.pk}/")
    assert "See how many decks stop being legal" in page
    assert "Glass Widow" in page
    address = desk.post(f"/lists/{row.pk}/recheck/")["Location"]
    running = desk.get(address)
    assert running["Refresh"] == "3"
    assert "Refresh" not in desk.get(f"{address}?still")
    assert "0 of 1 deck versions judged" in running.content.decode()
    for message in OutboxMessage.objects.filter(task="decks.recheck_chunk"):
        tasks.recheck_chunk(*message.args)
    done = desk.get(address)
    assert "Refresh" not in done
    page = done.content.decode()
    assert "1 of 1 deck versions judged" in page
    assert "Secret weapon" not in page
    assert "Ada" not in page
    desk.post(f"/lists/{row.pk}/announce/", {"seen": row.digest})
    row.refresh_from_db()
    assert row.state == "announced"
    assert "Write the next version" in text(desk, f"/lists/{row.pk}/")
    assert desk.get(f"/lists/{row.pk}/edit/")["Location"] == f"/lists/{row.pk}/"


def test_the_next_version_begins_with_the_one_before(desk, catalogue):
    slug = CardList.objects.get(game="doomtrooper").slug
    page = text(desk, f"/lists/new/doomtrooper/tournament-1997/?slug={slug}")
    assert "LUNA: 0" in page
    assert "[head-to-head] BOGGED DOWN: 0" in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": "Ash Legder: 0"}, "Ash Ledger"),
        ({"valid_from": "2001-01-01"}, "tomorrow at the earliest"),
        ({"name": ""}, "This field is required"),
        ({"name": "!!"}, "Choose a name that is new in this format"),
    ],
)
def test_a_faulty_list_comes_back_with_what_was_typed(desk, catalogue, changes, words):
    values = {"name": "Spring list", "valid_from": "2099-01-01", "text": "Ash Ledger: 0", **changes}
    page = desk.post("/lists/new/doom_pile/standard/", values).content.decode()
    assert words in page
    assert "Nothing was saved" in page
    assert not CardList.objects.filter(state="draft").exists()


def test_a_draft_is_changed_and_deleted_on_its_page(desk, catalogue, root, now):
    row = write(root, now)
    values = {"name": "Summer list", "valid_from": "2099-01-01", "text": "Glass Widow: any"}
    desk.post(f"/lists/{row.pk}/edit/", values)
    assert "Glass Widow: any" in text(desk, f"/lists/{row.pk}/edit/")
    desk.post(f"/lists/{row.pk}/delete/", {"confirmed_name": "Summer list"})
    assert desk.get(f"/lists/{row.pk}/").status_code == 404


def test_an_announced_list_refuses_what_a_draft_allows(desk, catalogue, root, now):
    row = write(root, now)
    announce_list(root, row, now, row.digest)
    for act in ("announce", "delete"):
        page = desk.post(f"/lists/{row.pk}/{act}/", follow=True).content.decode()
        assert "announced and can&#x27;t be changed" in page
    assert CardList.objects.filter(pk=row.pk).exists()


def test_a_recheck_is_stopped_and_cannot_go_on(desk, catalogue, ada, legal_text, root, now):
    save_deck_version("x", ada, *DOOM, "D", legal_text, now)
    recheck = start_recheck(root, write(root, now), database_now())
    address = f"/rechecks/{recheck.public_id}/"
    desk.post(f"{address}resume/")
    assert OutboxMessage.objects.filter(task="decks.recheck_chunk").count() == 2
    assert "Stopped" in desk.post(f"{address}cancel/", follow=True).content.decode()
    assert "This re-check is over" in desk.post(f"{address}resume/", follow=True).content.decode()
    assert desk.get("/rechecks/none/").status_code == 404


def test_all_lists_are_told_by_their_state(desk, catalogue, root, now):
    old = CardList.objects.get(game="doom_pile")
    CardList.objects.create(
        game=old.game, format=old.format, slug=old.slug, name=old.name, valid_from=now.date(), digest="x"
    )
    write(root, now)
    page = text(desk, "/lists/")
    for words in ("Draft for", "In force since", "Replaced; was in force"):
        assert words in page


def test_the_home_page_leads_to_every_game(client, catalogue):
    page = client.get("/").content.decode()
    for system in list_systems():
        assert system.name in page
        assert f'href="/rules/{system.slug}/"' in page
        assert (f'href="/cards/{system.slug}/"' in page) == bool(system.card_schema.types)
        for each in system.formats:
            rules = client.get(f"/rules/{system.slug}/{each.slug}/", follow=True).content.decode()
            assert (f'href="/sheets/{system.slug}/{each.slug}/"' in rules) == each.checks_decks
    assert 'href="/decks/new/"' in page


def test_long_lists_of_cards_lead_to_their_first_and_last_page(client, catalogue):
    middle = client.get("/cards/doomtrooper/?type=Warrior&page=3").content.decode()
    assert 'href="?type=Warrior&amp;page=1"' in middle
    assert 'href="?type=Warrior&amp;page=6"' in middle
    assert "Page 3 of 6" in middle
    last = client.get("/cards/doomtrooper/?type=Warrior&page=6").content.decode()
    assert ">Last<" not in last


def test_a_search_says_how_many_cards_it_found(client, catalogue):
    assert "1 listed card with “borrowed” in its name" in client.get("/rules/doom_pile/?q=borrowed").content.decode()
    assert "0 listed cards with “nobody” in their names" in client.get("/rules/doom_pile/?q=nobody").content.decode()
    assert "listed card" not in client.get("/rules/doom_pile/").content.decode()


def test_a_new_list_says_what_stays_in_force_beside_it(desk, catalogue, root, now):
    page = desk.get("/lists/new/doom_pile/standard/").content.decode()
    assert "A new name creates a second list" in page
    assert "Doomdesk sample list" in page
    draft = ListDraft(*DOOM, "Second", now.date() + timedelta(days=9), {"": {"ash ledger": 1}})
    page = desk.get(f"/lists/{draft_list(root, draft, now).pk}/").content.decode()
    assert "It replaces no other" in page
    assert "In force beside it: Doomdesk sample list" in page


def test_a_card_tells_what_an_announced_list_will_allow(client, catalogue, root, now):
    day = now.date() + timedelta(days=9)
    row = draft_list(root, ListDraft(*DOOM, "Second", day, {"": {"ash ledger": 1}}), now)
    assert "from " + day.strftime("%-d %B %Y") not in client.get("/cards/doom_pile/card/ash-ledger/").content.decode()
    announce_list(root, row, now, row.digest)
    page = client.get("/cards/doom_pile/card/ash-ledger/").content.decode()
    assert "from " + day.strftime("%-d %B %Y") in page
    assert "One copy" in page
    assert "One copy" not in client.get("/cards/doom_pile/card/glass-widow/").content.decode()
