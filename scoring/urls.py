"""Addresses of score sheets that belong to no event."""

from django.urls import path

from scoring.web import alone
from scoring.web.sheets import SHEET_PAGES

SHEET = "scores/<slug:game>/<slug:key>/"

urlpatterns = [
    path("scores/", alone.tools, name="score_tools"),
    path("scores/<slug:game>/", alone.start, name="start_sheet"),
    path("scores/<slug:game>/cards/<slug:digest>.json", alone.catalogue, name="score_cards"),
    path(f"{SHEET}me/", alone.pick, name="pick_place"),
    *(
        path(f"{SHEET}{route}", alone.keyed(view), name=f"score_sheet_{view.__name__}" if route else "score_sheet")
        for route, view in SHEET_PAGES.items()
    ),
]
