"""Whole made-up events with drops, returns, late entries, awarded byes and clubs: the checker finds nothing."""

import math
import random
from dataclasses import replace

import pytest

from tests.tournaments.pairing.fields import Event
from tests.tournaments.pairing.pair_checker import check_pairing
from tournaments.pairing.swiss.contenders import Finish
from tournaments.pairing.swiss.swiss import pair_swiss

EVENTS = 2_000
SLICE = 60
BATCH = 100
MAX_PLAYERS = 128


def play_event(chance, players, rounds=None):
    """Play a whole event; every round is sound and proved (places in the standings excepted, in large fields)."""
    event = Event(chance, players)
    rounds = rounds or math.ceil(math.log2(players)) + 1
    for number in range(1, rounds + 1):
        given = event.state()
        paired = pair_swiss(given)
        assert check_pairing(given, paired) == (), (number, given.as_dict())
        assert replace(paired.bound, finish=0) == replace(paired.cost, finish=0), (number, given.as_dict())
        by_places = players > MAX_PLAYERS and given.policy.finish is Finish.STANDINGS
        assert paired.proved or by_places, (number, given.as_dict())
        event.play(paired)
    return rounds


@pytest.mark.sampled(6)
@pytest.mark.parametrize("number", range(SLICE))
def test_events_are_paired_without_violation(number, seed):
    chance = random.Random(f"{seed} {number}")
    assert play_event(chance, chance.randint(4, 64 if number % 4 else MAX_PLAYERS)) >= 3


@pytest.mark.long
@pytest.mark.parametrize("batch", range(EVENTS // BATCH))
def test_two_thousand_events_are_paired_without_violation(batch, seed):
    for number in range(BATCH):
        chance = random.Random(f"{seed} {batch} {number}")
        play_event(chance, chance.randint(4, MAX_PLAYERS))


@pytest.mark.long
@pytest.mark.parametrize("number", range(20))
def test_two_hundred_rounds_of_two_thousand_players_are_paired_without_violation(number, seed):
    chance = random.Random(f"{seed} large {number}")
    assert play_event(chance, 2_000, rounds=10) == 10
