"""Decks at an event: deadline, verdict, a judge's change, reading on record."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from decks.models import DeckVersion, LegalityCheck
from decks.services.catalogues import load_catalogues
from journal.models import LedgerEntry, PersonalValue
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from tests.refusals import refusal
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import NOW, account, event, member_of, staff
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.decks.selectors.deck_checks import readings_of
from tournaments.decks.selectors.deck_commitments import CommitmentState, commitments_of
from tournaments.decks.selectors.decks import deck_counts, deck_rows, newest_check
from tournaments.decks.selectors.registered import registrations_of
from tournaments.decks.services.deck_checks import read_deck
from tournaments.decks.services.decks import judge_decks_again, judge_stale_decks, register_deck, replace_deck
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import may_see_own_list

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("pile_cards")]


def decklist(plans=1, copies=3, size=30):
    """A list of the sample cards: `size` cards, `copies` of each, and some Master Plans."""
    system = get_system("doom_pile")
    listed = {name for card_list in system.get_format("standard").card_lists for name in card_list.limits}
    cards = sorted(
        (card for card in system.shipped_cards if card.name.casefold() not in listed), key=lambda card: card.name
    )
    names = [card.name for card in cards if card.type != "Master Plan"]
    lines = [f"{min(copies, size - taken)} {names[taken // copies]}" for taken in range(0, size, copies)]
    return "\n".join([*lines, "", "Master Plan:", *[card.name for card in cards if card.type == "Master Plan"][:plans]])


def test_legal_and_illegal_lists_are_registered_with_their_verdict():
    tournament = event(3)
    assert (
        register_deck(account("ada"), member_of(tournament, "Ada"), "Pile", decklist(), NOW).verdict.report.legal
        is True
    )
    broken = register_deck(
        account("ben"), member_of(tournament, "Ben"), "Pile", decklist(plans=0, copies=4, size=29), NOW
    )
    assert {violation.rule for violation in broken.verdict.report.violations} == {"DP-SIZE", "DP-COPIES", "DP-PLAN"}
    counts = deck_counts(deck_rows(tournament))
    assert (counts.registered, counts.legal, counts.illegal, counts.missing) == (2, 1, 1, 1)


def test_log_of_a_deck_says_what_its_saver_is_to_it():
    tournament = event(2)
    olive, ada = account("olive"), member_of(tournament, "Ada")
    register_deck(olive, ada, "Pile", decklist(), NOW)
    register_deck(Actor(None, ada.person, "link"), ada, "Pile", decklist(size=31), NOW)
    saved = LedgerEntry.objects.filter(act="deck.saved").order_by("id")
    assert list(saved.values_list("role", flat=True)) == ["organiser", "owner"]


def test_deck_locks_at_the_instant_of_the_deadline():
    deadline = NOW + timedelta(hours=1)
    member = member_of(event(2, deck_deadline=deadline), "Ada")
    assert register_deck(account("ada"), member, "Pile", decklist(), deadline - timedelta(microseconds=1))
    assert refusal(register_deck, account("ada"), member, "Pile", decklist(size=27), deadline) == "decks_locked"
    member.refresh_from_db()
    assert member.deck_version.decklist.counts() == {"main": 30, "master_plan": 1}


def test_without_a_deadline_the_start_locks():
    tournament = event(2)
    member = member_of(tournament, "Ada")
    start_tournament(account("olive"), tournament, NOW)
    assert refusal(register_deck, account("ada"), member, "Pile", decklist(), NOW) == "decks_locked"


def test_without_a_deadline_the_start_locks_who_asked_before_and_waited():
    tournament = event(2)
    member = member_of(tournament, "Ada")
    start_tournament(account("olive"), tournament, NOW)
    with pytest.raises(DomainError) as caught:
        register_deck(account("ada"), member, "Pile", decklist(), NOW - timedelta(seconds=5))
    assert caught.value.code == "decks_locked"


def test_the_start_locks_decks_before_a_deadline_of_their_own():
    deadline = NOW + timedelta(hours=1)
    tournament = event(2, deck_deadline=deadline)
    member = member_of(tournament, "Ada")
    start_tournament(account("olive"), tournament, NOW)
    with pytest.raises(DomainError) as caught:
        register_deck(account("ada"), member, "Pile", decklist(), deadline - timedelta(seconds=5))
    assert caught.value.code == "decks_locked"


def test_deck_that_came_in_earlier_does_not_take_the_place_of_a_later_one():
    member = member_of(event(2), "Ada")
    later = register_deck(account("ada"), member, "Pile", decklist(size=27), NOW + timedelta(seconds=1)).version
    assert refusal(register_deck, account("ada"), member, "Pile", decklist(), NOW) == "later_deck"
    member.refresh_from_db()
    assert member.deck_version == later


def test_deck_read_for_another_format_is_refused():
    member = member_of(event(2), "Ada")
    assert member.tournament.game == "doom_pile"
    Tournament.objects.update(game="doomtrooper", game_format="second-edition")
    assert refusal(register_deck, account("ada"), member, "Pile", decklist(), NOW) == "event_changed"


def test_judging_all_decks_again_asks_as_much_for_many_as_for_few():
    counts = []
    for players in (2, 12):
        tournament = event(players)
        for member in EntryMember.objects.filter(tournament=tournament):
            register_deck(account("olive"), member, "Pile", decklist(copies=4), NOW)
        Tournament.objects.filter(pk=tournament.pk).update(pinned_lists=[])
        tournament.refresh_from_db()
        before = LegalityCheck.objects.count()
        with CaptureQueriesContext(connection) as again:
            judge_decks_again(account("olive"), tournament, NOW)
        LegalityCheck.objects.update(lists=[{"slug": "other"}])
        with CaptureQueriesContext(connection) as stale:
            judge_stale_decks(tournament, NOW)
        assert LegalityCheck.objects.count() == before + 2 * players
        counts.append((len(again), len(stale)))
    assert counts[0] == counts[1]


def test_judge_changes_a_deck_after_the_deadline_with_a_reason_and_the_old_one_is_kept():
    tournament = event(2, deck_deadline=NOW)
    member = member_of(tournament, "Ada")
    with pytest.raises(DomainError, match="reason"):
        replace_deck(account("juno"), member, "Pile", decklist(), "", NOW)
    first = replace_deck(account("juno"), member, "Pile", decklist(), "typed from paper", NOW).version
    second = replace_deck(account("juno"), member, "Pile", decklist(size=27), "card lost", NOW).version
    assert (first.number, second.number) == (1, 2)
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="deck.replaced").count() == 2


def test_a_list_without_cards_stores_nothing():
    tournament = event(1)
    with pytest.raises(DomainError) as refused:
        register_deck(account("olive"), member_of(tournament, "Ada"), "Blank", "Main deck:\n", NOW)
    assert refused.value.code == "no_cards"
    assert not DeckVersion.objects.exists()


def test_unread_lines_store_nothing():
    member = member_of(event(2), "Ada")
    assert refusal(register_deck, account("ada"), member, "Pile", decklist() + "\n2 Nonsuch", NOW) == "unread_lines"
    member.refresh_from_db()
    assert member.deck_version is None


def test_reading_a_deck_stands_in_the_log():
    tournament = event(2)
    member = member_of(tournament, "Ada")
    with pytest.raises(DomainError, match="not registered"):
        read_deck(account("juno"), member, NOW)
    register_deck(account("ada"), member, "Pile", decklist(), NOW)
    member.refresh_from_db()
    assert read_deck(account("juno"), member, NOW).entries
    assert LedgerEntry.objects.get(stream=tournament.stream, act="deck.read").subjects["entry"] == 1
    assert newest_check(member).legal is True


def test_judge_who_plays_gives_a_reason_before_reading_another_deck():
    tournament, juno = event(2), account("juno")
    own = sign_up(juno, tournament, juno.person, NOW).members.get()
    member = member_of(tournament, "Ada")
    for each in (own, member):
        register_deck(account("ada"), each, "Pile", decklist(), NOW)
        each.refresh_from_db()
    with pytest.raises(DomainError, match="reason"):
        read_deck(juno, member, NOW)
    assert read_deck(juno, member, NOW, "deck check at table 3")
    assert read_deck(juno, own, NOW)
    assert [value.value for value in PersonalValue.objects.filter(key="reason")] == ["deck check at table 3"]


@pytest.mark.parametrize(("minutes", "seen"), [(-1, True), (0, True), (1, False)])
def test_personal_link_made_after_the_deck_does_not_show_its_list(minutes, seen):
    member = member_of(event(2), "Ada")
    actor = Actor(None, member.person, "link", NOW + timedelta(minutes=minutes))
    assert may_see_own_list(actor, member)
    register_deck(actor, member, "Pile", decklist(), NOW)
    member.refresh_from_db()
    assert may_see_own_list(actor, member) is seen
    assert may_see_own_list(Actor(account("ada").user, member.person, "session"), member)


def test_no_link_shows_the_list_of_a_player_with_an_account():
    actor = account("ada")
    member = sign_up(actor, event(), actor.person, NOW).members.get()
    register_deck(actor, member, "Pile", decklist(), NOW)
    member.refresh_from_db()
    assert may_see_own_list(actor, member)
    assert not may_see_own_list(Actor(None, actor.person, "link", NOW - timedelta(minutes=1)), member)


def test_no_deck_after_the_end():
    tournament = event(2)
    member = member_of(tournament, "Ada")
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    assert refusal(register_deck, account("ada"), member, "Pile", decklist(), NOW) == "wrong_state"


def test_in_a_team_each_player_has_a_deck_of_their_own_dt_own():
    load_catalogues(NOW, [get_system("doomtrooper")])
    olive = account("olive")
    said = {"game": "doomtrooper", "game_format": "second-edition", "best_of": 1, "sheet_options": {"mode": "teams"}}
    tournament = event(**said, deck_deadline=NOW + timedelta(hours=1), deck_publish="after_end")
    register_walk_ins(olive, tournament, [EntryDraft("Red", members=("Ada", "Ben"))], NOW)
    ada, ben = EntryMember.objects.filter(tournament=tournament)
    names = sorted(card.name for card in get_system("doomtrooper").shipped_cards)
    for member, first in ((ada, 0), (ben, 12)):
        text = "\n".join(f"5 {name}" for name in names[first : first + 12])
        register_deck(olive, member, f"Deck of {member}", text, NOW)
        member.refresh_from_db()
    assert {each.state for each in commitments_of(tournament)} == {CommitmentState.WHOLE}
    assert [each.version.deck.name for each in registrations_of(tournament, ben)] == ["Deck of Ben"]
    juno = browser(staff(tournament, "juno", "judge"))
    read = url(tournament, "manage/decks/1/read/?member=2")
    listed = page(juno, url(tournament, "manage/decks/"))
    assert read in listed
    assert "Red Ben" in text_of(listed)
    told = text_of(juno.post(read).content.decode())
    assert ("Deck of Ben" in told, "Deck of Ada" in told) == (True, False)
    assert [len(readings_of(tournament, each)) for each in (ada, ben)] == [0, 1]
    Tournament.objects.filter(pk=tournament.pk).update(decks_published_at=NOW, deck_deadline=NOW)
    shown = url(tournament, "decks/1/?member=2")
    assert shown in page(browser(), url(tournament, "decks/"))
    assert "Deck of Ben" in page(browser(), shown)
    asked = f"/api/v1/events/{tournament.slug}"
    assert [each["member"] for each in browser().get(f"{asked}/decks/").json()["results"]] == [1, 2]
    assert browser().get(f"{asked}/entries/1/deck/?member=2").json()["name"] == "Deck of Ben"
    assert browser().get(f"{asked}/entries/1/deck/?member=3").status_code == 404
    told = [{"number": 1, "member": place, "text": ada.deck_version.source_text} for place in (2, 3)]
    stored = good(caller("juno").post(f"{asked}/decks/", {"decks": told[:1], "reason": "paper"}), 201)["decks"]
    assert [(each["member"], each["version"], each["notices"]) for each in stored] == [(2, 1, [])]
    assert caller("juno").post(f"{asked}/decks/", {"decks": told, "reason": "paper"}).json()["code"] == "no_member"
