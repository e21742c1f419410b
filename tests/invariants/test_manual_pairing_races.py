"""Two staff change the same round at once: one wins, the others are told; with a control that has no lock."""

import pytest
from django.db import connection

from journal.ledger.selectors import verify_stream
from rules_engine.errors import Conflict
from tests.invariants.test_races import drop_constraint, restore_constraint
from tests.races import goes_wrong, race
from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tests.tournaments.sheet_acts import doomlings, opened, played, sums
from tournaments.manual_pairing import services as manual_pairing
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.models import PairingChange, Round, Seat
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.results.services.reports import report_result
from tournaments.sheets.services.writing import save_match_part

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def turns(many):
    """How often each race is run: once, or the full figure."""
    return many(200, 1)


def press_swap(round_, seen):
    """What one organiser's swap at two tables of their own answers: the change's number, or the refusal's code."""
    seatings = round_draft_of(round_).seatings

    def press(number):
        one, other = seatings[2 * number], seatings[2 * number + 1]
        change = Change(Act.SWAP, (one.seats[0], other.seats[0]))
        try:
            return manual_pairing.change_round(account("olive"), round_, change, "asked", NOW, seen=seen).number
        except Conflict as error:
            return error.code

    return press


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 4])
def test_of_changes_at_once_one_is_stored_and_the_others_are_told(clients, turns):
    for _turn in range(turns):
        round_ = next_round(running(4 * clients))
        answers = race(press_swap(round_, seen_mark(round_, round_draft_of(round_))), clients)
        assert sorted(map(str, answers)) == ["1"] + ["pairings_changed"] * (clients - 1)
        assert PairingChange.objects.filter(round=round_).count() == 1
        assert Seat.objects.filter(round=round_).count() == 4 * clients
        assert verify_stream(round_.stage.tournament.stream) == []


@pytest.mark.sqlite
def test_result_and_swap_at_once_do_not_both_count(turns):
    """Either the result is in and the table stays, or the table changed and its result is refused."""
    for _turn in range(turns):
        round_ = next_round(running(4))
        match, seen = table(round_), seen_mark(round_, round_draft_of(round_))
        swap = press_swap(round_, seen)

        def press(number, match=match, swap=swap):
            if number == 0:
                return swap(0)
            try:
                return report_result(account("kit"), match, score(2, 0), NOW).status
            except Conflict as error:
                return error.code

        answers = race(press, 2)
        assert answers in ([1, "pairings_changed"], ["has_begun", "standing"])
        round_.refresh_from_db()
        assert (PairingChange.objects.filter(round=round_).count() == 1) == (answers[0] == 1)


def write_or_take_off(match):
    """Racer 0 takes the first player off the table, racer 1 writes on its sheet: what each is answered."""
    round_, first = match.round, match.seats.get(order=1).entry_id
    seen = seen_mark(round_, round_draft_of(round_))

    def press(number):
        try:
            if number == 0:
                change = Change(Act.UNSEAT, (first,))
                return manual_pairing.change_round(account("olive"), round_, change, "asked", NOW, seen=seen).number
            return save_match_part(account("olive"), match, 2, sums(7), 0, NOW).version
        except Conflict as error:
            return error.code

    return press


@pytest.mark.sqlite
def test_a_sheet_is_written_on_or_its_table_changed_and_never_both(turns):
    for _turn in range(turns):
        match = opened(played(doomlings(8)))
        answers = race(write_or_take_off(match), 2)
        assert answers in ([1, "pairings_changed"], ["has_begun", 1])


@pytest.mark.postgresql
def test_without_waiting_for_writers_a_written_sheet_is_taken_away(monkeypatch):
    """The control of the test before."""

    def both():
        match = opened(played(doomlings(8)))
        return race(write_or_take_off(match), 2).count(1)

    monkeypatch.setattr(manual_pairing, "_wait_for_writers", lambda _round: None)
    assert goes_wrong(both, tries=40)


@pytest.mark.postgresql
def test_without_the_lock_several_changes_of_one_look_are_stored(monkeypatch):
    """The control of the first test."""

    def unlocked(round_):
        found = Round.objects.select_related("stage__tournament").get(pk=round_.pk)
        return found.stage.tournament, found

    def stored():
        round_ = next_round(running(16))
        race(press_swap(round_, seen_mark(round_, round_draft_of(round_))), 4)
        return PairingChange.objects.filter(round=round_).count()

    monkeypatch.setattr(manual_pairing, "_lock", unlocked)
    drop_constraint(PairingChange, "one_pairing_change_a_number")
    drop_constraint(Round, "one_round_version")
    try:
        assert goes_wrong(stored)
    finally:
        connection.cursor().execute("TRUNCATE tournaments_round CASCADE")
        restore_constraint(PairingChange, "one_pairing_change_a_number")
        restore_constraint(Round, "one_round_version")
