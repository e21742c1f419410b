"""Reading, judging and mending decklists beside a plain dictionary-count loop over the same text, in one run.

`.venv/bin/python -m tests.benchmarks.decks [--seed 1] [--seconds 0.5]`, once ./test has installed its requirements.
One core; ratios are what to quote. `python -m tests.benchmarks.rechecks` measures stored decks on workers.
"""

import argparse
import math
import random
import time
from collections.abc import Callable
from datetime import date

from decks.formats.headings import Setting
from decks.formats.registry import read_any
from rules_engine.cards import index_cards
from rules_engine.legality import check_decklist
from rules_engine.repair import repair_decklist
from rules_engine.systems import get_system

SYSTEM = get_system("doomtrooper")
FORMAT = SYSTEM.get_format("tournament-1997")
CARDS = index_cards(SYSTEM.shipped_cards)
LISTS = FORMAT.card_lists
SETTING = Setting(FORMAT, SYSTEM.card_schema, CARDS)
TODAY = date(2026, 11, 21)
SIZES = (50, 100, 200, 400, 800, 1600)


def deck_of(lines: int, copies: int, seed: int, faults: int = 0) -> str:
    """A generated deck: so many lines of so many copies; every fault is a card over its limit or short of the size."""
    chance = random.Random(seed)
    listed = {name for each in LISTS for name in (*each.limits, *(n for v in each.by_variant.values() for n in v))}
    free = [card for key, card in CARDS.items() if key not in listed and not card.fields.get("deck_limit")]
    warriors = [card.name for card in free if card.type == "Warrior"]
    others = [card.name for card in free if card.type != "Warrior"]
    names = [*chance.sample(warriors, 5), *(chance.choice(others) for _ in range(lines - 5))]
    counts = [copies] * lines
    for index in range(faults):
        counts[index] = 6 + index % 3
    return "".join(f"{count} {name}\n" for count, name in zip(counts, names, strict=True))


def count_loop(text: str) -> bool:
    """The baseline: names into a dictionary, no name looked up, no rule but size and copies."""
    counts: dict[str, int] = {}
    for line in text.splitlines():
        number, _space, name = line.partition(" ")
        counts[name] = counts.get(name, 0) + int(number)
    return sum(counts.values()) >= 60 and max(counts.values()) <= 5


def whole(text: str) -> bool:
    """Read, judge, and mend when it is not legal."""
    decklist = read_any(text, SETTING).decklist
    report = check_decklist(decklist, FORMAT, CARDS, TODAY, LISTS)
    return bool(report.legal) or repair_decklist(decklist, FORMAT, CARDS, TODAY, LISTS) is not None


def seconds_each(work: Callable[[str], object], text: str, budget: float) -> float:
    """CPU seconds a deck: the best of several batches within the budget."""
    work(text)
    best, ends = math.inf, time.process_time() + budget
    while time.process_time() < ends:
        started = time.process_time()
        runs = 0
        while (taken := time.process_time() - started) < budget / 10:
            work(text)
            runs += 1
        best = min(best, taken / runs)
    return best


def steps(text: str, budget: float) -> list[tuple[str, float]]:
    """CPU seconds of each step alone."""
    decklist = read_any(text, SETTING).decklist
    return [
        ("read", seconds_each(lambda t: read_any(t, SETTING), text, budget)),
        ("check", seconds_each(lambda t: check_decklist(decklist, FORMAT, CARDS, TODAY, LISTS), text, budget)),
        ("repair", seconds_each(lambda t: repair_decklist(decklist, FORMAT, CARDS, TODAY, LISTS), text, budget)),
    ]


def main() -> None:
    """Print the table of ratios, and how the whole grows with the length of the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    decks = {
        "60 cards, legal": deck_of(20, 3, options.seed),
        "60 cards, 6 faults": deck_of(12, 2, options.seed, faults=6),
        "200 lines, legal": deck_of(200, 1, options.seed),
        "200 lines, 6 faults": deck_of(200, 1, options.seed, faults=6),
    }
    print("deck | decks/s a core | whole / loop | read / loop | check / loop | repair / loop")
    print("--- | --- | --- | --- | --- | ---")
    for name, text in decks.items():
        loop, total = seconds_each(count_loop, text, options.seconds), seconds_each(whole, text, options.seconds)
        parts = " | ".join(f"{taken / loop:.0f}" for _step, taken in steps(text, options.seconds))
        print(f"{name} | {1 / total:.0f} | {total / loop:.0f} | {parts}")
    taken = [seconds_each(whole, deck_of(lines, 1, options.seed, faults=6), options.seconds) for lines in SIZES]
    growth = math.log(taken[-1] / taken[0]) / math.log(SIZES[-1] / SIZES[0])
    print(f"growth of the whole with the length of the list, {SIZES[0]} to {SIZES[-1]} lines: exponent {growth:.2f}")


if __name__ == "__main__":
    main()
