"""The page on which a site admin brings in cards: look first, store what was shown, lose nothing that was typed."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from decks.forms.cards import MAX_BYTES, MAX_KEPT_BYTES
from decks.models import CardSet
from decks.selectors.cards import cards_of
from decks.services.card_imports import import_cards
from journal.models import LedgerEntry
from rules_engine.catalogue import read_cards
from rules_engine.systems import get_system
from tests.decks.conftest import NOW

PAGE = "/cards/doom_pile/import/"
HEADER = "name,type,subtype,countdown,strength,health,text\n"
OWN = HEADER + "Cold Tea,Plot,Butler,2,,,\nRude Awakening,Minion,Butler,1,2,3,\n"


@pytest.fixture
def olive(catalogue):
    client = Client()
    client.force_login(User.objects.create_user("olive", is_staff=True))
    return client


def file_of(text, name="cards.csv"):
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def send(client, action="check", page=PAGE, **fields):
    response = client.post(page, {"set_name": "Real cards", "action": action, **fields}, follow=True)
    return response.status_code, response.content.decode()


def text_in(page):
    return unescape(re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)[1])


def shown_in(page):
    return re.search(r'name="shown" value="([0-9a-f]+)"', page)[1]


ADDRESSES = [
    ("get", PAGE),
    ("post", PAGE),
    ("get", "/cards/doom_pile/template.csv"),
    ("post", "/cards/doom_pile/samples/"),
    ("post", "/cards/doom_pile/sets/real-cards/remove/"),
]


@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_only_site_admins_get_in(catalogue, method, address):
    mallory = Client()
    mallory.force_login(User.objects.create_user("mallory"))
    assert getattr(Client(), method)(address).status_code == 302
    assert getattr(mallory, method)(address).status_code == 403
    assert not CardSet.objects.filter(sample=False, game="doom_pile").exists()


def test_visitors_see_no_way_to_the_import(client, catalogue, olive):
    assert PAGE not in client.get("/cards/doom_pile/").content.decode()
    assert PAGE in olive.get("/cards/doom_pile/").content.decode()


def test_file_is_shown_first_and_then_stored(olive):
    status, page = send(olive, upload=file_of(OWN))
    assert status == 200
    assert "2 cards added" in page
    assert "cold tea" not in cards_of("doom_pile")
    assert text_in(page) == OWN
    status, page = send(olive, "import", text=text_in(page).replace("\n", "\r\n"), shown=shown_in(page))
    assert "Saved: 2 added, 0 changed, 0 removed." in page
    assert cards_of("doom_pile")["cold tea"].set_slug == "real-cards"
    assert LedgerEntry.objects.get(stream="cards:doom_pile").actor.startswith("user:")


def test_changes_are_told_card_by_card(olive):
    import_cards("user:1", "doom_pile", "Real cards", OWN, NOW)
    page = send(olive, text=HEADER + "Cold Tea,Plot,Butler,4,,,\nNew One,Plot,Clerk,1,,,\n")[1]
    assert "1 card added" in page
    assert re.search(r"Cold Tea:\s+<code>countdown</code>\s+2 →\s+4", page)
    assert "Rude Awakening" in page
    page = send(olive, text=OWN)[1]
    assert "Nothing to import" in page
    assert 'value="import"' not in page


def test_every_bad_row_is_told_and_the_text_stays(olive):
    text = OWN + "Broken,Plot,,x,,,\n=1+1,Spell,,,,,\n<script>x</script>,Plot,B,1,,,,extra\n"
    for fields in ({"text": text}, {"upload": file_of(text)}):
        status, page = send(olive, **fields)
        assert status == 200
        assert "4 problems" in page
        assert [int(line) for line in re.findall(r">\s*Line (\d+)\s*<", page)] == [4, 4, 5, 6]
        assert text_in(page).replace("\r\n", "\n") == text
        assert "<script>x" not in page
        assert 'value="Real cards"' in page
    assert "cold tea" not in cards_of("doom_pile")


def test_import_with_bad_rows_stores_nothing(olive):
    page = send(olive, "import", text=OWN + "Broken,Spell,,,,,\n", shown="0" * 64)[1]
    assert "1 problem: nothing is saved" in page
    assert "cold tea" not in cards_of("doom_pile")


@pytest.mark.parametrize("shown", ["", "0" * 64])
def test_only_what_was_shown_is_stored(olive, shown):
    page = send(olive, "import", text=OWN, shown=shown)[1]
    assert "Check it again" in page
    assert text_in(page).replace("\r\n", "\n") == OWN
    assert "cold tea" not in cards_of("doom_pile")
    assert "Saved: 2 added" in send(olive, "import", text=OWN, shown=shown_in(page))[1]


@pytest.mark.parametrize(
    ("upload", "told"),
    [
        (file_of(b"PK\x03\x04rest", "cards.csv"), "Archives and spreadsheets"),
        (file_of(b"\x1f\x8brest", "cards.json"), "Archives and spreadsheets"),
        (file_of(OWN, "cards.xlsx"), "ends in .csv or .json"),
        (file_of(OWN, "cards"), "ends in .csv or .json"),
        (file_of(b"name,type\nb\xffd,Plot\n"), "Line 2 isn't UTF-8"),
        (file_of(b"x" * (MAX_BYTES + 1)), "larger than 3 MiB"),
        (file_of(b""), "empty"),
    ],
)
def test_what_is_no_card_file_is_refused_and_what_was_typed_stays(olive, upload, told):
    upload.seek(0)
    status, page = send(olive, upload=upload, text="name,type\n")
    assert status == 200
    assert told in unescape(page)
    assert text_in(page).strip() == "name,type"


def test_nothing_sent_is_told(olive):
    assert "Choose a file or paste its text." in send(olive)[1]


@pytest.mark.parametrize("name", ["Doomdesk sample", "!!", ""])
def test_name_of_a_set_that_cannot_be_is_an_error_of_its_field(olive, name):
    page = send(olive, set_name=name, text=OWN)[1]
    assert 'href="#id_set_name"' in page
    assert text_in(page).replace("\r\n", "\n") == OWN


def test_large_file_is_chosen_again_for_the_second_step(olive):
    rows = "".join(f"Card {number},Plot,B,1,,,{'x' * 1900}\n" for number in range(MAX_KEPT_BYTES // 1900 + 20))
    page = send(olive, upload=file_of(HEADER + rows))[1]
    assert "choose it again" in page
    assert text_in(page) == ""
    assert "Choose a file" in send(olive, "import", shown=shown_in(page))[1]
    assert "Saved: " in send(olive, "import", upload=file_of(HEADER + rows), shown=shown_in(page))[1]


def test_json_is_counted_in_entries(olive):
    page = send(olive, upload=file_of('[{"name": "Cold Tea", "type": "Spell"}]', "cards.json"))[1]
    assert "Entry 1" in page


def test_template_can_be_imported_as_it_is(olive):
    for game in ("doom_pile", "doomtrooper", "doomlings", "dead_or_destroyed"):
        text = olive.get(f"/cards/{game}/template.csv").content.decode()
        assert read_cards(text, get_system(game).card_schema).problems == ()
        assert (
            "cards added" in send(olive, page=f"/cards/{game}/import/", text=text)[1]
            or "card added" in send(olive, page=f"/cards/{game}/import/", text=text)[1]
        )


def test_export_sent_back_changes_nothing(olive):
    import_cards("user:1", "doom_pile", "Real cards", OWN, NOW)
    text = olive.get("/cards/doom_pile/cards.csv").content
    assert "All 67 cards are already here" in send(olive, upload=file_of(text))[1]


def test_samples_are_hidden_and_brought_back(olive):
    address = "/cards/doom_pile/samples/"
    assert "You can hide the samples after importing" in olive.get(PAGE).content.decode()
    assert olive.post(address, {"action": "hide"}).status_code == 422
    import_cards("user:1", "doom_pile", "Real cards", OWN, NOW)
    assert "Hide the sample cards" in olive.get(PAGE).content.decode()
    page = olive.post(address, {"action": "hide"}, follow=True).content.decode()
    assert "sample, hidden" in page
    assert len(cards_of("doom_pile")) == 2
    assert "our own invention" not in olive.get("/cards/doom_pile/").content.decode()
    assert "The sample cards are back." in olive.post(address, {"action": "show"}, follow=True).content.decode()
    assert len(cards_of("doom_pile")) == 67


def test_own_set_is_removed(olive):
    import_cards("user:1", "doom_pile", "Real cards", OWN, NOW)
    assert "Remove the set and its 2 cards" in olive.get(PAGE).content.decode()
    page = olive.post(
        "/cards/doom_pile/sets/real-cards/remove/", {"confirmed_name": "real cards"}, follow=True
    ).content.decode()
    assert "Set removed." in page
    assert "cold tea" not in cards_of("doom_pile")
    assert olive.post("/cards/doom_pile/sets/doomdesk-sample/remove/").status_code == 404


def test_game_without_cards_has_no_import(olive):
    assert olive.get("/cards/house_game/import/").status_code == 404


def test_page_takes_the_same_few_queries_however_many_cards(olive, django_assert_max_num_queries):
    for game in ("doomtrooper", "dead_or_destroyed"):
        with django_assert_max_num_queries(9):
            olive.get(f"/cards/{game}/import/")
