"""A match of two in an event whose standings count scores: the own page asks for them."""

import pytest

from scoring.standings.records import ScoringPolicy
from tests.tournaments.factories import next_round, running, table
from tests.tournaments.web.visitors import guest, page, url
from tournaments.models import Match

pytestmark = pytest.mark.django_db
BY_SCORES = ScoringPolicy(tiebreakers=("match_points", "victory_points"))


@pytest.mark.parametrize(("best_of", "asked"), [(1, 'name="place_1"'), (3, 'name="points_1"')])
def test_a_player_reports_scores_where_the_standings_read_them(best_of, asked):
    tournament = running(2, best_of=best_of, policy=BY_SCORES)
    match = table(next_round(tournament))
    html = page(guest(tournament, "Ada"), url(tournament, "my/"))
    assert asked in html, html[html.index("<main") :]
    assert Match.objects.get(pk=match.pk).accepted_report_id is None
