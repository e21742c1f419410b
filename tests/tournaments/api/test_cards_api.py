"""Cards by API: the filters of their page, and for site admins card files, samples and sets of the site's own."""

import pytest

from decks.forms.cards import CardSearchForm
from decks.models import CardSet
from decks.selectors.cards import cards_of, find_cards
from journal.models import LedgerEntry
from rules_engine.systems import list_systems
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import account

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogue")]

CARDS = "/api/v1/cards/"
HEADER = "name,type,subtype,countdown,strength,health,text\n"
OWN = HEADER + "Cold Tea,Plot,Butler,2,,,\nRude Awakening,Minion,Butler,1,2,3,\n"
FILE = {"set_name": "Real cards", "text": OWN}


@pytest.fixture
def root():
    """A site admin's program."""
    user = account("root").user
    user.is_staff = True
    user.save()
    return caller("root")


def names(rows):
    return [each["name"] for each in rows]


@pytest.mark.parametrize(
    "system", [each for each in list_systems() if each.card_schema.filters], ids=lambda each: each.slug
)
def test_cards_are_found_by_each_filter_of_their_page(system):
    told = good(caller().get(f"/api/v1/games/{system.slug}/"))["card_filters"]
    fields = CardSearchForm(None, system, []).fields
    assert {f"f_{each['key']}" for each in told} == {name for name in fields if name.startswith("f_")}
    everything = [card.name for card in find_cards(system.slug)]
    for each in told:
        for value in each["values"]:
            wanted = {"game": system.slug, f"f_{each['key']}": value, "limit": 500}
            found = names(good(caller().get(CARDS, wanted))["results"])
            page = caller().get(f"/cards/{system.slug}/", {f"f_{each['key']}": value})
            assert 0 < len(found) <= len(everything)
            assert page.context["found"] == len(found)
            assert [card.name for card in page.context["page"].object_list] == found[:50]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"f_subtype": "nothing"}, "invalid"),
        ({"type": "nothing"}, "invalid"),
        ({"f_rarity": "Rare"}, "unknown_parameter"),
        ({"f_nothing": ""}, "unknown_parameter"),
    ],
)
def test_a_filter_that_the_game_lacks_is_refused(asked, code):
    answer = caller().get(CARDS, {"game": "doom_pile", **asked})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_the_schema_names_the_filters():
    asked = good(caller().get("/api/v1/schema/"))["paths"]["/api/v1/cards/"]["get"]["parameters"]
    assert {"f_subtype", "f_rarity"} <= {each["name"] for each in asked}


def test_a_file_is_previewed_then_stored_as_shown(root):
    shown = good(root.post(f"{CARDS}doom_pile/import/preview/", FILE))
    assert (shown["added"], shown["card_sets"], shown["problems"]) == (
        ["Cold Tea", "Rude Awakening"],
        ["real-cards"],
        [],
    )
    assert "cold tea" not in cards_of("doom_pile")
    done = good(root.post(f"{CARDS}doom_pile/import/", FILE | {"seen": shown["fingerprint"]}))
    assert done == shown
    assert "cold tea" in cards_of("doom_pile")
    assert LedgerEntry.objects.filter(act="cards.imported", actor=account("root").key).count() == 1
    stronger = FILE | {"text": OWN.replace("1,2,3", "1,9,3")}
    again = good(root.post(f"{CARDS}doom_pile/import/preview/", stronger))
    assert again["changed"] == [
        {"name": "Rude Awakening", "differences": [{"column": "strength", "before": "2", "after": "9"}]}
    ]


def test_what_was_not_shown_is_not_stored(root):
    seen = good(root.post(f"{CARDS}doom_pile/import/preview/", FILE))["fingerprint"]
    other = FILE | {"text": OWN + "Warm Tea,Plot,Butler,2,,,\n", "seen": seen}
    answer = root.post(f"{CARDS}doom_pile/import/", other)
    assert (answer.status_code, answer.json()["code"]) == (409, "import_changed")
    assert root.post(f"{CARDS}doom_pile/import/", FILE).status_code == 400
    assert not CardSet.objects.filter(slug="real-cards").exists()


def test_rows_that_are_no_cards_are_told_and_nothing_is_stored(root):
    bad = FILE | {"text": HEADER + "Cold Tea,Plot,Butler,many,,,\n"}
    shown = good(root.post(f"{CARDS}doom_pile/import/preview/", bad))
    assert [(each["line"], each["column"]) for each in shown["problems"]] == [(2, "countdown")]
    assert shown["unit"] == "line"
    answer = root.post(f"{CARDS}doom_pile/import/", bad | {"seen": "0"})
    assert (answer.status_code, answer.json()["code"], answer.json()["details"]) == (
        422,
        "unread_lines",
        {"lines": [2]},
    )


@pytest.mark.parametrize(
    ("game", "file", "status", "code"),
    [
        ("house_game", FILE, 422, "no_cards"),
        ("chess", FILE, 404, "unknown_game"),
        ("doom_pile", FILE | {"set_name": "!"}, 422, "bad_set_name"),
        ("doom_pile", FILE | {"set_name": "Doomdesk sample"}, 422, "bad_set_name"),
    ],
)
def test_refusals_are_those_of_the_page(root, game, file, status, code):
    answer = root.post(f"{CARDS}{game}/import/preview/", file)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_samples_are_hidden_and_sets_removed(root):
    hidden = {"hidden": True}
    assert root.put(f"{CARDS}doom_pile/samples/", hidden).json()["code"] == "only_samples"
    shown = good(root.post(f"{CARDS}doom_pile/import/preview/", FILE))
    good(root.post(f"{CARDS}doom_pile/import/", FILE | {"seen": shown["fingerprint"]}))
    good(root.put(f"{CARDS}doom_pile/samples/", hidden), 204)
    assert set(cards_of("doom_pile")) == {"cold tea", "rude awakening"}
    good(root.put(f"{CARDS}doom_pile/samples/", {"hidden": False}), 204)
    assert "ash ledger" in cards_of("doom_pile")
    assert root.delete(f"{CARDS}doom_pile/sets/doomdesk-sample/").status_code == 404
    good(root.delete(f"{CARDS}doom_pile/sets/real-cards/"), 204)
    assert "cold tea" not in cards_of("doom_pile")


def test_only_site_admins_get_in():
    for method, path in (("post", "import/"), ("post", "import/preview/"), ("put", "samples/"), ("delete", "sets/a/")):
        assert getattr(caller("olive"), method)(f"{CARDS}doom_pile/{path}").status_code == 403
        assert getattr(caller(), method)(f"{CARDS}doom_pile/{path}").status_code == 401
