"""Score sheets of matches: written, filed, tallied, signed; what becomes of them when the world moved on."""

import pytest

from journal.models import LedgerEntry, OutboxMessage
from scoring.standings.results import table_result
from scoring.tasks import tally_sheet
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, afresh, staff
from tests.tournaments.sheet_acts import (
    TALLY,
    doomlings,
    file,
    fresh,
    held,
    opened,
    places,
    played,
    player,
    seat,
    sign,
    state,
    sums,
    work,
    write,
)
from tournaments.events.services.settings import update_settings
from tournaments.models import Entry, Match, MatchSheet, ReportAct, ResultReport, Round, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.results.selectors import pending_of
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import confirm_report, dispute_report, report_result
from tournaments.sheets.selectors.sheet_lines import SheetState
from tournaments.sheets.services import filing
from tournaments.sheets.services.filing import file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import mark_absence, open_match_sheet, save_match_part
from tournaments.standings.selectors.standings import standing_rows
from tournaments.tasks import report_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored_match(shared_db):
    """Four at a table with an open sheet."""
    return opened(played(doomlings()))


@pytest.fixture
def match(stored_match, db):
    return afresh(stored_match)


def test_sheet_has_everybody_in_seat_order_and_the_options_of_the_event():
    tournament = doomlings(sheet_options={"ties": "draw", "signatures": "one"})
    match = played(tournament)
    sheet = open_match_sheet(player(match, 2), match, NOW)
    assert [each["name"] for each in sheet.players] == [each.entry.name for each in match.seats.order_by("order")]
    assert (sheet.options, sheet.stream, sheet.parts.count()) == ({"ties": "draw"}, tournament.stream, 5)
    assert open_match_sheet(account("olive"), match, NOW) == sheet


def test_two_of_one_name_stay_apart_on_the_sheet():
    tournament = doomlings()
    Entry.objects.filter(tournament=tournament).update(name="Ada")
    sheet = open_match_sheet(account("olive"), played(tournament), NOW)
    assert len({each["name"] for each in sheet.players}) == 4


def test_event_without_sheets_has_none():
    assert refusal(open_match_sheet, account("olive"), played(doomlings(score_sheets=False)), NOW) == "no_sheets"


def test_sheet_signed_by_all_counts(match):
    write(match, 10, 30, 20, 20)
    revision = file(match)
    assert state(match).state is SheetState.FILED
    work()
    assert fresh(match).state == Match.State.REPORTED
    sign(match, revision, 1, 2, 3)
    assert (state(match).signed, state(match).asked, places(match)) == (3, 4, [])
    sign(match, revision, 4)
    assert places(match) == [4, 1, 2, 2]
    report = Match.objects.get(pk=match.pk).accepted_report
    assert (report.sheet_revision, report.by_seat, report.role) == (revision, seat(match, 1), "player")
    assert [row.score for row in report.seat_results.order_by("seat__order")] == [10, 30, 20, 20]
    assert state(match).state is SheetState.COUNTS


def test_one_signature_besides_the_filer_is_enough_where_the_event_says_so():
    match = opened(played(doomlings(sheet_options={"signatures": "one"})))
    write(match, 1, 2, 3, 4)
    revision = file(match)
    work()
    sign(match, revision, 1)
    assert not places(match)
    sign(match, revision, 3)
    assert places(match) == [4, 3, 2, 1]


def ask_one(match):
    """One signature besides the filer's is enough from now on."""
    tournament = Tournament.objects.get(stages__rounds__matches=match)
    update_settings(account("olive"), tournament, {"sheet_options": {"signatures": "one"}}, NOW)


def test_sheets_that_wait_count_by_the_organisers_word_once_one_signature_is_enough():
    tournament = doomlings(12)
    first, second, disputed = (opened(played(tournament, number)) for number in (1, 2, 3))
    for match in (first, second, disputed):
        write(match, 1, 2, 3, 4)
        revision = file(match)
        work()
        sign(match, revision, 1 if match == second else 3)
    dispute_report(player(disputed, 2), state(disputed).report, "", NOW)
    ask_one(first)
    assert (places(first), places(second), places(disputed)) == ([4, 3, 2, 1], [], [])
    assert LedgerEntry.objects.get(act="result.confirmed").actor == account("olive").key
    sign(second, held(second).sheet.revisions.get(), 4)
    assert places(second) == [4, 3, 2, 1]


def test_one_signature_is_not_enough_where_it_came_by_a_code_that_proves_no_name(match, monkeypatch):
    write(match, 1, 2, 3, 4)
    revision = file(match)
    work()
    sign(match, revision, 3)
    monkeypatch.setattr(filing, "waits_for_names", lambda *given: True)
    ask_one(match)
    assert not places(match)


def test_signatures_before_the_report_count_once_it_is_made(match):
    write(match, 1, 2, 3, 4)
    revision = file(match)
    tally_sheet(revision.pk, "tournaments.report_sheet")
    sign(match, revision, 1, 2, 3, 4)
    assert not places(match)
    report_sheet(revision.pk)
    assert places(match) == [4, 3, 2, 1]


def test_sheet_filed_by_staff_counts_at_once(match):
    write(match, 4, 3, 2, 1)
    file(match, 0)
    work()
    assert places(match) == [1, 2, 3, 4]
    assert LedgerEntry.objects.filter(act="result.reported").get().actor == account("olive").key


def test_newer_sheet_overtakes_the_one_that_waits(match):
    write(match, 1, 2, 3, 4)
    first = file(match)
    work()
    sign(match, first, 1, 2, 3)
    write(match, 9, 2, 3, 4)
    second = file(match, 2)
    assert (fresh(match).state, pending_of(fresh(match))) == (Match.State.OPEN, [])
    assert refusal(sign, match, first, 4) == "newer_revision"
    work()
    assert (fresh(match).state, len(pending_of(fresh(match)))) == (Match.State.REPORTED, 1)
    sign(match, second, 1, 2, 3, 4)
    assert places(match) == [1, 4, 3, 2]


@pytest.mark.parametrize("order", [[0, 1], [1, 0], [1, 1, 0, 0], [0, 0, 1]])
def test_reports_out_of_order_late_and_twice_leave_one_of_the_newest(match, order):
    revisions = []
    for points in (1, 9):
        write(match, points, 2, 3, 4)
        revisions.append(file(match))
        tally_sheet(revisions[-1].pk, "")
    for number in order:
        report_sheet(revisions[number].pk)
    assert [report.sheet_revision for report in ResultReport.objects.filter(match=match)] == [revisions[1]]


def test_once_a_result_counts_players_write_and_file_no_more(match):
    write(match, 4, 3, 2, 1)
    file(match, 0)
    work()
    part = held(match).sheet.parts.get(place=1)
    saved = (player(match, 1), fresh(match), 1, sums(9), part.version, NOW)
    assert refusal(save_match_part, *saved, seat=seat(match, 1)) == "counted"
    assert refusal(file, match) == "counted"


def test_staff_correct_by_the_sheet_with_a_reason(match):
    write(match, 4, 3, 2, 1)
    file(match, 0)
    work()
    write(match, 0, 3, 2, 1)
    assert refusal(file, match, 0) == "reason_needed"
    file(match, 0, reason="Ada's hand was counted")
    work()
    assert places(match) == [4, 1, 2, 3]
    report = Match.objects.get(pk=match.pk).accepted_report
    assert (report.corrects.number, report.reason) == (1, "Ada's hand was counted")
    assert state(match).state is SheetState.COUNTS


def test_staff_return_to_a_sheet_that_they_overruled(match):
    write(match, 1, 2, 3, 4)
    file(match)
    work()
    report_result(account("olive"), fresh(match), table_result([1, 2, 3, 4]), NOW)
    assert state(match).state is SheetState.ANOTHER
    file(match, 0, reason="The sheet was right")
    assert places(match) == [4, 3, 2, 1]
    assert state(match).state is SheetState.COUNTS
    before = match.reports.count()
    file(match, 0, reason="The sheet was right")
    assert (match.reports.count(), places(match)) == (before, [4, 3, 2, 1])


def test_correction_does_not_replace_what_somebody_corrected_meanwhile(match):
    write(match, 4, 3, 2, 1)
    file(match, 0)
    work()
    write(match, 0, 3, 2, 1)
    file(match, 0, reason="typo")
    correct_result(account("olive"), fresh(match), table_result([2, 1, 3, 4]), "seen otherwise", NOW)
    work()
    assert places(match) == [2, 1, 3, 4]
    assert (state(match).state, "This result has changed" in state(match).reason) == (SheetState.RETURNED, True)


def test_staff_result_that_came_first_stays_and_the_sheet_says_so(match):
    write(match, 4, 3, 2, 1)
    revision = file(match)
    report_result(account("olive"), fresh(match), table_result([4, 3, 2, 1]), NOW)
    work()
    assert (places(match), state(match).state) == ([4, 3, 2, 1], SheetState.RETURNED)
    assert not ResultReport.objects.filter(sheet_revision=revision).exists()


def test_round_that_closed_meanwhile_gives_the_sheet_back(match):
    write(match, 4, 3, 2, 1)
    file(match)
    Round.objects.filter(pk=match.round_id).update(state=Round.State.CLOSED)
    work()
    assert (places(match), state(match).state) == ([], SheetState.RETURNED)
    assert "not open" in state(match).reason


def test_sheet_of_a_table_that_was_paired_anew_needs_nothing(match):
    write(match, 4, 3, 2, 1)
    file(match)
    MatchSheet.objects.all().delete()
    work()
    assert not ResultReport.objects.exists()


def test_sheet_that_cannot_be_tallied_comes_back_and_can_be_filed_again(match):
    content = {"players": [{"name": "Ada", "traits": ["No such card"]}], "options": {}}
    file_match_sheet(player(match, 1), match, NOW, seat=seat(match, 1), content=content)
    work()
    assert (state(match).state, "No such card" in state(match).reason) == (SheetState.RETURNED, True)
    write(match, 4, 3, 2, 1)
    file(match)
    work()
    assert state(match).state is SheetState.SIGNING


def test_tie_that_a_draw_decides_comes_back_until_it_is_drawn():
    match = opened(played(doomlings(sheet_options={"ties": "draw"})))
    write(match, 5, 5, 2, 1)
    revision = file(match)
    work()
    assert state(match).state is SheetState.RETURNED
    names = [each["name"] for each in held(match).sheet.players]
    drawn = [[{"name": names[0], "face": 1}, {"name": names[1], "face": 4}]]
    content = {**revision.content, "tie_draws": drawn}
    second = file(match, 2, content=content)
    work()
    sign(match, second, 1, 2, 3, 4)
    assert places(match) == [2, 1, 3, 4]


def test_who_did_not_come_is_last_and_is_not_asked(match):
    mark_absence(player(match, 1), match, 3, True, NOW, seat=seat(match, 1))
    write(match, 5, 7)
    save_match_part(account("olive"), match, 4, sums(1), 0, NOW)
    revision = file(match)
    work()
    sign(match, revision, 1, 2, 4)
    assert places(match) == [2, 1, 4, 3]
    assert Match.objects.get(pk=match.pk).accepted_report.kind == "no_show"


def test_who_is_written_down_cannot_be_marked_absent(match):
    write(match, 5)
    assert refusal(mark_absence, account("olive"), match, 1, True, NOW) == "part_written"
    assert refusal(mark_absence, account("olive"), match, 0, True, NOW) == "no_place"
    mark_absence(account("olive"), match, 2, True, NOW)
    mark_absence(account("olive"), match, 2, False, NOW)
    assert held(match).sheet.parts.get(place=2).content == {}


def test_table_of_one_is_for_the_staff(match):
    for place in (2, 3, 4):
        mark_absence(account("olive"), match, place, True, NOW)
    write(match, 5)
    file(match)
    work()
    assert (state(match).state, "Too few players came" in state(match).reason) == (SheetState.RETURNED, True)


def test_disqualified_player_is_last_by_the_sheet_and_is_not_asked(match):
    write(match, 50, 3, 2, 1)
    juno = staff(match.round.stage.tournament, "juno", "judge")
    give_penalty(juno, seat(match, 1).entry, "disqualification", "Theft", NOW, match=fresh(match))
    revision = file(match, 2)
    work()
    sign(match, revision, 2, 3, 4)
    assert places(match) == [4, 1, 2, 3]


def test_two_players_at_a_table_have_placings_too():
    match = opened(played(doomlings(2)))
    write(match, 12, 15)
    revision = file(match)
    work()
    sign(match, revision, 1, 2)
    assert places(match) == [2, 1]


def test_players_report_by_the_sheet_alone(match):
    act = (report_result, player(match, 1), match, table_result([1, 2, 3, 4]), NOW)
    assert refusal(*act, seat=seat(match, 1)) == "sheet_needed"


def test_player_does_not_confirm_in_place_of_signatures(match):
    write(match, 4, 3, 2, 1)
    file(match)
    work()
    report = pending_of(fresh(match))[0]
    assert refusal(confirm_report, player(match, 2), report, NOW, seat=seat(match, 2)) == "signatures_missing"


def test_staff_confirm_without_signatures_with_a_reason(match):
    write(match, 4, 3, 2, 1)
    file(match)
    work()
    report = pending_of(fresh(match))[0]
    assert refusal(confirm_report, account("olive"), report, NOW) == "reason_needed"
    confirm_report(account("olive"), report, NOW, reason="Dora left")
    assert (places(match), ReportAct.objects.get().reason) == ([1, 2, 3, 4], "Dora left")


def test_staff_filing_the_same_sheet_give_their_word(match):
    write(match, 4, 3, 2, 1)
    first = file(match)
    assert refusal(file, match, 0) == "being_tallied"
    work()
    assert refusal(file, match, 0) == "reason_needed"
    assert file(match, 0, reason="Dora left") == first
    assert places(match) == [1, 2, 3, 4]


def test_same_sheet_filed_again_by_a_player_changes_nothing(match):
    write(match, 4, 3, 2, 1)
    assert file(match) == file(match, 2)
    work()
    assert file(match) == file(match, 2)
    assert (held(match).filed_from, ResultReport.objects.count()) == (1, 1)


def test_returned_sheet_filed_again_is_tried_again(match):
    write(match, 4, 3, 2, 1)
    file(match)
    Round.objects.filter(pk=match.round_id).update(state=Round.State.CLOSED)
    work()
    assert refusal(file, match) == "round_closed"
    Round.objects.filter(pk=match.round_id).update(state=Round.State.PUBLISHED)
    file(match, 2)
    assert state(match).state is SheetState.SIGNING


def test_disputed_sheet_needs_everybody_or_staff():
    match = opened(played(doomlings(sheet_options={"signatures": "one"})))
    write(match, 4, 3, 2, 1)
    revision = file(match)
    work()
    dispute_report(player(match, 4), pending_of(fresh(match))[0], "", NOW)
    sign(match, revision, 1, 2, 3)
    assert (places(match), state(match).state) == ([], SheetState.DISPUTED)
    sign(match, revision, 4)
    assert places(match) == [1, 2, 3, 4]


def test_own_part_the_table_and_free_parts_are_written(match):
    ada, ben = player(match, 1), player(match, 2)

    def save(who, own, place, version=0):
        return save_match_part(who, match, place, {"hand_size": own}, version, NOW, seat=seat(match, own))

    save(ada, 1, 2)
    assert refusal(save, player(match, 3), 3, 2, 1) == "not_your_part"
    save(ben, 2, 2, 1)
    assert refusal(save, ada, 1, 2, 2) == "not_your_part"
    save(ada, 1, 0)
    assert refusal(save, ben, 2, 0, 0) == "part_changed"
    assert refusal(save, ben, 2, 9) == "no_place"


def test_sheet_of_another_match_is_not_signed():
    tournament = doomlings(8)
    first, second = opened(played(tournament, 1)), opened(played(tournament, 2))
    write(first, *range(first.seats.count()))
    revision = file(first)
    work()
    actor, own = player(second, 1), seat(second, 1)
    assert refusal(sign_match_sheet, actor, fresh(second), revision, own, NOW) == "no_sheet"


def test_acts_stand_in_the_log_with_their_table(match):
    write(match, 4, 3, 2, 1)
    revision = file(match)
    work()
    sign(match, revision, 1)
    filed = LedgerEntry.objects.filter(act__startswith="sheet.").order_by("sequence")
    assert [(each.act, each.role, each.subjects["match"]) for each in filed] == [
        ("sheet.filed", "player", match.pk), ("sheet.signed", "player", match.pk),
    ]  # fmt: skip


def test_stopped_work_shows_at_its_table(match):
    write(match, 4, 3, 2, 1)
    file(match)
    OutboxMessage.objects.filter(task=TALLY).update(parked_at=NOW, last_error="it broke three times")
    assert (state(match).state, state(match).reason) == (SheetState.FAILED, "it broke three times")


def test_standings_follow_the_sheet(match):
    write(match, 4, 30, 2, 1)
    file(match, 0)
    work()
    tournament = match.round.stage.tournament
    assert standing_rows(tournament)[0].entry == seat(match, 2).entry
