"""What owners do with their decks: every way out of each service, and who is shown what."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from accounts.identity.services import link_person_to_user
from accounts.models import Person
from decks.models import Deck, DeckVersion, LegalityCheck
from decks.permissions import decks_of
from decks.selectors.decks import deck_rows, find_deck, find_version, list_decks, newest_version, versions_of
from decks.services.decks import MAX_DECKS, freeze_version
from decks.services.own_decks import copy_version, delete_deck, rename_deck, restore_version
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError, NotFound
from tests.decks.conftest import NOW
from tests.decks.owners import GAME, begun, check_version, resaved, save_deck_version, saved, signed_in
from tests.refusals import refusal
from tests.tournaments.factories import event
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.entries import sign_up

pytestmark = pytest.mark.sqlite

LATER = NOW + timedelta(hours=1)


def acts():
    return list(LedgerEntry.objects.filter(stream__startswith="deck:").order_by("id").values_list("act", flat=True))


def test_new_deck_is_empty_and_in_the_ledger(catalogue):
    deck = begun("ada")
    assert (deck.name, deck.owner, newest_version(signed_in("ada"), deck)) == ("Winter", signed_in("ada").person, None)
    assert acts() == ["deck.created"]
    assert "Winter" not in str(LedgerEntry.objects.get(act="deck.created").__dict__)


@pytest.mark.parametrize(
    ("game", "name", "code"),
    [
        (("chess", "open"), "A", "unknown_game"),
        (("doom_pile", "blitz"), "A", "unknown_format"),
        (("house_game", "open"), "A", "no_decklists"),
        (GAME, "x" * 201, "deck_name_too_long"),
        (GAME, "Winter", "deck_name_taken"),
    ],
)
def test_new_deck_is_refused_in_words(catalogue, game, name, code):
    begun("ada")
    assert refusal(begun, "ada", name, game) == code
    assert Deck.objects.count() == 1


def test_nobody_hoards_decks(catalogue):
    facts = {"owner": signed_in("ada").person, "game": "doom_pile", "format": "standard", "created_at": NOW}
    Deck.objects.bulk_create(Deck(name=f"Deck {number}", **facts) for number in range(MAX_DECKS))
    with pytest.raises(DomainError, match="Delete some"):
        begun("ada", "Spring")
    with pytest.raises(DomainError, match="Delete some"):
        saved("ada", "1 Ash Ledger", "Spring")
    assert saved("ada", "1 Ash Ledger", "Deck 7").number == 1


def test_same_name_is_free_for_another_format_and_another_owner(catalogue):
    begun("ada")
    begun("ben")
    begun("ada", game=("doomtrooper", "second-edition"))
    assert Deck.objects.count() == 3


def test_renaming_keeps_the_history_and_refuses_a_taken_name(catalogue, legal_text):
    deck = saved("ada", legal_text).deck
    begun("ada", "Spring")
    assert rename_deck(signed_in("ada"), deck, " Summer ", NOW).name == "Summer"
    assert deck.versions.count() == 1
    with pytest.raises(Conflict):
        rename_deck(signed_in("ada"), deck, "Spring", NOW)


def test_copy_begins_with_the_version_and_goes_its_own_way(catalogue, legal_text):
    first = saved("ada", legal_text)
    copy = copy_version(signed_in("ada"), first, "Copy", NOW)
    resaved("ada", copy, "3 Ash Ledger")
    assert copy.versions.get(number=1).decklist == first.decklist
    assert copy.versions.count() == 2
    assert first.deck.versions.count() == 1


def test_restoring_adds_a_version_and_changes_none(catalogue, legal_text):
    first = saved("ada", legal_text)
    resaved("ada", first.deck, "3 Ash Ledger")
    restored = restore_version(signed_in("ada"), first, LATER)
    assert (restored.number, restored.decklist) == (3, first.decklist)
    assert restore_version(signed_in("ada"), first, LATER) == restored


def test_deleted_deck_is_gone_with_its_checks(catalogue, legal_text):
    version = saved("ada", legal_text)
    check_version(version, NOW.date(), NOW)
    assert delete_deck(signed_in("ada"), version.deck, NOW) is True
    assert not Deck.objects.exists()
    assert not DeckVersion.objects.exists()
    assert not LegalityCheck.objects.exists()
    assert acts()[-1] == "deck.deleted"


def test_frozen_deck_only_leaves_the_list_and_frees_its_name(catalogue, legal_text):
    version = freeze_version(saved("ada", legal_text), NOW)
    assert delete_deck(signed_in("ada"), version.deck, NOW) is False
    assert not list_decks(signed_in("ada")).exists()
    with pytest.raises(NotFound):
        find_deck(signed_in("ada"), version.deck.public_id)
    assert saved("ada", legal_text).deck != version.deck
    assert DeckVersion.objects.get(pk=version.pk).source_text == legal_text


def test_deck_that_anything_else_holds_on_to_is_hidden_too(catalogue, legal_text):
    ada, tournament = signed_in("ada"), event()
    member = sign_up(ada, tournament, ada.person, NOW).members.get()
    version = register_deck(ada, member, "Winter", legal_text, NOW).version
    DeckVersion.objects.filter(pk=version.pk).update(frozen_at=None)
    assert delete_deck(ada, version.deck, NOW) is False
    assert DeckVersion.objects.filter(pk=version.pk).exists()


def test_foreign_unknown_and_hidden_decks_are_the_same_nothing(catalogue, legal_text):
    foreign, hidden = saved("ada", legal_text).deck, freeze_version(saved("ben", legal_text), NOW).deck
    delete_deck(signed_in("ben"), hidden, NOW)
    for public_id in (foreign.public_id, hidden.public_id, "no-such-deck"):
        with pytest.raises(NotFound) as caught:
            find_deck(signed_in("ben"), public_id)
        assert (caught.value.code, caught.value.details) == ("not_found", {})


def guest(person, issued_at, scope="event:x"):
    return Actor(None, person, "link", issued_at, scope)


@pytest.fixture
def walk_in(db):
    return Person.objects.create(name="Wanda", created_at=NOW)


def walk_in_deck(person, text, at, name="Winter"):
    return save_deck_version(f"person:{person.pk}", person, *GAME, name, text, at)


def test_link_opens_only_what_is_younger_than_it(catalogue, walk_in, legal_text):
    old = walk_in_deck(walk_in, legal_text, NOW, "Old")
    new = walk_in_deck(walk_in, legal_text, LATER, "New")
    assert set(decks_of(guest(walk_in, LATER))) == {new.deck}
    assert set(decks_of(guest(walk_in, NOW))) == {old.deck, new.deck}


def test_link_shows_the_younger_versions_of_a_deck_alone(catalogue, walk_in, legal_text):
    old = walk_in_deck(walk_in, legal_text, NOW)
    new = walk_in_deck(walk_in, "3 Ash Ledger", LATER)
    late = guest(walk_in, LATER)
    assert versions_of(late, old.deck) == [new]
    assert newest_version(late, old.deck) == new
    with pytest.raises(NotFound):
        find_version(late, old.deck, old.number)
    assert find_version(guest(walk_in, NOW), old.deck, old.number) == old


def test_account_that_took_a_person_over_opens_what_it_saved_since(catalogue, walk_in, legal_text):
    old = walk_in_deck(walk_in, legal_text, NOW)
    mallory = signed_in("mallory")
    link_person_to_user(walk_in, mallory.user, mallory, LATER)
    assert not decks_of(mallory).exists()
    new = walk_in_deck(walk_in, "3 Ash Ledger", LATER)
    assert set(decks_of(mallory)) == {old.deck}
    assert versions_of(mallory, old.deck) == [new]


def test_link_opens_nothing_once_its_person_has_an_account(catalogue, walk_in, legal_text):
    walk_in_deck(walk_in, legal_text, LATER)
    ada = signed_in("ada")
    link_person_to_user(walk_in, ada.user, ada, NOW)
    assert not decks_of(guest(walk_in, NOW)).exists()


def test_rows_tell_todays_verdict_of_each_deck(catalogue, legal_text):
    saved("ada", legal_text)
    saved("ada", "4 Ash Ledger", "Small")
    begun("ada", "Empty")
    gone = begun("ada", "Gone")
    Deck.objects.filter(pk=gone.pk).update(format="no-more")
    rows = {row.deck.name: row for row in deck_rows(list_decks(signed_in("ada")), NOW.date())}
    assert rows["Winter"].report.legal is True
    assert (rows["Winter"].size, rows["Winter"].format_name) == (31, "Standard")
    assert len(rows["Small"].report.violations) == 3
    assert rows["Empty"].report is None
    assert (rows["Gone"].system, rows["Gone"].report) == (None, None)


def test_rows_cost_as_many_queries_for_one_deck_as_for_forty(catalogue, legal_text):
    ada, counts = signed_in("ada"), []
    saved("ada", legal_text)
    deck_rows(list_decks(ada), NOW.date())
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            deck_rows(list_decks(ada), NOW.date())
        counts.append(len(queries))
        for number in range(39):
            saved("ada", legal_text, f"Deck {number}")
    assert counts[0] == counts[1] <= 6
