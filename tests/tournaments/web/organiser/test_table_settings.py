"""What a report by the code on a table needs before it counts: asked in settings, kept in copies, told by the API."""

import pytest

from journal.clock import database_now
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, event
from tests.tournaments.web.visitors import browser, page, url
from tournaments.events.services.event_templates import copy_tournament
from tournaments.events.services.settings import update_settings

pytestmark = pytest.mark.django_db


def test_the_settings_ask_for_it():
    html = page(browser(account("olive")), url(event(table_reports="staff"), "manage/settings/"))
    assert 'name="table_reports" value="staff"' in html
    chosen = html[html.index('name="table_reports" value="staff"') :]
    assert "checked" in chosen[: chosen.index(">")]


def test_it_can_change_while_the_event_runs_and_is_logged():
    held = event()
    changed = update_settings(account("olive"), held, {"table_reports": "off"}, NOW)
    assert changed.tournament.table_reports == "off"


def test_a_copy_keeps_it():
    held = event(table_reports="off")
    copy = copy_tournament(account("olive"), held, {"name": "Again"}, database_now())
    assert copy.table_reports == "off"


def test_the_api_tells_it_and_takes_it():
    held = event()
    olive, address = caller("olive"), f"/api/v1/events/{held.slug}/"
    assert olive.get(address).json()["table_reports"] == "staff"
    assert olive.patch(address, {"table_reports": "agreed"}, format="json").json()["table_reports"] == "agreed"
    assert olive.patch(address, {"table_reports": "no"}, format="json").status_code == 400
