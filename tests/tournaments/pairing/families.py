"""The adversarial families as states; `python -m tests.tournaments.pairing.families` writes golden/.

See docs/how-it-works/pairing.md#families.

Each file of golden/ is one family: what naive engines do with it, and its cases by name. A case holds a `state` as
`./run manage pair` takes it (or an `input` as `RoundInput.as_dict` writes it, for rules that the command does not know)
and the `expected` cost, found by the oracles and never by our engine.
"""

import json
import random
from dataclasses import asdict, replace
from pathlib import Path

from tests.tournaments.pairing.fields import Event, berger, clique, cycle, field_of, pairs_but
from tests.tournaments.pairing.oracles import least_cost
from tournaments.pairing.statefile import read_state
from tournaments.pairing.swiss.contenders import Apart, Order, PairingPolicy, RoundInput

GOLDEN = Path(__file__).parent / "golden"
SOFT = PairingPolicy(clubs=Apart.SOFT)
TOP_DOWN = PairingPolicy(order=Order.TOP_DOWN)


def last_factor():
    """A round robin but for its last round: one lawful pairing is left."""
    for players in (6, 5, 8, 7):
        met, byes, scores = round_robin(players, rounds=(players + players % 2) - 2)
        yield f"{players}_players", field_of(scores, met, byes)


def complete_round_robin():
    """Everybody has met everybody, once; or once and some twice."""
    for players in (4, 6, 8):
        met, byes, scores = round_robin(players, rounds=players - 1)
        yield f"{players}_players", field_of(scores, met, byes)
    met, byes, scores = round_robin(6, rounds=5)
    yield "6_players_once_and_a_half", field_of(scores, [*met, *(pair for one in berger(6)[:2] for pair in one)])


def odd_components():
    """Everybody has lawful opponents, in two groups of odd size."""
    yield "two_triangles", field_of([9, 6, 6, 3, 3, 0], pairs_but(6, clique(1, 3, 5) + clique(2, 4, 6)))
    rings = cycle(1, 3, 5, 7, 8) + cycle(2, 4, 6)
    yield "ring_of_5_and_ring_of_3", field_of([9, 9, 6, 6, 3, 3, 0, 0], pairs_but(8, rings))
    cliques = clique(1, 4, 8) + clique(2, 3, 5, 6, 7, 9, 10)
    yield "clique_of_3_and_clique_of_7", field_of([9, 9, 9, 6, 6, 6, 3, 3, 0, 0], pairs_but(10, cliques))


def star():
    """Player 1 is the only lawful opponent of players 2 to 5."""
    allowed = [(1, leaf) for leaf in (2, 3, 4, 5)] + clique(6, 7, 8, 9, 10)
    scores = [9, 9, 6, 6, 3, 3, 3, 0, 0, 0]
    yield "leader_in_the_middle", field_of(scores, pairs_but(10, allowed))
    yield "last_in_the_middle", field_of(scores[::-1], pairs_but(10, allowed))


def half_graph():
    """Lawful is a(i) against b(j) for i <= j: exactly one pairing."""
    for size in (12, 40):
        half = size // 2
        allowed = [(i, half + j) for i in range(1, half + 1) for j in range(i, half + 1)]
        falling = [3 * (size - place) // 4 for place in range(size)]
        mixed = random.Random(size).sample(falling, size)
        yield f"{size}_players_from_the_top", field_of(falling, pairs_but(size, allowed))
        yield f"{size}_players_mixed", field_of(mixed, pairs_but(size, allowed))


def clique_brackets():
    """Within a score group everybody has met."""
    yield "top_half_of_12", field_of([9] * 6 + [6] * 3 + [3] * 3, clique(1, 2, 3, 4, 5, 6))
    brackets = [tuple(range(first, first + 10)) for first in range(1, 61, 10)]
    scores = [15 - (player - 1) // 10 * 3 for player in range(1, 61)]
    yield "every_bracket_of_60", field_of(scores, [pair for one in brackets for pair in clique(*one)])


def ripple():
    """The last have met each other and those just above: the repair goes up through the field."""
    yield "last_two_of_8", field_of([9, 9, 6, 6, 3, 3, 0, 0], [(7, 8), (5, 6), (6, 7), (5, 7), (3, 4), (1, 2)])
    met = [*clique(8, 9, 10), (6, 7), (5, 7), (7, 8), (7, 9), (7, 10), (4, 5), (1, 2)]
    yield "last_three_of_10", field_of([12, 12, 9, 9, 6, 6, 3, 3, 3, 0], met)


def far_leader():
    """The leaders' only lawful opponents are far below."""
    yield "leader_and_last", field_of([12, 9, 9, 6, 6, 3, 3, 0], [(1, other) for other in range(2, 8)])
    met = [(1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)]
    yield "two_leaders_share_one", field_of([9, 9, 6, 6, 3, 0], met)


def byes():
    """Odd fields in which those who should have the bye had it."""
    yield "lowest_had_one", field_of([9, 6, 6, 3, 0], byes=[5])
    yield "whole_lowest_group_had_one", field_of([9, 6, 6, 3, 0, 0, 0], byes=[5, 6, 7])
    yield "all_but_the_leader", field_of([12, 9, 9, 6, 6, 3, 3, 0, 0], byes=range(2, 10))
    yield "all_of_7", field_of([9, 9, 6, 6, 3, 3, 0], byes=range(1, 8))
    yield "all_of_5", field_of([9, 6, 6, 3, 0], byes=range(1, 6))


def bye_decides():
    """Only some byes leave a lawful pairing."""
    yield "5_players", field_of([9, 6, 3, 3, 0], pairs_but(5, [(1, 2), (1, 3), (1, 4), (2, 5)]))
    sevens, fours = (1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11)
    scores = [12, 12, 9, 9, 6, 6, 6, 3, 3, 0, 0]
    yield "11_players", field_of(scores, pairs_but(11, clique(*sevens) + clique(*fours)))
    yield "11_players_lowest_served", field_of(scores[::-1], pairs_but(11, clique(*sevens) + clique(*fours)), byes=[1])


def odd_brackets():
    """Four groups of three: the natural floaters have met."""
    scores = [9] * 3 + [6] * 3 + [3] * 3 + [0] * 3
    yield "neighbours_met", field_of(scores, [(3, 4), (6, 7), (9, 10), (3, 5), (6, 8), (9, 11)])
    above = [(one, other) for one in (1, 2, 3) for other in (4, 5, 6)]
    yield "first_two_groups_met", field_of(scores, [*above, (7, 10), (8, 10), (9, 10)])


def clubs():
    """Club mates apart, but never at the price of a rematch."""
    yield "whole_top_bracket", field_of([9] * 4 + [6] * 4, clubs=dict.fromkeys((1, 2, 3, 4), "A")), SOFT
    yield "majority_club", field_of([9] * 4 + [6] * 4 + [3] * 4, clubs=dict.fromkeys(range(1, 9), "A")), SOFT
    yield "club_against_rematch", field_of([3, 3, 0, 0], [(1, 3), (1, 4), (2, 3), (2, 4)], clubs=couple_up(4)), SOFT
    ring = {player: "ABC"[(player - 1) // 4] for player in range(1, 13)}
    met = [(one, other) for one in range(1, 5) for other in range(5, 9)]
    yield "ring_of_three_clubs", field_of([6] * 4 + [3] * 4 + [0] * 4, met, clubs=ring), SOFT
    yield "odd_field_of_one_club", field_of([9, 6, 3, 3, 0], clubs=dict.fromkeys(range(1, 6), "A")), SOFT
    chance = random.Random(96)
    scores = sorted((3 * min(chance.randint(0, 5), chance.randint(0, 5)) for _ in range(96)), reverse=True)
    yield "majority_club_of_96", field_of(scores, clubs=dict.fromkeys(range(1, 61), "A")), SOFT
    thirds = {player: "ABC"[(player * 5) // 161] for player in range(1, 97)}
    yield "three_clubs_of_96_by_score", field_of(scores, clubs=thirds), SOFT
    yield "clubs_do_not_matter", field_of([9] * 4 + [6] * 4, clubs=dict.fromkeys((1, 2, 3, 4), "A")), PairingPolicy()


def two_orders():
    """Least squares and top-down disagree."""
    met = [(1, 4), (1, 5), (1, 6), (3, 4), (3, 8), (4, 7), (5, 7), (6, 7)]
    fields = {
        "6_players": field_of([12, 9, 9, 6, 0, 0], [(1, 4), (2, 6), (3, 6)]),
        "8_players": field_of([12, 9, 9, 6, 3, 3, 0, 0], met),
    }
    for name, field in fields.items():
        for policy in (PairingPolicy(), TOP_DOWN):
            yield f"{name}_{policy.order}", field, policy


def saturated():
    """Few opponents are left."""
    for players, rounds in ((16, 11), (16, 13), (21, 14), (128, 100)):
        met, byes, scores = round_robin(players, rounds, random.Random(players * rounds))
        yield f"{players}_players_after_{rounds}", field_of(scores, met, byes)
    met, scores = greedy_history(16, 11, random.Random(7))
    yield "16_players_after_11_without_plan", field_of(scores, met)


def draws_and_drops():
    """Some thirty score groups; a field that shrinks."""
    rows = (("many_draws", 40, 24, 0.5, 0.0, False), ("many_drops", 101, 7, 0.1, 0.12, True))
    for name, players, rounds, draws, drops, neighbours in rows:
        chance = random.Random(players)
        event = Event(chance, players, draws, drops, late=0)
        for _ in range(rounds):
            event.play(chance_round(chance, event.state(), neighbours))
        contenders = tuple(replace(each, fixed_table=None, awarded_bye=False) for each in event.state().contenders)
        yield f"{name}_{players}", contenders, SOFT


def rules_beyond_the_command():
    """Forbidden pairs, hard clubs, teams, awarded byes and locked pairs."""
    hard = PairingPolicy(clubs=Apart.HARD)
    couple = {1: (2,), 2: (1,), 3: (4,)}
    yield "apart_before_rematch", RoundInput(field_of([3, 3, 0, 0], [(1, 3), (1, 4), (2, 3), (2, 4)], apart=couple))
    one_club = field_of([3, 3, 0, 0], [(1, 3), (1, 4), (2, 3), (2, 4)], clubs=couple_up(4))
    yield "hard_clubs_before_rematch", RoundInput(one_club, hard)
    majority = field_of([9, 6, 6, 3, 3, 0], clubs=dict.fromkeys(range(1, 5), "A"))
    yield "hard_clubs_cannot_hold", RoundInput(majority, hard)
    teams = field_of([9] * 4 + [6] * 4, team=dict.fromkeys(range(1, 5), "T"), clubs=dict.fromkeys(range(3, 7), "A"))
    yield "teams_hard_clubs_soft", RoundInput(teams, PairingPolicy(clubs=Apart.SOFT, teams=Apart.HARD))
    away = field_of([9, 9, 6, 6, 3, 3, 0], [(3, 4)], awarded_bye={1: True, 7: True})
    yield "two_awarded_byes_leave_an_odd_field", RoundInput(away)
    yield "locked_rematch_stays", RoundInput(field_of([9, 9, 6, 6, 3, 0], [(1, 6), (2, 3)]), locked=((6, 1),))
    yield "everybody_apart", RoundInput(field_of([3, 3, 0], apart={1: (2, 3), 2: (1, 3), 3: (1, 2)}))


FAMILIES = {
    last_factor: "Greedy from the top leaves two who have met.",
    complete_round_robin: "An exception, or more rematches than needed.",
    odd_components: "Everybody has a lawful opponent, so checks of single players pass; no lawful round exists.",
    star: "The wrong number of forced rematches.",
    half_graph: "Greedy fails from either end; backtracking explodes.",
    clique_brackets: "Rematches inside a bracket.",
    ripple: "A rematch at the bottom tables.",
    far_leader: "A rematch for the leader.",
    byes: "A second bye, or a bye too high.",
    bye_decides: "The bye is fixed first, then a rematch is forced.",
    odd_brackets: "A long float or a rematch.",
    clubs: "The club rule ranked above rematches, or ignored.",
    two_orders: "A mixture of both orders that nobody wrote down.",
    saturated: "Timeouts and node limits.",
    draws_and_drops: "Unbalanced floats.",
    rules_beyond_the_command: "Rules checked pair by pair after the pairing.",
}


def round_robin(players, rounds, chance=None):
    """The first rounds of a round robin: (met, byes, scores), the lower id winning, or at random."""
    size = players + players % 2
    factors = berger(size)
    if chance:
        chance.shuffle(factors)
    met, byes, scores = [], [], [0] * players
    for one, other in (pair for factor in factors[:rounds] for pair in factor):
        if max(one, other) > players:
            byes.append(min(one, other))
            scores[min(one, other) - 1] += 3
            continue
        met.append((one, other))
        scores[(chance.choice((one, other)) if chance else min(one, other)) - 1] += 3
    return met, byes, scores


def greedy_history(players, rounds, chance):
    """Rounds paired at random without rematches: (met, scores); what is left need not be made of whole rounds."""
    while True:
        met, scores = [], [0] * players
        for _ in range(rounds):
            paired = greedy_round(list(range(1, players + 1)), set(met), chance)
            if not paired:
                break
            met += paired
            for pair in paired:
                scores[chance.choice(pair) - 1] += 3
        else:
            return met, scores


def greedy_round(left, met, chance):
    """One random round without rematches; empty when it ran into a dead end too often."""
    for _ in range(200):
        chance.shuffle(left)
        rest, paired = left[:], []
        while rest:
            one = rest.pop()
            other = next((each for each in rest if tuple(sorted((one, each))) not in met), None)
            if other is None:
                break
            rest.remove(other)
            paired.append(tuple(sorted((one, other))))
        else:
            return paired
    return []


class RandomRound:
    """A round paired by lot alone."""

    def __init__(self, pairs, bye):
        self.pairs, self.bye, self.awarded_byes = pairs, bye, ()


def chance_round(chance, given, neighbours):
    """Anybody, or neighbours by score, play each other, met or not; the last of an odd field has the bye."""
    ids = [each.id for each in sorted(given.contenders, key=lambda each: (-each.score * neighbours, chance.random()))]
    return RandomRound(list(zip(ids[::2], ids[1::2], strict=False)), ids[-1] if len(ids) % 2 else None)


def couple_up(size):
    """Players 1 and 2 of one club, 3 and 4 of the next, …"""
    return {player: "ABCDEFGH"[(player - 1) // 2] for player in range(1, size + 1)}


def cases_of(family):
    for name, *made in family():
        yield name, made[0] if isinstance(made[0], RoundInput) else RoundInput(made[0], *made[1:])


def state_of(given):
    """The command's JSON for a RoundInput."""
    players = []
    for each in given.contenders:
        player = {"id": each.id, "score": each.score, "opponents": list(each.opponents), "had_bye": each.had_bye}
        players.append(player | ({"club": each.club} if each.club else {}))
    apart = given.policy.clubs is Apart.SOFT
    return {"players": players, "seed": given.seed, "order": str(given.policy.order), "keep_clubs_apart": apart}


def read_case(case):
    """The RoundInput of a case in a golden file."""
    return RoundInput.from_dict(case["input"]) if "input" in case else read_state(json.dumps(case["state"])).given


def golden_cases():
    """(family, name, case) of every golden file."""
    for path in sorted(GOLDEN.glob("*.json")):
        for name, case in json.loads(path.read_text("utf-8"))["cases"].items():
            yield path.stem, name, case


def write_golden():
    """Write every family with its expected costs; one player a line."""
    for family, naive in FAMILIES.items():
        cases = {}
        for name, given in cases_of(family):
            key, told = ("input", given.as_dict()) if family is rules_beyond_the_command else ("state", state_of(given))
            cases[name] = {key: told, "expected": asdict(least_cost(read_case({key: told})))}
        family_file = {"family": family.__doc__, "naive_engines": naive, "cases": cases}
        (GOLDEN / f"{family.__name__}.json").write_text(lined(family_file), "utf-8")


def lined(value, depth=0):
    """JSON with lists of objects, and objects of objects, broken into lines."""
    if isinstance(value, dict) and any(isinstance(each, dict | list) for each in value.values()) and depth < 5:
        rows = [f"{json.dumps(key)}: {lined(each, depth + 1)}" for key, each in value.items()]
        return braced("{", rows, "}", depth)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return braced("[", [json.dumps(each) for each in value], "]", depth)
    return json.dumps(value, ensure_ascii=False)


def braced(start, rows, end, depth):
    """Rows between brackets, indented."""
    inner = ",\n".join("  " * (depth + 1) + row for row in rows)
    return f"{start}\n{inner}\n{'  ' * depth}{end}" + ("\n" if depth == 0 else "")


if __name__ == "__main__":
    write_golden()
