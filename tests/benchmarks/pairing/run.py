"""The measurements and the table they give; `python -m tests.benchmarks.pairing` starts it among the peers."""

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from tests.benchmarks.pairing import seatings
from tests.benchmarks.pairing.clock import Timed, time_call
from tests.benchmarks.pairing.engines import CARDARENA, ENGINES, FULL_GRAPH, OURS, SWISSPAIR, WITH_LOTS, Engine
from tests.benchmarks.pairing.events import Event, events_of, measured_rounds, rounds_of
from tests.benchmarks.pairing.quality import Tally, cost_of_answer, least_possible
from tests.benchmarks.pairing.states import golden_cases
from tests.tournaments.pairing.pair_checker import cost_of
from tournaments.pairing.swiss.contenders import RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss

SIZES = (16, 64, 256, 1_024, 4_096, 10_000)
HUGE = 100_000
KRCG_SIZES = (12, 20, 24, 48, 96)
TURNS, REPEATS = 3, 4
SLOW = 3.0
"""Seconds after which no further turn is made."""
MEGABYTE = 1024 * 1024
NOTES = """
Times are processor time of the engine's call alone, the quickest of the repeats; worst and median are over the rounds
of all events. The optimum is the full graph's up to 1,024 players, the neighbours' bound beyond. swisspair and
cardarena know no clubs, which costs them a few of the adversarial states."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `met` is None where no target is set."""

    what: str
    figure: str
    target: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        verdict = {True: "met", False: "**MISSED**", None: ""}[self.met]
        return f"| {self.what} | {self.figure} | {self.target} | {verdict} |"


@dataclass(slots=True)
class Measured:
    """Times of one engine at one size, one a round, and what its answers were worth."""

    times: list[Timed] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    @property
    def worst(self) -> float:
        """Seconds of the slowest round, not a number when it gave up in one."""
        return float("nan") if any(one.fault for one in self.times) else max(one.seconds for one in self.times)

    @property
    def median(self) -> float:
        """Seconds of the median round."""
        return (
            float("nan")
            if any(one.fault for one in self.times)
            else statistics.median(one.seconds for one in self.times)
        )


Results = dict[tuple[int, str], Measured]


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pairing", description=__doc__)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--largest", type=int, default=HUGE, help="leave out fields above this size")
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(play_alone(options.alone, options.seed)))
        return
    print("| measure | figure | target | |\n| --- | --- | --- | --- |")
    for row in rows(options.seed, options.largest):
        print(row, flush=True)
    print(NOTES)


def rows(seed: int, largest: int) -> Iterator[Row]:
    """Every line, as soon as it is known."""
    results: Results = {}
    for size in (size for size in SIZES if size <= largest):
        tell(f"{size} players")
        results |= compare(size, seed)
    yield from quality_rows(results)
    yield from adversarial_rows()
    yield from time_rows(results)
    if largest >= 10_000:
        yield from growth_rows(results)
        yield from dense_rows(results[10_000, OURS.name].median, seed)
    if largest >= HUGE:
        yield from huge_rows(results, seed)
    yield repeated_row(min(largest, 1_024), seed)
    yield from table_rows(seed)


def compare(size: int, seed: int) -> Results:
    """Every engine on the same rounds of the same events, which ours plays on."""
    engines = [engine for engine in ENGINES if size <= engine.most]
    results = {(size, engine.name): Measured() for engine in engines}
    for number, given in played(size, range(seed, seed + events_of(size))):
        if number in measured_rounds(size):
            answers = time_engines(engines, given)
            optimum = answers[FULL_GRAPH].answer if FULL_GRAPH in answers else None
            for engine, timed in answers.items():
                results[size, engine.name].times.append(timed)
                results[size, engine.name].tally.count(timed.answer, optimum or least_possible(given))
    return results


def played(size: int, seeds: Sequence[int]) -> Iterator[tuple[int, RoundInput]]:
    """Every round of the events with these seeds, paired by ours."""
    for seed in seeds:
        event = Event(size, seed=seed)
        for number in range(1, rounds_of(size) + 1):
            given = event.given()
            yield number, given
            event.play(pair_swiss(given))


def time_engines(engines: Sequence[Engine], given: RoundInput) -> dict[Engine, Timed]:
    """One state by each engine, in turns so that busy moments of the machine hit all alike; costs as answers."""
    turns: dict[Engine, list[Timed]] = {engine: [] for engine in engines}
    for turn in range(TURNS):
        for engine in engines:
            if not turn or sum(one.seconds for one in turns[engine]) < SLOW:
                turns[engine].append(time_engine(engine, given))
    return {engine: min(timed, key=lambda one: (one.fault, one.seconds)) for engine, timed in turns.items()}


def time_engine(engine: Engine, given: RoundInput) -> Timed:
    """One state by one engine; the answer is its cost."""
    slow = engine in (FULL_GRAPH, WITH_LOTS) and len(given.contenders) > 256
    timed = time_call(partial(engine.prepare, given), partial(engine.read, given), 1 if slow else REPEATS)
    return replace(timed, answer=cost_of_answer(given, timed.answer) if timed.answer else None)


def quality_rows(results: Results) -> Iterator[Row]:
    for engine in ENGINES:
        measured = {size: one for (size, name), one in results.items() if name == engine.name}
        tallies = [one.tally for one in measured.values()]
        legal, states = sum(one.legal for one in tallies), sum(one.states for one in tallies)
        ratios = ", ".join(f"{size:,}: {one.tally.ratio:.3f}" for size, one in measured.items())
        rematches, best = sum(one.rematches for one in tallies), sum(one.best for one in tallies)
        figure = f"{legal} of {states} rounds legal, {rematches} rematches, {best} optimal; squares / optimum {ratios}"
        met = best == states if engine is OURS else None
        yield Row(
            f"quality on simulated rounds: {engine.name}", figure, "all optimal, 1.000" if met is not None else "", met
        )


def adversarial_rows() -> Iterator[Row]:
    cases = list(golden_cases())
    bare = [case for case in cases if case.bare]
    if not cases:
        yield Row("adversarial states", "no golden files", "all optimal", False)
        return
    every = 0
    for case in cases:
        paired = pair_swiss(case.given)
        cost = cost_of(case.given, paired.pairs, paired.bye)
        every += replace(cost, finish=0) == replace(case.optimum, finish=0)
    yield Row("adversarial states, all rules: ours", f"{every} of {len(cases)} optimal", "all", every == len(cases))
    for engine in ENGINES:
        tally, right = Tally(), 0
        for case in bare:
            cost = time_engine(engine, case.given).answer
            tally.count(cost, replace(case.optimum, downfloats=(), finish=0))
            right += cost is not None and (cost.second_byes, cost.rematches, cost.bye_score) == (
                case.optimum.second_byes, case.optimum.rematches, case.optimum.bye_score,
            )  # fmt: skip
        figure = (
            f"{tally.best} of {len(bare)} optimal, {right} with fewest rematches and the right bye, "
            f"{tally.rematches} rematches too many, gave up on {tally.faults}"
        )
        met = tally.best == len(bare) if engine is OURS else None
        yield Row(f"adversarial states, bare: {engine.name}", figure, "all" if met is not None else "", met)


def time_rows(results: Results) -> Iterator[Row]:
    limits = {(10_000, SWISSPAIR): 0.30, (10_000, CARDARENA): 0.15, (1_024, SWISSPAIR): 1.0, (1_024, WITH_LOTS): 0.005}
    limits |= {(size, SWISSPAIR): 2.0 for size in (16, 64, 256)}
    for size in sorted({size for size, _ in results}):
        for peer in ENGINES[1:]:
            if (size, peer.name) in results:
                ours, theirs = results[size, OURS.name], results[size, peer.name]
                worst, median = ours.worst / theirs.worst, ours.median / theirs.median
                what = f"time at {size:,}: ours / {peer.name}"
                limit = limits.get((size, peer))
                yield Row(what, f"worst {figure_of(worst)}, median {figure_of(median)}", *goal(worst, limit, "worst "))


def growth_rows(results: Results) -> Iterator[Row]:
    for engine in (OURS, SWISSPAIR, CARDARENA):
        small, large = results[1_024, engine.name].median, results[10_000, engine.name].median
        exponent = math.log(large / small) / math.log(10_000 / 1_024)
        limit = 1.3 if engine is OURS else None
        yield Row(f"growth exponent 1,024 to 10,000: {engine.name}", f"{exponent:.2f}", *goal(exponent, limit))


def dense_rows(median: float, seed: int) -> Iterator[Row]:
    """Wide-open events of many rounds and draws: our worst round against our median round at 10,000."""
    for size, rounds, limit in ((2_000, 40, 40.0), (500, 60, None)):
        tell(f"{size} players, {rounds} rounds")
        event = Event(size, seed=seed, draws=0.2)
        worst, state, proved = 0.0, event.given(), 0
        for _ in range(rounds):
            given = event.given()
            seconds = time_call(partial(OURS.prepare, given), lambda paired: None, 2).seconds
            worst, state = max((worst, state), (seconds, given), key=lambda one: one[0])
            paired = pair_swiss(given)
            proved += paired.proved
            event.play(paired)
        what = f"dense: {size:,} × {rounds} rounds × 20 % draws, ours worst / 10,000 median"
        yield Row(what, figure_of(worst / median), *goal(worst / median, limit))
        yield Row(f"dense {size:,}: rounds proved", f"{proved} of {rounds}")
        peer = time_call(partial(SWISSPAIR.prepare, state), lambda matches: None, 1)
        ratio = f"swisspair gave up ({peer.fault})" if peer.fault else figure_of(worst / peer.seconds)
        yield Row(f"dense {size:,}, that round: ours / swisspair", ratio)


def huge_rows(results: Results, seed: int) -> Iterator[Row]:
    tell(f"{HUGE} players")
    told = alone(HUGE, seed)
    seconds = statistics.median(told["seconds"])
    exponent = math.log(seconds / results[1_024, OURS.name].median) / math.log(HUGE / 1_024)
    yield Row(f"growth exponent 1,024 to {HUGE:,}: ours", f"{exponent:.2f}", *goal(exponent, 1.2))
    worst = max(told["seconds"]) / results[10_000, OURS.name].worst
    yield Row(f"worst round at {HUGE:,} / at 10,000: ours", figure_of(worst))
    megabytes = told["peak"] / MEGABYTE
    yield Row(f"peak memory of a whole event of {HUGE:,}: ours", f"{megabytes:.0f} MB", "< 400 MB", megabytes < 400)
    yield Row(f"rounds proved at {HUGE:,}", f"{told['proved']} of {rounds_of(HUGE)}")


def repeated_row(size: int, seed: int) -> Row:
    told = [alone(size, seed, hash_seed) for hash_seed in (1, 2)]
    same = told[0]["digests"] == told[1]["digests"]
    return Row(
        f"whole event of {size:,} in two processes with other hash seeds",
        "equal" if same else "differs",
        "byte-identical",
        same,
    )


def table_rows(seed: int) -> Iterator[Row]:
    tell("tables")
    yield exhaustive_row(seed)
    yield three_rounds_row(seed)
    for size in KRCG_SIZES:
        ours, krcg = seatings.time_ours(size, seed, 3), seatings.time_krcg(size, 2)
        ratio = ours.seconds / krcg.seconds
        figure = f"repeats {ours.answer} against {krcg.answer}, time {figure_of(ratio)}"
        met = ours.answer <= krcg.answer and ratio <= 0.5
        yield Row(f"tables, {size} players × 3 rounds: ours / krcg", figure, "no more repeats, time ≤ 0.5", met)
    for size in (500, 2_000):
        rounds = list(seatings.play_tables(size, 6, seatings.FOURS, seed))[1:]
        spread = max(one.spread / one.least_spread if one.least_spread else 1.0 + one.spread for one in rounds)
        yield Row(f"tables, {size:,} players, rounds 2-6: worst spread / bound", f"{spread:.3f}", *goal(spread, 1.15))


def exhaustive_row(seed: int) -> Row:
    """Every round of small events against all seatings there are."""
    tried, equal = 0, 0
    for policy in (seatings.FOURS, seatings.FIVES, replace(seatings.FOURS, balance=False)):
        for size in range(6, 13):
            for one in seatings.play_tables(size, 5, policy, seed):
                if sum(map(len, one.tables)) < size:
                    continue
                least = seatings.least_repeats(one.given, [len(table) for table in one.tables])
                tried += 1
                equal += seatings.repeats_cost(one.given, one.tables) == least
    return Row(
        "tables, 6-12 players: rounds with repeats as exhaustive search", f"{equal} of {tried}", "all", equal == tried
    )


def three_rounds_row(seed: int) -> Row:
    sizes = [*range(21, 61), 96, 150]
    policies = (seatings.FOURS, seatings.FIVES)
    repeats = {
        (size, policy.preferred): seatings.repeats_of(
            [one.tables for one in seatings.play_tables(size, 3, policy, seed)]
        )
        for size in sizes
        for policy in policies
    }
    bad = [f"{size} ({preferred}s): {count}" for (size, preferred), count in repeats.items() if count]
    figure = f"none in {len(repeats) - len(bad)} of {len(repeats)} events" + (f"; {', '.join(bad[:8])}" if bad else "")
    return Row("tables, 21-150 players × 3 rounds: repeats", figure, "none", not bad)


def play_alone(size: int, seed: int) -> dict[str, object]:
    """A whole event by ours in this process: seconds of the measured rounds, peak memory, digests, proofs."""
    event = Event(size, seed=seed)
    seconds, digests, proved = [], [], 0
    for number in range(1, rounds_of(size) + 1):
        given = event.given()
        started = time.process_time()
        paired = pair_swiss(given)
        taken = time.process_time() - started
        if number in measured_rounds(size):
            seconds.append(taken)
        digests.append(paired.digest())
        proved += paired.proved
        event.play(paired)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "peak": peak, "digests": digests, "proved": proved}


def alone(size: int, seed: int, hash_seed: int = 0) -> dict[str, list[float]]:
    """`play_alone` in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.pairing.run", "--alone", str(size), "--seed", str(seed)]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def goal(figure: float, limit: float | None, of: str = "") -> tuple[str, bool | None]:
    """The target in words and whether the figure meets it; a figure that is no number misses."""
    return ("", None) if limit is None else (f"{of}≤ {limit:g}", figure <= limit)


def figure_of(ratio: float) -> str:
    """A ratio with two significant digits."""
    return "gave up" if math.isnan(ratio) else f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def tell(text: str) -> None:
    """What is going on, on standard error."""
    print(f"… {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
