"""Two people save one form of stored values at the same moment, from pages that showed the same: one is stored.

The control compares the mark before the lock alone: then both pass, and the second one overwrites the first.
"""

import re

import pytest

from accounts.http.service_errors import call_service
from accounts.http.stored_forms import StoredForm
from tests.races import goes_wrong, race
from tests.tournaments.entries.test_teams import THREE, team_event
from tests.tournaments.factories import account
from tests.tournaments.leagues.test_leagues import league_of
from tests.tournaments.web.visitors import browser, page, url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]
CLIENTS = 4
NAMED = {
    "entry": {"name": "Ada {}", "club": "", "team": ""},
    "member": {"name": "Ada {}"},
    "table": {"fixed_table": "1{}"},
    "needs": {"extra_minutes": "1{}"},
    "league": {"name": "League {}", "visibility": "public", "preset": "eight"},
}


def page_of(form):
    """The page of a form, and where it is sent to from there."""
    if form == "league":
        return f"/l/{league_of().slug}/manage/settings/", ""
    tournament = team_event(THREE)
    rest = {"entry": "change/", "member": "members/1/", "table": "fixed-table/", "needs": "needs/"}[form]
    return url(tournament, "manage/entries/3/"), rest


def stored_at_once(form):
    """How many of the clients, who all send the form from a page that showed the same, are told that it is stored."""
    shown, rest = page_of(form)
    own_form = page(olive(), shown).split(f'action="{shown}{rest}"' if rest else 'class="form"')[1]
    mark = re.search(r'name="seen" value="(\w+)"', own_form)[1]

    def save(number):
        values = {name: value.format(number) for name, value in NAMED[form].items()}
        return olive().post(f"{shown}{rest}", {**values, "seen": mark}).status_code

    return race(save, CLIENTS).count(302)


def olive():
    return browser(account("olive"))


@pytest.mark.parametrize("form", NAMED)
def test_of_those_who_save_at_once_from_the_same_page_one_is_stored(form):
    assert stored_at_once(form) == 1


@pytest.mark.parametrize("form", ["entry", "league"])
def test_control_without_the_look_under_the_lock_several_are_stored(form, monkeypatch):
    monkeypatch.setattr(StoredForm, "store", lambda form, _lock, act: call_service(form, act))
    assert goes_wrong(lambda: stored_at_once(form))
