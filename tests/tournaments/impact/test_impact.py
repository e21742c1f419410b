"""The impact before a change is saved: it is what then happens, to the last rank, and nothing of it stays."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, OutboxMessage
from rules_engine.errors import Conflict, DomainError
from scoring.standings.results import MatchResult, ResultKind, no_show
from tests.queries import count_queries
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, next_round, report_all, running, score, table
from tournaments.core.rounds import matches_of
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.impact.selectors import impact_of_drop, situation_of
from tournaments.impact.services import apply_and_repair_pairings, apply_if_unchanged, look_at
from tournaments.manual_pairing.selectors import preview_change, round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round, undo_change
from tournaments.models import Amendment, Match, PairingChange, ResultReport, Round, Stage, Tournament
from tournaments.pairing.manual.changes import bill_of
from tournaments.pairing.manual.round_draft import Act, Change, RoundDraft
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.contenders import round_input_of
from tournaments.rounds.selectors.recomputed import recompute_round
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.standings.selectors.standings import compute_standings_of
from tournaments.structure.selectors.cuts import preview_next_stage

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
SCORES = [score(2, 0), score(2, 1), score(0, 2), score(1, 2), score(1, 1), score(1, 1, drawn=1)]


def played(players=8, rounds=3, seed=1, **changes):
    """Olive's event after some rounds with random results, the next one paired."""
    chance = random.Random(seed)
    tournament = running(players, swiss_rounds=9, **changes)
    for number in range(rounds):
        round_ = next_round(tournament, seed=number)
        for match in matches_of(round_):
            if match.table_number:
                report_result(account("olive"), match, chance.choice(SCORES), NOW)
    pair_next_round(account("olive"), tournament, NOW, seed=seed)
    return tournament


@pytest.fixture(scope="module")
def world(shared_db):
    """The event that most tests start from; what they do to it is taken back."""
    return played().pk


@pytest.fixture
def tournament(world):
    return Tournament.objects.get(pk=world)


def newest(tournament):
    return Round.objects.filter(stage__tournament=tournament, superseded_at=None).latest("number")


def correction(match, result, now=LATER):
    """Olive's correction as an act."""
    return lambda: correct_result(account("olive"), match, result, "typed the wrong way round", now)


def look(tournament, act, *, with_tables=True):
    return look_at(tournament, act, with_tables=with_tables)


def stored(tournament):
    """Everything that a look must leave as it is."""
    return (
        compute_standings_of(tournament),
        situation_of(tournament, with_tables=True).mark,
        [model.objects.count() for model in (ResultReport, LedgerEntry, OutboxMessage, Amendment, PairingChange)],
        list(Match.objects.order_by("pk").values_list("pk", "version", "state", "accepted_report")),
    )


def lines(tournament):
    """Rank and values of everybody, as the pages have them."""
    return {each.contender: (each.rank, each.keys) for each in compute_standings_of(tournament)}


def moved(before, after, policy):
    """Which lines differ, worked out apart: {entry: (rank before, rank after, {key: (before, after)})}."""
    found = {}
    for entry_id in before.keys() | after.keys():
        old, new = before.get(entry_id), after.get(entry_id)
        if old != new:
            values = zip(policy.tiebreakers, old[1], new[1], strict=True) if old and new else ()
            keys = {key: (was, will) for key, was, will in values if was != will}
            found[entry_id] = (old and old[0], new and new[0], keys)
    return found


def told(impact):
    return {
        line.entry: (line.rank_before, line.rank_after, {each.key: (each.before, each.after) for each in line.keys})
        for line in impact.lines
    }


def seeds(tournament):
    cut = preview_next_stage(tournament).cut
    return {entry_id: seed for seed, entry_id in enumerate(cut.seeds, start=1) if entry_id is not None}


def add_cut(tournament, size=4):
    return Stage.objects.create(
        tournament=tournament, number=2, kind=Stage.Kind.SINGLE_ELIMINATION, qualify="top", qualify_value=size
    )


def check_preview(tournament, act, *, repair):
    """Look, check that nothing stays, do it, and hold what happened against what was told."""
    before, untouched = lines(tournament), stored(tournament)
    cut_before = seeds(tournament)
    impact = look(tournament, act)
    assert stored(tournament) == untouched
    round_ = newest(tournament)
    if repair and impact.tables and impact.tables.come:
        apply_and_repair_pairings(account("olive"), tournament, act, "corrected", LATER, seen=impact.mark)
    else:
        repair = False
        apply_if_unchanged(tournament, act, seen=impact.mark, with_tables=True)
    assert told(impact) == moved(before, lines(tournament), tournament.scoring_policy)
    cut_after = seeds(tournament)
    shown = {each.entry: (each.before, each.after) for cut in impact.cuts for each in cut.seeds}
    everybody = cut_before.keys() | cut_after.keys()
    differ = {each for each in everybody if cut_before.get(each) != cut_after.get(each)}
    assert shown == {each: (cut_before.get(each), cut_after.get(each)) for each in differ}
    given, stands = round_input_of(tournament, round_.number, 0), round_draft_of(round_)
    if impact.tables:
        assert bill_of(stands, given) == (impact.tables.repaired if repair else impact.tables.after)
    if repair:
        assert {each.seats for each in impact.tables.come} <= {each.seats for each in stands.seatings}
        change = round_.changes.latest("number")
        assert len(change.after["seatings"]) == len(impact.tables.come)
    return impact


def random_correction(chance, tournament):
    """A match of a round before the newest, with another result."""
    done = Match.objects.filter(round__stage__tournament=tournament, kind="played", accepted_report__isnull=False)
    match = chance.choice(list(done.order_by("pk")))
    length = match.round.stage.match_length
    return match, chance.choice([*SCORES, no_show(2, (0,), length), no_show(2, (0, 1), length), DOUBLE_LOSS])


DOUBLE_LOSS = MatchResult(ResultKind.DOUBLE_LOSS, (0, 0))


def check_corrections(count, seed):
    chance = random.Random(seed)
    tournament = played(chance.choice((9, 10, 12)), 3, seed)
    add_cut(tournament)
    found = []
    for number in range(count):
        act = correction(*random_correction(chance, tournament), now=LATER + timedelta(minutes=number))
        found.append(check_preview(tournament, act, repair=chance.random() < 0.5))
    # add_cut writes a stage past the log: that alone is found
    assert not [each for each in verify_stream(tournament.stream) if ": setting " not in each.text]
    assert recompute_round(newest(tournament)).same
    return found


@pytest.mark.sqlite
def test_preview_is_what_then_happens():
    found = [*check_corrections(8, 1), *check_corrections(8, 2)]
    assert sum(bool(each.lines) for each in found) > 8
    assert any(each.cuts for each in found)
    assert any(each.tables and each.tables.come for each in found)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_preview_is_what_then_happens_often(seed):
    check_corrections(25, 100 + seed)


def test_same_result_moves_no_line(tournament):
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    row = list(match.accepted_report.seat_results.order_by("seat__order"))
    same = score(*(each.games_won for each in row), drawn=match.accepted_report.games_drawn)
    impact = look(tournament, correction(match, same))
    assert (impact.lines, impact.cuts, impact.built, impact.tables) == ((), (), (), None)


def test_rounds_built_on_the_result_are_named(tournament):
    first = table(Round.objects.get(stage__tournament=tournament, number=1))
    assert look(tournament, correction(first, DOUBLE_LOSS)).built == (2, 3, 4)


def test_refused_act_is_refused_at_the_look(tournament):
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    untouched = stored(tournament)
    assert refusal(look, tournament, correction(match, score(5, 0))) == "bad_score"
    assert stored(tournament) == untouched


def test_correction_between_look_and_save_is_refused(tournament):
    one, other = (table(Round.objects.get(stage__tournament=tournament, number=1), number) for number in (1, 2))
    impact = look(tournament, correction(one, DOUBLE_LOSS))
    correction(other, DOUBLE_LOSS)()
    untouched, act = stored(tournament), correction(one, DOUBLE_LOSS)
    saves = (
        lambda: apply_and_repair_pairings(account("olive"), tournament, act, "corrected", NOW, seen=impact.mark),
        lambda: apply_if_unchanged(tournament, act, seen=impact.mark, with_tables=True),
    )
    for save in saves:
        assert refusal(save) == "moved_on"
    assert stored(tournament) == untouched


def test_tables_that_change_between_look_and_save_are_seen_by_whoever_saw_them(tournament):
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    act, round_ = correction(match, DOUBLE_LOSS), newest(tournament)
    with_tables, without = look(tournament, act), look(tournament, act, with_tables=False)
    assert without.tables is None
    people = [round_draft_of(round_).table(number).seats[0] for number in (1, 2)]
    mark = seen_mark(round_, round_draft_of(round_))
    change_round(account("olive"), round_, Change(Act.SWAP, tuple(people)), "wish", NOW, seen=mark)
    with pytest.raises(Conflict):
        apply_if_unchanged(tournament, act, seen=with_tables.mark, with_tables=True)
    apply_if_unchanged(tournament, act, seen=without.mark, with_tables=False)


def test_begun_tables_stay_when_others_are_repaired():
    chance = random.Random(5)
    tournament = played(12, 3, 5)
    round_ = publish_round(account("olive"), newest(tournament), NOW)
    begun = table(round_, 1)
    report_result(account("olive"), begun, score(2, 0), NOW)
    for number in range(6):
        before = [each for each in round_draft_of(round_).seatings if each.begun]
        act = correction(*random_correction(chance, tournament), now=LATER + timedelta(minutes=number))
        impact = look(tournament, act)
        if impact.tables and impact.tables.come:
            assert not {1} & {each.number for each in (*impact.tables.gone, *impact.tables.come)}
            apply_and_repair_pairings(account("olive"), tournament, act, "corrected", LATER, seen=impact.mark)
        else:
            act()
        assert [each for each in round_draft_of(round_).seatings if each.begun] == before


def repairable(tournament):
    """An act after which other tables are better, and its impact."""
    chance = random.Random(3)
    for _time in range(50):
        act = correction(*random_correction(chance, tournament))
        impact = look(tournament, act)
        if impact.tables and impact.tables.come:
            return act, impact
    raise AssertionError("no correction asks for other tables")


def test_repaired_tables_are_kept_as_a_change_that_is_computed_again_and_undone(tournament):
    act, impact = repairable(tournament)
    round_, was = newest(tournament), round_draft_of(newest(tournament))
    apply_and_repair_pairings(account("olive"), tournament, act, "corrected", LATER, seen=impact.mark)
    change = PairingChange.objects.get()
    assert (change.kind, change.reason) == (PairingChange.Kind.REPAIR, "corrected")
    assert change.after["engine"] == "mending/1"
    assert recompute_round(round_).same
    undo_change(account("olive"), round_, "after all", LATER, seen=seen_mark(round_, round_draft_of(round_)))
    assert round_draft_of(round_).seatings == was.seatings


def test_costs_of_a_repaired_round_go_by_the_results_of_now(tournament):
    act, impact = repairable(tournament)
    apply_and_repair_pairings(account("olive"), tournament, act, "corrected", LATER, seen=impact.mark)
    round_ = newest(tournament)
    preview = preview_change(round_, round_draft_of(round_), Change(Act.PAIR_REST, seed=9))
    assert preview.bill_now == impact.tables.repaired
    assert preview.bill_now.cost == preview.best.cost


def test_nothing_to_repair_is_said(tournament):
    round_ = newest(tournament)
    with pytest.raises(DomainError) as caught:
        change_round(
            account("olive"),
            round_,
            Change(Act.REPAIR_MINIMAL),
            "x",
            NOW,
            seen=seen_mark(round_, round_draft_of(round_)),
        )
    assert caught.value.code == "same_place"


def test_drop_shows_who_moves_up_in_the_cut_and_the_table_it_leaves_open(tournament):
    add_cut(tournament)
    leaving = compute_standings_of(tournament)[1].contender
    member = entry(tournament, tournament.entries.get(pk=leaving).name)

    def act():
        return drop_entry(account("olive"), member, LATER)

    impact = check_preview(tournament, act, repair=True)
    (cut,) = impact.cuts
    assert (leaving, 2, None) in {(each.entry, each.before, each.after) for each in cut.seeds}
    assert not cut.begun
    assert isinstance(round_draft_of(newest(tournament)), RoundDraft)
    assert not any(leaving in each.seats for each in round_draft_of(newest(tournament)).seatings)


@pytest.mark.sqlite
def test_own_drop_is_told_as_it_would_be_without_doing_it(tournament):
    add_cut(tournament)
    for each in tournament.entries.all():
        done = look_at(tournament, lambda each=each: drop_entry(account("olive"), each, LATER), with_tables=False)
        with CaptureQueriesContext(connection) as queries:
            told = impact_of_drop(each)
        assert (told.lines, told.cuts, told.mark) == (done.lines, done.cuts, done.mark)
        assert all(query["sql"].startswith("SELECT") and "FOR UPDATE" not in query["sql"] for query in queries)


def test_return_is_previewed_too(tournament):
    add_cut(tournament)
    leaving = compute_standings_of(tournament)[0].contender
    member = tournament.entries.get(pk=leaving)
    drop_entry(account("olive"), member, NOW)
    check_preview(tournament, lambda: return_entry(account("olive"), member, LATER), repair=True)


def test_cut_that_was_made_says_that_it_does_not_move(tournament):
    stage = add_cut(tournament)
    Round.objects.filter(pk=newest(tournament).pk).delete()
    ranked = [each.contender for each in compute_standings_of(tournament)]
    Stage.objects.filter(pk=stage.pk).update(seeds=ranked[:4], started_at=NOW)
    winner = Match.objects.filter(seats__entry=ranked[0], kind="played").first()
    impact = look(tournament, correction(winner, DOUBLE_LOSS))
    assert [cut.begun for cut in impact.cuts] == [True]
    stage.refresh_from_db()
    assert stage.seeds == ranked[:4]


def test_look_takes_as_many_queries_for_few_as_for_many():
    counts = set()
    for players in (6, 12):
        tournament = played(players)
        add_cut(tournament)
        match = table(Round.objects.get(stage__tournament=tournament, number=1))
        counts.add(count_queries(look, tournament, correction(match, DOUBLE_LOSS)))
    assert len(counts) == 1


def test_amendment_keeps_what_the_look_told(tournament):
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    act = correction(match, DOUBLE_LOSS)
    impact = look(tournament, act)
    answer = act()
    amendment = Amendment.objects.get()
    assert amendment.lines == [line.as_list() for line in impact.lines]
    assert (amendment.kind, amendment.report, amendment.after_round) == ("correction", answer.report, 3)
    assert amendment.reason == "typed the wrong way round"


def test_no_amendment_where_no_line_moves_or_none_was_shown():
    tournament = running(4)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    round_ = next_round(tournament)
    report_all(round_)
    act = correction(table(round_), score(2, 0))
    act()
    assert not Amendment.objects.exists()


@pytest.mark.sqlite
def test_amendment_of_a_correction_that_fails_is_not_kept(tournament):
    match = table(Round.objects.get(stage__tournament=tournament, number=1))
    with pytest.raises(DomainError):
        correct_result(account("olive"), match, DOUBLE_LOSS, " ", LATER)
    assert not Amendment.objects.exists()
