"""Doomtrooper's deck rules at their boundaries, in both formats and all three variants; decks are generated."""

from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.cards import CardFacts, index_cards
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.errors import DomainError, NotFound
from rules_engine.house import changes_as_data, changes_from_data, derive_format
from rules_engine.repair import repair_decklist
from rules_engine.systems import get_system
from tests.rules_engine.games.decks import Bench, breaches, fill, in_lines, rules

SYSTEM = get_system("doomtrooper")
DAY = date(2026, 3, 1)
BOOK = Bench(SYSTEM, SYSTEM.get_format("second-edition"), date(2026, 3, 1))
EVENT = Bench(SYSTEM, SYSTEM.get_format("tournament-1997"), date(2026, 3, 1))
MILAN = Bench(SYSTEM, SYSTEM.get_format("milan-2025"), date(2026, 3, 1))
(LIST,) = EVENT.game_format.card_lists
VARIANTS = ("head-to-head", "multi-player", "two-team")

WARRIORS, OTHERS = EVENT.ordinary("Warrior"), EVENT.ordinary("Special")
LEGIONNAIRE, CLOSE_CALL = "UNDEAD LEGIONNAIRE", "CLOSE CALL!"
BANNED, RESTRICTED = "ETERNAL CURSE", "GIFT OF FATE"
ONLY_HEAD_TO_HEAD = ("BOGGED DOWN", "RUTHLESS EFFICIENCY")
ALSO_TWO_TEAM = "LIMITED RESOURCES"


def playing_deck(*extra, size=60, warriors=5):
    """`extra` filled up to `size` with so many Warriors and with Specials, five of each."""
    missing = size - warriors - sum(count for _name, count in extra)
    return [*(DeckEntry(*each) for each in extra), *fill(WARRIORS, warriors, 5), *fill(OTHERS, missing, 5)]


def side_bar(*extra, size=25):
    """`extra` filled up to `size` with Specials that no deck here plays."""
    missing = size - sum(count for _name, count in extra)
    return [*(DeckEntry(*each, "side_bar") for each in extra), *fill(OTHERS[50:], missing, 5, "side_bar")]


@pytest.mark.parametrize(("size", "broken"), [(0, True), (59, True), (60, False), (61, False), (300, False)])
@pytest.mark.parametrize("bench", [BOOK, EVENT])
def test_deck_has_sixty_cards_or_more(bench, size, broken):
    report = bench.judge(playing_deck(size=size, warriors=min(size, 5)))
    sizes = [each for each in breaches(report) if each[0] == "DT-SIZE"]
    assert sizes == ([("DT-SIZE", "main", [])] if broken else [])
    assert report.counts["main"] == size
    assert report.legal is not broken


@pytest.mark.parametrize(
    ("name", "copies", "rule", "allowed"),
    [
        (OTHERS[-1], 5, "", None),
        (OTHERS[-1], 6, "DT-COPIES", 5),
        (LEGIONNAIRE, 9, "", None),
        (LEGIONNAIRE, 60, "", None),
        (CLOSE_CALL, 1, "", None),
        (CLOSE_CALL, 2, "DT-CARDRULE", 1),
        ("LEVELED FIELD", 2, "DT-CARDRULE", 1),
        ("GOLGOTHA'S MIRROR", 2, "DT-CARDRULE", 1),
        ("SPELLBOUND", 2, "DT-CARDRULE", 1),
        (BANNED, 5, "", None),
        (RESTRICTED, 5, "", None),
        (ALSO_TWO_TEAM, 6, "DT-COPIES", 5),
    ],
)
def test_rulebook_counts_five_unless_the_card_says_else(name, copies, rule, allowed):
    report = BOOK.judge(playing_deck((name, copies), warriors=0))
    assert breaches(report) == ([(rule, "main", [(name, copies, allowed)])] if rule else [])


def test_rulebook_asks_for_no_warrior_and_knows_no_side_bar_and_no_list():
    assert BOOK.judge(playing_deck(warriors=0)).legal
    assert BOOK.judge(playing_deck()).lists == ()
    assert rules(BOOK.judge(playing_deck() + side_bar())) == ["UNKNOWN-SECTION"]


@pytest.mark.parametrize("card_set", [each.slug for each in SYSTEM.shipped])
def test_dt_sets_cards_of_every_shipped_set_are_legal_by_the_rulebook(card_set):
    names = [card.name for card in SYSTEM.shipped_cards if card.set_slug == card_set]
    assert BOOK.judge([*fill(names, min(60, len(names)), 1), *fill(OTHERS, 60, 4)]).legal


def test_card_of_a_set_from_elsewhere_is_not_legal():
    stranger = CardFacts("FAR STRANGER", "Special", "armageddon")
    report = BOOK.judge(playing_deck(("Far Stranger", 2)), strangers=[stranger])
    assert breaches(report) == [("DT-SETS", "main", [("Far Stranger", 2, 0)])]


def test_card_nobody_knows_is_reported_by_name():
    assert breaches(EVENT.judge(playing_deck(("FAR STRANGER", 2)))) == [
        ("UNKNOWN-CARD", "main", [("FAR STRANGER", 2, 0)])
    ]


@pytest.mark.parametrize(("size", "broken"), [(0, False), (1, True), (24, True), (25, False), (26, True)])
def test_side_bar_is_none_or_twenty_five(size, broken):
    report = EVENT.judge(playing_deck() + side_bar(size=size))
    assert breaches(report) == ([("DT97-SIDEBAR", "side_bar", [])] if broken else [])
    assert report.counts == {"main": 60, "side_bar": size}


@pytest.mark.parametrize(("warriors", "broken"), [(0, True), (4, True), (5, False), (6, False)])
def test_playing_deck_has_five_warriors(warriors, broken):
    report = EVENT.judge(playing_deck(warriors=warriors))
    assert breaches(report) == ([("DT97-WARRIORS", "main", [])] if broken else [])


@pytest.mark.parametrize(
    ("deck", "broken"),
    [
        (playing_deck(), []),
        (playing_deck() + side_bar(), []),
        (playing_deck((BANNED, 5), (LEGIONNAIRE, 9)), []),
        (playing_deck(size=59), ["DT-SIZE"]),
        (playing_deck(warriors=4), ["DT25-WARRIORS"]),
        (playing_deck() + side_bar(size=24), ["DT25-SIDEBAR"]),
        (playing_deck((OTHERS[-1], 3)) + side_bar((OTHERS[-1], 3)), ["DT25-COPIES"]),
        (playing_deck((CLOSE_CALL, 2)), ["DT-CARDRULE"]),
    ],
)
def test_milan_2025_counts_as_1997_without_a_list(deck, broken):
    assert rules(MILAN.judge(deck)) == broken


def house(*slugs, base="tournament-1997", **changes):
    """A format of the house with such rules added, and its bench."""
    game_format = SYSTEM.get_format(base)
    data = {"rules": list(slugs), **changes}
    read = changes_from_data(data, game_format, [each.slug for each in SYSTEM.shipped], ())
    assert changes_from_data(changes_as_data(read), game_format, [each.slug for each in SYSTEM.shipped], ()) == read
    return Bench(SYSTEM, derive_format(game_format, read, "house-x", "Club", "Club, version 1", DAY), DAY)


def with_fact(field, *values, types=("Warrior", "Special")):
    return [card for card in SYSTEM.shipped_cards if card.type in types and card.fields.get(field) in values]


def test_b9_commons_only_takes_c1_to_c3_and_all_of_golgotha_and_apocalypse():
    bench = house("commons-only")
    legal = {card.name for card in SYSTEM.shipped_cards if card.fields["rarity"] in ("C1", "C2", "C3")}
    for card in SYSTEM.shipped_cards:
        broken = "DT97-COMMONS" in rules(bench.judge([DeckEntry(card.name, 1)]))
        assert broken == (card.name not in legal)
        assert not (broken and card.set_slug in ("gol", "apo"))
    assert len(legal) == 519


def test_b9_no_brotherhood_no_dark_legion_refuses_cards_of_two_affiliations_as_well():
    bench = house("no-brotherhood-no-dark-legion")
    refused = [card for card in SYSTEM.shipped_cards if "DT97-WITHOUT" in rules(bench.judge([DeckEntry(card.name, 1)]))]
    assert {card.fields["affiliation"] for card in refused} == {
        "Brotherhood", "Dark Legion", "Dark Legion / Bauhaus",
    }  # fmt: skip
    assert len(refused) == 184 + 220 + 1
    (violation,) = [each for each in bench.judge([DeckEntry(refused[0].name, 1)]).violations if "WITHOUT" in each.rule]
    assert str(violation.message) == "Affiliation: the deck may hold no card with Brotherhood, Dark Legion."


@pytest.mark.parametrize(("value", "allowed"), [("1", 30), ("2", 15), ("4", 7), ("7", 4), ("20", 1), ("30", 1)])
@pytest.mark.parametrize("base", ["second-edition", "milan-2025"])
def test_b9_value_pyramid_is_30_divided_by_the_value(value, allowed, base):
    bench = house("value-pyramid", base=base)
    own = {card.name for card in SYSTEM.shipped_cards if card.fields.get("deck_limit")}
    name = next(each.name for each in with_fact("value", value, types=["Warrior"]) if each.name not in own)
    assert "DT97-PYRAMID" not in rules(bench.judge([DeckEntry(name, allowed)]))
    report = bench.judge([DeckEntry(name, allowed + 1)])
    (violation,) = [each for each in report.violations if each.rule == "DT97-PYRAMID"]
    assert [(card.found, card.allowed) for card in violation.cards] == [(allowed + 1, allowed)]
    assert str(violation.message) == "Copies of a card: at most 30 divided by its Value, rounded down."


def test_b9_value_pyramid_leaves_other_cards_and_lists_alone():
    bench = house("value-pyramid")
    assert rules(bench.judge(playing_deck((OTHERS[-1], 6)))) == ["DT97-COPIES"]
    assert rules(bench.judge(playing_deck((BANNED, 1)))) == ["DT97-BANNED"]
    unvalued = next(each.name for each in with_fact("value", "?", types=["Warrior"]))
    assert "DT97-COPIES" in rules(bench.judge([DeckEntry(unvalued, 6)]))


def test_b9_repair_by_rules_of_the_house_is_legal():
    bench = house("commons-only", "no-brotherhood-no-dark-legion", "value-pyramid")
    report = bench.judge(playing_deck(warriors=5))
    assert report.legal is False
    cards = index_cards(SYSTEM.shipped_cards)
    deck = Decklist(tuple(playing_deck(warriors=5)))
    repair = repair_decklist(deck, bench.game_format, cards, DAY, bench.game_format.card_lists)
    copies = Counter({(each.name, each.section): each.count for each in deck.entries})
    copies.update({(each.card, each.section): each.change for each in repair if each.card})
    left = [DeckEntry(name, count, section) for (name, section), count in copies.items() if count > 0]
    after = bench.judge(left)
    assert set(rules(after)) <= {"DT-SIZE"}
    assert sum(each.change for each in repair if not each.card) == max(0, 60 - after.counts["main"])


@pytest.mark.parametrize("rules_given", [["nothing"], "commons-only", [1], None])
def test_b9_rule_of_the_house_that_the_game_has_not_is_refused(rules_given):
    with pytest.raises(DomainError) as caught:
        changes_from_data({"rules": rules_given}, SYSTEM.get_format("second-edition"), (), ())
    assert caught.value.details["field"] == "rules"


def test_warriors_of_the_side_bar_do_not_count_and_beasts_are_none():
    beasts = [(card.name, 1) for card in SYSTEM.shipped_cards if card.type == "Beast"]
    report = EVENT.judge(playing_deck(*beasts, warriors=4) + side_bar((WARRIORS[9], 5)))
    assert rules(report) == ["DT97-WARRIORS"]


@pytest.mark.parametrize(
    ("name", "main", "side", "variant", "rule", "allowed"),
    [
        (OTHERS[-1], 5, 0, "head-to-head", "", None),
        (OTHERS[-1], 3, 2, "head-to-head", "", None),
        (OTHERS[-1], 3, 3, "head-to-head", "DT97-COPIES", 5),
        (OTHERS[-1], 5, 1, "two-team", "DT97-COPIES", 5),
        (OTHERS[-1], 0, 6, "multi-player", "DT97-COPIES", 5),
        (OTHERS[-1], 6, 0, "multi-player", "DT97-COPIES", 5),
        (RESTRICTED, 1, 0, "head-to-head", "", None),
        (RESTRICTED, 0, 1, "head-to-head", "", None),
        (RESTRICTED, 1, 1, "head-to-head", "DT97-RESTRICTED", 1),
        (RESTRICTED, 2, 0, "two-team", "DT97-RESTRICTED", 1),
        (RESTRICTED, 0, 6, "multi-player", "DT97-RESTRICTED", 1),
        (BANNED, 1, 0, "multi-player", "DT97-BANNED", 0),
        (BANNED, 0, 1, "two-team", "DT97-BANNED", 0),
        (BANNED, 6, 0, "head-to-head", "DT97-BANNED", 0),
        ("HUNTER - SPECIAL FORCES BADASS", 1, 0, "head-to-head", "DT97-BANNED", 0),
        ("Golgotha - The Warrior Princess", 1, 0, "head-to-head", "DT97-BANNED", 0),
        (LEGIONNAIRE, 9, 0, "head-to-head", "", None),
        (LEGIONNAIRE, 9, 25, "head-to-head", "", None),
        (CLOSE_CALL, 1, 0, "head-to-head", "", None),
        (CLOSE_CALL, 2, 0, "head-to-head", "DT97-OWNTEXT", 1),
        (CLOSE_CALL, 1, 1, "two-team", "DT97-OWNTEXT", 1),
        ("SPELLBOUND", 1, 0, "head-to-head", "DT97-BANNED", 0),
        ("LESSER DOMINATION", 5, 0, "head-to-head", "", None),
    ],
)
def test_copies_are_counted_over_deck_and_side_bar(name, main, side, variant, rule, allowed):
    deck = playing_deck(*([(name, main)] if main else []))
    aside = side_bar(*([(name, side)] if side else [])) if side else []
    report = EVENT.judge(deck + aside, variant)
    section = "" if main and side else "main" if main else "side_bar"
    assert breaches(report) == ([(rule, section, [(name, main + side, allowed)])] if rule else [])
    assert report.variant == variant
    listed = rule in ("DT97-BANNED", "DT97-RESTRICTED")
    sources = {each.source for each in report.violations}
    assert sources <= {LIST.source if listed else "Doomtrooper tournament rules, 1997, Collection Construction"}


def test_c3_copies_over_deck_and_side_bar_are_not_said_to_be_in_the_deck():
    name = OTHERS[-1]
    (violation,) = EVENT.judge(playing_deck((name, 5)) + side_bar((name, 1)), "two-team").violations
    said = "No card may be more often than 5 times in these together: Playing deck, Side Bar."
    assert (violation.rule, str(violation.message)) == ("DT97-COPIES", said)
    (violation,) = BOOK.judge(playing_deck((name, 6))).violations
    assert str(violation.message) == "No card may be in the deck more often than 5 times."


@pytest.mark.parametrize(
    ("name", "banned_in"),
    [
        *((name, ("head-to-head",)) for name in ONLY_HEAD_TO_HEAD),
        (ALSO_TWO_TEAM, ("head-to-head", "two-team")),
        (BANNED, VARIANTS),
        (RESTRICTED, ()),
    ],
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_card_may_be_banned_in_one_variant_and_restricted_in_another(name, banned_in, variant):
    one, two = EVENT.judge(playing_deck((name, 1)), variant), EVENT.judge(playing_deck((name, 2)), variant)
    if variant in banned_in:
        assert breaches(one) == [("DT97-BANNED", "main", [(name, 1, 0)])]
        assert breaches(two) == [("DT97-BANNED", "main", [(name, 2, 0)])]
    else:
        assert one.legal
        assert breaches(two) == [("DT97-RESTRICTED", "main", [(name, 2, 1)])]


def test_head_to_head_is_meant_when_no_variant_is_named_and_others_are_not_found():
    deck = playing_deck((ONLY_HEAD_TO_HEAD[0], 1))
    assert EVENT.judge(deck) == EVENT.judge(deck, "head-to-head")
    with pytest.raises(NotFound, match="three-team"):
        EVENT.judge(deck, "three-team")


@pytest.mark.parametrize(("day", "in_force"), [(date(1997, 4, 27), False), (date(1997, 4, 28), True)])
def test_list_counts_from_its_day_on(day, in_force):
    report = EVENT.judge(playing_deck((BANNED, 1), (RESTRICTED, 2)), day=day)
    assert rules(report) == (["DT97-BANNED", "DT97-RESTRICTED"] if in_force else [])
    assert report.lists == (("1997 tournament list, 1997-04-28",) if in_force else ())


def five_faults():
    deck = playing_deck((BANNED, 1), (RESTRICTED, 2), (CLOSE_CALL, 2), (OTHERS[-1], 4), warriors=4, size=60)
    return deck + side_bar((OTHERS[-1], 2), size=25)


def test_five_faults_give_five_violations():
    assert breaches(EVENT.judge(five_faults())) == [
        ("DT97-WARRIORS", "main", []),
        ("DT97-COPIES", "", [(OTHERS[-1], 6, 5)]),
        ("DT97-BANNED", "main", [(BANNED, 1, 0)]),
        ("DT97-RESTRICTED", "main", [(RESTRICTED, 2, 1)]),
        ("DT97-OWNTEXT", "main", [(CLOSE_CALL, 2, 1)]),
    ]


@given(st.randoms(use_true_random=False))
def test_order_case_and_split_lines_change_nothing(random):
    lines = in_lines(five_faults())
    random.shuffle(lines)
    whole, split = EVENT.judge(five_faults()), EVENT.judge(lines)
    assert rules(split) == rules(whole)
    assert split.counts == whole.counts
    assert [[(card.found, card.allowed) for card in each.cards] for each in split.violations] == [
        [(card.found, card.allowed) for card in each.cards] for each in whole.violations
    ]


def test_catalogue_holds_every_card_of_every_set():
    sets = {each.slug: len(each.cards) for each in SYSTEM.shipped}
    assert sets == {"unl": 341, "inq": 175, "wz": 131, "mort": 122, "gol": 80, "apo": 80, "pl": 124, "promo": 20}
    types = Counter(card.type for card in SYSTEM.shipped_cards)
    assert (len(SYSTEM.shipped_cards), types["Warrior"], types["Special"], types["Alliance"]) == (1073, 254, 380, 7)
    assert sum(card.type == "Warrior" and card.fields["personality"] == "yes" for card in SYSTEM.shipped_cards) == 79
    own = {card.name: card.fields["deck_limit"] for card in SYSTEM.shipped_cards if "deck_limit" in card.fields}
    ones = dict.fromkeys(("CLOSE CALL!", "GOLGOTHA'S MIRROR", "LEVELED FIELD", "SPELLBOUND"), "1")
    assert own == {"UNDEAD LEGIONNAIRE": "any", **ones}


@pytest.mark.parametrize(
    ("variant", "banned", "restricted"), [("multi-player", 27, 45), ("head-to-head", 30, 42), ("two-team", 28, 44)]
)
def test_list_bans_and_restricts_so_many_cards(variant, banned, restricted):
    counts = Counter(LIST.in_variant(variant).limits.values())
    assert counts == {0: banned, 1: restricted}


def test_all_promotion_cards_are_banned_and_no_card_of_paradise_lost_is_listed():
    limits = {card.name: LIST.limits.get(card.name.casefold()) for card in SYSTEM.shipped_cards}
    promo, paradise = (next(each for each in SYSTEM.shipped if each.slug == slug) for slug in ("promo", "pl"))
    assert len(promo.cards) == 20
    assert all(EVENT.judge(playing_deck((card.name, 1))).legal is False for card in promo.cards)
    assert {limits[card.name] for card in paradise.cards} == {None}
