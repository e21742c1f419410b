"""Addresses of score sheets that belong to no event."""

from django.urls import path

from scoring.web import alone, dead_or_destroyed_helper, doom_pile
from scoring.web.sheets import SHEET_PAGES

SHEET = "scores/<slug:game>/<slug:key>/"

urlpatterns = [
    path("scores/", alone.tools, name="score_tools"),
    path("scores/doom_pile/", doom_pile.table, name="doom_pile_table"),
    path("scores/doom_pile/countdown/", doom_pile.countdown, name="doom_pile_countdown"),
    path("scores/dead_or_destroyed/summon/", dead_or_destroyed_helper.summon, name="dod_summon"),
    path("scores/dead_or_destroyed/attack/", dead_or_destroyed_helper.attack, name="dod_attack"),
    path("scores/dead_or_destroyed/reveal/", dead_or_destroyed_helper.reveal, name="dod_reveal"),
    path("scores/<slug:game>/", alone.start, name="start_sheet"),
    path("scores/<slug:game>/cards/<slug:digest>.json", alone.catalogue, name="score_cards"),
    path(f"{SHEET}me/", alone.pick, name="pick_place"),
    *(
        path(f"{SHEET}{route}", alone.keyed(view), name=f"score_sheet_{view.__name__}" if route else "score_sheet")
        for route, view in SHEET_PAGES.items()
    ),
]
