"""House formats: what an organiser may change, and how decks are judged by it."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rules_engine.cards import index_cards, normalise_name
from rules_engine.constraints import CopyLimit, LegalSets, RequiredCount, SizeRange, parse_size
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.errors import DomainError
from rules_engine.house import FormatChanges, changes_as_data, changes_from_data, derive_format
from rules_engine.legality import check_decklist
from rules_engine.messages import Message
from rules_engine.repair import Change, repair_decklist
from rules_engine.systems import get_system, load_systems

DAY = date(2026, 5, 1)
SOURCE = "Olive's rules, version 2, 2026-05-01"
(TOY,) = load_systems(Path(__file__).parent / "games")
DUEL = TOY.get_format("duel")
CARDS = index_cards(TOY.shipped_cards)
SETS = {card_set.slug for card_set in TOY.shipped}
EVERYTHING = FormatChanges(
    sizes={"main": (SizeRange(4, 6), SizeRange(9, None)), "side": (SizeRange(0, 0),)},
    copies=3,
    sets=frozenset({"toy", "toy-extra"}),
    limits={"bishops tale": 1, "pawn swarm": 4, "sir one": None},
    keeps_lists=False,
)


def derive(changes, base=DUEL):
    return derive_format(base, changes, "club-night", "Club night", SOURCE, DAY)


def judge(game_format, *entries, on_date=DAY, cards=CARDS):
    deck = Decklist(tuple(DeckEntry(*entry) for entry in entries))
    report = check_decklist(deck, game_format, cards, on_date, game_format.card_lists)
    return [(violation.rule, violation.source) for violation in report.violations]


KNIGHTS = (("Sir One", 2), ("Sir Two", 1))


def test_without_changes_only_the_name_is_new():
    derived = derive(FormatChanges())
    assert (derived.slug, derived.name) == ("club-night", "Club night")
    assert (derived.sections, derived.constraints, derived.card_lists) == (
        DUEL.sections,
        DUEL.constraints,
        DUEL.card_lists,
    )


@pytest.mark.parametrize(("size", "broken"), [(3, True), (4, False), (6, False), (7, True), (8, True), (9, False)])
def test_size_is_the_house_s_own(size, broken):
    derived = derive(FormatChanges(sizes={"main": EVERYTHING.sizes["main"]}))
    found = judge(derived, *KNIGHTS, ("Pawn Swarm", size - 3)) if size > 3 else judge(derived, *KNIGHTS)
    assert found == ([("HOUSE-SIZE", SOURCE)] if broken else [])


def test_sizes_of_other_sections_stay():
    derived = derive(FormatChanges(sizes={"main": (SizeRange(3, None),)}))
    assert judge(derived, *KNIGHTS, ("Pawn Swarm", 1, "side")) == [("TS-SIDE", "Toy rulebook, One")]


@pytest.mark.parametrize(("copies", "found", "broken"), [(1, 1, False), (1, 2, True), (3, 3, False), (3, 4, True)])
def test_copies_are_the_house_s_own(copies, found, broken):
    derived = derive(FormatChanges(copies=copies))
    deck = (("Sir One", 1), ("Sir Two", 1), ("Sir Three", 1), ("Bishop's Tale", found), ("Pawn Swarm", 9))
    assert judge(derived, *deck) == ([("HOUSE-COPIES", SOURCE)] if broken else [])


def test_lists_and_own_text_beat_the_house_s_copies():
    derived = derive(FormatChanges(copies=1))
    deck = (("Sir One", 1), ("Sir Two", 1), ("Sir Three", 1), ("Pawn Swarm", 5), ("Endless Page", 4))
    assert judge(derived, *deck) == []
    assert [rule for rule, _ in judge(derive(FormatChanges(copies=5)), *deck, ("Lone Star", 2))] == ["TS-CARD"]


def test_sets_are_the_house_s_own():
    deck = (("Sir One", 2), ("Sir Two", 1), ("Pawn Swarm", 9), ("Far Banner", 1))
    assert judge(derive(FormatChanges(sets=frozenset({"toy", "toy-extra"}))), *deck) == []
    assert judge(derive(FormatChanges(sets=frozenset({"toy"}))), *deck) == [("HOUSE-SETS", SOURCE)]
    assert judge(derive(FormatChanges(sets=frozenset({"toy"}))), *deck[:3]) == []


def test_house_list_adds_to_the_lists_of_the_base_and_the_strictest_wins():
    limits = {normalise_name("Pawn Swarm"): 4, normalise_name("Rook's Feint"): 2, normalise_name("Bishop's Tale"): 0}
    derived = derive(FormatChanges(limits=limits))
    deck = (*KNIGHTS, ("Pawn Swarm", 5), ("Rook's Feint", 2), ("Bishop's Tale", 1))
    assert judge(derived, *deck) == [
        ("TS-BANNED", "Club night, 2026-05-01"),
        ("TS-LIMITED", "Club night, 2026-05-01"),
        ("TS-LIMITED", "Toy list, 2021-01-01"),
    ]


def test_house_list_may_stand_alone():
    derived = derive(FormatChanges(limits={normalise_name("Pawn Swarm"): 7}, keeps_lists=False))
    assert judge(derived, *KNIGHTS, ("Pawn Swarm", 7), ("Rook's Feint", 2)) == []
    assert [each.slug for each in derived.card_lists] == ["club-night-list"]
    assert derive(FormatChanges(keeps_lists=False)).card_lists == ()


def test_house_list_counts_from_its_day_on():
    derived = derive(FormatChanges(limits={normalise_name("Pawn Swarm"): 7}))
    assert judge(derived, *KNIGHTS, ("Pawn Swarm", 8), on_date=date(2026, 4, 30)) == []
    assert judge(derived, *KNIGHTS, ("Pawn Swarm", 8)) == [("TS-LIMITED", "Club night, 2026-05-01")]


def test_house_list_brings_its_clauses_where_the_base_has_no_lists():
    doomtrooper = get_system("doomtrooper")
    base = doomtrooper.get_format("second-edition")
    first, second = (card.name for card in doomtrooper.shipped_cards[:2])
    derived = derive(FormatChanges(limits={normalise_name(first): 0, normalise_name(second): 1}), base)
    found = judge(derived, (first, 1), (second, 2), cards=index_cards(doomtrooper.shipped_cards))
    assert found[1:] == [("HOUSE-BANNED", "Club night, 2026-05-01"), ("HOUSE-LIMITED", "Club night, 2026-05-01")]


def test_base_without_copy_limit_gets_one_over_all_sections():
    loose = replace(DUEL, constraints=tuple(rule for rule in DUEL.constraints if not isinstance(rule, CopyLimit)))
    (rule,) = (r for r in derive(EVERYTHING, loose).constraints if isinstance(r, CopyLimit))
    assert (rule.copies, rule.sections) == (3, {"main", "side"})
    with pytest.raises(DomainError) as caught:
        read({"limits": {"Pawn Swarm": 1}}, loose)
    assert caught.value.details["field"] == "limits"


def test_rules_the_house_cannot_change_stay():
    kept = [rule for rule in derive(EVERYTHING).constraints if isinstance(rule, RequiredCount)]
    assert kept == [rule for rule in DUEL.constraints if isinstance(rule, RequiredCount)]
    assert sum(isinstance(rule, LegalSets) for rule in derive(EVERYTHING).constraints) == 1


def test_repair_keeps_to_the_house_format():
    derived = derive(FormatChanges(copies=1, sizes={"main": (SizeRange(3, 3),)}))
    deck = Decklist((DeckEntry("Sir One", 2), DeckEntry("Sir Two", 1)))
    repair = repair_decklist(deck, derived, CARDS, DAY, derived.card_lists)
    assert repair == (Change("Sir One", "main", -1), Change("Sir Nobody", "main", 1))


def read(data, base=DUEL):
    return changes_from_data(data, base, SETS, CARDS.keys())


@pytest.mark.parametrize("changes", [FormatChanges(), EVERYTHING])
def test_changes_survive_being_stored(changes):
    assert read(json.loads(json.dumps(changes_as_data(changes)))) == changes


def test_names_on_the_list_are_normalised():
    assert read({"limits": {"BISHOP’S TALE": 2}}).limits == {"bishops tale": 2}


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"size": {}}, "size"),
        ({"sizes": []}, "sizes"),
        ({"sizes": {"attic": ["3"]}}, "sizes"),
        ({"sizes": {"main": "30"}}, "sizes.main"),
        ({"sizes": {"main": []}}, "sizes.main"),
        ({"sizes": {"main": ["3"] * 9}}, "sizes.main"),
        ({"sizes": {"main": ["many"]}}, "sizes.main"),
        ({"sizes": {"main": [30]}}, "sizes.main"),
        ({"sizes": {"main": ["5-3"]}}, "sizes.main"),
        ({"sizes": {"main": ["1001"]}}, "sizes.main"),
        ({"sizes": {"main": ["1001+"]}}, "sizes.main"),
        ({"sizes": {"main": ["1-1001"]}}, "sizes.main"),
        ({"copies": 0}, "copies"),
        ({"copies": 100}, "copies"),
        ({"copies": True}, "copies"),
        ({"copies": "3"}, "copies"),
        ({"sets": []}, "sets"),
        ({"sets": "toy"}, "sets"),
        ({"sets": ["mars"]}, "sets"),
        ({"sets": [["toy"]]}, "sets"),
        ({"limits": ["Pawn Swarm"]}, "limits"),
        ({"limits": {"Nobody": 1}}, "limits"),
        ({"limits": {"Pawn Swarm": 1, "PAWN SWARM": 2}}, "limits"),
        ({"limits": {"Pawn Swarm": -1}}, "limits"),
        ({"limits": {"Pawn Swarm": 100}}, "limits"),
        ({"limits": {"Pawn Swarm": "any"}}, "limits"),
        ({"limits": {f"Card {number}": 1 for number in range(2001)}}, "limits"),
        ({"keeps_lists": "yes"}, "keeps_lists"),
    ],
)
def test_change_that_does_not_fit_is_refused(data, field):
    with pytest.raises(DomainError) as caught:
        read(data)
    assert (caught.value.code, caught.value.details["field"]) == ("bad_house_format", field)
    wording = caught.value.wording
    assert isinstance(wording, Message)
    assert str(wording) == caught.value.message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"sizes": {"main": ["many"]}}, "“many” is not a size such as 30, 60+ or 25-30."),
        ({"sizes": {"main": ["5-3"]}}, "“5-3” ends before it begins."),
        ({"sizes": {"main": ["1001"]}}, "A size is 1000 cards at the most."),
        ({"sizes": {"attic": ["3"]}}, "Duel has no section “attic”."),
        ({"copies": 100}, "The number of copies is between 1 and 99."),
        ({"limits": {"50 % off": 1}}, "There is no card “50 % off”."),
        ({"limits": {"Pawn Swarm": -1}}, "“Pawn Swarm”: the number of copies is between 0 and 99, or any."),
    ],
)
def test_refusals_are_sentences(data, message):
    with pytest.raises(DomainError) as caught:
        read(data)
    assert caught.value.message == message


def test_format_that_checks_nothing_cannot_be_changed():
    with pytest.raises(DomainError) as caught:
        read({}, get_system("house_game").get_format("open"))
    assert caught.value.details["field"] == "base"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("30", SizeRange(30, 30)),
        (" 60+ ", SizeRange(60, None)),
        ("25-30", SizeRange(25, 30)),
        ("25–30", SizeRange(25, 30)),
        ("0", SizeRange(0, 0)),
    ],
)
def test_sizes_are_read_as_people_write_them(text, size):
    assert parse_size(text) == size
    assert parse_size(str(size)) == size


@pytest.mark.parametrize("text", ["", "-3", "30 40", "40-30", "3,", "12345", "60++", "0, 25"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ValueError, match=r"size such as|ends before"):
        parse_size(text)
