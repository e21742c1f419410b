"""Pairing on missing results: asked for, named, logged; late results and corrections.

See docs/how-it-works/trust.md#p4 and #r8.
"""

from datetime import timedelta

import pytest

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.tournaments.factories import NOW, account, afresh, next_round, running, score, table
from tournaments.core.rounds import missing_matches
from tournaments.events.selectors.events import Step, next_step
from tournaments.events.services.events import finish_tournament, reopen_tournament
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Match, Round, Tournament
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.results.services.corrections import correct_result, keep_result
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.rounds.selectors.contenders import contenders_of
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=30)
WHY = "table 1 plays on"


@pytest.fixture(scope="module")
def stored_held(shared_db) -> Tournament:
    return running(8, swiss_rounds=4)


@pytest.fixture
def held(stored_held, db) -> Tournament:
    return afresh(stored_held)


def play(round_: Round, *tables: int) -> None:
    """2-0 for the first seat at these tables, at all of them unless told."""
    for match in round_.matches.filter(table_number__in=tables or range(1, 99)):
        report(match)


def report(match: Match, *won: int) -> None:
    report_result(account("olive"), match, score(*(won or (2, 0))), LATER)


def ids_missing(tournament: Tournament) -> list[int]:
    return [match.pk for match in missing_matches(tournament)]


def pair(tournament: Tournament, without=(), reason: str = WHY, **values: int) -> Round:
    return pair_next_round(account("olive"), tournament, NOW, seed=1, without=without, reason=reason, **values)


def publish(round_: Round) -> Round:
    return publish_round(account("olive"), round_, NOW)


def refusal(act) -> DomainError:
    with pytest.raises(DomainError) as caught:
        act()
    return caught.value


def state_of(round_: Round) -> str:
    return Round.objects.get(pk=round_.pk).state


@pytest.fixture
def first(held: Tournament) -> Round:
    """Round 1, whose table 1 has no result."""
    round_ = next_round(held)
    play(round_, 2, 3, 4)
    return round_


@pytest.fixture
def second(held: Tournament, first: Round) -> Round:
    """Round 2, published, paired without table 1 of round 1."""
    return publish(pair(held, ids_missing(held)))


# Pairing


def test_round_is_paired_without_the_results_that_were_named(held, first):
    missing = table(first)
    round_ = pair(held, [missing.pk])
    assert round_.paired_without == [missing.pk]
    assert state_of(first) == Round.State.PUBLISHED
    met = {each.id: each.opponents for each in contenders_of(held, 2)}
    one, other = missing.seats.values_list("entry_id", flat=True)
    assert (met[one], met[other]) == ((other,), (one,))
    assert {each.score for each in contenders_of(held, 2) if each.id in (one, other)} == {0}


def test_pairing_without_results_is_logged_with_tables_and_reason(held, first):
    pair(held, [table(first).pk])
    entry = LedgerEntry.objects.get(act="round.paired", subjects__round=2)
    assert (entry.subjects["missing"], entry.subjects["without"]) == (1, "1/1")
    assert entry.personal_values.get(key="reason").value == WHY
    assert verify_stream(held.stream) == []


@pytest.mark.parametrize("accepted", ["nothing", "another"])
def test_whatever_is_missing_and_was_not_named_refuses(held, accepted):
    round_ = next_round(held)
    play(round_, 3, 4)
    one, two = table(round_, 1), table(round_, 2)
    error = refusal(lambda: pair(held, {"nothing": [], "another": [two.pk]}[accepted]))
    missing = [one, two] if accepted == "nothing" else [one]
    assert error.code == "missing_results"
    assert error.details["missing"] == [
        {"round": 1, "table": each.table_number, "match": each.pk, "state": "open"} for each in missing
    ]
    assert (
        f"Results missing in round 1: tables {', '.join(str(each.table_number) for each in missing)}." in error.message
    )
    assert Round.objects.count() == 1


@pytest.mark.parametrize("how", ["reported", "conflict"])
def test_reports_that_nobody_settled_are_missing_too(held, first, how):
    match = table(first)
    seats = list(match.seats.all())
    report_result(account("x"), match, score(2, 0), NOW, seat=seats[0])
    if how == "conflict":
        report_result(account("y"), match, score(0, 2), NOW, seat=seats[1])
    assert refusal(lambda: pair(held)).details["missing"][0]["state"] == how
    assert pair(held, [match.pk]).paired_without == [match.pk]


@pytest.mark.parametrize("reason", ["", "  "])
def test_pairing_without_results_needs_a_reason(held, first, reason):
    assert refusal(lambda: pair(held, [table(first).pk], reason)).code == "reason_needed"
    assert Round.objects.count() == 1


def test_results_that_came_in_meanwhile_are_fine(held, first):
    match = table(first)
    report(match)
    round_ = pair(held, [match.pk], "")
    assert round_.paired_without == []
    assert state_of(first) == Round.State.CLOSED
    assert "without" not in LedgerEntry.objects.get(act="round.paired", subjects__round=2).subjects


def test_ids_that_mean_nothing_here_are_passed_over(held, first):
    foreign = table(next_round(running(2, name="Other")))
    assert pair(held, [table(first).pk, foreign.pk, 10**12]).paired_without == [table(first).pk]


def test_every_open_round_is_asked_about(held, first, second):
    play(second, 1, 2, 3)
    error = refusal(lambda: pair(held, [table(first).pk]))
    assert [(each["round"], each["table"]) for each in error.details["missing"]] == [(2, 4)]
    error = refusal(lambda: pair(held))
    assert error.message == "Results missing in round 1: tables 1. Results missing in round 2: tables 4."
    third = pair(held, ids_missing(held))
    assert third.paired_without == [table(first).pk, table(second, 4).pk]
    assert [state_of(each) for each in (first, second, third)] == ["published", "published", "paired"]


def test_complete_round_closes_while_an_older_one_waits(held, first, second):
    play(second)
    third = pair(held, ids_missing(held))
    assert [state_of(each) for each in (first, second, third)] == ["published", "closed", "paired"]


def test_unpublished_round_is_not_passed_over(held, first):
    pair(held, [table(first).pk])
    assert refusal(lambda: pair(held, ids_missing(held))).code == "not_published"


@pytest.mark.sqlite
def test_second_press_without_results_pairs_once(held, first):
    pair(held, [table(first).pk], after=1)
    assert refusal(lambda: pair(held, [table(first).pk], after=1)).code == "already_paired"


# Late results


@pytest.mark.parametrize("how", ["staff", "players"])
def test_late_result_counts_in_its_own_round_alone_and_closes_it(held, first, second, how):
    before = list(second.matches.order_by("pk").values())
    match = table(first)
    if how == "staff":
        report(match)
    else:
        one, other = match.seats.all()
        told = report_result(account("x"), match, score(2, 1), LATER, seat=one).report
        assert state_of(first) == Round.State.PUBLISHED
        confirm_report(account("y"), told, LATER, seat=other)
    first.refresh_from_db()
    assert (first.state, first.closed_at) == (Round.State.CLOSED, LATER)
    assert list(second.matches.order_by("pk").values()) == before
    second.refresh_from_db()
    assert (second.state, second.results_changed_at) == (Round.State.PUBLISHED, None)
    assert LedgerEntry.objects.get(act="round.closed").subjects["round"] == 1
    assert pair_is_next(held)


def pair_is_next(tournament: Tournament) -> bool:
    """Whether everything missing is of the newest round."""
    return not next_step(tournament).earlier


def test_round_stays_open_until_its_last_result(held):
    round_ = next_round(held)
    play(round_, 3, 4)
    pair(held, ids_missing(held))
    report(table(round_, 1))
    assert state_of(round_) == Round.State.PUBLISHED
    report(table(round_, 2))
    assert state_of(round_) == Round.State.CLOSED


def test_newest_round_is_not_closed_by_its_last_result(held, first):
    report(table(first))
    assert state_of(first) == Round.State.PUBLISHED
    assert not LedgerEntry.objects.filter(act="round.closed").exists()


def test_closed_round_takes_no_late_report(held, first, second):
    report(table(first))
    assert refusal(lambda: report(table(first, 2), 0, 2)).code == "round_closed"


# Corrections


def correct(match: Match, *won: int) -> None:
    correct_result(account("olive"), Match.objects.get(pk=match.pk), score(*won), "misread", LATER)


def marks(*rounds: Round) -> list[bool]:
    return [Round.objects.get(pk=each.pk).results_changed_at == LATER for each in rounds]


@pytest.mark.sqlite
def test_changed_result_marks_every_later_round_and_pairs_none_again(held, first, second):
    play(second)
    third = pair(held, ids_missing(held))
    places = list(Match.objects.order_by("pk").values_list("pk", "round", "table_number"))
    correct(table(first, 2), 0, 2)
    assert marks(first, second, third) == [False, True, True]
    assert list(Match.objects.order_by("pk").values_list("pk", "round", "table_number")) == places
    entry = LedgerEntry.objects.get(act="round.results_changed")
    assert (entry.subjects["rounds"], entry.subjects["match"]) == ("2, 3", table(first, 2).pk)
    correct(table(second, 2), 1, 2)
    assert marks(first) == [False]
    assert LedgerEntry.objects.filter(act="round.results_changed").count() == 2


def test_correction_to_the_same_result_marks_nothing(held, first, second):
    correct(table(first, 2), 2, 0)
    keep_result(account("olive"), Match.objects.get(pk=table(first, 2).pk), "checked", LATER)
    assert marks(second) == [False]


def test_correction_back_to_what_a_round_was_paired_on_takes_its_mark_away(held, first, second):
    play(second)
    third = pair(held, ids_missing(held))
    correct(table(first, 2), 0, 2)
    correct(table(second, 2), 0, 2)
    correct(table(first, 2), 2, 0)
    assert marks(second, third) == [False, True]
    correct(table(second, 2), 2, 0)
    assert marks(second, third) == [False, False]
    assert Round.objects.get(pk=third.pk).results_changed_at is None


def test_correction_in_the_newest_round_marks_nothing(held, first, second):
    play(second, 1)
    correct(table(second), 0, 2)
    assert marks(first, second) == [False, False]
    assert not LedgerEntry.objects.filter(act="round.results_changed").exists()


def test_round_paired_without_a_result_is_not_built_on_it(held, first, second):
    report(table(first))
    play(second)
    third = pair(held)
    correct(table(first), 0, 2)
    assert marks(second, third) == [False, True]


def test_withdrawn_round_is_not_marked(held, first, second):
    withdraw_round(account("olive"), second, "Ben came late", NOW)
    correct(table(first, 2), 0, 2)
    assert marks(second) == [False]
    report(table(first))
    assert marks(pair(held)) == [False]


# Taking back, changing by hand, the end


def test_only_the_newest_round_is_taken_back():
    tournament = running(4, swiss_rounds=3)
    one = next_round(tournament)
    two = pair(tournament, ids_missing(tournament))
    assert refusal(lambda: withdraw_round(account("olive"), one, "oops", NOW)).code == "later_round"
    withdraw_round(account("olive"), two, "oops", NOW)
    withdraw_round(account("olive"), one, "oops", NOW)
    assert next_step(tournament).step is Step.PAIR


def test_round_taken_back_opens_the_one_before_and_leaves_older_ones(held, first, second):
    play(second)
    third = pair(held, ids_missing(held))
    withdraw_round(account("olive"), third, "Ben came late", NOW)
    assert [state_of(first), state_of(second)] == ["published", "published"]
    report(table(first))
    assert [state_of(first), state_of(second)] == ["closed", "published"]
    assert next_step(held).step is Step.PAIR


def test_places_of_a_round_another_was_paired_on_do_not_change(held, first, second):
    seen = seen_mark(first, round_draft_of(first))
    change = Change(Act.LOCK, table=1)
    assert refusal(lambda: change_round(account("olive"), first, change, "x", NOW, seen=seen)).code == "round_closed"
    seen = seen_mark(second, round_draft_of(second))
    change_round(account("olive"), second, change, "x", NOW, seen=seen)


def test_event_finishes_only_when_nothing_is_missing_anywhere():
    tournament = running(4, swiss_rounds=2)
    first = next_round(tournament)
    play(first, 2)
    second = publish(pair(tournament, ids_missing(tournament)))
    play(second)
    step = next_step(tournament)
    assert (step.step, step.rounds_left, step.earlier) == (Step.COLLECT, False, (table(first),))
    error = refusal(lambda: finish_tournament(account("olive"), tournament, NOW))
    assert [(each["round"], each["table"]) for each in error.details["missing"]] == [(1, 1)]
    report(table(first))
    assert next_step(tournament).step is Step.FINISH
    finish_tournament(account("olive"), tournament, NOW)
    assert [state_of(first), state_of(second)] == ["closed", "closed"]
    reopen_tournament(account("olive"), tournament, "one more look", NOW)
    assert [state_of(first), state_of(second)] == ["closed", "published"]


def test_unpublished_round_keeps_the_event_from_finishing(held, first):
    pair(held, ids_missing(held))
    assert refusal(lambda: finish_tournament(account("olive"), held, NOW)).code == "not_published"


def test_next_step_names_what_older_rounds_miss_while_the_newest_is_hidden(held, first):
    pair(held, ids_missing(held))
    step = next_step(held)
    assert (step.step, [match.round.number for match in step.missing]) == (Step.PUBLISH, [1])
