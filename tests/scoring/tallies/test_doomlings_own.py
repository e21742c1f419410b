"""Traits that the catalogue does not have: described on the sheet, counted by face, colors and points."""

import pytest

from rules_engine.errors import DomainError
from scoring.games.doomlings.tally import questions, tally
from scoring.games.doomlings.tally.cards import catastrophes, traits
from scoring.games.doomlings.tally.own_cards import as_own, as_own_catastrophe

SLUMBERING = {"name": "Slumbering", "face": 3, "colors": ["blue"], "dominant": True}
BIG_SKY = {"name": "Big Sky", "face": 9, "colors": ["blue"]}
TINY = {"name": "Tiny Moon", "face": -2, "colors": ["red", "green"], "points": 4}


def scored(sheet: dict) -> list[tuple[int, int, int]]:
    return [(each["face_value"], each["bonus"], each["catastrophe"]) for each in tally(sheet)["players"]]


def table(ada: dict, **of_table: object) -> dict:
    return {"players": [{"name": "Ada", **ada}, {"name": "Ben", "traits": ["Antlers"]}], **of_table}


def test_own_cards_count_by_face_and_points_for_whom_they_are_listed() -> None:
    ada = {"traits": ["slumbering", "TINY MOON", "Tiny Moon"]}
    expected = [(-1, 8, 0), (3, 0, 0)]
    assert scored(table(ada, own_cards=[SLUMBERING, TINY])) == expected
    assert scored(table({**ada, "own_cards": [SLUMBERING, TINY]})) == expected
    assert scored(table({**ada, "own_cards": [TINY]}, own_cards=[SLUMBERING, {**TINY, "face": 9}])) == expected
    with pytest.raises(DomainError, match="Ben: “traits”: no card “Tiny Moon”"):
        tally({"players": [{**ada, "own_cards": [SLUMBERING, TINY]}, {"name": "Ben", "traits": ["Tiny Moon"]}]})


def test_bonuses_and_catastrophes_see_own_cards() -> None:
    blue = [{"name": f"Blue {number}", "face": 1, "colors": ["blue"]} for number in range(3)]
    quiet = {"name": "Still Pond", "face": None, "colors": []}
    names = [each["name"] for each in blue]
    eggs = ["Egg Clusters", *names, "Still Pond"]
    assert scored(table({"traits": eggs}, own_cards=[*blue, quiet]))[0] == (2, 4, 0)
    assert scored(table({"traits": ["Mindful", "Still Pond"]}, own_cards=[quiet]))[0] == (0, 2, 0)
    assert scored(table({"traits": ["Tiny Moon"]}, own_cards=[TINY], catastrophe="Ice Age"))[0] == (-2, 4, -1)


def test_own_dominants_break_the_limit_and_no_box_limits_own_cards() -> None:
    three = [{**SLUMBERING, "name": f"Ruler {number}"} for number in range(3)]
    sheet = table({"traits": [each["name"] for each in three]}, own_cards=three)
    with pytest.raises(DomainError, match="Ada: 3 dominants, limit 2"):
        tally(sheet)
    assert scored(table({"traits": ["Tiny Moon"] * 30}, own_cards=[TINY]))[0] == (-60, 120, 0)


def test_catastrophes_take_own_cards_by_color_and_leave_dominants() -> None:
    sheet = table(
        {"traits": ["Slumbering", "Big Sky"]}, own_cards=[BIG_SKY, SLUMBERING], catastrophe="Glacial Meltdown"
    )
    asked = next(each for each in questions(sheet) if each["kind"] == "cards_of_pile" and each["place"] == 1)
    assert asked["options"] == ["Big Sky"]
    with pytest.raises(DomainError, match="“Glacial Meltdown”: Ada discards 1 more of Big Sky"):
        tally(sheet)
    sheet["players"][0]["discarded_at_worlds_end"] = ["big sky"]
    assert scored(sheet)[0] == (3, 0, 0)


@pytest.mark.parametrize(
    ("own", "fault"),
    [
        ([{**TINY, "name": "Antlers"}], "own_cards: “Antlers” is in the list: use its name."),
        ([TINY, {**TINY, "name": "tiny moon"}], "“own_cards”: “tiny moon” is described twice."),
        ([{**TINY, "name": "  "}], "own_cards: A card needs a name."),
        ([{**TINY, "name": "A, b"}], "own_cards: “A, b”: no commas or semicolons in names."),
        ([{**TINY, "colors": ["pink"]}], "own_cards: “colors”: use blue, green, purple, red, not pink."),
        ([{**TINY, "face": "3"}], "own_cards: “face”: use a whole number, -999 to 999, not 3."),
        ([{**TINY, "points": 1000}], "own_cards: “points”: use a whole number, -999 to 999, not 1000."),
        ([{**TINY, "dominant": 1}], "own_cards: “dominant”: use true or false, not 1."),
        ([["Tiny"]], "own_cards: Use an object such as {…}, not a list of 1."),
        ([{**TINY, "name": f"Moon {number}"} for number in range(101)], "“own_cards”: use a list of at most 100"),
        ([{**SLUMBERING, "bonus": {"kind": "per_moon"}}], "own_cards, bonus: “kind”: use one of "),
        (
            [{**SLUMBERING, "bonus": {"kind": "per_trait", "numbers": {"amount": "2"}}}],
            "own_cards, bonus: “amount” can't be 2.",
        ),
        (
            [{**SLUMBERING, "bonus": {"kind": "per_color", "numbers": {"color": "red", "amount": True}}}],
            "own_cards, bonus: “amount” can't be true.",
        ),
        (
            [{**SLUMBERING, "bonus": {"kind": "per_color", "numbers": {"color": "red", "amount": 1, "every": 0}}}],
            "own_cards, bonus: “every” can't be 0.",
        ),
        ([{**SLUMBERING, "bonus": {"kind": "per_color", "numbers": [1]}}], "own_cards, bonus: Use an object"),
        ([{**TINY, "bonus": {"kind": "per_color", "numbers": {}}}], "own_cards: Enter “points” or a “bonus”"),
        ([{**TINY, "dominent": True}], "own_cards: “dominent” is unknown. Did you mean “dominant”?"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(own: list, fault: str) -> None:
    with pytest.raises(DomainError) as refused:
        tally(table({"traits": []}, own_cards=own))
    assert refused.value.message.startswith(fault)


def test_unknown_name_says_how_to_enter_it() -> None:
    with pytest.raises(DomainError, match="Add it to “own_cards”"):
        tally(table({"traits": ["Slumbering"]}))


def test_every_listed_card_described_by_hand_under_another_name_scores_as_it_does() -> None:
    """A card of each known kind, trait or catastrophe: its row is enough."""
    piles = [["Antlers", "Adorable", "Moon Card"], ["Kidney", "Swarm"], ["Egg Clusters"]]
    told = 0
    for trait in traits().values():
        if trait.bonus is None or trait.bonus.kind in ("per_name", "per_set", "per_other_drop_and_max_color"):
            continue
        described = {**as_own(trait), "name": "Moon Card"}
        own, listed = (
            {"players": [{"name": f"{at}", "traits": [trait.name if each == "Moon Card" and is_listed else each
                                                     for each in pile]} for at, pile in enumerate(piles)],
             "own_cards": [] if is_listed else [described], "options": {"check_limits": False}}
            for is_listed in (False, True)
        )  # fmt: skip
        assert scored(own) == scored(listed), trait.name
        told += 1
    assert told > 50
    for card in catastrophes().values():
        own = {"players": [{"name": "Ada", "traits": ["Antlers", "Adorable"], "drawn_face": 3}],
               "options": {"check_limits": False}, "catastrophe": "A Night",
               "own_catastrophe": {**as_own_catastrophe(card), "name": "A Night"}}  # fmt: skip
        assert scored(own) == scored({**own, "catastrophe": card.name}), card.name
