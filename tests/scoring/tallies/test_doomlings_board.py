"""The board of a table of Doomlings, clause by clause; hands, Gene Pools and points as the tally counts them."""

from typing import Any

import pytest

from scoring.games.doomlings.tally import tally
from scoring.games.doomlings.tally.board import play
from scoring.games.doomlings.tally.board_state import facts_of
from scoring.games.doomlings.tally.cards import catastrophes, traits
from scoring.sheets.boards import Board

NAMES = ("Ada", "Ben", "Cem")
START = {"act": "start", "player": "Ada"}
END = {"act": "end"}
ROUND = [END] * 3
GROWING = "Adorable"
FIRST, SECOND, THIRD = list(catastrophes())[:3]


def after(*moves: dict[str, Any], **options: Any) -> Board:
    return play(NAMES, "Ada", options, [START, *moves])


def trait(name: str = GROWING, player: str = "Ada") -> dict[str, Any]:
    return {"act": "play", "player": player, "name": name}


def flip(name: str = "Eclipse") -> dict[str, Any]:
    return {"act": "flip", "name": name, "kind": "age"}


def zone(board: Board, label: str, name: str = "") -> int:
    return next(each.count for each in board.zones if (each.label, each.holder) == (label, name))


def age_deck(board: Board) -> list[str]:
    return next([str(note) for note in each.notes] for each in board.zones if each.label == "Ages flipped")


def clauses(board: Board) -> list[str]:
    return [mark.clause for mark in board.played[-1].marks]


def named(board: Board, act: str) -> bool:
    return any(offer.act == act for offer in board.offers)


def test_dl_setup_everybody_begins_with_five_and_the_birth_of_life_lies_open():
    board = after()
    assert [zone(board, label, "Ben") for label in ("Gene Pool", "Hand", "Points so far")] == [5, 5, 0]
    assert "The Birth of Life" in str(board.phase)
    assert board.turn == "Ada"


def test_traits_keep_their_moves_when_an_earlier_move_is_struck_out():
    told = [START, END, trait("Adorable"), trait("Nosy"), {"act": "move", "card": 4, "to": "discard"}]
    moves = [{**each, "id": place} for place, each in enumerate(told, 1)]
    boards = [play(NAMES, "Ada", {}, kept) for kept in (moves, [each for each in moves if each["id"] != 2])]
    assert [[card.name for card in board.cards] for board in boards] == [["Adorable"], ["Adorable"]]


@pytest.mark.parametrize(
    ("held", "how", "left", "away", "marked"),
    [
        (4, "none", 4, 0, []), (0, "five", 5, 0, []), (4, "three", 3, 4, []), (2, "five", 7, 0, ["DL-NO-PLAY"]),
        (4, "junk", 4, 0, []),
    ],
)  # fmt: skip
def test_dl_no_play_a_turn_is_passed_over_without_stabilizing(held, how, left, away, marked):
    board = after({"act": "hand", "player": "Ada", "count": held}, {"act": "skip", "how": how})
    assert (zone(board, "Hand", "Ada"), zone(board, "Discard pile")) == (left, away)
    assert (board.turn, clauses(board)) == ("Ben", marked)


def test_dl_no_play_stabilizing_in_a_turn_without_a_trait_is_marked_where_traits_are_written():
    assert clauses(after(END)) == []
    assert clauses(after(trait(), END)) == []
    assert clauses(after(trait(), END, END)) == ["DL-NO-PLAY"]
    assert clauses(after(trait(), END, trait(player="Cem"), END)) == ["DL-NO-PLAY"], "of another"
    assert clauses(after(trait(), *[END] * 2, {"act": "skip", "how": "none"})) == []


def test_dl_empty_a_round_is_finished_without_stabilizing():
    board = after(trait(), *[{"act": "skip", "how": "none"}] * 3)
    assert [zone(board, "Hand", name) for name in NAMES] == [4, 5, 5]
    assert (board.turn, zone(board, "Discard pile")) == ("", 0)


def test_dl_empty_the_last_catastrophe_comes_at_once_and_the_first_player_stays():
    skipped = [{"act": "skip", "how": "none"}] * 3
    board = after(*skipped, {"act": "flip", "name": THIRD, "kind": "last"})
    assert (board.ending.clause, board.parts[0], clauses(board)) == ("DL-END", {"catastrophe": THIRD}, [])
    first = [each.holder for each in board.zones if any("1st player" in str(note) for note in each.notes)]
    assert first == ["Ada"]
    assert [zone(board, label) for label in ("Catastrophes", "Ages flipped")] == [1, 2]
    assert zone(board, "Gene Pool", "Ada") == 5
    assert after(*skipped, {"act": "flip", "name": "", "kind": "last"}).parts[0] == {"catastrophe": None}
    assert clauses(after({"act": "flip", "name": "", "kind": "last"})) == ["DL-ROUND"]
    assert after(*skipped, {"act": "flip", "name": "Eclipse", "kind": "last"}).ending is None


def test_an_age_that_nobody_named_is_said_to_be_so():
    assert str(after(*ROUND, flip("")).phase) == "Age 2, not named: Ada's turn"


def test_dl_stabilize_draws_or_discards_to_the_gene_pool_at_the_end_of_a_turn():
    board = after(trait())
    assert (zone(board, "Hand", "Ada"), zone(board, "Points so far", "Ada")) == (4, traits()[GROWING].face)
    done = after(trait(), END)
    assert (zone(done, "Hand", "Ada"), done.turn) == (5, "Ben")
    more = after({"act": "hand", "player": "Ada", "count": 8}, END)
    assert (zone(more, "Hand", "Ada"), zone(more, "Discard pile")) == (5, 3)


def test_dl_age_the_next_is_due_after_everybodys_turn():
    board = after(*ROUND)
    assert "flip the next one" in str(board.phase)
    assert after(*ROUND, flip()).turn == "Ada"


def test_dl_round_a_turn_too_many_and_an_age_too_early_are_marked():
    assert clauses(after(*ROUND, trait())) == ["DL-ROUND"]
    assert clauses(after(flip())) == ["DL-ROUND"]
    assert clauses(after(*ROUND, flip())) == []


def test_dl_catastrophe_moves_the_first_player_on_and_the_third_ends_the_world():
    one = after(*ROUND, flip(FIRST))
    assert (one.turn, zone(one, "Catastrophes")) == ("Ben", 1)
    two = after(*ROUND, flip(FIRST), *ROUND, flip(SECOND))
    assert two.turn == "Cem"
    over = after(*ROUND, flip(FIRST), *ROUND, flip(SECOND), *ROUND, flip(THIRD))
    assert (over.ending.clause, over.parts[0]) == ("DL-END", {"catastrophe": THIRD})
    assert clauses(after(*ROUND, flip(FIRST), *ROUND, flip(SECOND), *ROUND, flip(THIRD), trait())) == ["DL-END"]


def test_dl_v_long_the_fourth_ends_the_world_where_that_is_agreed_on():
    moves = [*ROUND, flip(FIRST), *ROUND, flip(SECOND), *ROUND, flip(THIRD)]
    assert after(*moves, prosperous_world="4x3_fourth").ending is None


def test_dl_setup_the_board_says_the_era_and_how_many_cards_are_left_in_the_age_deck():
    assert age_deck(after()) == ["Era 1", "Left in the age deck: 12"], "the Birth of Life was on top of 12"
    assert age_deck(after(*ROUND, flip(FIRST))) == ["Era 1", "Left in the age deck: 11"], "it lies on the first pile"
    second = (*ROUND, flip(FIRST), *ROUND, flip(""))
    assert age_deck(after(*second)) == ["Era 2", "Left in the age deck: 10"], "the next age begins a new pile"
    struck = {"act": "flip", "name": "", "kind": "catastrophe"}
    assert age_deck(after(*ROUND, struck, *ROUND, flip(""), *ROUND, struck))[0] == "Era 2", "nobody named them"


@pytest.mark.parametrize(("world", "left"), [("none", 12), ("3x4", 15), ("4x3_third", 16), ("4x3_fourth", 16)])
def test_dl_v_long_the_age_deck_is_as_agreed_on_and_never_below_nothing(world, left):
    assert age_deck(after(prosperous_world=world))[1] == f"Left in the age deck: {left}"
    many = [flip(name) for name in (FIRST, "", SECOND, "", THIRD, *[""] * 20)]
    late = world == "4x3_fourth"
    assert age_deck(after(*many, prosperous_world=world)) == [f"Era {3 + late}", "Left in the age deck: 0"]


def test_dl_genes_trait_changes_whose_it_says_and_takes_it_back_when_it_leaves():
    own = next(name for name in traits() if _change(name) == ("1", "self"))
    board = after(trait(own))
    assert [zone(board, "Gene Pool", name) for name in NAMES] == [6, 5, 5]
    gone = after(trait(own), {"act": "move", "card": 2, "to": "discard"})
    assert [zone(gone, "Gene Pool", "Ada"), zone(gone, "Discard pile")] == [5, 1]
    stolen = after(trait(own), {"act": "move", "card": 2, "to": "Ben"})
    assert [zone(stolen, "Gene Pool", name) for name in NAMES] == [5, 6, 5]
    everybody = next(name for name in traits() if _change(name) == ("1", "opponents"))
    assert [zone(after(trait(everybody)), "Gene Pool", name) for name in NAMES] == [5, 6, 6]


def test_dl_genes_trait_no_effect_leaves_one_to_eight():
    own = next(name for name in traits() if _change(name) == ("1", "self"))
    board = after({"act": "gene", "player": "Ada", "count": 8}, trait(own))
    assert zone(board, "Gene Pool", "Ada") == 8
    assert after({"act": "gene", "player": "Ada", "count": 9}).played[-1].marks


def test_dl_genes_trait_spores_change_their_owners_gene_pool_when_they_are_discarded():
    spores = {"act": "move", "card": 2}
    pools = [
        zone(after(trait("Spores"), *moved), "Gene Pool", "Ada")
        for moved in ((), [{**spores, "to": "discard"}], [{**spores, "to": "hand"}], [{**spores, "to": "Ben"}])
    ]
    assert pools == [5, 6, 5, 5]
    given = after(trait("Spores"), {**spores, "to": "Ben"}, {**spores, "to": "discard"})
    assert [zone(given, "Gene Pool", name) for name in NAMES] == [5, 6, 5]


def test_dl_genes_trait_opposable_thumbs_change_what_the_first_dominant_does():
    thumbs = trait("Opposable Thumbs")
    pools = [zone(after(*played), "Gene Pool", "Ada") for played in ([thumbs], [trait("Fabled"), thumbs])]
    assert pools == [5, 7]
    opponents = after(trait("Constrictor"), thumbs)
    assert [zone(opponents, "Gene Pool", name) for name in NAMES] == [5, 3, 3]


def gene(count: int, player: str = "Ben") -> dict[str, Any]:
    return {"act": "gene", "player": player, "count": count}


def test_dl_genes_a_change_that_did_nothing_is_not_taken_back():
    less, more = (next(name for name in traits() if _change(name) == (change, "opponents")) for change in ("-1", "1"))
    away = {"act": "move", "card": 3, "to": "discard"}
    board = after(gene(1), trait(less), away)
    assert [zone(board, "Gene Pool", name) for name in NAMES] == [5, 1, 5]
    board = after(gene(8), trait(more), away)
    assert [zone(board, "Gene Pool", name) for name in NAMES] == [5, 8, 5]
    board = after(gene(1), trait(less), {**away, "to": "Cem"}, {**away, "to": "hand"})
    assert [zone(board, "Gene Pool", name) for name in NAMES] == [5, 1, 5]


def test_dl_catastrophe_whose_gene_pool_text_a_trait_ignores():
    cold = next(name for name in catastrophes() if _change(name)[0] == "-1")
    board = after(trait("Sleepy"), *ROUND, flip(cold))
    assert [zone(board, "Gene Pool", name) for name in NAMES] == [5, 4, 4]


def test_dl_dominant_stay_one_that_leaves_its_pile_is_marked():
    strong = next(name for name, each in traits().items() if each.dominant)
    for target in ("Ben", "hand", "discard"):
        board = after(trait(strong), {"act": "move", "card": 2, "to": target})
        assert clauses(board) == ["DL-DOMINANT-STAY"]
    assert clauses(after(trait(), {"act": "move", "card": 2, "to": "Ben"})) == []
    assert clauses(after({"act": "move", "card": 9, "to": "Ben"})) == [""]


def _change(name: str) -> tuple[str, str]:
    fields = facts_of(name).fields
    return str(fields.get("gene_pool_change", "")), str(fields.get("gene_pool_target", ""))


def test_dl_dominant_two_a_player_and_heroic_as_the_third_in_its_age():
    strong = [name for name, each in traits().items() if each.dominant and name != "Heroic"][:3]
    two = [trait(name) for name in strong[:2]]
    assert clauses(after(*two)) == []
    assert clauses(after(*two, trait(strong[2]))) == ["DL-DOMINANT"]
    assert clauses(after(*two, trait("Heroic"))) == ["DL-DOMINANT"]
    assert clauses(after(*two, *ROUND, flip("Birth of a Hero"), trait("Heroic"))) == []


def test_points_are_those_of_the_tally_and_what_is_asked_later_is_said():
    names = [name for name, each in traits().items() if each.face is not None and not each.dominant][:6]
    board = after(*(trait(name, NAMES[place % 3]) for place, name in enumerate(names)))
    sheet = {"players": [{"name": name, "traits": names[place::3]} for place, name in enumerate(NAMES)],
             "options": {"check_limits": False}}  # fmt: skip
    counted = {player["name"]: player["score"] for player in tally(sheet)["players"]}
    assert {name: zone(board, "Points so far", name) for name in NAMES} == counted


def test_dl_colors_of_each_trait_stand_beside_it():
    played = after(trait("Egg Clusters"), END, trait("Adorable", "Ben"))
    held = {card.name: [str(words) for look, words in card.states if look == "plain"] for card in played.cards}
    assert held == {name: sorted(traits()[name].colors) for name in ("Egg Clusters", "Adorable")}
    assert all(held.values())


def test_a_trait_that_the_catalogue_lacks_lies_in_the_pile_without_points():
    board = after(trait("Tiny Moon"))
    assert (board.cards[0].name, board.cards[0].count, zone(board, "Points so far", "Ada")) == ("Tiny Moon", None, 0)


def test_the_sheet_takes_over_piles_hands_and_gene_pools():
    board = after(trait(), END, trait("Altruistic", "Ben"))
    assert board.parts[1] == {"traits": [GROWING], "gene_pool": 5, "hand_size": 5, "sums": None}
    assert board.parts[2]["traits"] == ["Altruistic"]
    assert 0 not in board.parts


@pytest.mark.parametrize(
    "move",
    [START, {"act": "fly"}, trait(""), trait(player="Zed"), {"act": "move", "card": 9, "to": "hand"},
     {"act": "move", "card": 2, "to": "sky"}],
)  # fmt: skip
def test_what_the_cards_do_not_allow_is_marked_and_left_out(move):
    before, board = after(trait()), after(trait(), move)
    assert board.played[-1].marks
    assert (board.zones, board.cards) == (before.zones, before.cards)


def test_dl_v_short_stunted_growth_takes_no_turn_on_a_catastrophe():
    flipped = {"act": "flip", "name": "Ice Age"}
    assert str(after(flipped, stunted_growth=True).phase).startswith("Age 2 is over")
    assert str(after(flipped).phase).startswith("Age 2, Ice Age")
