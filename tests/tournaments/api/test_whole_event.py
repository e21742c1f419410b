"""A whole event by the API alone, from creation to final standings."""

import pytest

from scoring.standings.standings import decimal_text
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import PEOPLE
from tournaments.models import Tournament
from tournaments.standings.selectors.standings import standing_rows

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

EVENT = {
    "name": "Autumn Doom Cup",
    "starts_at": "2026-05-10T10:00:00Z",
    "game": "doom_pile",
    "game_format": "standard",
    "swiss_rounds": 3,
    "also_judge": True,
    "policy": {"floor": "0.33"},
}


def play_round(olive, path, number):
    """Pair, publish, report: the first seat wins 2-1; answers the matches afterwards."""
    good(olive.post(f"{path}rounds/", {"after": number - 1, "seed": number}), 201)
    good(olive.post(f"{path}rounds/{number}/publish/"))
    for match in good(olive.get(f"{path}rounds/{number}/matches/"))["results"]:
        if match["kind"] == "played":
            answer = good(olive.post(f"{path}matches/{match['id']}/report/", {"games_won": [2, 1]}))
            assert (answer["status"], answer["match"]["state"]) == ("standing", "done")
    return good(olive.get(f"{path}rounds/{number}/matches/"))["results"]


def test_event_runs_from_creation_to_final_standings():
    olive = caller("olive")
    created = good(olive.post("/api/v1/events/", EVENT), 201)
    assert (created["state"], created["my_roles"], created["policy"]["floor"]) == (
        "draft",
        ["judge", "organiser"],
        "33/100",
    )
    path = f"/api/v1/events/{created['slug']}/"
    good(olive.post(f"{path}open/"))
    entered = good(olive.post(f"{path}entries/", {"entries": [{"name": name} for name in PEOPLE[:9]]}), 201)
    assert [entry["number"] for entry in entered["entries"]] == list(range(1, 10))
    assert good(olive.post(f"{path}start/"))["state"] == "running"

    first = play_round(olive, path, 1)
    assert [match["kind"] for match in first].count("bye") == 1
    assert good(olive.post(f"{path}entries/9/drop/"))["state"] == "dropped"
    second = play_round(olive, path, 2)
    assert [match["kind"] for match in second].count("bye") == 0
    third = play_round(olive, path, 3)
    correction = {"games_won": [0, 2], "reason": "written the wrong way round", "seen": third[0]["result"]["report"]}
    corrected = good(olive.post(f"{path}matches/{third[0]['id']}/correct/", correction))
    assert corrected["match"]["result"]["games_won"] == [0, 2]
    assert corrected["match"]["reports"][1]["corrects"] == 1

    page = good(olive.get(f"{path}standings/"))
    rows = standing_rows(Tournament.objects.get(slug=created["slug"]))
    assert [(line["rank"], line["entry"], line["points"], line["omw"]) for line in page["results"]] == [
        (row.standing.rank, row.entry.number, row.standing.match_points,
         {"fraction": str(row.standing.omw), "decimal": decimal_text(row.standing.omw, 10)})
        for row in rows
    ]  # fmt: skip
    assert page["ledger"]["sequence"] > 0
    assert olive.get(page["csv"]).content.decode().splitlines()[0].startswith("rank,number,player,points")
    assert good(olive.post(f"{path}finish/"))["state"] == "finished"
