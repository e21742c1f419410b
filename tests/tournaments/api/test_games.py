"""What a program learns before it creates an event: a game whole, scoring rules, cards and clauses of the rules."""

from datetime import timedelta

import pytest

from decks.models import MissedSearch
from decks.services.card_lists import ListDraft, announce_list, draft_list
from decks.services.catalogues import load_catalogues
from decks.services.house_formats import make_house_format
from journal.clock import database_now
from rules_engine.systems import list_systems
from scoring.sheets.tallies.registry import options_at_events
from scoring.standings.presets import PRESETS
from scoring.standings.tiebreakers import TIEBREAKERS
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import NOW, account

pytestmark = pytest.mark.django_db

API = "/api/v1/"


@pytest.fixture(scope="module", autouse=True)
def shipped(shared_db):
    """The cards that ship."""
    return load_catalogues(NOW)


def values(rows):
    return [each["value"] for each in rows]


@pytest.mark.parametrize("system", list_systems(), ids=lambda system: system.slug)
def test_game_is_told_whole(db, system):
    game = good(caller().get(f"{API}games/{system.slug}/"))
    assert [each["slug"] for each in game["formats"]] == [each.slug for each in system.formats]
    assert [each["slug"] for each in game["ways"]] == [each.slug for each in system.ways]
    assert values(game["win_kinds"]) == list(system.match.win_kinds)
    assert values(game["roles"]) == list(system.match.role_labels)
    options = {each.key: each for each in options_at_events(system.slug)}
    assert [each["key"] for each in game["sheet_options"]] == list(options)
    for each in game["sheet_options"]:
        assert options[each["key"]].takes(each["usual"])
        assert all(options[each["key"]].takes(value) for value in values(each["choices"]))
    assert sum(each["cards"] for each in game["card_sets"]) == len(system.shipped_cards)


@pytest.mark.parametrize("system", list_systems(), ids=lambda system: system.slug)
def test_an_event_is_created_from_what_is_told(db, system):
    """Every way, with each structure it offers, and the options of score sheets that it names."""
    olive = caller("olive")
    for way in good(olive.get(f"{API}games/{system.slug}/"))["ways"]:
        for structure in values(way["structures"]):
            body = {
                "name": "Cup",
                "starts_at": "2026-12-01T10:00:00Z",
                "game": system.slug,
                "game_format": way["format"],
                "way": way["slug"],
                "structure": structure,
            }
            event = good(olive.post(f"{API}events/", body), 201)
            assert (event["best_of"], event["sheet_options"]) == (way["best_of"], way["sheet_options"])


def test_scoring_rules_are_told_with_every_tiebreaker(db):
    rules = good(caller().get(f"{API}scoring-rules/", headers={"Accept-Language": "de"}))
    assert [each["key"] for each in rules["presets"]] == list(PRESETS)
    assert [each["key"] for each in rules["tiebreakers"]] == list(TIEBREAKERS)
    chess = next(each for each in rules["presets"] if each["key"] == "chess")
    assert (chess["policy"]["point_unit"], chess["name"]) == (2, "Schweizer System im Schach")


def test_card_is_told_as_on_its_page(db):
    card = good(caller().get(f"{API}cards/doom_pile/card/ash-ledger/"))
    assert (card["name"], card["sample"]) == ("Ash Ledger", True)
    (limits,) = card["formats"]
    assert limits["format"] == "standard"
    assert {"copies": 3, "rule": limits["limits"][0]["rule"]}.items() <= limits["limits"][0].items()
    assert card["coming"] == []


def test_announced_list_is_told_of_the_card_and_of_the_format(db):
    root, now = account("root"), database_now()
    day = (now + timedelta(days=9)).date()
    draft = draft_list(root, ListDraft("doom_pile", "standard", "Bans", day, {"": {"ash ledger": 0}}, ""), now)
    announce_list(root, draft, now, draft.digest)
    (coming,) = good(caller().get(f"{API}cards/doom_pile/card/ash-ledger/"))["coming"]
    assert (coming["valid_from"], coming["limits"][0]["copies"]) == (day.isoformat(), 0)
    standard = good(caller().get(f"{API}rules/doom_pile/formats/standard/"))
    (told,) = [each for each in standard["coming"] if each["name"] == "Bans"]
    assert told["cards"] == [{"name": "Ash Ledger", "listed": True, "copies": 0, "variants": []}]
    assert told["changes"][0]["before"]["listed"] is False


def test_names_are_suggested_mistyped_ones_too(db):
    path = f"{API}cards/doom_pile/names/"
    assert good(caller().get(path, {"q": "ash l"}))[0]["name"] == "Ash Ledger"
    assert "Ash Ledger" in [each["name"] for each in good(caller().get(path, {"q": "Ahs Ledger"}))]
    assert good(caller().get(path), 400)["code"] == "invalid"


def test_rules_are_told_by_section_and_searched_as_on_the_page(db):
    rules = good(caller().get(f"{API}rules/doomtrooper/"))
    clauses = [each for section in rules["sections"] for each in section["clauses"]]
    assert all(each["id"] and each["text"] for each in clauses)
    assert all(each["asks"] for each in rules["formats"] if each["checks_decks"])
    wanted = clauses[3]["id"]
    found = good(caller().get(f"{API}rules/doomtrooper/search/", {"q": wanted}))
    assert (found[0]["id"], found[0]["score"]) == (wanted, 200)
    assert {key: found[0][key] for key in ("text", "place")} == {key: clauses[3][key] for key in ("text", "place")}


def test_search_that_finds_nothing_is_counted_like_the_pages(db):
    assert good(caller().get(f"{API}rules/doom_pile/search/", {"q": "quagga"})) == []
    assert MissedSearch.objects.get().words == "quagga"


def test_house_format_is_told_with_its_own_clauses(db):
    olive, now = account("olive"), database_now()
    house = make_house_format(olive, "doom_pile", "standard", "Singletons", {"copies": 1}, now.date(), now)
    told = good(caller().get(f"{API}rules/doom_pile/formats/{house.slug}/"))
    assert told["name"] == "Singletons"
    assert any("1" in each["text"] for each in told["asks"])
    assert told["clauses"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("games/chess/", "unknown_game"),
        ("rules/chess/", "unknown_game"),
        ("rules/doom_pile/formats/blitz/", "unknown_format"),
        ("rules/doom_pile/formats/house-none/", "unknown_format"),
        ("cards/doom_pile/card/no-such/", "unknown_card"),
    ],
)
def test_what_is_not_there_is_not_found(db, path, code):
    assert good(caller().get(API + path), 404)["code"] == code
