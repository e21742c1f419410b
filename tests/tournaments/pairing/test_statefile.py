"""The command's JSON: what is read, what is refused and how it is named, and the answer in the file's own ids."""

import json
import random

import pytest

from rules_engine.errors import BadInput
from tests.tournaments.pairing.families import state_of
from tests.tournaments.pairing.fields import random_state
from tournaments.pairing.statefile import answer_of, read_state
from tournaments.pairing.swiss.contenders import Apart, Contender, Order, PairingPolicy, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss


def state(*players, **more):
    """JSON of a state with these players."""
    return json.dumps({"players": players, "seed": 1, "order": "least_squares", "keep_clubs_apart": False} | more)


def player(id_, score=0, *opponents, **more):
    return {"id": id_, "score": score, "opponents": list(opponents), "had_bye": False} | more


def refusal(text):
    with pytest.raises(BadInput) as refused:
        read_state(text)
    assert refused.value.code == "bad_state"
    assert refused.value.message.startswith("The state cannot be read: ")
    return refused.value.message.removeprefix("The state cannot be read: ")


def test_state_is_read_with_rules_and_seed():
    text = state(player(1, 3, 2, 2), player(2, 0, 1, 1, club="Ulm"), order="top_down", keep_clubs_apart=True, seed=-9)
    assert read_state(text).given == RoundInput(
        (Contender(1, 3, (2, 2)), Contender(2, 0, (1, 1), club="Ulm")),
        PairingPolicy(Order.TOP_DOWN, Apart.SOFT),
        -9,
    )


def test_state_without_what_is_usual_is_read():
    read = read_state('{"players": [{"id": 1, "score": 0}]}')
    assert read.given == RoundInput((Contender(1, 0),))


def test_ids_may_be_numbers_and_texts_in_any_order_of_players():
    players = [player("b", 3, 10), player(10, 0, "b"), player("a"), player(9)]
    read = read_state(state(*players))
    assert read.ids == (9, 10, "a", "b")
    assert read.given.contenders[3] == Contender(4, 3, (2,))
    assert read == read_state(state(*reversed(players)))


def test_one_sided_meetings_count_and_strangers_are_dropped():
    contenders = read_state(state(player(1, 0, 2, 2, 77, "gone"), player(2, 0, 1), player(3))).given.contenders
    assert [each.opponents for each in contenders] == [(2, 2), (1, 1), ()]


def test_clubs_may_be_numbers_empty_or_null():
    clubs = ["Ulm", 7, "", None]
    read = read_state(state(*(player(number, club=club) for number, club in enumerate(clubs))))
    assert [each.club for each in read.given.contenders] == ["Ulm", "7", None, None]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it is not JSON: Expecting value: line 1 column 1 (char 0)."),
        ('{"players": [}', "it is not JSON: Expecting value: line 1 column 14 (char 13)."),
        ("[" * 100_000, "it is nested too deeply."),
        ("[]", "the state: [] is not an object."),
        ("{}", 'the state: the key "players" is missing.'),
        ('{"players": {}}', "players: {} is not a list."),
        ('{"players": [], "sed": 4}',
         'the state: the key "sed" is unknown; known are players, seed, order, keep_clubs_apart.'),
        (state(seed="7"), 'seed: "7" is not a whole number.'),
        (state(seed=True), "seed: true is not a whole number."),
        (state(order="swiss"), "order: 'swiss' is neither least_squares nor top_down."),
        (state(order=[]), "order: [] is not a text."),
        (state(keep_clubs_apart=1), "keep_clubs_apart: 1 is not true or false."),
        (state(7), "player 1 of the list: 7 is not an object."),
        (state(player(1), {"id": 2}), 'player 2 of the list: the key "score" is missing.'),
        (state({"score": 2}), 'player 1 of the list: the key "id" is missing.'),
        (state(player(1, points=3)),
         'player 1 of the list: the key "points" is unknown; known are id, score, opponents, had_bye, club.'),
        (state(player(1.5)), "player 1 of the list, id: 1.5 is not a whole number or a text."),
        (state(player(True)), "player 1 of the list, id: true is not a whole number or a text."),
        (state(player([])), "player 1 of the list, id: [] is not a whole number or a text."),
        (state(player("x"), player("x")), 'players: the id "x" stands twice.'),
        (state(player("x", 1.0)), 'player "x", score: 1.0 is not a whole number.'),
        (state(player("x", True)), 'player "x", score: true is not a whole number.'),
        (state(player(1, 1_000_001)), "player 1, score: 1000001 is beyond ±1000000."),
        (state(player(1, had_bye="no")), 'player 1, had_bye: "no" is not true or false.'),
        (state(player(1, club=["A"])), 'player 1, club: ["A"] is not a text, a whole number or null.'),
        (state(player(1, opponents=2)), "player 1, opponents: 2 is not a list."),
        (state(player(1, 0, 2, None)), "player 1, opponents: null is not a whole number or a text."),
        (state(player(1, 0, [2])), "player 1, opponents: [2] is not a whole number or a text."),
        (state(player(1, 0, 1)), "player 1, opponents: the player's own id."),
        (state(player(1, 0, "2"), player(2)), 'player 1, opponents: "2" is no player, but 2 is.'),
        (state(player("1", 0, 2), player("2")), 'player "1", opponents: 2 is no player, but "2" is.'),
        (state(player("x" * 60, "y")), f'player "{"x" * 38}…, score: "y" is not a whole number.'),
        (state(player(1)).replace('"score": 0', '"score": NaN'), "player 1, score: NaN is not a whole number."),
    ],
)  # fmt: skip
def test_unusable_state_is_refused_naming_the_place(text, sentence):
    assert refusal(text) == sentence


def test_too_many_players_are_refused():
    assert refusal(state(*({"id": number, "score": 0} for number in range(100_001)))).startswith("players: 100001 are")


def test_numbers_with_thousands_of_digits_are_refused():
    assert refusal('{"players": [], "seed": ' + "9" * 5_000 + "}").startswith("it is not JSON: Exceeds the limit")


def test_answer_speaks_in_the_ids_of_the_file():
    read = read_state(state(player("b", 3), player("a", 3), player(7, 0, had_bye=True)))
    paired = pair_swiss(read.given)
    answer = answer_of(read, paired, ["One.", "Two."])
    assert list(answer) == ["pairs", "bye", "cost", "bound", "proved", "explanations"]
    assert {*answer["pairs"][0], answer["bye"]} == {"a", "b", 7}
    assert answer["bye"] in {"a", "b"}
    terms = {"second_byes": 0, "rematches": 0, "club_pairs": 0, "bye_score": 3, "sum_sq_diff": 9}
    assert (answer["cost"], answer["bound"], answer["proved"]) == (terms, terms, True)
    assert answer["explanations"] == ["One.", "Two."]


@pytest.mark.parametrize("number", range(20))
def test_state_is_read_as_it_was_written(number, seed):
    given = random_state(random.Random(f"{seed} {number}"), 20, PairingPolicy(clubs=Apart.SOFT))
    plain = [
        Contender(each.id, each.score, each.opponents, each.had_bye, each.club)
        for each in given.contenders
    ]  # fmt: skip
    assert read_state(json.dumps(state_of(given))).given == RoundInput(tuple(plain), given.policy, given.seed)
