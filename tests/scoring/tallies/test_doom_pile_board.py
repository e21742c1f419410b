"""The board of a game of Doom Pile, clause by clause; no card is ever lost, whatever is moved."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.doom_pile.tally.board import play
from scoring.games.doom_pile.tally.board_state import DECK, PILES
from scoring.sheets.boards import Board, MoveField

NAMES = ("Ada", "Ben")
START = {"act": "start", "player": "Ada"}
END = {"act": "end"}


def after(*moves: dict[str, Any], names: tuple[str, ...] = NAMES) -> Board:
    return play(names, names[0], {}, [START, *moves])


def played(name="Cold Tea", start=2, player="Ada", **facts: Any) -> dict[str, Any]:
    return {"act": "play", "player": player, "name": name, "start": start, "from": "hand", **facts}


def on(act: str, card: int, **fields: Any) -> dict[str, Any]:
    return {"act": act, "card": card, **fields}


MINION = {"kind": "Minion", "strength": 2, "health": 3}
ARTIFICE = {"kind": "Artifice", "health": 4}


def piles(board: Board, name: str = "Ada") -> dict[str, int]:
    keys = {label: key for key, label in PILES.items()}
    return {keys[zone.label]: zone.count for zone in board.zones if zone.holder == name and zone.label in keys}


def counts(board: Board) -> dict[str, int | None]:
    return {card.name: card.count for card in board.cards}


def clauses(board: Board) -> list[str]:
    return [mark.clause for mark in board.played[-1].marks]


def offers(board: Board, card: int = 0) -> list[str]:
    return [offer.act for offer in board.offers if offer.card == card]


def field(*cards: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Cards of the player at turn brought to the field; their ids are 2, 4, 6 …"""
    moves: list[dict[str, Any]] = []
    for name, facts in cards:
        moves += [played(name, 0, **facts), on("resolve", len(moves) + 2)]
    return moves


def test_dp_first_everybody_begins_with_five_of_thirty_cards():
    board = after()
    assert [piles(board, name) for name in NAMES] == [{"deck": 25, "hand": 5, "discard": 0}] * 2
    assert board.turn == "Ada"
    assert offers(play(NAMES, "Ben", {}, [])) == ["start"]
    assert play(NAMES, "Ben", {}, []).offers[0].fields[0].usual == "Ben"


def test_dp_turn_draw_one_card_a_turn_but_in_the_first():
    assert piles(after(END), "Ben") == {"deck": 25, "hand": 5, "discard": 0}
    assert piles(after(END, END)) == {"deck": 24, "hand": 6, "discard": 0}


def test_dp_turn_start_only_the_own_cards_count_down_and_the_card_is_drawn_after_they_resolved():
    board = after(played(start=1), END, played("Slow Ship", 3, "Ben"), END)
    assert counts(board) == {"Cold Tea": 0, "Slow Ship": 3}
    assert piles(board)["deck"] == 25, "the card of the turn waits for what is ready"
    assert "resolve" in str(board.phase)
    done = after(played(start=1), END, played("Slow Ship", 3, "Ben"), END, on("resolve", 2, kind="Plot"))
    assert piles(done) == {"deck": 24, "hand": 5, "discard": 1}
    assert counts(done) == {"Slow Ship": 3}


def test_dp_zero_what_is_played_at_nothing_or_falls_to_it_resolves_at_once():
    board = after(played(start=0))
    assert board.cards[0].is_due
    assert "resolve" in offers(board, 2)
    fallen = after(played(start=1), on("less", 2), played("Other"))
    assert clauses(fallen) == ["DP-ZERO"]


def test_dp_zero_what_a_card_that_resolves_does_is_no_fault_while_another_waits():
    waiting = [played(start=0), played("Other", 0), on("resolve", 2, kind="Plot")]
    plan, drawn = {"act": "plan", "player": "Ada", "count": 1}, {"act": "draw", "player": "Ada", "count": 1}
    assert [clauses(after(*waiting, move)) for move in (plan, drawn)] == [[], []]
    assert clauses(after(*waiting, END)) == ["DP-ZERO"]


def test_dp_resolve_one_that_still_counts_is_marked():
    assert clauses(after(played(start=2), on("resolve", 2, kind="Plot"))) == ["DP-RESOLVE"]


def test_dp_resolve_field_minions_and_artifices_stay_and_plots_do_not():
    board = after(*field(("Imp", MINION), ("Bell", ARTIFICE), ("Tea", {"kind": "Plot"})))
    assert [(card.name, card.zone, card.count) for card in board.cards] == [
        ("Imp", "Field", None),
        ("Bell", "Field", None),
    ]
    assert piles(board)["discard"] == 1


def test_one_that_nobody_described_is_asked_for_its_type():
    asked = next(offer for offer in after(played(start=0)).offers if offer.act == "resolve")
    assert [each.name for each in asked.fields] == ["kind", "strength", "health"]
    board = after(played(start=0), on("resolve", 2, kind="Minion", strength=1, health=2))
    assert [str(words) for _look, words in board.cards[0].states] == ["Minion", "Strength 1", "Health 2 of 2"]


def test_cards_without_a_name_are_numbered_from_one_over_the_whole_game():
    board = after(END, END, played(""), played("Cold Tea"), played("", 3, "Ben"), on("leave", 4, to="hand"), played(""))
    assert [(card.name, card.number) for card in board.cards] == [("Cold Tea", 0), ("", 2), ("", 3)]
    assert [str(each.words) for each in board.played[3:]] == [
        "Ada plays Card 1: countdown 2",
        "Ada plays Cold Tea: countdown 2",
        "Ben plays Card 2: countdown 3",
        "Card 1 goes to: Hand",
        "Ada plays Card 3: countdown 2",
    ]


def test_an_attack_calls_its_targets_as_the_board_does():
    begun = [*field(("", MINION)), END, played("", 0, "Ben", **MINION), on("resolve", 5)]
    board = after(*begun)
    attack = next(offer for offer in board.offers if offer.act == "attack")
    assert [(key, str(label)) for key, label in attack.fields[0].choices] == [("2", "Card 1 (Ada)")]
    assert str(after(*begun, on("attack", 5, target="2")).played[-1].words) == "Card 2 attacks Card 1."


def test_a_master_plan_says_that_its_number_is_progress():
    def plan(board: Board) -> tuple[int, str]:
        zone = next(each for each in board.zones if (each.label, each.holder) == ("Master Plan", "Ada"))
        return zone.count, str(zone.notes[0])

    board = after({"act": "plan", "player": "Ada", "count": 3})
    assert (plan(after()), plan(board)) == ((0, "nothing done yet"), (3, "reached so far"))
    assert str(board.played[-1].words) == "Master Plan of Ada: progress 3"


def test_cards_keep_their_moves_when_an_earlier_move_is_struck_out():
    moves = [
        {**each, "id": place} for place, each in enumerate([START, END, played("Tea"), played("Imp"), on("less", 4)], 1)
    ]
    struck = [each for each in moves if each["id"] != 2]
    assert counts(play(NAMES, "Ada", {}, moves)) == {"Tea": 2, "Imp": 1}
    assert counts(play(NAMES, "Ada", {}, struck)) == {"Tea": 2, "Imp": 1}


def test_dp_turn_end_minions_that_hurt_each_other_are_whole_again():
    begun = [
        *field(("Imp", MINION)),
        END,
        *[played("Ogre", 0, "Ben", kind="Minion", strength=1, health=9), on("resolve", 5)],
    ]
    hit = after(*begun, on("attack", 5, target="2"))
    assert clauses(hit) == []
    health = {card.name: str(card.states[2][1]) for card in hit.cards}
    assert health == {"Imp": "Health 2 of 3", "Ogre": "Health 7 of 9"}
    whole = after(*begun, on("attack", 5, target="2"), END)
    assert {str(card.states[2][1]) for card in whole.cards} == {"Health 3 of 3", "Health 9 of 9"}
    assert clauses(after(*begun, on("attack", 5, target="2"), on("attack", 5, target="2"))) == ["DP-TURN-ATTACK"]
    assert clauses(after(*begun, on("attack", 2, target="5"))) == ["DP-TURN-ATTACK"], "it is Ben's turn"


def test_dp_turn_attack_an_artifice_is_guarded_by_any_minion_and_does_not_hit_back():
    bell = [*field(("Bell", ARTIFICE)), END, played("Ogre", 0, "Ben", **MINION), on("resolve", 5)]
    board = after(*bell, on("attack", 5, target="2"))
    assert (clauses(board), [str(words) for _look, words in board.cards[0].states]) == (
        [],
        ["Artifice", "Health 2 of 4"],
    )
    guarded = [*field(("Bell", ARTIFICE), ("Imp", MINION)), END, played("Ogre", 0, "Ben", **MINION), on("resolve", 7)]
    assert clauses(after(*guarded, on("attack", 7, target="2"))) == ["DP-TURN-ATTACK"]
    assert clauses(after(*guarded, on("attack", 7, target="4"))) == []


def test_dp_kill_and_dp_destroy_at_no_health_a_card_goes_to_its_owners_discard_pile():
    board = after(*field(("Imp", MINION)), on("burn", 2, count=3))
    assert (board.cards, piles(board)["discard"]) == ((), 1)
    assert after(*field(("Imp", MINION)), on("burn", 2, count=2)).cards


def test_dp_no_strength_neither_hits():
    idle = {"kind": "Minion", "strength": 0, "health": 1}
    board = after(
        *field(("Imp", idle)), END, played("Ogre", 0, "Ben", **idle), on("resolve", 5), on("attack", 5, target=2)
    )
    assert len(board.cards) == 2


def test_dp_win_empty_by_ending_a_turn_with_nothing_in_deck_and_countdown():
    bare = {"act": "adjust", "player": "Ada", "from": "deck", "to": "discard", "count": 25}
    ready = after(bare)
    end = next(offer for offer in ready.offers if offer.act == "end")
    assert "wins by it" in str(end.notes[0]), "it is said before"
    over = after(bare, END)
    assert (over.ending.clause, over.ending.result) == ("DP-WIN-EMPTY", {"winner": "Ada", "how": "empty_deck"})
    assert over.offers == ()
    waiting = after(bare, played(start=3), END)
    assert waiting.ending is None
    assert waiting.turn == "Ben"


@pytest.mark.parametrize(("how", "clause"), [("master_plan", "DP-WIN-PLAN"), ("card_effect", "DP-WIN-OTHER")])
def test_other_wins_are_said_by_the_players(how, clause):
    board = after({"act": "win", "player": "Ben", "how": how})
    assert (board.ending.clause, board.ending.result) == (clause, {"winner": "Ben", "how": how})


def concedes(name: str) -> dict[str, Any]:
    return {"act": "concede", "player": name}


def test_who_concedes_loses_and_of_several_the_last_one_left_wins():
    assert after(concedes("Ada")).ending.result == {"winner": "Ben", "how": "concession"}
    three = after(concedes("Ada"), concedes("Cem"), names=("Ada", "Ben", "Cem"))
    assert three.ending.result == {"winner": "Ben", "how": "concession"}


def test_dp_multi_who_concedes_takes_no_turn_and_has_no_card_there():
    names = ("Ada", "Ben", "Cem")
    board = after(played(player="Cem"), concedes("Cem"), END, END, names=names)
    assert (board.ending, board.turn, board.cards) == (None, "Ada", ())
    assert [piles(board, name) for name in names] == [
        {"deck": 24, "hand": 6, "discard": 0}, {"deck": 25, "hand": 5, "discard": 0}, {},
    ]  # fmt: skip
    assert str(board.phase) == "Turn 2: Ada"
    assert board.hands == ("Ada", "Ben")
    own = after(END, concedes("Ben"), names=names)
    assert (own.turn, piles(own, "Cem")["deck"]) == ("Cem", 25)
    gone = after(concedes("Cem"), {"act": "win", "player": "Cem", "how": "card_effect"}, names=names)
    assert (gone.ending, [mark.clause for mark in gone.played[-1].marks]) == (None, [""])


def test_dp_multi_turns_go_round_and_everybody_skips_the_first_card():
    names = ("Ada", "Ben", "Cem")
    board = after(END, END, END, names=names)
    assert board.turn == "Ada"
    assert [piles(board, name)["deck"] for name in names] == [24, 25, 25]


@pytest.mark.parametrize(
    "move",
    [on("resolve", 9), on("less", 9), {"act": "fly"}, {"act": "draw", "player": "Zed", "count": 1},
     {"act": "play", "from": "interred"}, {"act": "adjust", "from": "hand", "to": "hand", "count": 1},
     {"act": "adjust", "from": "hand", "to": "deck", "count": 9}, {"act": "win", "player": "Ada", "how": "luck"},
     on("leave", 2, to="sky"), on("attack", 2, target=2), START],
)  # fmt: skip
def test_what_the_cards_do_not_allow_is_marked_and_left_out(move):
    before, board = after(played()), after(played(), move)
    assert board.played[-1].marks
    assert (board.zones, board.cards) == (before.zones, before.cards)


def value(data: st.DataObject, each: MoveField) -> Any:
    if each.longest:
        return data.draw(st.sampled_from(["Imp", "Bell", ""]))
    if each.choices:
        return data.draw(st.sampled_from([key for key, _label in each.choices]))
    return data.draw(st.integers(each.least, min(each.most, 6)) | (st.none() if each.may_lack else st.nothing()))


@given(st.data())
@settings(max_examples=60)
def test_no_card_is_lost_whatever_is_moved(data):
    names = NAMES[: data.draw(st.integers(2, 2))] if data.draw(st.booleans()) else ("Ada", "Ben", "Cem")
    moves: list[dict[str, Any]] = [START]
    for _move in range(data.draw(st.integers(1, 25))):
        board = play(names, "Ada", {}, moves)
        if not board.offers:
            break
        offer = data.draw(st.sampled_from(board.offers))
        move = {"act": offer.act, **{each.name: value(data, each) for each in offer.fields}}
        moves.append({**move, "card": offer.card} if offer.card else move)
    board = play(names, "Ada", {}, moves)
    for name in {zone.holder for zone in board.zones}:
        assert sum(piles(board, name).values()) + sum(card.holder == name for card in board.cards) == DECK
    assert all(zone.count >= 0 for zone in board.zones)
    assert len(board.played) == len(moves)
