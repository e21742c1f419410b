"""The type-ahead of a pile in a browser: by keyboard, by touch, with what nobody knows, and without its file."""

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.scoring.web.test_doomlings_pages import begun, content, phone, root

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sheet():
    return begun("Ada", "Ben")


@pytest.fixture
def page(browser: Browser, live_server, sheet):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    cookies = phone(sheet, 1).cookies
    context.add_cookies([{"name": key, "value": each.value, "url": live_server.url} for key, each in cookies.items()])
    page = context.new_page()
    page.goto(f"{live_server.url}{root(sheet)}")
    yield page
    context.close()


def to_part(page: Page) -> None:
    page.get_by_role("link", name="Ada").click()
    expect(page.locator("#id_traits_add")).to_be_focused()


def test_cards_are_chosen_by_keyboard_told_in_words_and_taken_away(page: Page, sheet) -> None:
    to_part(page)
    page.keyboard.type("kidn")
    field = page.get_by_role("combobox")
    expect(field).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Kidney (green)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Kidney (green): 1 in the list")).to_be_attached()
    page.keyboard.type("3 swar,sentience")
    expect(page.locator(".pile-sum")).to_have_text("Cards: 5, faces: 2, dominants: 1")
    expect(page.locator(".pile-cards")).to_contain_text("★ dominant")
    page.get_by_role("button", name="One Swarm less").tap()
    expect(page.locator("#id_traits")).to_have_value("Kidney (green)\n2 Swarm\nSentience")
    expect(page.locator("#asked")).to_contain_text("Sentience: which colour?")
    page.get_by_role("option").first.wait_for(state="detached")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Score sheet")).to_be_visible()
    assert content(sheet, 1) == {"traits": ["Kidney (green)", "Swarm", "Swarm", "Sentience"]}
    heights = page.evaluate("[...document.querySelectorAll('main button, main a.button')].map((e) => e.offsetHeight)")
    assert not [height for height in heights if 0 < height < 44]


def test_answers_typed_while_questions_are_on_their_way_stay(page: Page, sheet) -> None:
    to_part(page)
    page.keyboard.type("brave,")
    hand = page.locator("#id_ask-hand_add")
    hand.wait_for()
    held: list[Route] = []
    released: list[bool] = []
    page.route("**/parts/1/", lambda route: route.continue_() if released else held.append(route))
    with page.expect_request("**/parts/1/"):
        page.get_by_role("radio", name="4").first.check(force=True)
    hand.press_sequentially("faith,heroic,")
    released.append(True)
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#id_ask-hand")).to_have_value("Faith\nHeroic")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Score sheet")).to_be_visible()
    assert content(sheet, 1) == {"hand": ["Faith", "Heroic"], "hand_size": 4, "traits": ["Brave"]}


@pytest.mark.parametrize("stays", [True, False])
def test_card_typed_just_before_an_answer_comes_is_asked_about(page: Page, stays: bool) -> None:
    """The answer comes within the 300 ms that a change waits; a section that is replaced takes what waits along."""
    page.clock.install()
    to_part(page)
    if not stays:
        page.locator("#asked").evaluate(
            "each => { each.setAttribute('hx-select', '#asked'); each.setAttribute('hx-swap', 'outerHTML') }"
        )
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/parts/1/", lambda route: held.append((route, route.fetch())), times=1)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.keyboard.type("swarm,")
    page.clock.run_for(300)
    while not held:
        page.wait_for_timeout(20)
    page.keyboard.type("faith,")
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(page.locator("#asked")).to_contain_text("So far")
    page.clock.run_for(1000)
    if stays:
        expect(page.locator("#asked")).to_contain_text("Faith")
    assert ["Faith" in data for data in sent] == ([False, True] if stays else [False])


def test_name_that_nobody_knows_stays_and_near_ones_are_offered(page: Page, sheet) -> None:
    to_part(page)
    page.keyboard.type("adorable")
    page.keyboard.type("Antelrs")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="Antlers").tap()
    expect(page.locator("#id_traits")).to_have_value("Adorable\nAntlers")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Score sheet")).to_be_visible()
    assert content(sheet, 1) == {"traits": ["Adorable", "Antlers"]}


def test_text_area_serves_where_the_cards_do_not_come(page: Page, sheet) -> None:
    page.route("**/cards/*.json", lambda route: route.abort())
    page.get_by_role("link", name="Ada").click()
    page.get_by_label("Trait pile").fill("2 Kidney\nAdorable")
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Score sheet")).to_be_visible()
    assert content(sheet, 1) == {"traits": ["Kidney", "Kidney", "Adorable"]}
