"""The README's first section, played on a real `./run` in a real browser.

`DOOMDESK_PICTURES=docs/pictures ./test tests/journeys` also stores the README's pictures.
"""

import csv
import os
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import compute_standings, decimal_text
from tests.journeys.tour import DROPPED, Tour
from tests.launch.conftest import Desk

pytestmark = pytest.mark.browser


@pytest.mark.full
def test_new_user_runs_an_event_from_sign_up_to_final_standings(browser: Browser, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "var")
    desk.start()
    pictures = os.environ.get("DOOMDESK_PICTURES")
    if pictures:
        Path(pictures).mkdir(parents=True, exist_ok=True)
    try:
        tour = Tour(browser, f"http://localhost:{desk.port}", Path(pictures) if pictures else None)
        tour.play()
        with urllib.request.urlopen(f"{tour.event}standings.csv") as answer:
            exported = list(csv.DictReader(answer.read().decode("utf-8-sig").splitlines()))
    finally:
        desk.end()
    check_decks(tour)
    check_standings(tour, exported)
    assert tour.errors == []


def check_decks(tour: Tour) -> None:
    """The one list is legal, the other has too many copies, and says by which rule."""
    legal, illegal = tour.verdicts["Ada Lindqvist"], tour.verdicts["Ben Kowalski"]
    assert "DP-COPIES" not in legal
    assert "DP-COPIES" in illegal


def check_standings(tour: Tour, exported: list[dict[str, str]]) -> None:
    """Page and CSV equal standings computed from the tour's own notes."""
    names = {number: name for name, number in tour.numbers.items()}
    expected = compute_standings(names, tour.records, ScoringPolicy())
    assert [line["player"] for line in exported] == [names[line.contender] for line in expected]
    for line, row, shown in zip(expected, exported, tour.standings, strict=True):
        assert (int(row["rank"]), int(row["points"])) == (line.rank, line.match_points)
        assert [row["omw"], row["gw"], row["ogw"]] == [decimal_text(x, 4) for x in (line.omw, line.gw, line.ogw)]
        text = " ".join(shown)
        assert names[line.contender] in text
        assert decimal_text(line.omw * 100, 2) in text
    assert sum(record.kind == "bye" for record in tour.records) == 1
    assert "dropped" in next(" ".join(shown) for shown in tour.standings if DROPPED in " ".join(shown))
