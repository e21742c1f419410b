"""Whose list whom is shown: policy by role by state, the very instant, opponents, changed lists, later links."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import ANONYMOUS, Actor
from accounts.models import Person
from decks.services.catalogues import load_catalogues
from journal.models import LedgerEntry
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, staff
from tournaments.decks.selectors.deck_checks import readings_of
from tournaments.decks.selectors.deck_view import deck_view, may_see_deck
from tournaments.decks.services.deck_ready import mark_deck_ready
from tournaments.decks.services.decks import register_deck, replace_deck
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import cancel_tournament, finish_tournament, reopen_tournament, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.management.demo import sample_decklist
from tournaments.models import Role, Round, Tournament
from tournaments.rounds.services.rounds import withdraw_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pile_cards")]
LATER = NOW + timedelta(hours=1)
TICK = timedelta(microseconds=1)
PLAYERS = ("ada", "ben", "cem", "dora")
CAST = ("", "mallory", "olive", "kit", "juno", "ada", "ben", "cem")


def world(policy, **changes):
    """Ada, Ben, Cem and Dora with accounts and decks; one Swiss round is planned."""
    tournament = event(**{"deck_publish": policy, "swiss_rounds": 1, **changes})
    for name in PLAYERS:
        actor = account(name)
        sign_up(actor, tournament, actor.person, NOW)
        register_deck(actor, member(tournament, name), "Pile", sample_decklist(copies=3), NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    return Tournament.objects.get(pk=tournament.pk)


def member(tournament, name):
    found = entry(tournament, name).members.select_related("entry", "person", "tournament").get()
    return found


def stages(tournament):
    """Bring an event through its stages: the name of each, once it is there."""
    olive = account("olive")
    yield "registration"
    start_tournament(olive, tournament, NOW)
    yield "running"
    round_ = next_round(tournament)
    yield "round 1"
    place_all(round_)
    yield "placed"
    report_all(round_)
    open_ = round_.state
    Round.objects.filter(pk=round_.pk).update(state=Round.State.CLOSED, closed_at=NOW)
    yield "closed"
    Round.objects.filter(pk=round_.pk).update(state=open_, closed_at=None)
    finish_tournament(olive, Tournament.objects.get(pk=tournament.pk), NOW)
    yield "finished"


def at_stage(tournament, stage):
    next(each for each in stages(tournament) if each == stage)
    return Tournament.objects.get(pk=tournament.pk)


def place_all(round_):
    for match in round_.matches.all():
        for seat in match.seats.select_related("member__person"):
            mark_deck_ready(account(seat.member.person.name), seat, 1, NOW)


def opponent_of(tournament, name):
    match = entry(tournament, name).seats.get().match
    return match.seats.exclude(entry__name=name).get().entry.name


def actor(name):
    return account(name) if name else ANONYMOUS


def readers(tournament, owner="ada", now=NOW):
    """Who of the cast is shown the list of `owner`."""
    fresh = Tournament.objects.get(pk=tournament.pk)
    return {name for name in CAST if may_see_deck(actor(name), fresh, member(fresh, owner), now)}


@pytest.mark.parametrize("policy", Tournament.DeckPublish.values)
def test_policy_by_role_by_state(policy):
    tournament, everybody = world(policy), {("after_cut", "finished"), ("after_end", "finished")}
    for stage in stages(tournament):
        expected = {"ada"}
        if (policy, stage) in everybody:
            expected = set(CAST)
        elif policy == "to_opponent" and stage in ("placed", "closed", "finished"):
            expected |= {opponent_of(tournament, "ada")} & set(CAST)
        assert readers(tournament) == expected, stage


@pytest.mark.parametrize("policy", ["after_end", "after_cut"])
def test_lists_are_shown_from_the_instant_on_and_not_before(policy):
    tournament = at_stage(world(policy), "finished")
    assert tournament.decks_published_at == NOW
    assert readers(tournament, now=NOW - TICK) == {"ada"}
    assert readers(tournament, now=NOW) == set(CAST)


def test_opponents_wait_for_the_instant_of_publishing():
    tournament = at_stage(world("to_opponent"), "placed")
    assert readers(tournament, now=NOW - TICK) == {"ada"}


def test_one_deck_not_placed_keeps_both_lists():
    tournament = at_stage(world("to_opponent"), "round 1")
    match = entry(tournament, "ada").seats.get().match
    seat = match.seats.select_related("member__person").first()
    mark_deck_ready(account(seat.member.person.name), seat, 1, NOW)
    assert readers(tournament) == {"ada"}


def test_where_no_decks_are_stacked_the_round_itself_is_the_start():
    load_catalogues(NOW, [get_system("doomtrooper")])
    tournament = event(deck_publish="to_opponent", game="doomtrooper", game_format="second-edition", best_of=1)
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
        register_deck(account(name), member(tournament, name), "Pile", '1 AC-40 "JUSTIFIER"', NOW)
    start_tournament(account("olive"), tournament, NOW)
    assert readers(tournament) == {"ada"}
    next_round(tournament)
    assert readers(tournament) == {"ada", "ben"}


def test_a_round_taken_back_shows_nothing_any_more():
    tournament = at_stage(world("to_opponent"), "placed")
    withdraw_round(account("olive"), Round.objects.get(), "wrong pairings", NOW)
    assert readers(tournament) == {"ada"}


@pytest.mark.parametrize(
    ("policy", "stage", "shown"),
    [("to_opponent", "placed", 2), ("to_opponent", "round 1", None), ("never", "placed", None)],
)
def test_taking_a_round_back_warns_and_records_that_lists_were_shown(client, policy, stage, shown):
    tournament = at_stage(world(policy), stage)
    client.force_login(account("olive").user)
    text = client.get(f"/e/{tournament.slug}/manage/rounds/").content.decode()
    assert ("Taking it back doesn't undo that" in text) is bool(shown)
    withdraw_round(account("olive"), Round.objects.get(), "wrong pairings", NOW)
    told = LedgerEntry.objects.get(stream=tournament.stream, act="round.withdrawn").subjects
    assert told.get("shown_to_opponents") == shown


def test_an_opponent_of_a_closed_round_is_not_shown_a_later_list():
    tournament = at_stage(world("to_opponent"), "closed")
    assert len(readers(tournament)) >= 1
    replace_deck(account("juno"), member(tournament, "ada"), "Pile", sample_decklist(copies=2), "torn", NOW + TICK)
    assert readers(tournament, now=NOW + TICK) == {"ada"}


@pytest.mark.sqlite
def test_an_opponent_who_reads_a_list_is_written_down_once_and_shown_to_its_owner(client):
    tournament = at_stage(world("to_opponent"), "placed")
    ada, name = member(tournament, "ada"), opponent_of(tournament, "ada")
    address = f"/e/{tournament.slug}/decks/{ada.entry.number}/"
    by_program = f"/api/v1/events/{tournament.slug}/entries/{ada.entry.number}/deck/"
    for reader, paths in (("ada", [address]), (name, [address, f"{address}proof.txt", by_program])):
        client.force_login(account(reader).user)
        assert [client.get(path).status_code for path in paths] == [200] * len(paths)
    told = LedgerEntry.objects.get(stream=tournament.stream, act="deck.shown_to_opponent")
    assert (told.actor, told.subjects["entry"]) == (account(name).key, ada.entry.number)
    assert told.subjects["reader"] == entry(tournament, name).number
    assert [(each.name, each.role) for each in readings_of(tournament, ada)] == [(name, "player")]


def test_reading_a_public_list_is_not_written_down(client):
    tournament = at_stage(world("after_end"), "finished")
    client.force_login(account("ben").user)
    assert client.get(f"/e/{tournament.slug}/decks/{member(tournament, 'ada').entry.number}/").status_code == 200
    assert not LedgerEntry.objects.filter(act="deck.shown_to_opponent").exists()


def test_a_link_made_after_the_match_began_does_not_show_the_opponents_list():
    tournament = at_stage(world("to_opponent"), "placed")
    other, person = member(tournament, opponent_of(tournament, "ada")), member(tournament, "ada").person
    Person.objects.filter(pk=person.pk).update(user=None)
    for minutes, seen in ((-1, True), (1, False)):
        link = Actor(None, person, "link", NOW + timedelta(minutes=minutes))
        assert may_see_deck(link, tournament, other, NOW) is seen


@pytest.mark.parametrize("policy", ["after_end", "after_cut"])
def test_what_was_published_stays_so_whatever_follows(policy):
    olive, tournament = account("olive"), at_stage(world(policy), "finished")
    reopen_tournament(olive, tournament, "a wrong result", LATER)
    assert readers(tournament) == set(CAST)
    update_settings(olive, tournament, {"deck_publish": "never"}, LATER)
    assert readers(tournament) == set(CAST)
    tournament = finish_tournament(olive, tournament, LATER)
    assert tournament.decks_published_at == NOW
    told = LedgerEntry.objects.filter(stream=tournament.stream, act="event.state_changed", subjects__to="finished")
    assert [entry.subjects.get("decks_published") for entry in told.order_by("sequence")] == [policy, None]
    cancel_tournament(olive, reopen_tournament(olive, tournament, "fire", LATER), "fire alarm", LATER)
    assert readers(tournament) == set(CAST)


def test_fewer_rounds_publish_nothing_while_the_event_runs():
    tournament = at_stage(world("after_cut", swiss_rounds=3), "closed")
    update_settings(account("olive"), tournament, {"swiss_rounds": 1}, NOW)
    assert readers(tournament) == {"ada"}


@pytest.mark.parametrize("policy", ["never", "to_opponent"])
def test_other_policies_publish_nothing_at_the_end(policy):
    assert at_stage(world(policy), "finished").decks_published_at is None


def test_the_event_page_says_since_when_lists_are_public(client):
    tournament = at_stage(world("after_end"), "finished")
    reopen_tournament(account("olive"), tournament, "a wrong result", LATER)
    text = client.get(f"/e/{tournament.slug}/").content.decode()
    assert "The lists are public since 9 May 2026, 10:00" in text


def test_a_cancelled_event_shows_nothing():
    tournament = at_stage(world("after_cut"), "closed")
    cancel_tournament(account("olive"), tournament, "fire alarm", NOW)
    assert readers(tournament) == {"ada"}


def test_a_private_event_shows_its_lists_to_its_own_people_alone():
    tournament = at_stage(world("after_end", visibility="private"), "finished")
    assert readers(tournament) == set(CAST) - {"", "mallory"}


def test_of_another_event_nothing_is_shown():
    tournament, other = at_stage(world("after_end"), "finished"), world("never")
    assert not may_see_deck(account("ben"), tournament, member(other, "ada"), NOW)


def test_the_view_costs_the_same_with_many_players():
    counts = []
    for players in (3, 61):
        tournament = event(players, deck_publish="to_opponent")
        sign_up(account("ada"), tournament, account("ada").person, NOW)
        start_tournament(account("olive"), tournament, NOW)
        next_round(tournament)
        fresh = Tournament.objects.get(pk=tournament.pk)
        with CaptureQueriesContext(connection) as caught:
            deck_view(account("ada"), fresh, NOW)
        counts.append(len(caught))
    assert counts[0] == counts[1]
