"""Profiles: for those alone who want one, of public events that are over, in the same number of queries."""

import pytest
from django.test import Client

from accounts.identity.services import set_profile_shown
from accounts.models import Person
from rules_engine.errors import NotFound
from tests.queries import count_queries
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, event
from tests.tournaments.leagues.test_leagues import played
from tests.tournaments.structure.test_structure import SINGLE, play_stage
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.models import Entry, Tournament
from tournaments.statistics.selectors.profiles import find_profile, profile_of
from tournaments.statistics.services import rate_game
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db


def shown(name, on=True):
    actor = account(name)
    set_profile_shown(actor.user, actor, NOW, shown=on)
    return actor.person


def test_profile_tells_ranks_records_and_opponents():
    played(accounts=["ada", "dora"])
    played(accounts=["ada", "dora"], days=7)
    rate_game("doom_pile", NOW)
    (game,) = profile_of(shown("ada")).games
    assert [line.players for line in game.events] == [2, 2]
    assert [line.wins + line.losses for line in game.events] == [1, 1]
    (met,) = game.meetings
    assert (met.name, met.matches, met.profile) == ("dora", 2, "")
    assert met.wins == sum(line.wins for line in game.events)
    assert game.rating.matches == 2


def test_profile_names_an_event_that_was_an_elimination():
    """Its matches bring no points: the rank is told without a record."""
    tournament = event(3, visibility="public")
    sign_up(account("ada"), tournament, account("ada").person, NOW)
    set_stages(account("olive"), tournament, [SINGLE], NOW)
    tournament.refresh_from_db()
    tournament = start_tournament(account("olive"), tournament, NOW)
    play_stage(tournament)
    finish_tournament(account("olive"), tournament, NOW)
    person = shown("ada")
    (line,) = profile_of(person).games[0].events
    assert (line.players, line.wins + line.draws + line.losses) == (4, 0)
    assert "0–0–0" not in Client().get(f"/players/{person.public_id}/").content.decode()


def test_opponents_profile_is_linked_where_it_is_shown():
    played(accounts=["ada", "dora"])
    dora = shown("dora")
    (game,) = profile_of(shown("ada")).games
    assert game.meetings[0].profile == dora.public_id


@pytest.mark.parametrize("values", [{"visibility": "private"}, {"visibility": "unlisted"}, {"state": "running"}])
def test_hidden_and_unfinished_events_are_not_told(values):
    event = played(accounts=["ada", "dora"])
    Tournament.objects.filter(pk=event.pk).update(**values)
    assert profile_of(shown("ada")).games == ()


def test_rehearsals_are_not_told():
    event = played(accounts=["ada", "dora"])
    Tournament.objects.filter(pk=event.pk).update(rehearsal_of=played("Ben", "Cem"))
    assert profile_of(shown("ada")).games == ()


def test_profile_is_found_only_while_it_is_switched_on():
    person = account("ada").person
    for hide in (
        lambda: None,
        lambda: (shown("ada"), shown("ada", on=False)),
        lambda: (shown("ada"), Person.objects.update(erased_at=NOW)),
    ):
        hide()
        assert refusal(find_profile, person.public_id) == "unknown_player"
    Person.objects.update(erased_at=None)
    assert find_profile(shown("ada").public_id) == person


def test_guest_has_no_profile():
    event = played("Ada", "Ben")
    with pytest.raises(NotFound):
        find_profile(Entry.objects.filter(tournament=event).first().members.get().person.public_id)


def test_erased_opponent_is_shown_by_a_pseudonym():
    played(accounts=["ada", "dora"])
    Person.objects.filter(user__username="dora").update(erased_at=NOW)
    (game,) = profile_of(shown("ada")).games
    assert game.meetings[0].name.startswith("Erased player")


def test_profile_takes_the_same_number_of_queries():
    played(accounts=["ada", "dora"])
    counts = []
    for more in range(2):
        for day in range(4 * more):
            played("Ben", "Cem", "Fay", accounts=["ada", f"new{day}"], days=day + 1)
        person = shown("ada")
        profile_of(person)
        counts.append(count_queries(profile_of, person))
    assert counts[0] == counts[1] <= 8
