"""Who gets which staff page (docs/how-it-works/trust.md#access), and that no list costs more queries when it grows."""

import re
from http.cookies import SimpleCookie

import pytest
from django.test import Client

from tests.tournaments.factories import event, next_round, report_all, running, staff
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import queries
from tournaments.models import Role, Tournament
from tournaments.web.organiser.urls import manage as routes

pytestmark = pytest.mark.django_db
PAGES = {
    "copy/": "o", "rehearse/": "o",
    "": "ojk", "settings/": "o", "entries/": "ojk", "rounds/": "ojk", "staff/": "o", "decks/": "ojk", "log/": "oj",
    "log.csv": "oj", "log.xlsx": "oj", "entries.csv": "ojk", "entries.xlsx": "ojk", "entries/1/": "ojk",
    "decks/1/": "j", "decks/checks/": "j",
    "penalties/": "oj", "penalties/give/1/": "j", "stages/": "o", "stages/take-back/": "o", "work/": "o",
    "entries/links/mail/": "oj", "announcements/": "oj", "tables/": "oj", "event.zip": "o", "what-if/": "ojk",
    "webhooks/": "o", "plan/": "o", "check-in/": "ojkc", "move/": "o",
}  # fmt: skip
"""Who sees a page: the organiser, the judge (and the head judge), the scorekeeper, the helper at the check-in."""
PRESSES = {
    "copy/": "o", "rehearse/": "o", "rehearsal/play/": "o", "rehearsal/play-on/": "o", "rehearsal/delete/": "o",
    "open/": "o", "close/": "o", "start/": "o", "finish/": "o", "cancel/": "o", "reopen/": "o", "settings/": "o",
    "entries/preview/": "ojk", "entries/add/": "ojk", "entries/add-one/": "ojk", "entries/check-in-all/": "ojkc",
    "entries/1/check-in/": "ojkc", "entries/1/undo-check-in/": "ojkc", "entries/1/drop/": "ojk",
    "entries/1/drop/look/": "ojk", "entries/1/seen/": "ojk",
    "entries/1/change/": "ojk", "entries/1/members/": "ojk", "entries/1/members/1/": "ojk",
    "entries/1/members/1/remove/": "ojk",
    "entries/1/fixed-table/": "oj", "entries/1/apart/": "oj", "entries/1/apart/remove/": "oj",
    "entries/1/byes/": "o", "entries/1/byes/remove/": "o",
    "entries/1/return/": "ojk", "entries/1/link/": "oj", "entries/links/": "oj", "entries/links/mail/": "oj",
    "entries/1/revoke-links/": "oj", "entries/1/needs/": "oj",
    "plan/start/": "o", "plan/stop/": "o",
    "rounds/pair/": "o", "rounds/1/publish/": "o", "rounds/1/take-back/": "o", "rounds/1/recompute/": "oj",
    "rounds/1/clock/start/": "oj", "match/1/extra-time/": "oj",
    "stages/": "o", "stages/recommended/": "o", "stages/take-back/": "o",
    "staff/": "o", "staff/1/remove/": "o", "staff/invites/1/revoke/": "o", "decks/1/": "j", "decks/1/read/": "j",
    "decks/draw/": "j", "decks/1/sheet/": "j", "decks/1/check/": "j", "decks/1/reopen/": "j", "decks/1/shut/": "j",
    "decks/1/allow/": "j", "penalties/give/1/": "j", "work/again/": "o",
    "announcements/": "oj", "announcements/1/withdraw/": "oj", "announcements/1/again/": "oj",
    "tables/renew/": "oj", "tables/revoke/": "oj", "door/open/": "oj", "door/close/": "oj", "door/claims/1/": "oj",
    "webhooks/": "o", "webhooks/1/resend/": "o", "webhooks/1/delete/": "o", "move/": "o", "move/take-back/": "o",
}  # fmt: skip
PAGES_OF_A_STAGE = ("stages/next/",)
"""Their roles are tested in test_stages.py, before a cut."""
PAGES_OF_A_ROUND = ("rounds/1/tables/", "rounds/1/tables/1/", "rounds/1/change/")
"""Their roles are tested in test_manual_pairing.py, beside a round."""
PAGES_OF_A_DOOR = ("door/",)
"""Their roles are those of its presses; there is a page once the door is open: test_door.py."""
PAGES_OF_A_PENALTY = ("penalties/1/take-back/",)
"""Their roles are tested in test_penalties.py, beside a penalty."""
CAST = {"olive": "o", "juno": "j", "hana": "j", "kit": "k", "cora": "c", "sten": "s", "mallory": "m", "": "a"}


@pytest.fixture(scope="module")
def held(shared_db: None) -> Tournament:
    """An event of one player with its staff."""
    tournament = event(1)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    for name, role in (("hana", Role.Name.HEAD_JUDGE), ("cora", Role.Name.CHECK_IN), ("sten", Role.Name.STREAM)):
        staff(tournament, name, role)
    return tournament


@pytest.fixture(scope="module")
def fields(shared_db: None) -> list[Tournament]:
    """A small and a large event of Olive, who judges there too, in the second round."""
    tournaments = [running(players, also_judge=True) for players in (10, 60)]
    for tournament in tournaments:
        report_all(next_round(tournament))
        browser("olive").post(manage(tournament, "rounds/pair/"), {"after": "1"})
    return tournaments


@pytest.fixture(scope="module")
def signed_in(held: Tournament) -> dict[str, SimpleCookie]:
    """The cookies of everybody's browser, the least first: nobody finds what another one did."""
    return {name: browser(name).cookies if name else SimpleCookie() for name in reversed(CAST)}


def cast(signed_in: dict[str, SimpleCookie]) -> dict[str, Client]:
    """A fresh browser for everybody, signed in already."""
    clients = {name: Client() for name in signed_in}
    for name, cookies in signed_in.items():
        clients[name].cookies.update(cookies)
    return clients


def refusal(name: str, answer) -> bool:
    """Whether it is the refusal that fits: visitors are led to sign in, others denied."""
    if name:
        return answer.status_code == 403
    return answer.status_code == 302 and answer.headers["Location"].startswith("/accounts/login/")


def test_every_page_of_the_organiser_is_in_these_tables() -> None:
    patterns = {str(route.pattern) for route in routes}
    elsewhere = (*PAGES_OF_A_ROUND, *PAGES_OF_A_STAGE, *PAGES_OF_A_DOOR, *PAGES_OF_A_PENALTY)
    samples = {path.replace("1", "<id>") for path in (*PAGES, *PRESSES, *elsewhere)}
    plain = {pattern.replace("<int:number>", "<id>").replace("<int:round_id>", "<id>") for pattern in patterns}
    plain = {pattern.replace("<int:place>", "<id>") for pattern in plain}
    plain = {pattern.replace("<int:match_id>", "<id>").replace("<slug:act>", "start") for pattern in plain}
    plain = {pattern.replace("<int:role_id>", "<id>").replace("<int:invite_id>", "<id>") for pattern in plain}
    plain = {re.sub("<int:(penalty|announcement|claim|webhook)_id>", "<id>", pattern) for pattern in plain}
    assert plain == samples


@pytest.mark.parametrize("page", PAGES)
def test_page_opens_for_its_roles_alone(held: Tournament, signed_in: dict[str, SimpleCookie], page: str) -> None:
    for name, browser_ in cast(signed_in).items():
        answer = browser_.get(manage(held, page))
        expected = answer.status_code == 200 if CAST[name] in PAGES[page] else refusal(name, answer)
        assert expected, (name, answer.status_code)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("press", PRESSES)
def test_press_works_for_its_roles_alone(held: Tournament, signed_in: dict[str, SimpleCookie], press: str) -> None:
    for name, browser_ in cast(signed_in).items():
        before = held.entries.values_list("state", "checked_in_at").get()
        answer = browser_.post(manage(held, press), {"key": name})
        if CAST[name] in PRESSES[press]:
            assert answer.status_code in (200, 302, 404, 422), (name, answer.status_code)
        else:
            assert answer.status_code == 403 if name else answer.status_code == 302, (name, answer.status_code)
            assert name or answer.headers["Location"] == "/accounts/login/"
            assert held.entries.values_list("state", "checked_in_at").get() == before


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", [path for path in PRESSES if path not in PAGES])
def test_reading_never_presses(held: Tournament, path: str) -> None:
    reader = browser("juno" if "o" not in PRESSES[path] else "olive")
    assert reader.get(manage(held, path)).status_code == 405


def masked(answer) -> str:
    """A page without what differs each time: the token, and the address asked, to which the form of languages leads."""
    return re.sub(r'(name="(?:csrfmiddlewaretoken|next)" value=)"[^"]*"', r"\1", answer.content.decode())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("hidden", [{"visibility": "private"}, {"state": "draft"}])
def test_hidden_event_is_the_same_nothing_to_strangers(held: Tournament, page: str, hidden: dict[str, str]) -> None:
    Tournament.objects.filter(pk=held.pk).update(**hidden)
    for stranger in (browser("mallory"), Client()):
        found = stranger.get(manage(held, page))
        unknown = stranger.get(f"/e/no-such-event-2222222222222222/manage/{page}")
        assert (found.status_code, unknown.status_code) == (404, 404)
        assert masked(found) == masked(unknown)


@pytest.mark.parametrize(
    "page",
    [
        "", "entries/", "entries/?q=Player", "entries/1/", "entries.csv", "rounds/", "decks/", "log/", "log.csv",
        "staff/", "work/", "plan/", "what-if/?rules=chess&cut=4", "what-if/?in_round=1&at_table=1&result=0-2",
    ],
)  # fmt: skip
def test_queries_do_not_grow_with_the_field(fields: list[Tournament], page: str) -> None:
    small, large = (queries(browser("olive"), manage(tournament, page)) for tournament in fields)
    assert small == large


def test_pages_carry_no_inline_script_or_style() -> None:
    tournament = event(3)
    olive = browser("olive")
    for page in ("", "settings/", "entries/", "entries/1/", "rounds/", "staff/", "decks/", "log/"):
        html = olive.get(manage(tournament, page)).content.decode()
        assert not re.search(r"<script(?![^>]* src=)", html)
        assert " style=" not in html
        assert html.count('class="first"') + html.count('class="button first"') <= 1, page
