"""Score sheets of a match under many hands at once, by separate processes: one newest revision, one report, one count.

Each proof has a control: without the tournament's lock, or without the guard, the same acts must go wrong.
"""

import pytest
from django.db import connection

from journal.ledger.selectors import verify_stream
from rules_engine.errors import DomainError
from scoring.models import SheetRevision
from scoring.standings.results import table_result
from scoring.tasks import tally_sheet
from tests.invariants.test_races import drop_constraint, no_lock, restore_constraint  # noqa: F401
from tests.races import goes_wrong, race
from tests.tournaments.factories import NOW, account
from tests.tournaments.sheet_acts import (
    doomlings,
    file,
    held,
    opened,
    places,
    played,
    player,
    seat,
    state,
    sums,
    work,
    write,
)
from tournaments.models import Match, MatchSheet, ResultReport
from tournaments.results.services import reports as results
from tournaments.results.services.reports import report_result
from tournaments.rounds.services import rounds
from tournaments.sheets.selectors.sheet_lines import SheetState
from tournaments.sheets.selectors.sheets import REPORT
from tournaments.sheets.services import filing
from tournaments.sheets.services.filing import file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import open_match_sheet, save_match_part
from tournaments.tasks import report_sheet

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def turns(many):
    """How often each race is run."""
    return many(100, 1)


def table_of(players=6):
    """An open sheet of so many players."""
    return opened(played(doomlings(players)))


def save_and_file(match):
    """Everybody at the table saves the own part, then files the sheet."""
    actors = [(player(match, place), seat(match, place)) for place in range(1, match.seats.count() + 1)]

    def act(number):
        actor, own = actors[number]
        save_match_part(actor, match, own.order, sums(own.order), 0, NOW, seat=own)
        return file_match_sheet(actor, match, NOW, seat=own).number

    return act


@pytest.mark.sqlite
def test_six_phones_that_save_and_file_at_once_leave_one_newest_sheet(turns):
    for _turn in range(turns):
        match = table_of()
        seats = match.seats.count()
        numbers = race(save_and_file(match), seats)
        newest = held(match).sheet.newest
        revisions = list(SheetRevision.objects.filter(sheet=held(match).sheet).values_list("number", flat=True))
        assert revisions == list(range(1, newest + 1))
        assert max(numbers) == newest <= seats
        work()
        report = ResultReport.objects.get(match=match)
        assert report.sheet_revision.number == newest
        assert [each["sums"]["face_value"] for each in report.sheet_revision.content["players"]] == list(
            range(1, seats + 1)
        )
        assert verify_stream(match.round.stage.tournament.stream) == []


@pytest.mark.sqlite
def test_sheet_opened_by_several_at_once_is_one(turns):
    for _turn in range(turns):
        match = played(doomlings())
        sheets = race(lambda _number, match=match: open_match_sheet(account("olive"), match, NOW).pk, 4)
        assert len(set(sheets)) == MatchSheet.objects.filter(match=match).count() == 1


@pytest.fixture
def unlocked(no_lock, monkeypatch):  # noqa: F811
    """Acts on sheets that read where they ought to lock."""
    monkeypatch.setattr(filing, "lock_match", results.lock_match)
    monkeypatch.setattr(filing, "lock_tournament", rounds.lock_tournament)


def tallied(match):
    """A filed sheet with its tally, which no job has reported yet."""
    write(match, *range(match.seats.count()))
    revision = file(match)
    tally_sheet(revision.pk, REPORT)
    return revision


@pytest.mark.sqlite
def test_report_made_by_several_workers_at_once_is_one(turns):
    for _turn in range(turns):
        match = table_of(4)
        revision = tallied(match)
        race(lambda _number, pk=revision.pk: report_sheet(pk), 4)
        assert ResultReport.objects.filter(match=match).count() == 1
        assert state(match).state is SheetState.SIGNING


@pytest.mark.postgresql
def test_without_lock_several_workers_report(unlocked):
    """The control of the test above."""

    def made():
        match = table_of(4)
        revision = tallied(match)
        race(lambda _number, pk=revision.pk: report_sheet(pk), 4)
        return ResultReport.objects.filter(match=match).count()

    drop_constraint(ResultReport, "one_report_a_number")
    try:
        assert goes_wrong(made)
    finally:
        connection.cursor().execute("TRUNCATE tournaments_resultreport CASCADE")
        restore_constraint(ResultReport, "one_report_a_number")


def attempted(*acts):
    """What came of acts at once: "done", or the code of the refusal."""

    def act(number):
        try:
            acts[number]()
        except DomainError as refusal:
            return refusal.code
        return "done"

    return race(act, len(acts))


def signer(match, revision, place):
    """The press of a player who signs."""
    actor, own = player(match, place), seat(match, place)
    return lambda: sign_match_sheet(actor, match, revision, own, NOW)


def filer(match, place):
    """The press of a player who files."""
    actor, own = player(match, place), seat(match, place)
    return lambda: file_match_sheet(actor, match, NOW, seat=own)


def staffs_word(match):
    """Staff's own result."""
    return lambda: report_result(account("olive"), match, table_result([1, 2, 3, 4]), NOW)


@pytest.mark.sqlite
def test_newer_sheet_against_the_last_signature_counts_only_what_was_signed(turns):
    for _turn in range(turns):
        match = table_of(4)
        revision = tallied(match)
        report_sheet(revision.pk)
        for place in (1, 2, 3):
            signer(match, revision, place)()
        write(match, 9)
        told = attempted(signer(match, revision, 4), filer(match, 1))
        assert told in (["done", "counted"], ["newer_revision", "done"])
        assert places(match) == ([4, 3, 2, 1] if told[0] == "done" else [])


def report_job(revision):
    """The job of a worker."""
    return lambda: report_sheet(revision.pk)


@pytest.mark.sqlite
def test_sheet_against_the_word_of_staff_counts_one_and_says_so(turns):
    for _turn in range(turns):
        match = table_of(4)
        assert attempted(report_job(tallied(match)), staffs_word(match)) == ["done", "done"]
        assert places(match) == [1, 2, 3, 4]
        came_second = state(match).state is SheetState.RETURNED
        assert ResultReport.objects.filter(match=match).count() == (1 if came_second else 2)


@pytest.mark.sqlite
def test_all_signatures_at_once_count_once(turns):
    for _turn in range(turns):
        match = table_of(4)
        revision = tallied(match)
        report_sheet(revision.pk)
        assert attempted(*(signer(match, revision, place) for place in (1, 2, 3, 4))) == ["done"] * 4
        assert places(match) == [4, 3, 2, 1]
        assert Match.objects.get(pk=match.pk).accepted_report.acts.count() == 1
