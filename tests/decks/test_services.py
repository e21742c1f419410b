"""Decks are read, kept in versions that never change, and judged as of a date."""

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from decks.models import CardList, Deck, DeckVersion, LegalityCheck
from decks.selectors.cards import cards_of
from decks.selectors.legality import card_lists_in_force, judge_decklist
from decks.services.card_imports import import_cards
from decks.services.decks import freeze_version, read_decklist
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError, NotFound
from tests.decks.owners import check_version, save_deck_version

pytestmark = pytest.mark.sqlite

GAME = ("doom_pile", "standard")
TODAY = date(2026, 3, 1)


def save(owner, text, now, name="Winter"):
    return save_deck_version(f"person:{owner.pk}", owner, *GAME, name, text, now)


def test_pasted_deck_is_kept_and_found_legal(catalogue, ada, legal_text, now):
    version = save(ada, legal_text, now)
    assert (version.number, version.deck.name, version.deck.owner, version.source_text) == (
        1,
        "Winter",
        ada,
        legal_text,
    )
    assert version.decklist.counts() == {"main": 30, "master_plan": 1}
    assert check_version(version, TODAY, now).report.legal is True


def test_same_cards_in_other_words_make_no_new_version(catalogue, ada, legal_text, now):
    first = save(ada, legal_text, now)
    assert save(ada, "# shuffled\n" + legal_text.upper(), now) == first
    assert DeckVersion.objects.count() == 1


def test_changed_cards_make_the_next_version_and_keep_the_old(catalogue, ada, legal_text, now):
    first = freeze_version(save(ada, legal_text, now), now)
    second = save(ada, legal_text.replace("3x Brass Hound", "3x Bog Notary"), now)
    assert (second.number, second.deck) == (2, first.deck)
    assert first.frozen_at == now
    assert second.frozen_at is None
    assert DeckVersion.objects.get(pk=first.pk).source_text == legal_text


def test_two_names_and_two_owners_are_different_decks(catalogue, ada, ben, legal_text, now):
    versions = [save(ada, legal_text, now), save(ada, legal_text, now, "Spring"), save(ben, legal_text, now)]
    assert len({version.deck_id for version in versions}) == 3
    assert len({version.public_id for version in versions}) == 3


def test_deck_without_a_name_gets_one(catalogue, ada, legal_text, now):
    assert save(ada, legal_text, now, "  ").deck.name == "My deck"
    with pytest.raises(DomainError, match="too long"):
        save(ada, legal_text, now, "x" * 201)


def test_unread_line_stores_nothing(catalogue, ada, legal_text, now):
    with pytest.raises(DomainError) as caught:
        save(ada, legal_text + "\n3 Glas Widow", now)
    assert (caught.value.code, caught.value.details) == ("unread_lines", {"lines": [13]})
    assert not Deck.objects.exists()


def test_illegal_deck_is_kept_all_the_same(catalogue, ada, now):
    version = save(ada, "4 Ash Ledger\n1 Borrowed Apocalypse", now)
    report = check_version(version, TODAY, now).report
    assert [violation.rule for violation in report.violations] == ["DP-SIZE", "DP-COPIES", "DP-BANNED", "DP-PLAN"]


def test_saving_writes_a_ledger_entry_without_cards_or_names(catalogue, ada, legal_text, now):
    version = save(ada, legal_text, now)
    entry = LedgerEntry.objects.get(act="deck.saved")
    assert entry.subjects == {"deck": version.deck_id, "version": version.pk, "number": 1, "person": ada.pk}
    assert "Ash" not in str(entry.__dict__)


def test_stored_version_cannot_be_changed(catalogue, ada, legal_text, now):
    version = save(ada, legal_text, now)
    version.source_text = "1 Ash Ledger"
    with pytest.raises(Conflict):
        version.save()


def test_database_refuses_a_second_version_of_one_number(catalogue, ada, legal_text, now):
    version = save(ada, legal_text, now)
    with pytest.raises(IntegrityError), transaction.atomic():
        DeckVersion.objects.create(deck=version.deck, number=1, entries=[], digest="", source_text="", created_at=now)


def test_verdict_is_stored_with_the_lists_it_used(catalogue, ada, legal_text, now):
    version = save(ada, legal_text.replace("3x Ash Ledger", "3x Borrowed Apocalypse"), now)
    before, after = check_version(version, date(2025, 12, 31), now), check_version(version, date(2026, 1, 1), now)
    assert (before.report.legal, after.report.legal) == (True, False)
    first, second = LegalityCheck.objects.order_by("id")
    assert first.lists == []
    assert [each["valid_from"] for each in second.lists] == ["2026-01-01"]
    assert second.lists[0]["digest"] == CardList.objects.get(game="doom_pile").digest
    assert second.as_verdict() == after


def test_card_that_left_the_catalogue_becomes_a_violation(catalogue, ada, now):
    own = "name,type,subtype,countdown\n{},Plot,Clerk,1\n"
    import_cards("system", "doom_pile", "Mine", own.format("Cold Tea"), now)
    version = save(ada, "3 Cold Tea", now)
    import_cards("system", "doom_pile", "Mine", own.format("Warm Tea"), now)
    assert "UNKNOWN-CARD" in [violation.rule for violation in check_version(version, TODAY, now).report.violations]


@pytest.mark.parametrize(
    ("game", "format_slug", "code"),
    [
        ("chess", "open", "unknown_game"),
        ("doom_pile", "blitz", "unknown_format"),
        ("house_game", "open", "no_decklists"),
    ],
)
def test_reading_refuses_what_has_no_decklists(db, game, format_slug, code):
    with pytest.raises(DomainError) as caught:
        read_decklist("3 Ash Ledger", game, format_slug)
    assert caught.value.code == code
    assert isinstance(caught.value, NotFound) is code.startswith("unknown")


def test_nul_and_lone_surrogates_do_no_harm(catalogue, ada, legal_text, now):
    version = save(ada, legal_text.replace("Ash", "A\x00s\ud800h"), now, "Win\x00ter")
    version.refresh_from_db()
    assert "\x00" not in version.source_text
    assert version.decklist.counts()["main"] == 30


def test_cards_are_read_once_until_they_change(catalogue, now, django_assert_num_queries):
    cards_of("doom_pile")
    with django_assert_num_queries(1):
        assert len(cards_of("doom_pile")) == 65


def test_checking_a_deck_takes_a_constant_number_of_queries(catalogue, legal_text, django_assert_max_num_queries):
    for text in ("1 Ash Ledger", legal_text):
        decklist = read_decklist(text, *GAME).decklist
        with django_assert_max_num_queries(4):
            judge_decklist(decklist, *GAME, TODAY)
    with django_assert_max_num_queries(2):
        card_lists_in_force(*GAME, TODAY)
