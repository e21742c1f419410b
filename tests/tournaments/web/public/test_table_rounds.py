"""What pages and API say of rounds at tables of several: meetings and proof in their own terms."""

from dataclasses import fields

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, event, next_round, report_all, table
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Round, Tournament
from tournaments.pairing.certificates import explain_seating
from tournaments.pairing.pods.contenders import TableCost

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
UNPROVED = "A better pairing may exist."
PROVED = "Proved: no pairing keeps the rules better."


def played(players: int, rounds: int) -> Round:
    """The newest round of an event of Doomlings, those before reported."""
    held = start_tournament(
        account("olive"), event(players, game="doomlings", game_format="standard", best_of=1, swiss_rounds=5), NOW
    )
    for _number in range(rounds - 1):
        report_all(next_round(held))
    return next_round(held)


def rounds_page(held: Tournament) -> str:
    return text_of(page(browser(account("olive")), url(held, "manage/rounds/")))


def why_page(round_: Round) -> str:
    return text_of(page(browser(), url(round_.stage.tournament, f"pairings/{table(round_).pk}/why/")))


@pytest.fixture
def again() -> Round:
    """Six at two tables of three: in the second round each table must bring two together again."""
    return played(6, 2)


def test_pairs_that_meet_again_are_counted(again):
    assert again.cost["repeats"] == again.bound["repeats"] == 2
    shown = rounds_page(again.stage.tournament)
    assert f"2 pairs meet again {PROVED} 2 pairs meet again at a table. No seating has fewer." in shown
    assert shown.count("no rematch") == 1, "of the first round alone"


def test_the_reasons_of_a_table_say_the_same(again):
    shown = why_page(again)
    assert f"{PROVED} 2 pairs meet again at a table. No seating has fewer." in shown
    assert "1 pair at this table met before." in shown


def test_the_api_tells_the_cost_in_the_terms_of_tables(again):
    rows = good(caller("olive").get(path_of(again.stage.tournament) + "rounds/"))["results"]
    told = {row["number"]: row for row in rows}
    assert [told[number]["cost"]["repeats"] for number in (1, 2)] == [0, 2]
    assert told[2]["bound"]["repeats"] == 2
    assert "rematches" not in told[2]["cost"]
    assert "forbidden_pairs" not in told[2]["cost"]
    assert told[2]["proved"] is True


def test_a_round_that_is_not_proved_says_how_far_it_is_from_its_bound():
    round_ = played(20, 4)
    assert not round_.proved
    apart = [each.name for each in fields(TableCost) if round_.cost[each.name] != round_.bound[each.name]]
    labels = {
        "repeats": "Repeat meetings",
        "spread": "Squared point gaps at tables",
        "seats": "Repeated seats",
    }
    ours, least = round_.cost[apart[0]], round_.bound[apart[0]]
    said = f"{UNPROVED} {labels[apart[0]]}: {ours}, at best {least}."
    assert said in rounds_page(round_.stage.tournament)
    assert said in why_page(round_)
    assert PROVED not in why_page(round_)


def test_third_meetings_are_not_taken_for_pairs():
    """Four at one table for the third time: six pairs that met twice count four each."""
    round_ = played(4, 3)
    assert round_.cost["repeats"] == 24
    shown = rounds_page(round_.stage.tournament)
    assert "rematches: 24 (a third meeting counts 4)" in shown
    assert "24 pairs" not in shown


@pytest.mark.parametrize(
    ("cost", "bound", "code", "least"),
    [
        (TableCost(repeats=2), TableCost(repeats=1), "gap_repeats", 0),
        (TableCost(repeats=2, spread=9), TableCost(repeats=2, spread=4), "gap_spread", 1),
        (TableCost(forbidden_pairs=1, repeats=2), TableCost(repeats=1), "not_proved", 0),
        (TableCost(repeats=2), TableCost(repeats=2), "proved", 1),
    ],
    ids=["repeats", "spread", "a pair kept apart is not told of", "proved"],
)
def test_the_first_term_above_its_bound_is_named(cost, bound, code, least):
    verdict, repeats, _spread = explain_seating(cost, bound, proved=cost == bound)
    assert (verdict.code, repeats.params) == (code, {"count": 2, "least": least})


def test_standings_of_tables_say_places_instead_of_wins():
    round_ = played(4, 2)
    held = round_.stage.tournament
    report_all(round_)
    shown = text_of(page(browser(), url(held, "standings/")))
    assert "Places" in shown
    assert "W–L–D" not in shown
    first = [[seat.entry.number for seat in match.seats.all()] for match in Match.objects.order_by("round__number")]
    for number in range(1, 5):
        places = " · ".join(str(seats.index(number) + 1) for seats in first if number in seats)
        assert places in shown
    early = text_of(page(browser(), url(held, "standings/"), after="1"))
    assert " · " not in early[early.index("Places") :].split("points")[0]
