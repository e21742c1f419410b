"""Whole made-up events with drops, returns, late entries, awarded byes and clubs: the checker finds nothing."""

import math
import random

import pytest

from tests.tournaments.pairing.fields import Event
from tournaments.pairing.checker import check_pairing
from tournaments.pairing.swiss import pair_swiss

EVENTS = 2_000
SLICE = 60
BATCH = 100


def play_event(chance, players):
    """Play a whole event; every round is sound and proved. Returns its rounds."""
    event = Event(chance, players)
    rounds = max(1, math.ceil(math.log2(players))) + 1
    for number in range(1, rounds + 1):
        given = event.state()
        paired = pair_swiss(given)
        assert check_pairing(given, paired) == (), (number, given.as_dict())
        assert paired.proved, (number, given.as_dict())
        event.play(paired)
    return rounds


@pytest.mark.parametrize("number", range(SLICE))
def test_events_are_paired_without_violation(number, seed):
    chance = random.Random(f"{seed} {number}")
    assert play_event(chance, chance.randint(4, 64 if number % 4 else 128)) >= 3


@pytest.mark.long
@pytest.mark.parametrize("batch", range(EVENTS // BATCH))
def test_two_thousand_events_are_paired_without_violation(batch, seed):
    for number in range(BATCH):
        chance = random.Random(f"{seed} {batch} {number}")
        play_event(chance, chance.randint(4, 128))
