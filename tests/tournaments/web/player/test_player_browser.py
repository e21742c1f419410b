"""The players' pages and the desk in a browser without scripts: by keyboard alone, and no wider than a phone."""

import pytest
from playwright.sync_api import Page

from accounts.identity.services import issue_personal_link
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from tests.tournaments.factories import account, entry, event, next_round, running, score, staff, table
from tests.tournaments.web.visitors import browser as client_of
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Role
from tournaments.results.services.reports import report_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = ("Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren", "Maximiliane von Hohenstein-Ravensburg zu Oberwald")
PAGES = ("", "pairings/", "pairings/?by=table", "standings/", "register/", "my/", "my/drop/", "my/deck/")
STAFF_PAGES = ("desk/", "desk/?table=1", "match/{match}/")


def overflow(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


@pytest.fixture
def held():
    load_catalogues(database_now())
    olive, opened_event = account("olive"), event(4, swiss_rounds=3)
    register_walk_ins(olive, opened_event, [EntryDraft(name) for name in LONG], database_now())
    return start_tournament(olive, opened_event, database_now())


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_the_screen(opened, live_server, held, width):
    round_ = next_round(held)
    match = next(seat.match for seat in entry(held, LONG[0]).seats.all())
    for won in ((2, 0), (0, 2)):
        report_result(account("olive"), match, score(*won), database_now())
    token = issue_personal_link(entry(held, LONG[1]).members.get().person, account("olive"), database_now())
    player = opened(width, {})
    player.goto(f"{live_server.url}/p/{token}/")
    desk = opened(width, client_of(staff(held, "juno", Role.Name.JUDGE)).cookies)
    wide = {}
    for page, rests in ((player, PAGES), (desk, STAFF_PAGES)):
        for rest in rests:
            answer = page.goto(f"{live_server.url}/e/{held.slug}/{rest.format(match=match.pk)}")
            assert answer.status == 200, rest
            wide[rest] = overflow(page)
    assert not any(wide.values()), wide
    assert round_.number == 1


def test_desk_is_driven_by_keyboard_alone(opened, live_server):
    held = running(6)
    round_ = next_round(held)
    page = opened(1280, client_of(staff(held, "kit", Role.Name.SCOREKEEPER)).cookies)
    page.goto(f"{live_server.url}/e/{held.slug}/desk/")
    for number, code in ((2, "1"), (3, "4")):
        page.locator("input[name=table]:focus").wait_for()
        page.keyboard.type(str(number))
        page.keyboard.press("Tab")
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        page.get_by_text(f"{number - 1} of 3 tables").wait_for()
    assert [table(round_, number).state for number in (1, 2, 3)] == [
        Match.State.OPEN,
        Match.State.DONE,
        Match.State.DONE,
    ]


def test_player_reports_by_keyboard_alone(opened, live_server):
    held = running(2)
    round_ = next_round(held)
    token = issue_personal_link(entry(held, "Ada").members.get().person, account("olive"), database_now())
    page = opened(390, {})
    page.goto(f"{live_server.url}/p/{token}/")
    page.locator("summary", has_text="report it").focus()
    page.keyboard.press("Enter")
    page.locator("input[name=score]").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_text("waiting for Ben").wait_for()
    assert table(round_).state == Match.State.REPORTED


def test_player_reports_in_three_taps_without_account_or_script(opened, live_server):
    held = running(2, game="house_game", game_format="open")
    round_ = next_round(held)
    token = issue_personal_link(entry(held, "Ada").members.get().person, account("olive"), database_now())
    page, taps = opened(390, {}), 0
    page.goto(f"{live_server.url}/p/{token}/")
    taps += 1  # the personal link
    for target in (page.locator("label", has_text="2–1"), page.locator("#report button[type=submit]")):
        box = target.bounding_box()
        assert box["y"] >= 0, "on the first screen, without scrolling"
        assert box["y"] + box["height"] <= 844
        target.tap()
        taps += 1
    page.get_by_text("waiting for Ben").wait_for()
    assert taps == 3
    assert table(round_).state == Match.State.REPORTED
