"""Lists of the staff are dense where the pointer is fine: 36 px a row, 14 missing tables beside the entry line."""

import pytest
from playwright.sync_api import Browser

from tests.page_audits.measures import cut_texts, sticking_out
from tests.page_audits.site import Site
from tests.page_audits.test_keyboard import LAPTOP, PHONE, window_of

pytestmark = pytest.mark.browser
LISTS = ("manage/entries/", "manage/decks/", "manage/penalties/", "manage/log/")
ROW = 36
ABOVE_THE_FOLD = """node => node.getBoundingClientRect().bottom <= innerHeight"""
LINES = """() => [...document.querySelectorAll('.roster tbody tr:not(.gone)')]
  .filter(row => row.querySelector('.title > a').getBoundingClientRect().height < 30)
  .map(row => row.getBoundingClientRect().height)"""
"""The heights of rows with a name in one line; those who withdrew have their act below, for it is long in German."""
RAIL = "() => [...document.querySelectorAll('.rail a')].map(link => link.getBoundingClientRect().height)"
DRAWN = """node => { const boxes = [...node.querySelectorAll('.match .box')].map(box => box.getBoundingClientRect());
  const [left, right] = [Math.min(...boxes.map(box => box.left)), Math.max(...boxes.map(box => box.right))];
  const style = getComputedStyle(node), room = node.clientWidth - 2 * parseFloat(style.paddingLeft);
  return [(right - left) / room, Math.max(...boxes.map(box => box.bottom))]; }"""
"""How much of its card's width a bracket takes, and where it ends."""
LONG = "Maximiliane Auguste Wilhelmine von Hohenstein-Ravensburg"
LAST_GAP = """id => { const card = document.getElementById(id);
  const inside = [...card.querySelectorAll('.list li:last-child *')];
  const bottom = Math.max(...inside.map(node => node.getBoundingClientRect().bottom));
  return card.getBoundingClientRect().bottom - bottom; }"""
HEIGHT = "node => node.getBoundingClientRect().height"
EDGES = """node => { const [lines, rows] = [node.getBoundingClientRect(), [...node.rows]];
  const [first, last] = [rows[0], rows.at(-1)].map(row => row.getBoundingClientRect());
  return [first.top - lines.top, lines.bottom - last.bottom]; }"""
SIDES = """node => { const [range, box] = [document.createRange(), node.getBoundingClientRect()];
  range.selectNode(node.firstChild);
  const words = range.getBoundingClientRect();
  return [words.left - box.left, box.right - words.right]; }"""
"""The room before and behind the first words of a button."""
TALL = """most => [...document.querySelectorAll('main tbody tr')].filter(row => row.checkVisibility())
  .filter(row => [...row.cells].every(cell => cell.innerText.length < 40))
  .map(row => row.getBoundingClientRect().height).filter(height => height > most)"""


def test_desk_shows_14_missing_tables_beside_the_entry_line(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", LAPTOP)
    tab = context.new_page()
    tab.goto("/e/{many}/desk/".format_map(site.values))
    tab.wait_for_selector("#entry[data-ready]")
    assert tab.locator("#entry").evaluate(ABOVE_THE_FOLD)
    rows = tab.locator("[aria-labelledby=missing] .tables > li")
    assert rows.count() == 60
    assert rows.nth(13).evaluate(ABOVE_THE_FOLD)
    context.close()


def test_rows_of_the_staff_are_36_px_high(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", LAPTOP)
    tab = context.new_page()
    for rest in LISTS:
        tab.goto("/e/{many}/".format_map(site.values) + rest)
        assert (rest, tab.evaluate(TALL, ROW)) == (rest, [])
    context.close()


def test_form_for_a_walk_in_is_folded_on_phones_alone(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", PHONE)
    tab = context.new_page()
    tab.goto("/e/{many}/manage/entries/".format_map(site.values))
    name = tab.locator("#enter input[name=name]")
    assert not name.is_visible()
    tab.locator("#enter > summary").click()
    assert name.is_visible()
    tab.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    tab.reload()
    assert name.is_visible()
    assert not tab.locator("#enter > summary").is_visible()
    context.close()


@pytest.mark.parametrize("width", [360, 390])
def test_entry_is_at_most_56_px_high_on_phones_and_keeps_its_acts(site: Site, browser: Browser, width: int) -> None:
    context = window_of(site, browser, "olive", (width, 640))
    tab = context.new_page()
    tab.goto("/e/{many}/manage/entries/".format_map(site.values))
    heights = tab.evaluate(LINES)
    assert len(heights) > 150
    assert max(heights) <= 56
    tab.goto("/e/{waiting}/manage/entries/".format_map(site.values))
    assert max(tab.evaluate(LINES)) <= 57, "56 and the line between"
    assert tab.locator(".roster").get_by_role("button", name="Check in Ben Kowalski").is_visible()
    menu = tab.locator("#entry-2 .more")
    assert not menu.get_by_text("Lantern Street").is_visible()
    menu.locator("summary").click()
    for words in ("Lantern Street", "Personal link…", "Revoke personal links", "Withdraw"):
        assert menu.get_by_text(words).is_visible(), words
    context.close()


def test_a_player_who_dropped_fits_a_phone_in_every_language(site: Site, browser: Browser) -> None:
    """The longest states and act of the list."""
    context = window_of(site, browser, "olive", (360, 640))
    tab = context.new_page()
    for language in ("en", "de", "fr"):
        context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
        tab.goto("/e/{room}/manage/entries/".format_map(site.values))
        assert tab.locator(".roster tr.gone").count() == 1
        assert sticking_out(tab) == [], language
    context.close()


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_last_row_of_a_card_has_the_gap_of_its_head(site: Site, browser: Browser, size: tuple[int, int]) -> None:
    context = window_of(site, browser, "olive", size)
    tab = context.new_page()
    tab.goto("/e/{waiting}/manage/".format_map(site.values))
    for card in ("door-claims", "todos"):
        assert 15 <= tab.evaluate(LAST_GAP, card) <= 18, card
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("size", [(1024, 768), (1280, 800), (1920, 1080)])
def test_rail_shows_every_page_of_an_event_in_a_line(
    site: Site, browser: Browser, language: str, size: tuple[int, int]
) -> None:
    context = window_of(site, browser, "olive", size)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    for path in ("/e/{room}/manage/", "/e/{bracket}/manage/"):
        tab.goto(path.format_map(site.values))
        heights = tab.evaluate(RAIL)
        assert len(heights) > 20
        assert max(heights) <= 28, "one line a link"
        assert tab.locator(".rail a").last.evaluate(ABOVE_THE_FOLD)
        assert tab.locator(".rail > div").evaluate("node => node.scrollHeight - node.clientHeight") == 0
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("size", [(1024, 768), (1280, 800), (1920, 1080)])
def test_header_of_a_player_is_low_and_shows_every_page_beside_long_names(
    site: Site, browser: Browser, language: str, size: tuple[int, int]
) -> None:
    context = window_of(site, browser, "long", size)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    tab.goto("/e/{long}/my/".format_map(site.values))
    assert tab.locator(".bar").evaluate(HEIGHT) <= 80, "the event's name has small lines"
    heights = tab.evaluate(RAIL)
    assert len(heights) > 4
    assert max(heights) <= 40, "one line a link"
    assert not tab.locator(".bar .places").is_visible()
    assert tab.locator("main").get_by_text("Lantern Street").count() == 0, "the bar says which event it is"
    context.close()


@pytest.mark.parametrize("size", [(1024, 768), LAPTOP, (1920, 1080)])
def test_bracket_is_as_wide_as_its_card_and_all_in_sight(site: Site, browser: Browser, size: tuple[int, int]) -> None:
    context = window_of(site, browser, "", size)
    tab = context.new_page()
    tab.goto("/e/{bracket}/bracket/".format_map(site.values))
    share, bottom = tab.locator(".bracket > .scroll").evaluate(DRAWN)
    assert 0.93 < share <= 1
    assert bottom <= size[1]
    tab.locator(".bouts .won a").first.evaluate("(node, name) => node.textContent = name", LONG)
    assert cut_texts(tab) == [], "a winner's long name"
    context.close()


def test_lines_keep_off_the_edges_of_a_card_on_phones(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "player1", PHONE)
    tab = context.new_page()
    for path, lines in (("pairings/?by=table", ".pairs tbody"), ("player/1/", ".played tbody")):
        tab.goto("/e/{room}/".format_map(site.values) + path)
        assert min(tab.locator(lines).first.evaluate(EDGES)) >= 4, path
    context.close()


def test_words_for_screen_readers_take_no_room_in_a_button(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", LAPTOP)
    tab = context.new_page()
    tab.goto("/e/{room}/manage/announcements/".format_map(site.values))
    button = tab.get_by_role("button", name="Withdraw").first
    before, behind = button.evaluate(SIDES)
    assert before == pytest.approx(behind, abs=0.5)
    context.close()
