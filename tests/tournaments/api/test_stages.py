"""The structure of an event by API: stages set, the cut looked at and made, brackets and crosstables read."""

import pytest

from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, event, next_round, report_all
from tournaments.events.services.events import start_tournament
from tournaments.models import Stage
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
CUP = {"kind": "single", "qualify": "top", "qualify_value": 2, "third_place": True}


def path(tournament, rest):
    return f"/api/v1/events/{tournament.slug}/{rest}"


def held(*drafts, players=4):
    """A running event of these stages with its first round reported."""
    tournament = event(players)
    set_stages(account("olive"), tournament, drafts, NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament))
    return tournament


def with_cup():
    cup = StageDraft(Stage.Kind.SINGLE_ELIMINATION, qualify=Stage.Qualify.TOP, qualify_value=2)
    return held(StageDraft(planned_rounds=1), cup)


def test_stages_are_set_and_read_back():
    tournament, olive = event(4), caller("olive")
    before = olive.get(path(tournament, "stages/")).json()
    body = {"stages": [{"kind": "swiss", "planned_rounds": 3}, CUP], "seen": before["mark"]}
    answer = olive.put(path(tournament, "stages/"), body, format="json")
    assert answer.status_code == 200
    stages = answer.json()["stages"]
    assert [(each["kind"], each["planned_rounds"], each["qualify_value"]) for each in stages] == [
        ("swiss", 3, None),
        ("single", None, 2),
    ]
    assert stages == caller().get(path(tournament, "stages/")).json()["stages"]
    assert olive.put(path(tournament, "stages/"), body, format="json").json()["code"] == "stages_changed"


@pytest.mark.parametrize(("said", "minutes"), [({}, 0), ({"round_minutes": None}, None), ({"round_minutes": 40}, 40)])
def test_dt97_time_a_cut_has_the_minutes_of_the_way_unless_others_are_sent(said, minutes):
    tournament = event(4, game="doomtrooper", game_format="tournament-1997", best_of=1)
    cup = {**CUP, **said}
    answer = caller("olive").put(path(tournament, "stages/"), {"stages": [{"kind": "swiss"}, cup]}, format="json")
    assert [each["round_minutes"] for each in answer.json()["stages"]] == [None, minutes]


@pytest.mark.parametrize(
    ("stages", "status"),
    [
        ([], 400),
        ([{"kind": "knockout"}], 400),
        ([{"kind": "swiss", "planned_rounds": 0}], 400),
        ([{"kind": "swiss", "tables": {"least": 6, "preferred": 2}}], 400),
        ([CUP], 422),
        ([{"kind": "tables"}], 422),
    ],
)
def test_stages_that_cannot_be_are_refused(stages, status):
    tournament = event(4)
    answer = caller("olive").put(path(tournament, "stages/"), {"stages": stages}, format="json")
    assert answer.status_code == status


def test_cut_is_looked_at_begun_and_taken_back():
    tournament, olive = with_cup(), caller("olive")
    found = olive.get(path(tournament, "stages/next/")).json()
    assert found["players"] == 2
    assert [line["seed"] for line in found["lines"]] == [1, 2, None, None]
    refused = olive.post(path(tournament, "stages/next/begin/"), {"seen": "elsewhere"}, format="json")
    assert refused.json()["code"] == "cut_changed"
    begun = olive.post(path(tournament, "stages/next/begin/"), {"seen": found["mark"]}, format="json")
    assert begun.json()["has_begun"] is True
    back = olive.post(path(tournament, "stages/take-back/"), {"reason": "a wrong result"}, format="json")
    assert back.json()["has_begun"] is False


def test_bracket_tells_seats_states_and_winners():
    tournament = held(StageDraft(Stage.Kind.SINGLE_ELIMINATION))
    bracket = caller().get(path(tournament, "bracket/")).json()
    assert [(match["id"], match["round"], match["state"]) for match in bracket["matches"]] == [
        ("W1-1", "Semi-finals", "played"),
        ("W1-2", "Semi-finals", "played"),
        ("W2-1", "Final", "playable"),
    ]
    semi, final = bracket["matches"][0], bracket["matches"][2]
    assert semi["winner"] in [seat["entry"] for seat in semi["seats"]]
    assert sorted(seat["games_won"] for seat in semi["seats"]) == [0, 2]
    assert final["seats"][0]["comes_from"] == {"by": "winner", "seed": 0, "match": "W1-1"}
    assert (final["match"], bracket["champion"]) == (None, None)


def test_crosstable_tells_every_meeting_from_both_sides():
    tournament = held(StageDraft(Stage.Kind.ROUND_ROBIN))
    rows = caller().get(path(tournament, "crosstable/")).json()["rows"]
    outcomes = sorted(each["outcome"] for row in rows for each in row["meetings"])
    assert (len(rows), outcomes) == (4, ["loss", "loss", "win", "win"])


@pytest.mark.parametrize("rest", ["bracket/", "crosstable/", "stages/next/", "bracket/?stage=7", "crosstable/?stage=7"])
def test_what_is_not_there_is_not_found(rest):
    assert caller("olive").get(path(event(4), rest)).status_code == 404
