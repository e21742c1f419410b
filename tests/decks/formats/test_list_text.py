"""Card lists as text: every faulty line is named, what is written is read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.formats.list_text import MAX_LIST_LINES, read_card_list, write_card_list
from rules_engine.cards import index_cards, normalise_name
from rules_engine.systems import get_system

CARDS = index_cards(get_system("doomtrooper").shipped_cards)
NAMES = {key: card.name for key, card in CARDS.items()}
VARIANTS = ("head-to-head", "multi-player", "two-team")


def read(text, variants=VARIANTS):
    return read_card_list(text, CARDS, variants)


def test_lines_say_card_and_copies():
    text = "# from autumn on\n\nLUNA: 0\nJoker!: 1\nundead legionnaire : ANY\n[Head-to-Head, two-team] ATTRITION: 2\n"
    reading = read(text)
    assert reading.problems == ()
    assert reading.limits == {
        "": {"luna": 0, normalise_name("JOKER!"): 1, "undead legionnaire": None},
        "head-to-head": {"attrition": 2},
        "two-team": {"attrition": 2},
    }


@pytest.mark.parametrize(
    ("line", "reason", "suggestion"),
    [
        ("LUMA: 0", "No card", "LUNA"),
        ("LUNA", "colon", "LUNA"),
        ("LUNA: banned", "number of copies", None),
        ("LUNA: -1", "number of copies", None),
        ("LUNA: 100", "number of copies", None),
        ("LUNA: ²", "number of copies", None),
        ("[solo] LUNA: 0", "a variant here", None),
        ("[] LUNA: 0", "a variant here", None),
        ("x" * 301 + ": 0", "too long", None),
        ("JOKER!: 0\nJoker!: 1", "already", None),
    ],
)
def test_faulty_lines_come_back_with_number_and_reason(line, reason, suggestion):
    reading = read("// note\n" + line)
    (problem,) = reading.problems
    assert problem.line == 2 + line.count("\n")
    assert reason in str(problem.reason)
    assert suggestion is None or suggestion in problem.suggestions


def test_endless_lists_are_refused_at_once():
    assert "too long" in str(read("\n" * (MAX_LIST_LINES + 1)).problems[0].reason)
    assert "too long" in str(read("x" * 300_000).problems[0].reason)


limits = st.dictionaries(
    st.sampled_from(["", *VARIANTS]),
    st.dictionaries(st.sampled_from(sorted(CARDS)), st.one_of(st.none(), st.integers(0, 99)), min_size=1, max_size=20),
)


@given(limits)
def test_written_lists_read_back(given_limits):
    reading = read(write_card_list(given_limits, NAMES, VARIANTS))
    assert (reading.problems, reading.limits) == ((), given_limits)


@given(st.text(max_size=400))
def test_any_text_gives_limits_of_known_cards_or_problems_with_their_lines(text):
    reading = read(text)
    assert all(1 <= problem.line <= len(text.splitlines()) and str(problem.reason) for problem in reading.problems)
    assert {name for limits in reading.limits.values() for name in limits} <= set(NAMES)
