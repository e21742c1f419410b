"""Looks before a correction or a drop by API: the same values, nothing stored, tables for officials alone."""

import pytest

from tests.tournaments.api.callers import caller
from tests.tournaments.factories import staff, table
from tests.tournaments.impact.test_impact import add_cut, newest, played, repairable, stored
from tournaments.models import Role, Round

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def address(tournament, rest):
    return f"/api/v1/events/{tournament.slug}/{rest}"


def look(client, tournament, match, **body):
    wanted = {"kind": "double_loss", "reason": "typed wrongly", **body}
    return client.post(address(tournament, f"matches/{match.pk}/correction/preview/"), wanted, format="json")


def test_look_tells_what_the_correction_moves_and_stores_nothing():
    tournament = played()
    add_cut(tournament)
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    olive = caller("olive")
    untouched = stored(tournament)
    answer = look(olive, tournament, match)
    assert answer.status_code == 200
    told = answer.json()
    assert stored(tournament) == untouched
    assert told["rounds"] == [2, 3, 4]
    assert {line["entry"] for line in told["lines"]} <= set(tournament.entries.values_list("number", flat=True))
    moved = next(line for line in told["lines"] if line["keys"] and line["keys"][0]["key"] == "match_points")
    assert int(moved["keys"][0]["after"]) < int(moved["keys"][0]["before"])
    assert look(olive, tournament, match).json()["mark"] == told["mark"]


def test_look_refuses_what_the_correction_would_refuse():
    tournament = played()
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    assert look(caller("olive"), tournament, match, kind="played", games_won=[7, 0]).status_code == 422
    assert look(caller("olive"), tournament, match, reason="").status_code in (400, 422)


def test_tables_are_for_officials_alone():
    tournament = played()
    _act, impact = repairable(tournament)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    member = tournament.entries.get(pk=impact.lines[0].entry)
    rest = f"entries/{member.number}/drop/preview/"
    seen = {name: caller(name).post(address(tournament, rest), {}, format="json").json() for name in ("olive", "kit")}
    assert seen["kit"]["tables"] is None
    assert seen["olive"]["tables"]["round"] == newest(tournament).number
    assert seen["olive"]["tables"]["cost_after"]["unplaced"] >= 0
    assert seen["kit"]["lines"] == seen["olive"]["lines"]
