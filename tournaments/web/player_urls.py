"""Addresses of the public pages, the players' pages and the desk."""

from django.urls import include, path

from tournaments.web import (
    bracket,
    deck_sheets,
    decks,
    desk,
    match,
    my_deck,
    my_match,
    outlook,
    placements,
    player,
    public,
    sheet_list,
    sheets,
    standing_why,
    standings,
    teams,
    why,
)

SHEET = "match/<int:match_id>/sheet/"

of_event = [
    path("", public.event, name="event"),
    path("pairings/", public.pairings, name="pairings"),
    path("pairings/<int:match_id>/why/", why.why, name="why"),
    path("standings/", standings.standings, name="standings"),
    path("standings/why/", standing_why.standings_why, name="standings_why"),
    path("standings.csv", standings.standings_csv, name="standings_csv"),
    path("outlook/", outlook.outlook, name="outlook"),
    path("outlook/ask/", outlook.ask, name="ask_outlook"),
    path("outlook/stop/", outlook.stop, name="stop_outlook"),
    path("outlook/show/", outlook.show, name="show_outlook"),
    path("outlook/hide/", outlook.hide, name="hide_outlook"),
    path("bracket/", bracket.bracket, name="bracket"),
    path("bracket.svg", bracket.bracket_svg, name="bracket_svg"),
    path("crosstable/", bracket.crosstable, name="crosstable"),
    path("register/", player.register, name="register"),
    path("join/<str:token>/", teams.join, name="join_team"),
    path("my/", my_match.my_match, name="my_match"),
    path("my/drop/", player.my_drop, name="my_drop"),
    path("my/deck/", my_deck.my_deck, name="my_deck"),
    path("my/deck/sheet/", my_deck.my_sheet, name="my_sheet"),
    path("decks/", decks.decks, name="event_decks"),
    path("decks/sheet/", deck_sheets.event_sheet, name="event_sheet"),
    path("decks/<int:number>/", decks.deck, name="event_deck"),
    path("decks/<int:number>/proof.txt", decks.deck_proof, name="event_deck_proof"),
    path("decks/<int:number>/export/<slug:key>/", decks.deck_export, name="event_deck_export"),
    path("my/placed/", placements.place, name="place_deck"),
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
    path("match/<int:match_id>/place-deck/", placements.place_for, name="place_deck_for"),
    path("match/<int:match_id>/take-back-deck/", placements.take_back_deck, name="take_back_deck"),
]

urlpatterns = [
    path("", public.home, name="home"),
    path("my/", player.my_events, name="my_events"),
    path("e/<slug:slug>/", include(of_event)),
]
