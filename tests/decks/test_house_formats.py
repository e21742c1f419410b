"""House formats: made in a form, dated, in versions that never change, judged like any other format."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import trans_real

from accounts.actors import ANONYMOUS, Actor
from accounts.models import User
from decks.models import CardList, CardSet, HouseFormat, HouseFormatVersion
from decks.selectors.cards import cards_of
from decks.selectors.house_formats import house_names
from decks.selectors.legality import card_lists_in_force, format_at, judge_decklist
from decks.selectors.rechecks import formats_touched
from decks.services.decks import list_references, read_decklist
from decks.services.house_formats import change_house_format, make_house_format
from journal.ledger.selectors import verify_stream
from rules_engine.errors import DomainError, NotAllowed, NotFound
from tests.decks.conftest import NOW
from tests.decks.owners import save_deck_version

pytestmark = pytest.mark.sqlite

TODAY = NOW.date()
SOON = TODAY + timedelta(days=30)
GAME = "doom_pile"


@pytest.fixture
def olive(db):
    return Actor(User.objects.create_user("olive"), None, "session")


def make(actor, valid_from=TODAY, base="standard", game=GAME, name="Pocket Doom", **changes):
    return make_house_format(actor, game, base, name, changes, valid_from, NOW)


def rules_of(slug, text, day=TODAY, pinned=None):
    decklist = read_decklist(text, GAME, "standard").decklist
    report = judge_decklist(decklist, GAME, slug, day, pinned=pinned).report
    return [violation.rule for violation in report.violations]


def test_a_house_format_changes_sizes_copies_and_cards(catalogue, olive, legal_text):
    house = make(olive, sizes={"main": ["20-40"]}, copies=2, limits={"Glass Widow": 0})
    assert house.slug.startswith("house-")
    assert len(house.slug) == 26
    game_format = format_at(GAME, house.slug, TODAY)
    assert (game_format.slug, game_format.name) == (house.slug, "Pocket Doom")
    assert set(rules_of(house.slug, legal_text)) == {"HOUSE-COPIES", "DP-BANNED"}
    assert set(rules_of(house.slug, "1 Ash Ledger\nWinter Without End")) == {"HOUSE-SIZE"}
    assert verify_stream(house.slug) == []


def test_an_unchanged_house_format_judges_as_its_base(catalogue, olive, legal_text):
    house = make(olive)
    assert rules_of(house.slug, legal_text) == []
    illegal = "4 Ash Ledger\n1 Borrowed Apocalypse"
    assert rules_of(house.slug, illegal) == rules_of("standard", illegal)


def test_b9_a_house_format_of_doomtrooper_adds_rules_that_the_game_offers(visitor, catalogue):
    address = "/formats/new/doomtrooper/tournament-1997/"
    page = visitor.get(address).content.decode()
    for name in ("Commons only", "No Brotherhood, no Dark Legion", "Value pyramid", "One tribe"):
        assert name in page
    assert "More rules" not in visitor.get(NEW).content.decode()
    given = {"name": "Pyramid", "valid_from": "2099-01-01", "rules": ["value-pyramid", "commons-only"]}
    sets = list(CardSet.objects.filter(game="doomtrooper").values_list("slug", flat=True))
    answer = visitor.post(address, {**given, "sets": sets, "keeps_lists": "on"})
    house = HouseFormat.objects.get()
    assert house.versions.get().changes["rules"] == ["commons-only", "value-pyramid"]
    page = visitor.get(answer["Location"]).content.decode()
    assert "Commons only." in page
    assert "Value pyramid." in page
    page = visitor.get(f"/formats/{house.slug}/edit/").content.decode()
    assert re.search(r'value="value-pyramid"[^>]* checked', page)
    assert not re.search(r'value="no-brotherhood-no-dark-legion"[^>]* checked', page)
    page = visitor.get(f"/rules/doomtrooper/{house.slug}/").content.decode()
    assert "Warrior: 30 divided by Value, rounded down, instead." in page
    assert "Rarity: only cards with C1, C2, C3." in page
    assert "DT97-PYRAMID" in page


@pytest.mark.parametrize(("keeps", "banned"), [(True, ["DP-BANNED"]), (False, [])])
def test_lists_of_the_base_stay_unless_let_go(catalogue, olive, legal_text, keeps, banned):
    house = make(olive, keeps_lists=keeps)
    text = legal_text.replace("3x Brass Hound", "3x Borrowed Apocalypse")
    assert rules_of(house.slug, text) == banned


def test_the_house_list_stands_beside_those_of_the_base(catalogue, olive):
    house = make(olive, limits={"Glass Widow": 0})
    names = [each.name for each in card_lists_in_force(GAME, house.slug, TODAY)]
    assert names == ["Doomdesk sample list", "Pocket Doom"]


def test_b12_only_chosen_sets_are_legal(catalogue, olive, legal_text):
    CardSet.objects.create(game=GAME, slug="own", name="Own cards", digest="", loaded_at=NOW)
    assert rules_of(make(olive, sets=["own"]).slug, legal_text) == ["HOUSE-SETS"]


def test_an_event_is_judged_by_the_version_of_its_day(catalogue, olive, legal_text):
    house = make(olive)
    change_house_format(olive, house, "Pocket Doom", {"copies": 2}, SOON, NOW)
    assert rules_of(house.slug, legal_text, SOON - timedelta(days=1)) == []
    assert rules_of(house.slug, legal_text, SOON) == ["HOUSE-COPIES"]
    assert rules_of(house.slug, legal_text, TODAY - timedelta(days=9)) == []


def test_a_later_version_overtakes_one_still_to_come(catalogue, olive, legal_text):
    house = make(olive)
    change_house_format(olive, house, "Pocket Doom", {"copies": 2}, SOON, NOW)
    change_house_format(olive, house, "Pocket Doom", {"copies": 3}, SOON, NOW)
    assert rules_of(house.slug, legal_text, SOON) == []
    assert list(HouseFormatVersion.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_pinned_rules_stay_whatever_version_comes(catalogue, olive, legal_text):
    house = make(olive, limits={"Glass Widow": 0})
    pinned = list_references(GAME, house.slug, SOON)
    change_house_format(olive, house, "Pocket Doom", {"copies": 1}, SOON, NOW)
    assert rules_of(house.slug, legal_text, SOON) == ["HOUSE-COPIES"]
    assert rules_of(house.slug, legal_text, SOON, pinned) == ["DP-BANNED"]
    assert list_references(GAME, house.slug, SOON, pinned) == pinned


def test_the_same_changes_make_no_version(catalogue, olive):
    house = make(olive, copies=2)
    assert change_house_format(olive, house, "New name", {"copies": 2}, TODAY, NOW).number == 1
    house.refresh_from_db()
    assert house.name == "New name"


def test_stored_decks_hold_changes_off_until_tomorrow(catalogue, olive, ada, legal_text):
    house = make(olive)
    change_house_format(olive, house, "Pocket Doom", {"copies": 2}, TODAY, NOW)
    save_deck_version("x", ada, GAME, house.slug, "Mine", legal_text, NOW)
    with pytest.raises(DomainError, match="too_early"):
        change_house_format(olive, house, "Pocket Doom", {}, TODAY, NOW)
    change_house_format(olive, house, "Pocket Doom", {}, TODAY + timedelta(days=1), NOW)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"sizes": {"main": ["many"]}}, "bad_house_format", "sizes.main"),
        ({"copies": 0}, "bad_house_format", "copies"),
        ({"sets": []}, "bad_house_format", "sets"),
        ({"limits": {"No Such Card": 0}}, "bad_house_format", "limits"),
        ({"name": "  "}, "bad_format_name", "name"),
        ({"valid_from": TODAY - timedelta(days=1)}, "too_early", "valid_from"),
    ],
)
def test_what_does_not_fit_is_refused_by_field(catalogue, olive, changes, code, field):
    with pytest.raises(DomainError) as caught:
        make(olive, **changes)
    assert (caught.value.code, caught.value.details["field"]) == (code, field)
    assert not HouseFormat.objects.exists()


def test_nothing_is_made_of_nothing(catalogue, olive):
    with pytest.raises(DomainError, match="bad_house_format"):
        make(olive, game="doomlings")
    with pytest.raises(NotFound, match="unknown_format"):
        make(olive, base=make(olive).slug)
    with pytest.raises(NotAllowed, match="sign_in"):
        make(ANONYMOUS)
    with pytest.raises(NotFound, match="unknown_format"):
        format_at(GAME, "house-00000000000000000000")
    with pytest.raises(NotFound, match="unknown_format"):
        format_at("doomtrooper", make(olive).slug)


def test_own_formats_stand_among_those_of_the_game(catalogue, olive):
    house = make(olive)
    assert house_names(olive.user) == {GAME: [(house.slug, "Pocket Doom")]}
    assert house_names(None) == {}


def test_judging_takes_a_constant_number_of_queries(catalogue, olive, legal_text, django_assert_max_num_queries):
    house = make(olive, limits={"Glass Widow": 0})
    for day in range(1, 6):
        change_house_format(olive, house, "Pocket Doom", {"copies": 3}, TODAY + timedelta(days=day), NOW)
    cards_of(GAME)
    decklist = read_decklist(legal_text, GAME, "standard").decklist
    with django_assert_max_num_queries(4):
        judge_decklist(decklist, GAME, house.slug, SOON)


def test_lists_touch_house_formats_that_keep_them(catalogue, olive):
    kept, _free = make(olive), make(olive, keeps_lists=False)
    row = CardList(game=GAME, format="standard", valid_from=SOON)
    assert formats_touched(row) == ("standard", kept.slug)


# The pages.


@pytest.fixture
def visitor(client, olive):
    client.force_login(olive.user)
    return client


def filled(**changes):
    values = {"name": "Pocket <b>Doom</b>", "valid_from": "2099-01-01", "size_main": "20, 25-30"}
    return {**values, "size_master_plan": "", "copies": "2", "text": "Glass Widow: 0", "keeps_lists": "on", **changes}


NEW = "/formats/new/doom_pile/standard/"


def test_an_organiser_makes_a_format_in_a_form(visitor, catalogue):
    page = visitor.get(NEW).content.decode()
    assert "as in the base format" in page
    answer = visitor.post(NEW, filled())
    house = HouseFormat.objects.get()
    assert answer["Location"] == f"/formats/{house.slug}/"
    assert house.versions.get().changes == {
        "sizes": {"main": ["20", "25–30"]},
        "copies": 2,
        "sets": None,
        "limits": {"glass widow": 0},
        "keeps_lists": True,
    }
    page = visitor.get(answer["Location"]).content.decode()
    assert "Pocket &lt;b&gt;Doom" in page
    assert house.name in [name for _slug, name in house_names(house.owner)[GAME]]
    assert "Pocket &lt;b&gt;Doom" in visitor.get("/formats/").content.decode()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": "Glas Widow: 0"}, "Glass Widow"),
        ({"size_main": "lots"}, "is not a size"),
        ({"copies": "0"}, "greater than or equal to 1"),
        ({"valid_from": "2001-01-01"}, "Choose today or a later day"),
        ({"name": ""}, "This field is required"),
    ],
)
def test_a_faulty_form_comes_back_with_what_was_typed(visitor, catalogue, changes, words):
    answer = visitor.post(NEW, filled(**changes))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert words in page
    assert "Nothing was saved" in page
    assert not HouseFormat.objects.exists()


def test_editing_makes_the_next_version(visitor, catalogue, olive):
    house = make(olive, copies=2, limits={"Glass Widow": None})
    page = visitor.get(f"/formats/{house.slug}/edit/").content.decode()
    assert "Glass Widow: any" in page
    visitor.post(f"/formats/{house.slug}/edit/", filled(name="Pocket Doom"))
    assert [each.number for each in house.versions.all()] == [1, 2]
    page = visitor.get(f"/formats/{house.slug}/").content.decode()
    assert page.index("Version 2") < page.index("Version 1,")
    assert "To come" in page


def test_the_rules_page_of_a_house_format_has_its_clauses(client, catalogue, olive):
    house = make(olive, sizes={"main": ["20"]}, copies=2, limits={"Glass Widow": 0})
    page = client.get(reverse("rules_format", args=[GAME, house.slug])).content.decode()
    for words in ('id="HOUSE-SIZE"', 'id="HOUSE-COPIES"', "exactly 20 cards", "Glass Widow", "Doomdesk sample list"):
        assert words in page
    assert client.get("/rules/doom_pile/house-0/").status_code == 404


@pytest.mark.parametrize("page", ["", "edit/"])
def test_only_the_maker_sees_the_workshop(client, catalogue, olive, page):
    house = make(olive)
    address = f"/formats/{house.slug}/{page}"
    assert client.get(address)["Location"].startswith("/accounts/login/")
    client.force_login(User.objects.create_user("mallory", is_staff=True))
    assert client.get(address).status_code == 403
    assert client.post(address, filled()).status_code in (403, 405)
    assert house.versions.count() == 1


def test_visitors_are_asked_to_sign_in(client, catalogue):
    for address in ("/formats/", NEW):
        assert client.get(address)["Location"].startswith("/accounts/login/")


def test_formats_without_decks_are_no_base(visitor, catalogue):
    assert visitor.get("/formats/new/doomlings/standard/").status_code == 404


@pytest.mark.parametrize(
    ("values", "template", "german", "told"),
    [
        ({"size_main": "9-1"}, "“%(text)s” ends before it begins.", "„%(text)s“ nicht.", "„9-1“ nicht."),
        ({"size_main": "1001"}, "A size is %(most)s cards at the most.", "Nur %(most)s.", "Nur 1000."),
    ],
)
def test_the_form_refuses_in_the_language_of_the_reader(
    catalogue, olive, client, monkeypatch, values, template, german, told
):
    client.force_login(olive.user)
    client.cookies["django_language"] = "de"
    with translation.override("de"):
        monkeypatch.setitem(trans_real.catalog()._catalog._catalogs[0], template, german)
    address = reverse("new_house_format", args=[GAME, "standard"])
    data = {"name": "Klein", "valid_from": "2030-01-01", **values}
    assert told in client.post(address, data).content.decode()
    assert not HouseFormat.objects.exists()


def test_dt10_tribe_is_told_on_the_page_of_the_format_and_judged(catalogue, olive, client):
    house = make(olive, base="tournament-1997", game="doomtrooper", name="Prague", rules=["one-tribe"], copies=4)
    page = client.get(f"/rules/doomtrooper/{house.slug}/").content.decode()
    assert "Affiliation: one for the whole deck, and General without Warrior." in page
    assert "at least 33 % of the cards, rounded up, are of that one." in page
    decklist = read_decklist("1 Bauhaus Blitzer\n1 Free Marine", "doomtrooper", "tournament-1997").decklist
    report = judge_decklist(decklist, "doomtrooper", house.slug, TODAY).report
    assert "DT10-TRIBE" in [violation.rule for violation in report.violations]
