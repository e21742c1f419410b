"""The ledger of Doomtrooper, clause by clause, with cases counted by hand.

See docs/how-it-works/score-sheets.md#doomtrooper.
"""

from fractions import Fraction

import pytest

from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from scoring.games.doomtrooper.tally import WIN_KINDS
from scoring.sheets.tallies.registry import get_tallier
from scoring.standings.result_checks import check_game_facts, check_result
from scoring.standings.results import GameResult, MatchLength
from tests.refusals import refusal

TALLIER = get_tallier("doomtrooper")


def act(kind, player=None, **facts):
    return {"act": kind, **({"player": player} if player else {}), **facts}


def sheet_of(*acts, players=("Ada", "Ben"), **options):
    people = [{"name": name} if isinstance(name, str) else name for name in players]
    return {"players": people, "acts": list(acts), "options": options}


def tally(*acts, players=("Ada", "Ben"), **options):
    """A tally that tells what is unlawful instead of stopping."""
    return TALLIER.tally(sheet_of(*acts, players=players, **{"check_limits": False, **options}))


def pools(told):
    return {player["name"]: (player["promotion"], player["destiny"]) for player in told["players"]}


def broken(told):
    return [(violation["rule"], violation["act"]) for violation in told["violations"]]


def kill(player, victim, value, **facts):
    return act("kill", player, victim=victim, value=value, **facts)


RED_AND_BLUE = ({"name": "Red", "members": ["Ada", "Cay"]}, {"name": "Blue", "members": ["Ben", "Dan"]})
THREE = ("Ada", "Ben", "Cay")


def test_dt_own_two_players_or_more():
    assert refusal(tally, players=("Ada",)) == "bad_sheet"
    assert pools(tally(players=[f"P{number}" for number in range(1, 8)])) == {f"P{n}": (0, 5) for n in range(1, 8)}


@pytest.mark.parametrize(("size", "rules"), [(60, []), (61, []), (200, []), (59, [("DT-SIZE", None)])])
def test_dt_size_of_a_deck(size, rules):
    told = tally(players=({"name": "Ada", "deck_size": size}, "Ben"))
    assert broken(told) == rules


def test_dt_start_five_destiny_points_a_player():
    assert pools(tally()) == {"Ada": (0, 5), "Ben": (0, 5)}


def test_dt_start_what_enters_play_is_paid_for():
    """The book's Venusian Ranger of Value 4."""
    told = tally(act("muster", "Ada", value=4, card="VENUSIAN RANGER"), act("meditate", "Ada"))
    assert pools(told)["Ada"] == (0, 2)
    assert told["players"][0]["lines"][1:] == [
        {"card": "VENUSIAN RANGER", "kind": "muster", "points": 0, "destiny": -4, "act": 1},
        {"card": "", "kind": "meditate", "points": 0, "destiny": 1, "act": 2},
    ]
    assert not told["violations"]


@pytest.mark.parametrize("act_", [act("muster", "Ada", value=6), act("spend", "Ada", destiny=6)])
def test_dt_start_nobody_pays_more_than_there_is(act_):
    told = tally(act_)
    assert broken(told) == [("DT-START", 1)]
    assert pools(told)["Ada"] == (0, 0)


def test_dt_target_wins_at_once():
    told = tally(kill("Ada", "Ben", 24), kill("Ben", "Ada", 3), target=25)
    assert (told["winners"], told["ended_by"], told["goal"]) == ([], None, 25)
    told = tally(kill("Ada", "Ben", 25), target=25)
    assert (told["winners"], told["ended_by"], told["ended_at"]) == (["Ada"], "target", 1)


def test_dt_target_is_forty_unless_agreed_otherwise():
    assert tally()["goal"] == 40
    assert tally(kill("Ada", "Ben", 39))["ended_by"] is None
    assert tally(kill("Ada", "Ben", 40))["ended_by"] == "target"
    assert tally(kill("Ada", "Ben", 400), target=None)["ended_by"] is None


def test_dt_target_ends_the_ledger():
    told = tally(kill("Ada", "Ben", 25), act("meditate", "Ben"), target=25)
    assert broken(told) == [("DT-TARGET", 2)]
    assert "the game ended at entry 1" in told["violations"][0]["message"]
    assert (told["winners"], pools(told)["Ben"]) == (["Ada"], (0, 6))


def test_dt_target_destiny_points_do_not_count():
    assert tally(kill("Ada", "Ben", 30, promotion=24, destiny=6), target=25)["ended_by"] is None


def test_dt_target_reached_by_both_in_one_combat_goes_to_more_points():
    told = tally(kill("Ada", "Ben", 26), kill("Ben", "Ada", 28, same_combat=True), target=25)
    assert (told["winners"], told["ended_at"]) == (["Ben"], 2)


def test_dt_target_reached_equally_is_played_off_until_one_leads():
    both = kill("Ada", "Ben", 26), kill("Ben", "Ada", 26, same_combat=True)
    told = tally(*both, target=25)
    assert (told["winners"], told["next"]) == ([], {"until": "lead", "players": ["Ada", "Ben"]})
    assert tally(*both, act("meditate", "Ada"), target=25)["ended_by"] is None
    told = tally(*both, kill("Ada", "Ben", 1), target=25)
    assert (told["winners"], told["ended_by"], told["next"]) == (["Ada"], "target", None)


def test_dt97_time_target_reached_equally_is_played_off_to_ten_more():
    both = kill("Ada", "Ben", 26), kill("Ben", "Ada", 26, same_combat=True)
    told = tally(*both, target=25, rules_1997=True)
    assert told["next"] == {"until": "target", "players": ["Ada", "Ben"], "points": 35}
    assert tally(*both, kill("Ada", "Ben", 8), target=25, rules_1997=True)["ended_by"] is None
    assert tally(*both, kill("Ada", "Ben", 9), target=25, rules_1997=True)["winners"] == ["Ada"]
    again = *both, kill("Ada", "Ben", 9), kill("Ben", "Ada", 9, same_combat=True)
    assert tally(*again, target=25, rules_1997=True)["next"]["points"] == 45


def test_dt97_tie_only_the_tied_play_for_ten_more():
    both = kill("Ada", "Ben", 25), kill("Ben", "Ada", 25, same_combat=True)
    told = tally(*both, kill("Cay", "Ada", 40), players=THREE, target=25, rules_1997=True)
    assert told["ended_by"] is None
    told = tally(*both, act("concede", "Ada"), players=THREE, target=25, rules_1997=True)
    assert (told["winners"], told["ended_by"]) == (["Ben"], "target")


@pytest.mark.parametrize(
    ("split", "pool"),
    [
        ({}, (7, 5)),
        ({"promotion": 7}, (7, 5)),
        ({"destiny": 7}, (0, 12)),
        ({"promotion": 3, "destiny": 4}, (3, 9)),
        ({"promotion": 3}, (3, 9)),
        ({"destiny": 2}, (5, 7)),
        ({"promotion": 0}, (0, 12)),
    ],
)
def test_dt_kill_value_is_split_as_its_player_likes(split, pool):
    told = tally(kill("Ada", "Ben", 7, **split))
    assert (pools(told)["Ada"], told["violations"]) == (pool, [])


@pytest.mark.parametrize(
    ("split", "pool"),
    [({"promotion": 8}, (8, 5)), ({"promotion": 3, "destiny": 3}, (3, 8)), ({"destiny": 9}, (0, 14))],
)
def test_dt_kill_split_adds_up_to_the_value(split, pool):
    told = tally(kill("Ada", "Ben", 7, **split))
    assert broken(told) == [("DT-KILL", 1)]
    assert pools(told)["Ada"] == pool, "with limits unchecked it counts as written"


def test_dt_kill_a_value_below_zero_earns_nothing():
    assert pools(tally(kill("Ada", "Ben", -3)))["Ada"] == (0, 5)


def test_dt_kill_both_earn_when_both_die():
    told = tally(kill("Ada", "Ben", 6), kill("Ben", "Ada", 4, destiny=4, same_combat=True))
    assert (pools(told), told["violations"]) == ({"Ada": (6, 5), "Ben": (0, 9)}, [])


def test_dt_kill_the_second_of_a_combat_follows_the_first():
    assert broken(tally(act("meditate", "Ada"), kill("Ben", "Ada", 4, same_combat=True))) == [("DT-KILL", 2)]


def test_dt_ownkill_earns_destiny_only():
    assert pools(tally(kill("Ada", "Ada", 6)))["Ada"] == (0, 11)
    told = tally(kill("Ada", "Ada", 6, promotion=2))
    assert (broken(told), pools(told)["Ada"]) == ([("DT-OWNKILL", 1)], (2, 9))
    assert broken(tally(kill("Ada", "Cay", 6, promotion=6), players=RED_AND_BLUE)) == [("DT-OWNKILL", 1)]


def test_dt_freelancer_earns_destiny_only_without_affiliation():
    assert pools(tally(kill("Ada", "Ben", 6, freelancer=True)))["Ada"] == (0, 11)
    assert broken(tally(kill("Ada", "Ben", 6, promotion=1, freelancer=True))) == [("DT-FREELANCER", 1)]
    told = tally(kill("Ada", "Ben", 6, freelancer=True, affiliated=True))
    assert (pools(told)["Ada"], told["violations"]) == ((6, 5), [])


def round_of_turns(*names):
    return [act("turn", name) for name in names]


FIRST_ROUND = round_of_turns("Ada", "Ben", "Ada")


@pytest.mark.parametrize(("value", "points"), [(7, 4), (6, 3), (1, 1), (0, 0), (-2, 0)])
def test_dt_sabotage_earns_half_the_value_rounded_up(value, points):
    told = tally(*FIRST_ROUND, act("sabotage", "Ada", target="Ben", value=value), sabotage="on")
    assert (pools(told)["Ada"], told["violations"]) == ((points, 5), [])


def test_dt_sabotage_is_split_like_a_kill():
    told = tally(*FIRST_ROUND, act("sabotage", "Ada", target="Ben", value=7, destiny=3), sabotage="on")
    assert pools(told)["Ada"] == (1, 8)
    told = tally(*FIRST_ROUND, act("sabotage", "Ada", target="Ben", value=7, promotion=7), sabotage="on")
    assert broken(told) == [("DT-SABOTAGE", 4)]
    told = tally(*FIRST_ROUND, act("sabotage", "Ada", target="Ben", value=7, freelancer=True), sabotage="on")
    assert pools(told)["Ada"] == (0, 9)


SABOTAGE = act("sabotage", "Ada", target="Ben", value=4)


@pytest.mark.parametrize(
    ("acts", "options", "said"),
    [
        ([*FIRST_ROUND, SABOTAGE], {"sabotage": "off"}, "sabotage is off here"),
        ([act("turn", "Ada"), SABOTAGE], {}, "after each player's first turn"),
        (
            [*round_of_turns("Ada", "Ben"), act("sabotage", "Ben", target="Ada", value=4)],
            {},
            "after each player's first turn",
        ),
        ([*FIRST_ROUND, act("turn", "Ben"), SABOTAGE], {}, "for your own turn"),
        ([*FIRST_ROUND, act("end_turn", "Ada"), SABOTAGE], {}, "for your own turn"),
        (
            [act("turn", "Ada"), act("turn", "Ben", warriors=2), act("turn", "Ada"), SABOTAGE],
            {},
            "Ben has a fit warrior",
        ),
        ([*FIRST_ROUND, act("muster", "Ben", in_cover=True), SABOTAGE], {}, "Ben has a fit warrior"),
        ([*FIRST_ROUND, SABOTAGE, SABOTAGE], {}, "already"),
        ([*FIRST_ROUND, act("sabotage", "Ada", target="Ada", value=4)], {}, "Ada is on your side"),
    ],
)
def test_dt_sabotage_is_unlawful(acts, options, said):
    told = tally(*acts, **{"sabotage": "on", **options})
    assert broken(told) == [("DT-SABOTAGE", len(acts))]
    assert said in told["violations"][0]["message"]


@pytest.mark.parametrize(
    ("acts", "options"),
    [
        ([*FIRST_ROUND, SABOTAGE, SABOTAGE], {"sabotage": "multiple"}),
        ([*FIRST_ROUND, SABOTAGE, act("turn", "Ben"), act("turn", "Ada"), SABOTAGE], {}),
        ([act("turn", "Ada"), act("turn", "Ben", warriors=1), act("turn", "Ada"), kill("Ada", "Ben", 2), SABOTAGE], {}),
        ([*FIRST_ROUND, act("muster", "Ben", fights=False, card="APOSTLE"), SABOTAGE], {}),
        ([act("turn", "Ada"), act("turn", "Ben", warriors=False), act("turn", "Ada"), SABOTAGE], {}),
    ],
)
def test_dt_sabotage_is_lawful(acts, options):
    assert not tally(*acts, **{"sabotage": "on", **options})["violations"]


def test_dt_sabotage_once_for_each_target():
    turns = round_of_turns("Ada", "Ben", "Cay", "Ada")
    other = act("sabotage", "Ada", target="Cay", value=4)
    assert not tally(*turns, SABOTAGE, other, players=THREE, sabotage="on")["violations"]


def test_dt_sabotage_waits_for_every_member_of_the_teams():
    both = [*round_of_turns("Ada", "Ben", "Cay", "Dan"), act("turn", "Ada"), SABOTAGE]
    assert not tally(*both, players=RED_AND_BLUE, sabotage="on")["violations"]
    del both[3]
    assert broken(tally(*both, players=RED_AND_BLUE, sabotage="on")) == [("DT-SABOTAGE", 5)]


@pytest.mark.parametrize(
    ("value", "promotion", "left"),
    [(5, 8, (8, 0)), (3, 8, (8, 2)), (9, 8, (4, 0)), (9, 3, (0, 0)), (9, 4, (0, 0)), (6, 0, (0, 0))],
)
def test_dt_cover_is_paid_or_lost_with_all_there_is(value, promotion, left):
    told = tally(kill("Ada", "Ben", promotion), act("cover", "Ada", value=value, card="HIDDEN"))
    assert (pools(told)["Ada"], told["violations"]) == (left, [])
    line = told["players"][0]["lines"][-1]
    assert line.get("discarded", False) == (value > 5)
    assert (line["points"], line["destiny"]) == (left[0] - promotion, left[1] - 5)


HIDDEN = [
    act("turn", "Ada"), act("muster", "Ada", in_cover=True), act("turn", "Ben"), act("muster", "Ben", value=3),
    act("turn", "Ada"),
]  # fmt: skip
RUN_DOWN = [act("turn", "Ben"), act("turn", "Ada")]


def test_dt_cover_that_cannot_be_paid_protects_nobody():
    strike = [act("turn", "Ben"), act("sabotage", "Ben", target="Ada", value=3)]
    told = tally(*HIDDEN, act("cover", "Ada", value=8), *strike, sabotage="on")
    assert broken(told) == []
    assert pools(told)["Ben"] == (2, 2)
    paid = tally(*HIDDEN, act("cover", "Ada", value=5), *strike, sabotage="on")
    assert broken(paid) == [("DT-SABOTAGE", 8)]


def test_dt_cover_that_cannot_be_paid_starts_the_three_turns():
    lost = [*HIDDEN, act("cover", "Ada", value=8)]
    counted = [tally(*lost, *RUN_DOWN * turns)["countdown"] for turns in range(4)]
    assert counted == [{}, {"Ada": 3}, {"Ada": 2}, {"Ada": 1}]
    ended = tally(*lost, *RUN_DOWN * 3, act("turn", "Ben"))
    assert (ended["winners"], ended["ended_by"]) == (["Ben"], "no_warrior")
    saved = tally(*lost, *RUN_DOWN, act("muster", "Ada", value=0))
    assert saved["countdown"] == {}


def test_dt_cover_lost_leaves_the_other_warriors():
    two = [*HIDDEN[:2], act("muster", "Ada", value=0), *HIDDEN[2:], act("cover", "Ada", value=8)]
    assert broken(tally(*two, act("turn", "Ben"), act("sabotage", "Ben", target="Ada", value=3), sabotage="on")) == [
        ("DT-SABOTAGE", 9)
    ]
    assert tally(*two, *RUN_DOWN)["countdown"] == {}


def test_dt_cover_lost_by_somebody_whose_warriors_nobody_told_starts_no_count():
    told = tally(act("turn", "Ada", warriors=True), act("cover", "Ada", value=8), *RUN_DOWN)
    assert told["countdown"] == {}


def test_dt_cover_nothing_is_paid_before():
    assert pools(tally(act("muster", "Ada", value=9, in_cover=True)))["Ada"] == (0, 5)


def test_dt_out_ends_the_game_once_all_draw_piles_are_out():
    acts = kill("Ada", "Ben", 3), act("draw_pile_out", "Ada")
    assert tally(*acts)["ended_by"] is None
    told = tally(*acts, act("draw_pile_out", "Ben"))
    assert (told["winners"], told["ended_by"]) == (["Ada"], "draw_piles")


def test_dt_out_tied_players_play_on_until_one_leads():
    acts = act("draw_pile_out", "Ada"), act("draw_pile_out", "Ben")
    told = tally(*acts, act("meditate", "Ben"))
    assert (told["winners"], told["next"]) == ([], {"until": "lead", "players": ["Ada", "Ben"]})
    told = tally(*acts, act("meditate", "Ben"), kill("Ben", "Ada", 1))
    assert (told["winners"], told["ended_by"]) == (["Ben"], "draw_piles")


def test_dt_out_asks_for_the_piles_of_everybody_still_in():
    acts = kill("Ada", "Ben", 3), act("draw_pile_out", "Ada"), act("draw_pile_out", "Ben")
    assert tally(*acts, players=THREE)["ended_by"] is None
    assert tally(*acts, act("concede", "Cay"), players=THREE)["ended_by"] == "draw_piles"


def test_dt97_out_an_empty_draw_pile_ends_nothing():
    acts = kill("Ada", "Ben", 3), act("draw_pile_out", "Ada"), act("draw_pile_out", "Ben")
    told = tally(*acts, rules_1997=True)
    assert (told["ended_by"], told["next"]) == (None, None)


def bare_turns(times, *others, name="Ada"):
    """Turns of `name` without a warrior, each followed by one of everybody else."""
    return [each for _ in range(times) for each in (act("turn", name, warriors=0), *round_of_turns(*others))]


def test_dt_nowarrior_three_turns_and_the_game_is_lost():
    assert [tally(*bare_turns(times))["countdown"] for times in (1, 2, 3)] == [{"Ada": 3}, {"Ada": 2}, {"Ada": 1}]
    told = tally(*bare_turns(2, "Ben"), act("turn", "Ada", warriors=0))
    assert told["ended_by"] is None
    told = tally(*bare_turns(3, "Ben"))
    assert (told["winners"], told["ended_by"], told["out"]) == (["Ben"], "no_warrior", {"Ada": "no_warrior"})
    assert not told["violations"]
    told = tally(*bare_turns(2, "Ben"), act("turn", "Ada", warriors=0), act("end_turn"))
    assert (told["winners"], told["ended_at"]) == (["Ben"], 6)


@pytest.mark.parametrize("saving", [act("muster", "Ada"), act("muster", "Ada", in_cover=True), act("fit", "Ada")])
def test_dt_nowarrior_any_warrior_that_fights_is_enough(saving):
    told = tally(*bare_turns(2, "Ben"), act("turn", "Ada", warriors=0), saving, act("turn", "Ben"))
    assert (told["countdown"], told["ended_by"]) == ({}, None)
    again = *bare_turns(1, "Ben"), saving, kill("Ben", "Ada", 1), act("turn", "Ada", warriors=0)
    assert tally(*again)["countdown"] == {"Ada": 3}


def test_dt_nowarrior_a_warrior_that_cannot_fight_saves_nobody():
    saving = act("muster", "Ada", fights=False, card="APOSTLE")
    told = tally(*bare_turns(2, "Ben"), act("turn", "Ada", warriors=0), saving, act("turn", "Ben"))
    assert told["ended_by"] == "no_warrior"


def test_dt_nowarrior_turns_told_with_a_warrior_end_the_count():
    assert tally(*bare_turns(2, "Ben"), act("turn", "Ada", warriors=1))["countdown"] == {}


def test_dt_nowarrior_says_nothing_of_tables_that_count_no_warriors():
    told = tally(*round_of_turns(*["Ada", "Ben"] * 5))
    assert (told["countdown"], told["ended_by"]) == ({}, None)


@pytest.mark.parametrize(
    ("before", "left"),
    [
        (round_of_turns("Ada", "Ben"), 3),
        ([*round_of_turns("Ada", "Ben"), act("muster", "Ben")], 2),
        ([*round_of_turns("Ada", "Ben"), act("muster", "Ada", fights=False)], 2),
        ([*round_of_turns(*["Ada", "Ben"] * 4), act("muster", "Ben")], 1),
        ([*round_of_turns("Ada", "Ben"), act("muster", "Ben"), kill("Ada", "Ben", 1)], 3),
        ([*round_of_turns("Ada", "Ben"), act("muster", "Ben"), kill("Ben", "Ada", 1)], 3),
    ],
)
def test_dt_nowarrior_turns_before_the_tables_first_warrior_count_too(before, left):
    """“At the beginning of any of your turns”: of a player who has never had a warrior, where warriors are written."""
    assert tally(*before, act("turn", "Ada", warriors=0))["countdown"] == {"Ada": left}
    assert tally(*before, act("draw_pile_out", "Ben"), act("turn", "Ada", warriors=0), sabotage="on")["countdown"] == {
        "Ada": 3
    }


def test_dt_nowarrior_among_several_the_others_play_on():
    told = tally(*bare_turns(3, "Ben", "Cay"), players=THREE)
    assert (told["out"], told["ended_by"]) == ({"Ada": "no_warrior"}, None)
    told = tally(*bare_turns(3, "Ben", "Cay"), act("meditate", "Ada"), players=THREE)
    assert broken(told) == [("DT-NOWARRIOR", 10)]


def test_dt_nowarrior_is_replaced_by_sabotage_until_a_draw_pile_is_empty():
    assert tally(*bare_turns(5, "Ben"), sabotage="on")["ended_by"] is None
    told = tally(*bare_turns(2, "Ben"), act("draw_pile_out", "Ben"), *bare_turns(2, "Ben"), sabotage="on")
    assert told["countdown"] == {"Ada": 2}
    told = tally(act("draw_pile_out", "Ben"), *bare_turns(3, "Ben"), sabotage="on")
    assert told["ended_by"] == "no_warrior"


def test_dt_multi_attacks_on_secondary_targets_cost_two_destiny():
    told = tally(act("attack_secondary", "Ada", target="Cay"), players=THREE, mode="primary_targets")
    assert (pools(told)["Ada"], told["violations"]) == ((0, 3), [])
    told = tally(*[act("attack_secondary", "Ada", target="Cay")] * 3, players=THREE, mode="primary_targets")
    assert (pools(told)["Ada"], broken(told)) == ((0, 0), [("DT-MULTI", 3)])


@pytest.mark.parametrize("mode", ["free_for_all", "primary_targets"])
def test_an_attack_after_everybody_has_left_is_objected_to_and_counted_on(mode):
    acts = [act("concede", name) for name in THREE]
    told = tally(*acts, act("attack_secondary", "Ada", target="Cay"), players=THREE, mode=mode)
    assert told["ended_by"] == "last_one"
    assert told["violations"] != []


@pytest.mark.parametrize(("attacker", "primary"), [("Ada", "Ben"), ("Ben", "Cay"), ("Cay", "Ada")])
def test_dt_multi_the_left_neighbour_is_the_primary_target(attacker, primary):
    told = tally(act("attack_secondary", attacker, target=primary), players=THREE, mode="primary_targets")
    assert broken(told) == [("DT-MULTI", 1)]
    assert primary in told["violations"][0]["message"]


def test_dt_multi_who_leaves_is_nobodys_primary_target():
    four = (*THREE, "Dan")
    acts = act("concede", "Ben"), act("attack_secondary", "Ada", target="Cay")
    assert broken(tally(*acts, players=four, mode="primary_targets")) == [("DT-MULTI", 2)]


@pytest.mark.parametrize(("players", "mode"), [(THREE, "free_for_all"), (("Ada", "Ben"), "primary_targets")])
def test_dt_multi_without_primary_targets_attacks_are_free(players, mode):
    told = tally(act("attack_secondary", "Ada", target="Ben"), players=players, mode=mode)
    assert broken(told) == [("DT-MULTI", 1)]


def test_dt_multi_teams_share_ten_destiny_points_and_their_promotion():
    told = tally(
        act("muster", "Ada", value=4), act("meditate", "Cay"), kill("Cay", "Ben", 5, promotion=3, destiny=2),
        kill("Ada", "Dan", 47), players=RED_AND_BLUE, target=50,
    )  # fmt: skip
    assert pools(told) == {"Red": (50, 9), "Blue": (0, 10)}
    assert told["winners"] == ["Red"]
    assert told["players"][0]["members"] == [{"name": "Ada", "destiny": None}, {"name": "Cay", "destiny": None}]
    assert [line.get("member") for line in told["players"][0]["lines"]] == [None, "Ada", "Cay", "Cay", "Ada"]


def test_dt_multi_acts_may_be_told_for_the_team():
    told = tally(kill("Red", "Blue", 5), act("spend", "Blue", destiny=3), players=RED_AND_BLUE)
    assert pools(told) == {"Red": (5, 10), "Blue": (0, 7)}
    with pytest.raises(DomainError, match="whose turn"):
        tally(act("turn", "Red"), players=RED_AND_BLUE)


def test_dt_multi_teams_are_of_one_size():
    uneven = ({"name": "Red", "members": ["Ada", "Cay"]}, {"name": "Blue", "members": ["Ben"]})
    assert broken(tally(players=uneven)) == [("DT-MULTI", None)]


def test_dt_multi_a_team_is_out_with_its_last_member():
    told = tally(act("concede", "Ada"), players=RED_AND_BLUE)
    assert told["ended_by"] is None
    told = tally(act("concede", "Ada"), act("concede", "Cay"), players=RED_AND_BLUE)
    assert (told["winners"], told["ended_by"]) == (["Blue"], "last_one")
    assert tally(act("concede", "Red"), players=RED_AND_BLUE)["winners"] == ["Blue"]


def test_dt97_teampool_promotion_is_shared_and_destiny_is_not():
    told = tally(
        act("muster", "Ada", value=4), act("meditate", "Cay"), kill("Cay", "Ben", 5, promotion=3, destiny=2),
        act("cover", "Ada", value=3), players=RED_AND_BLUE, team_pool="promotion",
    )  # fmt: skip
    red, blue = told["players"]
    assert red["members"] == [{"name": "Ada", "destiny": 0}, {"name": "Cay", "destiny": 8}]
    assert (red["promotion"], red["destiny"], blue["destiny"]) == (1, 8, 10)
    with pytest.raises(DomainError, match="Name the member of “Red”"):
        tally(act("meditate", "Red"), players=RED_AND_BLUE, team_pool="promotion")


CALLED = act("time_called")


def in_time(*acts, players=("Ada", "Ben")):
    return tally(*acts, players=players, rules_1997=True)


def test_dt97_time_is_called_unless_there_is_no_end_on_time():
    """The rulebook has no time limit; an event with a clock needs one."""
    assert broken(tally(CALLED, time="none")) == [("DT97-TIME", 1)]
    assert not tally(CALLED)["violations"]
    assert not in_time(CALLED)["violations"]


def test_dt25_time_is_one_more_turn_each():
    acts = kill("Ada", "Ben", 3), act("turn", "Ada"), CALLED
    told = tally(*acts, time="one_turn")
    assert told["next"] == {"until": "turn_end", "players": ["Ada"]}
    told = tally(*acts, *round_of_turns("Ben"), time="one_turn")
    assert (told["ended_by"], told["next"]["until"], told["next"]["turns"]) == (
        None,
        "last_turns",
        {"Ada": 1, "Ben": 1},
    )
    last = *acts, *round_of_turns("Ben"), kill("Ben", "Ada", 4), act("turn", "Ada"), act("end_turn")
    told = tally(*last, time="one_turn")
    assert (told["winners"], told["ended_by"], told["violations"]) == (["Ben"], "time", [])


def test_time_with_one_more_turn_each_ends_at_the_target_and_with_the_last_one():
    acts = CALLED, act("turn", "Ada"), kill("Ada", "Ben", 40)
    assert tally(*acts, time="one_turn")["ended_by"] == "target"
    assert tally(CALLED, act("concede", "Ben"), time="one_turn")["winners"] == ["Ada"]


def test_tie_after_the_last_turns_is_decided_as_by_the_rules_of_1997():
    acts = CALLED, *round_of_turns("Ada", "Ben"), act("end_turn")
    assert tally(*acts, time="one_turn")["next"] == {"until": "warriors", "players": ["Ada", "Ben"]}


def test_dt97_time_the_turn_is_finished_then_more_promotion_wins():
    acts = act("turn", "Ada"), kill("Ada", "Ben", 3), act("turn", "Ben"), CALLED
    told = in_time(*acts)
    assert (told["ended_by"], told["next"]) == (None, {"until": "turn_end", "players": ["Ben"]})
    assert in_time(*acts, act("end_turn"))["winners"] == ["Ada"]
    told = in_time(*acts, kill("Ben", "Ada", 4), act("turn", "Ada"))
    assert (told["winners"], told["ended_by"], told["violations"]) == (["Ben"], "time", [])


def test_dt97_time_then_more_warriors_in_play_win():
    acts = act("turn", "Ada"), CALLED, act("end_turn")
    assert in_time(*acts)["next"] == {"until": "warriors", "players": ["Ada", "Ben"]}
    one = *acts, act("warriors_in_play", "Ada", count=2)
    assert in_time(*one)["next"] == {"until": "warriors", "players": ["Ben"]}
    told = in_time(*one, act("warriors_in_play", "Ben", count=3))
    assert (told["winners"], told["ended_by"]) == (["Ben"], "time")


def test_dt97_time_then_the_tied_take_three_more_turns_each():
    counted = act("warriors_in_play", "Ada", count=2), act("warriors_in_play", "Ben", count=2)
    acts = act("turn", "Ada"), CALLED, act("end_turn"), *counted
    assert in_time(*acts)["next"]["turns"] == {"Ada": 3, "Ben": 3}
    turns = round_of_turns("Ben", "Ada", "Ben", "Ada", "Ben", "Ada")
    told = in_time(*acts, *turns, kill("Ada", "Ben", 1))
    assert (told["ended_by"], told["next"]["turns"]) == (None, {"Ada": 1, "Ben": 0})
    told = in_time(*acts, *turns, kill("Ada", "Ben", 1), act("end_turn"))
    assert (told["winners"], told["ended_by"]) == (["Ada"], "time")
    told = in_time(*acts, *turns, act("end_turn"))
    assert told["next"] == {"until": "warriors", "players": ["Ada", "Ben"]}, "still equal: all over again"


def test_dt97_time_a_turn_too_many_delays_nothing():
    counted = act("warriors_in_play", "Ada", count=2), act("warriors_in_play", "Ben", count=2)
    acts = CALLED, *counted, *round_of_turns("Ada", "Ada", "Ada", "Ada", "Ben", "Ben", "Ben")
    told = in_time(*acts, kill("Ben", "Ada", 1), act("end_turn"))
    assert (told["winners"], told["ended_by"]) == (["Ben"], "time")


def test_dt97_time_only_the_tied_go_on():
    acts = kill("Ada", "Ben", 3), kill("Ben", "Ada", 3), CALLED
    assert in_time(*acts, players=THREE)["next"] == {"until": "warriors", "players": ["Ada", "Ben"]}
    told = in_time(*acts, act("concede", "Ada"), players=THREE)
    assert (told["winners"], told["ended_by"]) == (["Ben"], "time")


def test_dt97_time_of_teams_counts_the_warriors_of_all_members():
    acts = CALLED, act("warriors_in_play", "Red", count=3), act("warriors_in_play", "Ben", count=2)
    assert in_time(*acts, players=RED_AND_BLUE)["next"] == {"until": "warriors", "players": ["Blue"]}
    told = in_time(*acts, act("warriors_in_play", "Dan", count=2), players=RED_AND_BLUE)
    assert told["winners"] == ["Blue"]


def test_dt_cardrule_what_a_card_gives_and_takes():
    told = tally(
        act("gain", "Ada", promotion=3, card="A"), act("gain", "Ada", promotion=-5, destiny=-2, card="B"),
        act("win", "Ben", card="C"),
    )  # fmt: skip
    assert pools(told)["Ada"] == (0, 3)
    assert (told["winners"], told["ended_by"]) == (["Ben"], "card")


def test_concession_leaves_the_last_one():
    told = tally(kill("Ada", "Ben", 9), act("concede", "Ada"))
    assert (told["winners"], told["ended_by"]) == (["Ben"], "last_one")
    assert broken(tally(act("concede", "Ada"), act("meditate", "Ada"), players=THREE)) == [("DT-OWN", 2)]


def test_limits_stop_the_tally_unless_they_are_off():
    unlawful = kill("Ada", "Ben", 7, promotion=8), act("spend", "Ben", destiny=6)
    with pytest.raises(DomainError) as caught:
        TALLIER.tally(sheet_of(*unlawful))
    assert caught.value.code == "bad_sheet"
    assert caught.value.message.startswith("act 1 (kill): 8 P plus 0 D isn't 7")
    assert [told["rule"] for told in caught.value.details["violations"]] == ["DT-KILL", "DT-START"]
    assert caught.value.details["violations"] == tally(*unlawful)["violations"]


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({}, "2 or more players"),
        ([], "object"),
        ({"players": [{"name": "Ada"}, {"name": "Ada"}]}, "Two players are called “Ada”"),
        ({"players": [{"name": "Ada"}, {"name": " "}]}, "player 2"),
        ({"players": [{"name": "Red", "members": ["Ben", "Cay"]}, {"name": "Ben"}]}, "Two players are called “Ben”"),
        (sheet_of({"act": "kil", "player": "Ada"}), "act 1"),
        (sheet_of({"player": "Ada"}), "“act” is missing"),
        (sheet_of(act("kill", "Ada", victim="Ben")), "“value” is missing"),
        (sheet_of(act("kill", "Ada", victim="Eve", value=3)), "Eve is not on this sheet"),
        (sheet_of(act("kill", "Eve", victim="Ada", value=3)), "Eve is not on this sheet"),
        (sheet_of(act("meditate")), "is not on this sheet"),
        (sheet_of(act("kill", "Ada", victim="Ben", value=3, promotoin=3)), "Did you mean “promotion”?"),
        (sheet_of(act("kill", "Ada", victim="Ben", value="3")), "“value”"),
        (sheet_of(act("spend", "Ada", destiny=-3)), "“destiny”"),
        (sheet_of(act("meditate", "Ada"), sabotage="yes"), "sabotage"),
        (sheet_of(act("meditate", "Ada"), sabotge="on"), "sabotage"),
        (sheet_of(act("meditate", "Ada"), target=0), "target"),
    ],
)
def test_a_sheet_that_cannot_be_tallied_says_where_it_is_wrong(sheet, said):
    with pytest.raises(DomainError) as caught:
        TALLIER.tally(sheet)
    assert caught.value.code == "bad_sheet"
    assert said in caught.value.message


def test_result_of_an_open_game_is_refused():
    with pytest.raises(DomainError, match="not over"):
        TALLIER.result(tally())


def test_result_of_two_tells_how_the_game_was_won():
    result = TALLIER.result(tally(kill("Ben", "Ada", 41)))
    assert (result.games_won, result.placings, result.scores) == ((0, 1), (2, 1), (0, 41))
    assert result.games == (GameResult(1, "target"),)
    check_result(result, 2, MatchLength(1))
    facts = get_system("doomtrooper").match
    check_game_facts(result.games, facts.win_kinds, ())
    assert set(WIN_KINDS.values()) <= set(facts.win_kinds)


def test_result_of_several_follows_promotion_points():
    told = tally(kill("Cay", "Ben", 40), kill("Ada", "Ben", 3, same_combat=True), players=(*THREE, "Dan"))
    result = TALLIER.result(told)
    assert (result.placings, result.scores, result.games) == ((2, 3, 1, 3), (3, 0, 40, 0), ())
    check_result(result, 4, MatchLength(1))


def test_result_places_who_left_below_and_keeps_everybody_s_scores():
    told = tally(
        kill("Ada", "Ben", 30), act("concede", "Ada"), act("concede", "Cay"), kill("Ben", "Dan", 40),
        players=(*THREE, "Dan"),
    )  # fmt: skip
    result = TALLIER.result(told)
    assert result.placings == (4, 1, 3, 2)
    assert result.scores == (30, 40, 0, 0)
    check_result(result, 4, MatchLength(1), scores_rank=False)
    with pytest.raises(DomainError, match="don't match"):
        check_result(result, 4, MatchLength(1))


def test_result_of_teams_is_one_total_a_team():
    result = TALLIER.result(tally(kill("Ada", "Ben", 30), kill("Cay", "Dan", 20), players=RED_AND_BLUE, target=50))
    assert result.scores == (Fraction(50), Fraction(0))
    assert result.placings == (1, 2)


def test_dt_start_all_there_is_may_be_paid():
    assert not tally(act("muster", "Ada", value=5), act("spend", "Ben", destiny=5))["violations"]


def test_dt_target_met_exactly_by_both_is_played_off():
    both = kill("Ada", "Ben", 25), kill("Ben", "Ada", 25, same_combat=True)
    assert tally(*both, target=25)["next"] == {"until": "lead", "players": ["Ada", "Ben"]}


def test_what_comes_after_the_end_changes_neither_winner_nor_turn():
    told = tally(act("turn", "Ada"), kill("Ada", "Ben", 40), act("turn", "Ben"), act("win", "Ben", card="LATE"))
    assert (told["winners"], told["ended_by"], told["turn"]) == (["Ada"], "target", "Ada")
    assert broken(told) == [("DT-TARGET", 3), ("DT-TARGET", 4)]


def test_dt_sabotage_knows_who_has_no_warrior_by_their_count():
    none, some = act("warriors_in_play", "Ben", count=0), act("warriors_in_play", "Ben", count=2)
    armed = act("turn", "Ada"), act("turn", "Ben", warriors=1), act("turn", "Ada")
    assert not tally(*armed, none, SABOTAGE, sabotage="on")["violations"]
    assert broken(tally(*FIRST_ROUND, some, SABOTAGE, sabotage="on")) == [("DT-SABOTAGE", 5)]
    bare = act("turn", "Ada"), act("turn", "Ben", warriors=0), act("turn", "Ada")
    assert not tally(*bare, some, SABOTAGE, sabotage="on")["violations"], "those in play may be unable to fight"


def test_dt_sabotage_of_a_team_that_is_named_as_one():
    turns = [*round_of_turns("Ada", "Ben", "Cay", "Dan"), act("turn", "Ada")]
    blue = act("sabotage", "Ada", target="Blue", value=4)
    assert not tally(*turns, blue, players=RED_AND_BLUE, sabotage="on")["violations"]
    told = tally(*turns, blue, blue, players=RED_AND_BLUE, sabotage="on")
    assert broken(told) == [("DT-SABOTAGE", 7)]
    assert "Blue was already sabotaged" in told["violations"][0]["message"]
    red = act("sabotage", "Red", target="Ben", value=4)
    assert tally(*turns, red, players=RED_AND_BLUE, sabotage="on")["violations"][0]["player"] == "Red"


def test_dt_multi_without_primary_targets_every_attack_is_free():
    assert broken(tally(act("attack_secondary", "Ada", target="Cay"), players=THREE)) == [("DT-MULTI", 1)]


def test_dt_multi_every_member_of_the_larger_team_takes_turns():
    uneven = ({"name": "Red", "members": ["Ada", "Cay"]}, {"name": "Blue", "members": ["Ben"]})
    told = tally(act("turn", "Cay", warriors=0), players=uneven)
    assert (told["turn"], told["countdown"]) == ("Cay", {"Cay": 3})


def test_a_team_of_one_is_a_player():
    alone = ({"name": "Ada", "members": ["A"]}, "Ben")
    assert "members" not in tally(players=alone)["players"][0]
    assert [line.get("member") for line in tally(players=alone)["players"][0]["lines"]] == [None]
    with pytest.raises(DomainError, match="A is not on this sheet"):
        tally(act("meditate", "A"), players=alone)


def test_result_of_teams_ranks_a_team_by_its_last_member():
    green = {"name": "Green", "members": ["Eve", "Fox"]}
    acts = [act("concede", name) for name in ("Ada", "Ben", "Dan", "Cay")]
    told = tally(*acts, players=(*RED_AND_BLUE, green))
    assert (told["winners"], TALLIER.result(told).placings) == (["Green"], (2, 3, 1))
    told = tally(act("concede", "Ada"), kill("Ben", "Eve", 3), kill("Dan", "Fox", 40), players=(*RED_AND_BLUE, green))
    assert TALLIER.result(told).placings == (2, 1, 2)


def test_dt_multi_the_larger_team_is_out_with_its_last_member():
    uneven = ({"name": "Red", "members": ["Ada", "Cay"]}, {"name": "Blue", "members": ["Ben"]})
    assert tally(act("concede", "Ada"), players=uneven)["ended_by"] is None


TO_20 = {"target": 20}
"""Three games to 20, as Luna played them in 2020."""


def test_dt_target_each_game_of_a_match_begins_anew_and_counts_as_one():
    told = tally(
        act("meditate", "Ada"), kill("Ada", "Ben", 21),
        act("next_game"), kill("Ben", "Ada", 19), kill("Ben", "Ada", 4),
        act("next_game"), act("concede", "Ben"),
        **TO_20,
    )  # fmt: skip
    assert told["violations"] == []
    assert [game["winner"] for game in told["games"]] == [0, 1, 0]
    assert [game["promotion"] for game in told["games"]] == [[21, 0], [0, 23], [0, 0]]
    assert [(side["score"], side["promotion"], side["destiny"]) for side in told["players"]] == [(2, 21, 5), (1, 23, 5)]
    assert told["winners"] == ["Ada"]
    result = TALLIER.result(told)
    check_result(result, 2, MatchLength(3), scores_rank=False)
    assert result.games_won == (2, 1)
    assert result.games == (GameResult(0, "target"), GameResult(1, "target"), GameResult(0, "concession"))
    check_game_facts(result.games, list(WIN_KINDS.values()), ())


def test_dt_target_the_next_game_begins_after_the_one_before():
    told = tally(kill("Ada", "Ben", 9), act("next_game"), kill("Ben", "Ada", 21), **TO_20)
    assert broken(told) == [("DT-TARGET", 2)]
    with pytest.raises(DomainError, match="not over"):
        TALLIER.result(told)
    going_on = tally(kill("Ada", "Ben", 21), act("next_game"), kill("Ben", "Ada", 9), **TO_20)
    assert (going_on["winners"], going_on["turn"], going_on["ended_by"]) == (["Ada"], None, None)
    with pytest.raises(DomainError, match="not over"):
        TALLIER.result(going_on)


def test_dt_size_of_a_deck_is_said_once_a_match():
    players = ({"name": "Ada", "deck_size": 59}, "Ben")
    assert broken(tally(kill("Ada", "Ben", 40), act("next_game"), players=players)) == [("DT-SIZE", None)]


def test_dt_multi_a_table_of_three_plays_one_game():
    with pytest.raises(DomainError, match="two sides"):
        tally(kill("Ada", "Ben", 40), act("next_game"), players=THREE)


def test_a_tally_stored_before_matches_had_games_is_still_a_result():
    told = tally(kill("Ada", "Ben", 40))
    old = {key: value for key, value in told.items() if key != "games"}
    assert TALLIER.result(old) == TALLIER.result(told)
