"""Rounds at tables of several changed by hand: a whole event, what has begun, and that everybody keeps one place."""

import copy
import random

import pytest
from django.db import transaction

from decks.services.catalogues import load_catalogues
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict
from rules_engine.systems import get_system
from scoring.standings.results import table_result
from tests.refusals import refusal
from tests.tournaments.bundles.test_event_files import assert_right, finished, taken, wrong
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, staff, table
from tests.tournaments.manual_pairing.test_manual_pairing import (
    act,
    change_at_random_and_undo,
    everybody_once,
    late,
    mark,
    one,
    tables,
    undo,
)
from tests.tournaments.sheet_acts import doomlings, file, opened, played, player, seat, sums
from tournaments.bundles.scopes import Scope
from tournaments.core.audiences import ear_of
from tournaments.decks.services.drafts import move_draft
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.bringing import bring_event
from tournaments.events.services.events import start_tournament
from tournaments.manual_pairing.selectors import SHELF, meetings_of, round_draft_of, unplaced_entries
from tournaments.manual_pairing.services import check_changeable, look_at_change, look_at_undo
from tournaments.models import Entry, KeptApart, Match, PairingChange, Penalty, Role, Round, Stage
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.pairing.pods.contenders import Remainder, TablePolicy
from tournaments.penalties.services import give_penalty
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.fairness import fairness_of
from tournaments.rounds.selectors.recomputed import Fault, Verdict, recompute_round
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round
from tournaments.sheets.services.writing import mark_absence, save_match_part
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
OLIVE = "olive"


def pods(players=9, tables=None, **changes):
    """A running Doomlings event: nine players sit at tables of five and four."""
    tournament = event(players, **{"game": "doomlings", "best_of": 1, **changes})
    if tables is not None:
        set_stages(account(OLIVE), tournament, [StageDraft("tables", planned_rounds=3, tables=tables)], NOW)
    return start_tournament(account(OLIVE), tournament, NOW)


def paired(players=9, tables=None, **changes):
    """Round 1 of it, not published."""
    return pair_next_round(account(OLIVE), pods(players, tables, **changes), NOW, seed=1)


def changed_event():
    """Nine players, three rounds: seated, taken off, swapped, moved, paired again, undone, published, played; over."""
    tournament = pods(tables=TablePolicy(4, 3, 5, Remainder.LARGER))
    round_ = pair_next_round(account(OLIVE), tournament, NOW, seed=1)
    start = tables(round_)
    small, full = sorted(start, key=lambda number: len(start[number]))
    assert [len(start[number]) for number in (small, full)] == [4, 5]
    certificate = Round.objects.filter(pk=round_.pk).values_list("cost", "bound", "proved")
    cost = certificate.get()
    lou = late(round_)
    act(round_, Change(Act.SEAT, (lou.pk,), small))
    everybody_once(round_)
    assert tables(round_)[small] == (*start[small], "Late Lou")
    assert refusal(lambda: act(round_, Change(Act.SEAT, (one(round_, small),), full))) == "table_full"
    act(round_, Change(Act.UNSEAT, (one(round_, full),)))
    assert refusal(lambda: publish_round(account(OLIVE), round_, NOW)) == "unplaced"
    act(round_, Change(Act.SWAP, (one(round_, full), one(round_, small))))
    act(round_, Change(Act.SEAT, (one(round_, small, 1),), full))
    everybody_once(round_)
    assert [undo(round_).undoes.kind for _number in range(4)] == ["seat", "swap", "unseat", "seat"]
    assert tables(round_) == start
    drop_entry(account(OLIVE), lou, NOW)
    act(round_, Change(Act.LOCK, table=full))
    assert certificate.get() == cost
    act(round_, Change(Act.PAIR_REST, seed=5))
    assert tables(round_)[full] == start[full]
    act(round_, Change(Act.SWAP, (one(round_, full, 1), one(round_, small))))
    everybody_once(round_)
    publish_round(account(OLIVE), round_, NOW)
    act(round_, Change(Act.SEAT, (one(round_, full),), small))
    report_all(round_)
    second = next_round(tournament, seed=2)
    act(second, Change(Act.SWAP, (one(second, 1), one(second, 2))))
    report_all(second)
    report_all(next_round(tournament, seed=3))
    return finished(tournament)


def test_an_event_of_nine_is_changed_undone_played_and_is_right_by_a_strangers_program():
    tournament = changed_event()
    for number, changes in ((1, 12), (2, 1), (3, 0)):
        found = recompute_round(Round.objects.get(number=number, superseded_at=None))
        assert (found.verdict, found.changes) == (Verdict.SAME, changes)
    assert [each.sizes for each in fairness_of(tournament).rounds] == [{4: 1, 5: 1}] * 3
    assert_right(tournament)
    assert verify_stream(tournament.stream) == []


@pytest.mark.parametrize("cost", ["repeats", "wrong_sizes"])
def test_a_changed_round_that_states_another_cost_is_found_out(cost):
    """The control: the stranger's program counts the meetings of a changed round, and nothing it can't know."""
    tournament = changed_event()
    round_ = Round.objects.get(number=2, superseded_at=None)
    Round.objects.filter(pk=round_.pk).update(cost={**round_.cost, cost: round_.cost[cost] + 1})
    assert bool(wrong(taken(tournament, Scope.PUBLIC))) == (cost == "repeats")


def test_a_round_changed_by_hand_is_brought_from_a_file():
    with transaction.atomic():
        tournament = pods()
        round_ = pair_next_round(account(OLIVE), tournament, NOW, seed=1)
        act(round_, Change(Act.SEAT, (late(round_).pk,), 2 if len(tables(round_)[2]) == 4 else 1))
        act(round_, Change(Act.PAIR_REST, seed=5))
        publish_round(account(OLIVE), round_, NOW)
        act(round_, Change(Act.UNSEAT, (one(round_, 1),)))
        act(round_, Change(Act.SEAT, tuple(round_draft_of(round_).unplaced), 1))
        report_all(round_)
        data, seated = taken(finished(tournament), Scope.PUBLIC), tables(round_)
        transaction.set_rollback(True)
    brought = bring_event(account("nina"), data, NOW)
    assert tables(brought.stages.get().rounds.get()) == seated


def test_costs_of_a_change_are_kept_with_it_and_by_the_round():
    tournament = pods()
    report_all(next_round(tournament))
    round_ = pair_next_round(account(OLIVE), tournament, NOW, seed=1)
    first = {name: number for number, names in tables(Round.objects.get(number=1)).items() for name in names}
    here, there = round_draft_of(round_).table(1).seats, round_draft_of(round_).table(2).seats
    worse = max(
        (look_at_change(round_, Change(Act.SWAP, (one_, other))) for one_ in here for other in there),
        key=lambda preview: preview.bill_after.cost.repeats,
    )
    assert worse.bill_after.cost.repeats > worse.bill_now.cost.repeats >= worse.best.cost.repeats
    met = meetings_of(round_, worse.after.seatings)
    names = dict(Entry.objects.values_list("pk", "name"))
    assert all(each.rounds == (1,) and first[names[each.one]] == first[names[each.other]] for each in met)
    assert len(met) == worse.bill_after.cost.repeats
    pair = tuple({*here} - {*worse.after.table(1).seats}), tuple({*there} - {*worse.after.table(2).seats})
    change = act(round_, Change(Act.SWAP, (*pair[0], *pair[1])))
    round_.refresh_from_db()
    assert round_.cost["repeats"] == change.cost_after["repeats"] == worse.bill_after.cost.repeats
    assert change.cost_before["repeats"] == worse.bill_now.cost.repeats
    assert not round_.proved
    undo(round_)
    round_.refresh_from_db()
    assert round_.cost["repeats"] == change.cost_before["repeats"]


def test_a_table_below_the_smallest_size_is_allowed_at_its_cost():
    round_ = paired(8, TablePolicy(4, 3, 4))
    act(round_, Change(Act.UNSEAT, (one(round_, 1),)))
    assert look_at_change(round_, Change(Act.UNSEAT, (one(round_, 1),))).bill_after.cost.wrong_sizes > 0
    act(round_, Change(Act.UNSEAT, (one(round_, 1),)))
    assert len(round_draft_of(round_).table(1).seats) == 2
    act(round_, Change(Act.UNSEAT, (one(round_, 1),)))
    assert len(unplaced_entries(round_)) == 4
    assert sorted(tables(round_)) == [2]
    everybody_once(round_)


def test_who_is_taken_off_has_a_bye_where_the_stage_gives_byes():
    round_ = paired(9, TablePolicy(4, 3, 4, Remainder.BYES))
    (bye,) = round_draft_of(round_).byes
    taken_off = one(round_, 1)
    act(round_, Change(Act.UNSEAT, (taken_off,)))
    assert set(round_draft_of(round_).byes) == {bye, taken_off}
    act(round_, Change(Act.SEAT, (bye,), 1))
    publish_round(account(OLIVE), round_, NOW)
    match = round_.matches.get(kind="bye")
    assert (match.state, match.seats.get().entry_id) == ("done", taken_off)


def test_places_of_a_published_round_move_with_results_of_byes_and_losses():
    tournament = pods(9, TablePolicy(4, 3, 5, Remainder.BYES))
    round_ = next_round(tournament)
    (bye,) = round_draft_of(round_).byes
    staff(tournament, "juno", Role.Name.JUDGE)
    moved = Entry.objects.get(pk=one(round_, 1))
    penalty = give_penalty(account("juno"), moved, Penalty.Kind.GAME_LOSS, "Slow play", NOW, match=table(round_, 1))
    before = table(round_, 1)
    act(round_, Change(Act.SEAT, (bye,), 1))
    act(round_, Change(Act.SEAT, (moved.pk,), 2))
    penalty.refresh_from_db()
    assert penalty.match == table(round_, 2)
    assert not round_.matches.exclude(kind="played").exists()
    shelf = Round.objects.filter(engine=SHELF).exclude(superseded_at=None)
    assert before.pk in Match.objects.filter(round__in=shelf).values_list("pk", flat=True)
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="penalty.carried").count() == 2
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="round.seat").last().subjects["published"] == 1


@pytest.mark.parametrize("kind", ["seat", "unseat"])
def test_the_room_is_told_once_the_round_is_published(kind):
    assert ear_of(f"round.{kind}", {"published": 1}) == "room"
    assert ear_of(f"round.{kind}", {"published": 0}) == "staff"


def begin_report(match):
    report_result(account(OLIVE), match, match_result(match), NOW)


def match_result(match):
    return table_result(range(1, match.seats.count() + 1))


CHANGES = {
    "swap": lambda ids: Change(Act.SWAP, (ids[0], ids[1])),
    "seats": lambda _ids: Change(Act.SEATS, table=1),
    "seat off": lambda ids: Change(Act.SEAT, (ids[0],), 2),
    "seat on": lambda ids: Change(Act.SEAT, (ids[1],), 1),
    "unseat": lambda ids: Change(Act.UNSEAT, (ids[0],)),
    "break": lambda _ids: Change(Act.BREAK, table=1),
    "bye": lambda ids: Change(Act.BYE, (ids[0],)),
    "move": lambda _ids: Change(Act.MOVE, table=2, to=1),
}


def write_part(match):
    save_match_part(player(match, 2), match, 2, sums(7), 0, NOW, seat=seat(match, 2))


BEGINNINGS = {
    "a part": write_part,
    "the table's part": lambda match: save_match_part(account(OLIVE), match, 0, {"first": 1}, 0, NOW),
    "an absence": lambda match: mark_absence(account(OLIVE), match, 1, True, NOW),
    "a filed sheet": lambda match: file(match, 0),
    "a report": begin_report,
}


@pytest.mark.parametrize("begun", BEGINNINGS)
def test_a_table_where_play_has_begun_keeps_its_players(begun):
    tournament = doomlings(8)
    match = opened(played(tournament))
    round_ = Round.objects.get()
    for name, change in CHANGES.items():
        if name != "seat on":
            look_at_change(round_, change((one(round_, 1), one(round_, 2))))
    BEGINNINGS[begun](match)
    ids = one(round_, 1), one(round_, 2)
    for name, change in CHANGES.items():
        with pytest.raises(Conflict, match="Table 1") as caught:
            act(round_, change(ids))
        assert (caught.value.code, caught.value.details["tables"]) == ("has_begun", [1]), name
    assert act(round_, Change(Act.LOCK, table=1)).kind == "lock"
    names = tables(round_)[1]
    act(round_, Change(Act.PAIR_REST, seed=3))
    assert tables(round_)[1] == names


def test_an_opened_sheet_without_a_word_and_an_emptied_one_hold_nobody():
    tournament = doomlings(8)
    match = opened(played(tournament))
    round_ = Round.objects.get()
    assert not round_draft_of(round_).table(1).begun
    write_part(match)
    assert round_draft_of(round_).table(1).begun
    assert not round_draft_of(round_).table(2).begun
    save_match_part(player(match, 2), match, 2, {}, 1, NOW, seat=seat(match, 2))
    assert not round_draft_of(round_).table(1).begun


def test_a_sheet_begun_at_a_table_of_two_holds_its_players():
    tournament = running(4, game="doomlings", best_of=1, score_sheets=True)
    Stage.objects.update(kind=Stage.Kind.SWISS)
    round_ = next_round(tournament)
    match = opened(table(round_))
    act(round_, Change(Act.SEATS, table=2))
    write_part(match)
    assert refusal(lambda: act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))) == "has_begun"


def test_a_table_that_drafts_keeps_its_players():
    load_catalogues(NOW, [get_system("doomlings")])
    tournament = event(game="doomlings", game_format="intelligent-design", way="intelligent-design")
    for name in ("ada", "ben", "cem", "dora", "emil", "fay"):
        sign_up(account(name), tournament, account(name).person, NOW)
    round_ = next_round(start_tournament(account(OLIVE), tournament, NOW))
    match = Match.objects.select_related("round__stage__tournament").get(pk=table(round_).pk)
    move_draft(account(OLIVE), match, 0, NOW)
    assert refusal(lambda: act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))) == "has_begun"
    move_draft(
        account(OLIVE), Match.objects.select_related("round__stage__tournament").get(pk=match.pk), 1, NOW, back=True
    )
    act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))


@pytest.mark.parametrize("kind", [Stage.Kind.ROUND_ROBIN, Stage.Kind.SINGLE_ELIMINATION])
def test_round_robins_and_brackets_are_refused(kind):
    tournament = running(4)
    Stage.objects.filter(tournament=tournament).update(kind=kind)
    round_ = pair_next_round(account(OLIVE), tournament, NOW)
    for change in (Change(Act.SWAP, (one(round_, 1), one(round_, 2))), Change(Act.LOCK, table=1)):
        assert refusal(lambda change=change: act(round_, change)) == "fixed_pairings"
    assert refusal(lambda: look_at_undo(round_)) == "fixed_pairings"
    assert refusal(lambda: check_changeable(round_)) == "fixed_pairings"
    assert unplaced_entries(round_) == []


def test_what_a_correction_changes_is_not_repaired_at_tables_of_several():
    round_ = paired()
    assert refusal(lambda: act(round_, Change(Act.REPAIR_MINIMAL))) == "not_swiss"


def test_pairing_again_keeps_to_what_staff_say_of_people_since():
    round_ = paired(8, TablePolicy(4, 3, 4))
    seats = round_draft_of(round_).table(1).seats
    KeptApart.objects.create(one_id=min(seats[:2]), other_id=max(seats[:2]), reason="siblings")
    Entry.objects.filter(pk=seats[0]).update(fixed_table=7)
    preview = look_at_change(round_, Change(Act.PAIR_REST, seed=1))
    assert (preview.bill_now.cost.forbidden_pairs, preview.bill_after.cost.forbidden_pairs) == (1, 0)
    assert seats[0] in preview.after.table(7).seats
    change = act(round_, Change(Act.PAIR_REST, seed=1))
    assert (change.after["engine"], change.after["seed"]) == ("tables/1", 1)
    assert recompute_round(round_).verdict is Verdict.SAME


FORGERIES = {
    "nothing": lambda _after: None,
    "seed": lambda after: after["given"].update(seed=5),
    "contender": lambda after: after["given"]["contenders"][0].update(score=99),
    "hash": lambda after: after.update(input_hash="0" * 64),
    "seats": lambda after: after["seatings"][0]["seats"].reverse(),
}


@pytest.mark.parametrize("forged", FORGERIES)
def test_tables_paired_again_that_the_engine_would_not_give_are_found(forged):
    round_ = paired()
    after = copy.deepcopy(act(round_, Change(Act.PAIR_REST, seed=4)).after)
    FORGERIES[forged](after)
    before = {"seatings": after["seatings"]}  # so that no table differs by it
    told = {"kind": "repair", "reason": "forged", "actor": "x", "made_at": NOW}
    PairingChange.objects.create(round=round_, number=2, before=before, after=after, **told)
    assert recompute_round(round_).faults == (() if forged == "nothing" else (Fault.REPAIR,))


def test_random_changes_of_a_stored_round_keep_everybody_in_one_place_and_are_undone(seed):
    chance = random.Random(f"stored {seed}")
    round_ = next_round(pods(11, TablePolicy(4, 3, 5, chance.choice(list(Remainder)))))
    change_at_random_and_undo(round_, [each for each in Act if each is not Act.REPAIR_MINIMAL], chance)


def test_a_look_made_before_a_sheet_was_begun_is_no_leave():
    """The mark of what was seen tells nothing of sheets; the table is asked again as the change is stored."""
    tournament = doomlings(8)
    match = opened(played(tournament))
    round_ = Round.objects.get()
    seen = mark(round_)
    write_part(match)
    assert refusal(lambda: act(round_, Change(Act.UNSEAT, (one(round_, 1),)), seen=seen)) == "has_begun"


@pytest.mark.parametrize("taken_back", [False, True])
def test_nobody_writes_on_the_sheet_of_a_table_that_is_gone(taken_back):
    """A phone that still shows the old table is told so; what it typed would be of nobody's game."""
    match = opened(played(doomlings(8)))
    round_ = Round.objects.get()
    if taken_back:
        withdraw_round(account(OLIVE), round_, "wrong", NOW)
    else:
        act(round_, Change(Act.UNSEAT, (one(round_, 1),)))
    assert refusal(lambda: write_part(match)) == "pairings_changed"
    assert not match.score_sheet.sheet.parts.exclude(version=0).exists()
