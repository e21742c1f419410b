"""Deck checks: drawn on record, recorded once and for all, each a reading that the owner is shown."""

from datetime import timedelta
from hashlib import sha256

import pytest

from decks.services.catalogues import load_catalogues
from journal.models import LedgerEntry
from rules_engine.errors import Conflict
from rules_engine.systems import get_system
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, afresh, entry, event, next_round, score, staff, table
from tests.tournaments.web.organiser.test_organiser import browser
from tests.tournaments.web.visitors import text_of
from tournaments.core.draws import propose_check
from tournaments.decks.selectors.deck_checks import candidates_of, order_key, readings_of, tables_now, times_checked
from tournaments.decks.services.deck_checks import draw_check, read_deck, record_check
from tournaments.decks.services.decks import register_deck, replace_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.forecast.check_costs import check_costs
from tournaments.management.demo import sample_decklist
from tournaments.models import DeckCheck, Role, Round, Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.services.clocks import start_clock

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LEGAL, OK, PROBLEM = sample_decklist(copies=3), DeckCheck.Outcome.OK, DeckCheck.Outcome.PROBLEM


@pytest.fixture(autouse=True, scope="module")
def _cards(shared_db):
    load_catalogues(NOW, [get_system("doom_pile")])


def with_decks(tournament):
    for each in tournament.entries.all():
        register_deck(account("olive"), each.members.get(), "Pile", LEGAL, NOW)
    return tournament


@pytest.fixture(scope="module")
def stored_held(shared_db):
    tournament = with_decks(event(4))
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament


@pytest.fixture
def held(stored_held, db):
    return afresh(stored_held)


def member(tournament, name="Ada"):
    return entry(tournament, name).members.get()


def check(member_, outcome=OK, notes="", **values):
    return record_check(account("juno"), member_, outcome, notes, NOW, **values)


def test_a_check_names_judge_version_round_and_outcome(held):
    start_tournament(account("olive"), held, NOW)
    round_ = next_round(held)
    found = check(member(held), PROBLEM, " one  card short ")
    assert (found.judge, found.version, found.round) == (account("juno").user, member(held).deck_version, round_)
    assert (found.outcome, found.notes, times_checked(held)) == ("problem", "one card short", {1: 1})


def test_a_difference_needs_notes(held):
    assert refusal(check, member(held), PROBLEM) == "notes_needed"
    assert not DeckCheck.objects.exists()


def test_a_list_replaced_meanwhile_is_not_the_one_checked(held):
    seen = member(held).deck_version.number
    replace_deck(account("juno"), member(held), "Pile", sample_decklist(copies=2), "torn", NOW)
    with pytest.raises(Conflict, match="registered another list"):
        check(member(held), seen=seen)
    assert check(member(held), seen=seen + 1)


def test_a_deck_of_another_name_with_the_same_number_is_not_the_one_read(held):
    read_deck(account("juno"), member(held), NOW)
    seen = member(held).deck_version.number
    register_deck(account("olive"), member(held), "Other pile", sample_decklist(copies=2), NOW)
    assert member(held).deck_version.number == seen
    assert refusal(lambda: check(member(held), seen=seen)) == "deck_changed"
    read_deck(account("juno"), member(held), NOW)
    assert check(member(held), seen=seen).version == member(held).deck_version


def test_without_a_deck_there_is_nothing_to_check():
    assert refusal(check, member(event(2))) == "no_deck"


def test_readings_and_checks_are_told_to_the_owner_with_name_and_role(held):
    read_deck(account("juno"), member(held), NOW)
    check(member(held))
    told = [(each.name, each.role, each.checked) for each in readings_of(held, member(held))]
    assert told == [("juno", "judge", True), ("juno", "judge", False)]
    assert readings_of(held, member(held, "Ben")) == []


def test_a_judge_who_plays_gives_a_reason_and_never_checks_the_own_deck(held):
    juno = account("juno")
    own = sign_up(juno, held, juno.person, NOW).members.get()
    register_deck(juno, own, "Pile", LEGAL, NOW)
    assert refusal(check, own) == "own_deck"
    assert refusal(check, member(held)) == "reason_needed"
    assert check(member(held), reason="the only judge here")


def test_the_draw_can_be_repeated_with_the_key_that_the_finished_event_shows(held):
    drawn = draw_check(account("juno"), held, NOW)
    act = LedgerEntry.objects.get(act="deck.check_drawn")
    key = order_key(held)
    assert act.subjects["order"] == sha256(key).hexdigest()
    assert (act.subjects["entry"], act.subjects["among"]) == (drawn.member.entry.number, 4)
    assert propose_check([1, 2, 3, 4], {}, key) == drawn.member.entry.number
    assert key.hex() not in browser("juno").get(f"/e/{held.slug}/manage/decks/checks/").content.decode()
    Tournament.objects.filter(pk=held.pk).update(state=Tournament.State.FINISHED)
    assert key.hex() in browser("juno").get(f"/e/{held.slug}/manage/decks/checks/").content.decode()


def test_draws_go_round(held):
    for _each in range(4):
        check(draw_check(account("juno"), held, NOW).member)
    assert times_checked(held) == {1: 1, 2: 1, 3: 1, 4: 1}


def test_two_judges_do_not_draw_the_same_player_in_a_round(held):
    assert len({draw_check(account("juno"), held, NOW).member.pk for _judge in range(4)}) == 4
    assert draw_check(account("juno"), held, NOW)


def test_another_round_begins_with_who_was_drawn_and_not_checked(held):
    start_tournament(account("olive"), held, NOW)
    next_round(held)
    first = draw_check(account("juno"), held, NOW).member
    assert draw_check(account("juno"), held, NOW).member != first
    Round.objects.update(published_at=NOW + timedelta(minutes=1))
    assert draw_check(account("juno"), held, NOW + timedelta(minutes=2)).member == first


def test_a_table_that_is_over_is_drawn_and_the_cost_of_one_that_plays_is_shown():
    held = with_decks(event(8, swiss_rounds=3, round_minutes=50))
    held = start_tournament(account("olive"), held, NOW)
    round_ = next_round(held)
    start_clock(account("olive"), round_, NOW)
    now = NOW + timedelta(minutes=45)
    costs = check_costs(held, now)
    assert set(costs.seconds) == set(range(1, 9))
    assert all(cost > 60 for cost in costs.seconds.values())
    report_result(account("olive"), table(round_, 2), score(2, 0), now)
    costs, over = check_costs(held, now), {seat.entry.number for seat in table(round_, 2).seats.all()}
    assert {costs.of(number) for number in over} == {0}
    assert not costs.is_last_round
    drawn = draw_check(account("olive"), held, now, costs)
    assert (drawn.member.entry.number in over, drawn.cost) == (True, 0)
    assert LedgerEntry.objects.get(act="deck.check_drawn").subjects["cost"] == 0


def test_the_page_says_what_the_drawn_check_costs(monkeypatch):
    held = with_decks(event(8, swiss_rounds=1, round_minutes=50))
    staff(held, "juno", Role.Name.JUDGE)
    held = start_tournament(account("olive"), held, NOW)
    round_ = next_round(held)
    start_clock(account("olive"), round_, NOW)
    now = NOW + timedelta(minutes=45)
    assert check_costs(held, now).is_last_round
    monkeypatch.setattr("tournaments.web.organiser.deck_list.database_now", lambda: now)
    page = f"/e/{held.slug}/manage/decks/?drawn="
    assert "later." in text_of(browser("juno").get(f"{page}1").content.decode())
    report_result(account("olive"), entry(held, "Ada").seats.get().match, score(2, 0), now)
    number = entry(held, "Ada").number
    assert "delay the round" in text_of(browser("juno").get(f"{page}{number}").content.decode())


def test_left_out_are_the_dropped_the_deckless_and_the_judges_own_table(held):
    juno = account("juno")
    own = sign_up(juno, held, juno.person, NOW).members.get()
    register_deck(juno, own, "Pile", LEGAL, NOW)
    no_deck = sign_up(account("zoe"), held, account("zoe").person, NOW)
    start_tournament(account("olive"), held, NOW)
    next_round(held)
    drop_entry(account("olive"), next(e for e in held.entries.all() if e.pk not in _table(own)), NOW)
    names = {each.entry.pk for each in candidates_of(held, own)}
    assert names.isdisjoint({*_table(own), no_deck.pk})
    assert len(names) >= 2
    assert tables_now(held)[own.entry_id] >= 1


def _table(own):
    return set(own.seats.get().match.seats.values_list("entry", flat=True))


def test_nobody_to_check():
    assert refusal(draw_check, account("juno"), event(2), NOW) == "nobody_to_check"
