"""A game system as data: its formats, the facts of a match, its clauses and the look of its cards."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules_engine.card_texts import CardTexts
from rules_engine.cards import CardFacts
from rules_engine.catalogue import CardSchema
from rules_engine.constraints import AllowedTypes, CardList, Clause, Constraint, CopyLimit, HouseRule, cited_by
from rules_engine.decklist import Section
from rules_engine.errors import NotFound
from rules_engine.ways import Draft, Way


@dataclass(frozen=True, slots=True)
class SectionRule:
    """A part of a deck: its `key`, its `title`, and the `headings` that open it in a decklist."""

    key: Section
    title: str
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play a format for which card lists may differ, such as head-to-head."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class GameFormat:
    """A way to play a game system: the sections of a deck and the constraints it must keep.

    The first of `variants` is meant when none is named; `note` is one line for the reader; `secret_section` holds what
    opponents learn only when all decks are placed. A house format made of it may add `house_rules`.
    """

    slug: str
    name: str
    sections: tuple[SectionRule, ...]
    constraints: tuple[Constraint, ...]
    card_lists: tuple[CardList, ...]
    variants: tuple[Variant, ...] = ()
    note: str = ""
    secret_section: Section = ""
    house_rules: tuple[HouseRule, ...] = ()

    @property
    def checks_decks(self) -> bool:
        """Whether there is anything to check; without it a deck is never called legal."""
        return bool(self.constraints)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses its constraints cite, each once, in their order."""
        return tuple(dict.fromkeys(clause for rule in self.constraints for clause in cited_by(rule)))

    def get_variant(self, slug: str) -> Variant | None:
        """The variant called `slug`, the first one for ""; None without variants; NotFound `unknown_variant`."""
        if not self.variants and not slug:
            return None
        for variant in self.variants:
            if slug in ("", variant.slug):
                return variant
        raise NotFound("unknown_variant", f"{self.name} has no variant “{slug}”.", format=self.slug, variant=slug)

    def copy_limit_for(self, section: Section) -> CopyLimit | None:
        """The one constraint that limits copies in `section`."""
        return next(
            (rule for rule in self.constraints if isinstance(rule, CopyLimit) and section in rule.sections), None
        )

    def sections_for(self, card_type: str) -> tuple[Section, ...]:
        """The keys of the sections that may hold cards of `card_type`."""
        refused = {
            rule.section for rule in self.constraints if isinstance(rule, AllowedTypes) and card_type not in rule.types
        }
        return tuple(section.key for section in self.sections if section.key not in refused)


@dataclass(frozen=True, slots=True)
class Stacking:
    """Decks are put in order before every game: by `clause`, in `minutes`; placed decks reveal what `reveal` says."""

    clause: Clause
    minutes: int
    reveal: Clause


@dataclass(frozen=True, slots=True)
class Duration:
    """One game takes `least` to `most` minutes, says `clause`."""

    clause: Clause
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class First:
    """Who goes first in the first game, by `clause`: a seat drawn by lot, or the first seat, which pairing balances."""

    clause: Clause
    by_lot: bool


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """How many sit at a match, the lengths offered (best of n games), how a game is won, if decks are stacked.

    `role_labels` name the unequal sides of a game, one a seat; players swap them from game to game. How they are shared
    out in the deciding game of a best-of-n is one of `deciding_labels`. `pairs` offers exactly 2 games as well.
    `tables_of` is the table that is usual at an event of a game for several players; None where two play. `duration` is
    None where the rules say nothing about time, `first` where they do not say who begins.
    """

    seats_min: int
    seats_max: int
    best_of_choices: tuple[int, ...]
    best_of_default: int
    win_kind_labels: Mapping[str, str]
    stacking: Stacking | None = None
    role_labels: Mapping[str, str] = field(default_factory=dict)
    deciding_labels: Mapping[str, str] = field(default_factory=dict)
    pairs: bool = False
    tables_of: int | None = None
    duration: Duration | None = None
    first: First | None = None

    @property
    def win_kinds(self) -> tuple[str, ...]:
        """The keys of the ways to win, in the order they are offered."""
        return tuple(self.win_kind_labels)


@dataclass(frozen=True, slots=True)
class ShippedSet:
    """A set of cards that comes with a game's folder; `sample` marks cards of our own invention."""

    slug: str
    name: str
    sample: bool
    cards: tuple[CardFacts, ...]


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Clauses on one subject; `title` is empty for those that stand in no section."""

    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class GameSystem:
    """A game as the site knows it: formats, facts of a match, clauses to cite, and what its cards look like.

    Every format and variant is played in one of the `ways`; the first of them is what a new event starts from.
    """

    slug: str
    name: str
    summary: str
    book: str
    formats: tuple[GameFormat, ...]
    match: MatchFacts
    rules: tuple[RuleSection, ...]
    card_schema: CardSchema
    shipped: tuple[ShippedSet, ...]
    ways: tuple[Way, ...]
    drafts: tuple[Draft, ...]
    card_texts: CardTexts

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses of the game, in the order of its sections."""
        return tuple(clause for section in self.rules for clause in section.clauses)

    def find_clause(self, clause: str) -> Clause | None:
        """The clause with this id; None where the game has none."""
        return next((each for each in self.clauses if each.id == clause), None)

    def clauses_on(self, card: CardFacts) -> list[Clause]:
        """The clauses that name the card, its type, or what it is by one of its fields ("Action: yes")."""
        kinds = {each.label for each in self.card_schema.shown if card.fields.get(each.key) == "yes"}
        terms = {card.name, card.type, *kinds}
        return [clause for clause in self.clauses if not terms.isdisjoint((*clause.words, *clause.also))]

    @property
    def shipped_cards(self) -> tuple[CardFacts, ...]:
        return tuple(card for card_set in self.shipped for card in card_set.cards)

    def get_format(self, slug: str) -> GameFormat:
        """The format called `slug`; NotFound `unknown_format` otherwise."""
        for game_format in self.formats:
            if game_format.slug == slug:
                return game_format
        raise NotFound("unknown_format", f"{self.name} has no format “{slug}”.", game=self.slug, format=slug)

    def get_way(self, slug: str) -> Way:
        """The way to play called `slug`; NotFound `unknown_way` otherwise."""
        for way in self.ways:
            if way.slug == slug:
                return way
        raise NotFound("unknown_way", f"{self.name} is not played in a way “{slug}”.", game=self.slug, way=slug)

    def usual_way(self, game_format: str, variant: str = "") -> Way:
        """The first way that plays a format, and in it `variant` if that is said; NotFound as for those."""
        self.get_format(game_format).get_variant(variant)
        return next(way for way in self.ways if way.format == game_format and variant in ("", way.variant))
