"""What would have been: the same standings as those of an event that was really held so."""

import json
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.standings.presets import PRESETS
from scoring.standings.records import ScoringPolicy
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, score, staff
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import text_of
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.models import Role, Stage, Tournament
from tournaments.results.services.reports import report_result
from tournaments.standings.selectors.standings import standings_of
from tournaments.standings.selectors.what_if import Supposed, composed, suppose, suppose_now, supposed_by
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
PROFILES = ("doom_pile", "doomtrooper", "match_wins", "half_draws", "duels_third", "duel_number")
"""Rules in which it makes no difference in which round two meet."""
SCORES = ((2, 0), (2, 1), (1, 1), (1, 2), (0, 2))


def robin(policy: ScoringPolicy, players: int) -> Tournament:
    """A round robin: whoever leads, everybody meets everybody."""
    held = event(players, policy=policy)
    set_stages(account("olive"), held, [StageDraft(Stage.Kind.ROUND_ROBIN)], NOW)
    return start_tournament(account("olive"), held, NOW)


def play(tournament: Tournament, rounds: int, seed: int) -> None:
    """Play rounds with results that depend on the seed and who meets alone."""
    for _each in range(rounds):
        for match in matches_of(next_round(tournament)):
            names = sorted((seat.entry.name, seat.order) for seat in match.seats.all())
            if len(names) < 2:
                continue
            drawn = Random(f"{seed} {names[0][0]} {names[1][0]}").choice(SCORES)
            won = drawn if names[0][1] < names[1][1] else drawn[::-1]
            report_result(account("olive"), match, score(*won), NOW)


def values_of(tournament: Tournament, lines: tuple, policy: ScoringPolicy) -> dict[str, tuple]:
    """Rank, record and values by name; the lot is each event's own, and so are ranks that it decides."""
    names = dict(tournament.entries.values_list("pk", "name"))
    kept = [key for key in policy.tiebreakers if key != "lot"]
    ranked = len(kept) == len(policy.tiebreakers)
    return {
        names[line.contender]: (ranked and line.rank, line.tally, [line.value(key) for key in kept]) for line in lines
    }


def as_if_held(seed: int) -> None:
    draw = Random(seed)
    players = draw.randint(3, 5)
    rounds = players - 1 + players % 2
    here, there = (PRESETS[key].policy for key in draw.sample(PROFILES, 2))
    there = composed(here, there, {}, ())
    held, other = robin(here, players), robin(there, players)
    play(held, rounds, seed)
    play(other, rounds, seed)
    supposed = tuple(line.standing for line in suppose(held, rounds, Supposed(there)).lines)
    assert values_of(held, supposed, there) == values_of(other, standings_of(other), there), seed


def test_other_rules_rank_as_in_an_event_held_by_them(seed: int) -> None:
    for each in range(3):
        as_if_held(seed + each)


@pytest.mark.long
def test_other_rules_rank_as_in_500_events(seed: int) -> None:
    for each in range(500):
        as_if_held(seed + each)


def test_fewer_rounds_are_as_they_were_then() -> None:
    held = running(8, swiss_rounds=4)
    report_all(next_round(held))
    report_all(next_round(held))
    then = standings_of(held)
    report_all(next_round(held), 0, 2)
    found = suppose(held, 3, Supposed(after=2, cut=4))
    assert tuple(line.standing for line in found.lines) == then
    now = {each.contender: each.rank for each in standings_of(held)}
    assert [line.climbs for line in found.lines] == [now[each.contender] - each.rank for each in then]
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
