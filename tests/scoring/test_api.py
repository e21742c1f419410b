"""The stateless tally by API: what the command answers, a problem for a sheet that cannot be tallied, nothing kept."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from scoring.models import ScoreSheet
from tests.tournaments.api.callers import caller, good

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/tally/doomlings/"
SHEET = {"players": [{"name": "Ada", "traits": ["Kidney", "Kidney", "Adorable"]}, {"name": "Ben", "traits": ["Bark"]}]}
BROKEN = {"players": [{"name": "Ada", "traits": ["Sentience", "Viral", "Apex Predator"]}]}


def tallied_by_command(data: dict, tmp_path) -> dict:
    file, out = tmp_path / "sheet.json", StringIO()
    file.write_text(json.dumps(data))
    call_command("tally", "doomlings", str(file), json=True, stdout=out)
    return json.loads(out.getvalue())


def test_tally_equals_the_command(tmp_path) -> None:
    many = {"sheets": [SHEET, BROKEN, 3]}
    for data in (SHEET, many):
        assert good(caller().post(ADDRESS, data)) == tallied_by_command(data, tmp_path)
    assert [("error" in each) for each in tallied_by_command(many, tmp_path)["tallies"]] == [False, True, True]


def test_sheet_that_cannot_be_tallied_is_a_problem_with_its_violations() -> None:
    problem = good(caller().post(ADDRESS, BROKEN), 422)
    assert problem["code"] == "bad_sheet"
    assert problem["details"]["violations"][0]["rule"] == "DL-DOMINANT"


@pytest.mark.parametrize(
    ("body", "status"), [([1], 400), ({"sheets": 1}, 400), ({"sheets": [{}] * 501}, 400), ({}, 422)]
)
def test_body_that_is_no_sheet_is_refused(body: object, status: int) -> None:
    assert caller().post(ADDRESS, body).status_code == status


def test_unknown_game_is_not_found_and_nothing_is_kept() -> None:
    for game in ("doom-pile", "registry", "none", "house_game"):
        assert caller().post(f"/api/v1/tally/{game}/", SHEET).status_code == 404
    assert not ScoreSheet.objects.exists()
