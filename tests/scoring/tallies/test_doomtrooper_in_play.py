"""The cards in play in a game of Doomtrooper, clause by clause, as the ledger's entries bring, change and take them."""

import pytest

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.messages import Message
from scoring.games.doomtrooper.tally import tally
from scoring.games.doomtrooper.tally.in_play import lay_out
from scoring.games.doomtrooper.tally.sheet import read_sheet
from tests.scoring.tallies.test_doomtrooper import act, kill, sheet_of

RANGER, SEAN = "Venusian Ranger", "Sean Gallagher"
BOOK, TUBES = "The Book of Law", "Battle of the Tubes"
KNOWN = {
    normalise_name(card.name): card
    for card in (
        CardFacts(SEAN, "Warrior", fields={"value": "9", "personality": "yes"}),
        CardFacts(RANGER, "Warrior", fields={"value": "4", "personality": "no"}),
        CardFacts(BOOK, "Relic"),
        CardFacts(TUBES, "Warzone"),
        CardFacts("Alliance of Bauhaus", "Alliance"),
        CardFacts("Alliance of Capitol", "Alliance"),
        CardFacts("Sudden Strike", "Special"),
        CardFacts("Improve Self", "Art"),
        CardFacts("Shield", "Equipment"),
    )
}


def laid(*acts, players=("Ada", "Ben"), discarded=(), **options):
    return lay_out(read_sheet(sheet_of(*acts, players=players, **options)), KNOWN, discarded)


def muster(player, card="", **facts):
    return act("muster", player, **({"card": card} if card else {}), **facts)


def state(table, owner="Ada"):
    """Name of each card of a player with what is so of it."""
    states = ("in_cover", "is_unpaid", "is_wounded")
    return [(card.name, *(each for each in states if getattr(card, each))) for card in table.of(owner)]


def clauses(table):
    return {number: [mark.clause for mark in marks] for number, marks in table.marks.items()}


def test_a_warrior_comes_with_its_printed_value_and_leaves_when_it_is_killed():
    came = [muster("Ada", RANGER), muster("Ben", SEAN)]
    assert [(card.name, card.value) for card in laid(*came).cards] == [(RANGER, 4), (SEAN, 9)]
    assert state(laid(*came, kill("Ben", "Ada", 4, card="venusian  ranger"))) == []
    assert state(laid(*came, kill("Ben", "Ada", 4, card="venusian  ranger")), "Ben") == [(SEAN,)]


@pytest.mark.parametrize(
    ("acts", "left"),
    [([muster("Ada", RANGER), muster("Ada", RANGER), act("wound", "Ada", card=RANGER)], [(RANGER,)]),
     ([muster("Ada"), muster("Ada", RANGER)], [("",)]),
     ([muster("Ada", SEAN), muster("Ada")], [(SEAN,)]),
     ([muster("Ada", SEAN), muster("Ada", RANGER), muster("Ada", RANGER)], [(SEAN,), (RANGER,)])],
)  # fmt: skip
def test_of_several_the_wounded_one_of_the_name_dies_and_else_one_that_nobody_named(acts, left):
    assert state(laid(*acts, kill("Ben", "Ada", 4, card=RANGER))) == left


def test_a_kill_without_a_name_takes_the_only_warrior_and_of_several_none():
    assert state(laid(muster("Ada", RANGER), kill("Ben", "Ada", 4))) == []
    two = [muster("Ada", RANGER), muster("Ada", SEAN)]
    assert state(laid(*two, kill("Ben", "Ada", 4))) == [(RANGER,), (SEAN,)]


def test_a_card_that_was_never_written_down_is_not_missed():
    assert state(laid(kill("Ben", "Ada", 4, card=RANGER), act("wound", "Ada"), act("discard", "Ada", card=BOOK))) == []


def test_wounds_heal_and_cover_is_sought_and_left():
    came = [muster("Ada", RANGER), muster("Ada", SEAN)]
    hurt = laid(*came, act("wound", "Ada", card=RANGER), act("seek", "Ada", card=RANGER))
    assert state(hurt) == [(RANGER, "in_cover", "is_wounded"), (SEAN,)]
    well = laid(*came, act("wound", "Ada", card=RANGER), act("seek", "Ada", card=RANGER),
                act("heal", "Ada", card=RANGER), act("exit", "Ada", card=RANGER))  # fmt: skip
    assert state(well) == [(RANGER,), (SEAN,)]


def test_dt_seek_one_warrior_stays_out_of_cover():
    both = [muster("Ada", RANGER), muster("Ada", SEAN), act("seek", "Ada", card=RANGER)]
    assert clauses(laid(*both)) == {}
    assert clauses(laid(*both, act("seek", "Ada", card=SEAN))) == {4: ["DT-SEEK-ONE"]}


def test_dt_cover_a_warrior_mustered_in_cover_has_no_name_until_it_is_revealed():
    hidden = [muster("Ada", in_cover=True)]
    assert state(laid(*hidden)) == [("", "in_cover", "is_unpaid")]
    assert state(laid(*hidden, act("cover", "Ada", value=4, card=RANGER))) == [(RANGER,)]


def test_dt_cover_one_that_cannot_be_paid_for_leaves_play():
    acts = [muster("Ada", in_cover=True), act("cover", "Ada", value=9, card=SEAN)]
    lines = tally(sheet_of(*acts, check_limits=False))["players"][0]["lines"]
    lost = {line["act"] for line in lines if line.get("discarded")}
    assert lost == {2}
    assert state(laid(*acts, discarded=lost)) == []


def test_dt_seek_a_warrior_attacked_in_cover_stays_there_and_one_shown_in_its_own_turn_has_left_it():
    hidden, shown = [act("turn", "Ben"), muster("Ben", in_cover=True)], act("cover", "Ben", value=4, card=RANGER)
    assert state(laid(*hidden, act("turn", "Ada"), shown), "Ben") == [(RANGER, "in_cover")]
    assert state(laid(*hidden, act("turn", "Ada"), act("turn", "Ben"), shown), "Ben") == [(RANGER,)]
    again = muster("Ben", SEAN), act("turn", "Ada"), act("cover", "Ben", value=9, card=SEAN)
    assert state(laid(*hidden, *again, discarded={5}), "Ben") == [(SEAN,)], "the one that was shown is lost"


def test_dt_personality_one_shown_in_cover_is_in_play():
    hidden = [act("turn", "Ben"), muster("Ben", in_cover=True), act("turn", "Ada")]
    acts = [*hidden, act("cover", "Ben", value=9, card=SEAN), muster("Ada", SEAN)]
    assert clauses(laid(*acts)) == {5: ["DT-PERSONALITY"]}
    assert clauses(laid(*hidden, muster("Ada", SEAN))) == {}


def test_dt_personality_one_of_each_over_all_players_and_again_after_its_death():
    twice = [muster("Ada", SEAN), muster("Ben", SEAN)]
    assert clauses(laid(*twice)) == {2: ["DT-PERSONALITY"]}
    assert clauses(laid(twice[0], kill("Ben", "Ada", 9, card=SEAN), twice[1])) == {}
    assert clauses(laid(muster("Ada", RANGER), muster("Ben", RANGER))) == {}


def test_dt_relic_the_same_one_is_in_play_once():
    one = act("enter", "Ada", card=BOOK)
    assert clauses(laid(one, act("enter", "Ben", card=BOOK))) == {2: ["DT-RELIC"]}
    assert clauses(laid(one, act("discard", "Ada", card=BOOK), act("enter", "Ben", card=BOOK))) == {}


def test_dt_warzone_one_copy_a_player():
    one = act("enter", "Ada", card=TUBES)
    assert clauses(laid(one, act("enter", "Ben", card=TUBES))) == {}
    assert clauses(laid(one, one)) == {2: ["DT-WARZONE"]}


def test_dt_alliance_one_a_player_and_never_the_same():
    one = act("enter", "Ada", card="Alliance of Bauhaus")
    assert clauses(laid(one, act("enter", "Ada", card="Alliance of Capitol"))) == {2: ["DT-ALLIANCE"]}
    assert clauses(laid(one, act("enter", "Ben", card="Alliance of Bauhaus"))) == {2: ["DT-ALLIANCE"]}
    assert clauses(laid(one, act("enter", "Ben", card="Alliance of Capitol"))) == {}


@pytest.mark.parametrize(
    ("acts", "left"),
    [([], 3), ([act("meditate", "Ada")], 2), ([muster("Ada", RANGER), act("seek", "Ada")], 1),
     ([muster("Ada", in_cover=True)], 0), ([act("enter", "Ada", card="Alliance of Bauhaus")], 3),
     ([act("enter", "Ada", card=BOOK)], 2), ([act("meditate", "Ben")], 3), ([act("wound", "Ben")], 3),
     ([act("enter", "Ada", card=name) for name in ("Sudden Strike", "Improve Self")], 3),
     ([act("enter", "Ada", card="Shield")], 2), ([act("attack", "Ada")], 0), ([act("attack", "Ben")], 3)],
)  # fmt: skip
def test_dt_actions_of_a_turn_that_are_left(acts, left):
    assert laid(act("turn", "Ada"), *acts).actions_left == left
    assert laid(act("turn", "Ada"), *acts, act("turn", "Ben")).actions_left == 3
    assert laid(act("turn", "Ada"), *acts, act("end_turn")).actions_left is None


def test_dt_actions_are_three_and_the_attack_is_the_last():
    turn, think = act("turn", "Ada"), act("meditate", "Ada")
    assert clauses(laid(turn, think, think, think)) == {}
    assert clauses(laid(turn, think, think, think, think)) == {5: ["DT-ACTIONS"]}
    later = [turn, act("turn", "Ben"), turn]
    fought = laid(*later, kill("Ada", "Ben", 4))
    assert fought.actions_left == 0
    assert clauses(laid(*later, kill("Ada", "Ben", 4), think)) == {5: ["DT-ACTIONS"]}


def test_dt_attack_is_none_in_a_players_first_turn():
    assert clauses(laid(act("turn", "Ada"), kill("Ada", "Ben", 4))) == {2: ["DT-ATTACK"]}
    assert clauses(laid(act("turn", "Ada"), act("turn", "Ben"), act("turn", "Ada"), kill("Ada", "Ben", 4))) == {}


def test_dt_attack_is_one_a_turn_unless_both_kills_are_of_one_combat():
    later = [act("turn", "Ada"), act("turn", "Ben"), act("turn", "Ada"), kill("Ada", "Ben", 4)]
    assert clauses(laid(*later, kill("Ada", "Ben", 4))) == {5: ["DT-ATTACK"]}
    assert clauses(laid(*later, kill("Ben", "Ada", 4, same_combat=True))) == {}


LATER = [act("turn", name) for name in ("Ada", "Ben", "Cay", "Ada")]
ATTACK, PAID = act("attack", "Ada"), act("attack_secondary", "Ada", target="Cay")


@pytest.mark.parametrize(
    ("acts", "marks"),
    [
        ([ATTACK, act("wound", "Ben"), kill("Ada", "Ben", 4)], {}),
        ([ATTACK, kill("Ben", "Ada", 4), kill("Ada", "Ben", 4, same_combat=True)], {}),
        ([PAID, ATTACK, kill("Ada", "Cay", 4)], {}),
        ([PAID, kill("Ada", "Cay", 4), kill("Ben", "Ada", 4, same_combat=True)], {}),
        ([ATTACK, act("meditate", "Ada")], {6: ["DT-ACTIONS"]}),
        ([PAID, act("meditate", "Ada")], {6: ["DT-ACTIONS"]}),
        ([ATTACK, ATTACK], {6: ["DT-ATTACK"]}),
        ([PAID, PAID], {6: ["DT-ATTACK"]}),
        ([ATTACK, PAID], {6: ["DT-ATTACK"]}),
        ([kill("Ada", "Ben", 4), ATTACK], {6: ["DT-ATTACK"]}),
        ([ATTACK, kill("Ada", "Ben", 4), kill("Ada", "Ben", 4)], {7: ["DT-ATTACK"]}),
        ([act("turn", "Ben"), ATTACK, PAID], {}),
    ],
)
def test_dt_attack_is_an_attack_without_a_kill_too_and_the_kill_that_follows_is_the_same(acts, marks):
    three = {"players": ("Ada", "Ben", "Cay"), "mode": "primary_targets"}
    assert clauses(laid(*LATER, *acts, **three)) == marks


@pytest.mark.parametrize("attack", [ATTACK, PAID])
def test_dt_attack_in_a_first_turn_is_marked_once_and_may_come_in_the_second(attack):
    three = {"players": ("Ada", "Ben", "Cay"), "mode": "primary_targets"}
    first = laid(act("turn", "Ada"), attack, kill("Ada", "Cay", 4), **three)
    assert clauses(first)[2] == ["DT-ATTACK"]
    assert "DT-ATTACK" not in clauses(first).get(3, [])
    assert clauses(laid(*LATER, attack, **three)) == {}


def test_dt_multi_a_kill_at_a_secondary_target_is_marked_unless_it_was_paid_for():
    three = ("Ada", "Ben", "Cay")
    begun = [act("turn", name) for name in three] + [act("turn", "Ada")]
    table = {"players": three, "mode": "primary_targets"}
    assert clauses(laid(*begun, kill("Ada", "Ben", 4), **table)) == {}
    assert clauses(laid(*begun, kill("Ada", "Cay", 4), **table)) == {5: ["DT-MULTI"]}
    assert clauses(laid(*begun, act("attack_secondary", "Ada", target="Cay"), kill("Ada", "Cay", 4), **table)) == {}
    sheet = read_sheet(sheet_of(*begun, kill("Ada", "Cay", 4), **table))
    assert clauses(lay_out(sheet, KNOWN, out=["Ben"])) == {}, "the left neighbour is out"
    assert clauses(laid(*begun, kill("Ada", "Cay", 4), players=three)) == {}


def test_no_attack_is_offered_to_a_player_without_a_warrior():
    turns = act("turn", "Ada"), act("turn", "Ben"), act("turn", "Ada")
    assert laid(*turns).may_attack, "nobody said what is in play"
    assert laid(muster("Ada", RANGER), *turns).may_attack
    assert not laid(muster("Ben", SEAN), *turns).may_attack


def test_dt_nowarrior_is_told_once_warriors_are_written_down():
    assert not laid(act("turn", "Ada")).lacks_warrior("Ada"), "nobody said what is in play"
    table = laid(muster("Ada", RANGER), muster("Ben", SEAN, fights=False))
    assert [table.lacks_warrior(name) for name in ("Ada", "Ben")] == [False, True]
    assert laid(muster("Ada", RANGER), act("leave", "Ada", card=RANGER)).lacks_warrior("Ada")
    for said in (act("fit", "Ben"), act("turn", "Ben", warriors=1)):
        told = laid(muster("Ada", RANGER), said), laid(muster("Ada", RANGER), said, act("leave", "Ben"))
        assert [table.lacks_warrior("Ben") for table in told] == [False, True]
    assert laid(muster("Ada", RANGER), act("fit", "Ben"), act("turn", "Ben", warriors=0)).lacks_warrior("Ben")


def test_who_leaves_the_game_takes_the_cards_along():
    assert state(laid(muster("Ada", RANGER), act("concede", "Ada"), players=("Ada", "Ben", "Cay"))) == []


def test_cards_in_play_earn_and_cost_nothing():
    told = tally(sheet_of(act("enter", "Ada", card=BOOK), act("wound", "Ada"), act("heal", "Ada"), act("seek", "Ada"),
                          act("exit", "Ada"), act("leave", "Ada"), act("discard", "Ada", card=BOOK)))  # fmt: skip
    assert [(player["promotion"], player["destiny"]) for player in told["players"]] == [(0, 5), (0, 5)]
    assert told["violations"] == []


def test_a_warrior_of_a_team_belongs_to_its_member():
    teams = ({"name": "Red", "members": ["Ada", "Cay"]}, {"name": "Blue", "members": ["Ben", "Dan"]})
    table = laid(muster("Cay", RANGER), kill("Ben", "Cay", 4, card=RANGER), players=teams, mode="teams")
    assert table.cards == []
    assert isinstance(laid(muster("Ada", SEAN), muster("Ben", SEAN)).marks[2][0].words, Message)
