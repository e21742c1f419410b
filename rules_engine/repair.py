"""The smallest change of cards that makes a decklist legal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.constraints import CardList, OneTribe, lists_in_force
from rules_engine.decklist import Decklist, Section
from rules_engine.game import GameFormat
from rules_engine.legality_report import LegalityReport
from rules_engine.plans import Plan, plan_scope
from rules_engine.scopes import Pool, Shape, Stock, scopes_of


@dataclass(frozen=True, slots=True)
class Change:
    """Put in `change` copies of `card` (take out when negative) in `section`; `card` None is any legal card."""

    card: str | None
    section: Section
    change: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a decklist: the report, and the smallest repair.

    `repair` is () for a legal deck, None when no change makes it legal or when there was nothing to check.
    """

    report: LegalityReport
    repair: tuple[Change, ...] | None


def repair_decklist(
    decklist: Decklist,
    game_format: GameFormat,
    cards: Mapping[str, CardFacts],
    on_date: date,
    card_lists: Iterable[CardList] = (),
    variant: str = "",
) -> tuple[Change, ...] | None:
    """The smallest set of changes after which `check_decklist` finds the deck legal; None when there is none.

    Each copy put in or taken out counts one. A card that had to leave one section is put into another where it fits;
    otherwise a place that any legal card may fill is open (None), and a place that needs a certain card, or one of
    certain types, names one. A legal card for a section is one the format allows there, of which the changed deck still
    may hold one more.
    """
    if not game_format.checks_decks:
        return ()
    judged_for = game_format.get_variant(variant)
    in_force = lists_in_force(card_lists, on_date, judged_for.slug if judged_for else "")
    pool = Pool(cards, in_force, _known_copies(decklist, cards))
    found = (_changes(decklist, each, pool) for each in _formats_of_tribes(game_format, cards))
    return min((changes for changes in found if changes is not None), key=_cost, default=None)


def _cost(changes: Sequence[Change]) -> tuple[int, int]:
    """Copies put in or taken out, then those put in."""
    return sum(abs(each.change) for each in changes), sum(max(0, each.change) for each in changes)


def _formats_of_tribes(game_format: GameFormat, cards: Mapping[str, CardFacts]) -> Iterator[GameFormat]:
    """The format for decks of each tribe, by name; where decks need none, the format as it is."""
    rule = next((each for each in game_format.constraints if isinstance(each, OneTribe)), None)
    if rule is None:
        yield game_format
        return
    for tribe in sorted({each for card in cards.values() for each in rule.tribes_of(card)}) or [""]:
        rules = (rule.of(tribe) if each is rule else each for each in game_format.constraints)
        yield replace(game_format, constraints=tuple(rules))


def _changes(decklist: Decklist, game_format: GameFormat, pool: Pool) -> tuple[Change, ...] | None:
    """The smallest set of changes for a format whose decks are of one tribe, or need none; None when there is none."""
    cards, plans = pool.cards, []
    for scope in scopes_of(game_format):
        plan = plan_scope(scope, pool)
        if plan is None:
            return None
        plans.append(plan)
    removals = tuple(_removals(decklist, cards, plans))
    removed = Counter[str]()
    for each in removals:
        removed[normalise_name(each.card or "")] -= each.change
    additions = [change for plan in plans for change in _additions(plan, removed)]
    return _in_order((*removals, *additions), game_format)


def _known_copies(decklist: Decklist, cards: Mapping[str, CardFacts]) -> dict[str, dict[Section, int]]:
    """Copies per section of every card the site knows, by normalised name."""
    held: dict[str, dict[Section, int]] = {}
    for entry in decklist.entries:
        key = normalise_name(entry.name)
        if key in cards:
            held.setdefault(key, {})[entry.section] = entry.count
    return held


def _removals(decklist: Decklist, cards: Mapping[str, CardFacts], plans: Sequence[Plan]) -> Iterator[Change]:
    kept = {
        (section, stock.key): copies
        for plan in plans
        for stock in plan.stocks
        for section, copies in zip(plan.scope.sections, stock.kept, strict=True)
    }
    for entry in decklist.entries:
        key = normalise_name(entry.name)
        surplus = entry.count - kept.get((entry.section, key), 0)
        if surplus:
            yield Change(cards[key].name if key in cards else entry.name, entry.section, -surplus)


def _additions(plan: Plan, removed: Counter[str]) -> Iterator[Change]:
    """The cards to put in; `removed` are the copies taken out anywhere, of which those put back elsewhere go off."""
    filling = _Filling(plan, removed)
    filling.move_cards()
    if plan.scope.tribe:
        filling.name_all()
    filling.meet_required_counts()
    filling.name_last_choices()
    for section, named in zip(plan.scope.sections, filling.named, strict=True):
        yield from (Change(name, section, copies) for name, copies in named.items())
    for index, section in enumerate(plan.scope.sections):
        if filling.open_places(index):
            yield Change(None, section, filling.open_places(index))


class _Filling:
    """Says which cards fill the places that a plan leaves open, so that the deck stays legal at every step."""

    def __init__(self, plan: Plan, removed: Counter[str]) -> None:
        self._plan, self._removed = plan, removed
        self._places = plan.additions
        self.named: list[Counter[str]] = [Counter() for _ in plan.scope.sections]

    def open_places(self, index: int) -> int:
        """Cards still to be put into a section."""
        return sum(count for (place, _), count in self._places.items() if place == index)

    def move_cards(self) -> None:
        """Let cards that had to leave another section fill the places they can."""
        for stock in self._plan.stocks:
            for index in range(len(self.named)):
                while self._removed[stock.key] > 0 and stock.room > 0 and (shape := self._place_for(stock, index)):
                    self._put(stock, index, shape)
                    self._removed[stock.key] -= 1

    def name_all(self) -> None:
        """Name a card for every place: which ones are legal depends on the tribe."""
        for (index, shape), _ in sorted(self._places.items(), key=repr):
            while self._places[index, shape]:
                self._put(self._first_choice(shape), index, shape)

    def meet_required_counts(self) -> None:
        """Name cards for required counts, unless every card with room would do: the player's own first."""
        for (index, shape), _ in sorted(self._places.items(), key=repr):
            while (
                self._places[index, shape]
                and self._plan.missing(index, shape[index])
                and any(stock.shape[index] != shape[index] for stock in self._candidates(index))
            ):
                self._put(self._first_choice(shape), index, shape)

    def name_last_choices(self) -> None:
        """Name the cards of sections that leave no choice, or where a free choice could block another place."""
        while settled := [index for index in range(len(self.named)) if self._is_settled(index)]:
            for place, shape in list(self._places):
                while place == settled[0] and self._places[place, shape]:
                    self._put(self._first_choice(shape), place, shape)

    def _is_settled(self, index: int) -> bool:
        """Whether a section with open places has one card for them, just room enough, or shares too little room."""
        candidates, places = self._candidates(index), self.open_places(index)
        room = sum(stock.room for stock in candidates)
        return places > 0 and (len(candidates) == 1 or room == places or room < sum(self._places.values()))

    def _candidates(self, index: int) -> list[Stock]:
        """The legal cards for a section."""
        return [stock for stock in self._plan.stocks if stock.shape[index] is not None and stock.room > 0]

    def _first_choice(self, shape: Shape) -> Stock:
        fitting = [stock for stock in self._plan.stocks if stock.shape == shape and stock.room > 0]
        return min(fitting, key=lambda stock: (not sum(stock.kept), stock.card.name))

    def _place_for(self, stock: Stock, index: int) -> Shape | None:
        """The shape whose place in a section `stock` may take."""
        if stock.shape[index] is None:
            return None
        shapes = [shape for (place, shape), count in self._places.items() if place == index and count]
        if stock.shape in shapes:
            return stock.shape
        if self._plan.scope.tribe:
            return None
        return next((shape for shape in shapes if self._may_take(stock, index, shape)), None)

    def _may_take(self, stock: Stock, index: int, shape: Shape) -> bool:
        """Whether a place planned for `shape` is free for `stock`, and its own shape has room beyond its places."""
        planned = sum(count for (_, other), count in self._places.items() if other == stock.shape)
        room = sum(max(0, other.room) for other in self._plan.stocks if other.shape == stock.shape)
        number = shape[index]
        of_number = sum(
            count for (place, other), count in self._places.items() if place == index and other[index] == number
        )
        free = number == stock.shape[index] or of_number > self._plan.missing(index, number)
        return free and room > planned

    def _put(self, stock: Stock, index: int, shape: Shape) -> None:
        """Put one copy of `stock` into a place planned for `shape`."""
        self._places[index, shape] -= 1
        stock.kept[index] += 1
        self.named[index][stock.card.name] += 1


def _in_order(changes: Iterable[Change], game_format: GameFormat) -> tuple[Change, ...]:
    """By section as the format has them; what goes first, then what comes, open places last."""
    order = {section.key: number for number, section in enumerate(game_format.sections)}
    return tuple(
        sorted(
            changes,
            key=lambda each: (
                order.get(each.section, len(order)),
                each.section,
                each.change > 0,
                each.card is None,
                each.card or "",
            ),
        )
    )
