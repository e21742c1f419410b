"""Cuts from standings: the line, drop-outs, ties across it, and brackets made of them."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing.brackets.cut import Cut, Ranked, TieAtCut, cut_at_points, cut_to_top
from tournaments.pairing.brackets.elimination import single_elimination
from tournaments.pairing.brackets.filled import MatchState, fill_bracket


def standings(*lines):
    """Lines "entrant:rank:points", with a "x" at the end for a drop-out."""
    return [Ranked(*map(int, line.rstrip("x").split(":")), line.endswith("x")) for line in lines]


SIX = standings("7:1:12", "3:2:9x", "5:3:9", "9:4:6", "2:5:6", "8:6:3")


def test_drop_outs_are_replaced_by_the_next():
    assert cut_to_top(SIX, 4) == Cut((7, 5, 9, 2), (3,))


def test_drop_outs_may_leave_a_bye_instead():
    cut = cut_to_top(SIX, 4, replace=False)
    assert cut == Cut((7, None, 5, 9), (3,))
    filled = fill_bracket(single_elimination(cut.seeds), {})
    assert [each.seats for each in filled.matches[:2]] == [(7, 9), (5, None)]
    assert filled.matches[1].state is MatchState.WALKOVER


def test_points_draw_the_line_and_nobody_moves_up_from_below():
    assert cut_at_points(SIX, 9) == Cut((7, 5), (3,))
    assert cut_at_points(SIX, 9, replace=False) == Cut((7, None, 5), (3,))


def test_a_tie_across_the_line_is_told_and_the_order_of_the_lot_kept():
    tied = standings("4:1:9", "6:2:6", "1:2:6", "3:2:6x", "5:2:6", "2:6:0")
    assert cut_to_top(tied, 3) == Cut((4, 6, 1), (), TieAtCut(2, (6, 1), (5,)))
    assert cut_to_top(tied, 2) == Cut((4, 6), (), TieAtCut(2, (6,), (1, 5)))
    assert cut_to_top(tied, 4).tie is None
    assert cut_to_top(tied, 4, replace=False) == Cut((4, 6, 1, None), (3,), TieAtCut(2, (6, 1, 3), (5,)))


def test_a_short_field_qualifies_whole():
    assert cut_to_top(SIX, 8).seeds == (7, 5, 9, 2, 8)
    assert cut_to_top([], 8) == Cut((), ())


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=30), st.integers(2, 16), st.booleans())
def test_seeds_are_the_best_in_order_of_place(field, size, replace):
    points = sorted((points for points, _ in field), reverse=True)
    lines = [
        Ranked(number, points.index(mine) + 1, mine, dropped)
        for number, (mine, (_, dropped)) in enumerate(zip(points, field, strict=True))
    ]
    cut = cut_to_top(lines, size, replace=replace)
    playing = [seed for seed in cut.seeds if seed is not None]
    active = [line.entrant for line in lines if not line.dropped]
    assert playing == active[: len(playing)]
    assert len(cut.seeds) == min(size, len(active) if replace else len(lines))
    beyond = {line.rank for line in lines if not line.dropped and line.entrant not in playing}
    if replace and playing:
        assert (cut.tie is not None) == any(line.rank in beyond for line in lines if line.entrant == playing[-1])
