"""Who leaves between pairing and publishing, comes back after a cut, or was withdrawn from a full event."""

import pytest

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from tests.tournaments.factories import NOW, account, afresh, entry, event, next_round, report_all, running
from tests.tournaments.structure.test_structure import held, swiss, top
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.entries.services.attendance import check_in_entry, drop_entry, promote_waiting, return_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.selectors.undoing import undoable_acts
from tournaments.events.services.events import start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.events.services.undoing import undo_act
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round, undo_change
from tournaments.models import Entry, Stage
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.penalties.services import give_penalty
from tournaments.rounds.services.rounds import pair_next_round, withdraw_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import begin_next_stage

pytestmark = pytest.mark.django_db
State = Entry.State


def olive():
    return browser(account("olive"))


def test_who_left_a_round_that_is_not_published_is_named_beside_the_button_that_publishes_it():
    tournament = running(4)
    pair_next_round(account("olive"), tournament, NOW)
    assert "Left since this round was paired" not in text_of(page(olive(), url(tournament, "manage/rounds/")))
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert "Left since this round was paired: Ada." in text_of(page(olive(), url(tournament, "manage/rounds/")))


def test_in_a_bracket_whose_tables_nobody_changes_who_left_is_answered_by_taking_the_round_back():
    tournament = held(4, StageDraft(kind=Stage.Kind.SINGLE_ELIMINATION))
    pair_next_round(account("olive"), tournament, NOW)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    text = text_of(page(olive(), url(tournament, "manage/rounds/")))
    assert "Left since this round was paired: Ada. Take the round back and pair it again." in text
    assert "Change these tables" not in text


def test_who_was_disqualified_is_named_beside_the_button_that_publishes_the_loss():
    tournament = running(4)
    pair_next_round(account("olive"), tournament, NOW)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    give_penalty(account("olive"), entry(tournament, "Ben"), "disqualification", "Marked cards", NOW)
    text = text_of(page(olive(), url(tournament, "manage/rounds/")))
    assert "Left since this round was paired: Ada." in text
    assert "Disqualified since this round was paired: Ben. Publishing gives them a match loss." in text


def test_who_came_late_plays_from_a_round_that_is_taken_back_and_paired_again():
    tournament = event(3)
    dropped = entry(tournament, "Ada")
    tournament = start_tournament(account("olive"), tournament, NOW)
    drop_entry(account("olive"), dropped, NOW)
    round_ = pair_next_round(account("olive"), tournament, NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Late")], NOW)
    return_entry(account("olive"), dropped, NOW)
    late = [entry(tournament, name) for name in ("Late", "Ada")]
    assert [each.entered_round for each in late] == [2, 2]
    withdraw_round(account("olive"), round_, "they are here after all", NOW)
    report_all(next_round(tournament))
    for each in late:
        each.refresh_from_db()
        assert each.entered_round == 1
        assert "plays from round 1" in text_of(page(olive(), url(tournament, f"manage/entries/{each.number}/")))
    assert verify_stream(tournament.stream) == []


def test_the_page_before_leaving_names_no_round_that_may_be_paired_already():
    tournament = running(4)
    pair_next_round(account("olive"), tournament, NOW)
    text = text_of(page(guest(tournament, "Ada"), url(tournament, "my/drop/")))
    assert "You aren't paired any more." in text
    assert "round 1" not in text


def cut_after_one_round():
    """Four of six play a top 4; the two others are out of it."""
    tournament = held(6, swiss(1), top(4))
    report_all(next_round(tournament), 2, 0)
    stage = begin_next_stage(account("olive"), tournament, NOW)
    return tournament, tournament.entries.exclude(pk__in=stage.seeds).first()


def test_who_comes_back_after_the_cut_is_not_told_to_play():
    tournament, missed = cut_after_one_round()
    drop_entry(account("olive"), missed, NOW)
    answer = olive().post(url(tournament, f"manage/entries/{missed.number}/return/"), follow=True)
    assert f"{missed.name} is back, but not among this stage" in answer.content.decode()
    missed.refresh_from_db()
    assert missed.state == State.REGISTERED


def test_nobody_moves_up_from_the_waiting_list_once_the_players_of_a_stage_are_set():
    tournament, _missed = cut_after_one_round()
    Entry.objects.filter(tournament=tournament, number=1).update(state=State.WAITING)
    tournament.capacity = 60
    tournament.save(update_fields=["capacity"])
    assert promote_waiting(account("olive"), tournament, NOW) == 0
    assert Entry.objects.get(tournament=tournament, number=1).state == State.WAITING


def test_a_withdrawal_is_not_undone_into_a_place_that_went_to_somebody_else():
    tournament = event(2, capacity=2)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Wanda")], NOW)
    assert entry(tournament, "Wanda").state == State.WAITING
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert entry(tournament, "Wanda").state == State.REGISTERED
    assert "entry.withdrawn" not in offered(tournament)
    update_settings(account("olive"), tournament, {"capacity": 3}, NOW)
    assert "entry.withdrawn" in offered(tournament)


def test_who_dropped_is_withdrawn_once_the_start_is_undone():
    tournament, ada = event(2, capacity=2, self_sign_up=True), account("ada")
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    own = sign_up(ada, tournament, ada.person, NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Wanda")], NOW)
    start_tournament(account("olive"), tournament, NOW)
    drop_entry(ada, own, NOW)
    assert "dropped after round 0" not in text_of(page(olive(), url(tournament, "manage/entries/")))
    start = LedgerEntry.objects.filter(stream=tournament.stream, act="event.state_changed").last()
    undo_act(account("olive"), tournament, start.sequence, NOW)
    states = dict(tournament.entries.exclude(name="Ada").values_list("name", "state"))
    assert states == {"Ben": State.REGISTERED, "ada": State.WITHDRAWN, "Wanda": State.REGISTERED}
    assert sign_up(ada, afresh(tournament), ada.person, NOW).state == State.WAITING
    assert verify_stream(tournament.stream) == []


def test_undoing_the_start_lets_nobody_in_beyond_the_player_limit():
    tournament = event(4, capacity=4, check_in=True)
    for name in ("Ada", "Ben", "Cem"):
        check_in_entry(account("olive"), entry(tournament, name), NOW)
    start_tournament(account("olive"), tournament, NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Xena")], NOW)
    start = LedgerEntry.objects.filter(stream=tournament.stream, act="event.state_changed").last()
    undo_act(account("olive"), tournament, start.sequence, NOW)
    states = dict(tournament.entries.values_list("name", "state"))
    playing = dict.fromkeys(("Ada", "Ben", "Cem", "Xena"), State.REGISTERED)
    assert states == {**playing, "Dora": State.WAITING}
    assert verify_stream(tournament.stream) == []


def test_who_dropped_in_a_round_that_is_withdrawn_dropped_after_the_one_before():
    tournament = running(4)
    report_all(next_round(tournament))
    round_ = next_round(tournament)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert entry(tournament, "Ada").dropped_after == 2
    withdraw_round(account("olive"), round_, "paired too early", NOW)
    assert "dropped after round 1" in text_of(page(olive(), url(tournament, "manage/entries/")))
    assert entry(tournament, "Ada").dropped_after == 1
    assert verify_stream(tournament.stream) == []


def test_who_dropped_and_is_taken_off_a_table_by_hand_dropped_after_the_round_before():
    tournament = running(4)
    report_all(next_round(tournament))
    round_ = next_round(tournament)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    at = round_.matches.get(seats__entry=entry(tournament, "Ada")).table_number
    swap_seats = Change(Act.SEATS, table=at)
    change_round(account("olive"), round_, swap_seats, "wrong", NOW, seen=seen_mark(round_, round_draft_of(round_)))
    assert entry(tournament, "Ada").dropped_after == 2, "who still has a seat dropped after this round"
    seen = seen_mark(round_, round_draft_of(round_))
    change_round(account("olive"), round_, Change(Act.BREAK, table=at), "Ada left", NOW, seen=seen)
    assert entry(tournament, "Ada").dropped_after == 1
    assert "dropped after round 1" in text_of(page(olive(), url(tournament, "manage/entries/")))
    assert verify_stream(tournament.stream) == []
    undo_change(account("olive"), round_, "back", NOW, seen=seen_mark(round_, round_draft_of(round_)))
    assert entry(tournament, "Ada").dropped_after == 2, "back at the table"
    assert verify_stream(tournament.stream) == []


def offered(tournament):
    """The acts that can be undone now."""
    return [each.act for each in undoable_acts(account("olive"), afresh(tournament), NOW)]
