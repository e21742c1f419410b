"""Tables of several changed by hand, as browsers of staff do it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.standings.results import table_result
from tests.tournaments.factories import NOW, account, entry, next_round, report_all, running, staff, table
from tests.tournaments.manual_pairing.test_manual_pairing import act, late, mark, one, tables
from tests.tournaments.manual_pairing.test_manual_tables import paired, pods, write_part
from tests.tournaments.sheet_acts import doomlings, opened, played
from tests.tournaments.web.organiser.test_manual_pairing import links, number, page_of, seen
from tests.tournaments.web.organiser.test_organiser import browser, manage, text_of
from tournaments.models import PairingChange, Role, Round, Stage
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.pairing.pods.contenders import Remainder, TablePolicy
from tournaments.results.services.corrections import correct_result
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = pytest.mark.django_db


def small_and_full(round_):
    return sorted(tables(round_), key=lambda each: len(tables(round_)[each]))


def stored(client, look, reason="asked"):
    return client.post(look, {"reason": reason, "seen": seen(client.get(look))}, follow=True)


def test_a_latecomer_is_picked_then_seated_where_there_is_room():
    round_, olive = paired(), browser("olive")
    small, full = small_and_full(round_)
    lou = late(round_)
    shown = olive.get(page_of(round_))
    assert "1 player has no place" in text_of(shown)
    assert "Seat here" not in text_of(shown)
    (pick,) = re.findall(r'href="(\?pick=\d+)#tables"', shown.content.decode())
    chosen = olive.get(page_of(round_, "tables/") + pick)
    assert "Late Lou: choose a name to swap with, or a table with room." in text_of(chosen)
    (seat,) = [link for link in links(chosen) if "act=seat" in link]
    assert seat.endswith(f"act=seat&one={lou.number}&table={small}")
    look = text_of(olive.get(seat))
    assert f"Seat Late Lou at table {small}" in look
    assert "Players without a place 1 0 0 better" in look
    assert "No better pairing" in look or "No pairing of these players is better" in look
    assert "Saved: Seat Late Lou at table" in text_of(stored(olive, seat))
    assert tables(round_)[small][-1] == "Late Lou"
    assert "player seated at a table" in text_of(olive.get(page_of(round_)))
    assert "seated a player at a table, round 1, before publishing" in text_of(
        olive.get(manage(round_.stage.tournament, "log/"))
    )
    refused = text_of(olive.get(f"{page_of(round_, 'change/')}?act=seat&one={number(round_, small)}&table={full}"))
    assert f"Table {full} is full: 5 players. Swap two players, or choose another table." in refused


def test_names_swap_and_the_picked_player_is_taken_off_or_moved():
    round_, olive = paired(8, TablePolicy(4, 3, 5)), browser("olive")
    picked = number(round_, 1)
    chosen = olive.get(page_of(round_, f"tables/?pick={picked}"))
    found = [re.search(r"act=(\w+)", link).group(1) for link in links(chosen) if f"one={picked}" in link]
    assert (found.count("swap"), found.count("seat"), found.count("unseat")) == (7, 1, 1)
    (off,) = [link for link in links(chosen) if "act=unseat" in link]
    look = text_of(olive.get(off))
    name = entry(round_.stage.tournament, tables(round_)[1][0]).name
    assert f"Take {name} off the table" in look
    assert f"{name} then has no table." in look
    stored(olive, off)
    assert "act=unseat" not in "".join(links(olive.get(page_of(round_, f"tables/?pick={picked}"))))
    assert "took a player off a table" in text_of(olive.get(manage(round_.stage.tournament, "log/")))


def test_a_small_table_is_told():
    round_, olive = paired(8, TablePolicy(4, 3, 4)), browser("olive")
    act(round_, Change(Act.UNSEAT, (one(round_, 1),)))
    look = text_of(olive.get(f"{page_of(round_, 'change/')}?act=unseat&one={number(round_, 1)}"))
    assert "Table 1 then has 2 players; the smallest table of this stage has 3." in look
    assert "Tables of other sizes" in look
    assert "the smallest table of this stage" not in text_of(
        olive.get(f"{page_of(round_, 'change/')}?act=swap&one={number(round_, 1)}&other={number(round_, 2)}")
    )


def test_every_act_of_a_table_page_can_be_looked_at():
    round_, olive = next_round(pods(9, TablePolicy(4, 3, 5, Remainder.LARGER))), browser("olive")
    for match in round_.matches.all():
        shown = olive.get(page_of(round_, f"tables/{match.pk}/"))
        room = match.seats.count() < 5
        assert ("Seat a player here" in text_of(shown)) == room
        found = {re.search(r"act=(\w+)", link).group(1): link for link in links(shown) if "?act=" in link}
        assert sorted(found) == ["break", "lock", "seats"]
        for link in found.values():
            assert "Save change" in text_of(olive.get(link)), link
    player = number(round_, 1)
    for query in (f"act=unseat&one={player}", f"act=bye&one={player}"):
        assert "Save change" in text_of(olive.get(f"{page_of(round_, 'change/')}?{query}"))
    before = tables(round_)[1]
    stored(olive, f"{page_of(round_, 'change/')}?act=seats&table=1")
    assert tables(round_)[1] == (*before[1:], before[0])


def test_a_table_whose_sheet_has_begun_offers_only_the_lock():
    match = opened(played(doomlings(8)))
    round_, olive = Round.objects.get(), browser("olive")
    write_part(match)
    shown = olive.get(page_of(round_, f"tables/{table(round_).pk}/"))
    assert [re.search(r"act=(\w+)", link).group(1) for link in links(shown)] == ["lock"]
    assert "Play has begun: this table keeps its players" in text_of(shown)
    tables_page = olive.get(page_of(round_, f"tables/?pick={number(round_, 2)}"))
    assert "started" in text_of(tables_page)
    assert "table=1" not in "".join(links(tables_page))


@pytest.mark.parametrize("kind", [Stage.Kind.ROUND_ROBIN, Stage.Kind.SINGLE_ELIMINATION])
def test_pages_of_fixed_pairings_say_so_and_are_linked_nowhere(kind):
    tournament = running(4)
    Stage.objects.filter(tournament=tournament).update(kind=kind)
    round_, olive = pair_next_round(account("olive"), tournament, NOW), browser("olive")
    shown = olive.get(page_of(round_))
    assert "In round robins and brackets, seeds and results decide who meets" in text_of(shown)
    assert links(shown) == []
    assert page_of(round_) not in olive.get(manage(tournament, "rounds/")).content.decode()
    assert "you can't change these tables" in text_of(olive.get(f"{page_of(round_, 'change/')}?act=lock&table=1"))
    Stage.objects.filter(tournament=tournament).update(kind=Stage.Kind.SWISS)
    assert page_of(round_) in olive.get(manage(tournament, "rounds/")).content.decode()


def test_a_judge_turns_seats_and_nothing_else():
    round_ = next_round(pods())
    staff(round_.stage.tournament, "juno", Role.Name.JUDGE)
    juno = browser("juno")
    assert [re.search(r"act=(\w+)", each).group(1) for each in links(juno.get(page_of(round_)))] == []
    shown = juno.get(page_of(round_, f"tables/{table(round_).pk}/"))
    assert [re.search(r"act=(\w+)", each).group(1) for each in links(shown)] == ["seats"]
    for query in (f"act=seat&one={number(round_, 1)}&table=2", f"act=unseat&one={number(round_, 1)}"):
        answer = juno.post(f"{page_of(round_, 'change/')}?{query}", {"reason": "x", "seen": mark(round_)})
        assert answer.status_code == 403
    assert not PairingChange.objects.exists()


def test_a_correction_offers_no_re_pairing_of_the_fewest_tables():
    tournament = pods()
    first = next_round(tournament)
    report_all(first)
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=1)
    match = table(first)
    turned = table_result(range(match.seats.count(), 0, -1))
    correct_result(account("olive"), match, turned, "misread", NOW)
    round_.refresh_from_db()
    assert round_.results_changed_at
    assert "act=mend" not in browser("olive").get(page_of(round_)).content.decode()


@pytest.mark.parametrize("rest", ["tables/?pick=1", "change/?act=seats&table=1", "change/?act=repair&seed=4"])
def test_queries_do_not_grow_with_the_field(rest):
    counts = []
    for players in (9, 29):
        round_, client = next_round(pods(players)), browser("olive")
        client.get(page_of(round_, rest))
        with CaptureQueriesContext(connection) as caught:
            assert client.get(page_of(round_, rest)).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1]


def test_who_enters_late_can_be_placed_and_staff_are_told():
    tournament, olive = pods(), browser("olive")
    pair_next_round(account("olive"), tournament, NOW, seed=1)
    said = text_of(olive.post(manage(tournament, "entries/add-one/"), {"name": "Zoe"}, follow=True))
    assert "Round 1 isn't published: you can place them on the rounds page." in said
    assert "/publish/" not in olive.get(manage(tournament, "rounds/")).content.decode()
