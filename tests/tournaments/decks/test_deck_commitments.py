"""Commitments: what they cover, what `sha256sum` says of them, and what becomes of a deck changed behind our back."""

import subprocess
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from decks.digests import commit_to, commitment_lines
from decks.models import DeckVersion
from decks.services.catalogues import load_catalogues
from journal.models import LedgerEntry
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, entry, event
from tournaments.decks.selectors.deck_commitments import CommitmentState, commitments_of
from tournaments.decks.services.decks import register_deck, replace_deck
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember
from tournaments.web.public.decks import shell_recipe

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ENTRIES = (DeckEntry("Devil’s Abacus", 3), DeckEntry("It's 100% 'so'", 2), DeckEntry("Überkobold", 1, "master_plan"))


@pytest.fixture
def member():
    load_catalogues(NOW, [get_system("doom_pile")])
    member = entry(event(2), "Ada").members.get()
    return register_deck(account("ada"), member, "Pile", sample_decklist(copies=3), NOW).member


def test_commitment_depends_on_salt_and_cards_but_not_on_order():
    salt = "ab" * 32
    assert commit_to(salt, ENTRIES) == commit_to(salt, reversed(ENTRIES)) == commit_to(salt, Decklist(ENTRIES).entries)
    assert commit_to(salt, ENTRIES) != commit_to("cd" * 32, ENTRIES)
    assert commit_to(salt, ENTRIES) != commit_to(salt, ENTRIES[:2])
    assert commitment_lines(salt, ENTRIES)[:2] == (salt, "main 2 It's 100% 'so'")


def test_the_recipe_gives_the_commitment_in_a_real_shell():
    recipe = shell_recipe(commitment_lines("0f" * 32, ENTRIES))
    said = subprocess.run(["sh", "-c", recipe], capture_output=True, text=True, check=True).stdout
    assert said.split()[0] == commit_to("0f" * 32, ENTRIES)


def test_registering_seals_with_a_fresh_salt_and_logs_the_commitment_alone(member):
    again = replace_deck(account("juno"), member, "Pile", sample_decklist(copies=3), "again", NOW).member
    assert (len(member.deck_salt), len(member.deck_commitment)) == (64, 64)
    assert member.deck_version_id == again.deck_version_id
    assert member.deck_salt != again.deck_salt
    acts = LedgerEntry.objects.filter(act__in=("deck.registered", "deck.replaced")).order_by("sequence")
    assert [act.subjects["commitment"] for act in acts] == [member.deck_commitment, again.deck_commitment]
    told = str([(act.subjects, act.digests) for act in acts])
    assert not [secret for secret in (member.deck_salt, again.deck_salt, member.deck_version.digest) if secret in told]


def verify(member):
    out = StringIO()
    call_command("verify_decks", member.tournament.slug, stdout=out)
    return out.getvalue()


def test_whole_seals_are_told_without_salt_or_cards(member):
    said = verify(member)
    assert "1 whole" in said
    assert member.deck_commitment in said
    assert member.deck_salt not in said
    assert member.deck_version.deck.name not in said


def test_changed_cards_are_found(member):
    DeckVersion.objects.filter(pk=member.deck_version_id).update(
        entries=[*member.deck_version.entries[1:], {"name": "Ash Ledger", "count": 9, "section": "main"}]
    )
    assert [each.state for each in commitments_of(member.tournament)] == [CommitmentState.CARDS_CHANGED]
    with pytest.raises(CommandError, match="the ledger itself is broken"):
        verify(member)


def test_another_deck_sealed_anew_is_not_as_logged(member):
    salt = "00" * 32
    EntryMember.objects.filter(pk=member.pk).update(
        deck_salt=salt, deck_commitment=commit_to(salt, member.deck_version.decklist.entries)
    )
    assert [each.state for each in commitments_of(member.tournament)] == [CommitmentState.NOT_AS_LOGGED]


def test_a_seal_taken_off_is_not_as_logged(member):
    EntryMember.objects.filter(pk=member.pk).update(deck_salt="", deck_commitment="")
    assert [each.state for each in commitments_of(member.tournament)] != [CommitmentState.MISSING]


def test_an_unknown_event_is_unusable():
    with pytest.raises(CommandError) as caught:
        call_command("verify_decks", "no-such-event")
    assert caught.value.returncode == 2
