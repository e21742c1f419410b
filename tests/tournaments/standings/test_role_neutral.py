"""Games won beyond the roles beside the standings: from reported games, round by round, on page and API."""

import re
from fractions import Fraction

import pytest

from scoring.standings.results import GameResult, MatchResult, ResultKind
from tests.tournaments.factories import NOW, account, matches_of, next_round, running
from tests.tournaments.web.visitors import browser, page, url
from tournaments.results.services.reports import report_result
from tournaments.standings.selectors.roles import role_neutral

pytestmark = pytest.mark.django_db
DUEL = {"game": "dead_or_destroyed", "game_format": "standard", "best_of": 3}
FIRST, SECOND = ("necromancer", "paladin"), ("paladin", "necromancer")


def report(match, *games):
    """Report games, each as the winning seat, how it was won and the roles by seat."""
    told = tuple(GameResult(winner, kind, roles) for winner, kind, roles in games)
    won = tuple(sum(game.winner == seat for game in told) for seat in (0, 1))
    report_result(account("olive"), match, MatchResult(ResultKind.PLAYED, won, games=told), NOW)


def by_name(tournament, number=None):
    names = dict(tournament.entries.values_list("pk", "name"))
    return {names[entry]: value for entry, value in role_neutral(tournament, number).items()}


@pytest.fixture
def held():
    """Two matches: the necromancer won three of four games."""
    tournament = running(4, **DUEL)
    one, two = matches_of(next_round(tournament))
    report(one, (0, "necromancer", FIRST), (0, "paladin", SECOND))
    report(two, (0, "necromancer", FIRST), (1, "necromancer", SECOND), (1, "concession", FIRST))
    return tournament


def test_what_is_won_in_the_weaker_role_counts_more(held):
    one, two = matches_of(held.stages.get().rounds.get())
    names = [[seat.entry.name for seat in match.seats.order_by("order")] for match in (one, two)]
    assert by_name(held) == {
        names[0][0]: Fraction(1, 4) + Fraction(3, 4), names[0][1]: -Fraction(1, 4) - Fraction(3, 4),
        names[1][0]: Fraction(1, 4) - Fraction(1, 4), names[1][1]: -Fraction(1, 4) + Fraction(1, 4),
    }  # fmt: skip
    assert sum(by_name(held).values()) == 0


def test_a_later_round_changes_nothing_in_an_earlier_standing(held):
    before = by_name(held, 1)
    report(matches_of(next_round(held))[0], (0, "paladin", SECOND), (0, "paladin", SECOND))
    assert by_name(held, 1) == before
    assert by_name(held) != before


def test_page_and_api_show_it_and_rank_nobody_by_it(held):
    html = page(browser(), url(held, "standings/"))
    assert "Games won beyond what the roles win" in html
    shown = re.findall(r'data-label="±R"[^>]*>\s*([+−-]\d\.\d\d)', html)
    assert sorted(shown) == ["+0.00", "+0.00", "+1.00", "-1.00"]
    rows = browser().get(f"/api/v1/events/{held.slug}/standings/").json()["results"]
    assert sorted(row["role_neutral"] for row in rows) == ["-1", "0", "0", "1"]


def test_games_of_equal_roles_have_no_such_column():
    tournament = running(2)
    next_round(tournament)
    assert role_neutral(tournament) is None
    assert "±R" not in page(browser(), url(tournament, "standings/"))
    rows = browser().get(f"/api/v1/events/{tournament.slug}/standings/").json()["results"]
    assert {row["role_neutral"] for row in rows} == {None}


def test_it_costs_the_same_however_many_matches_there_are(held, django_assert_num_queries):
    with django_assert_num_queries(2):
        role_neutral(held)
