"""The smallest repair: proved against exhaustive search on small formats, and in cases of the real games."""

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.cards import CardFacts, index_cards, normalise_name
from rules_engine.constraints import AllowedTypes, CardList, Clause, CopyLimit, RequiredCount, SectionSize, SizeRange
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.game import GameFormat, SectionRule
from rules_engine.legality import check_decklist
from rules_engine.repair import Change, repair_decklist
from rules_engine.systems import get_system, load_systems
from tests.rules_engine.toys import (
    DAY,
    Toy,
    copies_by_place,
    deck_of,
    has_legal_deck,
    legal_cards,
    nearer_legal_deck,
    toys,
)

SEARCHED = 4
proof = settings(max_examples=150, deadline=None)


def cost(repair):
    return sum(abs(change.change) for change in repair)


def changed(deck, repair):
    """The copies by place after all changes that name a card, and the sections of the open places."""
    copies = Counter(copies_by_place(deck))
    for change in repair:
        if change.card is not None:
            copies[change.section, change.card] += change.change
    assert all(count >= 0 for count in copies.values())
    return +copies, [change.section for change in repair if change.card is None for _ in range(change.change)]


def fillings(toy, copies, places):
    """Every deck that comes of filling the open `places`, in any order, each with any card that is legal by then."""
    waiting, seen = [(copies, tuple(places))], set()
    while waiting:
        filled, left = waiting.pop()
        if not left:
            yield deck_of(filled)
        for section in set(left):
            rest = list(left)
            rest.remove(section)
            names = legal_cards(toy, filled, section)
            assert names, f"no legal card is left for {section}"
            for name in names:
                step = filled + Counter({(section, name): 1}), tuple(rest)
                state = frozenset(step[0].items()), step[1]
                if state not in seen:
                    seen.add(state)
                    waiting.append(step)


@given(toys())
@proof
def test_repair_is_there_exactly_when_a_legal_deck_is(toy):
    assert (repair_decklist(toy.deck, *toy.arguments) is not None) == has_legal_deck(toy)


def assert_none_is_nearer(toy):
    repair = repair_decklist(toy.deck, *toy.arguments)
    assert (repair == ()) == bool(toy.judge(toy.deck).legal)
    assert nearer_legal_deck(toy, SEARCHED if repair is None else min(SEARCHED, cost(repair))) is None


@pytest.mark.full
@given(toys())
@proof
def test_repair_costs_as_little_as_exhaustive_search_finds(toy):
    assert_none_is_nearer(toy)


@pytest.mark.long
@given(toys())
@settings(max_examples=5000, deadline=None)
def test_repair_costs_as_little_as_long_exhaustive_search_finds(toy):
    assert_none_is_nearer(toy)


@given(toys())
@proof
def test_repaired_deck_is_legal_whatever_fills_the_open_places(toy):
    repair = repair_decklist(toy.deck, *toy.arguments)
    if repair is not None:
        assert len({(change.card, change.section) for change in repair}) == len(repair)
        assert all(toy.judge(deck).legal for deck in fillings(toy, *changed(toy.deck, repair)))


@given(toys())
@proof
def test_open_place_leaves_a_choice(toy):
    repair = repair_decklist(toy.deck, *toy.arguments) or ()
    copies, places = changed(toy.deck, repair)
    for section in places:
        assert len(legal_cards(toy, copies, section)) > 1


@given(toys(), st.randoms(use_true_random=False))
@proof
def test_order_case_and_split_lines_do_not_change_the_repair(toy, random):
    known = [entry for entry in toy.deck.entries if normalise_name(entry.name) in toy.cards]
    single = [each for each in known for _ in range(each.count)]
    random.shuffle(single)
    lines = (DeckEntry(random.choice([each.name, each.name.upper()]), 1, each.section) for each in single)
    repairs = [repair_decklist(Decklist(tuple(deck)), *toy.arguments) for deck in (lines, known)]
    assert repairs[0] == repairs[1]


DOOM_PILE, DOOMTROOPER = get_system("doom_pile"), get_system("doomtrooper")
STANDARD, TOURNAMENT = DOOM_PILE.get_format("standard"), DOOMTROOPER.get_format("tournament-1997")
(TOY,) = load_systems(Path(__file__).parent / "games")
PLAN, OTHER_PLAN = "Winter Without End", "The Last Auction"
BANNED, LIMITED_TO_1 = "Borrowed Apocalypse", "Second Sunset"
IN_FORCE = date(2026, 6, 1)


def ordinary(system, game_format, *types):
    """Names of cards that only the general limit of copies binds, by name."""
    listed = {name for card_list in game_format.card_lists for name in card_list.limits}
    return sorted(
        card.name
        for card in system.shipped_cards
        if card.type in types and normalise_name(card.name) not in listed and not card.fields.get("deck_limit")
    )


CARDS = ordinary(DOOM_PILE, STANDARD, "Plot", "Minion", "Artifice")
SPARE = CARDS[-1]
WARRIORS = ordinary(DOOMTROOPER, TOURNAMENT, "Warrior")
OTHERS = ordinary(DOOMTROOPER, TOURNAMENT, "Mission", "Special", "Art")


def mend(system, game_format, *entries, **options):
    """The repair, after a look that it does what it should: each named card put in or out, the deck then legal."""
    deck = Decklist(tuple(DeckEntry(*entry) for entry in entries))
    rules = game_format, index_cards(system.shipped_cards), IN_FORCE, game_format.card_lists, options.get("variant", "")
    repair = repair_decklist(deck, *rules)
    copies, places = changed(deck, repair)
    if not places:
        assert check_decklist(deck_of(copies), *rules).legal
    return [(change.card, change.section, change.change) for change in repair]


def in_threes(names, count, section="main"):
    """`count` cards, three of a name."""
    return [(name, min(3, count - 3 * number), section) for number, name in enumerate(names[: -(-count // 3)])]


PLAN_APART = (PLAN, 1, "master_plan")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([*in_threes(CARDS, 30), PLAN_APART], []),
        ([*in_threes(CARDS, 29), PLAN_APART], [(None, "main", 1)]),
        ([*in_threes(CARDS, 20), PLAN_APART], [(None, "main", 10)]),
        ([*in_threes(CARDS[1:], 28), (CARDS[0], 3), PLAN_APART], [(CARDS[0], "main", -1)]),
        ([*in_threes(CARDS[1:], 27), (CARDS[0], 4), PLAN_APART], [(CARDS[0], "main", -1)]),
        ([*in_threes(CARDS[1:], 26), (CARDS[0], 4), PLAN_APART], [(CARDS[0], "main", -1), (None, "main", 1)]),
        ([*in_threes(CARDS, 29), (BANNED, 1), PLAN_APART], [(BANNED, "main", -1), (None, "main", 1)]),
        ([*in_threes(CARDS, 29), (LIMITED_TO_1, 2), PLAN_APART], [(LIMITED_TO_1, "main", -1)]),
        ([*in_threes(CARDS, 29), (PLAN, 1)], [(PLAN, "main", -1), (None, "main", 1), (PLAN, "master_plan", 1)]),
        ([*in_threes(CARDS, 30), PLAN_APART, (OTHER_PLAN, 1, "master_plan")], [(OTHER_PLAN, "master_plan", -1)]),
        ([*in_threes(CARDS, 30), (PLAN, 2, "master_plan")], [(PLAN, "master_plan", -1)]),
        ([*in_threes(CARDS, 30)], [(None, "master_plan", 1)]),
        (
            [*in_threes(CARDS, 29), (SPARE, 1, "master_plan")],
            [(SPARE, "main", 1), (SPARE, "master_plan", -1), (None, "master_plan", 1)],
        ),
        ([*in_threes(CARDS, 30), PLAN_APART, (CARDS[0], 2, "attic")], [(CARDS[0], "attic", -2)]),
        (
            [*in_threes(CARDS, 29), PLAN_APART, (SPARE, 2, "attic")],
            [(SPARE, "main", 1), (SPARE, "attic", -2)],
        ),
        ([*in_threes(CARDS, 29), ("Nobody", 1), PLAN_APART], [("Nobody", "main", -1), (None, "main", 1)]),
        ([], [(None, "main", 30), (None, "master_plan", 1)]),
    ],
)
def test_doom_pile_deck_is_mended(entries, expected):
    assert mend(DOOM_PILE, STANDARD, *entries) == expected


FIVE_WARRIORS = [(WARRIORS[0], 3), (WARRIORS[1], 2)]
SIDE_BAR = in_threes(OTHERS[30:], 25, "side_bar")
OTHER, SIDE_CARD = OTHERS[0], OTHERS[30]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([*in_threes(OTHERS, 55), *FIVE_WARRIORS], []),
        ([*in_threes(OTHERS, 90), *FIVE_WARRIORS, *SIDE_BAR], []),
        ([*in_threes(OTHERS, 54), *FIVE_WARRIORS], [(None, "main", 1)]),
        ([*in_threes(OTHERS, 56), *FIVE_WARRIORS[:1], (WARRIORS[1], 1)], [(WARRIORS[0], "main", 1)]),
        ([*in_threes(OTHERS, 55), *FIVE_WARRIORS, *SIDE_BAR[:-1]], [(None, "side_bar", 1)]),
        ([*in_threes(OTHERS, 55), *FIVE_WARRIORS, (OTHERS[29], 1, "side_bar")], [(OTHERS[29], "side_bar", -1)]),
        (
            [*in_threes(OTHERS, 55), *FIVE_WARRIORS, *SIDE_BAR, (SIDE_CARD, 1, "side_bar")],
            [(SIDE_CARD, "side_bar", -1)],
        ),
        (
            [
                *in_threes(OTHERS[1:], 51),
                (OTHER, 4),
                *FIVE_WARRIORS,
                *SIDE_BAR[:-1],
                (OTHER, 2, "side_bar"),
            ],
            [(OTHER, "side_bar", -1)],
        ),
        (
            [
                *in_threes(OTHERS[1:], 52),
                (OTHER, 4),
                *FIVE_WARRIORS,
                *SIDE_BAR[:-1],
                (OTHER, 1, "side_bar"),
            ],
            [],
        ),
        (
            [*in_threes(OTHERS[1:], 52), (OTHER, 4), *FIVE_WARRIORS, *SIDE_BAR[1:], (OTHER, 3, "side_bar")],
            [(OTHER, "main", -2), (None, "main", 1)],
        ),
        (
            [*in_threes(OTHERS, 54), *FIVE_WARRIORS, *SIDE_BAR, (OTHERS[40], 1, "side_bar")],
            [(SIDE_CARD, "main", 1), (SIDE_CARD, "side_bar", -1)],
        ),
        (
            [*in_threes(OTHERS, 54), *FIVE_WARRIORS, ("SUICIDE ATTACK", 1)],
            [("SUICIDE ATTACK", "main", -1), (None, "main", 1)],
        ),
    ],
)
def test_doomtrooper_deck_is_mended(entries, expected):
    assert mend(DOOMTROOPER, TOURNAMENT, *entries) == expected


def test_repair_depends_on_the_variant():
    deck = [*in_threes(OTHERS, 54), *FIVE_WARRIORS, ("BOGGED DOWN", 1)]
    assert mend(DOOMTROOPER, TOURNAMENT, *deck, variant="multi-player") == []
    assert mend(DOOMTROOPER, TOURNAMENT, *deck) == [("BOGGED DOWN", "main", -1), (None, "main", 1)]


def test_limits_that_cards_state_are_kept():
    deck = [*in_threes(OTHERS, 40), *FIVE_WARRIORS, ("UNDEAD LEGIONNAIRE", 30), ("CLOSE CALL!", 2)]
    assert mend(DOOMTROOPER, TOURNAMENT, *deck) == [("CLOSE CALL!", "main", -1)]


DEAD = get_system("dead_or_destroyed")
SHARED = DEAD.get_format("shared-deck")
WHOLE = sorted(card.name for card in DEAD.shipped_cards)


@pytest.mark.parametrize(
    ("missing", "extra", "expected"),
    [
        ([], [], []),
        (WHOLE[:1], [], [(WHOLE[0], "main", 1)]),
        (WHOLE[:2], [], [(WHOLE[0], "main", 1), (WHOLE[1], "main", 1)]),
        (WHOLE[:1], WHOLE[5:6], [(WHOLE[5], "main", -1), (WHOLE[0], "main", 1)]),
        ([], WHOLE[5:6] * 2, [(WHOLE[5], "main", -2)]),
    ],
)
def test_deck_of_each_card_once_names_what_is_missing(missing, extra, expected):
    entries = [(name, 1) for name in [*WHOLE, *extra] if name not in missing]
    assert mend(DEAD, SHARED, *entries) == expected


RULE = Clause("ONE", "One.", "One")
BOG, CAY, DEW = (CardFacts(name, "Water") for name in ("Bog", "Cay", "Dew"))
ASH, ELM = (CardFacts(name, "Tree") for name in ("Ash", "Elm"))
TREES_ASIDE = AllowedTypes(RULE, "side", frozenset({"Tree"}))


def toy_of(rules, cards, *entries, limits=None):
    """A toy with three sections, all rules and limits of copies as given."""
    sections = tuple(SectionRule(key, key, (key,)) for key in ("main", "side", "spare"))
    card_list = CardList("list", "List", DAY, limits or {})
    game_format = GameFormat("toy", "Toy", sections, tuple(rules), (card_list,))
    return Toy(game_format, index_cards(cards), Decklist(tuple(DeckEntry(*entry) for entry in entries)), "")


def exactly(**sizes):
    return [SectionSize(RULE, section, (SizeRange(size, size),)) for section, size in sizes.items()]


def at_most(copies):
    return CopyLimit(RULE, frozenset({"main", "side", "spare"}), copies, RULE, RULE)


def test_place_that_another_one_leaves_no_choice_is_named_too():
    rules = [*exactly(main=2), TREES_ASIDE, RequiredCount(RULE, "side", frozenset({"Tree"}), 1), at_most(2)]
    toy = toy_of(rules, [ELM, BOG], ("Elm", 1))
    assert repair_decklist(toy.deck, *toy.arguments) == (Change("Bog", "main", 1), Change("Elm", "side", 1))


def test_no_choice_for_one_place_takes_the_last_card_from_another():
    toy = toy_of([*exactly(main=2, side=1), TREES_ASIDE, at_most(1)], [ASH, ELM, BOG])
    repair = repair_decklist(toy.deck, *toy.arguments)
    assert cost(repair) == 3
    assert all(toy.judge(deck).legal for deck in fillings(toy, *changed(toy.deck, repair)))


def test_card_moves_where_no_other_fits():
    toy = toy_of([*exactly(main=1, side=1), TREES_ASIDE, at_most(1)], [ASH, BOG, CAY], ("Ash", 1, "attic"))
    expected = Change(None, "main", 1), Change("Ash", "side", 1), Change("Ash", "attic", -1)
    assert repair_decklist(toy.deck, *toy.arguments) == expected


def test_each_card_gives_up_its_own_surplus():
    entries = [("Bog", 2), ("Bog", 2, "side"), ("Cay", 3), ("Cay", 3, "side")]
    toy = toy_of([at_most(5)], [BOG, CAY], *entries, limits={"bog": 2})
    repair = repair_decklist(toy.deck, *toy.arguments)
    assert toy.judge(deck_of(changed(toy.deck, repair)[0])).legal
    assert Counter({"Bog": -2, "Cay": -1}) == total_changes(repair)


def total_changes(repair):
    totals = Counter()
    for change in repair:
        totals[change.card] += change.change
    return totals


def test_surplus_over_three_sections_is_counted_card_by_card():
    entries = [("Bog", 2), ("Bog", 2, "side"), ("Bog", 1, "spare"), ("Cay", 1), ("Cay", 1, "side"), ("Cay", 2, "spare")]
    toy = toy_of([*exactly(main=3, side=2, spare=0), at_most(3)], [BOG, CAY, DEW], *entries, limits={"bog": 2})
    repair = repair_decklist(toy.deck, *toy.arguments)
    assert cost(repair) == 6
    assert all(toy.judge(deck).legal for deck in fillings(toy, *changed(toy.deck, repair)))


def test_too_few_cards_known_leaves_no_legal_deck():
    few = index_cards(card for card in DOOM_PILE.shipped_cards if card.name in CARDS[:9])
    assert repair_decklist(Decklist(), STANDARD, few, IN_FORCE) is None


def test_format_that_asks_the_impossible_leaves_no_legal_deck():
    clause = Clause("NO", "No.", "One")
    rules = SectionSize(clause, "main", (SizeRange(2, 2),)), RequiredCount(clause, "main", frozenset({"Knight"}), 3)
    impossible = GameFormat("no", "No", (SectionRule("main", "Deck", ("Deck",)),), rules, ())
    assert repair_decklist(Decklist(), impossible, index_cards(TOY.shipped_cards), IN_FORCE) is None


def test_nothing_to_check_is_nothing_to_repair():
    deck = Decklist((DeckEntry("Nobody", 3),))
    assert repair_decklist(deck, get_system("house_game").get_format("open"), {}, IN_FORCE) == ()


def test_hostile_list_is_mended_card_by_card():
    entries = [(name, 9999, section) for name in OTHERS + WARRIORS for section in ("main", "side_bar")]
    repair = mend(DOOMTROOPER, TOURNAMENT, *entries)
    assert {change for _, _, change in repair} <= set(range(-9999, -9993))
    assert len(repair) >= len(entries) - 25
