"""Results: report, confirm, conflict, correct; what counts, what stays in the log, what is refused."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from scoring.standings.results import GameResult, MatchLength, MatchResult, ResultKind, no_show
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, afresh, next_round, report_all, running, score, staff, table
from tournaments.core.matches import check_version
from tournaments.events.services.events import finish_tournament
from tournaments.models import Match, ReportAct, ResultReport, Role, SeatResult
from tournaments.results.selectors import contradictions_of, pending_of
from tournaments.results.services import reports as results
from tournaments.results.services.corrections import correct_result, keep_result
from tournaments.results.services.reports import confirm_report, dispute_report, report_result
from tournaments.results.services.stored_reports import Status
from tournaments.standings.selectors.standings import standing_rows

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(scope="module")
def stored_round(shared_db):
    return next_round(running(4, swiss_rounds=3))


@pytest.fixture
def round_(stored_round, db):
    return afresh(stored_round)


def players(match):
    """Both seats of a match with an actor each."""
    seats = list(match.seats.all())
    return [(account(f"player{seat.order}"), seat) for seat in seats]


def reload(match):
    return Match.objects.get(pk=match.pk)


def test_staff_report_counts_at_once(round_):
    kit = staff(round_.stage.tournament, "kit", Role.Name.SCOREKEEPER)
    answer = report_result(kit, table(round_), score(2, 1), NOW)
    match = reload(table(round_))
    assert (answer.status, match.state, match.accepted_report) == (Status.ACCEPTED, Match.State.DONE, answer.report)
    assert list(SeatResult.objects.values_list("outcome", "games_won")) == [("win", 2), ("loss", 1)]
    assert answer.report.role == Role.Name.SCOREKEEPER


def test_player_report_waits_and_the_equal_one_confirms(round_):
    match = table(round_)
    (ada, ada_seat), (ben, ben_seat) = players(match)
    assert report_result(ada, match, score(2, 0), NOW, seat=ada_seat).status is Status.WAITING
    assert {row.standing.match_points for row in standing_rows(round_.stage.tournament)} == {0}
    assert report_result(ada, match, score(2, 0), NOW, seat=ada_seat).status is Status.WAITING
    assert report_result(ben, match, score(2, 0), NOW, seat=ben_seat).status is Status.ACCEPTED
    assert ResultReport.objects.filter(match=match).count() == 1
    assert ReportAct.objects.get().name == ReportAct.Name.CONFIRM


def test_own_report_cannot_be_confirmed_not_even_through_another_sign_in(round_):
    match = table(round_)
    (ada, ada_seat), _ben = players(match)
    report = report_result(ada, match, score(2, 0), NOW, seat=ada_seat).report
    assert refusal(confirm_report, account("ada_again"), report, NOW, seat=ada_seat) == "own_report"
    assert report_result(account("ada_again"), match, score(2, 0), NOW, seat=ada_seat).status is Status.WAITING


def test_reporter_may_change_the_mind_before_anybody_agrees(round_):
    match = table(round_)
    (ada, ada_seat), (ben, ben_seat) = players(match)
    first = report_result(ada, match, score(2, 0), NOW, seat=ada_seat).report
    second = report_result(ada, match, score(2, 1), NOW, seat=ada_seat)
    assert second.status is Status.WAITING
    assert refusal(confirm_report, ben, first, NOW, seat=ben_seat) == "not_waiting"
    assert confirm_report(ben, second.report, NOW, seat=ben_seat).status is Status.ACCEPTED


def test_two_different_reports_are_a_conflict_that_staff_settle(round_):
    match = table(round_)
    (ada, ada_seat), (ben, ben_seat) = players(match)
    one = report_result(ada, match, score(2, 0), NOW, seat=ada_seat).report
    other = report_result(ben, match, score(0, 2), NOW, seat=ben_seat)
    assert (other.status, reload(match).state) == (Status.CONFLICT, Match.State.CONFLICT)
    with pytest.raises(DomainError):
        confirm_report(ben, one, NOW, seat=ben_seat)
    assert confirm_report(account("olive"), one, NOW).status is Status.ACCEPTED
    assert ReportAct.objects.get().name == ReportAct.Name.SETTLE
    assert ResultReport.objects.filter(match=match).count() == 2


def test_staff_report_settles_over_a_players(round_):
    match = table(round_)
    (ada, ada_seat), _ben = players(match)
    report_result(ada, match, score(2, 0), NOW, seat=ada_seat)
    assert report_result(account("olive"), match, score(1, 1), NOW).status is Status.ACCEPTED
    assert reload(match).accepted_report.games_drawn == 0
    assert set(reload(match).accepted_report.seat_results.values_list("outcome", flat=True)) == {"draw"}


def test_staff_report_equal_to_a_players_confirms_it(round_):
    match = table(round_)
    (ada, ada_seat), _ben = players(match)
    report = report_result(ada, match, score(2, 0), NOW, seat=ada_seat).report
    assert report_result(account("olive"), match, score(2, 0), NOW).accepted == report


def test_dispute_needs_no_score_and_staff_decide(round_):
    match = table(round_)
    (ada, ada_seat), (ben, _seat) = players(match)
    report = report_result(ada, match, score(2, 0), NOW, seat=ada_seat).report
    dispute_report(ben, report, "we did not finish", NOW)
    assert reload(match).state == Match.State.CONFLICT
    report_result(account("olive"), match, score(1, 0), NOW)
    assert refusal(dispute_report, ben, report, "", NOW) == "not_waiting"


def test_what_counts_is_never_overwritten_by_a_report(round_):
    match = table(round_)
    first = report_result(account("olive"), match, score(2, 0), NOW).report
    assert report_result(account("olive"), match, score(2, 0), NOW).report == first
    second = report_result(account("kit"), match, score(0, 2), NOW)
    assert (second.status, second.accepted) == (Status.CONFLICT, first)
    assert reload(match).accepted_report == first
    assert ResultReport.objects.filter(match=match).count() == 2
    keep_result(account("olive"), match, "looked at the slip", NOW)
    assert ReportAct.objects.get(report=first).reason == "looked at the slip"


def test_a_conflict_stays_for_staff_though_the_players_agree_later(round_):
    match = table(round_)
    (ada, ada_seat), (ben, ben_seat) = players(match)
    report_result(ada, match, score(2, 0), NOW, seat=ada_seat)
    report_result(ben, match, score(0, 2), NOW, seat=ben_seat)
    late = report_result(ben, match, score(2, 0), NOW, seat=ben_seat)
    assert (late.status, reload(match).state) == (Status.CONFLICT, Match.State.CONFLICT)
    assert [report.number for report in pending_of(reload(match))] == [1, 3]
    assert confirm_report(account("olive"), late.report, NOW).status is Status.ACCEPTED


def test_a_dispute_survives_another_report_of_the_same_player(round_):
    match = table(round_)
    (ada, ada_seat), (ben, _seat) = players(match)
    report = report_result(ada, match, score(2, 0), NOW, seat=ada_seat).report
    dispute_report(ben, report, "no", NOW)
    assert report_result(ada, match, score(2, 1), NOW, seat=ada_seat).status is Status.CONFLICT
    assert reload(match).state == Match.State.CONFLICT


def test_the_same_contradiction_is_kept_once_and_shown_until_settled(round_):
    match = table(round_)
    report_result(account("olive"), match, score(2, 0), NOW)
    for _again in range(3):
        report_result(account("kit"), match, score(0, 2), NOW - timedelta(hours=1))
    assert ResultReport.objects.filter(match=match).count() == 2
    assert [report.number for report in contradictions_of(reload(match))] == [2]
    keep_result(account("olive"), match, "slip", NOW)
    assert contradictions_of(reload(match)) == []
    report_result(account("juno"), match, score(1, 1), NOW - timedelta(hours=2))
    assert [report.number for report in contradictions_of(reload(match))] == [3]


def test_correction_names_the_old_report_and_the_reason(round_):
    match = table(round_)
    old = report_result(account("olive"), match, score(2, 0), NOW).report
    with pytest.raises(DomainError, match="reason"):
        correct_result(account("olive"), match, score(0, 2), " ", NOW)
    answer = correct_result(account("olive"), match, score(0, 2), "sides swapped", NOW, seen=old.pk)
    assert (answer.report.corrects, answer.report.reason) == (old, "sides swapped")
    assert refusal(correct_result, account("olive"), match, score(1, 1), "late", NOW, seen=old.pk) == "result_changed"
    assert verify_stream(round_.stage.tournament.stream) == []


def test_closed_round_takes_corrections_but_no_reports(round_):
    match = table(round_)
    report_all(round_)
    next_round(round_.stage.tournament, 2)
    with pytest.raises(DomainError) as caught:
        report_result(account("olive"), match, score(0, 2), NOW)
    assert (caught.value.code, caught.value.status) == ("round_closed", 409)
    correct_result(account("olive"), match, score(0, 2), "sides swapped", NOW)
    first_seat = match.seats.all()[0].entry_id
    assert (
        next(row.standing.losses for row in standing_rows(round_.stage.tournament) if row.entry.pk == first_seat) == 1
    )


def test_finished_event_takes_nothing(round_):
    report_all(round_)
    finish_tournament(account("olive"), round_.stage.tournament, NOW)
    with pytest.raises(DomainError):
        correct_result(account("olive"), table(round_), score(0, 2), "late", NOW)


def test_nothing_to_correct_without_a_result(round_):
    assert refusal(correct_result, account("olive"), table(round_), score(0, 2), "early", NOW) == "nothing_to_correct"


@pytest.mark.parametrize(
    ("result", "points"),
    [
        (score(2, 0), [3, 0]),
        (score(1, 1), [1, 1]),
        (score(1, 0), [3, 0]),
        (MatchResult(ResultKind.INTENTIONAL_DRAW, (0, 0), 3), [1, 1]),
        (MatchResult(ResultKind.DOUBLE_LOSS, (0, 0)), [0, 0]),
        (no_show(2, (0,), MatchLength(3)), [0, 3]),
    ],
)
def test_points_follow_from_the_kind_of_result(round_, result, points):
    match = table(round_)
    report_result(account("olive"), match, result, NOW)
    by_entry = {row.entry.pk: row.standing.match_points for row in standing_rows(round_.stage.tournament)}
    assert [by_entry[seat.entry_id] for seat in match.seats.all()] == points


@pytest.mark.parametrize(
    "bad", [score(3, 0), score(2, 2), score(-1, 2), score(0, 0), score(2), score(2, 0, drawn=10**6)]
)
def test_absurd_scores_are_refused_and_store_nothing(round_, bad):
    before = LedgerEntry.objects.count()
    assert refusal(report_result, account("olive"), table(round_), bad, NOW) == "bad_score"
    assert (ResultReport.objects.count(), LedgerEntry.objects.count()) == (0, before)


CHANGES = {ResultReport: {"role": "judge"}, SeatResult: {"outcome": "draw"}, ReportAct: {"role": "judge"}}


@pytest.mark.parametrize("model", CHANGES)
@pytest.mark.parametrize("verb", ["update", "delete"])
def test_reports_are_append_only_in_the_database(round_, model, verb):
    match = table(round_)
    (ada, ada_seat), (ben, ben_seat) = players(match)
    report_result(ada, match, score(2, 0), NOW, seat=ada_seat)
    report_result(ben, match, score(2, 0), NOW, seat=ben_seat)
    rows = model.objects.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**CHANGES[model]) if verb == "update" else rows._raw_delete(rows.db)
    assert model.objects.exists()


@pytest.mark.parametrize("version", [None, 0, 1])
def test_a_differing_report_against_one_that_waits_is_kept_whatever_the_phone_had_seen(round_, version):
    match = table(round_)
    (ada, first), (ben, second) = players(match)
    report_result(ada, match, score(2, 0), NOW, seat=first, version=0)
    answer = report_result(ben, match, score(0, 2), NOW, seat=second, version=version)
    match = reload(match)
    assert (answer.status, match.state, match.reports.count()) == (Status.CONFLICT, Match.State.CONFLICT, 2)


def test_control_with_the_version_checked_first_the_later_word_is_lost(round_, monkeypatch):
    """As it was: whoever saw the match before the other's report was refused, and what he said was kept nowhere."""
    kept = results.pending_of
    monkeypatch.setattr(results, "pending_of", lambda match: check_version(match, 0) or kept(match))
    match = table(round_)
    (ada, first), (ben, second) = players(match)
    report_result(ada, match, score(2, 0), NOW, seat=first, version=0)
    with pytest.raises(Conflict, match="has changed"):
        report_result(ben, match, score(0, 2), NOW, seat=second, version=0)
    match = reload(match)
    assert (match.state, match.reports.count()) == (Match.State.REPORTED, 1)


def test_staff_look_again_at_a_match_that_changed(round_):
    match = table(round_)
    (ada, first), _ben = players(match)
    report_result(ada, match, score(2, 0), NOW, seat=first)
    with pytest.raises(Conflict, match="has changed"):
        report_result(account("olive"), match, score(0, 2), NOW, version=0)
    assert reload(match).reports.count() == 1


def test_a_report_takes_few_queries(round_, django_assert_max_num_queries):
    """With the two of the savepoint, which stands for the transaction here, and the one for the event's webhooks."""
    olive, match, agreed = account("olive"), table(round_, 1), table(round_, 2)
    (ada, first), (ben, second) = players(agreed)
    with django_assert_max_num_queries(17):
        report_result(olive, match, score(2, 0), NOW)
    with django_assert_max_num_queries(18):
        report_result(ada, agreed, score(2, 0), NOW, seat=first)
    with django_assert_max_num_queries(20):
        report_result(ben, agreed, score(2, 0), NOW, seat=second)


def test_the_ledger_commits_to_what_the_database_holds_of_a_report(round_):
    """The act tells its ledger entry from memory what it wrote; every value is as it is read again."""
    match, other = table(round_, 1), table(round_, 2)
    (ada, first), (ben, second) = players(match)
    games = (GameResult(0, "master_plan"), GameResult(None), GameResult(0))
    report_result(ada, match, MatchResult(ResultKind.PLAYED, (2, 0), 1, games), NOW, seat=first)
    report_result(ben, match, score(2, 0, drawn=1), NOW + timedelta(microseconds=1), seat=second)
    correct_result(account("olive"), match, score(1, 2), "typed wrong", NOW)
    (cem, third), (dora, _fourth) = players(other)
    dispute_report(dora, report_result(cem, other, score(2, 0), NOW, seat=third).report, "no", NOW)
    assert verify_stream(round_.stage.tournament.stream) == []
