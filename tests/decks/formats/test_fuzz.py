"""Any text, through every reader: no error, no lost line; time linear in size; little memory."""

import random
import subprocess
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.formats.headings import Setting
from decks.formats.limits import MAX_BYTES, MAX_LINE_LENGTH, MAX_LINES
from decks.formats.reading import LINES_WITH_SUGGESTIONS, LineKind
from decks.formats.registry import EXPORTS, READERS, TITLES
from rules_engine.decklist import DeckEntry, Decklist
from tests.decks.formats.material import DOOM_PILE, HOSTILE_NAMES, TROOPER, line_count

KEYS = [each.key for each in EXPORTS]
BENCHES = (DOOM_PILE, TROOPER)
PIECES = (
    *(
        "3",
        "x",
        "0",
        "999",
        " ",
        "\n",
        "\r",
        "\t",
        ":",
        "(",
        ")",
        "[",
        "]",
        "//",
        "#",
        "’",
        "\ufeff",
        "\x00",
        "*",
        "-",
        "--",
    ),
    *(
        "Deck",
        "Sideboard",
        "SB: ",
        "About\n",
        "Name ",
        "Expansions: ",
        "Warriors",
        "Master Plan",
        "INFANTRY",
        "Ash Ledger",
    ),
    *("count,name\n", '"', ",", ";", "{", "}", '"name":', '"count":', '"sections":', "\\", "\\u0000", "null", "1e999"),
    *(
        "<deck>",
        "</deck>",
        "<card ",
        "<cockatrice_deck>",
        "<zone name='side'>",
        "<?xml ",
        "<!DOCTYPE ",
        "]]>",
        "&lol;",
        "<",
    ),
    *("\ud800", "\u2028", "\x1c", "\x85", "𝟛", "²", "٣", "Ⅷ", "\u0301", "\u202e", "ﷺ"),
)


def assert_reads_soundly(bench, text, hint=""):
    """Read and look at what must hold for any text."""
    reading = bench.read(text, hint)
    assert reading.format in TITLES or (not reading.format and not reading.entries)
    kinds = reading.lines
    if reading.format:
        assert len(kinds) == line_count(reading, text)
    for problem in reading.problems:
        assert problem.line == 1 or kinds[problem.line - 1] is LineKind.PROBLEM
        assert len(problem.text) <= MAX_LINE_LENGTH
        assert len(problem.suggestions) <= 3
        assert str(problem.reason)
    assert all(1 <= notice.line <= len(kinds) and str(notice.message) for notice in reading.notices)
    assert (LineKind.PROBLEM in kinds) <= bool(reading.problems)
    assert (LineKind.CARD in kinds) <= bool(reading.entries)
    assert {entry.section for entry in reading.entries} <= set(bench.sections)
    return reading


def corpus():
    """Lists as our writers write them, one of each format for each game."""
    texts = []
    for bench in BENCHES:
        cards = [card.name for card in bench.cards.values()][::7][:12]
        entries = [DeckEntry(name, place + 1, bench.sections[place % 2]) for place, name in enumerate(cards)]
        texts += [bench.write(Decklist(tuple(entries)), key, "My deck") for key in KEYS]
    return texts


def mutate(text, others, chance):
    """The text with a few slices cut, doubled, moved, replaced, or grown from another list."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randint(0, len(text))
        stop = min(len(text), start + int(chance.expovariate(0.1)))
        other = chance.choice(others)
        place = chance.randint(0, len(other))
        grown = chance.choice(
            (
                "",
                text[start:stop] * chance.randint(2, 40),
                chance.choice(PIECES) * chance.choice((1, 1, 2, 50)),
                chance.choice(HOSTILE_NAMES),
                chr(chance.randrange(0x11000)),
                other[place : place + chance.randint(1, 200)],
                text[start:stop].swapcase(),
                text[start:stop][::-1],
            )
        )
        text = text[:start] + grown + text[stop:]
    return text[:20_000]


def check_mutations(number, seed):
    chance = random.Random(seed)
    texts = corpus()
    for _ in range(number):
        text = mutate(chance.choice(texts), texts, chance)
        assert_reads_soundly(chance.choice(BENCHES), text, chance.choice(("", "", *KEYS, "a.cod", "b.csv")))


@pytest.mark.parametrize("part", range(4))
def test_mutated_lists_are_read(seed, part):
    check_mutations(500, seed + part)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_mutated_lists_are_read_at_length(seed, part):
    check_mutations(4_500, seed + 1000 + part)


TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(st.sampled_from(PIECES + HOSTILE_NAMES), max_size=60).map("".join),
    st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 300)), max_size=5).map(
        lambda each: "".join(piece * times for piece, times in each)
    ),
)
QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


@settings(max_examples=600, **QUIET)
@given(TEXTS, st.sampled_from(["", *KEYS]), st.sampled_from(BENCHES))
def test_any_text_is_read(text, hint, bench):
    assert_reads_soundly(bench, text, hint)


@pytest.mark.long
@settings(max_examples=10_000, **QUIET)
@given(TEXTS, st.sampled_from(["", *KEYS]), st.sampled_from(BENCHES))
def test_any_text_is_read_at_length(text, hint, bench):
    assert_reads_soundly(bench, text, hint)


@pytest.mark.parametrize("key", READERS)
@settings(max_examples=150, **QUIET)
@given(TEXTS)
def test_no_reader_fails_on_text_of_another_kind(key, text):
    reading = READERS[key](text, Setting(TROOPER.game_format, TROOPER.schema, TROOPER.cards, TROOPER.sets))
    assert all(problem.line >= 1 and str(problem.reason) for problem in reading.problems)
    assert all(entry.section in TROOPER.sections for entry in reading.entries)


def with_typo(name):
    return name[: len(name) // 2] + "q" + name[len(name) // 2 :]


NEAR_MISSES = [f"1 {with_typo(card.name)}" for card in TROOPER.cards.values()]
ADVERSARIAL = {
    "digits": ["9" * 120],
    "counts": ["1 x " * 30],
    "crosses": ["x " * 60],
    "opening": [" (" * 60],
    "nested": ["- 3 x " + " (a" * 15 + " //" + " (b)" * 10 + " # (c) x3"],
    "closed": ["1 a" + " (b)" * 29],
    "colons": ["a: " * 40],
    "comments": ["1 a" + " // #" * 23],
    "frames": ["==" * 30 + "a" + "-=" * 29],
    "spaces": ["1" + "\u2003\t\x0b" * 39 + "a"],
    "near misses": NEAR_MISSES,
    "sets": [f"1 INFANTRY (set {number})" for number in range(2000)],
    "table": ["count,name", *(f'{number % 9},"{with_typo("INFANTRY")}"' for number in range(2000))],
    "quotes": ["count,name", '1,"' + '""' * 55],
    "zones": ['<deck><section name="Main">', *(f'<card qty="1">{line[2:10]}x</card>' for line in NEAR_MISSES)],
    "attributes": ["<deck>", *("<section " + " ".join(f"a{n}='b'" for n in range(8)) + "/>" for _ in range(9))],
    "json": ["[", *(f'{{"name":"INFANTR {number}","count":1}},' for number in range(3000))],
    "brackets": ["[" * 110],
    "escapes": ['["' + "\\n" * 50],
}


def repeated(lines, number):
    head, body = (lines[:1], lines[1:]) if len(lines) > 1 else ([], lines)
    return "\n".join(head + [body[place % len(body)] for place in range(number)])


def cpu_seconds(text):
    def once():
        started = time.process_time()
        TROOPER.read(text)
        return time.process_time() - started

    return min(once() for _ in range(3))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", ADVERSARIAL)
def test_time_grows_with_the_size_only(kind):
    sizes = [250, 500, 1000, 2000]
    seconds = [cpu_seconds(repeated(ADVERSARIAL[kind], size)) for size in sizes]
    for smaller, larger in pairwise(seconds):
        assert larger < 3.5 * smaller + 0.06
    assert seconds[-1] < 3


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", ADVERSARIAL)
def test_time_grows_with_the_length_of_one_line_only(kind):
    line = "".join(ADVERSARIAL[kind][:2000])
    seconds = [cpu_seconds((line * (size // len(line) + 1))[:size]) for size in (32_000, 64_000, 128_000, 256_000)]
    for smaller, larger in pairwise(seconds):
        assert larger < 3.5 * smaller + 0.06
    assert seconds[-1] < 3


def test_suggestions_are_sought_for_the_first_lines_only():
    reading = TROOPER.read(repeated(NEAR_MISSES, MAX_LINES - 1))
    assert len(reading.problems) == MAX_LINES
    with_suggestions = [problem.line for problem in reading.problems if problem.suggestions]
    assert 0 < len(with_suggestions) <= LINES_WITH_SUGGESTIONS
    assert max(with_suggestions) <= LINES_WITH_SUGGESTIONS + 1


MEMORY = """
import resource, sys
from rules_engine.cards import index_cards
from rules_engine.systems import get_system
from decks.formats.headings import Setting
from decks.formats.registry import read_any

game = get_system("doomtrooper")
cards = index_cards(game.shipped_cards)
sets = {each.slug: each.name for each in game.shipped}
setting = Setting(game.get_format("tournament-1997"), game.card_schema, cards, sets)
read = lambda text: read_any(text, setting)
read("1 INFANTRI\\n<deck/>")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read(sys.stdin.buffer.read().decode())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("kind", ["nested", "near misses", "zones", "json", "table", "sets", "newlines"])
def test_peak_memory_grows_by_less_than_50_mebibytes(kind):
    text = "\n" * MAX_BYTES if kind == "newlines" else repeated(ADVERSARIAL[kind], MAX_LINES)[:MAX_BYTES]
    done = subprocess.run([sys.executable, "-c", MEMORY], input=text.encode(), capture_output=True, check=True)
    assert int(done.stdout) < 50 * 1024
