"""Addresses of the pages on which staff run an event."""

from django.urls import include, path

from tournaments.web import deck_checks, entries, entry_lists, log, organiser, rounds, staff

manage = [
    path("", organiser.manage, name="manage"),
    path("open/", organiser.open_event, name="open_event"),
    path("close/", organiser.close_event, name="close_event"),
    path("start/", organiser.start_event, name="start_event"),
    path("finish/", organiser.finish_event, name="finish_event"),
    path("cancel/", organiser.cancel_event, name="cancel_event"),
    path("reopen/", organiser.reopen_event, name="reopen_event"),
    path("settings/", organiser.manage_settings, name="manage_settings"),
    path("entries/", entries.manage_entries, name="manage_entries"),
    path("entries/preview/", entry_lists.preview_entries, name="preview_entries"),
    path("entries/add-one/", entry_lists.add_one, name="add_one"),
    path("entries/add/", entry_lists.add_entries, name="add_entries"),
    path("entries/check-in-all/", entries.check_in_everybody, name="check_in_everybody"),
    path("entries/<int:number>/check-in/", entries.check_in, name="check_in"),
    path("entries/<int:number>/undo-check-in/", entries.undo_check_in, name="undo_check_in"),
    path("entries/<int:number>/drop/", entries.drop, name="drop"),
    path("entries/<int:number>/return/", entries.take_back, name="take_back"),
    path("entries/<int:number>/link/", entries.personal_link, name="entry_link"),
    path("entries/<int:number>/revoke-links/", entries.revoke_links, name="revoke_links"),
    path("rounds/", rounds.manage_rounds, name="manage_rounds"),
    path("rounds/pair/", rounds.pair_round, name="pair_round"),
    path("rounds/<int:round_id>/publish/", rounds.publish, name="publish_round"),
    path("rounds/<int:round_id>/take-back/", rounds.take_back, name="take_back_round"),
    path("staff/", staff.manage_staff, name="manage_staff"),
    path("staff/<int:role_id>/remove/", staff.remove_staff, name="remove_staff"),
    path("staff/invites/<int:invite_id>/revoke/", staff.revoke_staff_invite, name="revoke_staff_invite"),
    path("decks/", deck_checks.manage_decks, name="manage_decks"),
    path("decks/draw/", deck_checks.draw, name="draw_check"),
    path("decks/checks/", deck_checks.deck_checks, name="deck_checks"),
    path("decks/<int:number>/", deck_checks.change_deck, name="change_deck"),
    path("decks/<int:number>/read/", deck_checks.show_deck, name="read_deck"),
    path("decks/<int:number>/sheet/", deck_checks.show_sheet, name="deck_sheet"),
    path("decks/<int:number>/check/", deck_checks.check_deck, name="check_deck"),
    path("decks/<int:number>/reopen/", deck_checks.reopen, name="reopen_deck"),
    path("decks/<int:number>/shut/", deck_checks.shut, name="shut_deck"),
    path("log/", log.manage_log, name="manage_log"),
    path("log.csv", log.log_csv, name="log_csv"),
]
urlpatterns = [
    path("new/", organiser.new_event, name="new_event"),
    path("join/<str:token>/", staff.join_staff, name="join_staff"),
    path("e/<slug:slug>/manage/", include(manage)),
]
