"""Addresses of the public pages, the players' pages and the desk."""

from django.urls import include, path

from tournaments.web.desk import desk, sheet_list
from tournaments.web.organiser import match
from tournaments.web.player import my_deck, my_match, registration, teams
from tournaments.web.public import bracket, decks, events, forecast, pairing_why, standing_why, standings
from tournaments.web.shared import deck_ready, deck_sheets, sheets

SHEET = "match/<int:match_id>/sheet/"

of_event = [
    path("", events.event, name="event"),
    path("pairings/", events.pairings, name="pairings"),
    path("pairings/<int:match_id>/why/", pairing_why.why, name="why"),
    path("standings/", standings.standings, name="standings"),
    path("standings/why/", standing_why.standings_why, name="standings_why"),
    path("standings.csv", standings.standings_csv, name="standings_csv"),
    path("outlook/", forecast.outlook, name="outlook"),
    path("outlook/ask/", forecast.ask, name="ask_outlook"),
    path("outlook/stop/", forecast.stop, name="stop_outlook"),
    path("outlook/show/", forecast.show, name="show_outlook"),
    path("outlook/hide/", forecast.hide, name="hide_outlook"),
    path("bracket/", bracket.bracket, name="bracket"),
    path("bracket.svg", bracket.bracket_svg, name="bracket_svg"),
    path("crosstable/", bracket.crosstable, name="crosstable"),
    path("register/", registration.register, name="register"),
    path("join/<str:token>/", teams.join, name="join_team"),
    path("my/", my_match.my_match, name="my_match"),
    path("my/drop/", registration.my_drop, name="my_drop"),
    path("my/deck/", my_deck.my_deck, name="my_deck"),
    path("my/deck/sheet/", my_deck.my_sheet, name="my_sheet"),
    path("decks/", decks.decks, name="event_decks"),
    path("decks/sheet/", deck_sheets.event_sheet, name="event_sheet"),
    path("decks/<int:number>/", decks.deck, name="event_deck"),
    path("decks/<int:number>/proof.txt", decks.deck_proof, name="event_deck_proof"),
    path("decks/<int:number>/export/<slug:key>/", decks.deck_export, name="event_deck_export"),
    path("my/placed/", deck_ready.place, name="place_deck"),
    path("desk/", desk.desk, name="desk"),
    path("match/<int:match_id>/", match.match, name="match"),
    path("desk/sheets/", sheet_list.desk_sheets, name="desk_sheets"),
    path(f"{SHEET}open/", sheets.open_sheet, name="open_match_sheet"),
    path(f"{SHEET}absent/", sheets.mark_absent, name="mark_absent"),
    path(f"{SHEET}dispute/", sheets.dispute_sheet, name="dispute_sheet"),
    path(f"{SHEET}confirm/", sheets.confirm_unsigned, name="confirm_unsigned"),
    path(f"{SHEET}correct/", sheets.correct_by_sheet, name="correct_by_sheet"),
    *(
        path(f"{SHEET}{route}", page, name=f"match_sheet_{name}" if route else "match_sheet")
        for route, name, page in sheets.sheet_pages
    ),
    path("match/<int:match_id>/place-deck/", deck_ready.place_for, name="place_deck_for"),
    path("match/<int:match_id>/take-back-deck/", deck_ready.take_back_deck, name="take_back_deck"),
]

urlpatterns = [
    path("", events.home, name="home"),
    path("my/", registration.my_events, name="my_events"),
    path("e/<slug:slug>/", include(of_event)),
]
