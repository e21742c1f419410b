"""Every clause DL-* that is about scoring, limits or winning, each by a test named after it.

See docs/how-it-works/score-sheets.md#doomlings.
"""

import pytest

from rules_engine.errors import DomainError
from scoring.games.doomlings.tally import TALLIER, questions, tally

TOLD = {"check_limits": False}


def player(*traits, **more):
    return {"traits": list(traits), **more}


def table(*players, **more):
    """A table as the book allows it: one player plays the solo variation."""
    solo = {"genetic_mishap": True} if len(players) == 1 else {}
    return {"players": list(players), **more, "options": {**solo, **more.get("options", {})}}


def rules_of(sheet):
    """The clauses that a sheet breaks, told and not refused."""
    return [each["rule"] for each in tally({**sheet, "options": {**TOLD, **sheet.get("options", {})}})["violations"]]


def assert_refused(sheet, *clauses):
    """A sheet goes back with these clauses, and is tallied with them where limits are only told."""
    with pytest.raises(DomainError) as refused:
        tally(sheet)
    assert refused.value.code == "bad_sheet"
    assert [each["rule"] for each in refused.value.details["violations"]] == list(clauses) == rules_of(sheet)
    assert all(each["message"] in refused.value.message for each in refused.value.details["violations"])
    return refused.value.details["violations"]


def test_dl_score_adds_face_values_bonuses_and_the_gold_text():
    sheet = table(player("Tiny", "Egg Clusters", "Antlers", name="Ada"), catastrophe="Ice Age")
    assert tally(sheet)["players"] == [
        {
            "name": "Ada", "score": 17, "face_value": 19, "bonus": -1, "catastrophe": -1,
            "lines": [
                {"card": "Tiny", "kind": "face", "points": 17},
                {"card": "Egg Clusters", "kind": "face", "points": -1},
                {"card": "Antlers", "kind": "face", "points": 3},
                {"card": "Tiny", "kind": "bonus", "points": -3},
                {"card": "Egg Clusters", "kind": "bonus", "points": 2},
                {"card": "Ice Age", "kind": "catastrophe", "points": -1},
            ],
        }
    ]  # fmt: skip


def test_dl_score_answers_just_what_is_documented():
    answer = tally(table(player("Tiny")))
    assert list(answer) == ["players", "winners", "violations"]
    assert list(answer["players"][0]) == ["name", "score", "face_value", "bonus", "catastrophe", "lines"]


def test_dl_score_has_a_line_for_a_face_of_0_and_none_for_an_empty_face():
    lines = tally(table(player("Mindful", "Kidney")))["players"][0]["lines"]
    assert [(line["card"], line["kind"]) for line in lines] == [
        ("Mindful", "face"), ("Mindful", "bonus"), ("Kidney", "bonus"),
    ]  # fmt: skip


def test_dl_score_counts_every_copy_of_a_bonus():
    assert tally(table(player("Kidney", "Kidney", "Kidney")))["players"][0]["bonus"] == 9


def test_dl_score_takes_three_sums_in_a_hurry():
    hurried = {"name": "Ada", "sums": {"face_value": 20, "bonus": 7, "catastrophe": -3}}
    answer = tally(table(hurried, {"name": "Ben", "sums": {"face_value": 5}}))
    assert answer["winners"] == ["Ada"]
    assert answer["players"][0] == {
        "name": "Ada", "score": 24, "face_value": 20, "bonus": 7, "catastrophe": -3,
        "lines": [
            {"card": "", "kind": "face", "points": 20},
            {"card": "", "kind": "bonus", "points": 7},
            {"card": "", "kind": "catastrophe", "points": -3},
        ],
    }  # fmt: skip
    assert answer["players"][1]["score"] == 5


@pytest.mark.parametrize("card", ["Swarm", "Branches", "Hyper-Myelination", "Apex Predator", "Sycophant", "Elven Ears"])
def test_dl_score_cannot_compare_a_pile_with_sums(card):
    with pytest.raises(DomainError, match=f"“{card}” needs the traits of Ben, or sums for all"):
        tally(table(player(card), {"name": "Ben", "sums": {}}))


def test_dl_score_mixes_piles_and_sums_where_nothing_is_compared():
    mixed = table(player("Viral", choices={"Viral": "red"}), {"sums": {"bonus": 3}}, catastrophe="Ice Age")
    assert [each["score"] for each in tally(mixed)["players"]] == [2, 3]
    with pytest.raises(DomainError, match="“Grey Goo” needs the traits of "):
        tally({**mixed, "catastrophe": "Grey Goo"})


def test_dl_order_follows_worlds_end_effects_before_the_gold_text():
    """Free Will has become red when colorless traits get their value; discarded traits are counted by nothing."""
    chosen = player(
        "Free Will", "Fear", "Prepper", "Bark", choices={"Free Will": "red"}, discarded_at_worlds_end=["Bark"]
    )
    answer = tally(table(chosen, catastrophe="AI Takeover"))["players"][0]
    assert [(line["card"], line["points"]) for line in answer["lines"]] == [
        ("Free Will", 2), ("Fear", 2), ("Prepper", 2),
    ]  # fmt: skip
    assert tally(table(chosen, catastrophe="Ice Age"))["players"][0]["catastrophe"] == -1
    assert tally(table(chosen, catastrophe="Retrovirus"))["players"][0]["catastrophe"] == 0


def test_dl_order_changes_piles_before_bonuses_compare_them():
    leaving = player("Gills", "Fear", "Late", discarded_at_worlds_end=["Fear"], name="Ben")
    apex = player("Apex Predator", "Bad", "Chompers", name="Ada")
    assert tally(table(apex, leaving))["players"][0]["bonus"] == 4


def test_dl_order_does_not_care_who_sits_first_for_scores():
    one, other = player("Viral", "Gills", name="Ada", choices={"Viral": "red"}), player("Bad", "Shiny", name="Ben")
    scores = [
        {each["name"]: each["score"] for each in tally(table(*each))["players"]}
        for each in [(one, other), (other, one)]
    ]
    assert scores[0] == scores[1] == {"Ada": 3, "Ben": 1}


def test_dl_end_counts_the_gold_text_of_one_catastrophe():
    assert tally(table(player("Gills")))["players"][0]["catastrophe"] == 0
    assert tally(table(player("Gills"), catastrophe="Super Volcano"))["players"][0]["catastrophe"] == -1


@pytest.mark.parametrize(("world", "number"), [("none", 3), ("3x4", 3), ("4x3_third", 3), ("4x3_fourth", 4)])
def test_dl_end_asks_for_the_catastrophe_that_ended_the_world(world, number):
    asked = questions(table(player("Gills"), player("Bad"), options={"prosperous_world": world}))
    assert [(each["kind"], each["number"]) for each in asked] == [("catastrophe", number)]


def test_dl_dominant_allows_two():
    assert rules_of(table(player("Tiny", "Epic", "Gills"))) == []
    broken = assert_refused(table(player("Tiny", "Epic", "Muse", "Gills", name="Ada")), "DL-DOMINANT")
    assert broken == [
        {
            "rule": "DL-DOMINANT", "player": "Ada", "cards": ["Tiny", "Epic", "Muse"],
            "message": "Ada: 3 dominants, limit 2.",
        }
    ]  # fmt: skip


def test_dl_dominant_allows_heroic_as_a_third_with_the_birth_of_a_hero():
    third = table(player("Tiny", "Heroic", "Epic"))
    assert rules_of(third) == []
    assert_refused({**third, "birth_of_a_hero": False}, "DL-DOMINANT")
    assert_refused(table(third["players"][0], player(), options={"birth_of_a_hero": False}), "DL-DOMINANT")
    assert_refused(table(player("Tiny", "Heroic", "Epic", "Muse")), "DL-DOMINANT")


def test_dl_dominant_counts_a_copy_as_one():
    assert_refused(table(player("Tiny", "Opposable Thumbs", "Epic")), "DL-DOMINANT")


@pytest.mark.parametrize("way", ["discarded_at_worlds_end", "returned"])
def test_dl_dominant_never_leaves_the_pile(way):
    moved = player("Tiny", "Gills", "Prepper", **{way: ["Tiny", "Gills"]})
    (broken,) = assert_refused(table(moved), "DL-DOMINANT")
    assert broken["cards"] == ["Tiny"]


@pytest.mark.parametrize("size", [0, 9, -1])
def test_dl_genes_stay_from_1_to_8(size):
    (broken,) = assert_refused(table(player("Gills"), player("Bad", name="Ben", gene_pool=size)), "DL-GENES")
    assert broken["player"] == "Ben"


@pytest.mark.parametrize("size", [1, 8])
def test_dl_genes_may_be_at_their_ends(size):
    assert tally(table(player("Altruistic", gene_pool=size)))["players"][0]["score"] == size


def test_dl_setup_gives_everybody_a_gene_pool_of_5():
    assert tally(table(player("Altruistic")))["players"][0]["score"] == 5


def test_dl_colors_never_count_grey_as_one():
    assert tally(table(player("Gratitude", "Fear", "Late")))["players"][0]["bonus"] == 0
    assert tally(table(player("Fear"), catastrophe="The Big One"))["players"][0]["catastrophe"] == -8
    with pytest.raises(DomainError, match="use one of blue, green, purple, red, not colorless"):
        tally(table(player("Sentience", choices={"Sentience": "colorless"})))


def test_dl_colors_of_a_trait_are_all_of_them_at_once():
    assert tally(table(player("Gratitude", "Wild")))["players"][0]["bonus"] == 4
    assert tally(table(player("Egg Clusters", "Bloom", "Mitosis")))["players"][0]["bonus"] == 3


def tied_at_six():
    return [
        player("Elusive", name="Ada"),
        player("Muse", name="Ben"),
        player("Fabled", name="Cyd"),
        player("Bad", name="Dot"),
    ]


def drawn(*rounds):
    return [[{"name": name, "face": face} for name, face in each.items()] for each in rounds]


def test_dl_tie_is_shared_in_a_casual_game():
    assert tally(table(*tied_at_six()))["winners"] == ["Ada", "Ben", "Cyd"]
    shared = table(*tied_at_six(), options={"ties": "shared"}, tie_draws=drawn({"Ada": 1, "Ben": 2, "Cyd": 3}))
    assert tally(shared)["winners"] == ["Ada", "Ben", "Cyd"]


def test_dl_tie_is_drawn_for_in_a_serious_game_until_one_has_the_highest_face():
    serious = table(*tied_at_six(), options={"ties": "draw"})
    (broken,) = assert_refused(serious, "DL-TIE")
    assert broken["message"].startswith("Tied: Ada, Ben, Cyd. Draw a trait each in turn order")
    assert tally({**serious, "tie_draws": drawn({"Ada": 1, "Ben": 4, "Cyd": 3})})["winners"] == ["Ben"]
    again = {"Ada": 4, "Ben": -1, "Cyd": 4}
    assert_refused({**serious, "tie_draws": drawn(again)}, "DL-TIE")
    decided = {**serious, "tie_draws": drawn(again, {"Cyd": 0, "Ada": 0}, {"Ada": 2, "Cyd": 1})}
    answer = tally(decided)
    assert answer["winners"] == ["Ada"]
    assert TALLIER.result(answer).placings == (1, 2, 2, 4)


def test_dl_tie_draw_without_a_printed_face_is_below_every_number():
    serious = table(*tied_at_six(), options={"ties": "draw"})
    assert tally({**serious, "tie_draws": drawn({"Ada": None, "Ben": -3, "Cyd": None})})["winners"] == ["Ben"]
    none = {**serious, "tie_draws": drawn({"Ada": None, "Ben": None, "Cyd": None}), "options": {"ties": "draw", **TOLD}}
    assert tally(none)["winners"] == ["Ada", "Ben", "Cyd"]


@pytest.mark.parametrize("names", [("Ada", "Ben"), ("Ada", "Ben", "Dot"), ("Ada", "Ben", "Cyd", "Dot"), ()])
def test_dl_tie_is_drawn_for_by_those_who_are_tied(names):
    serious = table(*tied_at_six(), options={"ties": "draw"}, tie_draws=drawn(dict.fromkeys(names, 1)))
    with pytest.raises(DomainError, match="Tie draw 1: one draw each for Ada, Ben, Cyd only"):
        tally(serious)


def test_dl_tie_draws_left_over_from_before_a_correction_do_no_harm():
    sheet = table(player("Gills", name="Ada"), player("Epic", name="Ben"), options={"ties": "draw"})
    assert tally({**sheet, "tie_draws": drawn({"Ada": 4, "Ben": 1})})["winners"] == ["Ben"]


@pytest.mark.parametrize("count", [2, 6, 7, 12, 20])
def test_dl_players_may_be_more_than_six_as_the_faq_says(count):
    answer = tally(table(player("Antlers"), *[player() for _ in range(count - 1)]))
    assert (answer["violations"], answer["winners"], len(answer["players"])) == ([], ["Player 1"], count)


def test_dl_players_one_alone_plays_the_solo_variation():
    (told,) = tally({"players": [player("Gills")]})["violations"]
    assert (told["rule"], told["player"]) == ("DL-PLAYERS", None)
    assert told["message"] == "Choose Genetic Mishap for 1 player, or enter 2 or more."
    assert tally(table(player("Gills")))["violations"] == []


def test_dl_box_holds_only_so_many_of_a_card():
    (broken,) = assert_refused(table(player("Gills"), player(hand=["gills"])), "DL-BOX")
    assert (broken["player"], broken["cards"]) == (None, ["Gills"])
    assert rules_of(table(player(*["Kidney"] * 6, *["Kidney (green)"] * 5), player("Wild"), player("Wild"))) == []
    assert_refused(table(player(*["Swarm"] * 3), discard_pile=["Swarm"] * 3), "DL-BOX")
    assert_refused(table(player("Puffy", lab=["Puffy"])), "DL-BOX")


def test_dl_box_holds_what_left_a_pile_only_once():
    left = player("Gills", "Bad", "Prepper", discarded_at_worlds_end=["Gills"], returned=["Bad"], hand=["Bad"])
    assert rules_of(table(left, discard_pile=["Gills"])) == []
    assert_refused(table(left, player("Gills")), "DL-BOX")
    assert_refused(table(left, discard_pile=["Gills", "Gills"]), "DL-BOX")


def test_limits_are_all_told_at_once():
    broken = table(player("Tiny", "Epic", "Muse", gene_pool=0), player("Tiny"))
    assert_refused(broken, "DL-BOX", "DL-DOMINANT", "DL-GENES")


def assert_made_for(sizes, clause, **options):
    for size in range(1, 9):
        sheet = {"players": [player() for _ in range(size)], "options": options}
        alone = ["DL-PLAYERS"] if size == 1 and "genetic_mishap" not in options else []
        assert rules_of(sheet) == alone + ([] if size in sizes else [clause])


@pytest.mark.parametrize("piles", ["3x4", "4x3_third", "4x3_fourth"])
def test_dl_v_long_is_for_2_to_4_players(piles):
    assert_made_for({2, 3, 4}, "DL-V-LONG", prosperous_world=piles)


def test_dl_v_design_is_for_2_to_4_players():
    assert_made_for({2, 3, 4}, "DL-V-DESIGN", intelligent_design=True)


def test_dl_v_solo_is_for_one_player():
    assert_made_for({1}, "DL-V-SOLO", genetic_mishap=True)
    two = {"players": [player(), player()], "options": {**TOLD, "genetic_mishap": True}}
    assert [each["message"] for each in tally(two)["violations"]] == ["Genetic Mishap is for 1 player, not 2."]


def assert_scores_as_ever(option):
    sheet = table(player("Tiny", "Swarm"), player("Swarm"), catastrophe="The Big One")
    assert tally({**sheet, "options": {option: True}}) == tally(sheet)
    assert questions({**sheet, "options": {option: True}}) == questions(sheet)
    assert_made_for(set(range(1, 9)), "", **{option: True})


def test_dl_v_short_changes_nothing_about_scores():
    assert_scores_as_ever("stunted_growth")


def test_dl_v_start_changes_nothing_about_scores():
    assert_scores_as_ever("strategic_start")


def test_dl_v_solo_scores_nothing_in_the_lab():
    alone = table(player("Swarm", "Mindful", lab=["Swarm", "Antlers", "Fear"]), options={"genetic_mishap": True})
    assert tally(alone)["players"][0]["score"] == 1 + 1
    assert [(each["field"], each["answered"]) for each in questions(alone)] == [("catastrophe", False), ("lab", True)]


def test_dl_v_design_counts_a_players_own_discard_pile():
    sheet = table(
        player("Serrated Teeth", name="Ada", discard_pile=["Tiny"]), player("Gills", discard_pile=["Epic", "Muse"]),
        discard_pile=["Motley", "Patches", "Fierce"],
    )  # fmt: skip
    assert tally(sheet)["players"][0]["bonus"] == 3
    assert tally({**sheet, "options": {"intelligent_design": True}})["players"][0]["bonus"] == 1
