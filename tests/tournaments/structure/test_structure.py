"""Whole events of several stages through the services: every kind, cuts, drops, corrections, the final order."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.cache import cache

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from scoring.standings.results import table_result
from tests.queries import count_queries
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, event, next_round, running, score
from tests.tournaments.web.visitors import page, url
from tournaments.core.round_names import match_name, round_name
from tournaments.core.rounds import current_round, matches_of
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.selectors.events import Step, next_step
from tournaments.events.selectors.undoing import undoable_acts
from tournaments.events.services.events import finish_tournament, reopen_tournament, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.events.services.undoing import undo_act
from tournaments.models import Entry, Match, ResultReport, Round, Seat, Stage, Tournament
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.penalties.services import give_penalty
from tournaments.rehearsals.simulation import simulate_event
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.recomputed import Verdict, recompute_rounds
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round
from tournaments.standings.selectors.entry_records import points_after_each
from tournaments.standings.selectors.moved import moved_lines
from tournaments.standings.selectors.standings import compute_standings_of, standings_given
from tournaments.structure.selectors.brackets import bracket_of
from tournaments.structure.selectors.cuts import preview_next_stage
from tournaments.structure.selectors.stages import current_stage, rounds_planned, stages_of
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of
from tournaments.structure.services.stages import begin_next_stage, set_stages, stages_mark, take_stage_back

pytestmark = pytest.mark.django_db

Kind, Qualify = Stage.Kind, Stage.Qualify
ROBIN, SINGLE, DOUBLE = (
    StageDraft(kind) for kind in (Kind.ROUND_ROBIN, Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION)
)
TOP = {"qualify": Qualify.TOP}


def top(size, **changes):
    """A cut to the best `size`, in a single elimination unless told otherwise."""
    return StageDraft(**{"kind": Kind.SINGLE_ELIMINATION, **TOP, "qualify_value": size, **changes})


def swiss(rounds, **changes):
    return StageDraft(planned_rounds=rounds, **changes)


def held(players, *drafts, **changes):
    """An event that runs with these stages."""
    tournament = event(players, **changes)
    set_stages(account("olive"), tournament, drafts, NOW)
    tournament.refresh_from_db()
    return start_tournament(account("olive"), tournament, NOW)


def numbers_at(match):
    return [seat.entry.number for seat in match.seats.all()]


def report(round_, *, wins=min):
    """Of two the lower entry number wins unless `wins` chooses otherwise; at tables the lower numbers lead."""
    for match in matches_of(round_):
        seats = numbers_at(match)
        if match.state == Match.State.DONE:
            continue
        places = table_result([1 + sorted(seats).index(number) for number in seats]) if len(seats) > 2 else None
        report_result(account("olive"), match, places or score(*(2 * (number == wins(seats)) for number in seats)), NOW)


def play(tournament, **options):
    """Pair, publish and report a round."""
    round_ = next_round(tournament)
    report(round_, **options)
    return round_


def play_stage(tournament, **options):
    """Play rounds until the stage being played is over; their names."""
    names = []
    while next_step(tournament).step is Step.PAIR:
        names.append(round_name(play(tournament, **options)))
    return names


def cut(tournament, **options):
    """Begin the next stage; the numbers of its seeds."""
    assert next_step(tournament).step is Step.BEGIN_STAGE
    return numbers_of(tournament, begin_next_stage(account("olive"), tournament, NOW, **options).seeds)


def numbers_of(tournament, entries):
    numbers = dict(tournament.entries.values_list("pk", "number"))
    return [numbers.get(entry) for entry in entries]


def order(tournament):
    """Ranks and entry numbers, best first."""
    lines = compute_standings_of(tournament)
    return list(
        zip((line.rank for line in lines), numbers_of(tournament, (line.contender for line in lines)), strict=True)
    )


def ranks_of(lines, numbers):
    """The ranks that these entries had."""
    ranks = {number: rank for rank, number in lines}
    return [ranks[number] for number in numbers]


def others(lines, numbers):
    """Everybody else, in that order."""
    return [number for _rank, number in lines if number not in numbers]


def entry_no(tournament, number):
    return tournament.entries.get(number=number)


def bracket_match(tournament, bracket):
    """The match of this id that counts."""
    return Match.objects.get(
        round__stage__tournament=tournament, round__superseded_at=None, bracket=bracket
    )  # fmt: skip


def assert_sound(tournament):
    """Every round repeats, the chain of the log holds, everybody's points add up to those of the standings."""
    for line in compute_standings_of(tournament):
        after = points_after_each(Entry.objects.get(pk=line.contender))
        assert [0, *after.values()][-1] == line.match_points
    assert {each.verdict for each in recompute_rounds(tournament)} == {Verdict.SAME}
    assert verify_stream(tournament.stream) == []


def test_swiss_and_top_eight_with_a_match_for_third_place():
    tournament = held(17, swiss(5), top(8, third_place=True))
    assert play_stage(tournament) == [f"Round {number}" for number in range(1, 6)]
    before = order(tournament)
    seeds = cut(tournament, seen=preview_next_stage(tournament).mark)
    assert ranks_of(before, seeds) == sorted(ranks_of(before, seeds))
    assert order(tournament) == before
    assert play_stage(tournament) == ["Quarter-finals", "Semi-finals", "Final"]
    quarters = [(seeds[one], seeds[other]) for one, other in ((0, 7), (3, 4), (2, 5), (1, 6))]
    halves = [sorted((min(quarters[0]), min(quarters[1]))), sorted((min(quarters[2]), min(quarters[3])))]
    first = sorted(min(half) for half in halves)
    third = sorted(max(half) for half in halves)
    out = [number for number in seeds if number not in (*first, *third)]
    expected = [*enumerate((*first, *third), start=1), *((5, number) for number in out)]
    assert order(tournament)[:8] == expected
    assert [number for _rank, number in order(tournament)[8:]] == others(before, seeds)
    assert match_name(bracket_match(tournament, "T1-1")) == "Match for third place"
    assert match_name(bracket_match(tournament, "W1-2")) == "Quarter-final 2"
    assert next_step(tournament).step is Step.FINISH
    assert finish_tournament(account("olive"), tournament, NOW).state == Tournament.State.FINISHED
    assert_sound(tournament)


def test_cut_by_points_day_two_with_points_so_far_and_top_four():
    day_two = swiss(2, qualify=Qualify.POINTS, qualify_value=6, carries_points=True)
    tournament = held(12, swiss(3), day_two, top(4, best_of=5))
    play_stage(tournament)
    points = {line.contender: line.match_points for line in compute_standings_of(tournament)}
    played_on = cut(tournament)
    assert set(played_on) == {
        number for entry, number in tournament.entries.values_list("pk", "number") if points[entry] >= 6
    }
    assert play_stage(tournament) == ["Round 4", "Round 5"]
    lines = compute_standings_of(tournament)
    assert set(numbers_of(tournament, (line.contender for line in lines[: len(played_on)]))) == set(played_on)
    assert lines[0].match_points == 15, "points of both days count"
    met = [frozenset(numbers_at(match)) for match in Match.objects.filter(round__stage__tournament=tournament)]
    assert len(met) == len(set(met)), "nobody meets an opponent of day one again"
    before = order(tournament)
    seeds = cut(tournament)
    assert ranks_of(before, seeds) == sorted(ranks_of(before, seeds))
    assert max(ranks_of(before, seeds)) <= 4
    assert current_stage(tournament).match_length.wins_needed == 3
    next_round(tournament)
    for wave in ("Semi-finals", "Final"):
        round_ = current_round(tournament)
        assert round_name(round_) == wave
        for match in matches_of(round_):
            report_result(
                account("olive"),
                match,
                score(*(3 * (each == min(numbers_at(match))) for each in numbers_at(match))),
                NOW,
            )
        if wave == "Semi-finals":
            next_round(tournament)
    assert order(tournament)[0] == (1, 1)
    assert_sound(tournament)


def test_points_start_anew_and_the_first_day_ranks_the_others():
    tournament = held(8, swiss(3), ROBIN_OF_4)
    play_stage(tournament)
    before = order(tournament)
    seeds = cut(tournament)
    assert [line.match_points for line in compute_standings_of(tournament)][:4] == [0] * 4
    assert play_stage(tournament, wins=max) == ["Round 4", "Round 5", "Round 6"]
    places = order(tournament)
    assert [number for _rank, number in places] == [*sorted(seeds, reverse=True), *others(before, seeds)]
    assert [rank for rank, _number in places][:5] == [1, 2, 3, 4, 5]
    given = standings_given(tournament)
    assert (given.first_round, {record.round_number for record in given.records.values()}) == (4, {1, 2, 3})
    assert_sound(tournament)


ROBIN_OF_4 = StageDraft(Kind.ROUND_ROBIN, qualify=Qualify.TOP, qualify_value=4)


def test_round_robin_of_seven_meets_everybody_once():
    tournament = held(7, ROBIN)
    assert rounds_planned(current_stage(tournament)) == 7
    assert len(play_stage(tournament)) == 7
    pairs = [tuple(sorted(numbers_at(match))) for match in Match.objects.filter(kind="played")]
    assert sorted(pairs) == [(one, other) for one in range(1, 8) for other in range(one + 1, 8)]
    assert order(tournament) == [(number, number) for number in range(1, 8)]
    assert_sound(tournament)


def test_round_robin_gives_a_bye_against_whoever_left():
    tournament = held(4, replace(ROBIN, return_leg=True))
    play(tournament)
    drop_entry(account("olive"), entry_no(tournament, 4), NOW)
    assert len(play_stage(tournament)) == 5
    byes = Match.objects.filter(kind="bye", round__stage__tournament=tournament)
    assert sorted(number for match in byes for number in numbers_at(match)) in (
        [1, 1, 2, 2, 3],
        [1, 1, 2, 3, 3],
        [1, 2, 2, 3, 3],
    )
    assert [number for _rank, number in order(tournament)] == [1, 2, 3, 4]
    assert_sound(tournament)


def seeded(tournament, numbers):
    """Pair the first round of an event that begins with a bracket, its seeds chosen for the test."""
    stage = current_stage(tournament)
    stage.seeds, stage.started_at = [entry_no(tournament, number).pk for number in numbers], NOW
    stage.save()
    return tournament


def test_double_elimination_of_six_is_reset_and_ranked():
    tournament = seeded(held(6, DOUBLE), range(1, 7))
    names = []
    while next_step(tournament).step is Step.PAIR:
        round_ = next_round(tournament)
        names.append(round_name(round_))
        report(round_, wins=max if "Grand final" in names else min)
        if "Grand final, second match" in names:
            break
    assert names[0] == "Winners' bracket, round 1"
    assert names[-2:] == ["Grand final", "Grand final, second match"]
    assert order(tournament) == [(1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (5, 6)]
    assert next_step(tournament).step is Step.FINISH
    assert_sound(tournament)


@pytest.mark.sqlite
def test_tables_of_four_for_thirteen_in_two_stages():
    final = StageDraft(Kind.TABLES, planned_rounds=1, **TOP, qualify_value=4, tables=TablePolicy(4, 4, 4))
    tournament = held(13, StageDraft(Kind.TABLES, planned_rounds=3), final, game="doomlings", best_of=1)
    play_stage(tournament)
    sizes = [len(numbers_at(match)) for match in Match.objects.filter(round__number=1)]
    assert sorted(sizes) == [3, 3, 3, 4]
    assert order(tournament)[0] == (1, 1)
    seeds = cut(tournament)
    last = play(tournament)
    assert [sorted(numbers_at(match)) for match in matches_of(last)] == [sorted(seeds)]
    assert order(tournament)[0] == (1, min(seeds))
    assert [rank for rank, _number in order(tournament)][:2] == [1, 2]
    assert next_step(tournament).step is Step.FINISH
    assert_sound(tournament)


def test_new_event_of_a_game_for_several_players_has_tables():
    assert [stage.kind for stage in stages_of(event(game="doomlings", best_of=1))] == [Kind.TABLES]
    tournament = event()
    assert [stage.kind for stage in stages_of(tournament)] == [Kind.SWISS]
    update_settings(account("olive"), tournament, {"game": "doomlings", "game_format": "standard", "best_of": 1}, NOW)
    assert [stage.kind for stage in stages_of(tournament)] == [Kind.TABLES]
    back = {"game": "doom_pile", "game_format": "standard", "best_of": 3}
    set_stages(account("olive"), tournament, [StageDraft(Kind.TABLES), ROBIN], NOW)
    assert refusal(update_settings, account("olive"), tournament, back, NOW) == "bad_stage"


BAD = [
    ([], "", 0),
    ([StageDraft("knockout")], "kind", 1),
    ([SINGLE, swiss(2)], "kind", 1),
    ([swiss(3, name="x" * 61)], "name", 1),
    ([swiss(3, qualify=Qualify.TOP, qualify_value=4)], "qualify", 1),
    ([swiss(3), top(None)], "qualify_value", 2),
    ([swiss(3), top(1)], "qualify_value", 2),
    ([swiss(3), top(129)], "qualify_value", 2),
    ([swiss(3), StageDraft(qualify_value=3)], "qualify_value", 2),
    ([swiss(3, carries_points=True)], "carries_points", 1),
    ([swiss(3), top(4, carries_points=True)], "carries_points", 2),
    ([swiss(100)], "planned_rounds", 1),
    ([swiss(0)], "planned_rounds", 1),
    ([StageDraft(Kind.ROUND_ROBIN, planned_rounds=3)], "planned_rounds", 1),
    ([swiss(3, best_of=2)], "best_of", 1),
    ([swiss(3), top(4, kind=Kind.DOUBLE_ELIMINATION, third_place=True)], "third_place", 2),
    ([swiss(3, return_leg=True)], "return_leg", 1),
]


def test_a_game_for_two_has_no_tables():
    tournament = event(game="dead_or_destroyed", game_format="standard", best_of=1)
    with pytest.raises(DomainError) as caught:
        set_stages(account("olive"), tournament, [StageDraft(Kind.TABLES)], NOW)
    assert (caught.value.code, caught.value.details["field"]) == ("bad_stage", "kind")


@pytest.mark.parametrize(("drafts", "name", "number"), BAD)
def test_stages_that_cannot_be_played_are_refused_by_stage_and_field(drafts, name, number):
    tournament = event(2)
    with pytest.raises(DomainError) as caught:
        set_stages(account("olive"), tournament, drafts, NOW)
    assert caught.value.code == "bad_stage"
    assert (caught.value.details.get("field", ""), caught.value.details.get("stage", 0)) == (name, number)
    assert stage_drafts_of(tournament) == [StageDraft()]


def test_stages_are_copied_changed_until_they_begin_and_guarded_against_others():
    tournament = held(8, swiss(2), top(4))
    mark = stages_mark(tournament)
    olive = account("olive")
    other = event(2)
    set_stages(olive, other, stage_drafts_of(tournament), NOW)
    other.refresh_from_db()
    assert stage_drafts_of(other) == stage_drafts_of(tournament)
    assert refusal(set_stages, olive, tournament, [ROBIN, top(4)], NOW) == "stage_has_begun"
    set_stages(olive, tournament, [swiss(1), top(2, best_of=1)], NOW)
    assert refusal(set_stages, olive, tournament, [swiss(2)], NOW, seen=mark) == "stages_changed"
    tournament.refresh_from_db()
    play_stage(tournament)
    assert len(cut(tournament)) == 2
    assert refusal(set_stages, olive, tournament, [swiss(1), top(4, best_of=1)], NOW) == "stage_has_begun"
    assert refusal(set_stages, olive, tournament, [swiss(1)], NOW) == "stage_has_begun"
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="stages.set").count() == 2


def test_nothing_begins_while_rounds_or_results_are_missing_or_the_cut_moved():
    tournament, olive = held(4, swiss(1), top(2)), account("olive")
    assert refusal(begin_next_stage, olive, tournament, NOW) == "rounds_left"
    round_ = next_round(tournament)
    assert refusal(begin_next_stage, olive, tournament, NOW) == "missing_results"
    report(round_)
    assert refusal(pair_next_round, olive, tournament, NOW) == "no_rounds_left"
    assert refusal(finish_tournament, olive, tournament, NOW) == "not_decided"
    seen = preview_next_stage(tournament).mark
    drop_entry(olive, Entry.objects.get(pk=preview_next_stage(tournament).cut.seeds[0]), NOW)
    assert refusal(begin_next_stage, olive, tournament, NOW, seen=seen) == "cut_changed"
    begin_next_stage(olive, tournament, NOW)
    assert refusal(begin_next_stage, olive, tournament, NOW) in ("no_stage_left", "rounds_left")
    assert refusal(finish_tournament, olive, tournament, NOW) == "not_decided"
    finished = finish_tournament(olive, tournament, NOW, early="the hall closes")
    assert finished.state == Tournament.State.FINISHED


def test_stage_that_is_played_otherwise_by_now_does_not_begin_unseen():
    tournament = held(8, swiss(1), top(4))
    play_stage(tournament)
    seen = preview_next_stage(tournament).mark
    set_stages(account("olive"), tournament, [swiss(1), swiss(2, **TOP, qualify_value=4)], NOW)
    assert refusal(begin_next_stage, account("olive"), tournament, NOW, seen=seen) == "cut_changed"
    assert begin_next_stage(account("olive"), tournament, NOW, seen=preview_next_stage(tournament).mark).seeds


def test_tie_at_the_cut_goes_by_lot_or_by_a_choice_with_a_reason():
    tournament, olive = held(4, swiss(1), top(3)), account("olive")
    play_stage(tournament)
    preview = preview_next_stage(tournament)
    tie = preview.cut.tie
    assert (tie.rank, len(tie.inside), len(tie.outside)) == (3, 1, 1)
    lots = {each.id: each.lot for each in standings_given(tournament).contenders}
    assert lots[tie.inside[0]] < lots[tie.outside[0]]
    assert refusal(begin_next_stage, olive, tournament, NOW, chosen=tie.outside) == "reason_needed"
    both = (*tie.inside, *tie.outside)
    assert refusal(begin_next_stage, olive, tournament, NOW, chosen=both, reason="why") == "bad_choice"
    assert refusal(begin_next_stage, olive, tournament, NOW, chosen=preview.cut.seeds[:1], reason="why") == "bad_choice"
    stage = begin_next_stage(olive, tournament, NOW, seen=preview.mark, chosen=tie.outside, reason="they tossed a coin")
    assert stage.seeds == [*preview.cut.seeds[:2], *tie.outside]
    begun = LedgerEntry.objects.get(stream=tournament.stream, act="stage.begun")
    assert begun.subjects["tie"] == "chosen"
    take_stage_back(olive, tournament, "they play it out after all", NOW)
    assert begin_next_stage(olive, tournament, NOW).seeds == list(preview.cut.seeds)


@pytest.mark.parametrize(("replaces", "size"), [(True, 4), (False, 3)])
def test_whoever_dropped_before_the_cut_is_replaced_or_leaves_a_bye(replaces, size):
    tournament = held(8, swiss(2), top(4, replaces_dropped=replaces))
    play_stage(tournament)
    best = compute_standings_of(tournament)[0].contender
    drop_entry(account("olive"), Entry.objects.get(pk=best), NOW)
    assert best in preview_next_stage(tournament).cut.missing
    begin_next_stage(account("olive"), tournament, NOW)
    stage = current_stage(tournament)
    assert len(stage.seeds) == 4
    assert sum(seed is not None for seed in stage.seeds) == size
    assert len(play_stage(tournament)) == 2
    assert compute_standings_of(tournament)[0].rank == 1
    assert_sound(tournament)


def test_whoever_leaves_a_bracket_lets_the_opponent_play_on():
    tournament = seeded(held(4, replace(SINGLE, third_place=True)), range(1, 5))
    drop_entry(account("olive"), entry_no(tournament, 1), NOW)
    round_ = next_round(tournament)
    walkover = bracket_match(tournament, "W1-1")
    assert (walkover.kind, walkover.state, walkover.table_number) == ("awarded", "done", None)
    assert numbers_at(walkover) == [4, 1]
    assert refusal(report_result, account("olive"), walkover, score(0, 2), NOW) == "not_played"
    report(round_)
    drop_entry(account("olive"), entry_no(tournament, 2), NOW)
    play_stage(tournament)
    assert order(tournament) == [(1, 4), (2, 2), (3, 3), (4, 1)]
    assert next_step(tournament).step is Step.FINISH
    assert_sound(tournament)


def test_both_who_leave_let_the_better_seed_give_way_in_the_next_match():
    tournament = seeded(held(4, SINGLE), range(1, 5))
    for number in (1, 4):
        drop_entry(account("olive"), entry_no(tournament, number), NOW)
    play_stage(tournament)
    assert order(tournament) == [(1, 2), (2, 1), (3, 3), (3, 4)]


def back_before_publishing(tournament):
    """Number 1 is dropped by a wrong press, the next round is paired, and the drop is undone before it is published."""
    drop_entry(account("olive"), entry_no(tournament, 1), NOW)
    round_ = pair_next_round(account("olive"), tournament, NOW)
    return_entry(account("olive"), entry_no(tournament, 1), NOW)
    return round_


@pytest.mark.parametrize("stage", [SINGLE, DOUBLE, ROBIN], ids=lambda each: each.kind)
def test_who_is_back_since_the_pairing_loses_no_match_by_it(stage, client):
    tournament, olive = seeded(held(4, stage), range(1, 5)), account("olive")
    round_ = back_before_publishing(tournament)
    with pytest.raises(DomainError) as refused:
        publish_round(olive, round_, NOW)
    assert (refused.value.code, refused.value.details) == ("unplaced", {"entries": [1]})
    assert "Ada (#1)" in refused.value.message
    client.force_login(olive.user)
    shown = page(client, url(tournament, "manage/rounds/"))
    assert "Back since this round was paired: Ada." in shown
    assert f"/rounds/{round_.pk}/publish/" not in shown
    withdraw_round(olive, round_, "Ada is here", NOW)
    report(next_round(tournament))
    assert entry_no(tournament, 1).seats.get(round__superseded_at=None).match.kind == "played"
    assert_sound(tournament)


def test_published_walkover_is_corrected_as_any_other_result():
    tournament, olive = seeded(held(4, SINGLE), range(1, 5)), account("olive")
    drop_entry(olive, entry_no(tournament, 1), NOW)
    round_ = next_round(tournament)
    return_entry(olive, entry_no(tournament, 1), NOW)
    walkover = bracket_match(tournament, "W1-1")
    assert numbers_at(walkover) == [4, 1]
    report(round_)
    final = pair_next_round(olive, tournament, NOW)
    correct_result(olive, walkover, score(0, 2), "Ada was dropped by mistake", NOW)
    assert 1 in numbers_at(bracket_match(tournament, "W2-1"))
    publish_round(olive, final, NOW)
    report(final)
    walkover.refresh_from_db()
    assert refusal(correct_result, olive, walkover, score(2, 0), "no", NOW) == "bracket_moved_on"
    assert_sound(tournament)


def test_staff_correct_a_walkover_from_the_page_of_the_bracket(client):
    tournament = seeded(held(4, SINGLE), range(1, 5))
    drop_entry(account("olive"), entry_no(tournament, 1), NOW)
    next_round(tournament)
    walkover = bracket_match(tournament, "W1-1")
    client.force_login(account("olive").user)
    path = url(tournament, f"match/{walkover.pk}/")
    assert path in page(client, url(tournament, "bracket/"))
    assert "Correct the result" in page(client, path)
    typed = {"kind": "played", "first": "0", "second": "2", "drawn": "0", "reason": "dropped by mistake"}
    answer = client.post(path, {**typed, "act": "correct", "seen": walkover.accepted_report_id})
    assert answer.status_code == 302
    walkover.refresh_from_db()
    assert walkover.accepted_report.kind == "played"
    assert "0–2" in page(client, path)
    assert path in page(client, url(tournament, "bracket/"))


def test_drop_that_a_published_walkover_followed_is_not_undone():
    tournament, olive, later = held(4, SINGLE), account("olive"), NOW + timedelta(minutes=1)
    drop_entry(olive, entry_no(tournament, 1), NOW)
    drop = LedgerEntry.objects.get(stream=tournament.stream, act="entry.dropped")
    round_ = pair_next_round(olive, tournament, later)
    assert drop in undoable_acts(olive, tournament, later)
    publish_round(olive, round_, later)
    assert undoable_acts(olive, tournament, later) == []
    assert refusal(undo_act, olive, tournament, drop.sequence, later) == "moved_on"


def disqualify(tournament, number):
    give_penalty(account("olive"), entry_no(tournament, number), "disqualification", "Cheating", NOW)


def test_disqualified_keep_no_rank_before_in_and_after_a_bracket():
    tournament = held(9, swiss(3), top(4))
    play_stage(tournament)
    best = order(tournament)[0][1]
    disqualify(tournament, best)
    seeds = cut(tournament)
    assert best not in seeds
    assert len(seeds) == 4
    disqualify(tournament, seeds[0])
    round_ = next_round(tournament)
    assert bracket_match(tournament, "W1-1").kind == "awarded"
    report(round_)
    play_stage(tournament)
    ranks = {number: rank for rank, number in order(tournament)}
    assert not {best, seeds[0]} & set(ranks)
    assert sorted(ranks[number] for number in seeds[1:]) == [1, 2, 3]
    champion = next(number for number in seeds if ranks.get(number) == 1)
    disqualify(tournament, champion)
    assert sorted(rank for rank, number in order(tournament) if number in seeds) == [1, 2]


def test_draw_and_double_loss_are_refused_where_somebody_plays_on():
    tournament = seeded(held(2, SINGLE), (1, 2))
    match = matches_of(next_round(tournament))[0]
    assert refusal(report_result, account("olive"), match, score(1, 1), NOW) == "needs_a_winner"


def follows(tournament, bracket="W1-1"):
    """Turn the result of a match of the bracket round."""
    match = bracket_match(tournament, bracket)
    won = [row.games_won for row in match.accepted_report.seat_results.order_by("seat__order")]
    return correct_result(account("olive"), match, score(*reversed(won)), "the slip was read wrongly", NOW)


@pytest.mark.parametrize("published", [False, True])
def test_corrected_result_gives_the_next_match_to_the_other(published):
    tournament = seeded(held(4, replace(SINGLE, third_place=True)), range(1, 5))
    play(tournament)
    round_ = pair_next_round(account("olive"), tournament, NOW)
    if published:
        publish_round(account("olive"), round_, NOW)
    follows(tournament)
    assert sorted(numbers_at(bracket_match(tournament, "W2-1"))) == [2, 4]
    assert sorted(numbers_at(bracket_match(tournament, "T1-1"))) == [1, 3]
    assert current_round(tournament) == round_
    assert not Round.objects.exclude(results_changed_at=None).exists()
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="round.followed").count() == 1
    assert Match.objects.filter(bracket="W2-1").count() == 1 + published, "what was published is kept"
    if not published:
        publish_round(account("olive"), round_, NOW)
    report(current_round(tournament))
    assert order(tournament) == [(1, 2), (2, 4), (3, 1), (4, 3)]
    assert_sound(tournament)


def test_corrected_result_is_refused_once_the_next_match_has_begun_and_names_it():
    tournament = seeded(held(4, SINGLE), range(1, 5))
    play(tournament)
    play(tournament)
    with pytest.raises(DomainError) as caught:
        follows(tournament)
    assert caught.value.code == "bracket_moved_on"
    assert "Final" in str(caught.value)
    assert order(tournament)[0] == (1, 1)
    match = bracket_match(tournament, "W1-1")
    correct_result(account("olive"), match, score(*numbers_won(match)), "one game more", NOW)
    follows(tournament, "W2-1")
    assert order(tournament)[0] == (1, 2)


def test_a_report_that_nobody_confirmed_holds_up_no_correction_and_is_kept():
    tournament = seeded(held(4, SINGLE), range(1, 5))
    play(tournament)
    next_round(tournament)
    final = bracket_match(tournament, "W2-1")
    seat = final.seats.first()
    report_result(account("ada"), final, score(2, 0), NOW, seat=seat)
    follows(tournament)
    assert sorted(numbers_at(bracket_match(tournament, "W2-1"))) != sorted(numbers_at(final))
    assert ResultReport.objects.filter(match=final).count() == 1
    assert_sound(tournament)


def test_who_needs_more_time_has_it_in_a_match_that_a_correction_made():
    tournament = seeded(held(4, SINGLE), range(1, 5))
    tournament.entries.filter(number=4).update(extra_minutes=10)
    play(tournament)
    next_round(tournament)
    assert bracket_match(tournament, "W2-1").extra_seconds == 0
    follows(tournament)
    assert 4 in numbers_at(bracket_match(tournament, "W2-1"))
    assert bracket_match(tournament, "W2-1").extra_seconds == 600


def test_amendment_of_a_correction_holds_what_the_bracket_does_by_itself():
    tournament = seeded(held(4, SINGLE), range(1, 5))
    play(tournament)
    drop_entry(account("olive"), entry_no(tournament, 2), NOW)
    next_round(tournament)
    before = standings_given(tournament)
    assert order(tournament)[:2] == [(1, 1), (2, 2)]
    follows(tournament)
    assert order(tournament)[:2] == [(1, 4), (2, 2)]
    amendment = tournament.amendments.latest("pk")
    assert amendment.lines == [each.as_list() for each in moved_lines(before, standings_given(tournament))]


def numbers_won(match):
    """The same winner with a game lost."""
    return [2 if number == min(numbers_at(match)) else 1 for number in numbers_at(match)]


def test_second_grand_final_goes_when_the_first_is_corrected():
    tournament = seeded(held(3, DOUBLE), (1, 2, 3))
    while next_step(tournament).step is Step.PAIR:
        round_ = next_round(tournament)
        if round_.levels == ["F2"]:
            break
        report(round_, wins=max if round_.levels == ["F1"] else min)
    assert round_.levels == ["F2"]
    follows(tournament, "F1-1")
    assert current_round(tournament).levels == ["F1"]
    assert bracket_of(current_stage(tournament)).filled.champion == entry_no(tournament, 1).pk
    assert next_step(tournament).step is Step.FINISH
    finished = finish_tournament(account("olive"), tournament, NOW)
    assert finished.state == Tournament.State.FINISHED


def test_finished_event_reopens_for_its_final():
    tournament = seeded(held(2, SINGLE), (1, 2))
    play(tournament)
    finish_tournament(account("olive"), tournament, NOW)
    tournament = reopen_tournament(account("olive"), tournament, "the final was entered wrongly", NOW)
    follows(tournament)
    assert order(tournament) == [(1, 2), (2, 1)]
    assert finish_tournament(account("olive"), tournament, NOW).state == Tournament.State.FINISHED


def test_next_match_is_paired_while_another_is_still_played():
    tournament = seeded(held(8, SINGLE), range(1, 9))
    round_ = next_round(tournament)
    matches = matches_of(round_)
    for match in matches[:2]:
        report_result(account("olive"), match, score(2, 0), NOW)
    without = [match.pk for match in matches[2:]]
    early = pair_next_round(account("olive"), tournament, NOW, without=without, reason="the stream wants it now")
    assert [match.bracket for match in matches_of(early)] == ["W2-1"]
    assert {match.table_number for match in matches_of(early)}.isdisjoint({3, 4}), "tables still in use"
    publish_round(account("olive"), early, NOW)
    code = refusal(
        pair_next_round, account("olive"), tournament, NOW, without=[*without, matches_of(early)[0].pk], reason="more"
    )
    assert code == "nothing_playable"


@pytest.mark.sqlite
def test_round_of_a_bracket_is_taken_back_and_so_is_the_cut():
    tournament, olive = held(4, swiss(1), top(2)), account("olive")
    play_stage(tournament)
    cut(tournament)
    round_ = next_round(tournament)
    assert refusal(take_stage_back, olive, tournament, "wrong", NOW) == "stage_played"
    withdraw_round(olive, round_, "wrong cut", NOW)
    take_stage_back(olive, tournament, "wrong cut", NOW)
    assert refusal(take_stage_back, olive, tournament, "wrong", NOW) == "first_stage"
    follow = matches_of(Round.objects.get(stage__number=1, stage__tournament=tournament))[0]
    loser = max(follow.seats.all(), key=lambda seat: seat.entry.number).entry
    correct_result(olive, follow, score(*(2 * (seat.entry == loser) for seat in follow.seats.all())), "misread", NOW)
    assert next_step(tournament).step is Step.BEGIN_STAGE
    begin_next_stage(olive, tournament, NOW)
    assert loser.pk in current_stage(tournament).seeds
    assert_sound(tournament)


def turned(match, at):
    """The other player wins what counts from this time on."""
    won = [row.games_won for row in match.accepted_report.seat_results.order_by("seat__order")]
    correct_result(account("olive"), match, score(*reversed(won)), "misread", at)
    match.refresh_from_db()


def test_round_of_a_cut_is_marked_where_a_result_changed_between_the_cut_and_its_pairing(client):
    tournament, olive = held(4, swiss(1), top(2)), account("olive")
    play_stage(tournament)
    cut(tournament)
    match = matches_of(Round.objects.get(stage__number=1, stage__tournament=tournament))[0]
    client.force_login(olive.user)

    def told():
        return "Results that decided the cut changed since" in page(client, url(tournament, "manage/"))

    assert not told()
    first, second = (NOW + timedelta(minutes=minutes) for minutes in (1, 2))
    turned(match, first)
    assert told()
    round_ = pair_next_round(olive, tournament, second)
    assert round_.results_changed_at == first
    assert "results changed" in page(client, url(tournament, "manage/rounds/"))
    withdraw_round(olive, round_, "the cut is wrong", second)
    turned(match, second)
    assert not told(), "what was corrected is corrected back"
    round_ = pair_next_round(olive, tournament, second)
    assert round_.results_changed_at is None
    third, fourth = (NOW + timedelta(minutes=minutes) for minutes in (3, 4))
    for at, mark in ((third, third), (fourth, None)):
        turned(match, at)
        round_.refresh_from_db()
        assert round_.results_changed_at == mark
    assert_sound(tournament)


def test_field_is_closed_once_it_is_set():
    tournament, olive = held(4, swiss(1), top(2)), account("olive")
    play(tournament)
    register_walk_ins(olive, tournament, [EntryDraft("Late")], NOW)
    outside = entry_no(tournament, 5)
    drop_entry(olive, outside, NOW)
    cut(tournament)
    assert refusal(register_walk_ins, olive, tournament, [EntryDraft("Later")], NOW) == "field_closed"
    return_entry(olive, outside, NOW)
    round_ = next_round(tournament)
    assert len(matches_of(round_)) == 1, "who is not in the field is not missed"


def test_first_round_taken_back_opens_the_field_of_a_round_robin_again():
    tournament = held(4, ROBIN)
    first = pair_next_round(account("olive"), tournament, NOW)
    withdraw_round(account("olive"), first, "Somebody came late", NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Late")], NOW)
    again = pair_next_round(account("olive"), tournament, NOW)
    assert Seat.objects.filter(round=again).count() == 5
    assert all(each.same for each in recompute_rounds(tournament))


def test_whoever_never_played_cannot_come_back_after_the_cut():
    tournament = held(9, swiss(1), swiss(1, **TOP, qualify_value=4))
    gone, played = entry(tournament, "Ada"), entry(tournament, "Ben")
    Entry.objects.filter(pk=gone.pk).update(state=Entry.State.WITHDRAWN)
    report(next_round(tournament))
    drop_entry(account("olive"), played, NOW)
    begin_next_stage(account("olive"), tournament, NOW)
    assert refusal(return_entry, account("olive"), gone, NOW) == "field_closed"
    assert return_entry(account("olive"), played, NOW).state == Entry.State.REGISTERED


def test_decklists_are_published_with_the_cut_and_stay_so():
    tournament = held(4, swiss(1), top(2), deck_publish=Tournament.DeckPublish.AFTER_CUT)
    play_stage(tournament)
    cut(tournament)
    tournament.refresh_from_db()
    assert tournament.decks_published_at == NOW
    take_stage_back(account("olive"), tournament, "wrong", NOW)
    tournament.refresh_from_db()
    assert tournament.decks_published_at == NOW


@pytest.mark.parametrize("players", [8, 32])
def test_queries_do_not_grow_with_the_field(players):
    tournament = held(players, swiss(1), top(players))
    play_stage(tournament)
    asked = []
    for act in (
        preview_next_stage,
        lambda each: begin_next_stage(account("olive"), each, NOW),
        next_round,
        compute_standings_of,
        next_step,
    ):
        cache.clear()
        asked.append(count_queries(act, tournament))
    assert asked == QUERIES


QUERIES = [7, 31, 64, 6, 6]


def test_rounds_of_an_event_of_one_stage_keep_their_settings():
    tournament = running(4, swiss_rounds=3)
    assert rounds_planned(current_stage(tournament)) == 3


@pytest.mark.sqlite
def test_made_up_event_plays_any_stages_to_the_end():
    later = [top(6, kind=Kind.SWISS, planned_rounds=2, carries_points=True), top(4, kind=Kind.DOUBLE_ELIMINATION)]
    one, other = (simulate_event(12, 3, 5, later=later) for _ in range(2))
    assert one.tournament.state == Tournament.State.FINISHED
    numbers = [numbers_of(each.tournament, (line.contender for line in each.standings)) for each in (one, other)]
    assert numbers[0][:2] == numbers[1][:2]
    assert [line.rank for line in one.standings][:4] == [1, 2, 3, 4]
    assert_sound(one.tournament)


def test_event_finishes_early_from_its_page_for_a_reason_alone(client):
    tournament = held(4, swiss(1), top(2))
    play_stage(tournament)
    client.force_login(account("olive").user)
    manage = f"/e/{tournament.slug}/manage/"
    assert "aren't finished" in client.get(manage).content.decode()
    client.post(f"{manage}finish/")
    assert next_step(tournament).step is Step.BEGIN_STAGE
    client.post(f"{manage}finish/", {"finish-reason": "the hall closes"})
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
