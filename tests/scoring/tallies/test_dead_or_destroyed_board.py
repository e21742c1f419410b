"""The board of a game of Dead or Destroyed: every card stays somewhere, and either side's win is told at once."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.dead_or_destroyed.tally.board import play
from scoring.games.dead_or_destroyed.tally.board_state import CARDS, ZONES
from scoring.sheets.boards import Board

NAMES = ("Ada", "Ben")
START = {"act": "start", "necromancer": "Ada"}
PASS = {"act": "pass"}


def after(*moves: dict[str, Any], reading: str = "example") -> Board:
    return play(NAMES, "Ada", {"summon_reading": reading}, [START, *moves])


def zones(board: Board) -> dict[str, int]:
    keys = {label: key for key, label in ZONES.items()}
    return {keys[zone.label]: zone.count for zone in board.zones}


def moved(source: str, target: str, count: int) -> dict[str, Any]:
    return {"act": "adjust", "from": source, "to": target, "count": count}


def summon(card: str = "other", at: int = 1, to: str = "crypt", pay: str = "") -> dict[str, Any]:
    return {"act": "summon", "card": card, "at": str(at), "to": to, "pay": pay}


def fight(act: str, *fates: str, **more: str) -> dict[str, Any]:
    return {"act": act, **{f"z{number}": fate for number, fate in enumerate(fates, 1)}, **more}


def named(cards: str, zone: str = "graveyard") -> dict[str, Any]:
    return {"act": "name", "zone": zone, "cards": cards}


def lying(board: Board, zone: str = "graveyard") -> str:
    """The cards of a zone, top first, "?" for those that the board does not name."""
    count, notes = next((each.count, each.notes) for each in board.zones if each.label == ZONES[zone])
    named = dict(card.split(".\N{NO-BREAK SPACE}") for card in str(notes[-1]).split(", ")) if notes else {}
    return " ".join(named.get(str(place), "?") for place in range(1, count + 1)) if notes else ""


def clauses(board: Board) -> list[str]:
    return [mark.clause for mark in board.played[-1].marks]


def test_a_game_begins_with_three_cards_ten_in_the_graveyard_and_the_necromancers_turn():
    board = after()
    assert zones(board) == {"deck": 39, "graveyard": 10, "crypt": 0, "battlefield": 0, "hand": 3, "outside": 0}
    assert board.turn == "Ada"
    assert play(NAMES, "Ben", {}, []).offers[0].fields[0].usual == "Ben"


def test_dd_pay_the_books_first_example_costs_four_and_its_second_two_or_three_by_reading():
    first = after(summon(at=10, to="battlefield"), summon(), summon())
    assert zones(first) | {"hand": 3, "deck": 39} == {
        "deck": 39, "graveyard": 10 - 3 - 4, "crypt": 2, "battlefield": 1, "hand": 3, "outside": 4,
    }  # fmt: skip
    second = (summon("minor"), summon(), summon(at=4, to="battlefield"))
    assert zones(after(*second))["outside"] == 2
    assert zones(after(*second, reading="rule"))["outside"] == 3


def test_dd_battle_the_books_attack_five_cards_for_two_zombies_lose_and_six_are_survived():
    ready = (moved("graveyard", "battlefield", 2), moved("deck", "outside", 34))
    lost = after(*ready, fight("attack"))
    assert zones(lost)["deck"] == 0
    assert (lost.ending.clause, lost.ending.result) == (
        "DD-WIN-NECRO", {"necromancer": "Ada", "outcome": "necromancer"},
    )  # fmt: skip
    survived = after(*ready, moved("outside", "deck", 1), fight("attack"))
    assert (survived.ending, zones(survived)["deck"], survived.turn) == (None, 0, "Ben")


def test_dd_win_necro_only_zombies_that_attack_cost_cards():
    ready = (moved("graveyard", "battlefield", 2), moved("deck", "outside", 36))
    held = after(*ready, fight("attack", "stays", "waits"))
    assert (held.ending, zones(held)["deck"], zones(held)["battlefield"], held.turn) == (None, 0, 2, "Ben")
    assert "Attack with 1" in str(held.played[-1].words)
    offer = next(each for each in after(*ready, moved("hand", "outside", 3)).offers if each.act == "attack")
    assert [[value for value, _label in each.choices] for each in offer.fields] == [["stays", "waits"]] * 2


def test_the_paladin_wins_at_once_and_the_crypt_does_not_count():
    board = after(summon(), moved("graveyard", "outside", 9))
    assert (board.ending.clause, zones(board)["crypt"], board.offers) == ("DD-WIN-PALADIN", 1, ())
    assert board.ending.result == {"necromancer": "Ada", "outcome": "paladin"}
    over = after(summon(), moved("graveyard", "outside", 9), PASS)
    assert str(over.played[-1].marks[0].words).startswith("The game has not begun")


def test_a_summoned_card_without_a_name_is_called_a_card():
    assert str(after(summon()).played[-1].words).startswith("A card is summoned.")


def test_a_summon_that_loses_at_once_is_said_before():
    last = after(moved("graveyard", "outside", 9))
    offer = next(each for each in last.offers if each.act == "summon")
    assert ["from the top" in str(each) for each in offer.warnings] == [True]
    two = after(moved("graveyard", "outside", 8))
    offer = next(each for each in two.offers if each.act == "summon")
    assert ["from below" in str(each) for each in offer.warnings] == [True]
    guarded = after(moved("graveyard", "battlefield", 1), moved("graveyard", "outside", 8))
    assert not next(each for each in guarded.offers if each.act == "summon").warnings
    assert after(moved("graveyard", "outside", 9), summon()).ending.clause == "DD-WIN-PALADIN"


def test_dd_crypt_a_zombie_leaves_a_round_after_it_came():
    early = after(summon(), fight("advance", "battlefield"))
    assert (clauses(early), zones(early)["battlefield"]) == (["DD-CRYPT"], 1)
    waited = after(summon(), PASS, PASS, fight("advance", "battlefield"))
    assert (clauses(waited), zones(waited)["battlefield"]) == ([], 1)


def test_dd_cycle_and_sap_destroys_a_card_of_the_hand_unless_the_deck_is_empty():
    assert zones(after({"act": "cycle_sap"}))["hand"] == 2
    empty = after(moved("deck", "outside", 39), {"act": "cycle_sap"})
    assert (zones(empty)["hand"], empty.played[-1].marks) == (3, ())


def test_dd_paladin_turn_draws_smites_and_reveals():
    board = after(PASS)
    assert (zones(board)["hand"], board.turn) == (4, "Ben")
    smitten = after(moved("graveyard", "battlefield", 2), PASS,
                    fight("smite", "killed", "destroyed", graveyard="yes"))  # fmt: skip
    assert zones(smitten) == {"deck": 38, "graveyard": 8, "crypt": 0, "battlefield": 0, "hand": 1, "outside": 5}
    drawn = after(PASS, {"act": "reveal", "cards": 3})
    assert zones(drawn)["hand"] == 5
    cleared = after(summon(), moved("deck", "hand", 4), PASS, {"act": "reveal", "cards": 7})
    assert zones(cleared)["crypt"] == 0


@pytest.mark.parametrize(
    ("moves", "clause"),
    [
        ([fight("smite")], "DD-PALADIN-TURN"),
        ([PASS, {"act": "shuffle"}], "DD-NECRO-TURN"),
        ([{"act": "shuffle"}, summon()], "DD-NECRO-TURN"),
        ([{"act": "shuffle"}, {"act": "cycle_sap"}], "DD-NECRO-TURN"),
        ([PASS, {"act": "reveal", "cards": 1}, fight("smite")], "DD-PALADIN-TURN"),
        ([summon("minor"), summon("minor"), summon("minor"), summon("minor", to="battlefield")], "DD-SUMMON"),
        ([moved("graveyard", "crypt", 3), summon()], "DD-CRYPT"),
    ],
)
def test_dd_necro_turn_and_other_rules_broken_are_marked_and_the_move_counts(moves, clause):
    board = after(*moves)
    assert clauses(board) == [clause]
    assert not any(mark.clause == "" for played in board.played for mark in played.marks)


@pytest.mark.parametrize(
    "move",
    [
        fight("advance"), summon(at=11), summon(at=2, pay="1 3"), named("7x"), named("7s 7s"), named("7s", "hand"),
        {"act": "reveal", "cards": 9}, {"act": "reveal"},
        moved("crypt", "deck", 1), moved("deck", "deck", 1), moved("deck", "nowhere", 1), {"act": "fly"}, {},
        {"act": "concede", "player": "Cem"}, fight("advance", "battlefield"), START, {"act": ["x"]},
    ],
)  # fmt: skip
def test_what_the_cards_do_not_allow_is_left_out(move):
    board = after(move)
    assert zones(board) == zones(after())
    assert [mark.clause for mark in board.played[-1].marks][-1:] == [""]


def test_conceding_names_the_winner_by_the_place_on_the_sheet():
    assert after({"act": "concede", "player": "Ada"}).ending.result == {"necromancer": "Ada", "outcome": "concession1"}


COUNTS = st.integers(0, 8)
FATES = st.lists(st.sampled_from(["stays", "killed", "destroyed", "waits", "battlefield"]), max_size=6)
CARDS_TYPED = st.lists(st.sampled_from(["7s", "Kh", "?", "2", "10♦", "3c"]), max_size=6).map(" ".join)
MOVES = st.one_of(
    st.builds(summon, st.sampled_from(["minor", "other"]), COUNTS, st.sampled_from(["crypt", "battlefield"]),
              st.sampled_from(["", "1", "2 3"])),
    st.builds(lambda act: {"act": act}, st.sampled_from(["cycle_sap", "shuffle", "pass"])),
    st.builds(lambda act, fates, top: fight(act, *fates, graveyard=top),
              st.sampled_from(["attack", "smite", "advance"]), FATES, st.sampled_from(["no", "yes"])),
    st.builds(named, CARDS_TYPED, st.sampled_from(["graveyard", "crypt", "battlefield"])),
    st.builds(lambda cards: {"act": "reveal", "cards": cards}, COUNTS),
    st.builds(moved, st.sampled_from(list(ZONES)), st.sampled_from(list(ZONES)), COUNTS),
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(MOVES, max_size=60))
def test_whatever_is_played_every_card_is_somewhere_and_the_win_is_told_at_once(moves):
    won_before = False
    for length in range(len(moves) + 1):
        board = after(*moves[:length])
        counts = zones(board)
        assert sum(counts.values()) == CARDS
        assert min(counts.values()) >= 0
        no_zombie = counts["battlefield"] == counts["graveyard"] == 0
        assert board.ending is not None or not no_zombie
        assert not won_before or board.ending is not None
        won_before = board.ending is not None
    assert {offer.act for offer in board.offers} <= {
        "summon", "cycle_sap", "shuffle", "advance", "attack", "smite", "reveal", "pass", "name", "adjust", "concede",
    }  # fmt: skip


@settings(max_examples=100)
@given(st.data())
def test_every_offered_move_is_allowed_by_the_cards_and_marked_by_no_rule(data):
    moves: list[dict[str, Any]] = []
    board = after()
    for _turn in range(30):
        if board.ending:
            break
        offer = data.draw(
            st.sampled_from([each for each in board.offers if each.act not in ("name", "adjust", "concede")])
        )
        move: dict[str, Any] = {"act": offer.act}
        for field in offer.fields:
            values = [value for value, _label in field.choices] or [field.usual or 1]
            values = [""] if field.longest else values
            move[field.name] = data.draw(st.sampled_from(values))
        then = after(*moves, move)
        broken = [mark for mark in then.played[-1].marks if not mark.clause]
        too_few = offer.act in ("summon", "attack", "smite", "advance")
        assert not broken or too_few
        if not broken:
            assert clauses(then) in ([], ["DD-CRYPT"])
            moves.append(move)
            board = then


DEALT = named("Ks 10h 2d ? 4c")


def test_dd_open_named_cards_keep_their_order_through_every_move():
    assert lying(after(DEALT)) == "K♠ 10♥ 2♦ ? 4♣ ? ? ? ? ?"
    assert lying(after(DEALT, {"act": "cycle_sap"})) == "10♥ 2♦ ? 4♣ ? ? ? ? ? K♠"
    assert lying(after(DEALT, {"act": "shuffle"})) == ""
    revealed = after(DEALT, moved("deck", "hand", 3), PASS, {"act": "reveal", "cards": 4})
    assert lying(revealed).startswith("10♥ 2♦")
    summoned = after(DEALT, summon(at=2, to="battlefield", pay="1 5"))
    assert (lying(summoned), lying(summoned, "battlefield")) == ("2♦ ? ? ? ? ? ?", "10♥")
    fought = after(
        DEALT, moved("graveyard", "battlefield", 3), fight("attack", "killed", "stays", "killed"),
    )  # fmt: skip
    assert (lying(fought), lying(fought, "battlefield")) == ("? ? ? K♠ 2♦ ? 4♣ ? ? ? ? ?", "10♥")
    waiting = after(DEALT, summon(), summon(at=2), PASS, PASS, fight("advance", "crypt", "battlefield"))
    assert (lying(waiting, "battlefield"), "K♠" in lying(waiting, "crypt")) == ("2♦", True)


def test_dd_minor_a_named_card_says_itself_what_its_summon_costs():
    two = after(named("2s 9h 5d"), summon("other"), summon("other"))
    assert zones(two)["outside"] == 0, "the 2 is minor whatever was chosen, so the 9 counts as the first"
    first = after(named("Ks 3h"), summon("minor"), summon("other"))
    assert zones(first)["outside"] == 0, "a minor summon costs nothing as the second either"
    assert zones(after(named("Ks 9h"), summon(), summon("minor")))["outside"] == 1


def test_a_minor_summon_that_loses_is_said_before_too_unless_the_named_card_is_none():
    left = (summon(), moved("graveyard", "outside", 8))
    assert next(each for each in after(*left).offers if each.act == "summon").warnings
    assert not next(each for each in after(*left, named("9h")).offers if each.act == "summon").warnings


def test_cards_are_read_as_german_and_french_ones_print_them():
    assert lying(after(named("Bs dH v♦ r 1c"))) == "J♠ Q♥ J♦ K A♣ ? ? ? ? ?"
