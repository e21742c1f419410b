"""The page on which a player plans the order of the own deck, without scripts and by hand in a real browser."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system
from tests.tournaments.decks.test_decks import decklist
from tests.tournaments.factories import NOW, account, entry, event, next_round, running
from tests.tournaments.web.player.test_deck_ready import press
from tests.tournaments.web.visitors import browser, guest, notice_text, page, paired, text_of, url
from tournaments.decks.selectors.stack_orders import stackable_cards
from tournaments.decks.services.decks import replace_deck
from tournaments.events.services.events import start_tournament
from tournaments.models import StackOrder, Tournament

pytestmark = pytest.mark.django_db


def event_with_decks() -> Tournament:
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(2)
    for name in ("Ada", "Ben"):
        replace_deck(account("juno"), entry(tournament, name).members.get(), "Pile", decklist(), "from paper", NOW)
    return start_tournament(account("olive"), tournament, NOW)


@pytest.fixture
def held():
    return event_with_decks()


def cards(tournament):
    member = entry(tournament, "Ada").members.get()
    return list(stackable_cards(tournament, member.deck_version))


def sent(tournament, places=None, order=None, match=None, game=1, act="save"):
    """What the form sends: every card with the place typed beside it."""
    order = order or cards(tournament)
    places = places or range(1, len(order) + 1)
    return {"card": order, "at": [str(place) for place in places], "game": game, "act": act} | (
        {"match": match.pk} if match else {}
    )


def saved():
    return StackOrder.objects.get().cards


def shown(html):
    return re.findall(r'name="card" value="([^"]*)"', html)


def test_places_typed_without_scripts_put_the_cards_in_that_order(held):
    ada, deck = guest(held, "Ada"), cards(held)
    assert shown(page(ada, url(held, "my/stack/"))) == deck
    places = list(range(1, 31))
    places[29], places[0] = 1, 5  # the last card goes to the top, the first one to the fifth place
    answer = ada.post(url(held, "my/stack/"), sent(held, places), follow=True).content.decode()
    assert notice_text(answer) == "done: Your order is saved. Only you can see it."
    assert saved() == [deck[29], deck[1], deck[2], deck[3], deck[4], deck[0], *deck[5:29]]
    assert shown(answer) == saved()


@pytest.mark.parametrize("typed", ["", "0", "31", "-1", "x", "1.5", "9" * 40, "²"])
def test_a_place_that_is_none_is_named_and_what_was_typed_stays(held, typed):
    ada, deck = guest(held, "Ada"), cards(held)
    places = [*range(1, 30), typed]
    text = ada.post(url(held, "my/stack/"), sent(held, places)).content.decode()
    assert f"{deck[29]}: type a place from 1 to 30" in text_of(text)
    assert shown(text) == deck
    assert not StackOrder.objects.exists()


def test_an_order_for_a_game_that_is_over_is_not_stored_as_that_of_the_next(held):
    ada, round_ = guest(held, "Ada"), next_round(held)
    match, *_seats = paired(round_)
    for client in (ada, guest(held, "Ben")):
        press(client, held, match)
    deck = cards(held)
    text = ada.post(url(held, "my/stack/"), sent(held, order=deck[::-1], match=match)).content.decode()
    assert "another game comes next now" in text
    assert shown(text) == deck[::-1]
    assert not StackOrder.objects.exists()
    assert ada.post(url(held, "my/stack/"), sent(held, order=deck[::-1], match=match, game=2)).status_code == 302
    assert saved() == deck[::-1]


def test_the_order_of_the_last_time_is_taken_with_one_press(held):
    ada, deck = guest(held, "Ada"), cards(held)
    ada.post(url(held, "my/stack/"), sent(held, order=deck[::-1]))
    match, *_seats = paired(next_round(held))
    html = page(ada, url(held, "my/stack/"))
    assert "This is the order you prepared." in text_of(html)
    assert shown(html) == deck[::-1]
    ada.post(url(held, "my/stack/"), {"act": "same", "match": match.pk, "game": 1})
    assert StackOrder.objects.get(match=match).cards == deck[::-1]
    html = page(ada, url(held, "my/stack/"))
    assert "Same order as last time" not in html
    earlier = re.search(r'href="(\?from=\d+)"', html)[1]
    assert "prepared" in text_of(html)
    assert page(ada, url(held, "my/stack/") + earlier)


def test_another_players_order_is_neither_shown_nor_begun_with(held):
    guest(held, "Ada").post(url(held, "my/stack/"), sent(held, order=cards(held)[::-1]))
    ben, number = guest(held, "Ben"), StackOrder.objects.get().pk
    assert shown(page(ben, url(held, "my/stack/"), **{"from": str(number)})) == cards(held)
    for who in (browser(), browser(account("mallory")), browser(account("olive")), browser(account("juno"))):
        assert who.get(url(held, "my/stack/")).status_code in (302, 403, 404)


def test_an_event_without_stacking_or_a_player_without_a_deck_has_no_such_page(held):
    other = running(2, game="doomlings")
    assert guest(other, "Ada").get(url(other, "my/stack/")).status_code == 404
    Tournament.objects.filter(pk=held.pk).update(stacking_minutes=0)
    assert guest(held, "Ada").get(url(held, "my/stack/")).status_code == 404


def test_the_minutes_of_game_2_begin_by_a_press_and_the_other_phone_counts_them(held):
    match, first, second = paired(next_round(held))
    one, two = guest(held, first.entry.name), guest(held, second.entry.name)
    for client in (one, two):
        press(client, held, match)
    assert "Start the 10 minutes to stack" in text_of(page(one, url(held, "my/")))
    one.post(url(held, f"match/{match.pk}/stacking/"), {"game": 2})
    html = page(two, url(held, "my/"))
    assert "Stack your deck for game 2" in text_of(html)
    assert f"match={match.pk}&amp;own" in html
    clock = two.get(url(held, "clock/"), {"match": match.pk, "own": ""}).json()["clock"]
    assert [(phase["phase"], phase["length"]) for phase in clock["phases"]] == [("stacking", 600)]
    assert one.get(url(held, "clock/"), {"match": match.pk}).json()["clock"]["phases"][-1]["phase"] == "round"


# In a real browser


@pytest.fixture
def phone(browser: Browser, live_server, transactional_db) -> Page:
    """Ada's phone on the page of her stack."""
    held = event_with_decks()
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    link = guest(held, "Ada").cookies
    page.context.add_cookies(
        [{"name": name, "value": each.value, "url": live_server.url} for name, each in link.items()]
    )
    page.goto(f"{live_server.url}{url(held, 'my/stack/')}")
    return page


def rows(page: Page) -> list[int]:
    """Where each row stood when the page was opened: copies of a card look alike."""
    return page.locator(".stack-cards li").evaluate_all("all => all.map((each, at) => +(each.dataset.row ??= at))")


@pytest.mark.browser
def test_cards_are_moved_by_keys_by_place_and_by_hand_and_stay_so_once_saved(phone):
    deck, names = rows(phone), shown(phone.content())
    grips, places = phone.locator(".stack-grip"), phone.locator(".stack-cards input[name=at]")
    grips.nth(4).focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowDown"):
        phone.keyboard.press(key)
    expected = [*deck[:3], deck[4], deck[3], *deck[5:]]
    assert rows(phone) == expected
    assert phone.evaluate("+document.activeElement.closest('li').dataset.row") == 4
    phone.keyboard.press("End")
    assert rows(phone) == [*deck[:4], *deck[5:], deck[4]]
    expect(phone.locator("#stack-moved")).to_contain_text("place 30")
    places.nth(29).fill("1")
    places.nth(29).press("Tab")
    assert rows(phone) == [deck[4], *deck[:4], *deck[5:]]
    grips.nth(0).scroll_into_view_if_needed()
    box, to = grips.nth(0).bounding_box(), grips.nth(3).bounding_box()
    phone.mouse.move(box["x"] + 20, box["y"] + 20)
    phone.mouse.down()
    phone.mouse.move(box["x"] + 20, to["y"] + 40, steps=8)
    expect(phone.locator(".stack-cards li").nth(3)).to_have_attribute("data-row", "4")
    phone.mouse.up()
    moved = [names[row] for row in rows(phone)]
    assert places.evaluate_all("all => all.map(each => each.value)") == [str(place) for place in range(1, 31)]
    phone.get_by_role("button", name="Save this order").click()
    expect(phone.get_by_text("Your order is saved.")).to_be_visible()
    assert shown(phone.content()) == saved() == moved
