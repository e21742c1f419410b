"""Who gets which staff page (docs/how-it-works/trust.md#access), and that no list costs more queries when it grows."""

import re

import pytest
from django.test import Client

from tests.tournaments.factories import event, next_round, report_all, running, staff
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import queries
from tournaments.models import Role, Tournament
from tournaments.web.organiser.urls import manage as routes

pytestmark = pytest.mark.django_db
PAGES = [str(route.pattern) for route in routes if "<" not in str(route.pattern)]


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
