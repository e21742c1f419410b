"""Why one stands above another: page and API add up to what the standings show, and say so where nothing decides."""

import random
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from django.urls import reverse

from scoring.standings.derivations import Derivation, Operation
from scoring.standings.presets import PRESETS
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import (
    NOW,
    account,
    entry,
    event,
    next_round,
    report_all,
    running,
    score,
    table,
)
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.services.events import start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.results.services.reports import report_result
from tournaments.standings.selectors.reasons import Cause, compared_lines, reason_for
from tournaments.standings.selectors.standings import standings_of

pytestmark = pytest.mark.django_db
SCORES = ((2, 0), (2, 1), (1, 2), (0, 2), (1, 1))
MADE_OF = {
    Operation.SUM: sum,
    Operation.AVERAGE: lambda values: sum(values) / len(values),
    Operation.SHARE: lambda values: values[0] / values[1],
    Operation.PRODUCT: lambda values: values[0] * values[1],
    Operation.GIVEN: lambda values: values[0],
}


def played(players, rounds, preset, seed):
    """An event of made-up results, with a bye where the number is odd and somebody who drops after round 1."""
    chance, tournament = random.Random(seed), event(players)
    update_settings(account("olive"), tournament, {"policy": PRESETS[preset].policy}, NOW)
    start_tournament(account("olive"), tournament, NOW)
    tournament.refresh_from_db()
    for number in range(rounds):
        for match in matches_of(next_round(tournament, seed=seed + number)):
            if match.table_number:
                report_result(account("olive"), match, score(*chance.choice(SCORES)), NOW)
        if number == 0:
            drop_entry(account("olive"), entry(tournament, "Ben"), NOW)
    return tournament


def check_adds_up(derivation: Derivation) -> Fraction:
    """The value of a derivation from its counted terms alone, theirs from their parts unless they were changed."""
    for term in derivation.terms:
        if term.parts is not None and not term.note and derivation.operation is not Operation.GIVEN:
            assert check_adds_up(term.parts) == term.value
    values = [term.value for term in derivation.terms if term.counted]
    assert MADE_OF[derivation.operation](values) == derivation.value
    return derivation.value


@pytest.mark.parametrize(
    ("preset", "players"), [("duels_033", 7), ("half_draws", 8), ("chess", 7), ("double_sided", 6)]
)
def test_reasons_of_random_events_add_up_to_the_standings(preset, players):
    tournament = played(players, 3, preset, seed=players)
    standings = standings_of(tournament)
    policy = tournament.scoring_policy
    for upper, lower in pairwise(standings):
        reason = reason_for(tournament, upper, lower)
        if upper.rank == lower.rank:
            assert (reason.cause, reason.key) == (Cause.TIED, None)
            continue
        place = policy.tiebreakers.index(reason.key)
        assert reason.cause is Cause.TIEBREAKER
        assert [value for _key, value in reason.equal] == list(upper.keys[:place]) == list(lower.keys[:place])
        assert check_adds_up(reason.one) == upper.keys[place]
        assert check_adds_up(reason.other) == lower.keys[place] < upper.keys[place]
    last = tournament.entries.get(pk=standings[-1].contender).number
    assert page(browser(), url(tournament, "standings/why/"), below=str(last))


def parted_by(tournament, key):
    """The first two neighbours that a tiebreaker parts."""
    return next(each for each in pairwise(standings_of(tournament)) if reason_for(tournament, *each).key == key)


def test_page_shows_the_sum_opponent_by_opponent():
    tournament = played(7, 3, "duels_033", seed=5)
    upper, lower = parted_by(tournament, "omw")
    numbers = [tournament.entries.get(pk=each.contender).number for each in (upper, lower)]
    html = page(browser(), url(tournament, "standings/why/"), above=str(numbers[0]), below=str(numbers[1]))
    told = text_of(html)
    assert f"= {float(upper.omw) * 100:.2f} %" in told
    assert "Equal so far Match points" in told
    assert "Round 1: " in told
    swapped = page(browser(), url(tournament, "standings/why/"), above=str(numbers[1]), below=str(numbers[0]))
    main = [each.split("<main")[1].split("</main>")[0] for each in (html, swapped)]
    assert main[0] == main[1]


def test_sums_have_the_decimal_mark_of_the_reader():
    tournament = played(7, 3, "duels_033", seed=5)
    reader = browser()
    reader.cookies["django_language"] = "de"
    lower = tournament.entries.get(pk=parted_by(tournament, "omw")[1].contender).number
    html = page(reader, url(tournament, "standings/why/"), below=str(lower))
    told = text_of(html.split("<main")[1].split("</main>")[0])
    assert re.findall(r"\d+,\d\d\s%", told)
    assert re.findall(r"\d\.\d", told) == []


def test_a_tie_that_stays_is_called_one():
    tournament = running(4)
    report_all(next_round(tournament), 2, 0)
    second = tournament.entries.get(pk=standings_of(tournament)[1].contender)
    told = text_of(page(browser(), url(tournament, "standings/why/"), below=str(second.number)))
    assert "are tied in everything and share rank 1." in told
    assert "Equal in everything" in told


def test_later_stages_and_brackets_come_before_points():
    tournament = running(4)
    round_ = next_round(tournament)
    report_all(round_, 2, 0)
    seeds = [seat.entry_id for number in (1, 2) for seat in table(round_, number).seats.filter(order=1)]
    tournament.stages.create(number=2, kind="single", qualify="top", qualify_value=2, seeds=seeds, started_at=NOW)
    second, third = standings_of(tournament)[1:3]
    reason = reason_for(tournament, second, third)
    assert (reason.cause, reason.stage.number) == (Cause.STAGE, 2)
    number = tournament.entries.get(pk=third.contender).number
    told = text_of(page(browser(), url(tournament, "standings/why/"), below=str(number)))
    assert "plays in a later stage (top 2)" in told


def test_one_alone_is_compared_with_its_neighbour():
    tournament = played(4, 2, "duels_033", seed=1)
    standings = standings_of(tournament)
    numbers = [tournament.entries.get(pk=each.contender).number for each in standings]
    for place in (1, 2, 3):
        assert compared_lines(tournament, standings, None, numbers[place]) == standings[place - 1 : place + 1]
    assert compared_lines(tournament, standings, numbers[0], None) == standings[:2]
    assert compared_lines(tournament, standings, None, numbers[0]) == standings[:2]
    assert compared_lines(tournament, standings, numbers[3], None) == standings[2:]
    assert compared_lines(tournament, standings, numbers[2], numbers[2]) == standings[2:]
    assert compared_lines(tournament, standings, None, None) == standings[:2]


@pytest.mark.parametrize("query", [{"below": "99"}, {"below": "x"}, {"above": "-1"}, {"below": "1" * 30}])
def test_an_entry_without_a_line_is_not_found(query):
    tournament = played(4, 1, "duels_033", seed=1)
    assert browser().get(url(tournament, "standings/why/"), query).status_code == 404


def test_before_the_first_published_round_there_is_nothing_to_ask():
    assert browser().get(url(running(4), "standings/why/")).status_code == 404


@pytest.mark.sqlite
def test_somebody_is_found_by_name_to_compare_with():
    tournament = played(12, 1, "duels_033", seed=1)
    why = url(tournament, "standings/why/")
    found = browser().get(why, {"below": "1", "with": "dora"})
    assert found.status_code == 302
    assert found["Location"] == f"{reverse('standings_why', args=[tournament.slug])}?above=4&below=1"
    assert text_of(page(browser(), why, **{"below": "1", "with": "Player"})).count("Player 1") >= 2
    assert "No other player here is called “<zz>”" in page(browser(), why, **{"below": "1", "with": "<zz>"}).replace(
        "&lt;", "<"
    ).replace("&gt;", ">")


def test_api_tells_the_same_reason():
    tournament = played(7, 3, "duels_033", seed=5)
    path = f"/api/v1/events/{tournament.slug}/standings/"
    lines = caller().get(path).json()["results"]
    assert [each["key"] for each in lines[0]["tiebreakers"]] == ["match_points", "omw", "gw", "ogw"]
    assert lines[0]["tiebreakers"][1]["value"] == lines[0]["omw"]
    told = caller().get(f"{path}why/", {"below": lines[3]["entry"]}).json()
    assert (told["above"], told["below"]) == (lines[2]["entry"], lines[3]["entry"])
    if told["cause"] == "tiebreaker":
        value = next(each["value"] for each in lines[2]["tiebreakers"] if each["key"] == told["key"])
        assert told["one"]["value"] == value
        assert {term["round"] for term in told["one"]["terms"]} <= {1, 2, 3, None}
    assert caller().get(f"{path}why/", {"below": "x"}).status_code == 400
    assert caller().get(f"{path}why/", {"below": "99"}).status_code == 404
