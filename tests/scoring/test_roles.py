"""Games won beyond what the roles win, counted by hand and by a plain second way."""

from fractions import Fraction
from random import Random

from scoring.standings.roles import DecidedGame, beyond_roles


def as_necromancer(winner, loser):
    return DecidedGame(winner, "necromancer", loser, "paladin")


def as_paladin(winner, loser):
    return DecidedGame(winner, "paladin", loser, "necromancer")


def test_a_win_in_the_stronger_role_brings_less():
    games = [as_necromancer(1, 2), as_necromancer(2, 1), as_necromancer(3, 1), as_paladin(1, 3)]
    assert beyond_roles(games) == {
        1: Fraction(1, 4) - Fraction(1, 4) - Fraction(1, 4) + Fraction(3, 4),
        2: -Fraction(1, 4) + Fraction(1, 4),
        3: Fraction(1, 4) - Fraction(3, 4),
    }


def test_with_roles_of_equal_strength_it_is_half_the_games_won_less_those_lost():
    games = [as_necromancer(1, 2), as_paladin(1, 2)]
    assert beyond_roles(games) == {1: 1, 2: -1}


def test_nobody_has_a_value_without_a_game():
    assert beyond_roles([]) == {}


def test_all_values_add_up_to_nothing_in_any_event():
    chance = Random(5)
    for _event in range(200):
        players = range(chance.randint(2, 9))
        pairs = [chance.sample(players, 2) for _game in range(chance.randint(1, 40))]
        games = [(as_necromancer if chance.random() < 0.7 else as_paladin)(*pair) for pair in pairs]
        found = beyond_roles(games)
        assert sum(found.values()) == 0
        rate = Fraction(sum(game.winner_role == "necromancer" for game in games), len(games))
        for player, value in found.items():
            own = [game for game in games if player in (game.winner, game.loser)]
            held = [game.winner_role if game.winner == player else game.loser_role for game in own]
            due = sum(rate if role == "necromancer" else 1 - rate for role in held)
            assert value == sum(game.winner == player for game in own) - due
