"""Standings by API: what a line tells of its tables."""

from fractions import Fraction

import pytest

from scoring.standings.results import table_result
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, next_round, report_all, running, table
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("scores", "lacking"), [((), 1), ((9, 7, 5, 3), 0)])
def test_lines_tell_how_many_of_their_tables_lack_scores(scores, lacking):
    held = running(4, game="doomlings", best_of=1, score_sheets=False)
    result = table_result((1, 2, 3, 4), scores=tuple(map(Fraction, scores)))
    report_result(account("olive"), table(next_round(held)), result, NOW)
    assert {each["tables_without_scores"] for each in lines_of(held)} == {lacking}


def test_where_no_scores_are_counted_none_are_lacking():
    held = running(4)
    report_all(next_round(held))
    assert {each["tables_without_scores"] for each in lines_of(held)} == {0}


def lines_of(held):
    return good(caller("olive").get(f"{path_of(held)}standings/"))["results"]
