"""What a page can do, a program can do: each page that changes something names its operations, or why it has none."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.tournaments.api.test_permissions import operations

OF_OTHERS = ("admin/", "api/", "accounts/", "i18n/")
"""Pages of the framework and of signing in; `…/tokens/` and `…/me/` are what programs have instead."""
ROWS = {
    "ask_outlook": "outlook_ask",
    "stop_outlook": "outlook_stop",
    "show_outlook hide_outlook": "outlook_show",
    "show_profile": "me_partial_update",
    "erase_my_data": "me_erase",
    "give_guest_back": "guests_give_back",
    "register": "entries_sign_up my_team_retrieve",
    "join_team": "entries_join",
    "my_match table match desk": "matches_report matches_confirm matches_dispute matches_uphold matches_correct "
    "rounds_report correction_preview client_codes_create client_results_send",
    "match_client": "client_codes_create client_codes_replay",
    "my_check_in": "my_entry_check_in",
    "my_drop": "my_entry_drop",
    "my_deck": "my_deck_retrieve my_deck_update",
    "my_stack": "my_stack_update",
    "mark_deck_ready": "placements_place",
    "answer_call": "calls_claim calls_release calls_escalate calls_resolve",
    "floor_penalty give_penalty": "penalties_create",
    "take_back_penalty": "penalties_take_back",
    "floor_decks read_deck deck_sheet": "entry_deck_look",
    "new_event": "events_create",
    "bring_event": "bring_create",
    "join_staff": "invites_accept",
    "open_event": "events_open",
    "close_event": "events_close",
    "start_event": "events_start",
    "finish_event": "events_finish",
    "cancel_event": "events_cancel",
    "reopen_event": "events_reopen",
    "move_event": "events_move",
    "take_back_move": "events_take_back_move",
    "copy_event": "copies_copy",
    "rehearse_event": "copies_rehearse",
    "play_round": "copies_play",
    "play_on": "copies_play_on",
    "discard_rehearsal": "copies_discard",
    "start_plan_run": "plan_start",
    "end_plan_run": "plan_stop",
    "manage_settings": "events_update events_partial_update",
    "manage_stages": "stages_update",
    "recommend_stages": "stages_recommended stages_update",
    "next_stage": "next_stage_begin",
    "take_back_stage": "stages_take_back",
    "preview_entries add_one add_entries": "entries_create",
    "check_in_everybody": "entries_check_in_several",
    "check_in": "entries_check_in",
    "undo_check_in": "entries_undo_check_in",
    "link_slips entry_link": "entries_personal_links entries_personal_link",
    "link_mails": "entries_mail_links",
    "revoke_links": "entries_revoke_links",
    "open_door": "door_open",
    "close_door": "door_close",
    "answer_door_claim": "door_answer_claim",
    "change_entry": "entries_partial_update",
    "add_entry_member": "entries_add_member",
    "change_entry_member": "entries_change_member",
    "remove_entry_member": "entries_remove_member",
    "fix_entry_table": "entry_needs_fix_table",
    "note_entry_needs": "entry_needs_note",
    "keep_entry_apart": "entry_needs_keep_apart",
    "let_entry_meet": "entry_needs_let_meet",
    "award_entry_byes": "entry_byes_award",
    "take_entry_bye_back": "entry_byes_take_back",
    "note_seen": "entries_seen",
    "drop": "entries_drop",
    "look_at_drop": "drop_preview",
    "take_back": "entries_return",
    "pair_round": "rounds_create",
    "publish_round": "rounds_publish",
    "act_on_clock": "clock_start clock_pause clock_resume clock_stop clock_change clock_reset",
    "give_extra_time": "clock_extra_time",
    "recompute_round": "rounds_recompute",
    "take_back_round": "rounds_withdraw",
    "change_tables": "arrangement_change arrangement_preview",
    "announcements": "announcements_create",
    "withdraw_announcement": "announcements_withdraw",
    "post_again": "announcements_post_again",
    "table_codes": "table_codes_issue",
    "renew_table_codes": "table_codes_renew",
    "revoke_table_codes": "table_codes_revoke",
    "manage_staff": "invites_create",
    "remove_staff": "staff_remove",
    "revoke_staff_invite": "invites_revoke",
    "draw_check": "deck_checks_draw",
    "change_deck": "entry_deck_update",
    "check_deck": "entry_deck_check",
    "reopen_deck": "entry_deck_reopen",
    "allow_deck": "entry_deck_allow",
    "shut_deck": "entry_deck_shut",
    "manage_webhooks": "webhooks_create",
    "resend_webhook": "webhooks_resend",
    "delete_webhook": "webhooks_remove",
    "try_work_again": "jobs_retry",
    "new_league": "leagues_create",
    "manage_league": "leagues_add_event",
    "league_settings": "leagues_update",
    "league_organisers": "league_organisers_add league_organisers_remove",
    "league_players": "league_players_join",
    "tell_apart": "league_players_part",
    "remove_league_event": "leagues_remove_event",
    "weigh_league_event": "leagues_add_event",
    "finish_league": "leagues_finish",
    "reopen_league": "leagues_reopen",
    "mark_absent": "sheets_absent",
    "dispute_sheet": "matches_dispute",
    "confirm_unsigned": "matches_confirm",
    "ask_one_signature": "events_partial_update",
    "match_sheet_draw table_sheet_draw": "sheets_save sheets_file",
    "correct_by_sheet": "sheets_correct",
    "open_match_sheet begin_table_sheet match_sheet_part table_sheet_part": "sheets_save",
    "match_sheet_play table_sheet_play": "sheets_save",
    "match_sheet_file table_sheet_file": "sheets_file",
    "match_sheet_sign table_sheet_sign": "sheets_sign",
    "begin_stacking": "placements_begin",
    "move_draft": "placements_draft",
    "mark_deck_ready_for": "placements_place_for",
    "take_back_deck": "placements_take_back",
    "call_judge": "match_call_create",
    "withdraw_call": "match_call_withdraw",
    "undo": "undo_act",
    "new_deck": "own_decks_create",
    "deck": "own_decks_update decks_check",
    "deck_history": "own_decks_versions own_decks_update",
    "deck_more": "own_decks_destroy own_decks_update",
    "new_house_format": "house_formats_create",
    "edit_house_format": "house_formats_update",
    "import_cards": "card_imports_preview card_imports_create",
    "switch_samples": "card_imports_samples",
    "remove_card_set": "card_imports_remove_set",
    "new_card_list": "card_lists_create",
    "edit_card_list": "card_lists_update",
    "delete_card_list": "card_lists_destroy",
    "announce_card_list": "card_lists_announce",
    "recheck_card_list": "card_lists_recheck",
    "resume_recheck": "rechecks_resume",
    "cancel_recheck": "rechecks_cancel",
    "start_sheet score_sheet_file": "tallies_compute",
}
"""Pages, and the operations that do the same."""
WITHOUT = {
    "door door_claim kiosk kiosk_claim": "a visitor who holds the code of the door: staff's programs enter people",
    "push_on push_off told_mails mail_link": "a browser or a mailbox says that it is its owner's",
    "pick_place score_sheet_part score_sheet_sign score_sheet_draw score_sheet_play doom_pile_table": "a sheet without "
    "an event lives in browsers",
}
"""Pages without an operation, and why."""
READ = "match_sheet match_sheet_tally table_sheet table_sheet_tally"
"""Pages whose methods nobody limited, and that only read."""


def acting(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """The pages that take a POST, by name."""
    for each in (resolver or get_resolver()).url_patterns:
        path = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from acting(each, path)
        elif isinstance(each, URLPattern) and not path.startswith(OF_OTHERS) and takes_post(each.callback):
            yield each.name or path


def takes_post(view: Callable[..., Any] | None) -> bool:
    """Whether no decorator keeps a POST from a view."""
    while view is not None:
        held = inspect.getclosurevars(view).nonlocals if inspect.isfunction(view) else {}
        if "request_method_list" in held:
            return "POST" in held["request_method_list"]
        view = getattr(view, "__wrapped__", None)
    return True


def words(rows: Any) -> list[str]:
    """All the words of some lines."""
    return " ".join(rows).split()


def test_every_page_that_changes_something_has_its_operations_or_its_reason():
    known = {*words(ROWS), *words(WITHOUT), *READ.split()}
    assert set(acting()) == known
    assert len(known) == len([*words(ROWS), *words(WITHOUT), *READ.split()]), "a page stands in two rows"


def test_every_operation_named_exists():
    assert set(words(ROWS.values())) <= {operation for operation, _method, _path in operations()}


@pytest.mark.parametrize("page", ["open_event", "my_drop"])
def test_a_page_without_a_row_would_be_missed(page):
    rows = {name: each for name, each in ROWS.items() if page not in name.split()}
    assert set(acting()) - {*words(rows), *words(WITHOUT), *READ.split()} == {page}
