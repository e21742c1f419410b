"""A deck reopened by a judge: once, for a while, on record; and stored decks registered."""

from datetime import timedelta

import pytest

from accounts.actors import Actor
from accounts.identity.services import create_person
from decks.services.decks import freeze_version
from decks.services.own_decks import delete_deck
from journal.models import LedgerEntry, PersonalValue
from rules_engine.errors import NotFound
from tests.decks.owners import save_deck_version
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, event
from tournaments.decks.selectors.own_decks import own_decks
from tournaments.decks.services.decks import register_deck, register_stored_deck, replace_deck
from tournaments.decks.services.reopening import close_reopened_deck, reopen_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("pile_cards")]
ADA, MINUTE = "Ada", timedelta(minutes=1)
LEGAL = sample_decklist(copies=3)


@pytest.fixture
def locked():
    """Ada's place at an event whose deadline is now."""
    return entry(event(2, deck_deadline=NOW), ADA).members.get()


def reopen(member, minutes=30, reason="two sheets mixed up", now=NOW):
    return reopen_deck(account("juno"), member, minutes, reason, now)


def register(member, now=NOW, text=LEGAL):
    return register_deck(account("ada"), member, "Pile", text, now).member


def test_reopened_once_the_player_registers_once(locked):
    assert refusal(register, locked) == "decks_locked"
    assert reopen(locked).deck_reopened_until == NOW + 30 * MINUTE
    assert register(locked).deck_reopened_until is None
    assert refusal(register, locked) == "decks_locked"


def test_reopening_ends_at_its_instant(locked):
    reopen(locked)
    assert refusal(register, locked, NOW + 30 * MINUTE) == "decks_locked"
    assert register(locked, NOW + 30 * MINUTE - timedelta(microseconds=1))


def test_unread_lines_do_not_use_it_up(locked):
    reopen(locked)
    assert refusal(register, locked, text=LEGAL + "\n3 Nonsuch") == "unread_lines"
    assert register(locked)


def test_a_judge_shuts_it_before_its_time(locked):
    assert refusal(close_reopened_deck, account("juno"), locked, NOW) == "not_reopened"
    reopen(locked)
    close_reopened_deck(account("juno"), locked, NOW)
    assert refusal(register, locked) == "decks_locked"
    reopen(locked)
    assert refusal(close_reopened_deck, account("juno"), locked, NOW + 30 * MINUTE) == "not_reopened"


def test_a_judges_own_registration_shuts_it(locked):
    reopen(locked)
    assert replace_deck(account("juno"), locked, "Pile", LEGAL, "typed", NOW).member.deck_reopened_until is None


def test_only_one_entry_is_reopened(locked):
    reopen(locked)
    other = entry(locked.tournament, "Ben").members.get()
    assert refusal(register_deck, account("ben"), other, "Pile", LEGAL, NOW) == "decks_locked"


@pytest.mark.parametrize("minutes", [0, -5, 24 * 60 + 1])
def test_it_lasts_a_minute_to_a_day(locked, minutes):
    assert refusal(reopen, locked, minutes) == "bad_time"


def test_it_needs_a_reason_and_a_lock(locked):
    assert refusal(reopen, locked, reason=" ") == "reason_needed"
    Tournament.objects.filter(pk=locked.tournament_id).update(deck_deadline=NOW + MINUTE)
    assert refusal(reopen, locked) == "not_locked"


def test_not_after_the_end_nor_for_who_withdrew(locked):
    other = entry(locked.tournament, "Ben").members.get()
    drop_entry(account("olive"), other.entry, NOW)
    assert refusal(reopen, other) == "wrong_state"
    reopen(locked)
    Tournament.objects.filter(pk=locked.tournament_id).update(state=Tournament.State.FINISHED)
    assert refusal(register, locked) == "wrong_state"
    assert refusal(reopen, locked) == "wrong_state"


def test_the_start_as_lock_is_reopened_too():
    member = entry(event(2), ADA).members.get()
    start_tournament(account("olive"), member.tournament, NOW)
    reopen(member)
    assert register(member)


def test_each_step_is_on_record(locked):
    reopen(locked)
    close_reopened_deck(account("juno"), locked, NOW)
    acts = LedgerEntry.objects.filter(act__in=("deck.reopened", "deck.shut")).order_by("sequence")
    assert [(act.act, act.actor, act.subjects["entry"]) for act in acts] == [
        ("deck.reopened", account("juno").key, 1),
        ("deck.shut", account("juno").key, 1),
    ]
    assert PersonalValue.objects.get(entry=acts[0]).value == "two sheets mixed up"


def stored(actor, name="Frost", game="doom_pile", game_format="standard"):
    return save_deck_version(actor.key, actor.person, game, game_format, name, LEGAL, NOW).deck


def test_a_stored_deck_is_registered_in_its_newest_version():
    ada, tournament = account("ada"), event()
    deck = stored(ada)
    newest = save_deck_version(ada.key, ada.person, "doom_pile", "standard", "Frost", sample_decklist(copies=2), NOW)
    member = sign_up(ada, tournament, ada.person, NOW).members.get()
    registered = register_stored_deck(ada, member, deck.public_id, NOW)
    assert (registered.version.pk, registered.version.deck_id) == (newest.pk, deck.pk)
    assert registered.version.frozen_at == NOW


@pytest.mark.parametrize("whose", ["ben", "nobody"])
def test_no_other_deck_can_be_taken(whose):
    ada, tournament = account("ada"), event()
    member = sign_up(ada, tournament, ada.person, NOW).members.get()
    public_id = stored(account("ben")).public_id if whose == "ben" else "nonsuch"
    with pytest.raises(NotFound, match="no such deck"):
        register_stored_deck(ada, member, public_id, NOW)


def test_a_stored_deck_of_another_format_is_not_offered():
    ada = account("ada")
    save_deck_version(ada.key, ada.person, "doomtrooper", "second-edition", "Steel", "", NOW)
    assert own_decks(ada, event()) == []


def test_a_link_made_after_a_deck_was_stored_is_not_offered_it():
    ada, tournament = Actor(None, create_person("Ada", now=NOW), "link", NOW), event()
    stored(ada)
    for minutes, offered in ((-1, 1), (1, 0)):
        link = Actor(None, ada.person, "link", NOW + minutes * MINUTE)
        assert len(own_decks(link, tournament)) == offered


def test_a_link_offers_no_deck_of_a_person_with_an_account():
    ada = account("ada")
    stored(ada)
    assert own_decks(Actor(None, ada.person, "link", NOW - MINUTE), event()) == []


def test_a_deleted_deck_is_not_offered():
    ada = account("ada")
    deck = stored(ada)
    freeze_version(deck.versions.get(), NOW)
    delete_deck(ada, deck, NOW)
    assert own_decks(ada, event()) == []
