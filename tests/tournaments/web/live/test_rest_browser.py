"""An open page puts in what it is told in part, where it belongs, and all else stays as it is."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from accounts.identity.services import issue_personal_link
from tests.tournaments.factories import NOW, account, entry, next_round, running, score
from tournaments.results.services.reports import report_result

EARLIER = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_part_is_put_in_and_a_whole_page_after_it(browser, live_server):
    held = running(8)
    round_ = next_round(held)
    others = round_.matches.exclude(seats__entry__name="Ada").order_by("table_number")
    own = round_.matches.get(seats__entry__name="Ada")
    person = entry(held, "Ada").members.get().person
    phone = browser.new_context().new_page()
    phone.clock.install(time=EARLIER)
    phone.goto(f"{live_server.url}/p/{issue_personal_link(person, account('olive'), NOW)}/")
    phone.clock.pause_at(EARLIER + timedelta(hours=1))  # the page asks when it is told to, and at no other time
    phone.goto(f"{live_server.url}/e/{held.slug}/my/")
    parts: list[bool] = []
    phone.on("response", lambda answer: parts.append("x-part" in answer.headers) if "/my/" in answer.url else None)
    phone.evaluate("document.getElementById('my-card').dataset.mine = 'stays'")

    def told() -> None:
        phone.evaluate("doomdesk.live.refresh()")

    assert "1st" in phone.inner_text("#my-rank")
    report_result(account("olive"), others[0], score(2, 0), NOW)
    told()
    expect(phone.locator("#my-rank")).not_to_contain_text("1st")
    assert parts == [True]
    expect(phone.locator("#my-card")).to_have_attribute("data-mine", "stays")
    won = (2, 0) if own.seats.get(order=1).entry.name == "Ada" else (0, 2)
    report_result(account("olive"), own, score(*won), NOW)
    told()
    expect(phone.locator("#my-card")).not_to_have_attribute("data-mine", "stays")
    expect(phone.locator("#my-rank")).to_contain_text("1st")
    assert parts == [True, False]
    assert phone.locator("[data-live]").evaluate_all("all => all.length === new Set(all.map(each => each.id)).size")
    report_result(account("olive"), others[1], score(2, 0), NOW)
    told()
    number = entry(held, "Ada").number
    expect(phone.locator(f"#rank-{number}")).to_contain_text("3 points")
    assert parts == [True, False, True]
