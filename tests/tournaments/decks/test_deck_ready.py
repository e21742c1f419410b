"""Decks placed before each game: whose turn it is, the reveal, who is shown it, and what a judge takes back."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import prefetch_related_objects
from django.test.utils import CaptureQueriesContext

from accounts.actors import ANONYMOUS, SYSTEM, Actor
from accounts.models import Person
from decks.services.catalogues import load_catalogues
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, NotAllowed
from rules_engine.systems import get_system
from tests.queries import count_queries
from tests.races import race
from tests.refusals import refusal
from tests.tournaments.decks.test_decks import decklist
from tests.tournaments.factories import (
    NOW,
    account,
    draft,
    entry,
    event,
    member_of,
    next_round,
    report_all,
    running,
    staff,
    table,
)
from tournaments.decks.selectors import reveal
from tournaments.decks.selectors.deck_ready import all_placed, stacking_of, stacking_tables
from tournaments.decks.selectors.reveal import PlanState, may_see_plan, revealed_plans
from tournaments.decks.services.deck_ready import mark_deck_ready, mark_deck_ready_for, undo_deck_ready
from tournaments.decks.services.decks import replace_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import cancel_tournament, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.models import DeckPlacement, Entry, EntryMember, Match, Role, Round, Tournament
from tournaments.permissions import roles_of
from tournaments.room.services.clocks import start_clock
from tournaments.rounds.services.rounds import pair_next_round, withdraw_round

pytestmark = pytest.mark.django_db
PLAYERS = ("ada", "ben", "cem", "dora")
LATER = NOW + timedelta(minutes=5)


@dataclass
class Table:
    """A match with who sits at it, and who sits at the other one."""

    event: Tournament
    match: Match
    here: list[Actor]
    there: list[Actor]

    @property
    def fresh(self) -> Match:
        """The match as a page would load it."""
        return Match.objects.select_related("round__stage__tournament").get(pk=self.match.pk)

    def seat(self, actor):
        return self.match.seats.get(member__person=actor.person)

    def place(self, *actors, game=1, now=NOW):
        return [mark_deck_ready(actor, self.seat(actor), game, now) for actor in actors]

    def shown(self, actor):
        """The cards that somebody is shown, by seat order."""
        plans = revealed_plans(actor, self.fresh, LATER)
        return [[card.name for card in plan.cards] for plan in plans]


@pytest.fixture
def duel():
    """Two tables of four accounts with decks, round 1 published."""
    return duel_of()


def duel_of(**changes):
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(**changes)
    for name in PLAYERS:
        sign_up(account(name), tournament, account(name).person, NOW)
        if get_system(tournament.game).slug == "doom_pile":
            replace_deck(account("juno"), member_of(tournament, name), "Pile", decklist(), "from paper", NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    match = table(next_round(tournament))
    names = [seat.entry.name for seat in match.seats.order_by("order")]
    others = [name for name in PLAYERS if name not in names]
    return Table(tournament, match, [account(name) for name in names], [account(name) for name in others])


def acts(tournament, name):
    return LedgerEntry.objects.filter(stream=tournament.stream, act=name)


# Whose turn it is


def test_both_place_before_game_1_and_again_before_each_further_game(duel):
    one, two = duel.here
    for game in (1, 2, 3):
        stacking = stacking_of(duel.event, duel.fresh)
        assert (stacking.game, stacking.placed, stacking.is_on) == (game, 0, game == 1)
        duel.place(one, game=game)
        stacking = stacking_of(duel.event, duel.fresh)
        assert (stacking.game, stacking.placed, stacking.is_on) == (game, 1, True)
        assert not all_placed(duel.fresh, game)
        duel.place(two, game=game)
        assert all_placed(duel.fresh, game)
    assert stacking_of(duel.event, duel.fresh) is None
    assert refusal(lambda: duel.place(one, game=4)) == "not_stacking"


def test_the_games_of_a_stage_are_those_that_it_is_played_in(duel):
    duel.match.round.stage.best_of = 1
    duel.match.round.stage.save()
    duel.place(*duel.here)
    assert stacking_of(duel.event, duel.fresh) is None
    duel.match.round.stage.best_of = 5
    duel.match.round.stage.save()
    for game in (2, 3, 4, 5):
        assert stacking_of(duel.event, duel.fresh).game == game
        duel.place(*duel.here, game=game)


@pytest.mark.parametrize("game", [2, 3, 4, 9])
def test_no_game_is_placed_for_before_its_turn(duel, game):
    with pytest.raises(Conflict) as caught:
        duel.place(duel.here[0], game=game)
    assert (caught.value.code, caught.value.details) == ("other_game", {"game": 1})
    duel.place(duel.here[0])
    assert refusal(lambda: duel.place(duel.here[0], game=2)) == "other_game"
    assert DeckPlacement.objects.count() == 1


@pytest.mark.sqlite
def test_placing_twice_is_one_mark_with_the_first_time(duel):
    first, again = duel.place(duel.here[0]) + duel.place(duel.here[0], now=LATER)
    assert (first, again.placed_at) == (again, NOW)
    assert acts(duel.event, "deck.placed").count() == 1


def test_marks_tell_the_minutes_and_until_when(duel):
    stacking = stacking_of(duel.event, duel.fresh)
    assert (stacking.minutes, stacking.until) == (10, None)
    start_clock(account("olive"), duel.fresh.round, LATER)
    assert stacking_of(duel.event, duel.fresh).until == LATER + timedelta(minutes=10)
    duel.place(*duel.here)
    assert stacking_of(duel.event, duel.fresh).until is None
    update_settings(account("olive"), duel.event, {"stacking_minutes": 7}, NOW)
    assert stacking_of(Tournament.objects.get(), duel.fresh).minutes == 7


def test_what_is_placed_stands_in_the_log_without_a_card(duel):
    duel.place(*duel.here)
    entries = LedgerEntry.objects.filter(stream=duel.event.stream, act__in=["deck.placed", "deck.revealed"])
    assert [each.act for each in entries.order_by("sequence")] == ["deck.placed", "deck.placed", "deck.revealed"]
    assert {key for each in entries for key in each.subjects} == {"match", "table", "entry", "game"}
    assert verify_stream(duel.event.stream) == []


def test_one_match_of_a_single_game_is_placed_for_once():
    duel = duel_of(best_of=1)
    duel.place(*duel.here)
    assert refusal(lambda: duel.place(duel.here[0], game=2)) == "not_stacking"


# When nothing can be placed


def test_once_a_result_counts_nothing_is_placed_and_results_never_wait_for_it(duel):
    duel.place(duel.here[0])
    report_all(duel.match.round, 2, 0)
    assert stacking_of(duel.event, duel.fresh) is None
    assert refusal(lambda: duel.place(duel.here[1])) == "not_stacking"


@pytest.mark.sqlite
def test_a_round_taken_back_counts_for_nothing(duel):
    duel.place(*duel.here)
    juno = staff(duel.event, "juno", Role.Name.JUDGE)
    assert duel.shown(duel.here[0])
    withdraw_round(account("olive"), duel.match.round, "a late player", LATER)
    assert not all_placed(duel.fresh)
    assert [duel.shown(actor) for actor in (*duel.here, juno)] == [[], [], []]
    assert refusal(lambda: duel.place(duel.here[0], game=2)) == "not_stacking"
    again = table(next_round(duel.event, seed=2))
    assert (stacking_of(duel.event, again).game, stacking_of(duel.event, again).placed) == (1, 0)


def test_nothing_is_placed_for_before_the_round_is_published(duel):
    report_all(duel.match.round, 2, 0)
    hidden = pair_next_round(account("olive"), duel.event, NOW, seed=3)
    assert (
        refusal(lambda: mark_deck_ready(account("ada"), hidden.matches.first().seats.first(), 1, NOW)) == "not_stacking"
    )


def test_nothing_is_placed_in_an_event_that_ended(duel):
    cancel_tournament(account("olive"), duel.event, "flood", NOW)
    assert refusal(lambda: duel.place(duel.here[0])) == "not_stacking"


def test_a_bye_has_nothing_to_place():
    held = running(3)
    bye = next_round(held).matches.get(kind=Match.Kind.BYE)
    assert not all_placed(bye)
    assert refusal(lambda: mark_deck_ready(account("ada"), bye.seats.get(), 1, NOW)) == "not_stacking"


def test_a_game_without_stacking_has_no_phase():
    duel = duel_of(game="doomtrooper", game_format="second-edition", best_of=1)
    assert stacking_of(duel.event, duel.fresh) is None
    assert stacking_tables(duel.event, duel.match.round) == []
    assert refusal(lambda: duel.place(duel.here[0])) == "no_stacking"


def test_each_member_of_a_team_places_the_own_deck(duel):
    """Three seats, two of them of one entry: all three must have placed."""
    one, two = duel.here
    mate = Person.objects.create(name="Mate", created_at=NOW)
    member = EntryMember.objects.create(
        entry=duel.seat(one).entry, tournament=duel.event, person=mate, order=2, deck_version=None
    )
    third = duel.match.seats.create(round=duel.match.round, order=3, entry=member.entry, member=member)
    duel.place(one, two)
    assert (all_placed(duel.fresh), duel.shown(one)) == (False, [])
    mark_deck_ready(SYSTEM, third, 1, NOW)
    states = [plan.state for plan in revealed_plans(one, duel.fresh, LATER)]
    assert states == [PlanState.SHOWN, PlanState.SHOWN, PlanState.NO_DECK]


# Who is shown what was revealed

READERS = {
    "at the table": True,
    "at the table, dropped": True,
    "at another table": False,
    "nobody signed in": False,
    "stranger": False,
    "judge": True,
    "organiser": True,
    "scorekeeper": False,
    "scorekeeper at the table": True,
    "scorekeeper at another table": False,
    "judge at the table": True,
    "judge at another table": False,
    "link of this event, from before": True,
    "link of this event, from after the placing": False,
    "link of another event": False,
    "command": False,
}
"""Whether a reader is shown the plans after the reveal; before it nobody is."""


def reader(duel, who):
    """The one who reads."""
    one, other = duel.here[0], duel.there[0]
    role, _at, place = who.partition(" at ")
    if role in ("judge", "scorekeeper"):
        if not place:
            return staff(duel.event, role, Role.Name(role))
        return staff(duel.event, (one if place == "the table" else other).user.username, Role.Name(role))
    if who == "at the table, dropped":
        drop_entry(account("olive"), entry(duel.event, one.user.username), NOW)
    return {
        "at the table": one,
        "at the table, dropped": one,
        "at another table": other,
        "nobody signed in": ANONYMOUS,
        "stranger": account("mallory"),
        "organiser": account("olive"),
        "link of this event, from before": Actor(None, one.person, "link", NOW, duel.event.stream),
        "link of this event, from after the placing": Actor(None, one.person, "link", LATER, duel.event.stream),
        "link of another event": Actor(None, one.person, "link", NOW, "other"),
        "command": SYSTEM,
    }[who]


def leaks(duel, actor):
    """How many plans somebody is shown, by every way of asking."""
    members = [seat.member for seat in duel.match.seats.select_related("member__entry")]
    asked = sum(may_see_plan(actor, duel.fresh, member, LATER) for member in members)
    assert asked == len(duel.shown(actor))
    return asked


@pytest.mark.parametrize("who", READERS)
def test_plans_are_shown_after_the_reveal_and_to_these_alone(duel, who):
    actor = reader(duel, who)
    assert leaks(duel, actor) == 0
    duel.place(duel.here[0])
    assert leaks(duel, actor) == 0
    duel.place(duel.here[1])
    if actor.via == "link":
        Person.objects.filter(pk=actor.person.pk).update(user=None)
    assert leaks(duel, actor) == (2 if READERS[who] else 0)


def test_without_the_guard_the_plan_is_shown_too_early(duel, monkeypatch):
    """The control of the test above: it would see a reveal that does not wait for everybody."""
    monkeypatch.setattr(reveal, "is_revealed", lambda match: True)
    monkeypatch.setattr(reveal, "revealed_at", lambda match: NOW)
    duel.place(duel.here[0])
    assert leaks(duel, duel.here[0]) == 2


def test_plan_of_somebody_at_another_table_is_not_the_matchs(duel):
    duel.place(*duel.here)
    other = member_of(duel.event, duel.there[0].user.username)
    assert not may_see_plan(duel.here[0], duel.fresh, other, LATER)


def test_a_table_is_told_who_has_no_deck(duel):
    EntryMember.objects.filter(person=duel.here[1].person).update(deck_version=None, deck_registered_at=None)
    duel.place(*duel.here)
    plans = revealed_plans(duel.here[0], duel.fresh, LATER)
    assert sorted(plan.state for plan in plans) == [PlanState.NO_DECK, PlanState.SHOWN]


def test_a_deck_changed_after_the_reveal_is_not_shown_by_it(duel):
    duel.place(*duel.here)
    member = member_of(duel.event, duel.here[1].user.username)
    replace_deck(account("juno"), member, "Pile", decklist(plans=2), "lost a card", LATER)
    states = {plan.seat.member_id: plan.state for plan in revealed_plans(duel.here[0], duel.fresh, LATER)}
    assert states[member.pk] == PlanState.CHANGED


def test_published_decks_show_their_plan_to_everybody(duel):
    duel.place(*duel.here)
    Tournament.objects.update(
        deck_publish=Tournament.DeckPublish.AFTER_END, state=Tournament.State.FINISHED, decks_published_at=NOW
    )
    assert len(duel.shown(ANONYMOUS)) == 2


# Staff place for who has no phone


@pytest.mark.parametrize("name", ["olive", "juno", "kit"])
def test_staff_place_for_a_player_and_the_reveal_follows(duel, name):
    for who, role in (("juno", Role.Name.JUDGE), ("kit", Role.Name.SCOREKEEPER)):
        staff(duel.event, who, role)
    one, two = duel.here
    duel.place(one)
    assert duel.shown(one) == []
    placed = mark_deck_ready_for(account(name), duel.seat(two), 1, NOW)
    assert mark_deck_ready_for(account(name), duel.seat(two), 1, LATER) == placed
    assert len(duel.shown(one)) == 2
    logged = acts(duel.event, "deck.placed_for").get()
    assert (logged.actor, logged.role) == (account(name).key, *roles_of(account(name), duel.event))
    assert logged.subjects["entry"] == duel.seat(two).entry.number
    assert acts(duel.event, "deck.revealed").count() == 1
    assert refusal(lambda: mark_deck_ready_for(account(name), duel.seat(two), 3, NOW)) == "other_game"


@pytest.mark.parametrize("role", ["scorekeeper", "judge", "organiser"])
def test_staff_who_play_do_not_place_for_the_other_side_of_their_table(duel, role):
    one, two = duel.here
    staff(duel.event, one.user.username, Role.Name(role))
    with pytest.raises(NotAllowed) as caught:
        mark_deck_ready_for(one, duel.seat(two), 1, NOW)
    assert (caught.value.code, DeckPlacement.objects.count()) == ("own_match", 0)
    other = table_of(duel, duel.there[0])
    mark_deck_ready_for(one, other.seats.first(), 1, NOW)
    assert other.placements.count() == 1


@pytest.mark.parametrize("who", ["player", "stranger", "nobody"])
def test_nobody_else_places_for_another(duel, who):
    actor = {"player": duel.here[0], "stranger": account("mallory"), "nobody": ANONYMOUS}[who]
    with pytest.raises(NotAllowed):
        mark_deck_ready_for(actor, duel.seat(duel.here[1]), 1, NOW)
    assert not DeckPlacement.objects.exists()


def table_of(duel, actor):
    return Match.objects.get(round=duel.match.round, seats__member__person=actor.person)


# A judge takes a placement back


@pytest.mark.sqlite
def test_judge_has_a_player_stack_again_with_a_reason(duel):
    juno = staff(duel.event, "juno", Role.Name.JUDGE)
    seat = duel.seat(duel.here[0])
    duel.place(duel.here[0])
    assert refusal(lambda: undo_deck_ready(juno, seat, 1, " ", NOW)) == "reason_needed"
    undo_deck_ready(juno, seat, 1, "pressed by mistake", NOW)
    assert not DeckPlacement.objects.exists()
    assert refusal(lambda: undo_deck_ready(juno, seat, 1, "again", NOW)) == "not_placed"
    entry_ = acts(duel.event, "deck.placement_taken_back").get()
    assert [value.value for value in entry_.personal_values.all()] == ["pressed by mistake"]
    duel.place(*duel.here)
    assert len(duel.shown(duel.here[0])) == 2


def test_nothing_is_taken_back_once_everybody_has_placed(duel):
    juno = staff(duel.event, "juno", Role.Name.JUDGE)
    duel.place(*duel.here)
    seat = duel.seat(duel.here[0])
    assert refusal(lambda: undo_deck_ready(juno, seat, 1, "too late", NOW)) == "all_placed"
    duel.place(duel.here[0], game=2)
    assert refusal(lambda: undo_deck_ready(juno, seat, 1, "too late", NOW)) == "all_placed"
    undo_deck_ready(juno, seat, 2, "pressed by mistake", NOW)
    assert stacking_of(duel.event, duel.fresh).placed == 0


def test_judge_takes_nothing_back_at_the_own_table(duel):
    ada = staff(duel.event, duel.here[0].user.username, Role.Name.JUDGE)
    duel.place(duel.here[1])
    assert refusal(undo_deck_ready, ada, duel.seat(duel.here[1]), 1, "mine", NOW) == "own_match"


# Staff's view and the settings


def test_tables_that_stack_are_listed_until_all_placed_or_reported(duel):
    round_ = Round.objects.get()
    assert [match.table_number for match, _stacking in stacking_tables(duel.event, round_)] == [1, 2]
    duel.place(*duel.here)
    assert [match.table_number for match, _stacking in stacking_tables(duel.event, round_)] == [2]
    duel.place(duel.here[0], game=2)
    assert [stacking.game for _match, stacking in stacking_tables(duel.event, round_)] == [2, 1]
    report_all(round_, 2, 0)
    assert stacking_tables(duel.event, Round.objects.get()) == []


@pytest.mark.parametrize("players", [4, 60])
def test_tables_that_stack_take_four_queries_however_many(players):
    held = running(players)
    round_ = next_round(held)
    with CaptureQueriesContext(connection) as caught:
        assert len(stacking_tables(held, round_)) == players // 2
    assert len(caught) == 4


def test_what_is_shown_takes_as_many_queries_with_many_placements(duel):
    duel.place(*duel.here)
    counts = []
    for game in (2, 3):
        match = duel.fresh
        prefetch_related_objects([match], "placements", "seats__entry")
        counts.append(count_queries(revealed_plans, duel.here[0], match, LATER))
        duel.place(*duel.here, game=game)
    assert counts[0] == counts[1] < 12


@pytest.mark.parametrize(("minutes", "code"), [(61, "bad_event"), (-5, "bad_event")])
def test_minutes_out_of_range_are_refused(duel, minutes, code):
    assert refusal(lambda: update_settings(account("olive"), duel.event, {"stacking_minutes": minutes}, NOW)) == code


@pytest.mark.parametrize("minutes", [0, 1, 60, None])
def test_minutes_may_change_while_the_event_runs(duel, minutes):
    update_settings(account("olive"), duel.event, {"stacking_minutes": minutes}, NOW)
    assert Tournament.objects.get().stacking_minutes == minutes
    assert draft(stacking_minutes=minutes).stacking_minutes == minutes


# Both at the same instant


def press(duel, game):
    """Each process presses for the player of its number, or both for the same one."""

    def act(number):
        actor = duel.here[number % 2]
        return mark_deck_ready(actor, duel.seat(actor), game, NOW).pk

    return act


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("clients", [2, 6])
def test_both_press_at_once_and_each_has_one_mark_and_there_is_one_reveal(many, clients):
    for _turn in range(many(50, 2)):
        duel = duel_of()
        answers = race(press(duel, 1), clients)
        assert len(set(answers)) == 2
        assert DeckPlacement.objects.filter(match=duel.match).count() == 2
        assert acts(duel.event, "deck.placed").count() == 2
        assert acts(duel.event, "deck.revealed").count() == 1
        assert len(duel.shown(duel.here[0])) == 2
        assert verify_stream(duel.event.stream) == []
        Entry.objects.all().update(state=Entry.State.WITHDRAWN)


def press_or_take_back(duel, juno):
    """One player presses as the last while the judge takes the other's placement back."""

    def act(number):
        try:
            if number:
                undo_deck_ready(juno, duel.seat(duel.here[0]), 1, "by mistake", NOW)
                return "undone"
            return str(duel.place(duel.here[1])[0].game)
        except Conflict as error:
            return error.code

    return act


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_taking_back_and_the_last_press_never_both_win_the_reveal(many):
    for _turn in range(many(50, 2)):
        duel = duel_of()
        juno = staff(duel.event, "juno", Role.Name.JUDGE)
        duel.place(duel.here[0])
        answers = race(press_or_take_back(duel, juno), 2)
        assert answers in (["1", "undone"], ["1", "all_placed"])
        revealed = answers[1] == "all_placed"
        assert (all_placed(duel.fresh), len(duel.shown(juno))) == (revealed, 2 if revealed else 0)
        assert acts(duel.event, "deck.revealed").count() == int(revealed)


def test_three_at_a_table_see_no_master_plan_before_the_last_deck_lies_there():
    """DP-SECRET, DP-MULTI: with several opponents too all are turned up together."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(way="tables", best_of=1)
    for name in PLAYERS[:3]:
        sign_up(account(name), tournament, account(name).person, NOW)
        replace_deck(account("juno"), member_of(tournament, name), "Pile", decklist(), "from paper", NOW)
    match = next_round(start_tournament(account("olive"), tournament, NOW)).matches.get()
    table = Table(tournament, match, [account(name) for name in PLAYERS[:3]], [])
    assert match.seats.count() == 3
    table.place(*table.here[:2])
    assert [table.shown(actor) for actor in table.here] == [[], [], []]
    table.place(table.here[2])
    assert all(len(table.shown(actor)) == 3 for actor in table.here)
