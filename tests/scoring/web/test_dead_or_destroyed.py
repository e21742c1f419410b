"""Dead or Destroyed at the table: roles that swap, games told and struck out, the calculators."""

import re

import pytest
from django.test import Client

from scoring.games.dead_or_destroyed.forms import GameForm
from scoring.models import ScoreSheet, SheetRevision
from scoring.sheets.selectors import content_of
from scoring.sheets.web.games import is_over
from scoring.standings.results import MatchLength
from scoring.tasks import tally_sheet

NAMES = ("Ada", "Ben")
HELP = "/scores/dead_or_destroyed/"


def begun() -> tuple[Client, str]:
    """A phone that writes for both, and the address of the match."""
    client = Client()
    answer = client.post(HELP, {"names": "Ada\nBen", "summon_reading": "rule"})
    assert answer.status_code == 302, answer.content.decode()
    client.post(f"{answer.url}me/", {"place": "all"})
    return client, answer.url


def told() -> list[dict[str, object]]:
    games = content_of(ScoreSheet.objects.get())["games"]
    return [{key: game[key] for key in game if key not in ("id", "by", "when")} for game in games]


def answer(page: str, **fields: object) -> str:
    return Client().get(f"{HELP}{page}/", fields).content.decode()


@pytest.mark.parametrize(
    ("necromancer", "outcome", "winner", "won_by"),
    [("Ada", "necromancer", "Ada", "necromancer"), ("Ada", "paladin", "Ben", "paladin"),
     ("Ben", "necromancer", "Ben", "necromancer"), ("Ben", "paladin", "Ada", "paladin"),
     ("Ada", "concession1", "Ben", "concession"), ("Ben", "time0", "Ada", "time")],
)  # fmt: skip
def test_winner_follows_from_the_role_or_is_named(necromancer, outcome, winner, won_by):
    form = GameForm({"necromancer": necromancer, "outcome": outcome}, names=NAMES)
    assert form.is_valid()
    roles = ["necromancer", "paladin"] if necromancer == "Ada" else ["paladin", "necromancer"]
    assert form.game() == {"roles": roles, "winner": winner, "won_by": won_by}


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["all", "2"])
def test_who_says_on_the_board_whom_a_phone_writes_for_is_back_on_the_board(place):
    _client, root = begun()
    second, board = Client(), f"{root}play/board/"
    fields = dict(re.findall(r'name="(back)" value="([^"]+)"', second.get(board).content.decode()))
    assert second.post(f"{root}me/", {**fields, "place": place}).url == board
    for back in ("https://evil.example/", "//evil.example/", f"{HELP}attack/"):
        assert second.post(f"{root}me/", {"place": place, "back": back}).url.startswith(f"{root}parts/")


@pytest.mark.django_db
def test_roles_swap_after_each_game_and_the_match_is_filed():
    client, root = begun()
    page = client.post(f"{root}play/add/", {"necromancer": "Ada", "outcome": "necromancer"}, follow=True)
    assert re.search(r'name="necromancer" value="Ben"[^>]*checked', page.content.decode())
    client.post(f"{root}play/add/", {"necromancer": "Ben", "outcome": "paladin"})
    assert [game["winner"] for game in told()] == ["Ada", "Ada"]
    assert client.post(f"{root}file/").url == f"{root}tally/"
    assert len(SheetRevision.objects.get().content["games"]) == 2


@pytest.mark.django_db
def test_second_game_in_the_same_roles_is_refused_when_it_is_written():
    client, root = begun()
    again = {"necromancer": "Ada", "outcome": "necromancer"}
    client.post(f"{root}play/add/", again)
    page = client.post(f"{root}play/add/", again).content.decode()
    assert "Swap the roles: they change every game." in page
    assert len(told()) == 1
    client.post(f"{root}play/add/", {**again, "necromancer": "Ben"})
    client.post(f"{root}play/add/", {**again, "necromancer": "Ben"})
    assert len(told()) == 3


@pytest.mark.parametrize(
    ("length", "wins", "over"),
    [(MatchLength(3), 1, False), (MatchLength(3), 2, True), (MatchLength(2, exactly=True), 2, True), (None, 4, False)],
)
def test_match_of_an_agreed_length_ends(length, wins, over):
    assert is_over(length, [{"winner": 0}] * wins) is over


@pytest.mark.django_db
def test_struck_game_stays_on_the_page_and_counts_for_nobody():
    client, root = begun()
    client.post(f"{root}play/add/", {"necromancer": "Ada", "outcome": "necromancer"})
    page = client.post(f"{root}play/strike/", {"act": "1"}, follow=True).content.decode()
    assert told() == []
    assert "<del" in page
    assert "0–0" in page
    assert client.post(f"{root}play/strike/", {"act": "1"}).status_code == 409


@pytest.mark.django_db
def test_a_game_without_an_end_is_asked_for_it():
    client, root = begun()
    page = client.post(f"{root}play/add/", {"necromancer": "Ada"}).content.decode()
    assert "Nothing was saved" in page
    assert "games" not in content_of(ScoreSheet.objects.get())
    assert Client().post(f"{root}play/add/", {"necromancer": "Ada", "outcome": "paladin"}).status_code == 403


@pytest.mark.django_db
def test_dd_summon_first_worked_example_costs_four():
    page = answer("summon", card1="other", from1="below", to1="battlefield", card2="other", card3="other")
    assert '<p class="big">4</p>' in page
    assert "By the book’s second example" not in page, "both readings agree"


@pytest.mark.django_db
@pytest.mark.parametrize(("reading", "cost"), [("rule", 3), ("example", 2), ("", 2), ("mine", 2)])
def test_dd_summon_second_worked_example_shows_both_readings_and_marks_the_agreed_one(reading, cost):
    second = {"card1": "minor", "card2": "other", "card3": "other", "from3": "below", "to3": "battlefield"}
    page = answer("summon", **second, **({"reading": reading} if reading else {}))
    assert f'<p class="big">{cost}</p>' in page
    assert "skips it for a later summon" in page
    marked = "By the rule" if reading == "rule" else "second example"
    assert page.index(marked) < page.index("this table’s reading")
    assert page.count("this table’s reading") == 1


@pytest.mark.django_db
def test_dd_summon_tells_what_the_crypt_or_the_graveyard_forbids():
    page = answer("summon", card1="other", card2="other", crypt="2", graveyard="2")
    assert "4 zombies don&#x27;t fit in the Crypt; the limit is 3" in page
    assert "The Graveyard has 2 of 3 cards needed" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "loses"),
    [
        ({"graveyard": 1, "battlefield": 0}, True),
        ({"graveyard": 2, "battlefield": 0}, False),
        ({"graveyard": 2, "battlefield": 0, "from1": "below"}, True),
        ({"graveyard": 1, "battlefield": 1}, False),
        ({"graveyard": 2, "battlefield": 0, "to1": "battlefield"}, False),
        ({"graveyard": 1}, False),
        ({"battlefield": 0}, False),
    ],
)
def test_dd_win_paladin_is_said_before_a_summon_that_loses(asked, loses):
    page = answer("summon", card1="other", **asked)
    assert ("These summons leave no zombie" in page) is loses
    assert ("the paladin may win" in page) is (asked == {"graveyard": 1})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zombies", "deck", "moved", "words"),
    [(2, 5, 5, "the necromancer wins"), (2, 6, 6, "exactly empty is survived"), (0, 0, 0, "the paladin survives")],
)
def test_dd_win_necro_is_decided_by_the_cards_left(zombies, deck, moved, words):
    page = answer("attack", zombies=zombies, deck=deck)
    assert f'<p class="big">{moved}</p>' in page
    assert words in page


@pytest.mark.django_db
@pytest.mark.parametrize(("left", "words"), [((0, 0), "the paladin wins"), ((0, 1), "goes on"), ((1, 0), "goes on")])
def test_dd_win_paladin_leaves_the_crypt_out(left, words):
    assert words in answer("attack", battlefield=left[0], graveyard=left[1])


@pytest.mark.django_db
def test_dd_reveal_lists_seven_effects_and_raises_a_card():
    page = answer("reveal", rank="10", revealed="2")
    assert page.count('class="big-number"') == 7
    assert '<p class="big">Q</p>' in page
    king = answer("reveal", rank="K", revealed="1")
    assert '<p class="big">A</p>' in king
    assert "DD-REVEAL-STEP" in king
    assert "destroy tables are lost" in page


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["summon", "attack", "reveal"])
def test_calculators_bear_nonsense_and_ask_again(page):
    nonsense = {"card1": "x", "crypt": "-4", "zombies": "many", "deck": "9", "battlefield": "", "rank": "Z"}
    assert "Nothing was saved" in answer(page, **nonsense)


@pytest.mark.django_db
def test_table_that_agreed_on_nothing_reads_the_book_by_its_example():
    client = Client()
    root = client.post(HELP, {"names": "Ada\nBen", "summon_reading": "example"}).url
    assert "?reading=example" in client.get(root).content.decode()
    assert ScoreSheet.objects.get().options.get("summon_reading", "example") == "example"
    assert re.search(r'value="example"[^>]*(selected|checked)', client.get(HELP).content.decode())


@pytest.mark.django_db
def test_tally_of_a_match_in_games_has_its_page():
    client, root = begun()
    client.post(f"{root}play/add/", {"necromancer": "Ada", "outcome": "paladin"})
    client.post(f"{root}file/")
    tally_sheet(SheetRevision.objects.get().pk, "")
    page = client.get(f"{root}tally/").content.decode()
    assert "Paladin: no zombie left" in page
    assert re.findall(r'<span class="grow">\s*(Ada|Ben)', page) == ["Ben", "Ada"]


# The board


def board(client: Client, root: str) -> str:
    return client.get(f"{root}play/board/").content.decode()


def seen(html: str) -> str:
    return re.search(r"\?seen=([\d-]+)", html)[1]


def make(client: Client, root: str, act: str, mark: str | None = None, **fields: object) -> str:
    """One move, as the form sends it; answers the board it leads to."""
    data = {"act": act, "seen": seen(board(client, root)) if mark is None else mark, **fields}
    return client.post(f"{root}play/move/", data, follow=True).content.decode()


def counts(html: str) -> dict[str, int]:
    found = re.findall(r"<dt>([\w ]+?)(?: <small.*?)?</dt>\s*<dd class=\"big\">(\d+)</dd>", html, re.DOTALL)
    return {label: int(count) for label, count in found}


@pytest.mark.django_db
def test_a_game_is_played_on_the_board_and_written_down_on_the_sheet():
    client, root = begun()
    html = make(client, root, "start", necromancer="Ben")
    assert counts(html) == {
        "Deck": 39, "Graveyard": 10, "Crypt": 0, "Battlefield": 0, "Hand": 3, "Outside the Game": 0,
    }  # fmt: skip
    make(client, root, "summon", at="1", card="other", to="crypt")
    html = make(client, root, "adjust", to="outside", count=9, **{"from": "graveyard"})
    assert "Ada wins: no zombie in Graveyard and Battlefield." in html
    result = {name: re.search(f'name="{name}" value="(\\w+)"', html)[1] for name in ("necromancer", "outcome")}
    client.post(f"{root}play/add/", result)
    assert told() == [{"roles": ["paladin", "necromancer"], "winner": "Ada", "won_by": "paladin"}]
    html = board(client, root)
    assert "Game 2" in html
    assert "No moves yet." in html
    assert client.post(f"{root}file/").url == f"{root}tally/"
    tally_sheet(SheetRevision.objects.get().pk, "")
    assert SheetRevision.objects.get().outcome.tally["winners"] == ["Ada"]


@pytest.mark.django_db
def test_of_two_phones_that_move_at_once_one_does_and_the_other_keeps_what_it_typed():
    client, root = begun()
    html = make(client, root, "start", necromancer="Ada")
    mark = seen(html)
    make(client, root, "pass", mark)
    late = make(client, root, "adjust", mark, count=7, to="outside", **{"from": "deck"})
    assert "The board has changed." in late
    assert 'value="7"' in late
    assert counts(late)["Deck"] == 38


@pytest.mark.django_db
def test_a_press_on_a_board_that_has_changed_shows_the_board_and_says_why():
    client, root = begun()
    mark = seen(make(client, root, "start", necromancer="Ada"))
    make(client, root, "pass")
    answer = client.post(f"{root}play/move/", {"act": "pass", "seen": mark, "press": "1"})
    assert answer.url == f"{root}play/board/"
    html = client.get(answer.url).content.decode()
    assert "The board has changed." in html
    assert counts(html)["Hand"] == 4, "nothing was done"


@pytest.mark.django_db
def test_a_board_that_did_not_change_answers_nothing_and_one_that_did_the_whole():
    client, root = begun()
    mark = seen(make(client, root, "start", necromancer="Ada"))
    asked = {"HTTP_HX_REQUEST": "true"}
    assert client.get(f"{root}play/board/?seen={mark}", **asked).status_code == 204
    make(client, root, "pass")
    again = client.get(f"{root}play/board/?seen={mark}", **asked)
    assert (again.status_code, counts(again.content.decode())["Hand"]) == (200, 4)


@pytest.mark.django_db
def test_a_move_taken_back_stays_on_the_list_and_the_cards_go_back():
    client, root = begun()
    make(client, root, "start", necromancer="Ada")
    html = make(client, root, "pass")
    last = re.search(r'name="act" value="(\d+)"', html)[1]
    html = client.post(f"{root}play/unmove/", {"act": last}, follow=True).content.decode()
    assert counts(html)["Deck"] == 39
    assert re.search(r'<li class="struck">.*?<del>End the turn</del>', html, re.DOTALL)
    assert client.post(f"{root}play/unmove/", {"act": last}).status_code == 409
    assert client.post(f"{root}play/unmove/", {"act": "x"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("act", "fields"),
    [("smite", {"killed": 0}), ("fly", {}), ("adjust", {"from": "deck", "to": "hand", "count": "many"}),
     ("adjust", {"from": "moon", "to": "hand", "count": 1}), ("summon", {})],
)  # fmt: skip
def test_what_is_no_move_now_is_refused_and_stores_nothing(act, fields):
    client, root = begun()
    before = seen(make(client, root, "start", necromancer="Ada"))
    html = make(client, root, act, **fields)
    assert 'role="alert"' in html
    assert seen(html) == before


@pytest.mark.django_db
def test_who_only_has_the_address_watches_and_moves_nothing():
    client, root = begun()
    html = make(client, root, "start", necromancer="Ada")
    watcher = Client()
    assert "play/move/" not in board(watcher, root)
    assert watcher.post(f"{root}play/move/", {"act": "pass", "seen": seen(html)}).status_code == 403
    assert seen(board(client, root)) == seen(html)
