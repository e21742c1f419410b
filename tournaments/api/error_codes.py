"""Every code of an error; written by `python -m tests.docs.reference`."""

CODES = """
    absence_doubtful account_disabled account_needed act_gone all_placed allowed_already already_paired
    already_taken_back already_withdrawn apart_already authentication_failed bad_address bad_bracket_size bad_browser
    bad_choice bad_count bad_email bad_event bad_event_file bad_extra_time bad_field_size bad_format_name bad_game
    bad_house_format bad_key bad_kind bad_league bad_list_name bad_minutes bad_move bad_name bad_need bad_number
    bad_options bad_pairing bad_plan bad_policy bad_quotes bad_replay bad_request bad_rules_file bad_score bad_set_name
    bad_sheet bad_signature bad_stage bad_state bad_table bad_tables bad_time bad_webhook_address bad_weight
    being_tallied board_moved bracket_moved_on brought_event busy bye_already bye_given call_claimed call_ended
    call_escalated call_open card_gone check_in_closed claim_over claim_waits claimed clock_changed clock_runs
    clock_stands code_needed code_used code_without_owner counted csrf cut_changed dead_code deck_changed
    deck_deadline_passed deck_name_taken deck_name_too_long deck_publish_told deck_version_is_final decks_locked
    decks_missing disk_full door_full draft_moved draft_over entered_already entry_on_record entry_paired entry_since
    erased error event_changed event_exists event_hidden event_not_over event_over extra_time_changed field_closed
    file_too_large first_stage fixed_pairings foreign_key games_changed has_account has_begun has_result import_changed
    infraction_needed invalid invite_used is_rehearsal issuer_plays key_reused last_member last_organiser later_deck
    later_link later_round league_finished list_announced list_changed list_on_that_day list_too_early made_since
    match_changed match_done match_needed match_not_ready match_without_result method_not_allowed missing_results
    moved_event moved_on name_taken name_too_long needs_a_winner newer_file newer_revision no_account no_bracket no_bye
    no_byes no_cards no_clock no_codes no_deck no_decklists no_decks no_draft no_factor no_filing no_hand no_list
    no_lists no_mail no_member no_name no_outlook no_page no_place no_player no_podium no_recheck no_revision
    no_rounds_left no_rule no_seat no_sheet no_sheets no_stacking no_stage_left no_such_card no_such_round no_table
    no_table_reports no_tally no_teams no_tie no_token nobody_to_check nobody_to_compare not_a_card_file not_a_rehearsal
    not_a_slip not_allowed not_apart not_at_match not_authenticated not_claimed not_counted not_decided not_empty
    not_filed not_found not_free not_illegal not_in_match not_locked not_moved not_organiser not_paired_yet not_parked
    not_placed not_played not_playing not_published not_ready not_reopened not_site_admin not_stacking not_staff
    not_swiss not_undoable not_utf8 not_waiting not_your_call not_your_match not_your_part not_your_place notes_needed
    nothing_playable nothing_to_correct nothing_to_pair nothing_to_undo nothing_to_uphold nul of_site_admin only_samples
    other_account other_event other_game other_match other_member other_phase other_seat other_version outcome_needed
    outlook_over outlook_running own_deck own_match own_opponent own_report own_table pairings_changed parse_error
    part_changed part_written penalty_missing permission_denied person_has_account place_needed player_agrees
    player_signs plays_elsewhere published_already reason_needed recheck_over registration_closed rehearsal_is_private
    repeated_entrant resolve_first result_changed result_conflict results_came_in round_closed round_paired rounds_clock
    rounds_left rows_differ rules_frozen run_over same_entry same_event same_place scores_missing second_factor
    settings_changed sheet_needed sign_in signatures_missing signed_out site_admin staff_agree staff_who_plays
    stage_has_begun stage_played stages_changed table_full table_taken text_needed throttled tied token_event
    token_on_page token_scope too_early too_few too_few_entries too_few_rounds too_large too_late too_long too_many
    too_many_announcements too_many_decks too_many_events too_many_lines too_many_mails too_many_members too_many_moves
    too_many_rehearsals too_many_results too_many_sheets too_many_versions too_many_webhooks undone_already
    unfinished_event unknown_account unknown_act unknown_announcement unknown_call unknown_card unknown_claim
    unknown_code unknown_deck unknown_door unknown_entry unknown_event unknown_export unknown_field unknown_format
    unknown_game unknown_guest unknown_invite unknown_league unknown_link unknown_match unknown_parameter
    unknown_penalty unknown_player unknown_replay unknown_report unknown_role unknown_round unknown_run unknown_scheme
    unknown_seat unknown_set unknown_stage unknown_table unknown_team unknown_tiebreaker unknown_token unknown_variant
    unknown_way unknown_webhook unknown_work unplaced unread_lines unread_score unreadable_source unsupported_media_type
    which_bye whole_file wrong_code wrong_credentials wrong_entry_state wrong_name wrong_state yourself
""".split()  # noqa: SIM905 (a name a line would be four hundred lines)
