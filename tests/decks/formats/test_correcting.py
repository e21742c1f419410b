"""A suggestion put into its line: the name changes, count and everything around it stay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.formats.correcting import apply_suggestion
from decks.formats.registry import EXPORTS
from rules_engine.decklist import DeckEntry, Decklist
from tests.decks.formats.material import DOOM_PILE, TROOPER

XML_NAME = "A &quot;B&quot; &amp; C"


@pytest.mark.parametrize(
    "line",
    [
        "{}", "3 {}", "3x {}", "x3 {}", "12* {}", "{} x3", "{} (3)", "- 3 {}", "SB: 2 {}", "Master Plan: {}", "3\t{}",
        "  3  {}  ", "3 {} // best", "3 {} #tag", "1 {} (unl) 117 *F*", "1 {} (Unlimited (Base Set))", "#4 2x {}",
        "\ufeff3 {}\u200b", "{}\r", "{} 3", "{} - 3", "3. {}", "(3) {}", "3,{}", "+3 {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize(("wrong", "right"), [("Glas Widow", "Glass Widow"), ("BOLTR: .74 “X”", 'BOLTER: .74 "X"')])
def test_only_the_name_changes(line, wrong, right):
    text = f"2 Ash Ledger\n{line.format(wrong)}\n3 Glas Widow"
    assert apply_suggestion(text, 2, right) == f"2 Ash Ledger\n{line.format(right)}\n3 Glas Widow"


def test_number_of_the_name_gives_way_with_it():
    assert apply_suggestion("2 CATCHH 22", 1, "CATCH 22") == "2 CATCH 22"
    assert apply_suggestion("CATCHH 22 x2", 1, "CATCH 22") == "CATCH 22 x2"


@pytest.mark.parametrize(
    ("text", "line", "corrected"),
    [
        ('<deck>\n <card number="3" name="Nme" id="x"/></deck>', 2, None),
        ("<cockatrice_deck>\n <card name='Nme'/>", 2, f'<cockatrice_deck>\n <card name="{XML_NAME}"/>'),
        ("<deck>\n<card qty='3'>Nme</card>\r\n</deck>", 2, f"<deck>\n<card qty='3'>{XML_NAME}</card>\r\n</deck>"),
        ('[{"count": 3,\n"name": "N\\"me", "set": ""}]', 2, '[{"count": 3,\n"name": "A \\"B\\" & C", "set": ""}]'),
        ("count;name\n3;Nme\n4;Nme", 2, 'count;name\n3;"A ""B"" & C"\n4;Nme'),
        ('[{"name": "Nme"}, {"name": "Nme"}]', 1, None),
        ("3 Nme", 0, None),
        ("3 Nme", 2, None),
        ("", 1, None),
        ("\n", 1, None),
        ("3 " + "x" * 400, 1, None),
    ],
)  # fmt: skip
def test_files_are_corrected_where_one_card_is_on_the_line(text, line, corrected):
    assert apply_suggestion(text, line, 'A "B" & C') == (text if corrected is None else corrected)


@pytest.mark.parametrize("key", [each.key for each in EXPORTS])
@pytest.mark.parametrize("bench", [DOOM_PILE, TROOPER])
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_suggestion_mends_its_line(bench, key, data):
    card = data.draw(st.sampled_from(sorted(card.name for card in bench.cards.values() if len(card.name) > 5)))
    deck = Decklist((DeckEntry(card, 12), DeckEntry(min(each.name for each in bench.cards.values()), 3)))
    place = data.draw(st.integers(0, len(card) - 2))
    wrong = card[:place] + "qq" + card[place:]
    other = bench.write(deck, key).replace(card, wrong)
    if "qq" not in other:
        return
    (problem,) = bench.read(other).problems
    for suggestion in problem.suggestions:
        corrected = bench.read(apply_suggestion(other, problem.line, suggestion))
        assert corrected.problems == ()
        assert sum(corrected.decklist.counts().values()) == 15


@given(st.text(), st.integers(-1, 5), st.text())
def test_whatever_is_asked_the_lines_before_stay_and_a_line_that_is_not_there_changes_nothing(text, line, name):
    lines, corrected = text.splitlines(keepends=True), apply_suggestion(text, line, name)
    assert corrected.startswith("".join(lines[: max(line - 1, 0)]))
    assert corrected == text or 1 <= line <= len(lines)
