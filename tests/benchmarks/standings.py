"""Exact standings of 10,000 players after 15 rounds, beside plain loops over floats; one run.

`.venv/bin/python -m tests.benchmarks.standings [--players 10000] [--rounds 15] [--repeats 25]`, once ./test has
installed its requirements. The parts take turns; of each the repeat with
the least processor time counts, and only ratios are printed. Rules with head-to-head and all chess tiebreakers are
measured against the same loop by points and percentages, the chess rules also against a loop that adds up theirs.
"""

import argparse
import random
import time
from dataclasses import replace
from functools import partial
from itertools import accumulate
from operator import itemgetter

from scoring.standings.presets import PRESETS
from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, ScoringPolicy, SeatRecord
from scoring.standings.result_table import ResultTable, add_up
from scoring.standings.standings import compute_standings, rank_field
from scoring.standings.vectors import add_up_vectors

POLICY = ScoringPolicy()
POINTS = {Outcome.WIN: 3, Outcome.DRAW: 1, Outcome.LOSS: 0}
HEAD = "head_to_head"
CHESS = (
    "buchholz",
    "buchholz_cut_1",
    "buchholz_median",
    "opponents_buchholz",
    "fore_buchholz",
    "sonneborn_berger",
    "sonneborn_berger_cut_1",
    "progressive",
    "progressive_cut_1",
    "wins_played",
    "rounds_available",
    "second_seats",
    "second_seat_wins",
)
SCORES = [(2, 0, 0)] * 9 + [(2, 1, 0)] * 9 + [(1, 1, 1), (1, 0, 1)]


def play(players, rounds, seed):
    """Swiss-like rounds: shuffled within points, one bye where the field is odd, 1 % leave after each round."""
    chance = random.Random(seed)
    points = dict.fromkeys(players, 0)
    active = list(players)
    for number in range(1, rounds + 1):
        chance.shuffle(active)
        active.sort(key=points.__getitem__, reverse=True)
        if len(active) % 2:
            yield MatchRecord(number, MatchKind.BYE, (SeatRecord(active[-1], Outcome.WIN, 2),))
            points[active[-1]] += 3
        for one, other in zip(active[::2], active[1::2], strict=False):
            if chance.random() < 0.5:
                one, other = other, one
            won, lost, drawn = chance.choice(SCORES)
            outcomes = (Outcome.DRAW,) * 2 if won == lost else (Outcome.WIN, Outcome.LOSS)
            points[one] += POINTS[outcomes[0]]
            points[other] += POINTS[outcomes[1]]
            seats = SeatRecord(one, outcomes[0], won), SeatRecord(other, outcomes[1], lost)
            yield MatchRecord(number, MatchKind.PLAYED, seats, drawn)
        active = [player for player in active if chance.random() < 0.99]


def float_loop(players, records):
    """The peer: the same lines from one pass over the same records, by points, OMW, GW, OGW as floats."""
    results = {outcome: dict.fromkeys(players, 0) for outcome in Outcome}
    points, rounds = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    game_points, games = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    opponents = {player: [] for player in players}
    for record in records:
        if record.kind is MatchKind.BYE:
            player = record.seats[0].contender
            points[player] += 3
            rounds[player] += 1
            results[Outcome.WIN][player] += 1
            game_points[player] += 6
            games[player] += 2
            continue
        one, other = record.seats
        first, second, drawn = one.contender, other.contender, record.games_drawn
        played = one.games_won + other.games_won + drawn
        points[first] += POINTS[one.outcome]
        points[second] += POINTS[other.outcome]
        results[one.outcome][first] += 1
        results[other.outcome][second] += 1
        rounds[first] += 1
        rounds[second] += 1
        game_points[first] += 3 * one.games_won + drawn
        game_points[second] += 3 * other.games_won + drawn
        games[first] += played
        games[second] += played
        opponents[first].append(second)
        opponents[second].append(first)
    floor = 1 / 3
    match_win = {each: max(points[each] / (3 * rounds[each]), floor) if rounds[each] else floor for each in players}
    game_win = {each: max(game_points[each] / (3 * games[each]), floor) if games[each] else floor for each in players}
    rows = []
    for player in players:
        faced = opponents[player]
        omw = sum([match_win[each] for each in faced]) / len(faced) if faced else floor
        ogw = sum([game_win[each] for each in faced]) / len(faced) if faced else floor
        rows.append((points[player], omw, game_win[player], ogw, player))
    rows.sort(key=itemgetter(0, 1, 2, 3), reverse=True)
    lines, rank, previous = [], 0, None
    wins, draws, losses = results[Outcome.WIN], results[Outcome.DRAW], results[Outcome.LOSS]
    for number, row in enumerate(rows, start=1):
        player, keys = row[4], row[:4]
        if keys != previous:
            rank, previous = number, keys
        lines.append((rank, player, wins[player], draws[player], losses[player], *keys))
    return lines


def float_chess(players, records):
    """A peer for the chess rules: Buchholz Cut 1, Buchholz, Sonneborn-Berger, progressive and wins as floats.

    Every unplayed round is a dummy with the own score, and Cut 1 takes the lowest; of absences it knows nothing.
    """
    taken, faced, wins = {each: [] for each in players}, {each: [] for each in players}, dict.fromkeys(players, 0)
    worth = {Outcome.WIN: 1.0, Outcome.DRAW: 0.5, Outcome.LOSS: 0.0}
    for record in records:
        if record.kind is MatchKind.BYE:
            player = record.seats[0].contender
            taken[player].append(1.0)
            faced[player].append(player)
            continue
        one, other = record.seats
        first, second = one.contender, other.contender
        taken[first].append(worth[one.outcome])
        taken[second].append(worth[other.outcome])
        faced[first].append(second)
        faced[second].append(first)
        wins[first] += one.outcome is Outcome.WIN
        wins[second] += other.outcome is Outcome.WIN
    points = {player: sum(each) for player, each in taken.items()}
    rows = []
    for player in players:
        theirs = [points[each] for each in faced[player]]
        buchholz = sum(theirs)
        sonneborn = sum([score * own for score, own in zip(theirs, taken[player], strict=True)])
        progressive = sum(accumulate(taken[player]))
        cut = buchholz - min(theirs, default=0)
        rows.append((points[player], cut, buchholz, sonneborn, progressive, wins[player], player))
    rows.sort(reverse=True)
    return rows


def main():
    """Measure and print the ratios; the order must be the same bit for bit, and fractions where they are looked at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--repeats", type=int, default=25)
    options = parser.parse_args()
    players = list(range(1, options.players + 1))
    records = list(play(players, options.rounds, seed=1))
    facts = [ContenderFacts(player) for player in players]
    ways = {
        "plain loop over floats": lambda: float_loop(players, records),
        "exact, match by match": lambda: rank_field(ResultTable(facts, records, POLICY, add_up)),
        "exact, vectors": lambda: rank_field(ResultTable(facts, records, POLICY, add_up_vectors)),
        "compute_standings, every fraction looked at": lambda: [
            (line.keys, line.omw) for line in compute_standings(facts, records, POLICY)
        ],
    }
    rules = {f"rules {key}": preset.policy for key, preset in PRESETS.items() if HEAD in preset.policy.tiebreakers}
    rules["all chess tiebreakers"] = replace(PRESETS["chess"].policy, tiebreakers=("match_points", *CHESS))
    ways |= {name: partial(compute_standings, facts, records, policy) for name, policy in rules.items()}
    ways["plain chess loop over floats"] = lambda: float_chess(players, records)
    fastest = dict.fromkeys(ways, float("inf"))
    answers = {}
    for _ in range(options.repeats):
        for name, way in ways.items():
            start = time.process_time()
            answers[name] = way()
            fastest[name] = min(fastest[name], time.process_time() - start)
    exact, vectors = answers["exact, match by match"], answers["exact, vectors"]
    print(f"{len(players)} players, {options.rounds} rounds, {len(records)} matches; vectors equal: {exact == vectors}")
    loop = [line[1] for line in answers["plain loop over floats"]]
    split = sum(line.contender != other for line, other in zip(exact, loop, strict=True))
    print(f"lines that the float loop puts elsewhere (ties split by rounding, or left): {split}")
    base = fastest["plain loop over floats"]
    for name, seconds in fastest.items():
        print(f"{name} / float loop: {seconds / base:.2f}")
    chess = fastest["rules chess"] / fastest["plain chess loop over floats"]
    print(f"rules chess / plain chess loop over floats: {chess:.2f}")


if __name__ == "__main__":
    main()
