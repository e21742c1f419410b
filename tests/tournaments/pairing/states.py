"""Random states with large score groups, in which stand-ins really stand for somebody."""

from dataclasses import replace

from tests.tournaments.pairing.fields import random_policy
from tournaments.pairing.swiss.contenders import Contender, RoundInput


def histories(chance, scores, rounds, style):
    """Opponents of 1, 2, …: pairs drawn at random, mostly within one score, mostly near in score, or of hubs."""
    met = [[] for _ in scores]

    def meet(one, other):
        met[one].append(other + 1)
        met[other].append(one + 1)

    spread = {"uniform": 1000, "inside": 0, "near": 3, "hubs": 1000}[style]
    for _ in range(rounds):
        order = sorted(range(len(scores)), key=lambda one: (scores[one] + chance.gauss(0, spread), chance.random()))
        for one, other in zip(order[::2], order[1::2], strict=False):
            meet(one, other)
    for hub in chance.sample(range(len(scores)), 2) if style == "hubs" else ():
        for other in range(len(scores)):
            if other != hub and chance.random() < 0.9:
                meet(hub, other)
    return [tuple(each) for each in met]


def crowded_state(chance, least=40, most=120):
    """A RoundInput of few score groups: byes, clubs, teams, people apart, floats and histories from none to dense."""
    size = chance.randint(least, most)
    groups = chance.choice((1, 2, 3, 4, 6))
    values = chance.sample(range(40), groups) if chance.random() < 0.5 else range(0, 3 * groups, 3)
    scores = chance.choices(values, [chance.random() ** 2 + 0.02 for _ in range(groups)], k=size)
    met = histories(
        chance, scores, chance.choice((0, 1, 2, 4, 8, size // 4)), chance.choice(("uniform", "inside", "near", "hubs"))
    )
    clubs, in_club, in_team = chance.choice((2, 4, 30)), chance.choice((0, 0.3, 0.8)), chance.choice((0, 0.5))
    had_bye, floated = chance.choice((0, 0.1, 0.95, 1)), chance.choice((0, 0.2, 0.97))
    field = [
        Contender(
            number,
            score,
            opponents,
            chance.random() < had_bye,
            f"club {chance.randrange(clubs)}" if chance.random() < in_club else None,
            f"team {chance.randrange(20)}" if chance.random() < in_team else None,
            apart=tuple(chance.sample(range(1, size + 1), 2)) if chance.random() < 0.03 else (),
            downfloats=chance.randint(1, 2) if chance.random() < floated else 0,
            upfloats=chance.randint(1, 2) if chance.random() < floated else 0,
            awarded_bye=chance.random() < 0.01,
        )
        for number, (score, opponents) in enumerate(zip(scores, met, strict=True), start=1)
    ]
    order = sorted(field, key=lambda one: (-one.score, one.id * 7919 % size))
    field = [replace(one, place=place) for place, one in enumerate(order, start=1)]
    locked = (tuple(chance.sample(range(1, size + 1), 2)),) if chance.random() < 0.3 else ()
    return RoundInput(tuple(field), random_policy(chance), chance.getrandbits(32), locked)
