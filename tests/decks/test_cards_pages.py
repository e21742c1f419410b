"""The public pages of cards: search, filters from data, one card with its limits, names, CSV, API."""

import csv
import io
import re
from html import unescape

import pytest

from decks.models import CardSet, HouseFormat
from decks.selectors.cards import CardQuery, cards_of, filter_values, find_cards
from decks.services.card_imports import import_cards
from decks.services.catalogues import load_catalogues
from decks.services.house_formats import make_house_format
from rules_engine.cards import normalise_name
from rules_engine.systems import extra_games, get_system, list_systems
from tests.decks.conftest import NOW
from tests.decks.owners import browser_of, signed_in
from tests.rules_engine.test_loading import GAMES

HEADER = "name,type,subtype,countdown,strength,health,text\n"


def get(client, address):
    response = client.get(address)
    return response.status_code, response.content.decode()


def names_on(page):
    return re.findall(r'<th scope="row"\s+class="title wrap">\s*<a\s+href="[^"]+">\s*([^<]+?)\s*</a>', page)


def own(text, name="Own cards"):
    return import_cards("user:1", "doom_pile", name, text, NOW)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 1073),
        ("?type=Warrior", 254),
        ("?set=inq", 175),
        ("?f_affiliation=Mishima", 60),
        ("?f_affiliation=Mishima&f_rarity=C1&type=Warrior", 5),
        ("?q=LEGIONNAIRE", 6),
        ("?q=legionnaire&set=unl&f_personality=no", 4),
        ("?f_affiliation=nobody", 1073),
        ("?set=nowhere", 1073),
    ],
)
def test_filters_narrow_the_list_and_unknown_values_do_not(client, catalogue, query, count):
    status, page = get(client, f"/cards/doomtrooper/{query}")
    assert status == 200
    assert (f"{count} cards of 1073" if count < 1073 else "1073 cards") in page


def test_filters_come_from_the_data_of_each_game(catalogue):
    assert {game.slug: [each.key for each in game.card_schema.filters] for game in list_systems()} == {
        "doom_pile": ["subtype"],
        "doomtrooper": ["affiliation", "rarity", "personality", "deck_limit"],
        "doomlings": ["printing", "colors", "dominant", "action", "worlds_end"],
        "dead_or_destroyed": ["suit", "rank"],
        "house_game": [],
    }
    assert filter_values("doomlings")["colors"] == ["blue", "green", "purple", "red"]
    assert filter_values("dead_or_destroyed")["rank"][:2] == ["Ace", "2"]
    assert "Mishima / Capitol" not in filter_values("doomtrooper")["affiliation"]


def test_card_of_several_colours_is_found_by_each(catalogue):
    found = [
        {card.name for card in find_cards("doomlings", CardQuery(facts={"colors": color}))} for color in ("blue", "red")
    ]
    both = {card.name for card in cards_of("doomlings").values() if card.fields.get("colors") == "blue, red"}
    assert both
    assert both <= found[0] & found[1]


def test_fifth_game_gets_its_filters_and_pages(client, db):
    with extra_games(GAMES):
        load_catalogues(NOW)
        status, page = get(client, "/cards/toy_skirmish/?f_limit=any")
        assert status == 200
        assert names_on(page) == ["Endless Page"]
        assert "TS-" in get(client, "/cards/toy_skirmish/card/endless-page/")[1]


def test_pages_keep_the_filters_and_hold_every_card_once(client, catalogue):
    found = []
    for number in range(1, 7):
        _status, page = get(client, f"/cards/doomtrooper/?type=Warrior&page={number}")
        found += names_on(page)
    assert 'href="?type=Warrior&amp;page=5"' in page
    assert len(found) == len(set(found)) == 254
    assert found == sorted(found, key=lambda name: normalise_name(unescape(name)))


def test_lists_take_the_same_few_queries_however_many_cards(client, catalogue, django_assert_num_queries):
    for game in ("doomtrooper", "dead_or_destroyed"):
        cards_of(game)
        for query in ("", "?q=a&page=2", "?type=Warrior&f_suit=Clubs"):
            with django_assert_num_queries(4):
                get(client, f"/cards/{game}/{query}")


def test_list_of_none_and_of_one_card(client, catalogue):
    own(HEADER + "Cold Tea,Plot,Butler,2,,,\n")
    assert "1 card of 66" in get(client, "/cards/doom_pile/?q=cold tea")[1]
    CardSet.objects.filter(game="doom_pile").delete()
    page = get(client, "/cards/doom_pile/")[1]
    assert "No cards of this game yet" in page
    assert "import/" not in page


@pytest.mark.parametrize(
    ("game", "key", "lines"),
    [
        ("doomtrooper", "undead-legionnaire", ["any number", "DT-CARDRULE", "DT97-OWNTEXT"]),
        ("doomtrooper", "UNDEAD LEGIONNAIRE", ["any number"]),
        ("doomtrooper", "corporate-shenanigans", ["none", "DT97-BANNED", "1997 tournament list, 1997-04-28"]),
        ("doom_pile", "borrowed-apocalypse", ["none", "DP-BANNED", "Doomdesk sample list, 2026-01-01"]),
        ("doom_pile", "ash-ledger", ["DP-COPIES", "Main deck"]),
        ("doom_pile", "winter-without-end", ["DP-PLAN", "Master Plan"]),
        ("dead_or_destroyed", "ace-of-clubs", ["DD-DECK"]),
    ],
)
def test_card_page_tells_limits_with_their_clauses(client, catalogue, game, key, lines):
    status, page = get(client, f"/cards/{game}/card/{key}/")
    assert status == 200
    for line in lines:
        assert line in page
    for address, clause in re.findall(r'href="(/rules/[^"#]+)#([^"]+)"', page):
        assert f'id="{clause}"' in get(client, address)[1]


@pytest.mark.parametrize(
    ("game", "key", "clauses"),
    [("doomlings", "heroic", ["DL-DOMINANT"]), ("doomlings", "birth-of-a-hero", ["DL-DOMINANT", "DL-AGE"]),
     ("doomtrooper", "transfer", ["DT-POSTPLAY"]), ("doom_pile", "ash-ledger", ["DP-RESOLVE-PLOT"])],
)  # fmt: skip
def test_b13_card_page_says_the_rules_about_the_card_and_its_kind(client, catalogue, game, key, clauses):
    section = get(client, f"/cards/{game}/card/{key}/")[1].partition('id="rules"')[2].partition("</section>")[0]
    assert set(re.findall(r"<a [^>]*>([\w-]+)</a>", section)) == set(clauses)


def test_card_page_parts_variants_that_differ(client, catalogue):
    page = get(client, "/cards/doomtrooper/card/bogged-down/")[1]
    told = re.findall(r"Tournament rules of 1997\s*<small>([^<]+)</small>", page)
    assert [" ".join(each.split()) for each in told] == ["Head to head", "Multi-player, Two teams"]
    assert (page.count("#DT97-BANNED"), page.count(">none<")) == (1, 1)


def test_card_that_a_set_shuts_out_is_allowed_nowhere(client, catalogue):
    card = next(card for card in cards_of("doomlings").values() if card.set_slug == "overlush" and card.type == "Trait")
    page = get(client, f"/cards/doomlings/card/{normalise_name(card.name).replace(' ', '-')}/")[1]
    assert "DL-BOX" in page
    assert ">none<" in page


@pytest.mark.parametrize("game", ["doom_pile", "doomtrooper", "doomlings", "dead_or_destroyed"])
def test_every_card_has_a_page(client, catalogue, game):
    page = get(client, f"/cards/{game}/?page=2")[1]
    for address in re.findall(rf'href="(/cards/{game}/card/[^"]+)"', page):
        assert get(client, address)[0] == 200


@pytest.mark.parametrize("name", ["???", "a/b", "«»", "100% Doom & Co. <b>", "Ünïcødé", "名前"])
def test_card_of_any_name_has_a_page(client, catalogue, name):
    own(HEADER + f'"{name}",Plot,Butler,2,,,\n')
    page = get(client, "/cards/doom_pile/?set=own-cards")[1]
    (address,) = re.findall(r'href="(/cards/doom_pile/card/[^"]+)"', page)
    assert get(client, address)[0] == 200
    assert "<b>" not in page.partition("<main")[2]


@pytest.mark.parametrize(
    "address",
    [
        "/cards/chess/card/x/",
        "/cards/house_game/card/x/",
        "/cards/doom_pile/card/nobody/",
        "/cards/chess/names/",
        "/cards/chess/cards.csv",
    ],
)
def test_unknown_things_are_not_found(client, catalogue, address):
    assert get(client, address)[0] == 404


def test_names_for_type_ahead(client, catalogue):
    response = client.get("/cards/doomtrooper/names/?q=undead legionaire")
    assert response.json() == {"cards": [{"name": "UNDEAD LEGIONNAIRE", "type": "Warrior", "set": "unl"}]}
    assert len(client.get("/cards/doomtrooper/names/?q=a").json()["cards"]) == 12
    assert client.get("/cards/doomtrooper/names/").json() == {"cards": []}


def test_csv_holds_every_card_and_no_formula(client, catalogue):
    response = client.get("/cards/doomtrooper/cards.csv")
    assert response["Content-Disposition"] == 'attachment; filename="doomtrooper-cards.csv"'
    rows = list(csv.reader(io.StringIO(response.content.decode())))
    assert len(rows) == 1074
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_api_lists_cards_in_pages(client, catalogue, django_assert_max_num_queries):
    cards_of("doomtrooper")
    with django_assert_max_num_queries(3):
        body = client.get("/api/v1/cards/?game=doomtrooper&type=Warrior&limit=2").json()
    assert (body["count"], len(body["results"])) == (254, 2)
    (card,) = client.get("/api/v1/cards/?game=doomtrooper&q=Undead legionnaire&set=unl").json()["results"]
    assert card["facts"]["deck_limit"] == "any"
    assert {key: card[key] for key in ("name", "type", "set")} == {
        "name": "UNDEAD LEGIONNAIRE",
        "type": "Warrior",
        "set": "unl",
    }


@pytest.mark.parametrize(("query", "status"), [("", 400), ("?game=chess", 400), ("?game=house_game", 200)])
def test_api_says_what_it_needs(client, catalogue, query, status):
    assert client.get(f"/api/v1/cards/{query}").status_code == status


def test_a_card_leads_its_reader_to_the_own_house_formats_alone(client, catalogue):
    page = "/cards/doom_pile/card/ash-ledger/"
    for name in ("olive", "ben"):
        make_house_format(signed_in(name), "doom_pile", "standard", f"{name}'s <night>", {}, NOW.date(), NOW)
    assert "House formats may differ" in client.get(page).content.decode()
    assert "night" not in client.get(page).content.decode()
    shown = browser_of("olive").get(page).content.decode()
    slug = HouseFormat.objects.get(owner__username="olive").slug
    assert f'href="/rules/doom_pile/{slug}/"' in shown
    assert "olive&#x27;s &lt;night&gt;" in shown
    assert "ben&#x27;s" not in shown


def test_values_for_the_machine_stand_in_files_only(client, catalogue):
    schema = get_system("doomlings").card_schema
    hidden = {each.key for each in schema.fields} - {each.key for each in schema.shown}
    assert hidden == {"gene_pool_target", "bonus_kind", "bonus_params", "worlds_end_kind", "worlds_end_params"}
    card = next(each for each in find_cards("doomlings") if each.fields.get("bonus_params"))
    _status, page = get(client, f"/cards/doomlings/card/{normalise_name(card.name).replace(' ', '-')}/")
    assert card.name in unescape(page)
    assert card.fields["bonus_params"] not in unescape(page)
    assert "Bonus numbers" not in page
    rows = csv.DictReader(io.StringIO(client.get("/cards/doomlings/cards.csv").content.decode()))
    assert any(row["bonus_params"] == card.fields["bonus_params"] for row in rows)


def test_a_card_page_says_what_the_card_scores_and_what_was_corrected(client, catalogue):
    assert "−4" not in get(client, "/cards/doomlings/card/apex-predator/")[1]
    assert (
        "+4 if you have more traits than each other player." in get(client, "/cards/doomlings/card/apex-predator/")[1]
    )
    client.cookies["django_language"] = "de"
    assert "−1 je Merkmal in Rot in Ihrem Stapel." in get(client, "/cards/doomlings/card/ice-age/")[1]
    client.cookies["django_language"] = "en"
    status, page = get(client, "/cards/doomtrooper/card/close-air-support/")
    assert status == 200
    assert "+5 to Fight is the official one." in page
    assert "Correction" not in get(client, "/cards/doomtrooper/card/luna/")[1]


def test_an_imported_card_of_a_kind_without_a_sentence_has_its_page(client, catalogue):
    kinds = {
        "Mystery": "per_moon,{}",
        "Odd": "per_color,{",
        "Listed": "per_color,[1]",
        "Wordy": 'per_trait,"{""amount"":""x""}"',
    }
    rows = "".join(f"{name},Trait,2,{kind}\n" for name, kind in kinds.items())
    import_cards("user:1", "doomlings", "Own cards", f"name,type,face_value,bonus_kind,bonus_params\n{rows}", NOW)
    for name in kinds:
        status, page = get(client, f"/cards/doomlings/card/{name.lower()}/")
        assert (status, "What it scores" in page) == (200, False), name


PRINTED_TWICE = (
    "Automimicry", "Boredom", "Brave", "Camouflage", "Fortunate", "Saudade", "Tiny", "Serrated Teeth", "Mecha",
    "Electromagnetic", "Rainbow Horn", "Bone Reinforcement", "AI Takeover", "Deus Ex Machina", "Overpopulation",
    "The Big One",
)  # fmt: skip


@pytest.mark.parametrize("name", PRINTED_TWICE)
def test_a_card_leads_to_its_other_printings_and_they_to_it(client, catalogue, name):
    others = printings(client, name)
    assert others
    for each in others:
        assert name in printings(client, each)


def printings(client, name):
    """The other printings that the page of a card leads to; the API names the same."""
    key = normalise_name(name).replace(" ", "-")
    page = get(client, f"/cards/doomlings/card/{key}/")[1]
    found = re.search(r"<dt>Other printings</dt>\s*<dd>(.*?)</dd>", page, re.DOTALL)
    names = re.findall(r"<a[^>]*>\s*(.*?)\s*</a>", found[1]) if found else []
    assert client.get(f"/api/v1/cards/doomlings/card/{key}/").json()["printings"] == names
    return names


def test_a_card_of_one_printing_leads_to_none(client, catalogue):
    assert printings(client, "Adorable") == []


def test_a_german_page_says_colors_in_german(client, catalogue):
    page = client.get("/cards/doomlings/card/brave/", headers={"accept-language": "de"}).content.decode()
    assert "<dd>Rot</dd>" in page


@pytest.mark.parametrize(
    ("game", "key", "clause"),
    [
        ("doomlings", "birth-of-a-hero", "DL-DOMINANT"),
        ("doomtrooper", "noted-collector", "DT-RELIC"),
        ("doomtrooper", "grand-tactician", "DT-WARZONE"),
        ("doomtrooper", "mortificator", "DT-ATTACK-WHOM"),
        ("doomtrooper", "mitch-hunter", "DT-CONSIDERED"),
        ("doomtrooper", "infantry", "DT-CONSIDERED"),
        ("doomtrooper", "renegade-apostate", "DT-TRANSFER-WITH"),
        ("doomtrooper", "tainted", "DT-TRANSFER-WITH"),
        ("doomtrooper", "dark-visitation", "DT-TRANSFER-WITH"),
        ("doomtrooper", "venusian-marshal", "DT-OUTPOST"),
        ("doomtrooper", "greater-telepathy", "DT-OUTPOST-ATTACK"),
        ("doomtrooper", "bauhaus-great-infurior", "DT-OUTPOST-CARDS"),
        ("doomtrooper", "foxhole", "DT-OUTPOST-BUILD"),
        ("doomtrooper", "installation", "DT-OUTPOST-BUILD"),
        ("doomtrooper", "club-arkadin", "DT-OUTPOST-BUILD"),
        ("doomtrooper", "ki-teleportation", "DT-OUTPOST-BUILD"),
        ("doomtrooper", "double-duty", "DT97-TIME"),
    ],
)
def test_a_card_that_a_rule_names_has_the_rule_on_its_page(client, catalogue, game, key, clause):
    assert f"#{clause}" in get(client, f"/cards/{game}/card/{key}/")[1]


def test_a_warrior_whose_first_printing_says_less_has_its_correction(client, catalogue):
    page = get(client, "/cards/doomtrooper/card/undead-legionnaire/")[1]
    assert "The first printing does not say that a deck may hold any number." in page
