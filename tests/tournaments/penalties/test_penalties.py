"""Penalties: what each does to the result of its match and to who plays on, and what taking one back leaves."""

import pytest

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, PersonalValue
from rules_engine.errors import Conflict, DomainError
from scoring.standings.results import MatchResult, ResultKind, match_loss, no_show, table_result
from tests.refusals import refusal
from tests.tournaments.factories import (
    NOW,
    account,
    entry,
    event,
    next_round,
    report_all,
    running,
    score,
    table,
)
from tournaments.entries.services.attendance import return_entry
from tournaments.events.services.events import start_tournament
from tournaments.models import Entry, Match, Penalty, Stage
from tournaments.penalties.services import give_penalty, take_back_penalty
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.results.services.stored_reports import as_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.standings.selectors.standings import standings_of

pytestmark = pytest.mark.django_db
Kind, State = Penalty.Kind, Entry.State


def seated(match, place=0):
    return match.seats.order_by("order")[place].entry


def give(match, kind, place=0, **facts):
    return give_penalty(account("juno"), seated(match, place), kind, "Slow play", NOW, match=match, **facts)


def counted(match):
    """The result that counts now, None while none does."""
    report = Match.objects.get(pk=match.pk).accepted_report
    return as_result(report) if report else None


def test_warning_changes_nothing_but_is_kept(match):
    penalty = give(match, Kind.WARNING, notes="  second time  ")
    assert (penalty.round, penalty.match, penalty.report, penalty.notes) == (match.round, match, None, "second time")
    assert counted(match) is None


def test_match_loss_of_an_open_match_gives_it_to_the_opponent(match):
    penalty = give(match, Kind.MATCH_LOSS)
    assert counted(match) == match_loss(0, match.round.stage.match_length)
    assert penalty.report == Match.objects.get(pk=match.pk).accepted_report
    assert standings_of(match.round.stage.tournament)[0].match_points == 3


def test_match_loss_corrects_a_result_that_counts(match):
    report_result(account("olive"), match, score(2, 0), NOW)
    report = give(match, Kind.MATCH_LOSS).report
    assert (report.corrects.number, as_result(report).games_won, bool(report.reason)) == (1, (0, 2), True)
    assert "Slow" not in report.reason


def test_match_loss_needs_a_match_of_the_player(match):
    with pytest.raises(DomainError, match="Choose the match"):
        give_penalty(account("juno"), seated(match), Kind.MATCH_LOSS, "Slow play", NOW)
    stranger = match.round.stage.tournament.entries.exclude(seats__match=match).first()
    with pytest.raises(DomainError) as caught:
        give_penalty(account("juno"), stranger, Kind.MATCH_LOSS, "Slow play", NOW, match=match)
    assert caught.value.code == "not_at_match"


def test_match_losses_of_both_are_a_loss_for_both(match):
    give(match, Kind.MATCH_LOSS, 0)
    give(match, Kind.MATCH_LOSS, 1)
    assert counted(match) == MatchResult(ResultKind.DOUBLE_LOSS, (0, 0))


@pytest.mark.parametrize(
    ("before", "losses", "after"),
    [((2, 0), 1, (2, 1)), ((1, 0), 1, (1, 1)), ((2, 1), 1, (2, 1)), ((2, 0), 2, (1, 2)), ((0, 2), 1, (0, 2))],
)
def test_game_losses_go_into_a_result_that_counts(match, before, losses, after):
    report_result(account("olive"), match, score(*before), NOW)
    for _number in range(losses):
        give(match, Kind.GAME_LOSS)
    assert counted(match).games_won == after


def test_game_loss_of_an_open_match_is_asked_of_the_score(match):
    give(match, Kind.GAME_LOSS)
    with pytest.raises(DomainError) as caught:
        report_result(account("olive"), match, score(2, 0), NOW)
    assert caught.value.code == "penalty_missing"
    assert seated(match).name in caught.value.message
    assert report_result(account("olive"), match, score(2, 1), NOW).report.number == 1


def test_correction_keeps_what_penalties_decided_until_they_are_taken_back(match):
    penalty, standing = give(match, Kind.MATCH_LOSS), counted(match)
    with pytest.raises(DomainError):
        correct_result(account("juno"), match, score(2, 0), "mistyped", NOW)
    take_back_penalty(account("juno"), penalty, "wrong player", NOW)
    assert counted(match) == standing
    correct_result(account("juno"), match, score(2, 0), "wrong player", NOW)
    assert counted(match).games_won == (2, 0)


def test_disqualification_gives_the_match_away_and_ends_the_event_for_the_player(match):
    offender = seated(match)
    give(match, Kind.DISQUALIFICATION)
    offender.refresh_from_db()
    assert (offender.state, offender.dropped_after) == (State.DISQUALIFIED, 1)
    assert counted(match).penalised == (0,)
    tournament = match.round.stage.tournament
    assert offender.pk not in [line.contender for line in standings_of(tournament)]
    report_result(account("olive"), table(match.round, 2), score(2, 0), NOW)
    assert not next_round(tournament, 2).matches.filter(seats__entry=offender).exists()


def test_disqualification_without_a_match_loses_what_is_still_played(match):
    penalty = give_penalty(account("juno"), seated(match), Kind.DISQUALIFICATION, "Unsporting conduct", NOW)
    assert counted(match).penalised == (0,)
    assert penalty.report.match == match


def test_disqualification_between_rounds_leaves_results(match):
    report_all(match.round)
    give_penalty(account("juno"), seated(match), Kind.DISQUALIFICATION, "Unsporting conduct", NOW)
    assert counted(match).games_won == (2, 0)


def test_disqualified_player_never_returns_unless_it_is_taken_back(match):
    offender, penalty = seated(match), give(match, Kind.DISQUALIFICATION)
    with pytest.raises(Conflict):
        return_entry(account("olive"), Entry.objects.get(pk=offender.pk), NOW)
    take_back_penalty(account("juno"), penalty, "another player did it", NOW)
    offender.refresh_from_db()
    assert (offender.state, offender.dropped_after) == (State.DROPPED, 1)
    assert return_entry(account("olive"), offender, NOW).state == State.REGISTERED


def test_two_disqualifications_end_with_the_second_taken_back(match):
    first = give(match, Kind.DISQUALIFICATION)
    second = give(match, Kind.DISQUALIFICATION)
    take_back_penalty(account("juno"), first, "twice", NOW)
    assert Entry.objects.get(pk=first.entry_id).state == State.DISQUALIFIED
    take_back_penalty(account("juno"), second, "none", NOW)
    assert Entry.objects.get(pk=first.entry_id).state == State.DROPPED


def test_penalty_is_taken_back_once_with_a_reason(match):
    penalty = give(match, Kind.WARNING)
    with pytest.raises(DomainError):
        take_back_penalty(account("juno"), penalty, "  ", NOW)
    take_back_penalty(account("juno"), penalty, "heard wrong", NOW)
    assert refusal(take_back_penalty, account("juno"), penalty, "again", NOW) == "already_taken_back"


def test_penalty_decided_on_an_older_match_is_refused(match):
    seen = match.version
    report_result(account("olive"), match, score(0, 2), NOW)
    with pytest.raises(Conflict) as caught:
        give(match, Kind.MATCH_LOSS, version=seen)
    assert (caught.value.code, Penalty.objects.count()) == ("match_changed", 0)


@pytest.mark.parametrize("infraction", ["", "   "])
def test_penalty_needs_an_infraction(match, infraction):
    assert refusal(give_penalty, account("juno"), seated(match), Kind.WARNING, infraction, NOW) == "infraction_needed"


def test_penalties_are_of_running_events(match):
    type(match.round.stage.tournament).objects.update(state="finished")
    with pytest.raises(DomainError):
        give_penalty(account("juno"), seated(match), Kind.WARNING, "Slow play", NOW)


def test_ledger_names_ids_alone(match):
    give(match, Kind.MATCH_LOSS, notes="was seen by Kit")
    tournament = match.round.stage.tournament
    act = LedgerEntry.objects.get(stream=tournament.stream, act="penalty.given")
    assert set(act.subjects) == {"penalty", "entry", "match", "table"}
    assert all(isinstance(value, int) for value in act.subjects.values())
    told = dict(PersonalValue.objects.filter(entry=act).values_list("key", "value"))
    assert told == {"kind": "match_loss", "infraction": "Slow play", "notes": "was seen by Kit"}
    assert verify_stream(tournament.stream) == []
    imposed = LedgerEntry.objects.get(stream=tournament.stream, act="result.imposed")
    assert not imposed.personal_values.exists()


def test_match_loss_at_a_table_of_several_is_the_last_place():
    match = big_table()
    report_result(account("olive"), match, table_result([1, 2, 3]), NOW)
    give(match, Kind.MATCH_LOSS, 0)
    assert counted(match).placings == (3, 1, 2)


def test_whoever_a_penalty_sends_back_at_a_table_scores_nothing_and_the_others_keep_theirs():
    match = big_table()
    report_result(account("olive"), match, table_result(scores=(52, 44, 31)), NOW)
    give(match, Kind.MATCH_LOSS, 0)
    assert (counted(match).placings, counted(match).scores) == ((3, 1, 2), (0, 44, 31))


@pytest.mark.parametrize("kind", [Kind.MATCH_LOSS, Kind.GAME_LOSS, Kind.DISQUALIFICATION])
def test_several_with_penalties_share_the_last_place_of_a_table(kind):
    match = big_table()
    report_result(account("olive"), match, table_result(scores=(52, 44, 31)), NOW)
    give(match, kind, 0)
    give(match, kind, 1)
    assert (counted(match).placings, counted(match).scores) == ((2, 2, 1), (0, 0, 31))
    give(match, Kind.MATCH_LOSS, 2)
    assert counted(match) == MatchResult(ResultKind.DOUBLE_LOSS, (0, 0, 0))


def test_a_game_loss_at_a_table_that_all_shared_is_the_last_place():
    match = big_table()
    report_result(account("olive"), match, table_result(scores=(40, 40, 40)), NOW)
    give(match, Kind.GAME_LOSS, 1)
    assert (counted(match).placings, counted(match).scores) == ((1, 3, 1), (40, 0, 40))


@pytest.mark.parametrize("kind", [Kind.MATCH_LOSS, Kind.GAME_LOSS])
def test_who_did_not_come_to_a_table_stays_behind_whoever_has_a_penalty(kind):
    match = big_table()
    report_result(account("olive"), match, table_result([1, 2, 3], absent=(2,)), NOW)
    give(match, kind, 0)
    assert counted(match) == table_result([2, 1, 3], absent=(2,))
    give(match, kind, 1)
    assert counted(match).kind is ResultKind.DOUBLE_LOSS


def test_a_disqualification_taken_back_before_the_start_leaves_somebody_withdrawn_who_can_sign_up():
    tournament = event(3)
    ada = entry(tournament, "Ada")
    penalty = give_penalty(account("juno"), ada, Kind.DISQUALIFICATION, "Unsporting conduct", NOW)
    take_back_penalty(account("juno"), penalty, "somebody else", NOW)
    ada.refresh_from_db()
    assert (ada.state, ada.dropped_after) == (State.WITHDRAWN, None)
    start_tournament(account("olive"), tournament, NOW)
    assert entry(tournament, "Ada").state == State.WITHDRAWN


@pytest.mark.parametrize("kind", [Kind.MATCH_LOSS, Kind.DISQUALIFICATION])
def test_a_game_loss_of_the_other_player_holds_up_no_penalty_and_no_no_show(match, kind):
    give(match, Kind.GAME_LOSS, 1)
    report_result(account("olive"), match, no_show(2, (0,), match.round.stage.match_length), NOW)
    assert counted(match).absent == (0,)
    other = table(match.round, 2)
    give(other, Kind.GAME_LOSS, 1)
    give(other, kind, 0)
    assert counted(other).penalised == (0,)


def test_a_game_loss_that_would_leave_a_bracket_match_without_a_winner_changes_no_result(match):
    Stage.objects.filter(pk=match.round.stage_id).update(kind=Stage.Kind.SINGLE_ELIMINATION)
    match = Match.objects.get(pk=match.pk)
    report_result(account("olive"), match, score(1, 0), NOW)
    assert give(match, Kind.GAME_LOSS).report is None
    assert counted(match).games_won == (1, 0)


def test_open_table_of_several_plays_on_and_asks_for_the_last_place():
    match = big_table()
    give(match, Kind.GAME_LOSS, 1)
    with pytest.raises(DomainError):
        report_result(account("olive"), match, table_result([1, 2, 3]), NOW)
    assert report_result(account("olive"), match, table_result([1, 3, 2]), NOW).report.number == 1


def big_table():
    """A table of three: the seats of a match and one more."""
    match = table(next_round(running(5)))
    spare = match.round.matches.get(kind="bye").seats.get()
    Match.objects.filter(pk=spare.match_id).update(accepted_report=None, state="open")
    type(spare).objects.filter(pk=spare.pk).update(match=match, order=3)
    return Match.objects.get(pk=match.pk)


def test_places_and_scores_are_stored_and_read_back():
    match = big_table()
    told = table_result(scores=(3, 1, 1))
    report = report_result(account("olive"), match, told, NOW).report
    assert as_result(report) == told
    assert [row.outcome for row in report.seat_results.all()] == ["win", "loss", "loss"]


def test_no_show_at_a_table_is_read_back_with_who_was_absent():
    match = big_table()
    told = table_result([1, 2, 3], absent=(2,))
    assert as_result(report_result(account("olive"), match, told, NOW).report) == told
    again = report_result(account("olive"), match, told, NOW)
    assert (again.report.number, again.status.value) == (1, "standing")


def test_no_show_of_the_opponent_satisfies_a_penalty(match):
    give(match, Kind.GAME_LOSS, 0)
    report_result(account("olive"), match, no_show(2, (0,), match.round.stage.match_length), NOW)
    assert counted(match).absent == (0,)


@pytest.mark.parametrize("kind", [Kind.GAME_LOSS, Kind.WARNING])
def test_report_from_before_a_penalty_is_confirmed_only_if_it_shows_it(match, kind):
    one, other = match.seats.order_by("order")
    waiting = report_result(account("ada"), match, score(2, 0), NOW, seat=one).report
    give(match, kind)
    if kind == Kind.WARNING:
        assert confirm_report(account("ben"), waiting, NOW, seat=other).accepted == waiting
        return
    for seat in (other, None):
        assert refusal(confirm_report, account("ben"), waiting, NOW, seat=seat) == "penalty_missing"
    assert counted(match) is None


def test_disqualified_after_the_pairing_loses_the_match_once_it_is_published(match):
    report_all(match.round)
    coming = table(pair_next_round(account("olive"), match.round.stage.tournament, NOW, seed=1))
    give_penalty(account("juno"), seated(coming), Kind.DISQUALIFICATION, "Cheating", NOW)
    assert counted(coming) is None
    publish_round(account("olive"), coming.round, NOW)
    assert counted(coming) == match_loss(0, coming.round.stage.match_length)
