"""The own hand on a board: noted and played by one phone, and served to no other."""

import re

import pytest
from django.test import Client

from scoring.models import ScoreSheet, SheetPart
from scoring.sheets.web import boards
from tests.invariants.test_twin_worlds import quiet
from tests.scoring.web.test_doomlings_pages import begun, page, phone, root
from tests.scoring.web.test_own_cards import AS_STORED, imported

pytestmark = pytest.mark.django_db

OTHERS = (2, "all", None)
ROUTES = ("", "parts/0/", "parts/1/", "parts/2/", "play/board/", "tally/")


@pytest.fixture
def sheet() -> ScoreSheet:
    sheet = begun("Ada", "Ben")
    move(phone(sheet, "all"), sheet, "start", player="Ada")
    return sheet


def move(client: Client, sheet: ScoreSheet, act: str, **fields: object) -> str:
    seen = re.search(r"\?seen=([\d-]+)", page(client, sheet, "play/board/"))[1]
    answer = client.post(f"{root(sheet)}play/move/", {"act": act, "seen": seen, **fields}, follow=True)
    return answer.content.decode()


def hold(client: Client, sheet: ScoreSheet, **fields: object) -> int:
    return client.post(f"{root(sheet)}play/hand/", fields).status_code


def held(html: str) -> list[str]:
    found = re.search(r'id="hand".*?</section>', html, re.DOTALL)
    return re.findall(r'class="name">(.*?)<', found[0]) if found else []


def seen_by_others(sheet: ScoreSheet) -> list[bytes]:
    """Every page of the sheet as the other player, a shared phone and a stranger see it, and what is stored."""
    clients = [phone(sheet, place) if place else Client() for place in OTHERS]
    pages = [quiet(client.get(root(sheet) + route).content) for client in clients for route in ROUTES]
    return [*pages, repr(list(SheetPart.objects.values_list("content"))).encode()]


def test_a_card_is_noted_taken_out_and_played_from_the_own_hand(sheet):
    ada = phone(sheet, 1)
    assert [hold(ada, sheet, name=name) for name in ("Adorable", "Kidney", "Kidney", "")] == [302, 302, 302, 200]
    assert held(page(ada, sheet, "play/board/")) == ["Adorable", "Kidney", "Kidney"]
    hold(ada, sheet, out=1)
    html = page(ada, sheet, "play/board/")
    button = re.search(r'<li>\s*<span class="name">Kidney.*?</form>', html, re.DOTALL)[0]
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', button))
    html = ada.post(f"{root(sheet)}play/move/", sent, follow=True).content.decode()
    assert held(html) == ["Kidney"]
    assert "Ada plays Kidney." in html


def test_a_hand_is_served_to_its_owners_phone_alone(sheet, monkeypatch):
    ada = phone(sheet, 1)
    hold(ada, sheet, name="Adorable")
    one, mine = seen_by_others(sheet), page(ada, sheet, "play/board/")
    hold(ada, sheet, out=1)
    hold(ada, sheet, name="Kidney")
    assert seen_by_others(sheet) == one
    assert page(ada, sheet, "play/board/") != mine
    # The control: a hand kept by the sheet instead of the session shows on the other player's phone.
    kept = boards.hand_of
    request = ada.get(f"{root(sheet)}play/board/").wsgi_request
    monkeypatch.setattr(boards, "hand_of", lambda _request, frame, number: kept(request, frame, number))
    monkeypatch.setattr("scoring.sheets.web.hands.writer_of", lambda frame: "Ada")
    assert seen_by_others(sheet) != one


@pytest.mark.parametrize("place", ["all", None])
def test_a_phone_that_writes_for_nobody_or_for_several_keeps_no_hand(sheet, place):
    client = phone(sheet, place) if place else Client()
    assert hold(client, sheet, name="Kidney") == 403
    assert 'id="hand"' not in page(client, sheet, "play/board/")


def test_b5_imported_and_described_cards_are_played_on_the_board_with_what_is_known_of_them(sheet):
    imported("doomlings", "name,type,face_value,colors,dominant,gene_pool_change,gene_pool_target\n"
                          "Slumbering,Trait,3,blue,yes,1,self\nBirth of Ink,Age,,,,,\n")  # fmt: skip
    SheetPart.objects.filter(sheet=sheet, place=0).update(
        content={**SheetPart.objects.get(sheet=sheet, place=0).content, "own_cards": [AS_STORED]}
    )
    ada = phone(sheet, 1)
    html = move(ada, sheet, "play", player="Ada", name="slumbering")
    html = move(ada, sheet, "play", player="Ada", name="Tiny Moon")
    assert re.findall(r'<dd class="big">(\d+)</dd>', html)[3:6] == [str(3 - 2 + 4), "6", "3"], "points, pool, hand"
    assert 'value="Birth of Ink"' in html
    assert "Dominants: 1 of 2" in html
    for _end in range(2):
        move(ada, sheet, "end")
    assert "Age 2, Birth of Ink" in move(ada, sheet, "flip", name="birth of ink", kind="catastrophe")


def test_the_paladins_phone_notes_the_hand_and_the_necromancers_has_none():
    answer = Client().post("/scores/dead_or_destroyed/", {"names": "Ada\nBen", "summon_reading": "rule"})
    sheet = ScoreSheet.objects.get()
    root_of = answer.url
    ada, ben = Client(), Client()
    for client, place in ((ada, 1), (ben, 2)):
        client.post(f"{root_of}me/", {"place": place})
    ada.post(f"{root_of}play/move/", {"act": "start", "necromancer": "Ada", "seen": "1-0-0"})
    codes = [client.post(f"{root_of}play/hand/", {"name": "Kh"}).status_code for client in (ada, ben)]
    assert codes == [403, 302]
    mine, others = (client.get(f"{root_of}play/board/").content.decode() for client in (ben, ada))
    assert (held(mine), held(others)) == (["Kh"], [])
    assert "Play <span" not in mine, "a card leaves by what is done to zombies, and by Remove"
    assert "Kh" not in repr(list(SheetPart.objects.filter(sheet=sheet).values_list("content")))
