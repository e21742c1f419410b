"""Where the matches of a bracket are drawn: every one once, none on top of another, lines to the next match."""

from itertools import pairwise

import pytest

from tournaments.pairing.brackets.elimination import double_elimination, single_elimination
from tournaments.pairing.brackets.filled import FilledBracket, fill_bracket
from tournaments.web.shared.bracket_layout import BOX, ROW, draw_bracket, draw_parts, played_matches
from tournaments.web.shared.bracket_words import shortened

SIZES = [2, 3, 4, 5, 6, 7, 8, 11, 16, 17, 24, 32, 33, 64, 65, 100, 128]


def single(size: int) -> FilledBracket:
    return fill_bracket(single_elimination(range(1, size + 1), third_place=True), {})


def double(size: int) -> FilledBracket:
    return fill_bracket(double_elimination(range(1, size + 1)), {})


@pytest.mark.parametrize("make", [single, double])
@pytest.mark.parametrize("size", SIZES)
def test_whole_drawing_shows_each_match_once_and_apart(make, size):
    filled = make(size)
    drawing = draw_bracket(filled)
    assert sorted(box.match.match.id for box in drawing.boxes) == sorted(
        each.match.id for each in played_matches(filled)
    )
    corners = {(box.left, box.top) for box in drawing.boxes}
    assert len(corners) == len(drawing.boxes)
    for left in {left for left, _top in corners}:
        tops = sorted(top for other, top in corners if other == left)
        assert all(under - top > 2 * ROW for top, under in pairwise(tops)), left
    assert all(
        0 <= box.left <= drawing.width - BOX and 0 < box.top <= drawing.height - 2 * ROW for box in drawing.boxes
    )
    assert all(heading.base > 0 for heading in drawing.headings)


@pytest.mark.parametrize("make", [single, double])
@pytest.mark.parametrize("size", SIZES)
def test_parts_show_every_match_and_fit_a_laptop(make, size):
    filled = make(size)
    parts = draw_parts(filled)
    shown = {box.match.match.id for part in parts for box in part.boxes}
    assert shown == {each.match.id for each in played_matches(filled)}
    assert all(part.width <= 1112 and part.height <= 700 for part in parts)
    assert [part.part for part in parts if part.side == parts[0].side] == list(range(1, parts[0].parts + 1))


@pytest.mark.parametrize("size", SIZES)
def test_every_match_but_the_first_ones_is_led_to_by_lines(size):
    drawing = draw_bracket(single(size))
    assert len(drawing.lines) == len(drawing.boxes) - 1 - (size > 3)


def test_whoever_has_a_bye_stands_in_the_next_round_at_once():
    drawing = draw_bracket(single(5))
    assert sorted(box.match.match.id for box in drawing.boxes) == ["T1-1", "W1-2", "W2-1", "W2-2", "W3-1"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Maximiliane Hohenstein", "Maximilia…"),
        ("陳大文陳大文", "陳大文陳…"),
        ("e\u0301" * 12, "e\u0301" * 9 + "…"),
    ],
)
def test_long_names_are_shortened_by_width(name, shown):
    assert shortened(name, 10) == shown
