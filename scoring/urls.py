"""Addresses of score sheets that belong to no event, and of what helps at the tables of single games."""

from django.urls import include, path

from scoring.game_folders import games_with
from scoring.sheets.web import standalone
from scoring.sheets.web.sheets import SHEET_PAGES

SHEET = "scores/<slug:game>/<slug:key>/"

urlpatterns = [
    path("scores/", standalone.tools, name="score_tools"),
    *(path(f"scores/{game}/", include(f"scoring.games.{game}.urls")) for game in games_with("urls")),
    path("scores/<slug:game>/", standalone.start, name="start_sheet"),
    path("scores/<slug:game>/cards/<slug:digest>.json", standalone.catalogue, name="score_cards"),
    path(f"{SHEET}me/", standalone.pick, name="pick_place"),
    *(
        path(f"{SHEET}{route}", standalone.keyed(view), name=f"score_sheet_{view.__name__}" if route else "score_sheet")
        for route, view in SHEET_PAGES.items()
    ),
]
