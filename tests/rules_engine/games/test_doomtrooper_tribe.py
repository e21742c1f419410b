"""The tribe share of Prague 2010: decks of one affiliation, with General cards that are no Warriors beside it."""

from collections import Counter
from datetime import date

import pytest

from rules_engine.cards import index_cards, normalise_name
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.house import changes_from_data, derive_format
from rules_engine.repair import repair_decklist
from rules_engine.systems import get_system
from tests.rules_engine.games.decks import Bench, fill

SYSTEM = get_system("doomtrooper")
DAY = date(2026, 3, 1)
CARDS = index_cards(SYSTEM.shipped_cards)


def prague(base="tournament-1997"):
    """A house format as Prague played it, on one that ships."""
    game_format = SYSTEM.get_format(base)
    changes = changes_from_data({"rules": ["one-tribe"], "copies": 4}, game_format, (), ())
    return Bench(SYSTEM, derive_format(game_format, changes, "house-x", "Prague", "Prague, version 1", DAY), DAY)


def of(affiliation, kind):
    """Cards of an affiliation and a type that no list and no text of their own limits."""
    listed = [each.name for each in SYSTEM.shipped_cards if each.set_slug == "promo" or each.fields.get("deck_limit")]
    limits = SYSTEM.get_format("tournament-1997").card_lists[0].limits
    return [
        each.name
        for each in SYSTEM.shipped_cards
        if each.type == kind
        and each.fields["affiliation"] == affiliation
        and each.name not in listed
        and normalise_name(each.name) not in limits
    ]


BAUHAUS, GENERAL = of("Bauhaus", "Warrior"), of("General", "Special")


def deck(tribe, general, *extra):
    return [*fill(BAUHAUS, tribe, 4), *fill(GENERAL, general, 4), *(DeckEntry(*each) for each in extra)]


def told(report):
    return [(each.rule, str(each.message)) for each in report.violations]


@pytest.mark.parametrize(("tribe", "general", "missing"), [(20, 40, None), (19, 41, 20), (20, 41, 21), (60, 0, None)])
@pytest.mark.parametrize("base", ["tournament-1997", "milan-2025"])
def test_dt10_tribe_is_a_third_of_the_deck_rounded_up(base, tribe, general, missing):
    wanted = f"the number of cards of one Affiliation is {tribe} and must be at least {missing}."
    expected = [] if missing is None else [("DT10-TRIBE", f"Playing deck: {wanted}")]
    assert told(prague(base).judge(deck(tribe, general))) == expected


def test_dt10_tribe_takes_no_card_of_another_and_no_general_warrior():
    mishima, warrior = of("Mishima", "Warrior")[0], of("General", "Warrior")[0]
    report = prague().judge(deck(30, 28, (mishima, 1), (warrior, 1)))
    (violation,) = report.violations
    assert violation.rule == "DT10-TRIBE"
    assert {each.name for each in violation.cards} == {mishima, warrior}
    said = "Affiliation: only cards of Bauhaus and of General are allowed, and no Warrior of General."
    assert str(violation.message) == said


def test_dt10_tribe_belongs_to_a_card_of_two_affiliations_as_well():
    both = next(each.name for each in SYSTEM.shipped_cards if each.fields["affiliation"] == "Dark Legion / Bauhaus")
    assert told(prague().judge(deck(30, 29, (both, 1)))) == []


def test_dt10_tribe_side_bar_is_of_it_too_and_counts_for_no_share():
    bench, mishima = prague(), of("Mishima", "Special")
    assert told(bench.judge([*deck(20, 40), *fill(GENERAL[20:], 25, 4, "side_bar")])) == []
    report = bench.judge([*deck(20, 40), *fill(GENERAL[20:], 24, 4, "side_bar"), DeckEntry(mishima[0], 1, "side_bar")])
    assert [(each.rule, each.section) for each in report.violations] == [("DT10-TRIBE", "side_bar")]


@pytest.mark.parametrize(
    ("entries", "cost"),
    [(deck(10, 50), 15), (deck(19, 41), 2), (deck(20, 39), 1), (deck(0, 60), 30)],
)
def test_dt10_tribe_repair_is_legal_and_no_dearer_than_by_hand(entries, cost):
    """10 of 60 take 15 more, which make 25 of 75: by swaps ten would go and ten come. 20 of 61 are not a third yet."""
    bench = prague()
    repair = repair_decklist(Decklist(tuple(entries)), bench.game_format, CARDS, DAY, bench.game_format.card_lists)
    copies = Counter({(each.name, each.section): each.count for each in entries})
    copies.update({(each.card, each.section): each.change for each in repair})
    after = [DeckEntry(name, count, section) for (name, section), count in copies.items() if count > 0]
    assert told(bench.judge(after)) == []
    assert sum(abs(each.change) for each in repair) == cost


def test_control_without_the_rule_of_the_house_any_tribes_go_together():
    free = Bench(SYSTEM, SYSTEM.get_format("tournament-1997"), DAY)
    assert told(free.judge(deck(10, 49, (of("Mishima", "Warrior")[0], 1)))) == []
