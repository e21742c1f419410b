"""What would have been: on the page, over the API and by command; `test_what_if_held` compares it with real events."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.standings.records import ScoringPolicy
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, staff, table
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import text_of
from tournaments.core.rounds import matches_of, rounds_of
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.models import Role, Stage
from tournaments.standings.forms.supposed_results import read_supposed
from tournaments.standings.selectors.standings import standings_of
from tournaments.standings.selectors.what_if import Supposed, suppose, suppose_now, supposed_by
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db


def test_fewer_rounds_are_as_they_were_then() -> None:
    held = running(8, swiss_rounds=4)
    report_all(next_round(held))
    report_all(next_round(held))
    then = standings_of(held)
    report_all(next_round(held), 0, 2)
    found = suppose(held, 3, Supposed(after=2, cut=4))
    assert {line.standing for line in found.lines} == set(then)
    now = {each.contender: each.rank for each in standings_of(held)}
    assert all(line.climbs == now[line.standing.contender] - line.standing.rank for line in found.lines)
    assert sum(line.in_cut for line in found.lines) == sum(line.was_in_cut for line in found.lines) == 4
    assert [line.in_cut for line in found.lines] == [True] * 4 + [False] * 4


def test_what_parts_two_lines_is_named() -> None:
    held = running(4, swiss_rounds=2)
    report_all(next_round(held))
    lines = suppose(held, 1, Supposed(ScoringPolicy(tiebreakers=("match_points", "gw")))).lines
    assert [line.decided_by for line in lines] == ["", "", "match_points", ""]


def test_page_compares_and_stores_nothing() -> None:
    held = running(6, swiss_rounds=3)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    page = manage(held, "what-if/")
    assert "begin with the first published round" in text_of(browser("olive").get(page).content.decode())
    report_all(next_round(held))
    report_all(next_round(held))
    report_all(next_round(held), 0, 2)
    before = standings_of(held), held.scoring_policy
    asked = {"rules": "chess", "win": "5", "tiebreaker_1": "wins", "after": "2", "cut": "2"}
    text = text_of(browser("kit").get(page, asked).content.decode())
    assert "lines have another rank" in text
    assert "Cut line: top 2" in text
    assert "win 5, draw 0.5, loss 0" in text
    wrong = text_of(browser("kit").get(page, {"cut": "x", "rules": "nothing", "win": "-1"}).content.decode())
    assert "Compare" in wrong
    assert "another rank" not in wrong
    held.refresh_from_db()
    assert before == (standings_of(held), held.scoring_policy)
    assert Client().get(page).status_code == 302
    assert browser("mallory").get(page).status_code == 403


def test_another_result_on_page_api_and_command(capsys: pytest.CaptureFixture[str]) -> None:
    held = running(4, swiss_rounds=2)
    round_ = next_round(held)
    report_all(round_)
    report_all(next_round(held))
    match, before = table(round_), standings_of(held)
    winner, loser = (seat.entry for seat in match.seats.order_by("order"))
    now = {each.contender: each.rank for each in before}
    page, asked = manage(held, "what-if/"), {"in_round": 1, "at_table": 1, "result": "0-2"}
    text = text_of(browser("olive").get(page, asked).content.decode())
    assert "lines have another rank" in text
    assert f"was {now[loser.pk]}" in text
    assert f"Round 1, table 1, {winner.name} – {loser.name}: 0–2 instead of 2–0." in text
    address = f"/api/v1/events/{held.slug}/what-if/"
    told = {line["entry"]: line for line in caller("olive").get(address, asked).json()["lines"]}
    assert told[loser.number]["rank"] < told[loser.number]["rank_now"] == now[loser.pk]
    assert told[winner.number]["rank"] > now[winner.pk]
    call_command("what_if", held.slug, result=["1", "1", "0-2"], json=True)
    lines = json.loads(capsys.readouterr().out)["lines"]
    assert [line["rank"] for line in lines] == [line["rank"] for line in told.values()]
    assert standings_of(held) == before
    wrong = ({"result": "7-7"}, {"at_table": 9}, {"result": "", "in_round": 1}, {"in_round": 2, "after": 1})
    for each in wrong:
        text = text_of(browser("olive").get(page, asked | each).content.decode())
        assert "another rank" not in text
        assert caller("olive").get(address, asked | each).status_code in (400, 404, 409, 422)
    with pytest.raises(CommandError, match="no table 9"):
        call_command("what_if", held.slug, result=["1", "9", "2-0"])


def test_another_result_in_a_bracket_and_of_a_finished_event() -> None:
    """Whoever lost the final would have won it; matches to which another semi-final would have led are left out."""
    held = event(4)
    set_stages(account("olive"), held, [StageDraft(Stage.Kind.SINGLE_ELIMINATION)], NOW)
    held = start_tournament(account("olive"), held, NOW)
    report_all(next_round(held))
    report_all(next_round(held))
    finish_tournament(account("olive"), held, NOW)
    final = matches_of(rounds_of(held).last())[0]
    first, second = (seat.entry_id for seat in final.seats.order_by("order"))
    supposed = Supposed(results=read_supposed(held, 2, final.table_number, "0-2"))
    lines = suppose(held, 2, supposed).lines
    assert {line.standing.contender: line.standing.rank for line in lines}[second] == 1
    assert next(line for line in lines if line.standing.contender == first).climbs == -1


def test_api_and_command_tell_what_the_selector_finds(capsys: pytest.CaptureFixture[str]) -> None:
    held = running(6, swiss_rounds=3)
    address = f"/api/v1/events/{held.slug}/what-if/"
    assert caller("olive").get(address).json() == {"moved": 0, "lines": []}
    report_all(next_round(held))
    report_all(next_round(held))
    report_all(next_round(held), 0, 2)
    points = {"win": 5, "draw": None, "loss": None}
    found = suppose_now(
        held, supposed_by(held.scoring_policy, rules="chess", points=points, tiebreakers=["wins"], after=2, cut=2)
    )
    numbers = dict(held.entries.values_list("pk", "number"))
    asked = {"rules": "chess", "win": 5, "tiebreakers": ["wins"], "after": 2, "cut": 2}
    told = caller("olive").get(address, asked).json()
    assert told["moved"] == found.moved
    assert [(each["rank"], each["entry"], each["rank_now"], each["in_cut"]) for each in told["lines"]] == [
        (each.standing.rank, numbers[each.standing.contender], each.now and each.now.rank, each.in_cut)
        for each in found.lines
    ]
    call_command("what_if", held.slug, rules="chess", win=5, tiebreakers=["wins"], after=2, cut=2, json=True)
    lines = json.loads(capsys.readouterr().out)["lines"]
    assert [(each["rank"], each["rank_now"]) for each in lines] == [
        (each["rank"], each["rank_now"]) for each in told["lines"]
    ]
    call_command("what_if", held.slug)
    assert capsys.readouterr().out.endswith("0 lines have another rank\n")
    assert caller("olive").get(address, {"after": 9}).json()["code"] == "unknown_round"
    assert caller("olive").get(address, {"rules": "nothing", "cut": 1}).status_code == 400
    with pytest.raises(CommandError, match="no such round"):
        call_command("what_if", held.slug, after=9)
