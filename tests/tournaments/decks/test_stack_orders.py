"""The order in which a player stacks the own deck: kept game by game, shown to that player alone (DP-STACK)."""

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.actors import Actor
from journal.models import LedgerEntry
from tests.refusals import refusal
from tests.tournaments.decks.test_deck_ready import acts, duel_of
from tests.tournaments.decks.test_decks import decklist
from tests.tournaments.factories import NOW, account, member_of
from tournaments.decks.selectors.deck_ready import stacking_of
from tournaments.decks.selectors.stack_orders import fitted, own_orders, stack_plan, stackable_cards
from tournaments.decks.services.deck_ready import start_stacking
from tournaments.decks.services.decks import replace_deck
from tournaments.decks.services.stack_orders import save_stack_order
from tournaments.models import StackOrder

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=5)
NAMES = st.sampled_from("abcdef")


@pytest.fixture
def duel():
    return duel_of()


@pytest.fixture
def ada(duel):
    return member_of(duel.event, "ada")


@pytest.fixture
def own(duel):
    """The match that Ada plays."""
    return next(match for match in duel.match.round.matches.all() if match.seats.filter(member__person__name="ada"))


def cards_of(member):
    return stackable_cards(member.tournament, member.deck_version)


def reversed_cards(member):
    return tuple(reversed(cards_of(member)))


def save(member, cards, match=None, game=1, now=NOW):
    return save_stack_order(account("ada"), member, match, game, cards, now)


def plan(member, match=None):
    return stack_plan(account("ada"), member, member.deck_version, match)


def test_thirty_cards_are_stacked_and_the_master_plan_is_not_among_them(ada):
    plans = [entry.name for entry in ada.deck_version.decklist.entries if entry.section == "master_plan"]
    assert len(cards_of(ada)) == 30
    assert plans
    assert not set(plans) & set(cards_of(ada))


def test_first_the_cards_stand_as_registered_then_as_saved_and_the_next_game_begins_with_the_last_order(duel, ada, own):
    assert (plan(ada).cards, plan(ada).saved, plan(ada).last) == (cards_of(ada), None, None)
    prepared = save(ada, reversed_cards(ada))
    first = plan(ada, own)
    assert (first.match, first.game, first.cards, first.saved, first.last) == (
        own, 1, reversed_cards(ada), None, prepared,
    )  # fmt: skip
    mine = (*cards_of(ada)[3:], *cards_of(ada)[:3])
    kept = save(ada, mine, own, now=LATER)
    assert (plan(ada, own).saved, plan(ada, own).cards, plan(ada, own).earlier) == (kept, mine, (prepared,))
    duel.match = own
    own_duel = [account(seat.member.person.name) for seat in own.seats.all()]
    duel.place(*own_duel)
    own.refresh_from_db()
    second = plan(ada, own)
    assert (second.game, second.saved, second.last, second.cards) == (2, None, kept, mine)


def test_saving_again_replaces_the_order_of_that_game_alone(ada, own):
    save(ada, reversed_cards(ada))
    for now in (NOW, LATER):
        save(ada, cards_of(ada), own, now=now)
    assert StackOrder.objects.filter(member=ada).count() == 2
    assert plan(ada, own).saved.saved_at == LATER


def test_an_order_outlives_its_match_and_a_changed_deck(duel, ada, own):
    save(ada, reversed_cards(ada), own)
    own.placements.all().delete()
    StackOrder.objects.update(match=None)
    before = cards_of(ada)
    replace_deck(account("juno"), ada, "Pile", decklist(copies=2), "another", LATER)
    ada = member_of(duel.event, "ada")
    now = plan(ada, own)
    assert Counter(now.cards) == Counter(cards_of(ada)) != Counter(before)
    kept = [name for name in reversed(before) if name in cards_of(ada)]
    assert now.cards[0] == kept[0]


@pytest.mark.parametrize("spoil", [lambda cards: cards[1:], lambda cards: (*cards[1:], "Silence Over the Harbour"),
                                   lambda cards: (*cards, cards[0]), lambda cards: ()])  # fmt: skip
def test_other_cards_than_those_of_the_deck_are_not_stored(ada, spoil):
    assert refusal(lambda: save(ada, spoil(cards_of(ada)))) == "deck_changed"
    assert not StackOrder.objects.exists()


def test_nobody_else_saves_or_reads_it_staff_and_later_links_no_more_than_others(ada):
    save(ada, reversed_cards(ada), now=NOW)
    ben = account("ben")
    late = Actor(None, ada.person, "link", link_scope=ada.tournament.stream, link_issued_at=LATER)
    assert refusal(save_stack_order, late, ada, None, 1, cards_of(ada), LATER) == "later_link"
    assert own_orders(late, ada) == []
    assert own_orders(account("ada"), ada) != []
    assert own_orders(ben, member_of(ada.tournament, "ben")) == []


def test_the_ledger_tells_nothing_of_it(ada):
    before = LedgerEntry.objects.count()
    save(ada, reversed_cards(ada))
    assert LedgerEntry.objects.count() == before


@given(cards=st.lists(NAMES), order=st.lists(NAMES))
@pytest.mark.django_db(transaction=False)
def test_a_fitted_order_has_the_cards_of_the_deck_and_keeps_what_it_can(cards, order):
    found = fitted(cards, order)
    assert Counter(found) == Counter(cards)
    kept = Counter(cards) & Counter(order)
    assert Counter(found[: kept.total()]) == kept


# The minutes for later games


def place_first(duel):
    duel.place(*duel.here)
    return duel.fresh


def test_a_table_begins_the_minutes_of_game_2_once_and_both_see_until_when(duel):
    place_first(duel)
    assert stacking_of(duel.event, duel.fresh).until is None
    start_stacking(duel.here[0], duel.fresh, 2, NOW)
    start_stacking(duel.here[1], duel.fresh, 2, LATER)
    stacking = stacking_of(duel.event, duel.fresh)
    assert (stacking.game, stacking.is_on, stacking.until) == (2, True, NOW + timedelta(minutes=stacking.minutes))
    assert acts(duel.event, "deck.stacking_started").count() == 1
    duel.place(*duel.here, game=2)
    assert stacking_of(duel.event, duel.fresh).until is None
    start_stacking(account("olive"), duel.fresh, 3, LATER)
    assert stacking_of(duel.event, duel.fresh).until == LATER + timedelta(minutes=stacking.minutes)


def test_nobody_from_another_table_begins_them_and_no_game_out_of_turn(duel):
    assert refusal(lambda: start_stacking(duel.here[0], duel.fresh, 1, NOW)) == "rounds_clock"
    assert refusal(lambda: start_stacking(duel.here[0], duel.fresh, 2, NOW)) == "other_game"
    place_first(duel)
    for actor in (duel.there[0], account("mallory")):
        assert refusal(lambda actor=actor: start_stacking(actor, duel.fresh, 2, NOW)) == "not_your_match"
    assert refusal(lambda: start_stacking(duel.here[0], duel.fresh, 3, NOW)) == "other_game"
    assert not acts(duel.event, "deck.stacking_started").exists()
