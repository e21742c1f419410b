"""Cards that the list of Doomlings does not have: imported into the site, or described on a player's page."""

import json
import re

import pytest
from django.test import Client

from decks.services.card_imports import import_cards
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from scoring.models import ScoreSheet
from tests.scoring.web.test_doomlings_pages import begun, content, filed, phone, root, write
from tests.tournaments.factories import afresh

pytestmark = pytest.mark.django_db

HEADER = "name,type,face_value,colors,dominant,bonus_kind,bonus_params,drop_of_life\n"
CARDS = (
    HEADER + 'Slumbering,Trait,3,"blue, red",yes,,,\nNight Shade Vine,Trait,1,green,,per_moon,"{""amount"":1}",yes\n'
)
MOON = {"own_name": "Tiny Moon", "own_face": "-2", "own_colors": ["red", "green"], "own_points": "4"}
AS_STORED = {"name": "Tiny Moon", "face": -2, "colors": ["green", "red"], "points": 4}


@pytest.fixture(scope="module")
def stored_sheet(shared_db) -> ScoreSheet:
    return begun("Ada", "Ben")


@pytest.fixture
def sheet(stored_sheet, db) -> ScoreSheet:
    return afresh(stored_sheet)


def imported(game: str, text: str) -> None:
    load_catalogues(database_now())
    report = import_cards("user:1", game, "New cards", text, database_now())
    assert not report.problems, report.problems


def post(client: Client, sheet: ScoreSheet, place: int, **fields: object):
    answer = client.post(f"{root(sheet)}parts/{place}/", {"act": "own", "version": 0, **fields})
    assert answer.status_code == 200
    return answer


def test_described_card_is_added_saved_and_counted_alike_everywhere(sheet: ScoreSheet) -> None:
    ada = phone(sheet, "all")
    form = post(ada, sheet, 1, traits="2 Antlers", **MOON).context["form"]
    assert (form.data["traits"], json.loads(form.data["own_cards"])) == ("2 Antlers\nTiny Moon", [AS_STORED])
    assert not form.describes
    assert form.total == 3 + 3 - 2 + 4
    own = form.data["own_cards"]
    write(ada, sheet, 1, traits="Antlers\n2 tiny moon", own_cards=own)
    assert content(sheet, 1) == {"traits": ["Antlers", "Tiny Moon", "Tiny Moon"], "own_cards": [AS_STORED]}
    write(ada, sheet, 2, sum_face_value="3")
    html = filed(ada, sheet)
    revision = sheet.revisions.get()
    assert not revision.outcome.error
    assert "Tiny Moon" in html
    told = Client().post("/api/v1/tally/doomlings/", revision.content, content_type="application/json").json()
    assert told == revision.outcome.tally
    assert [each["score"] for each in told["players"]] == [3 + 2 * 2, 3]


def test_described_card_that_is_only_saved_comes_along(sheet: ScoreSheet) -> None:
    write(phone(sheet, 1), sheet, 1, traits="Antlers", **MOON)
    assert content(sheet, 1) == {"traits": ["Antlers", "Tiny Moon"], "own_cards": [AS_STORED]}
    page = phone(sheet, 1).get(f"{root(sheet)}parts/1/").context["form"]
    write(phone(sheet, 1), sheet, 1, traits="Antlers", own_cards=page["own_cards"].value())
    assert content(sheet, 1) == {"traits": ["Antlers"]}, "a card that no line names goes"


def test_described_again_a_card_is_corrected(sheet: ScoreSheet) -> None:
    ada = phone(sheet, 1)
    own = post(ada, sheet, 1, traits="", **MOON).context["form"].data["own_cards"]
    form = post(ada, sheet, 1, traits="Tiny Moon", own_cards=own, **{**MOON, "own_face": "5"}).context["form"]
    assert (form.data["traits"], json.loads(form.data["own_cards"])) == ("Tiny Moon", [{**AS_STORED, "face": 5}])


def test_a_card_of_the_table_described_again_in_another_spelling_is_one_card(sheet: ScoreSheet) -> None:
    ada, asked = phone(sheet, "all"), "ask-discard_pile"
    write(ada, sheet, 1, traits="Cranial Crest")
    write(ada, sheet, 0, **{asked: ""}, **MOON)
    own = json.dumps(content(sheet, 0)["own_cards"])
    write(ada, sheet, 0, **{asked: "Tiny Moon"}, own_cards=own, **{**MOON, "own_name": "tiny moon", "own_face": "5"})
    assert content(sheet, 0)["own_cards"] == [{**AS_STORED, "name": "tiny moon", "face": 5}]
    write(ada, sheet, 2, sum_face_value="3")
    assert "described twice" not in filed(ada, sheet)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ({**MOON, "own_name": "antlers"}, "“Antlers” is in the list: use its name."),
        ({**MOON, "own_name": " "}, "A card needs a name."),
        ({**MOON, "own_name": "A; b"}, "“A; b”: no commas or semicolons in names."),
        ({**MOON, "own_face": "many"}, "Enter a whole number."),
        ({**MOON, "own_points": "1000"}, "Ensure this value is less than or equal to 999."),
        ({**MOON, "own_colors": ["pink"]}, "Select a valid choice. pink is not one of the available choices."),
    ],
)
@pytest.mark.parametrize("act", ["own", "save"])
def test_card_that_cannot_be_read_is_refused_and_nothing_is_lost(sheet, act: str, typed: dict, fault: str) -> None:
    answer = post(phone(sheet, 1), sheet, 1, traits="Antlers", **{**typed, "act": act})
    faults = [each for name, errors in answer.context["form"].errors.items() for each in errors]
    assert faults == [fault]
    assert '<details class="fold" open>' in answer.content.decode()
    assert content(sheet, 1) == {}


@pytest.mark.parametrize(
    "forged", [pytest.param("[" * 19_000, id="deep"), "{}", "[1, null]", '[{"name": "Antlers", "face": 900}]', "x"]
)
def test_forged_list_of_described_cards_is_worth_nothing(sheet: ScoreSheet, forged: str) -> None:
    write(phone(sheet, 1), sheet, 1, traits="Antlers", own_cards=forged)
    assert content(sheet, 1) == {"traits": ["Antlers"]}


def test_enter_in_another_field_saves(sheet: ScoreSheet) -> None:
    assert write(phone(sheet, 1), sheet, 1, traits="Antlers", act="own").status_code == 302
    assert content(sheet, 1) == {"traits": ["Antlers"]}


def test_imported_traits_are_offered_and_count_without_a_description(sheet: ScoreSheet) -> None:
    ada = phone(sheet, "all")
    refused = write(ada, sheet, 1, traits="slumbering")
    assert "No card has this name: “slumbering”." in refused.content.decode()
    imported("doomlings", CARDS)
    page = ada.get(f"{root(sheet)}parts/1/")
    address = page.context["form"].fields["traits"].widget.attrs["data-cards"]
    cards = ada.get(address).json()["cards"]
    assert ["Slumbering", ["blue", "red"], 3, 1] in cards
    assert not [row for row in cards if row[0] == "Night Shade Vine"], "its bonus has to be written down"
    write(ada, sheet, 1, traits="slumbering")
    stored = {"name": "Slumbering", "face": 3, "colors": ["blue", "red"], "dominant": True}
    assert content(sheet, 1) == {"traits": ["Slumbering"], "own_cards": [stored]}
    write(ada, sheet, 2, traits="Antlers")
    assert "Slumbering" in filed(ada, sheet)
    assert [each["score"] for each in sheet.revisions.get().outcome.tally["players"]] == [3, 3]


KINDS = "name,type,face_value,colors,bonus_kind,bonus_params,worlds_end_kind,worlds_end_params,drop_of_life\n"
ROWS = (
    KINDS + 'Moss,Trait,1,red,per_color,"{""color"":""purple"",""amount"":2}",,,yes\n'
    'Dust,Trait,1,red,per_color,"{""color"":""mauve"",""amount"":2}",,,yes\n'
    'Long Night,Catastrophe,,,,,per_color,"{""color"":""red"",""amount"":-2}",\n'
    "Odd Night,Catastrophe,,,,,by_the_moon,,\n"
)


def test_b5_a_data_row_is_enough_for_a_trait_and_a_catastrophe_of_a_known_kind(sheet: ScoreSheet) -> None:
    imported("doomlings", ROWS)
    ada = phone(sheet, "all")
    write(ada, sheet, 1, traits="Moss\nAdorable")
    assert "No card has this name: “Dust”." in write(ada, sheet, 2, traits="Dust").content.decode()
    write(ada, sheet, 2, traits="Kidney")
    assert '<option value="Long Night">' in ada.get(f"{root(sheet)}parts/0/").content.decode()
    write(ada, sheet, 0, **{"ask-catastrophe": "Long Night", "shown": "ask-catastrophe"})
    filed(ada, sheet)
    revision = sheet.revisions.get()
    assert not revision.outcome.error
    assert [each["score"] for each in revision.outcome.tally["players"]] == [1 + 4 + 2 - 2, 1 - 2]
    # The control: without its description the sheet is one of a name that nobody knows.
    bare = {key: value for key, value in revision.content.items() if key != "own_catastrophe"}
    refused = Client().post("/api/v1/tally/doomlings/", bare, content_type="application/json")
    assert "no card “Long Night”" in refused.content.decode()


@pytest.mark.parametrize(("typed", "name"), [("Odd Night", "Odd Night"), ("  the  Last Day ", "the Last Day")])
def test_b5_another_catastrophe_is_entered_with_the_points_of_each_player(sheet: ScoreSheet, typed, name) -> None:
    imported("doomlings", ROWS)
    ada = phone(sheet, "all")
    write(ada, sheet, 1, traits="Adorable")
    write(ada, sheet, 2, traits="Kidney")
    write(ada, sheet, 0, other_catastrophe=typed, shown="ask-catastrophe")
    assert content(sheet, 0) == {"catastrophe": name, "own_catastrophe": {"name": name}}
    part = ada.get(f"{root(sheet)}parts/1/").content.decode()
    assert f"{name[0].upper()}{name[1:]}: your points by its gold text" in part
    for place, traits, points in ((1, "Adorable", -3), (2, "Kidney", 2)):
        asked = {"ask-catastrophe_points": points, "shown": "ask-catastrophe_points"}
        write(ada, sheet, place, traits=traits, **asked)
    assert [each["score"] for each in _told(ada, sheet)] == [4 - 3, 1 + 2]
    kept = ada.get(f"{root(sheet)}parts/0/").context["form"]
    assert kept["ask-catastrophe"].value() == name
    write(ada, sheet, 0, other_catastrophe="ice age", shown="ask-catastrophe")
    assert content(sheet, 0) == {"catastrophe": "Ice Age"}, "one of the list is taken as such"


def _told(ada: Client, sheet: ScoreSheet) -> list[dict]:
    filed(ada, sheet)
    assert not sheet.revisions.get().outcome.error
    return sheet.revisions.get().outcome.tally["players"]


@pytest.mark.parametrize(
    ("names", "kind"), [(["Ice Age", "A Night of Ours", "long night"], "catastrophe"), (["long night"], "last")]
)
def test_b5_an_imported_catastrophe_is_flipped_on_the_board_and_goes_on_the_sheet(
    sheet: ScoreSheet, names: list[str], kind: str
) -> None:
    imported("doomlings", ROWS)
    ada = phone(sheet, "all")

    def move(act: str, number: int, **fields: str) -> None:
        ada.post(f"{root(sheet)}play/move/", {"act": act, "seen": f"1-{number}-0", **fields})

    move("start", 0, player="Ada")
    for number, name in enumerate(names, 1):
        move("flip", number, name=name, kind=kind)
    ada.post(f"{root(sheet)}play/fill/")
    gold = {"kind": "per_color", "numbers": {"color": "red", "amount": -2}}
    assert content(sheet, 0)["catastrophe"] == "Long Night"
    assert content(sheet, 0)["own_catastrophe"] == {"name": "Long Night", "gold": gold}


def test_the_pile_of_the_board_takes_the_place_of_sums(sheet: ScoreSheet) -> None:
    ada = phone(sheet, "all")
    for number, fields in enumerate(
        ({"act": "start", "player": "Ada"}, {"act": "play", "player": "Ada", "name": "Adorable"})
    ):
        ada.post(f"{root(sheet)}play/move/", {"seen": f"1-{number}-0", **fields})
    write(ada, sheet, 1, sum_face="3", sum_bonus="2", sum_end="0")
    assert "sums" in content(sheet, 1)
    ada.post(f"{root(sheet)}play/fill/", {"replaces": 1})
    assert content(sheet, 1)["traits"] == ["Adorable"]
    assert "sums" not in content(sheet, 1)


def test_what_somebody_typed_gives_way_to_the_board_only_by_a_press_that_names_whose_it_is(sheet: ScoreSheet) -> None:
    ada = phone(sheet, "all")
    flip = {"act": "flip", "name": "", "kind": "catastrophe"}
    acts = ({"act": "start", "player": "Ada"}, flip, flip, flip)
    for number, fields in enumerate(acts):
        ada.post(f"{root(sheet)}play/move/", {"seen": f"1-{number}-0", **fields})
    before = ada.get(f"{root(sheet)}play/board/").content.decode()
    assert "Write it on the sheet" in before
    assert "This replaces" not in before
    write(ada, sheet, 2, traits="Kidney")
    told = ada.post(f"{root(sheet)}play/fill/", {"replaces": 1}, follow=True).content.decode()
    assert "The sheet has changed." in told
    assert re.search(r"This replaces what was written on the sheet, for:\s*Ben<", told)
    assert content(sheet, 2)["traits"] == ["Kidney"]
    sent = re.findall(r'name="replaces" value="(\d)"', told)
    assert ada.post(f"{root(sheet)}play/fill/", {"replaces": sent}).headers["Location"] == root(sheet)
    assert content(sheet, 2)["traits"] == []


def test_countdown_helper_knows_imported_plots(client: Client) -> None:
    page = "/scores/doom_pile/countdown/"
    asked = client.get(page, {"do": "play", "name": "cold tea"})
    assert "Type the starting countdown." in asked.content.decode()
    imported("doom_pile", "name,type,subtype,countdown,strength,health,text\nCold Tea,Plot,Butler,2,,,\n")
    assert '<option value="Cold Tea" label="2">' in client.get(page).content.decode()
    assert client.get(page, {"do": "play", "name": "cold tea"}).headers["Location"] == f"{page}?c=2.2.cold+tea"


def test_an_imported_warrior_has_its_value_on_the_ledger_and_in_the_calculator(client: Client) -> None:
    imported(
        "doomtrooper",
        "name,type,code,affiliation,rarity,fight,shoot,armor,value,personality\n"
        "Lantern Guard,Warrior,X1,General,C,4,3,5,6,no",
    )
    root = client.post(
        "/scores/doomtrooper/",
        {
            "mode": "free_for_all",
            "target": "40",
            "sabotage": "off",
            "team_pool": "destiny",
            "time": "1997",
            "names": "Ada\nBen",
        },
    ).url
    client.post(f"{root}me/", {"place": "all"})
    client.post(f"{root}play/move/", {"act": "muster", "player": "Ada", "name": "lantern guard", "value": "0"})
    assert "Value 6" in client.get(root).content.decode()
    client.post(f"{root}play/move/", {"act": "kill", "player": "Ben", "other": "Ada", "name": "Lantern Guard"})
    assert "32 to go" not in client.get(root).content.decode()
    assert "34 to go" in client.get(root).content.decode()
    assert 'value="Lantern Guard"' in client.get("/scores/doomtrooper/combat/").content.decode()
