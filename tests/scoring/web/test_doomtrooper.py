"""The ledger of a Doomtrooper game on its board: acts added, struck out, told against the rules, filed."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation

from rules_engine.errors import Conflict
from rules_engine.systems import get_system
from scoring.games.doomtrooper.tally.board_moves import act_of, offers_of
from scoring.games.doomtrooper.tally.board_state import Setting, game_of
from scoring.games.doomtrooper.tally.words import KEYS, KINDS
from scoring.models import ScoreSheet, SheetRevision
from scoring.sheets.selectors import content_of
from scoring.tasks import tally_sheet

pytestmark = pytest.mark.django_db

THREE = "Ada\nBen\nCem"
PLAIN = {
    "mode": "free_for_all",
    "target": "40",
    "sabotage": "off",
    "team_pool": "destiny",
    "time": "1997",
    "names": THREE,
}
SECRETS = ("id", "by", "when")


def begun(**options: object) -> tuple[Client, str]:
    """A phone that writes for everybody on a new ledger, and the ledger's address."""
    client = Client()
    answer = client.post("/scores/doomtrooper/", {**PLAIN, **options})
    assert answer.status_code == 302, answer.content.decode()
    client.post(f"{answer.url}me/", {"place": "all"})
    return client, answer.url


def phone(root: str, place: object) -> Client:
    """Another phone at the table."""
    client = Client()
    client.post(f"{root}me/", {"place": place})
    return client


def acts() -> list[dict[str, object]]:
    content = content_of(ScoreSheet.objects.get())
    return [{key: act[key] for key in act if key not in SECRETS} for act in content.get("acts", ())]


def add(client: Client, root: str, kind: str, player: str = "Ada", **fields: object) -> str:
    """The page after an act was written down."""
    answer = client.post(f"{root}play/move/", {"act": kind, "player": player, **fields}, follow=True)
    return answer.content.decode()


def totals(page: str) -> list[tuple[str, str, str]]:
    """Name, Promotion and Destiny of every side as the board shows them."""
    heads = page.partition('class="heads"')[2]
    return re.findall(
        r'<h3>(.*?)</h3>\s*<dl.*?<dd class="big">(-?\d+)</dd>.*?<dd class="big">(-?\d+)</dd>', heads, re.DOTALL
    )


def test_kill_gives_promotion_unless_part_of_it_is_taken_as_destiny():
    client, root = begun()
    add(client, root, "kill", other="Ben", value="8")
    page = add(client, root, "kill", other="Cem", value="5", destiny="2", name="Grizzly")
    assert acts() == [
        {"act": "kill", "player": "Ada", "victim": "Ben", "value": 8},
        {"act": "kill", "player": "Ada", "victim": "Cem", "value": 5, "destiny": 2, "card": "Grizzly"},
    ]
    assert totals(page) == [("Ada", "11", "7"), ("Ben", "0", "5"), ("Cem", "0", "5")]
    assert "29 to go" in page


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_refusals_call_kinds_and_keys_as_the_form_does(language):
    client, root = begun(sabotage="on")
    client.cookies["django_language"] = language
    page = unescape(client.get(root).content.decode())
    with translation.override(language):
        words = {translation.gettext(each) for each in (*KEYS.values(), *KINDS.values())}
        elsewhere = {translation.gettext(KINDS[kind]) for kind in ("attack_secondary", "next_game", "fit")}
        elsewhere.add(translation.gettext(KEYS["act"]))  # what happened is the move itself
    assert [each for each in words - elsewhere if each not in page] == []


def test_printed_value_stands_in_for_one_not_typed_and_a_typed_one_goes_before_it():
    client, root = begun()
    add(client, root, "kill", other="Ben", name="agent nick michaels")
    add(client, root, "kill", other="Ben", name="AGENT NICK MICHAELS", value="6")
    assert [act["value"] for act in acts()] == [4, 6]


def test_a_team_of_more_members_than_a_ledger_takes_is_refused_before_it_begins():
    names = f"Red: {', '.join('ABCDEFGHIJKLM')}\nBlue: X, Y"
    page = Client().post("/scores/doomtrooper/", {**PLAIN, "mode": "teams", "names": names}).content.decode()
    assert "A team has at most 12 members." in page


def test_a_pasted_card_name_has_single_spaces():
    client, root = begun()
    add(client, root, "kill", other="Ben", name="agent\u00a0nick  michaels")
    assert [(act["value"], act["card"]) for act in acts()] == [(4, "agent nick michaels")]


def test_the_page_suggests_every_warrior_with_its_printed_value():
    client, root = begun()
    page = " ".join(client.get(root).content.decode().split())
    assert '<option value="AGENT NICK MICHAELS" label="Value 4" data-printed="4"></option>' in page
    for kind in ("kill", "muster"):
        fields = re.search(rf'<input[^>]* id="{kind}_name"[^>]*>.*?<input[^>]* id="{kind}_value"[^>]*>', page)[0]
        assert 'list="cards"' in fields
        assert re.search(r"data-printed-note hidden> *</p>", fields), "there is nothing to say"
        assert re.search(r'<input type="number"[^>]* data-printed', fields)


def test_a_typed_value_stays_beside_what_is_printed():
    client, root = begun()
    page = add(client, root, "kill", other="", name="agent nick michaels", value="6")
    assert re.search(r'href="#kill_other">Against whom</a>', page)
    assert re.search(r'<input type="number" name="value" value="6"', page)
    assert re.search(r"data-printed-note>\s*AGENT NICK MICHAELS: Value 4", page)


@pytest.mark.parametrize(
    ("fields", "pools"),
    [({"other": "Ada"}, ("0", "9")), ({"other": "Ben", "by": "freelancer"}, ("0", "9")),
     ({"other": "Ben", "by": "affiliated"}, ("4", "5"))],
)  # fmt: skip
def test_own_warriors_and_freelancers_give_destiny_alone(fields, pools):
    client, root = begun()
    page = add(client, root, "kill", value="4", **fields)
    assert totals(page)[0] == ("Ada", *pools)


def test_what_is_missing_is_asked_for_and_nothing_typed_is_lost():
    client, root = begun()
    page = add(client, root, "kill", other="Ben", name="Nobody knows this one", destiny="1")
    assert "Nothing was saved" in page
    assert "Nobody knows this one" in page
    assert acts() == []


@pytest.mark.parametrize(
    ("kind", "field"),
    [("win", "name"), ("enter", "name"), ("gain", "promotion"), ("spend", "value"), ("kill", "value"),
     ("cover", "value"), ("warriors_in_play", "value")],
)  # fmt: skip
def test_each_kind_asks_for_what_it_needs(kind, field):
    client, root = begun()
    assert f'<a href="#{kind}_{field}">' in add(client, root, kind, other="Ben")
    assert acts() == []


@pytest.mark.parametrize(
    ("options", "left_out"),
    [({}, {"sabotage", "attack_secondary"}),
     ({"time": "none"}, {"sabotage", "attack_secondary", "time_called", "warriors_in_play"}),
     ({"sabotage": "on", "rules_1997": True, "mode": "primary_targets"}, set())],
)  # fmt: skip
def test_only_acts_that_can_happen_at_the_table_are_offered(options, left_out):
    setting = Setting([{"name": name} for name in THREE.split()], options, "Ada", {}, "")
    offered = {each.act for each in offers_of(game_of(setting, []), has_next=False)}
    assert offered.isdisjoint(left_out)
    assert len(offered) == 17 - len(left_out)
    unfit = [
        {"id": 1, "act": "draw_pile_out", "player": "Ben"},
        {"id": 2, "act": "turn", "player": "Ada", "warriors": 0},
    ]
    counting = {each.act for each in offers_of(game_of(setting, unfit), has_next=False)}
    assert counting == {*offered, "fit"}


def test_struck_act_stays_on_the_page_and_counts_for_nothing():
    client, root = begun()
    add(client, root, "kill", other="Ben", value="8")
    page = add(client, root, "meditate")
    assert totals(page)[0] == ("Ada", "8", "6")
    answer = client.post(f"{root}play/unmove/", {"act": "1"}, follow=True)
    page = answer.content.decode()
    assert totals(page)[0] == ("Ada", "0", "6")
    assert "<del>Ada kills Ben&#x27;s warrior, Value 8</del>" in page
    assert client.post(f"{root}play/unmove/", {"act": "1"}).status_code == 409


def test_violation_is_told_at_once_with_its_clause_in_words():
    client, root = begun(sabotage="on")
    add(client, root, "turn")
    page = add(client, root, "sabotage", other="Ben", value="7")
    assert "DT-SABOTAGE" in page
    assert "An option. Who has no warrior fit for combat" in page
    assert totals(page)[0][1] == "4", "half of it, rounded up"


def test_no_warrior_countdown_stands_beside_the_name_and_ends_the_game():
    client, root = begun(names="Ada\nBen")
    for _round in range(3):
        add(client, root, "turn", "Ada")
        page = add(client, root, "turn", "Ben", unfit="yes")
    assert "no warrior: last turn" in page
    page = add(client, root, "end_turn")
    assert "Ada has won" in page
    assert "had no warrior for 3 turns" in page


def test_end_of_the_game_is_announced_and_filed():
    client, root = begun(target="8")
    page = add(client, root, "kill", other="Ben", value="8")
    assert "Ada has won" in page
    assert "Reached the target" in page
    assert client.post(f"{root}play/file/").url == f"{root}tally/"
    revision = SheetRevision.objects.get()
    assert [act["value"] for act in revision.content["acts"]] == [8]


def test_filing_with_a_word_of_the_cards_lets_violations_count():
    client, root = begun(target="4", sabotage="on")
    add(client, root, "turn")
    add(client, root, "sabotage", other="Ben", value="7")
    client.post(f"{root}play/file/", {"cards_allow": "1"})
    assert SheetRevision.objects.get().content["options"]["check_limits"] is False


def test_teams_show_their_members_and_whose_turn_it_is():
    client, root = begun(names="Red: Ada, Ben\nBlue: Cem, Dora", mode="teams", target="50")
    page = add(client, root, "turn", "Cem")
    assert totals(page) == [("Red", "0", "10"), ("Blue", "0", "10")]
    assert "Turn of Ben" in page, "the second members follow"


def test_whose_warrior_of_a_team_was_killed_is_said_by_name_and_it_leaves_play():
    client, root = begun(names="Red: Ada, Ben\nBlue: Cem, Dora", mode="teams", target="50")
    add(client, root, "turn", "Cem")
    add(client, root, "muster", "Cem", value="4", name="Valerie Duval")
    page = client.get(root).content.decode()
    page = add(client, root, "kill", "Ada", card=card_in(page), value="4")
    assert acts()[-1]["victim"] == "Cem"
    assert in_play(page) == []
    assert totals(page)[0] == ("Red", "4", "10")


@pytest.mark.parametrize("names", ["Ada", "Ada\nada", "Ada\n" + "x" * 61, ""])
def test_names_that_cannot_be_are_refused_at_the_start(names):
    answer = Client().post("/scores/doomtrooper/", {**PLAIN, "names": names})
    assert answer.status_code == 200
    assert not ScoreSheet.objects.exists()


def test_whoever_said_no_name_reads_and_does_not_write():
    _client, root = begun()
    stranger = Client()
    page = stranger.get(root).content.decode()
    assert "Who are you?" in page
    assert "play/move/" not in page
    assert stranger.post(f"{root}play/move/", {"act": "meditate", "player": "Ada"}).status_code == 403
    assert stranger.post(f"{root}play/clock/", {"minutes": "30"}).status_code == 403
    assert stranger.post(f"{root}play/file/").status_code == 403
    assert acts() == []


def test_each_act_tells_which_phone_wrote_it():
    _client, root = begun()
    page = add(phone(root, 2), root, "meditate", "Ben")
    assert "by Ben" in page


def test_long_ledgers_show_the_newest_acts_and_the_rest_behind_a_link():
    client, root = begun()
    for _act in range(33):
        client.post(f"{root}play/move/", {"act": "meditate", "player": "Ada"})
    page = client.get(root).content.decode()
    assert page.count('id="strike-') == 30
    assert "3 earlier entries" in page
    assert "earlier entr" not in client.get(f"{root}?all=1").content.decode()


def test_clock_runs_by_the_server_and_can_be_taken_away():
    client, root = begun()
    client.post(f"{root}play/clock/", {"minutes": "10"})
    page = client.get(root).content.decode()
    assert re.search(r'data-left="(59\d|600)"', page)
    assert "Less than" not in page
    client.post(f"{root}play/clock/", {"minutes": "0"})
    assert "data-left" not in client.get(root).content.decode()
    assert client.post(f"{root}play/clock/", {"minutes": "9999"}).status_code == 400


def test_pages_of_other_games_and_parts_are_not_found():
    client, root = begun()
    assert client.get(f"{root}play/nothing/").status_code == 404
    assert client.get(f"{root}parts/1/").url == root


def test_number_of_queries_does_not_grow_with_the_acts(django_assert_max_num_queries):
    client, root = begun()
    for _act in range(12):
        client.post(f"{root}play/move/", {"act": "meditate", "player": "Ada"})
    client.get(root)
    with django_assert_max_num_queries(9):
        client.get(root)


def test_tally_tells_both_totals_and_leaves_out_lines_without_points():
    client, root = begun(target="8")
    add(client, root, "meditate")
    add(client, root, "kill", other="Ben", value="8", name="SEAN GALLAGHER")
    client.post(f"{root}play/file/")
    tally_sheet(SheetRevision.objects.get().pk, "")
    page = client.get(f"{root}tally/").content.decode()
    assert re.search(r"Ada</th>\s*<td class=\"n score\">8</td>\s*<td class=\"n score\">6</td>", page)
    assert "SEAN GALLAGHER" in page
    assert "At the start" not in page
    page = client.get(root).content.decode()
    assert "Something else" in page, "what was forgotten can be added"
    assert 'class="quick-acts"' not in page


def test_unfinished_game_is_ranked_by_points_in_its_tally():
    client, root = begun()
    add(client, root, "kill", other="Ben", value="8")
    client.post(f"{root}play/file/")
    tally_sheet(SheetRevision.objects.get().pk, "")
    assert client.get(f"{root}tally/").status_code == 200


@pytest.mark.parametrize(
    ("kind", "value", "destiny", "stored"),
    [("kill", "6", "6", 2), ("kill", "6", "7", 1), ("sabotage", "5", "3", 2), ("sabotage", "5", "4", 1)],
)
def test_no_more_destiny_is_taken_than_an_act_is_worth(kind, value, destiny, stored):
    client, root = begun(sabotage="on")
    add(client, root, "turn")
    page = add(client, root, kind, other="Ben", value=value, destiny=destiny, name="Grizzly")
    assert len(acts()) == stored
    if stored == 1:
        assert "You can take " in page
        assert 'value="Grizzly"' in page


def test_what_a_warrior_costs_that_cannot_be_paid_stands_beside_the_act():
    client, root = begun()
    add(client, root, "kill", other="Ben", value="4")
    add(client, root, "spend", value="3")
    add(client, root, "muster", entered="in_cover")
    page = add(client, root, "cover", value="5")
    assert "2 of 5 Destiny paid, 3 Promotion lost, warrior discarded" in page
    assert totals(page)[0] == ("Ada", "1", "0")


def test_page_says_how_a_game_ends_until_it_has():
    client, root = begun(target="8", time="none")
    page = client.get(root).content.decode()
    assert "How the game ends" in page
    for way in ("Target reached: 8", "Draw piles empty", "Three turns without", "A card says", "Concede"):
        assert way in page
    assert "Time is up:" not in page
    assert "How the game ends" not in add(client, root, "kill", other="Ben", value="8")


def test_page_names_the_endings_of_1997_and_those_with_sabotage():
    client, root = begun(target="", rules_1997="on", sabotage="on")
    page = client.get(root).content.decode()
    assert "Time is up: Promotion Points" in page
    assert "Once a draw pile is empty: three turns without" in page
    assert "Target reached" not in page
    assert "Draw piles empty" not in page


# The calculators


def calculated(page: str, **fields: object) -> str:
    return Client().get(f"/scores/doomtrooper/{page}/", fields).content.decode()


def fates(html: str) -> list[str]:
    return re.findall(r'<span class="state (?:done|wait|wrong)">(\w+)</span>', html)


def test_a_named_warrior_brings_its_printed_ratings_and_cards_add_to_them():
    named = {"a-name": "sean gallagher", "d-name": "NEPHARITE OF ILIAN", "tactic": "fight"}
    html = calculated("combat", **named)
    assert fates(html) == ["wounded", "wounded"]
    assert fates(calculated("combat", **named, **{"d-cover": "on", "a-more_armor": 1})) == ["unharmed", "wounded"]
    killed = calculated("combat", **named, **{"d-wounded": "on", "a-first": "on"})
    assert fates(killed) == ["unharmed", "killed"]
    assert "does not strike back" in killed
    assert re.search(r"Its player earns \d+, as Promotion, Destiny or both", killed)
    assert "as Destiny only" in calculated("combat", **named, **{"d-wounded": "on", "own": 1})


def test_ratings_can_be_typed_and_what_is_missing_or_unknown_is_asked_for():
    html = calculated("combat", tactic="shoot", **{"a-attack": -4, "a-armor": 0, "d-attack": -9, "d-armor": -4})
    assert fates(html) == ["unharmed", "wounded"]
    assert "Type this rating" in calculated("combat", tactic="shoot", **{"a-attack": 4})
    html = calculated("combat", tactic="fight", **{"a-name": "Nobody at all", "d-attack": 1, "d-armor": 1})
    assert "No warrior has this name" in html
    assert 'value="Nobody at all"' in html
    assert fates(html) == []


def test_errors_of_both_warriors_say_whose_they_are():
    html = calculated("combat", tactic="fight", **{"a-name": "Nobody at all", "d-name": "Nothing known"})
    heads = ["Attacker: please correct this", "Defender: please correct this"]
    assert re.findall(r'role="alert">\s*<div>\s*<h2>(.*?)</h2>', html) == heads
    for side in "ad":
        field = f"id_{side}-name"
        described = re.search(rf'<input[^>]* id="{field}"[^>]*>', html)[0]
        assert f"{field}_error" in re.search(r'aria-describedby="([^"]*)"', described)[1].split()
        assert html.count(f'id="{field}_error"') == 1
        assert html.count(f'href="#{field}"') == 1


def test_an_attacker_cannot_be_in_cover():
    html = calculated(
        "combat", tactic="fight", **{"a-attack": 5, "a-armor": 1, "a-cover": "on", "d-attack": 3, "d-armor": 9}
    )
    assert fates(html) == ["wounded", "unharmed"]
    assert 'name="a-cover"' not in html


def test_odds_of_an_opening_hand():
    html = calculated("opening", deck=60, warriors=15)
    assert "11.8" in html
    assert "no more warriors than cards" in calculated("opening", deck=20, warriors=21)
    assert "id_deck" in calculated("opening", deck="x", warriors="")


def in_play(page: str) -> list[str]:
    """Every card in play as the page names it, with its states."""
    cards = page.partition('id="acts"')[0]
    found = re.findall(r'<li id="card-\d+">\s*<span class="name">(.*?)</span>\s*(?=<details|</li>)', cards, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in found]


def card_in(page: str) -> int:
    """The first card in play, as its moves call it."""
    return int(re.search(r'<li id="card-(\d+)"', page)[1])


def quick(page: str, words: str) -> dict[str, str]:
    """What the quick entry of these words sends."""
    entries = re.search(r'class="quick-acts".*?</div>', page, re.DOTALL)[0]
    form = next(each for each in entries.split("<form")[1:] if re.search(rf">\s*{words}\s*</button>", each))
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))


def buttons(page: str) -> list[str]:
    """The quick entries, in their order."""
    entries = re.search(r'class="quick-acts".*?</div>', page, re.DOTALL)[0]
    return [" ".join(words.split()) for words in re.findall(r"<button[^>]*>(.*?)</button>", entries, re.DOTALL)]


def press(client: Client, root: str, card: int, kind: str):
    return client.post(f"{root}play/move/", {"card": card, "act": kind, "press": "1"}, follow=True)


def test_warriors_in_play_are_wounded_hidden_and_gone_by_a_press_each():
    client, root = begun()
    add(client, root, "muster", name="Agent Nick Michaels")
    page = add(client, root, "muster", entered="in_cover")
    assert in_play(page) == ["Agent Nick Michaels F 4 · S 4 · A 4 Value 4", "A warrior in cover not paid yet"]
    press(client, root, 1, "wound")
    page = press(client, root, 1, "seek").content.decode()
    assert in_play(page)[0] == "Agent Nick Michaels wounded in cover F 4 · S 4 · A 4 Value 4"
    assert acts()[2:] == [
        {"act": "wound", "player": "Ada", "card": "Agent Nick Michaels"},
        {"act": "seek", "player": "Ada", "card": "Agent Nick Michaels"},
    ]
    page = add(client, root, "kill", player="Ben", other="Ada", name="Agent Nick Michaels")
    assert in_play(page) == ["A warrior in cover not paid yet"]
    assert totals(page)[1] == ("Ben", "4", "5")


@pytest.mark.parametrize(("card", "kind"), [(1, "wound"), (9, "wound"), (1, "fly")])
def test_what_is_so_already_or_gone_is_refused_in_words(card, kind):
    client, root = begun()
    add(client, root, "muster", name="Agent Nick Michaels")
    press(client, root, 1, "wound")
    before = acts()
    assert "This move isn&#x27;t possible now." in press(client, root, card, kind).content.decode()
    assert acts() == before


def test_what_left_play_while_a_phone_pressed_is_refused_in_words():
    client, root = begun()
    add(client, root, "muster", name="Agent Nick Michaels")
    frame = Setting([{"name": name} for name in THREE.split()], {}, "Ada", {}, "")
    gone = [{**act, "id": number} for number, act in enumerate(acts(), 1)]
    gone += [{"act": "leave", "player": "Ada", "card": "Agent Nick Michaels", "id": 2}]
    for kind in ("wound", "kill"):
        with pytest.raises(Conflict) as refused:
            act_of(frame, {"act": kind, "card": 1, "player": "Ada", "name": "Agent Nick Michaels"}, gone)
        assert refused.value.code == "card_gone"


def test_a_kill_from_its_card_asks_by_whom_and_leads_to_the_calculator_with_what_is_known():
    client, root = begun()
    add(client, root, "muster", player="Ben", name="Agent Nick Michaels")
    page = client.get(root).content.decode()
    form = page.partition('id="moves-1"')[2].partition("</details>\n</li>")[0]
    assert re.search(r'<input type="number" name="value" value="4"[^>]* id="kill_1_value"', form)
    assert 'id="kill_1_player"' in form
    assert 'name="other"' not in form
    page = add(client, root, "kill", "Cem", card=1, value="5", destiny="2")
    assert acts()[-1] == {
        "act": "kill", "player": "Cem", "victim": "Ben", "value": 5, "destiny": 2, "card": "Agent Nick Michaels"
    }  # fmt: skip
    assert in_play(page) == []
    page = form
    combat = re.search(r'href="(/scores/doomtrooper/combat/[^"]+)"', page)[1].replace("&amp;", "&")
    assert 'name="d-name" value="Agent Nick Michaels"' in client.get(combat).content.decode()


def test_combat_begins_with_the_attacker_of_the_turn_and_the_cover_of_the_defender():
    client, root = begun()
    add(client, root, "muster", player="Ben", name="Agent Nick Michaels")
    add(client, root, "muster", player="Ada", name="Free Marine")
    press(client, root, 1, "seek")
    page = add(client, root, "turn", player="Ada")

    def opened(number: int) -> str:
        links = re.findall(r'href="(/scores/doomtrooper/combat/[?][^"]+)"', page)
        return client.get(links[number].replace("&amp;", "&")).content.decode()

    of_ada, of_ben = opened(0), opened(1)
    for html in (of_ada, of_ben):
        assert 'name="a-name" value="Free Marine"' in html
    assert 'name="d-name" value="Agent Nick Michaels"' in of_ben
    assert re.search(r'name="d-cover"[^>]* checked', of_ben)
    assert not re.search(r'name="d-cover"[^>]* checked', of_ada)


def test_a_warrior_in_cover_keeps_its_name_for_itself():
    client, root = begun()
    page = add(client, root, "muster", entered="in_cover", name="Agent Nick Michaels")
    assert "Nobody knows a warrior in cover" in page
    assert acts() == []


def test_another_card_enters_and_a_second_of_its_kind_is_marked():
    client, root = begun()
    relic = next(card.name for card in get_system("doomtrooper").shipped_cards if card.type == "Relic")
    assert "choose “Warrior enters”" in add(client, root, "enter", name="Agent Nick Michaels")
    add(client, root, "enter", name=relic)
    page = add(client, root, "enter", player="Ben", name=relic)
    assert in_play(page) == [f"{relic} Relic"] * 2
    assert "is in play already. DT-RELIC" in " ".join(re.sub(r"<[^>]+>", "", page).split())


def test_dt_nowarrior_the_turn_of_who_has_no_warrior_on_the_ledger_counts_by_itself():
    client, root = begun(names="Ada\nBen")
    assert buttons(client.get(root).content.decode()) == ["Turn of Ada", "Turn of Ada, no warrior fit"]
    add(client, root, "turn")
    add(client, root, "muster", name="Agent Nick Michaels")
    page = client.get(root).content.decode()
    assert buttons(page)[0] == "Turn of Ben, no warrior fit"
    assert "Turn of Ben" not in buttons(page)
    page = add(client, root, "turn", player="Ben")
    assert acts()[-1] == {"act": "turn", "player": "Ben", "warriors": 0}
    assert "no warrior: 3 turns" in page
    assert "Turn of Ben. Actions left: 3" in page
    page = add(client, root, "turn")
    assert acts()[-1] == {"act": "turn", "player": "Ada"}, "who has a warrior counts nothing"
    assert "no warrior: 2 turns" in add(client, root, "turn", player="Ben")


def test_dt_nowarrior_the_turn_before_the_tables_first_warrior_is_the_first_of_three():
    client, root = begun(names="Ada\nBen")
    add(client, root, "turn")
    add(client, root, "turn", player="Ben")
    add(client, root, "muster", player="Ben", name="Agent Nick Michaels")
    assert "no warrior: 2 turns" in add(client, root, "turn")
    add(client, root, "turn", player="Ben")
    add(client, root, "turn")
    assert "Ben has won" in add(client, root, "turn", player="Ben")


def test_the_count_of_turns_without_a_warrior_stops_by_one_press_which_can_be_struck_out():
    client, root = begun(names="Ada\nBen")
    add(client, root, "muster", name="Agent Nick Michaels")
    page = add(client, root, "turn", player="Ben")
    stop = quick(page, "Ben has a fit warrior")
    page = client.post(f"{root}play/move/", stop, follow=True).content.decode()
    assert "no warrior:" not in page
    assert acts()[-1] == {"act": "fit", "player": "Ben"}
    assert "Ben has a fit warrior" not in buttons(page)
    add(client, root, "turn")
    page = add(client, root, "turn", player="Ben")
    assert acts()[-1] == {"act": "turn", "player": "Ben"}, "nor does it begin again while nothing speaks for that"
    page = client.post(f"{root}play/unmove/", {"act": "3"}, follow=True).content.decode()
    assert "<del>Ben has a fit warrior</del>" in page
    assert "no warrior: 2 turns" in page
    add(client, root, "fit", player="Ben")
    add(client, root, "turn")
    add(client, root, "kill", other="Ben", value="4")
    assert "no warrior: 3 turns" in add(client, root, "turn", player="Ben"), "the warrior that nobody named is gone"


def test_turns_that_a_table_counts_by_hand_go_on_until_a_warrior_is_back():
    client, root = begun(names="Ada\nBen")
    add(client, root, "turn", unfit="yes")
    add(client, root, "turn", player="Ben")
    assert "no warrior: 2 turns" in add(client, root, "turn")
    page = add(client, root, "fit")
    for _round in range(3):
        add(client, root, "turn", player="Ben")
        page = add(client, root, "turn")
    assert "has won" not in page
    assert "no warrior:" not in page


@pytest.mark.parametrize(
    ("before", "words", "refused"),
    [([], "Turn of Ada", "Ada begins a turn"), (["Turn of Ada"], "Ada meditates: \\+1", "Ada meditates")],
)
def test_two_phones_that_press_the_same_quick_entry_write_it_down_once(before, words, refused):
    client, root = begun(names="Ada\nBen")
    ben = phone(root, 2)
    for each in before:
        client.post(f"{root}play/move/", quick(client.get(root).content.decode(), each))
    first, second = (quick(each.get(root).content.decode(), words) for each in (client, ben))
    assert client.post(f"{root}play/move/", first).status_code == 302
    answer = ben.post(f"{root}play/move/", second, follow=True).content.decode()
    assert f"Not written down: “{refused}”. Another phone has just written “{refused}”." in answer
    assert len(acts()) == len(before) + 1
    assert "Turn of Ben" in buttons(answer)
    assert "Nothing was saved" not in answer, "the page is a new one"
    again = quick(answer, "Ada meditates: \\+1")
    assert ben.post(f"{root}play/move/", again).status_code == 302, "another one is written down"
    assert acts()[-1] == {"act": "meditate", "player": "Ada"}


def test_a_quick_entry_is_for_the_turn_it_was_shown_in():
    client, root = begun(names="Ada\nBen")
    ben = phone(root, 2)
    add(client, root, "turn")
    turn = quick(ben.get(root).content.decode(), "Turn of Ben, no warrior fit")
    add(client, root, "meditate")
    page = client.get(root).content.decode()
    assert ben.post(f"{root}play/move/", turn).status_code == 302, "what is no turn is not in its way"
    late = client.post(f"{root}play/move/", quick(page, "Ada meditates: \\+1"), follow=True).content.decode()
    assert "Another phone has just written “Ben begins a turn with no fit warrior”" in late
    client.post(f"{root}play/unmove/", {"act": "3"})
    again = {**turn, "idempotency_key": ""}
    assert client.post(f"{root}play/move/", again).status_code == 302, "nor is a turn that was taken back"


def test_a_kill_typed_on_two_phones_counts_once_unless_it_is_another_one():
    client, root = begun(names="Ada\nBen")
    ben = phone(root, 2)
    seen = re.search(r'name="seen" value="([\w-]+)"', ben.get(root).content.decode())[1]
    add(client, root, "kill", other="Ben", value="4", seen=seen)
    page = add(ben, root, "kill", other="Ben", value="5", seen=seen)
    assert "Another phone has just written “Ada kills Ben's warrior, Value 4”" in unescape(page)
    assert re.search(r'<input type="number" name="value" value="5"', page), "what was typed stays"
    assert len(acts()) == 1
    seen = re.search(r'name="seen" value="([\w-]+)"', page)[1]
    add(ben, root, "kill", other="Ben", value="5", seen=seen)
    assert [act["value"] for act in acts()] == [4, 5]


def test_an_attack_that_kills_nobody_is_written_down_by_one_press():
    client, root = begun(names="Ada\nBen")
    add(client, root, "turn")
    assert "Ada attacks" not in buttons(add(client, root, "turn", player="Ben")), "none in a first turn"
    page = add(client, root, "turn")
    client.post(f"{root}play/move/", quick(page, "Ada attacks"))
    page = client.get(root).content.decode()
    assert acts()[3:] == [{"act": "attack", "player": "Ada"}]
    assert "Turn of Ada. Actions left: 0" in page
    assert not {"Ada attacks", "Ada meditates: +1"} & set(buttons(page))
    assert "The attack is the last action of a turn" in add(client, root, "meditate")


def test_combat_keeps_the_cover_of_a_warrior_that_an_attack_has_shown():
    client, root = begun(names="Ada\nBen")
    add(client, root, "muster", player="Ben", entered="in_cover")
    add(client, root, "muster", name="Free Marine")
    add(client, root, "turn")
    page = add(client, root, "cover", player="Ben", name="Agent Nick Michaels")
    assert in_play(page)[1] == "Agent Nick Michaels in cover F 4 · S 4 · A 4 Value 4"
    links = re.findall(r'href="(/scores/doomtrooper/combat/[?][^"]+)"', page)
    html = client.get(links[1].replace("&amp;", "&")).content.decode()
    assert re.search(r'name="d-cover"[^>]* checked', html)


def test_the_page_shows_the_primary_target_of_each_player():
    client, root = begun(mode="primary_targets")
    page = " ".join(client.get(root).content.decode().split())
    assert [f"primary target: {name}" in page for name in ("Ben", "Cem", "Ada")] == [True] * 3
    page = " ".join(add(client, root, "concede", player="Ben").split())
    assert "primary target: Ben" not in page


def test_a_ledger_that_did_not_change_answers_nothing():
    client, root = begun()
    page = add(client, root, "kill", other="Ben", value="4")
    seen = re.search(r"seen=([\w-]+)", page)[1]
    asked = {"HTTP_HX_REQUEST": "true"}
    assert client.get(f"{root}?seen={seen}", **asked).status_code == 204
    add(client, root, "meditate")
    again = client.get(f"{root}?seen={seen}", **asked)
    assert (again.status_code, totals(again.content.decode())[0]) == (200, ("Ada", "4", "6"))


def test_b9_the_next_game_of_two_begins_with_a_press_and_totals_stand_by_game():
    client, root = begun(target="8", names="Ada\nBen")
    add(client, root, "turn")
    assert "Begin game 2" not in add(client, root, "meditate")
    assert "Begin game 2" in add(client, root, "kill", other="Ben", value="8")
    page = add(client, root, "next_game")
    assert totals(page) == [("Ada", "0", "5"), ("Ben", "0", "5")]
    assert "Promotion Points by game" in page
    assert "Game 2" in page
    assert "Turn of Ben" in page
    add(client, root, "turn", "Ben")
    page = add(client, root, "kill", "Ben", other="Ada", value="9")
    assert "Ben has won" in page
    assert "Begin game 3" in page
    client.post(f"{root}play/file/")
    tally_sheet(SheetRevision.objects.get().pk, "")
    page = client.get(f"{root}tally/").content.decode()
    assert "Promotion Points by game" in page
    assert re.search(r"Shared win\s*</p>\s*<p class=\"outcome\">Ada, Ben", page)


def test_b9_no_game_begins_while_one_goes_on_or_at_a_table_of_three():
    client, root = begun(target="8", names="Ada\nBen")
    add(client, root, "next_game")
    assert acts() == []
    three, address = begun(target="8")
    assert "Begin game 2" not in add(three, address, "kill", other="Ben", value="8")


@pytest.mark.parametrize("newest", ["9" * 5000, "-1", "\u0663", "seven"])
def test_a_mark_that_no_page_ever_showed_is_no_error_of_ours(newest):
    client, root = begun()
    add(client, root, "meditate", seen=f"1-0-0-{newest}-0")
    assert acts() == [{"act": "meditate", "player": "Ada"}]
