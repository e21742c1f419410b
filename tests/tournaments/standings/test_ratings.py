"""Ratings are a cache of public results: computed again they are the same, and nothing hidden gets in."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.identity.services import link_person_to_user
from accounts.models import Person
from journal.models import OutboxMessage
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, score, table
from tests.tournaments.leagues.test_leagues import played
from tournaments.events.services.events import finish_tournament, reopen_tournament
from tournaments.models import GameRating, Tournament
from tournaments.results.services.corrections import correct_result
from tournaments.statistics.selectors.ratings import rated_history, ratings_of, stored_ratings
from tournaments.tasks import rate_game, rate_person

pytestmark = pytest.mark.django_db
GAME = "doom_pile"


def test_stored_ratings_equal_those_computed_again():
    played("Ben", "Cem", accounts=["ada", "dora"])
    played("Ben", accounts=["ada", "dora", "emil"], days=7)
    rate_game(GAME)
    rate_game(GAME)  # twice does no harm
    stored = stored_ratings(GAME)
    assert stored == ratings_of(GAME)
    assert set(stored) == {account(name).person.pk for name in ("ada", "dora", "emil")}
    assert stored[account("ada").person.pk].matches == 2
    GameRating.objects.all().delete()
    rate_game(GAME)
    assert stored_ratings(GAME) == stored


def test_command_tells_whether_they_agree():
    played(accounts=["ada", "dora"])
    with pytest.raises(CommandError):
        call_command("rate_games", "--check", stdout=StringIO())
    call_command("rate_games", stdout=StringIO())
    call_command("rate_games", "--check", stdout=StringIO())
    GameRating.objects.update(mu=30)
    with pytest.raises(CommandError):
        call_command("rate_games", "--check", stdout=StringIO())


@pytest.mark.parametrize(
    "values", [{"visibility": "private"}, {"visibility": "unlisted"}, {"state": "running"}, {"state": "cancelled"}]
)
def test_hidden_and_unfinished_events_are_left_out(values):
    hidden = played(accounts=["ada", "dora"])
    assert len(rated_history(GAME)) == 1
    rate_game(GAME)
    Tournament.objects.filter(pk=hidden.pk).update(**values)
    rate_game(GAME)
    assert rated_history(GAME) == []
    assert stored_ratings(GAME) == {}


def test_rehearsals_are_left_out():
    played_event = played(accounts=["ada", "dora"])
    Tournament.objects.filter(pk=played_event.pk).update(rehearsal_of=event())
    assert rated_history(GAME) == []


def test_finishing_and_reopening_ask_for_new_ratings():
    def asked():
        return OutboxMessage.objects.filter(task="tournaments.rate_game", args=[GAME]).count()

    over = played(accounts=["ada", "dora"])
    assert asked() == 1
    reopen_tournament(account("olive"), over, "a mistake", NOW)
    assert asked() == 2
    before = ratings_of(GAME)
    match = table(over.stages.get().rounds.get())
    correct_result(account("olive"), match, score(0, 2), "the other way round", NOW)
    finish_tournament(account("olive"), over, NOW)
    assert asked() == 3
    assert (before, len(ratings_of(GAME))) == ({}, 2)


def test_byes_and_no_shows_tell_nothing():
    three = running(3)
    report_all(next_round(three))
    finish_tournament(account("olive"), three, NOW)
    assert len(rated_history(GAME)) == 1


def test_taking_a_guest_over_asks_for_new_ratings():
    first = played("Ada as a guest", accounts=["dora"])
    rate_game(GAME)
    guest = entry(first, "Ada as a guest").members.get().person
    assert account("ada").person.pk not in stored_ratings(GAME)
    link_person_to_user(guest, account("ada").user, account("ada"), NOW)
    (message,) = OutboxMessage.objects.filter(task="tournaments.rate_person")
    rate_person(*message.args)
    assert stored_ratings(GAME) == ratings_of(GAME)
    assert len(stored_ratings(GAME)) == 2


def test_persons_of_one_account_share_a_rating():
    first = played("Ada as a guest", accounts=["dora"])
    guest = entry(first, "Ada as a guest").members.get().person
    link_person_to_user(guest, account("ada").user, account("ada"), NOW)
    played(accounts=["ada", "dora"], days=7)
    rate_game(GAME)
    assert stored_ratings(GAME)[account("ada").person.pk].matches == 2
    assert not GameRating.objects.filter(person=guest).exists() or guest == account("ada").person


def test_erased_person_keeps_no_rating():
    played(accounts=["ada", "dora"])
    rate_game(GAME)
    Person.objects.filter(pk=account("ada").person.pk).update(erased_at=NOW)
    rate_game(GAME)
    assert set(stored_ratings(GAME)) == {account("dora").person.pk}
