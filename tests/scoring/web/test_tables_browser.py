"""The pages at the table in a browser: a Doomtrooper game of three, the worked examples of Dead or Destroyed, the
countdown of Doom Pile; with and without scripts, by touch and by keyboard."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.look.test_browser import SMALL_TARGETS, TARGETS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Maximiliane von Hohenzollern-Sigmaringen the Third"


def opened(browser: Browser, scripts: bool = True, width: int = 390) -> tuple[Page, list[str]]:
    context = browser.new_context(
        viewport={"width": width, "height": 844}, java_script_enabled=scripts, has_touch=width < 500
    )
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page, complaints


def fits(page: Page) -> None:
    """Nothing is wider than the phone, and every target is large enough for a finger."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(SMALL_TARGETS, TARGETS) == []


def begin(page: Page, address: str, names: str, **chosen: str) -> None:
    page.goto(address)
    page.fill("#id_names", names)
    for name, value in chosen.items():
        page.locator(f"[name={name}][value={value}]").check(force=True)
    page.get_by_role("button", name="Begin the sheet").click()
    page.get_by_role("button", name="This phone writes for everybody").click()


def side(page: Page, name: str) -> tuple[str, str]:
    """Promotion and Destiny of a side as the board shows them."""
    found = head(page, name).locator(".big").all_inner_texts()
    return found[0], found[1]


def head(page: Page, name: str) -> Locator:
    return page.locator(".heads > div", has=page.get_by_role("heading", name=name, exact=True))


def unfold(page: Page, kind: str) -> Locator:
    """A kind of move of the board of Doomtrooper, ready to be filled in."""
    if kind not in ("kill", "muster"):
        page.get_by_text("Something else", exact=True).click()
    page.locator(f"#fold-{kind} > summary").click()
    return page.locator(f"#fold-{kind}")


def write(page: Page, kind: str, **fields: str) -> None:
    """Unfold a move, fill in what is asked, make it."""
    form = unfold(page, kind)
    for name, value in fields.items():
        field = page.locator(f"#{kind}_{name}")
        assert field.is_visible(), f"{kind} asks for {name}"
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        elif field.evaluate("node => node.tagName") == "FIELDSET":
            field.locator(f"label:has([value='{value}'])").click()
        else:
            field.fill(value)
    form.locator("button[type=submit]").click()


def test_game_of_three_with_a_sabotage_and_a_player_without_a_warrior(browser, live_server):
    page, complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/doomtrooper/", f"Ada\nBen\n{LONG}", sabotage="on")
    fits(page)
    for name in ("Ada", "Ben"):
        page.get_by_role("button", name=f"Turn of {name}", exact=True).click()
    page.get_by_role("button", name=f"Turn of {LONG}, no warrior fit").click()
    page.get_by_role("button", name="Turn of Ada", exact=True).click()
    assert page.locator("#kill_promotion").count() == 0, "a kill does not ask for what it does not need"
    write(page, "kill", name="SEAN GALLAGHER", other="Ben")
    assert side(page, "Ada") == ("8", "5"), "the printed Value, all of it Promotion"
    write(page, "sabotage", other=LONG, value="7", destiny="1")
    assert side(page, "Ada") == ("11", "6"), "half of it rounded up, one of it taken as Destiny"
    assert page.locator(".violations").count() == 0
    write(page, "draw_pile_out")
    for _turns in range(3):
        page.get_by_role("button", name="Turn of Ben", exact=True).click()
        page.get_by_role("button", name=f"Turn of {LONG}, no warrior fit").click()
        page.get_by_role("button", name="Turn of Ada", exact=True).click()
    expect(head(page, LONG)).to_contain_text("out: no warrior")
    fits(page)
    write(page, "kill", other="Ben", value="30")
    expect(page.get_by_role("heading", name="Ada has won")).to_be_visible()
    page.get_by_role("button", name="File the sheet").click()
    assert page.url.endswith("/tally/")
    assert complaints == []


def test_a_named_warrior_fills_in_its_printed_value_until_another_is_typed(browser, live_server):
    page, complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/doomtrooper/", "Ada\nBen")
    form = unfold(page, "muster")
    value, note = page.locator("#muster_value"), form.locator("[data-printed-note]")
    expect(note).to_be_hidden()
    page.fill("#muster_name", "sean gallagher")
    expect(value).to_have_value("8")
    expect(note).to_have_text("SEAN GALLAGHER: Value 8")
    fits(page)
    page.fill("#muster_name", "nobody knows this one")
    expect(value).to_have_value("")
    expect(note).to_be_hidden()
    page.fill("#muster_value", "3")
    page.fill("#muster_name", "sean gallagher")
    expect(value).to_have_value("3")
    expect(note).to_be_visible()
    page.get_by_role("button", name="Warrior enters").click()
    assert side(page, "Ada") == ("0", "2"), "what was typed was paid"
    assert complaints == []


@pytest.mark.parametrize("scripts", [True, False])
def test_act_is_struck_out_by_keyboard_and_stays_crossed_out(browser, live_server, scripts):
    page, _complaints = opened(browser, scripts, width=1280)
    begin(page, f"{live_server.url}/scores/doomtrooper/", "Ada\nBen")
    page.get_by_role("button", name="Turn of Ada", exact=True).click()
    page.get_by_role("button", name="Ada meditates: +1").press("Enter")
    expect(page.locator(".acts .score")).to_have_text("+1 D")
    page.get_by_role("button", name="Take back Ada meditates").press("Enter")
    expect(page.locator(".acts del")).to_have_text("Ada meditates")
    assert side(page, "Ada") == ("0", "5")


def test_other_phone_sees_an_act_without_a_press(browser, live_server):
    page, _complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/doomtrooper/", "Ada\nBen")
    other, _none = opened(browser)
    other.goto(page.url)
    other.get_by_role("button", name="Ben", exact=True).click()
    page.get_by_role("button", name="Turn of Ada", exact=True).click()
    expect(other.locator("#acts")).to_contain_text("Ada begins a turn", timeout=12_000)
    expect(other.locator(".heads > .on")).to_contain_text("Ada")
    expect(other.get_by_role("button", name="Turn of Ben", exact=True)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_warriors_in_play_follow_on_the_other_phone(browser, live_server, scripts):
    page, complaints = opened(browser, scripts)
    begin(page, f"{live_server.url}/scores/doomtrooper/", f"{LONG}\nBen")
    for name, card in ((LONG, "Agent Nick Michaels"), ("Ben", "SEAN GALLAGHER")):
        page.locator("#fold-muster > summary").click()
        page.locator(f"#muster_player label:has([value='{name}'])").click()
        page.fill("#muster_name", card)
        page.get_by_role("button", name="Warrior enters").click()
    other, _none = opened(browser)
    other.goto(page.url)
    mine = page.locator(".on-board > li", has_text="Agent Nick Michaels")
    mine.locator("summary").first.press("Enter")
    fits(page)
    page.get_by_role("button", name="Wounded Agent Nick Michaels").press("Enter")
    expect(mine).to_contain_text("wounded")
    expect(other.locator(".on-board > li", has_text="Agent Nick Michaels")).to_contain_text("wounded")
    mine.locator("summary").first.press("Enter")
    mine.locator("label", has_text="Ben").click()
    expect(mine.locator("[name=value]")).to_have_value("4")
    page.get_by_role("button", name="Killed Agent Nick Michaels").press("Enter")
    assert side(page, "Ben")[0] == "4"
    expect(other.locator(".on-board > li", has_text="Agent Nick Michaels")).to_have_count(0)
    expect(other.locator(".on-board > li", has_text="SEAN GALLAGHER")).to_be_visible()
    assert complaints == []


def test_steppers_split_a_kill_by_touch(browser, live_server):
    page, _complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/doomtrooper/", "Ada\nBen")
    unfold(page, "kill")
    page.fill("#kill_name", "SEAN GALLAGHER")
    expect(page.locator("#kill_value")).to_have_value("8")
    page.locator("#kill_value ~ [data-step='1']").click()
    for _time in range(3):
        page.locator("#kill_destiny ~ [data-step='1']").click()
    page.get_by_role("button", name="Kill", exact=True).click()
    assert side(page, "Ada") == ("6", "8")


@pytest.mark.parametrize("scripts", [True, False])
def test_worked_examples_of_dead_or_destroyed(browser, live_server, scripts):
    page, complaints = opened(browser, scripts)
    page.goto(f"{live_server.url}/scores/dead_or_destroyed/summon/")
    page.select_option("#id_card1", "other")
    page.select_option("#id_from1", "below")
    page.select_option("#id_to1", "battlefield")
    page.select_option("#id_card2", "other")
    page.select_option("#id_card3", "other")
    page.get_by_role("button", name="What does it cost?").click()
    expect(page.locator("#result .big")).to_have_text("4")
    page.get_by_role("link", name="example 2").click()
    expect(page.locator("#result .big")).to_have_text("2")
    expect(page.locator("#result")).to_contain_text("skips it for a later summon")
    fits(page)
    page.get_by_role("link", name="Attack and win").click()
    page.get_by_label("Zombies neither killed nor destroyed").fill("2")
    page.get_by_label("Cards in the Deck").fill("5")
    page.get_by_role("button", name="What does the attack do?").click()
    expect(page.locator("#result")).to_contain_text("the necromancer wins")
    fits(page)
    assert complaints == []


def test_match_of_dead_or_destroyed_swaps_roles(browser, live_server):
    page, _complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/dead_or_destroyed/", f"Ada\n{LONG}")
    expect(page.locator(".roles > div").first).to_contain_text("Ada")
    page.get_by_label("Necromancer: the Deck could not pay").check()
    page.get_by_role("button", name="Write the game down").click()
    expect(page.locator(".roles > div").first).to_contain_text(LONG)
    expect(page.locator("#games")).to_contain_text("Ada won")
    fits(page)


@pytest.mark.parametrize("scripts", [True, False])
def test_countdown_steps_resolves_and_goes_back(browser, live_server, scripts):
    page, complaints = opened(browser, scripts)
    page.goto(f"{live_server.url}/scores/doom_pile/countdown/")
    for name, turns in ((f"{LONG}, a card", "2"), ("", "1")):
        page.fill("#id_name", name)
        page.fill("#id_start", turns)
        page.locator("#id_start").press("Enter")
    expect(page.locator(".counts .left")).to_have_text(["2", "1"])
    page.get_by_role("button", name="My turn begins").click()
    expect(page.locator(".counts .left")).to_have_text(["1", "0"])
    fits(page)
    page.get_by_role("button", name="My turn begins").click()
    expect(page.get_by_role("alert")).to_contain_text("Resolve the cards that are ready first")
    page.get_by_role("button", name="Resolved").click()
    expect(page.locator(".counts .left")).to_have_text(["1"])
    page.go_back()
    page.go_back()
    expect(page.locator(".counts .left")).to_have_text(["1", "0"])
    page.get_by_role("button", name=re.compile("^One more: Max")).click()
    expect(page.locator(".counts .left").first).to_have_text("2")
    assert complaints == []


def test_clock_for_stacking_runs_down(browser, live_server):
    page, complaints = opened(browser)
    page.goto(f"{live_server.url}/scores/doom_pile/table/")
    page.get_by_role("button", name="10 min").click()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^\s*9:5[0-8]\s*$"))
    fits(page)
    assert complaints == []


def counts(page: Page) -> list[str]:
    """Deck, Graveyard, outside, then Crypt, Battlefield and hand as the board shows them."""
    return page.locator(".zones .big").all_inner_texts()


def test_two_phones_and_a_cut_network_follow_one_board_of_dead_or_destroyed(browser, live_server):
    one, complaints = opened(browser)
    begin(one, f"{live_server.url}/scores/dead_or_destroyed/", f"Ada\n{LONG}")
    one.get_by_role("link", name="Play on the board").click()
    one.get_by_role("button", name="Begin the game").click()
    fits(one)
    two, of_two = opened(browser, width=360)
    two.goto(one.url.replace("play/board/", ""))
    two.get_by_role("button", name=LONG).click()
    two.goto(one.url)
    assert counts(one) == counts(two) == ["39", "10", "0", "0", "0", "3"]
    two.context.set_offline(True)
    one.get_by_text("Raise Dead: summon").first.click()
    one.locator("#summon_at").select_option("2")
    one.get_by_role("button", name="Raise Dead: summon").click()
    one.get_by_text("Something else").click()
    one.get_by_role("button", name="End the turn").click()
    expect(one.locator("#board h2").first).to_have_text(f"Turn 1: {LONG}, paladin")
    assert counts(two) == ["39", "10", "0", "0", "0", "3"]
    two.context.set_offline(False)
    expect(two.locator("#board h2").first).to_have_text(f"Turn 1: {LONG}, paladin", timeout=15_000)
    assert counts(two) == counts(one) == ["38", "8", "1", "1", "0", "4"]
    two.get_by_text("Reveal", exact=True).first.click()
    two.locator("#reveal_cards").fill("3")
    two.get_by_role("button", name="Reveal", exact=True).click()
    fits(two)
    expect(one.locator(".zones .big").nth(5)).to_have_text("5", timeout=15_000)
    expect(one.locator(".acts li").first).to_contain_text(f"by {LONG}")
    assert complaints == []
    assert [each for each in of_two if "ERR_INTERNET_DISCONNECTED" not in each and "htmx" not in each] == []


def test_what_is_typed_on_the_board_stays_while_it_does_not_change(browser, live_server):
    page, complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/dead_or_destroyed/", "Ada\nBen")
    page.get_by_role("link", name="Play on the board").click()
    page.get_by_role("button", name="Begin the game").click()
    page.get_by_text("Something else").click()
    page.locator("#adjust_count").fill("7")
    with page.expect_response(lambda answer: "seen=" in answer.url) as asked:
        pass
    assert asked.value.status == 204
    assert page.locator("#adjust_count").input_value() == "7"
    page.get_by_role("button", name="Move cards by hand").click()
    assert counts(page) == ["39", "3", "7", "0", "0", "3"]
    assert complaints == []


def test_two_phones_and_a_cut_network_follow_one_board_of_doom_pile(browser, live_server):
    one, complaints = opened(browser)
    begin(one, f"{live_server.url}/scores/doom_pile/", f"{LONG}\nBen")
    two, _none = opened(browser)
    two.goto(one.url)
    two.get_by_role("button", name="This phone writes for everybody").click()
    for phone in (one, two):
        phone.get_by_role("link", name="Play on the board").click()
    one.get_by_role("button", name="Begin the game").click()
    expect(two.locator("#board")).to_contain_text(f"Turn 1: {LONG}")
    one.fill("#play_name", "Cold Tea")
    one.fill("#play_start", "1")
    one.get_by_role("button", name="Play a card").click()
    fits(one)
    expect(two.locator("#card-2")).to_contain_text("Cold Tea")
    two.context.set_offline(True)
    one.get_by_role("button", name="End the turn").click()
    expect(one.locator("#board")).to_contain_text("Turn 1: Ben")
    expect(two.locator("#board")).to_contain_text(f"Turn 1: {LONG}")
    two.context.set_offline(False)
    expect(two.locator("#board")).to_contain_text("Turn 1: Ben")
    two.get_by_role("button", name="End the turn").click()
    expect(one.locator("#board")).to_contain_text("Cards at 0 resolve first.")
    expect(one.locator("#card-2 .left")).to_have_text("0")
    one.locator("#card-2").get_by_role("button", name="Resolve").click()
    expect(one.locator("#board")).not_to_contain_text("Cards at 0")
    assert [each for each in complaints if "ERR_INTERNET" not in each] == []


def test_a_table_of_doomlings_is_played_on_the_board_and_written_on_its_sheet(browser, live_server):
    page, complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/doomlings/", f"Ada\n{LONG}")
    page.goto(f"{page.url.partition('parts/')[0]}play/board/")
    page.get_by_role("button", name="Begin the game").click()
    page.fill("#play_name", "adorable")
    page.get_by_role("button", name="Play a trait").click()
    expect(page.locator("#card-2")).to_contain_text("Adorable")
    fits(page)
    page.get_by_role("button", name="Stabilize and end the turn").click()
    expect(page.locator("#board")).to_contain_text(f"{LONG}'s turn")
    for catastrophe in ("Ice Age", "Retrovirus", "Solar Flare"):
        page.get_by_text("Something else").click()
        page.fill("#flip_name", catastrophe)
        page.get_by_role("button", name="Flip the next age").click()
        expect(page.locator("#board .acts li").first).to_contain_text(catastrophe)
    page.get_by_role("button", name="Write it on the sheet").click()
    expect(page.locator("main")).to_contain_text("Everybody is ready")
    page.get_by_role("link", name="The table").click()
    expect(page.locator("select").first).to_have_value("Solar Flare")
    assert complaints == []


def test_what_is_typed_on_the_board_stays_when_another_phone_moves(browser, live_server):
    one, _complaints = opened(browser)
    begin(one, f"{live_server.url}/scores/dead_or_destroyed/", "Ada\nBen")
    one.get_by_role("link", name="Play on the board").click()
    one.get_by_role("button", name="Begin the game").click()
    two, _none = opened(browser)
    two.goto(one.url.replace("play/board/", ""))
    two.get_by_role("button", name="Ben").click()
    two.goto(one.url)
    one.get_by_text("Something else").click()
    one.locator("#adjust_count").fill("7")
    two.get_by_text("Something else").click()
    two.get_by_role("button", name="End the turn").click()
    expect(one.get_by_text("Someone else has moved.")).to_be_visible(timeout=15_000)
    expect(one.locator("#adjust_count")).to_have_value("7")
    expect(one.locator("#board h2").first).not_to_contain_text("Ben")
    one.locator("#adjust_count").fill(one.locator("#adjust_count").evaluate("field => field.defaultValue"))
    expect(one.locator("#board h2").first).to_contain_text("Ben", timeout=15_000)
    expect(one.get_by_text("Someone else has moved.")).to_be_hidden()


def test_what_is_unfolded_stays_so_when_the_board_follows_and_what_was_refused_waits(browser, live_server):
    one, complaints = opened(browser)
    begin(one, f"{live_server.url}/scores/doomtrooper/", "Ada\nBen")
    two, _none = opened(browser)
    two.goto(one.url)
    two.get_by_role("button", name="Ben", exact=True).click()
    unfold(one, "spend")
    two.get_by_role("button", name="Turn of Ada", exact=True).click()
    expect(one.locator("#board h2").first).to_have_text("Turn of Ada. Actions left: 3", timeout=15_000)
    expect(one.locator("#spend_value")).to_be_visible()
    one.locator("#fold-spend button[type=submit]").click()
    expect(one.get_by_role("alert")).to_contain_text("Type how many Destiny Points are spent.")
    two.get_by_role("button", name="Ada meditates: +1").click()
    expect(one.get_by_text("Someone else has moved.")).to_be_visible(timeout=15_000)
    one.fill("#spend_value", "2")
    one.locator("#fold-spend button[type=submit]").click()
    assert side(one, "Ada") == ("0", "4")
    assert complaints == []


def test_the_countdown_printed_on_a_card_of_doom_pile_is_filled_in(browser, live_server):
    page, complaints = opened(browser)
    begin(page, f"{live_server.url}/scores/doom_pile/", "Ada\nBen")
    page.get_by_role("link", name="Play on the board").click()
    page.get_by_role("button", name="Begin the game").click()
    page.fill("#play_name", "ash ledger")
    expect(page.locator("#play_start")).not_to_have_value("")
    page.locator("#play_start ~ [data-step='1']").click()
    printed = int(page.locator("#cards option[value='Ash Ledger']").get_attribute("data-printed"))
    page.get_by_role("button", name="Play a card").click()
    expect(page.locator("#card-2 .left")).to_have_text(str(printed + 1))
    assert complaints == []
