"""The feature table of a stream by API."""

from datetime import datetime, timedelta

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, table
from tournaments.core.rounds import current_round
from tournaments.events.services.events import start_tournament
from tournaments.models import Stage
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db


def feature(tournament, query="", who="olive"):
    return good(caller(who).get(f"{path_of(tournament)}feature/{query}"))


def test_a_table_comes_with_score_and_lines_of_the_standings():
    tournament = running(4)
    round_ = next_round(tournament)
    before = feature(tournament, "?table=2")
    assert before["match"]["result"] is None
    assert [seat["name"] for seat in before["match"]["seats"]] == [
        seat.entry.name for seat in table(round_, 2).seats.order_by("order")
    ]
    report_all(round_)
    found = feature(tournament, "?table=2")
    assert (found["round"], found["match"]["table"], found["match"]["is_over"]) == (1, 2, True)
    assert found["match"]["result"]["games_won"] == [2, 0]
    assert [line["entry"] for line in found["standings"]] == [seat["entry"] for seat in found["match"]["seats"]]
    assert found["bracket"] is None


def test_the_bracket_comes_once_its_round_is_published():
    tournament = event(4)
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.SINGLE_ELIMINATION)], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    pair_next_round(account("olive"), tournament, NOW)
    assert (feature(tournament)["bracket"], feature(tournament)["match"]) == (None, None)
    publish_round(account("olive"), current_round(tournament), NOW)
    assert len(feature(tournament)["bracket"]["matches"]) == 3


def test_the_delay_says_when_it_may_be_shown():
    found = feature(running(2), "?delay=45")
    as_of, show_at = (datetime.fromisoformat(found[name]) for name in ("as_of", "show_at"))
    assert show_at - as_of == timedelta(seconds=45)


@pytest.mark.parametrize("query", ["?delay=-1", "?delay=soon", "?table=0", "?delay=901"])
def test_bad_parameters_are_refused_by_name(query):
    answer = caller("olive").get(f"{path_of(running(2))}feature/{query}")
    assert answer.status_code == 400
    assert query[1:].split("=")[0] in answer.json()["errors"]


def test_before_the_first_round_there_is_nothing_and_a_private_event_is_hidden():
    found = feature(event(2))
    assert (found["round"], found["match"], found["standings"], found["clock"]) == (None, None, [], None)
    hidden = event(0, visibility="private")
    assert caller("mallory").get(f"{path_of(hidden)}feature/").status_code == 404
