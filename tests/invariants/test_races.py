"""Races between separate processes: a round is paired once, one result wins, the same result counts once.

Each proof has a control: with the lock taken out (and the database's own guard dropped) the same race must go wrong.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from decks.services.catalogues import load_catalogues
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from rules_engine.systems import get_system
from tests.races import close_connections, forked, goes_wrong, race, require_one_thread
from tests.tournaments.factories import NOW, account, entry, next_round, running, score, table
from tournaments.decks.services import decks
from tournaments.decks.services.reopening import reopen_deck
from tournaments.management.demo import sample_decklist
from tournaments.models import (
    AwardedBye,
    Match,
    ResultReport,
    Round,
    Seat,
    SeatResult,
    StoredRoundInput,
    Tournament,
)
from tournaments.results.services import reports as results
from tournaments.rounds.selectors.recomputed import Verdict, recompute_round
from tournaments.rounds.services import rounds

pytestmark = pytest.mark.django_db(transaction=True)

SCORES = ((2, 0), (2, 1), (1, 1), (1, 2), (0, 2), (1, 0), (0, 1))


@pytest.fixture
def turns(many):
    """How often each race is run for each number of clients: once, or the full figure."""
    return many(200, 1)


def press_pair(tournament):
    """What one organiser's press answers: the round's number, or the code of the refusal."""

    def press(number):
        olive = account("olive")
        try:
            return rounds.pair_next_round(olive, tournament, NOW, seed=number, after=0).number
        except Conflict as error:
            return error.code

    return press


@pytest.mark.sqlite
def test_no_fork_copies_the_locks_of_another_thread():
    close_connections()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        with pytest.raises(RuntimeError, match="other threads"):
            require_one_thread(patience=0.1)
    require_one_thread()


def test_what_was_forked_is_killed_when_its_block_ends_however_it_ends():
    with pytest.raises(ZeroDivisionError), forked(time.sleep, 600) as process:
        raise ZeroDivisionError
    assert not process.is_alive()


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 8])
def test_round_is_paired_once_however_many_press(clients, many):
    for _turn in range(many(500, 1)):
        tournament = running(8)
        answers = race(press_pair(tournament), clients)
        assert sorted(map(str, answers)) == ["1"] + ["already_paired"] * (clients - 1)
        assert Round.objects.filter(stage__tournament=tournament).count() == 1
        round_ = Round.objects.get(stage__tournament=tournament)
        assert (round_.matches.count(), Seat.objects.filter(round=round_).count()) == (4, 8)
        assert StoredRoundInput.objects.get(round__stage__tournament=tournament).round == round_
        assert recompute_round(round_).verdict is Verdict.SAME
        assert verify_stream(tournament.stream) == []


@pytest.mark.postgresql
def test_without_lock_and_key_the_round_is_paired_twice(no_lock):
    """The control of the test above."""
    drop_constraint(Round, "one_round_a_number")
    drop_constraint(Round, "one_round_version")
    try:
        assert goes_wrong(lambda: race(press_pair(running(8)), 8).count(1))
    finally:
        Round.objects.all().delete()
        restore_constraint(Round, "one_round_a_number")
        restore_constraint(Round, "one_round_version")


def press_publish(round_):
    """What one organiser's press answers: "published", or the code of the refusal."""

    def press(_number):
        try:
            rounds.publish_round(account("olive"), round_, NOW)
        except Conflict as error:
            return error.code
        return "published"

    return press


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 8])
def test_round_is_published_once_and_its_byes_count_once(clients, turns):
    for _turn in range(turns):
        round_ = paired_with_byes()
        answers = race(press_publish(round_), clients)
        assert sorted(answers) == ["published"] + ["published_already"] * (clients - 1)
        reports = ResultReport.objects.filter(match__round=round_)
        assert (reports.count(), SeatResult.objects.filter(report__in=reports).count()) == (3, 3)
        acts = LedgerEntry.objects.filter(stream=round_.stage.tournament.stream, act="round.published")
        assert acts.count() == 1


@pytest.mark.postgresql
def test_without_lock_the_round_is_published_twice(no_lock):
    """The control of the test above."""
    assert goes_wrong(lambda: race(press_publish(paired_with_byes()), 8).count("published"))


def paired_with_byes():
    """A round of five, not published: a bye, and two byes that were awarded."""
    tournament = running(5)
    for each in tournament.entries.all()[:2]:
        AwardedBye.objects.create(entry=each, round_number=1)
    return rounds.pair_next_round(account("olive"), tournament, NOW, seed=1)


def post_score(match, scores):
    """What one scorekeeper's post answers: the status, or the code of the refusal."""

    def post(number):
        return str(results.report_result(account(f"kit{number}"), match, score(*scores[number]), NOW).status)

    return post


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 7])
def test_of_different_results_one_counts_and_all_stay(clients, turns):
    for _turn in range(turns):
        match = table(next_round(running(4)))
        answers = race(post_score(match, SCORES), clients)
        assert sorted(answers) == ["conflict"] * (clients - 1) + ["standing"]
        match.refresh_from_db()
        assert ResultReport.objects.filter(match=match).count() == clients
        assert match.accepted_report.number == 1
        assert verify_stream(Tournament.objects.latest("pk").stream) == []


@pytest.mark.sqlite
def test_same_result_sixteen_times_counts_once(turns):
    for _turn in range(turns):
        match = table(next_round(running(4)))
        assert race(post_score(match, [(2, 1)] * 16), 16) == ["standing"] * 16
        assert ResultReport.objects.filter(match=match).count() == 1


@pytest.mark.postgresql
def test_without_lock_the_same_result_is_stored_again(no_lock):
    """The control of the two tests above."""

    def stored():
        match = table(next_round(running(4)))
        race(post_score(match, [(2, 1)] * 8), 8)
        return ResultReport.objects.filter(match=match).count()

    drop_constraint(ResultReport, "one_report_a_number")
    try:
        assert goes_wrong(stored)
    finally:
        connection.cursor().execute("TRUNCATE tournaments_resultreport CASCADE")
        restore_constraint(ResultReport, "one_report_a_number")


def press_register(member):
    """What one press of a player whose deck was reopened answers: "stored", or the code of the refusal."""

    def press(number):
        try:
            decks.register_deck(account("ada"), member, f"Pile {number}", sample_decklist(copies=3), NOW)
        except DomainError as error:
            return error.code
        return "stored"

    return press


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 8])
def test_reopened_deck_is_registered_once_however_many_press(clients, turns):
    load_catalogues(NOW, [get_system("doom_pile")])
    for _turn in range(turns):
        member = reopen_deck(account("juno"), entry(running(2), "Ada").members.get(), 30, "torn", NOW)
        answers = race(press_register(member), clients)
        assert sorted(answers) == ["decks_locked"] * (clients - 1) + ["stored"]
        assert LedgerEntry.objects.filter(stream=member.tournament.stream, act="deck.registered").count() == 1


@pytest.fixture
def no_lock(monkeypatch):
    """Services that read where they ought to lock; for PostgreSQL, as SQLite has one writer at a time anyway."""

    def unlocked(tournament):
        return Tournament.objects.get(pk=tournament.pk)

    def unlocked_match(match, *_states):
        return Tournament.objects.get(pk=match.round.stage.tournament_id), Match.objects.get(pk=match.pk)

    def unlocked_round(round_):
        return Tournament.objects.get(pk=round_.stage.tournament_id), Round.objects.get(pk=round_.pk)

    monkeypatch.setattr(rounds, "lock_tournament", unlocked)
    monkeypatch.setattr(rounds, "lock_round", unlocked_round)
    monkeypatch.setattr(results, "lock_match", unlocked_match)


def constraint(model, name):
    return next(each for each in model._meta.constraints if each.name == name)


def drop_constraint(model, name):
    with connection.schema_editor() as editor:
        editor.remove_constraint(model, constraint(model, name))


def restore_constraint(model, name):
    with connection.schema_editor() as editor:
        editor.add_constraint(model, constraint(model, name))
