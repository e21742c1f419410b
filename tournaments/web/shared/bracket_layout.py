"""Where the matches of a bracket stand when it is drawn: boxes, headings and lines, in pixels of an SVG."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tournaments.pairing.brackets.elimination import BYE, BracketMatch, Side, Slot, Source
from tournaments.pairing.brackets.filled import FilledBracket, FilledMatch

BOX, ROW, ACROSS, ABOVE, BELOW, HEAD, EDGE = 256, 26, 28, 17, 11, 30, 2
"""A box of two rows with its number above; between columns, below a box, above a block, and around everything."""
PITCH, COLUMN = ABOVE + 2 * ROW + BELOW, BOX + ACROSS
MAX_ROWS, MAX_COLUMNS = 8, 4
"""A part has no more boxes above and no more columns beside each other: a laptop of 1280 × 800 shows it whole."""


@dataclass(frozen=True, slots=True)
class Box:
    """A match at its place: the left upper corner of its two rows."""

    match: FilledMatch
    left: int
    top: int


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a column belongs here: of the matches of one level (`BracketMatch.level`)."""

    level: str
    left: int
    base: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A bracket or one of its `parts` to be drawn; `side` is None where both brackets are in it.

    `lines` are paths from a match to the one its winner plays next.
    """

    boxes: tuple[Box, ...]
    headings: tuple[Heading, ...]
    lines: tuple[str, ...]
    width: int
    height: int
    side: Side | None = None
    part: int = 1
    parts: int = 1


Tree = Mapping[str, Sequence[str]]


def played_matches(filled: FilledBracket) -> tuple[FilledMatch, ...]:
    """The matches that are played: walkovers are left out, whoever has one stands in the next round at once."""
    return tuple(each for each in filled.matches if not each.match.walkover)


def origin_of(slot: Slot, matches: Mapping[str, BracketMatch]) -> Slot:
    """Where the one in a slot comes from once walkovers are left out: a seed, or the winner or loser of a match."""
    while slot.source is Source.WINNER and matches[slot.match].walkover:
        slot = next(each for each in matches[slot.match].slots if each != BYE)
    return slot


def draw_bracket(filled: FilledBracket) -> Drawing:
    """All of a bracket in one drawing: the winners' bracket above the losers' one, the finals to the right."""
    return _whole(_Plan.of(filled))


def draw_parts(filled: FilledBracket) -> tuple[Drawing, ...]:
    """The same in parts that fit a screen or a sheet of paper, from the first rounds to the finals."""
    plan = _Plan.of(filled)
    whole = _whole(plan)
    if whole.width <= COLUMN * MAX_COLUMNS:
        return (whole,)
    made = [part for side in (Side.WINNERS, Side.LOSERS) for part in _parts(plan, side)]
    finals = plan.on(Side.GRAND_FINAL)
    return (*made, _drawing(_finals(finals, 0, 0, 0), plan, side=Side.GRAND_FINAL)) if finals else tuple(made)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The matches to be drawn by id, and for each those of the same side whose winners come to it, from the top."""

    matches: Mapping[str, FilledMatch]
    feeders: Mapping[str, tuple[str, ...]]
    tree: Tree

    @classmethod
    def of(cls, filled: FilledBracket) -> "_Plan":
        every = {each.match.id: each.match for each in filled.matches}
        drawn = {each.match.id: each for each in played_matches(filled)}
        feeders = {key: tuple(_feeders(each.match, every)) for key, each in drawn.items()}
        same = {
            key: tuple(one for one in those if drawn[one].match.side is drawn[key].match.side)
            for key, those in feeders.items()
        }
        return cls(drawn, feeders, same)

    def on(self, side: Side) -> list[FilledMatch]:
        return [each for each in self.matches.values() if each.match.side is side]

    def last(self, side: Side) -> str:
        return self.on(side)[-1].match.id

    def rows(self, key: str) -> int:
        """How many boxes stand above each other under a match."""
        return sum(map(self.rows, self.tree[key])) or 1


def _feeders(match: BracketMatch, every: Mapping[str, BracketMatch]) -> Iterator[str]:
    for slot in match.slots:
        origin = origin_of(slot, every)
        if origin.source is Source.WINNER:
            yield origin.match


def _tops(tree: Tree, roots: Iterable[str]) -> dict[str, int]:
    """The top edge of each match under the roots: leaves one below the other, the others in the middle of theirs."""
    found: dict[str, int] = {}
    free = count(0, PITCH)

    def settle(key: str) -> int:
        tops = [settle(each) for each in tree[key]]
        found[key] = sum(tops) // len(tops) if tops else next(free)
        return found[key]

    for root in roots:
        settle(root)
    return found


def _block(plan: _Plan, roots: Iterable[str], top: int) -> list[Box]:
    """The boxes under some matches, a column for each round."""
    tops = _tops(plan.tree, roots)
    rounds = sorted({plan.matches[key].match.round for key in tops})
    return [
        Box(plan.matches[key], EDGE + COLUMN * rounds.index(plan.matches[key].match.round), top + HEAD + ABOVE + place)
        for key, place in tops.items()
    ]


def _finals(finals: Sequence[FilledMatch], column: int, one: int, other: int) -> list[Box]:
    """The grand final between the tops of the two last matches, its second match beside it."""
    top = max((one + other) // 2, HEAD + ABOVE)
    return [Box(match, EDGE + COLUMN * (column + number), top) for number, match in enumerate(finals)]


def _whole(plan: _Plan) -> Drawing:
    boxes = _block(plan, [plan.last(Side.WINNERS)], 0)
    final = boxes[-1]
    boxes += [Box(each, final.left, final.top + PITCH + ABOVE) for each in plan.on(Side.THIRD_PLACE)]
    under = _bottom(boxes) + BELOW
    losers = _block(plan, [plan.last(Side.LOSERS)], under) if plan.on(Side.LOSERS) else []
    columns = max(box.left for box in [*boxes, *losers]) // COLUMN + 1
    meeting = losers[-1].top if losers else final.top
    finals = _finals(plan.on(Side.GRAND_FINAL), columns, final.top, meeting)
    return _drawing([*boxes, *losers, *finals], plan)


def _parts(plan: _Plan, side: Side) -> list[Drawing]:
    made = [_drawing(boxes, plan) for rounds in _slices(plan, side) for boxes in _packs(plan, side, rounds)]
    return [replace(each, side=side, part=number, parts=len(made)) for number, each in enumerate(made, 1)]


def _slices(plan: _Plan, side: Side) -> list[list[int]]:
    """The rounds of a side, a few at a time; each slice begins with the last round of the one before."""
    rounds = sorted({each.match.round for each in plan.on(side)})
    step = MAX_COLUMNS - 1
    return [rounds[at : at + MAX_COLUMNS] for at in range(0, max(len(rounds) - 1, min(len(rounds), 1)), step)]


def _packs(plan: _Plan, side: Side, rounds: Sequence[int]) -> Iterator[list[Box]]:
    """The boxes of some rounds, trees below each other as long as there is room for one more."""
    inside = {each.match.id for each in plan.on(side) if each.match.round in rounds}
    part = replace(plan, tree={key: [each for each in plan.tree[key] if each in inside] for key in inside})
    fed = {each for under in part.tree.values() for each in under}
    pack: list[str] = []
    for root in sorted(inside - fed, key=list(plan.matches).index):
        if pack and sum(map(part.rows, [*pack, root])) > MAX_ROWS:
            yield _with_third(plan, _block(part, pack, 0))
            pack = []
        pack.append(root)
    yield _with_third(plan, _block(part, pack, 0))


def _with_third(plan: _Plan, boxes: list[Box]) -> list[Box]:
    final = boxes[-1]
    third = plan.on(Side.THIRD_PLACE) if final.match.match.id == plan.last(Side.WINNERS) else []
    return boxes + [Box(each, final.left, final.top + PITCH + ABOVE) for each in third]


def _drawing(boxes: Sequence[Box], plan: _Plan, *, side: Side | None = None) -> Drawing:
    places = {box.match.match.id: box for box in boxes}
    lines = [
        _line(places[feeder], box) for key, box in places.items() for feeder in plan.feeders[key] if feeder in places
    ]
    right = max(box.left for box in boxes) + BOX + EDGE
    return Drawing(tuple(boxes), tuple(_headings(boxes)), tuple(lines), right, _bottom(boxes), side)


def _headings(boxes: Sequence[Box]) -> Iterator[Heading]:
    """One for each column of a block; above the boxes themselves for matches that stand alone."""
    columns: dict[str, Box] = {}
    tops: dict[Side, int] = {}
    for box in boxes:
        match = box.match.match
        columns.setdefault(match.level, box)
        tops[match.side] = min(box.top, tops.get(match.side, box.top))
    for level, box in columns.items():
        alone = box.match.match.side in (Side.GRAND_FINAL, Side.THIRD_PLACE)
        top = box.top if alone else tops[box.match.match.side]
        yield Heading(level, box.left, top - ABOVE - 8)


def _line(one: Box, other: Box) -> str:
    """From the middle of a box's right side to the middle of the next one's left side."""
    bend = other.left - ACROSS // 2
    return f"M{one.left + BOX} {one.top + ROW}H{bend}V{other.top + ROW}H{other.left}"


def _bottom(boxes: Sequence[Box]) -> int:
    return max(box.top for box in boxes) + 2 * ROW + BELOW
