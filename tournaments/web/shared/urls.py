"""Addresses that several audiences open: the score sheet of a match, decks that are ready, calls, the clock, undo."""

from django.urls import include, path

from tournaments.web.frame import undoing
from tournaments.web.shared import calls, client_codes, clock, deck_ready, find, match_page, sheets

SHEET = "match/<int:match_id>/sheet/"

of_event = [
    path("match/<int:match_id>/", match_page.match, name="match"),
    path(f"{SHEET}open/", sheets.open_sheet, name="open_match_sheet"),
    path(f"{SHEET}absent/", sheets.mark_absent, name="mark_absent"),
    path(f"{SHEET}dispute/", sheets.dispute_sheet, name="dispute_sheet"),
    path(f"{SHEET}confirm/", sheets.confirm_unsigned, name="confirm_unsigned"),
    path(f"{SHEET}one-signature/", sheets.ask_one_signature, name="ask_one_signature"),
    path(f"{SHEET}correct/", sheets.correct_by_sheet, name="correct_by_sheet"),
    *(
        path(f"{SHEET}{route}", page, name=f"match_sheet_{name}" if route else "match_sheet")
        for route, name, page in sheets.sheet_pages
    ),
    path("match/<int:match_id>/stacking/", deck_ready.begin_stacking, name="begin_stacking"),
    path("match/<int:match_id>/draft/", deck_ready.draft, name="move_draft"),
    path("match/<int:match_id>/place-deck/", deck_ready.place_for, name="mark_deck_ready_for"),
    path("match/<int:match_id>/take-back-deck/", deck_ready.take_back_deck, name="take_back_deck"),
    path("match/<int:match_id>/client/", client_codes.match_client, name="match_client"),
    path("match/<int:match_id>/client/replays/<int:replay_id>/", client_codes.client_replay, name="client_replay"),
    path("call/<int:match_id>/", calls.call_judge, name="call_judge"),
    path("call/<int:match_id>/take-back/", calls.withdraw_call, name="withdraw_call"),
    path("find/", find.find, name="find"),
    path("clock/", clock.clock, name="clock"),
    path("undo/", undoing.undo, name="undo"),
]
urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]
