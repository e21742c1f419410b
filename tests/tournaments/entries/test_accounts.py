"""A player without an account who turns out to have one plays once at every event."""

import pytest

from accounts.identity.services import issue_personal_link
from accounts.models import Person, PersonalLink
from journal.transactions import fenced
from rules_engine.errors import Conflict
from tests.races import FORK, race
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tournaments.entries.services.accounts import take_over_person
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import cancel_tournament, finish_tournament
from tournaments.events.services.moving import mark_as_moved

pytestmark = pytest.mark.django_db


def link_of(tournament, name="Ada"):
    """The link of a player whom staff typed in."""
    person = Person.objects.get(memberships__entry=entry(tournament, name))
    issue_personal_link(person, account("olive"), NOW)
    return PersonalLink.objects.get(person=person)


def take_over(link, name="ada"):
    return take_over_person(link.person, account(name).user, account(name), NOW, link=link)


def signed_up(tournament, name="ada"):
    return sign_up(account(name), tournament, account(name).person, NOW)


def test_an_account_that_plays_already_takes_no_second_entry_over():
    tournament = event(2)
    link, own = link_of(tournament), signed_up(tournament)
    with pytest.raises(Conflict, match=tournament.name) as caught:
        take_over(link)
    assert caught.value.code == "entered_already"
    link.refresh_from_db()
    assert (link.person.user, link.revoked_at) == (None, None)
    drop_entry(account("olive"), own, NOW)
    assert take_over(link).user == account("ada").user


def test_who_withdrew_the_typed_entry_may_take_it_over():
    tournament = event(2)
    link, _own = link_of(tournament), signed_up(tournament)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert take_over(link).user == account("ada").user


def test_a_dropped_entry_counts_as_long_as_the_event_runs():
    """It may come back at any time."""
    tournament = running(3)
    (typed,) = register_walk_ins(account("olive"), tournament, [EntryDraft("Late")], NOW)
    link = link_of(tournament, "Late")
    Person.objects.filter(memberships__entry=entry(tournament, "Ada")).update(user=account("ada").user)
    report_all(next_round(tournament))
    drop_entry(account("olive"), typed, NOW)
    with pytest.raises(Conflict):
        take_over(link)
    finish_tournament(account("olive"), tournament, NOW)
    assert take_over(link).user == account("ada").user


@pytest.mark.parametrize("end", [
    lambda olive, tournament: mark_as_moved(olive, tournament, "The other site", "", NOW),
    lambda olive, tournament: cancel_tournament(olive, tournament, "no hall", NOW),
], ids=["moved", "cancelled"])  # fmt: skip
def test_an_event_in_which_nobody_can_withdraw_any_more_holds_nothing_up(end):
    tournament = event(2)
    link, _own = link_of(tournament), signed_up(tournament)
    end(account("olive"), tournament)
    assert take_over(link).user == account("ada").user


def test_other_events_do_not_matter():
    signed_up(event())
    link = link_of(event(2))
    assert take_over(link).user == account("ada").user


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_locked", [True, False])
def test_taking_over_and_signing_up_at_once_leave_one_entry(is_locked, monkeypatch):
    """The control: without the lock of the event both go through."""
    if not is_locked:
        monkeypatch.setattr("tournaments.entries.services.accounts.lock_tournament_of", lambda *_of, **_how: None)
    tournament = event(2)
    link, ada = link_of(tournament), account("ada")
    taken, entered = FORK.Event(), FORK.Event()

    def wait_before_the_end():
        taken.set()
        entered.wait(1 if is_locked else 20)

    def act(number):
        try:
            if number:
                taken.wait(20)
                state = sign_up(ada, tournament, ada.person, NOW).state
                entered.set()
                return state
            with fenced(wait_before_the_end):
                return take_over_person(link.person, ada.user, ada, NOW, link=link).name
        except Conflict as error:
            return error.code

    assert race(act, 2) == ["Ada", "entered_already" if is_locked else "registered"]
