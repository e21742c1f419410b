"""A match of Doom Pile on its sheet: the board of a game with cards by name, written down as one game of the match."""

import re

import pytest
from django.test import Client

from scoring.models import ScoreSheet
from scoring.sheets.selectors import content_of
from scoring.tasks import tally_sheet

pytestmark = pytest.mark.django_db
START = "/scores/doom_pile/"
PLOT, COUNT = "Ash Ledger", 1


def begun(names: str = "Ada\nBen") -> tuple[Client, str]:
    """A phone that writes for everybody on a new sheet, and the sheet's address."""
    client = Client()
    root = client.post(START, {"names": names}).url
    client.post(f"{root}me/", {"place": "all"})
    return client, root


def seen(html: str) -> str:
    return re.search(r"seen=([\w-]+)", html)[1]


def make(client: Client, root: str, act: str, **fields: object) -> str:
    """The board after a move."""
    mark = seen(client.get(f"{root}play/board/").content.decode())
    return client.post(f"{root}play/move/", {"act": act, "seen": mark, **fields}, follow=True).content.decode()


def played(client: Client, root: str, name: str, start: object = "", player: str = "Ada") -> str:
    return make(client, root, "play", name=name, start=start, player=player, **{"from": "hand"})


def cards(html: str) -> list[str]:
    """Every card on the board as the page shows it, without its moves."""
    found = re.findall(r'<li[^>]*id="card-\d+">(.*?)(?:<details|</li>)', html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in found]


def zones(html: str, name: str) -> dict[str, int]:
    own = html.partition(f"<h3>{name}</h3>")[2].partition("</dl>")[0]
    rows = re.findall(r"<dt>([^<]+)</dt>\s*<dd class=\"big\">(\d+)</dd>", own)
    return {zone: int(count) for zone, count in rows}


def test_a_known_card_has_its_countdown_and_another_is_asked_for_it():
    client, root = begun()
    html = make(client, root, "start", player="Ada")
    assert zones(html, "Ada") == {"Deck": 25, "Hand": 5, "Discard Pile": 0, "Master Plan": 0}
    html = played(client, root, "no card of this name")
    assert "Type the starting countdown." in html
    assert 'value="no card of this name"' in html
    html = played(client, root, "no card of this name", 3)
    assert cards(html) == ["3 no card of this name Countdown"]
    assert f"{COUNT} {PLOT} Countdown Plot" in cards(played(client, root, PLOT.upper()))


def test_both_countdowns_a_field_and_a_win_are_one_game_of_the_match():
    client, root = begun()
    make(client, root, "start", player="Ada")
    played(client, root, "Cold Tea", 0)
    html = make(client, root, "resolve", card=2, kind="Minion", strength=2, health=3)
    assert cards(html) == ["Cold Tea Field Minion Strength 2 Health 3 of 3"]
    make(client, root, "burn", card=2, count=1)
    html = make(client, root, "end")
    assert "Turn 1: Ben" in html
    html = make(client, root, "win", player="Ben", how="master_plan")
    assert "Ben wins: the Master Plan is completed." in html
    fields = dict(re.findall(r'<input type="hidden" name="(winner|how)" value="([^"]+)">', html))
    assert fields == {"winner": "Ben", "how": "master_plan"}
    html = client.post(f"{root}play/add/", fields, follow=True).content.decode()
    assert "1. Ben won · Master Plan completed" in " ".join(html.split())
    assert "Game 2" in html
    assert "No moves yet." in client.get(f"{root}play/board/").content.decode()


def test_a_card_without_a_name_is_card_one_and_the_plan_is_progress():
    client, root = begun()
    make(client, root, "start", player="Ada")
    html = played(client, root, "", 0)
    assert cards(html) == ["0 Card 1 Countdown"]
    assert 'Moves <span class="hidden-visually">Card 1</span>' in html
    assert "Ada plays Card 1: countdown 0" in html
    assert "nothing done yet" in html
    make(client, root, "resolve", card=2, kind="Minion", strength=1, health=1)
    make(client, root, "end")
    played(client, root, "", 0, "Ben")
    html = make(client, root, "resolve", card=5, kind="Minion", strength=1, health=1)
    assert "Card 1 (Ada)" in html


def test_games_are_written_down_without_a_board_struck_out_and_filed():
    client, root = begun()
    for winner, how in (("Ada", "empty_deck"), ("Ben", ""), (" ", "")):
        client.post(f"{root}play/add/", {"winner": winner, "how": how})
    html = client.get(root).content.decode()
    assert "1–1" in html
    assert "Nobody won: drawn or unfinished" in html
    client.post(f"{root}play/strike/", {"act": "2"})
    assert "1–0" in client.get(root).content.decode()
    client.post(f"{root}file/")
    sheet = ScoreSheet.objects.get()
    tally_sheet(sheet.revisions.get().pk, "")
    assert sheet.revisions.get().outcome.tally["winners"] == ["Ada"]
    assert "board" not in sheet.revisions.get().content
    assert len(content_of(sheet)["games"]) == 2


def test_nothing_is_written_down_before_somebody_says_who_won():
    client, root = begun("Ada\nBen\nCem")
    assert not re.search(r'name="winner"[^>]* checked', client.get(root).content.decode())
    html = client.post(f"{root}play/add/", {"how": "master_plan"}).content.decode()
    assert "This field is required." in html
    assert "No games yet." in html


def test_players_named_in_the_address_stand_in_the_form():
    html = Client().get(START, {"name": ["Ada", "Ben"]}).content.decode()
    assert "Ada\nBen</textarea>" in html


def test_three_or_four_sit_at_a_table_and_five_do_not():
    client, root = begun("Ada\nBen\nCem\nDan")
    make(client, root, "start", player="Cem")
    html = make(client, root, "end")
    assert "Turn 1: Dan" in html
    assert "Enter 2 to 4 names" in Client().post(START, {"names": "A\nB\nC\nD\nE"}).content.decode()


def test_what_two_phones_do_at_once_is_never_done_twice():
    client, root = begun()
    mark = seen(make(client, root, "start", player="Ada"))
    for _press in range(2):
        html = client.post(f"{root}play/move/", {"act": "end", "seen": mark}, follow=True).content.decode()
    assert "The board has changed." in html
    assert "Turn 1: Ben" in client.get(f"{root}play/board/").content.decode()


@pytest.mark.parametrize("page", ["play/board/", ""])
def test_two_phones_write_the_same_game_down_and_it_is_there_once(page):
    client, root = begun()
    make(client, root, "start", player="Ada")
    make(client, root, "win", player="Ada", how="master_plan")
    form = client.get(f"{root}{page}").content.decode().partition("play/add/")[2]
    sent = {"number": re.search(r'name="number" value="(\d+)"', form)[1], "winner": "Ada", "how": "master_plan"}
    assert client.post(f"{root}play/add/", sent).status_code == 302
    html = client.post(f"{root}play/add/", sent).content.decode()
    assert "The games have changed." in html
    assert len(content_of(ScoreSheet.objects.get())["games"]) == 1
    client.post(f"{root}play/strike/", {"act": "1"})
    assert client.post(f"{root}play/add/", sent).status_code == 302


def test_an_attack_names_its_target_and_what_is_against_the_rules_is_marked():
    client, root = begun()
    make(client, root, "start", player="Ada")
    played(client, root, "Bell", 0)
    make(client, root, "resolve", card=2, kind="Artifice", health=4)
    played(client, root, "Imp", 0)
    make(client, root, "resolve", card=4, kind="Minion", strength=1, health=1)
    make(client, root, "end")
    played(client, root, "Ogre", 0, "Ben")
    make(client, root, "resolve", card=7, kind="Minion", strength=2, health=2)
    html = make(client, root, "attack", card=7, target="2")
    assert "DP-TURN-ATTACK" in html
    assert "Bell Field Artifice Health 2 of 4" in cards(html)
