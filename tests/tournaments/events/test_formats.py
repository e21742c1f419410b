"""Which format, variant and card lists an event is played by: chosen before the start, held from then on."""

from datetime import timedelta

import pytest
from django.test import Client

from decks.models import LegalityCheck
from decks.services.card_lists import ListDraft, announce_list, draft_list
from decks.services.catalogues import load_catalogues
from decks.services.decks import list_references
from decks.services.house_formats import change_house_format, make_house_format
from rules_engine.cards import normalise_name
from rules_engine.errors import DomainError
from rules_engine.systems import list_systems
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, draft, entry, event, running
from tournaments.decks.selectors.decks import deck_rows, newest_check
from tournaments.decks.services.decks import judge_for, judge_stale_decks, register_deck
from tournaments.events.forms.settings_parts import play_choices, play_value
from tournaments.events.services.events import create_tournament, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember
from tournaments.web.organiser.event_drafts import values_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

TROOPER = {"game": "doomtrooper", "game_format": "tournament-1997", "best_of": 1}
TODAY = NOW.date()


def offered(user, current=""):
    return {value: name for _game, group in play_choices(user, current) for value, name in group}


def house(name="olive", **changes):
    load_catalogues(NOW)
    return make_house_format(account(name), "doom_pile", "standard", "Pocket Doom", changes, TODAY, NOW)


def test_every_way_is_a_choice():
    assert offered(None)["doomtrooper/tournament-1997-two-team"] == "Doomtrooper – Rules of 1997, two teams"
    assert len(offered(None)) == sum(len(system.ways) for system in list_systems())
    assert play_value(event(**TROOPER)) == "doomtrooper/tournament-1997-head-to-head"
    assert play_value(event()) == "doom_pile/best-of-3"


def test_own_house_formats_are_choices_and_those_of_others_are_not():
    own, foreign = house(), house("mallory")
    choices = offered(account("olive").user)
    assert choices[f"doom_pile/best-of-1/{own.slug}"] == "Doom Pile – Pocket Doom (Best of 1)"
    kept = f"doom_pile/best-of-3/{foreign.slug}"
    assert kept not in choices
    assert kept in offered(account("olive").user, kept)


def test_an_event_of_a_house_format_is_made_in_the_form():
    own = house()
    client = Client()
    client.force_login(account("olive").user)
    page = client.get("/new/").content.decode()
    assert f'value="doom_pile/best-of-3/{own.slug}"' in page
    tournament = event(game_format=own.slug)
    page = client.get(f"/e/{tournament.slug}/manage/settings/")
    assert page.status_code == 200
    assert f'value="doom_pile/best-of-3/{own.slug}" selected' in page.content.decode()


def test_a_variant_must_be_one_of_the_format():
    tournament = create_tournament(account("olive"), draft(**TROOPER, variant="two-team"), NOW)
    assert (tournament.variant, values_of(tournament)["play"].rpartition("-")[2]) == ("two-team", "team")
    with pytest.raises(DomainError, match="unknown_variant"):
        create_tournament(account("olive"), draft(variant="two-team"), NOW)


def test_another_format_forgets_the_variant():
    tournament = event(**TROOPER, variant="two-team")
    assert update_settings(account("olive"), tournament, {"name": "X"}, NOW).tournament.variant == "two-team"
    changes = {"game": "doom_pile", "game_format": "standard", "best_of": 3}
    assert update_settings(account("olive"), tournament, changes, NOW).tournament.variant == ""


def test_the_variant_is_frozen_at_the_start():
    tournament = running(2, **TROOPER, variant="two-team")
    with pytest.raises(DomainError, match="rules_frozen"):
        update_settings(account("olive"), tournament, {"variant": "multi-player"}, NOW)


def test_another_variant_judges_decks_anew():
    load_catalogues(NOW)
    tournament = event(2, **TROOPER)
    member = entry(tournament, "Ada").members.get()
    register_deck(account("ada"), member, "Mine", "60 LUNA", NOW)
    update_settings(account("olive"), tournament, {"variant": "multi-player"}, NOW)
    assert [each.variant for each in LegalityCheck.objects.all()] == ["head-to-head", "multi-player"]


def test_a_start_pins_the_lists_of_the_day():
    load_catalogues(NOW)
    later = NOW + timedelta(days=3)
    tournament = event(2, starts_at=later)
    member = entry(tournament, "Ada").members.get()
    deck = register_deck(account("ada"), member, "Pile", sample_decklist(copies=3), NOW).version
    tournament = start_tournament(account("olive"), tournament, NOW)
    assert [sorted(each) for each in tournament.pinned_lists] == [["digest", "slug", "valid_from"]]
    banned = {"": {normalise_name(each.name): 0 for each in deck.decklist.entries}}
    root, day = account("root"), TODAY + timedelta(days=1)
    row = draft_list(root, ListDraft("doom_pile", "standard", "New", day, banned), NOW)
    announce_list(root, row, NOW, row.digest)
    assert judge_for(tournament, deck.decklist).report.legal is True
    assert judge_for(event(starts_at=later), deck.decklist).report.legal is False


def test_a_start_pins_the_version_of_a_house_format():
    own = house(copies=3)
    tournament = running(2, game_format=own.slug, starts_at=NOW + timedelta(days=3))
    change_house_format(account("olive"), own, own.name, {"copies": 1}, TODAY + timedelta(days=1), NOW)
    assert {"slug": own.slug, "number": "1"}.items() <= tournament.pinned_lists[-1].items()


def ban(deck):
    """Announce a list from tomorrow on that bans every card of a deck."""
    banned = {"": {normalise_name(each.name): 0 for each in deck.decklist.entries}}
    root, day = account("root"), TODAY + timedelta(days=1)
    row = draft_list(root, ListDraft("doom_pile", "standard", "New", day, banned), NOW)
    announce_list(root, row, NOW, row.digest)


def with_piles(players, **changes):
    """An event in three days whose players all have a legal deck."""
    load_catalogues(NOW)
    tournament = event(players, starts_at=NOW + timedelta(days=3), **changes)
    for member in EntryMember.objects.filter(tournament=tournament).order_by("pk"):
        register_deck(account("olive"), member, "Pile", sample_decklist(copies=3), NOW)
    return tournament


def test_a_list_announced_after_registering_is_judged_by_at_the_start():
    tournament = with_piles(2)
    ban(entry(tournament, "Ada").members.get().deck_version)
    assert [row.legal for row in deck_rows(tournament)] == [True, True]
    tournament = start_tournament(account("olive"), tournament, NOW)
    assert [row.legal for row in deck_rows(tournament)] == [False, False]
    checks = [newest_check(row.member) for row in deck_rows(tournament)]
    assert [check.lists for check in checks] == [tournament.pinned_lists] * 2


def test_pinned_lists_stay_in_force_when_the_event_moves_to_a_day_before_them():
    tournament = with_piles(2)
    ban(entry(tournament, "Ada").members.get().deck_version)
    tournament = start_tournament(account("olive"), tournament, NOW)
    tournament = update_settings(account("olive"), tournament, {"starts_at": NOW}, NOW).tournament
    assert [row.legal for row in deck_rows(tournament)] == [False, False]
    checks = [newest_check(row.member) for row in deck_rows(tournament)]
    assert [(check.on_date, check.lists) for check in checks] == [(TODAY, tournament.pinned_lists)] * 2


def test_a_start_judges_no_deck_twice_that_was_judged_under_the_lists_it_pins():
    tournament = with_piles(3)
    late = entry(tournament, "Ada").members.get()
    ban(late.deck_version)
    register_deck(account("olive"), late, "Pile", sample_decklist(copies=3), NOW)
    assert LegalityCheck.objects.count() == 4
    start_tournament(account("olive"), tournament, NOW)
    assert LegalityCheck.objects.count() == 6
    assert [row.legal for row in deck_rows(tournament)] == [False] * 3


def test_where_nothing_is_stale_a_start_asks_as_much_for_many_decks_and_writes_nothing():
    counts = []
    for players in (2, 12):
        tournament = with_piles(players)
        tournament.pinned_lists = list_references("doom_pile", "standard", tournament.starts_at.date())
        before = LegalityCheck.objects.count()
        counts.append(count_queries(judge_stale_decks, tournament, NOW))
        assert LegalityCheck.objects.count() == before
    assert counts[0] == counts[1]
