"""What is printed, for whom, and that unpublished rounds are on no paper but officials'."""

import re

import pytest

from journal.clock import database_now
from tests.tournaments.factories import account, event, next_round, report_all, running, staff, table
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import start_tournament
from tournaments.models import Role
from tournaments.room.slips import grouped, slip_code
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.web.live.streamed import ROUNDS_AT_ONCE

pytestmark = pytest.mark.django_db
PAPERS = ("print/", "print/pairings/", "print/slips/", "print/standings/", "print/packet/")


@pytest.fixture
def held():
    return running()


@pytest.mark.parametrize("who", ["olive", "juno", "kit", "mallory", ""])
def test_papers_are_for_staff(held, who):
    next_round(held)
    staff(held, "juno", Role.Name.JUDGE)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    client = browser(account(who)) if who else browser()
    wanted = {"mallory": 403, "": 302}.get(who, 200)
    assert [client.get(url(held, paper)).status_code for paper in PAPERS] == [wanted] * len(PAPERS)


def test_an_unpublished_round_is_on_officials_papers_alone(held):
    pair_next_round(account("olive"), held, database_now())
    staff(held, "juno", Role.Name.JUDGE)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    for who in ("olive", "juno"):
        text = text_of(page(browser(account(who)), url(held, "print/packet/")))
        assert "not published" in text
        assert "Ada" in text
    kit = browser(account("kit"))
    for paper in PAPERS:
        assert "Ada" not in page(kit, url(held, paper))
    assert kit.get(url(held, "print/slips/"), {"round": "1"}).status_code == 404


def test_pairings_are_listed_by_name_and_by_table(held, olive):
    next_round(held)
    by_name = text_of(page(olive, url(held, "print/pairings/")))
    assert "Pairings by name · Round 1 of 2" in by_name
    assert by_name.index("Ada") < by_name.index("Ben") < by_name.index("Cem")
    assert "Pairings by table" in page(olive, url(held, "print/pairings/"), by="table")
    large = page(olive, url(held, "print/pairings/"), size="large")
    assert "Plays against" in by_name
    assert "Plays against" not in large
    assert [html.count('class="minor"') for html in (page(olive, url(held, "print/pairings/")), large)] == [4, 0]


def test_byes_are_named_and_have_no_slip(olive):
    held = running(3)
    next_round(held)
    assert "bye" in text_of(page(olive, url(held, "print/pairings/")))
    assert page(olive, url(held, "print/slips/")).count('class="slip"') == 1


def test_slips_have_the_code_that_the_desk_reads(held, olive):
    match = table(next_round(held), 2)
    text = text_of(page(olive, url(held, "print/slips/")))
    assert grouped(slip_code(match.pk)) in text
    one = page(olive, url(held, "print/slips/"), table="2")
    assert one.count('class="slip"') == 1
    assert grouped(slip_code(match.pk)) in one
    assert olive.get(url(held, "desk/"), {"slip": slip_code(match.pk)}).status_code == 200


def test_a_slip_of_a_table_that_is_not_there_is_said_so(held, olive):
    next_round(held)
    assert "Nobody plays at table 77" in text_of(page(olive, url(held, "print/slips/"), table="77"))


def test_slips_of_larger_tables_ask_for_places(olive):
    held = running(8, game="doomlings", game_format="standard", score_sheets=False)
    next_round(held)
    heads = re.findall(r"<thead>.*?</thead>", page(olive, url(held, "print/slips/")), re.DOTALL)
    assert heads
    assert all("Place" in head and "G1" not in head for head in heads)


def test_the_packet_holds_everything_and_what_to_do(held, olive):
    report_all(next_round(held))
    next_round(held)
    text = text_of(page(olive, url(held, "print/packet/")))
    for words in ("Playing on paper", "When it works again", "Pairings by name", "Pairings by table", "Standings"):
        assert words in text
    earlier = text_of(page(olive, url(held, "print/packet/"), round="1"))
    assert "Round 1 of 2" in earlier


def test_before_a_round_there_is_nothing_to_print(held, olive):
    for paper in PAPERS:
        assert olive.get(url(held, paper)).status_code == 200
    assert olive.get(url(held, "print/pairings/"), {"round": "5"}).status_code == 404
    assert browser(account("olive")).get(url(event(), "print/")).status_code == 200


def test_names_are_text_on_paper(olive):
    held, now = event(), database_now()
    register_walk_ins(account("olive"), held, [EntryDraft("<b>Ada</b>"), EntryDraft("Ben")], now)
    next_round(start_tournament(account("olive"), held, now))
    assert "<b>Ada</b>" not in page(olive, url(held, "print/packet/"))


def test_papers_cost_the_same_however_many_play(olive, django_assert_max_num_queries):
    held = running(120)
    next_round(held)
    page(olive, url(held, "print/packet/"))
    with django_assert_max_num_queries(36):
        page(olive, url(held, "print/packet/"))


def tables_of(html: str) -> list[int]:
    return [int(number) for number in re.findall(r"<h2>Table ([0-9]+)</h2>", html)]


def test_every_table_has_one_slip_however_many_there_are(olive):
    held = running(2 * 2 * ROUNDS_AT_ONCE + 6)
    next_round(held)
    slips = url(held, "print/slips/")
    tables = list(range(1, 2 * ROUNDS_AT_ONCE + 4))
    assert tables_of(page(olive, slips)) == tables
    assert tables_of(page(olive, slips, table="7")) == [7]
    assert tables_of(page(olive, url(held, "print/packet/"))) == tables
