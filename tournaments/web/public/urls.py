"""Addresses of the pages that everybody may read, and of what other sites embed."""

from django.urls import include, path

from tournaments.web.public import (
    bracket,
    decks,
    embeds,
    event_files,
    events,
    fairness,
    forecast,
    pairing_why,
    player,
    podium,
    profiles,
    standing_why,
    standings,
    statistics,
)
from tournaments.web.shared import deck_sheets

of_event = [
    path("", events.event, name="event"),
    path("pairings/", events.pairings, name="pairings"),
    path("pairings/<int:match_id>/why/", pairing_why.why, name="why"),
    path("standings/", standings.standings, name="standings"),
    path("player/<int:number>/", player.player, name="event_player"),
    path("standings/why/", standing_why.standings_why, name="standings_why"),
    path("standings.csv", standings.standings_file, {"kind": "csv"}, name="standings_csv"),
    path("standings.xlsx", standings.standings_file, {"kind": "xlsx"}, name="standings_xlsx"),
    path("outlook/", forecast.outlook, name="outlook"),
    path("outlook/ask/", forecast.ask, name="ask_outlook"),
    path("outlook/stop/", forecast.stop, name="stop_outlook"),
    path("outlook/show/", forecast.show, name="show_outlook"),
    path("outlook/hide/", forecast.hide, name="hide_outlook"),
    path("bracket/", bracket.bracket, name="bracket"),
    path("bracket.svg", bracket.bracket_svg, name="bracket_svg"),
    path("event.ics", events.calendar, name="event_calendar"),
    path("podium.svg", podium.podium_svg, name="podium_svg"),
    path("crosstable/", bracket.crosstable, name="crosstable"),
    path("decks/", decks.decks, name="event_decks"),
    path("decks/sheet/", deck_sheets.event_sheet, name="event_sheet"),
    path("decks/<int:number>/", decks.deck, name="event_deck"),
    path("decks/<int:number>/proof.txt", decks.deck_proof, name="event_deck_proof"),
    path("decks/<int:number>/export/<slug:key>/", decks.deck_export, name="event_deck_export"),
    path("check/", event_files.check_event, name="check_event"),
    path("event.zip", event_files.public_file, name="event_file"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("statistics.csv", statistics.statistics_file, {"kind": "csv"}, name="statistics_csv"),
    path("statistics.xlsx", statistics.statistics_file, {"kind": "xlsx"}, name="statistics_xlsx"),
    path("fairness/", fairness.fairness, name="fairness"),
    path("embed/", embeds.embeds, name="embeds"),
    *(path(f"embed/{kind}/", view, name=f"embed_{kind}") for kind, view in embeds.KINDS.items()),
]
urlpatterns = [
    path("", events.home, name="home"),
    path("players/<str:public_id>/", profiles.profile, name="profile"),
    path("my/profile/", profiles.show_profile, name="show_profile"),
    path("verify/verify_event.py", event_files.verify_program, name="verify_program"),
    path("verify/key.json", event_files.site_key, name="site_key"),
    path("e/<slug:slug>/", include(of_event)),
]
