"""The README's first section, played on a real `./run` in a real browser.

`DOOMDESK_PICTURES=docs/pictures ./test tests/journeys` also stores the README's pictures.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import compute_standings, decimal_text
from tests.journeys.tour import ADA, BEN, DROPPED, Tour
from tests.launch.conftest import Desk

pytestmark = pytest.mark.browser


@pytest.mark.full
def test_newcomer_runs_an_event_from_sign_up_to_the_podium(browser: Browser, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "var")
    desk.start()
    pictures = os.environ.get("DOOMDESK_PICTURES")
    if pictures:
        Path(pictures).mkdir(parents=True, exist_ok=True)
    try:
        tour = Tour(browser, f"http://localhost:{desk.port}", Path(pictures) if pictures else None)
        tour.play()
    finally:
        desk.end()
    check_decks(tour)
    check_standings(tour)
    assert tour.presses["event"] <= 6
    assert tour.presses["event: fields"] == 2
    assert tour.presses["record"] <= 2
    assert tour.errors == []


def check_decks(tour: Tour) -> None:
    """The one list is legal, the other has too many copies, and says by which rule."""
    legal, illegal = tour.verdicts[ADA], tour.verdicts[BEN]
    assert "DP-COPIES" not in legal
    assert "DP-COPIES" in illegal


def check_standings(tour: Tour) -> None:
    """Page and CSV after the Swiss rounds equal standings computed from the tour's own notes."""
    names = {number: name for name, number in tour.numbers.items()}
    expected = compute_standings(names, tour.records, ScoringPolicy())
    assert [line["player"] for line in tour.exported] == [names[line.contender] for line in expected]
    for line, row, shown in zip(expected, tour.exported, tour.standings, strict=True):
        assert (int(row["rank"]), int(row["points"])) == (line.rank, line.match_points)
        assert [row["omw"], row["gw"], row["ogw"]] == [decimal_text(x, 4) for x in (line.omw, line.gw, line.ogw)]
        assert names[line.contender] in shown
        assert decimal_text(line.omw * 100, 2) in shown
    assert sum(record.kind == "bye" for record in tour.records) == 2
    assert "dropped" in next(shown for shown in tour.standings if DROPPED in shown)
