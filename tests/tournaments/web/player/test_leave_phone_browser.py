"""Leaving a lent phone, in a real browser: it is notified of nothing more, and what it showed is gone."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Worker, expect

from accounts.identity.services import issue_personal_link
from journal.clock import database_now
from tests.tournaments.factories import account, entry, running

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SUBSCRIBED = """() => {  // a subscription takes a push service outside: this one says whether it was ended
  self.ended = self.notified = 0;
  PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { self.ended += 1; return true; } });
  const notify = self.registration.showNotification.bind(self.registration);
  self.registration.showNotification = async (...told) => { await notify(...told); self.notified += 1; };
}"""
SHOWN = "navigator.serviceWorker.ready.then(at => at.getNotifications()).then(all => all.map(each => each.title))"


def deliver(worker: Worker, phone: Page, message: dict[str, str]) -> None:
    """A message reaches the worker as one of the push service does, and is on the screen.

    A test that asked for the notifications while one was on its way there once saw none, so this waits for it.
    """
    session, seen = phone.context.new_cdp_session(phone), []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda found: seen.extend(found["registrations"]))
    session.send("ServiceWorker.enable")
    wait_until(phone, lambda: bool(seen), True)
    origin = phone.evaluate("location.origin")
    about = {"origin": origin, "registrationId": seen[-1]["registrationId"], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", about)
    wait_until(phone, lambda: worker.evaluate("self.notified"), 1)
    session.detach()


def wait_until(phone: Page, find: Callable[[], object], wanted: object) -> None:
    for _time in range(100):
        if (found := find()) == wanted:
            return
        phone.wait_for_timeout(100)
    assert found == wanted


def wait_for(worker: Worker, phone: Page, ended: int, titles: list[str]) -> None:
    """How often the subscription was ended, and what the phone shows."""
    wait_until(phone, lambda: (worker.evaluate("self.ended"), phone.evaluate(SHOWN)), (ended, titles))


def worker_of(context: BrowserContext, phone: Page) -> Worker:
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.reload()  # a page that was on its way while the worker started is not its own
    return context.service_workers[0]


def test_a_phone_that_was_left_is_unsubscribed_and_shows_no_notification(browser, live_server):
    tournament = running(2)
    context = browser.new_context(base_url=live_server.url, permissions=["notifications"])
    phone = context.new_page()
    person = entry(tournament, "Ada").members.get().person
    phone.goto(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    phone.goto(f"/e/{tournament.slug}/my/")
    worker = worker_of(context, phone)
    worker.evaluate(SUBSCRIBED)
    deliver(worker, phone, {"title": "Round 1: table 1", "body": "Ada against Ben", "tag": "round-1"})
    wait_for(worker, phone, 0, ["Round 1: table 1"])
    phone.reload()
    wait_for(worker, phone, 0, ["Round 1: table 1"])
    phone.locator(".menu summary", has_text="Ada").click()
    phone.get_by_role("button", name="Sign out on this phone").click()
    expect(phone.get_by_text("You're signed out on this phone")).to_be_visible()
    wait_for(worker, phone, 1, [])
    context.close()
