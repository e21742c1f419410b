"""What experts of the four games found wrong, by the letter they gave it: each fault keeps the tests that hold it.

One of them is named after the clause that it broke, or after its letter where no clause speaks of it.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from rules_engine.systems import list_systems

ROOT = Path(__file__).parents[1]
CLAUSES = {clause.id.lower().replace("-", "_") for system in list_systems() for clause in system.clauses}
FAULTS: dict[str, tuple[str, ...]] = {
    # a mandatory discard at the world's end was skipped
    "A1": ("dl_gold_the_four_horsemen_turn_the_winner", "part_is_not_ready_while_a_discard_is_due"),
    # discards that the gold text does not allow were taken
    "A1b": ("dl_gold_three_discards_for_one_are_refused", "lily_pad_returns_up_to_three"),
    # an event of 1997 ended as in the rulebook
    "A2": ("rules_of_1997_bring_their_endings_and_team_pool", "dt97_out_an_empty_draw_pile_ends_nothing"),
    # the way to play did not reach the pairing
    "A3": ("dt_multi_way_to_play_reaches_the_pairing", "teams_play_to_fifty"),
    # Intelligent Design seated five
    "A4": ("intelligent_design_seats_four_and_plays_the_variation", "dl_v_design_counts_a_players_own_discard_pile"),
    # a warrior in cover that was lost went on protecting
    "A5": ("dt_cover_that_cannot_be_paid_protects_nobody", "dt_cover_that_cannot_be_paid_starts_the_three_turns"),
    # a table of two had no scores
    "A6": ("dl_score_a_table_of_two_is_asked_for_scores_where_they_count", "a_player_at_a_table_of_two_reports_scores"),
    # more than six were refused
    "A7": ("dl_players_may_be_more_than_six_as_the_faq_says", "more_than_six_sit_down_as_the_faq_says"),
    # nobody won a shared win
    "A8": ("a_shared_win_is_a_win_for_each_and_splits_the_points", "dl_tie_casual_tie_is_a_shared_win"),
    # one game of unequal roles was the default
    "A9": ("dd_roles_games_of_unequal_roles_are_played_in_pairs_unless_told_otherwise",),
    # no end on time
    "B1": ("dt25_time_is_one_more_turn_each", "dt97_time_is_called_unless_there_is_no_end_on_time"),
    # a drafted deck could not be registered
    "B2": ("dl_v_design_three_phones_go_through_the_draft_to_the_locked_decks",),
    # Doom Pile for three or more could not be played
    "B3": (
        "three_or_four_sit_at_a_table_and_five_do_not",
        "dp_multi_turns_go_round_and_everybody_skips_the_first_card",
    ),
    # a clause promised words that no field took: it names a card's effect now
    "B4": ("dp_win_other_is_a_kind_of_win", "other_wins_are_said_by_the_players"),
    # imported cards did not reach the tables
    "B5": (
        "b5_a_data_row_is_enough_for_a_trait_and_a_catastrophe_of_a_known_kind",
        "countdown_helper_knows_imported_plots",
    ),
    # the rules pages held what the code checks
    "B6": ("b6_a_judge_finds_a_ruling_by_its_term_or_by_what_people_call_it",),
    # the tie at the target had no clause
    "B7": ("dt97_tie_only_the_tied_play_for_ten_more",),
    # one target and one clock an event
    "B8": (
        "dt_target_opening_rounds_of_1997_go_to_25_and_the_final_to_40_without_a_clock",
        "clock_warns_as_the_rules_of_1997_have_it",
    ),
    # no format of Milan 2025, no sizes of the house, no best of 3 with ledgers
    "B9": (
        "milan_2025_counts_as_1997_without_a_list",
        "sizes_of_other_sections_stay",
        "b9_ledgers_go_with_best_of_3_in_pages_and_api",
        "b9_best_of_3_by_ledger_is_the_result_game_by_game",
        "dt_target_each_game_of_a_match_begins_anew_and_counts_as_one",
        "b9_promotion_points_of_all_games_count_in_standings_though_the_winner_has_fewer",
        "dt10_tribe_is_a_third_of_the_deck_rounded_up",
        "b9_correction_by_hand_carries_the_promotion_points",
        "b9_value_pyramid_is_30_divided_by_the_value",
        "b9_commons_only_takes_c1_to_c3_and_all_of_golgotha_and_apocalypse",
    ),
    # the ledger counted no warriors and marked no attacks
    "B10": (
        "dt_nowarrior_is_told_once_warriors_are_written_down",
        "dt_attack_is_none_in_a_players_first_turn",
        "dt_attack_is_one_a_turn_unless_both_kills_are_of_one_combat",
        "dt_multi_a_kill_at_a_secondary_target_is_marked_unless_it_was_paid_for",
    ),
    # the summon calculator let the necromancer lose unwarned
    "B11": ("dd_win_paladin_is_said_before_a_summon_that_loses",),
    # nothing said which sets are legal
    "B12": ("b12_only_chosen_sets_are_legal", "dt_sets_cards_of_every_shipped_set_are_legal_by_the_rulebook"),
    # cards had no errata
    "B13": ("b13_card_page_says_the_rules_about_the_card_and_its_kind", "corrections_are_with_the_cards_they_concern"),
    # who begins was drawn for one game only
    "B14": ("b14_phone_and_slip_say_who_goes_first", "lot_is_drawn_again_from_what_the_round_keeps"),
    # the ends that a sheet names left some out
    "C1": ("page_says_how_a_game_ends_until_it_has", "page_names_the_endings_of_1997_and_those_with_sabotage"),
    # “for 1 to 1 players”
    "C2": ("start_says_how_many_a_variation_is_made_for",),
    # copies in the Side Bar were said to be in the deck
    "C3": ("c3_copies_over_deck_and_side_bar_are_not_said_to_be_in_the_deck",),
    # sizes were told in signs
    "C4": ("c4_size_of_a_section_is_a_plain_sentence", "c4_required_count_is_a_plain_sentence"),
    # a third dominant was said of all sets
    "C5": ("dl_dominant_two_a_player_and_heroic_as_the_third_in_its_age",),
    # the search missed the words of the games
    "C7": ("b6_a_judge_finds_a_ruling_by_its_term_or_by_what_people_call_it",),
    # a second game in the same roles was taken, and a third after two wins
    "C8": ("second_game_in_the_same_roles_is_refused_when_it_is_written", "match_of_an_agreed_length_ends"),
    # the desk asked for places where it wants scores or games
    "C9": ("c9_hint_at_the_desk_asks_for_what_its_tables_take",),
    # a missing heading gave three violations
    "C10": (
        "c10_master_plan_without_its_heading_is_one_violation_that_says_what_to_do",
        "c10_master_plan_below_the_heading_of_the_main_deck_is_moved_by_the_repair",
    ),
    # the cards of a section that the format lacks counted in the deck
    "C11": ("c11_cards_below_a_side_bar_that_the_format_does_not_have_are_not_in_the_deck",),
}
GAMES = ("doom_pile", "doomlings", "doomtrooper", "dead_or_destroyed")
CELLS: dict[str, tuple[tuple[str, ...], ...]] = {
    # one tuple a game, in this order
    "catalogue": (
        ("countdown_helper_knows_imported_plots",),
        ("facts_that_scoring_needs_are_whole", "b5_a_data_row_is_enough_for_a_trait_and_a_catastrophe_of_a_known_kind"),
        ("catalogue_holds_every_card_of_every_set", "b13_card_page_says_the_rules_about_the_card_and_its_kind"),
        ("catalogue_is_four_suits_of_thirteen_ranks",),
    ),
    "legality": (
        ("deck_has_thirty_cards", "copies_of_a_name_have_one_limit", "one_master_plan_lies_apart"),
        ("drafted_deck_has_twenty_eight_traits", "a_deck_counts_for_its_round_alone"),
        ("copies_are_counted_over_deck_and_side_bar", "card_may_be_banned_in_one_variant_and_restricted_in_another"),
        ("shared_deck_has_each_of_the_fifty_two_once",),
    ),
    "match shape and result": (
        (
            "dp_bo3_a_match_is_told_game_by_game",
            "dp_multi_of_a_table_the_winner_is_first_and_the_others_share_the_second_place",
        ),
        ("dl_players_may_be_more_than_six_as_the_faq_says", "a_player_at_a_table_of_two_reports_scores"),
        ("b9_best_of_3_by_ledger_is_the_result_game_by_game", "b9_correction_by_hand_carries_the_promotion_points"),
        ("dd_roles_games_of_unequal_roles_are_played_in_pairs_unless_told_otherwise",),
    ),
    "table helper": (
        ("both_countdowns_a_field_and_a_win_are_one_game_of_the_match",),
        ("a_table_of_doomlings_is_played_on_the_board_and_written_on_its_sheet",),
        (
            "warriors_in_play_follow_on_the_other_phone",
            "a_named_warrior_brings_its_printed_ratings_and_cards_add_to_them",
        ),
        ("two_phones_and_a_cut_network_follow_one_board_of_dead_or_destroyed",),
    ),
    "tally on workers": (
        ("games_are_written_down_without_a_board_struck_out_and_filed",),
        ("page_equals_worker_equals_command", "dl_gold_the_four_horsemen_turn_the_winner"),
        ("doomtrooper_ledger_signed_by_both_is_the_result", "dt97_out_an_empty_draw_pile_ends_nothing"),
        ("dead_or_destroyed_with_the_same_roles_twice_comes_back",),
    ),
    "pairing and seating": (
        ("dp_multi_turns_go_round_and_everybody_skips_the_first_card",),
        ("intelligent_design_seats_four_and_plays_the_variation",),
        ("dt_multi_way_to_play_reaches_the_pairing", "teams_play_to_fifty"),
        ("first_of_unequal_roles_is_the_first_seat_and_goes_round",),
    ),
    "standings": (
        ("dp_bo3_is_the_usual_match",),
        ("a_shared_win_is_a_win_for_each_and_splits_the_points",),
        ("b9_promotion_points_of_all_games_count_in_standings_though_the_winner_has_fewer",),
        ("what_is_won_in_the_weaker_role_counts_more",),
    ),
    "secrecy": (
        (
            "before_the_reveal_no_answer_to_anybody_holds_a_plan",
            "nobody_else_saves_or_reads_it_staff_and_later_links_no_more_than_others",
        ),
        ("hand_and_total_of_another_player_are_not_shown_before_filing", "a_hand_is_served_to_its_owners_phone_alone"),
        ("a_warrior_in_cover_keeps_its_name_for_itself",),
        ("the_paladins_phone_notes_the_hand_and_the_necromancers_has_none",),
    ),
}  # fmt: skip
"""What holds each cell of the table of games and capabilities."""


def unknown(tests: Iterable[str]) -> set[str]:
    """Those of these tests that no file has."""
    text = "".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("test_*.py"))
    return set(tests) - set(re.findall(r"^def test_(\w+)\(", text, re.MULTILINE))


def is_named(letter: str, tests: Iterable[str]) -> bool:
    """Whether one of a fault's tests is named after a clause of a game, or after its letter."""
    return any(test.startswith(f"{name}_") for test in tests for name in (letter.lower(), *CLAUSES))


def test_every_fault_that_experts_found_has_its_tests():
    letters = ["A1", "A1b", *(f"A{number}" for number in range(2, 10)), *(f"B{number}" for number in range(1, 15))]
    assert list(FAULTS) == [*letters, *(f"C{number}" for number in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11))]
    assert unknown(test for tests in FAULTS.values() for test in tests) == set()
    letters = [letter for letter in FAULTS if not letter.startswith("C") or letter in ("C3", "C4", "C9", "C10", "C11")]
    assert [letter for letter in letters if not is_named(letter, FAULTS[letter])] == []


def test_every_cell_of_the_games_and_their_capabilities_has_its_tests():
    assert {len(cells) for cells in CELLS.values()} == {len(GAMES)} == {len([s for s in list_systems() if s.book])}
    assert all(all(cells) for cells in CELLS.values())
    assert unknown(test for cells in CELLS.values() for tests in cells for test in tests) == set()


def test_control_a_test_that_is_gone_is_missed():
    assert unknown(["dl_gold_the_four_horsemen_turn_the_winner", "nobody_wrote_this"]) == {"nobody_wrote_this"}
    assert not is_named("A2", ["the_rules_of_1997_bring_their_endings"])
    assert is_named("A2", ["dt97_out_an_empty_draw_pile_ends_nothing"])
