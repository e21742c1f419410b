"""The page of full figures: what it takes from a report, and that what it names is there."""

import ast

import pytest

from launch.places import ROOT
from tests import figures

REPORT = """seed 7
started 10:00:00 tests/journal/test_x.py::test_a[GET /one/]
tried 10:00:01 tests/journal/test_x.py::test_a[GET /one/]\t300
ended 10:00:01 tests/journal/test_x.py::test_a[GET /one/]
started 10:00:01 tests/journal/test_x.py::test_a[GET /two/]
failed 10:00:02 tests/journal/test_x.py::test_a[GET /two/] (call)
assert False
ended 10:00:02 tests/journal/test_x.py::test_a[GET /two/]
started 10:00:02 tests/journal/test_x.py::test_cut_off
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    """The page as it was, with a line of each database, and the reports of a run that has failed once."""
    page = tmp_path / "page.md"
    old = "| | `tests/journal/test_x.py::test_a` | {} | 1 of 1 | 9 | 1 | 2020-01-01 |\n"
    page.write_text("# Head\n" + figures.RULE + old.format("PostgreSQL") + old.format("SQLite"))
    (tmp_path / "on-postgresql.txt").write_text(REPORT)
    for name, value in {"PAGE": page, "REPORTS": tmp_path, "ROOT": tmp_path}.items():
        monkeypatch.setattr(figures, name, value)
    return page


def test_what_a_long_run_tried_stands_in_its_line_and_the_others_stay(page):
    assert figures.main() == 0
    head, rule, lines = page.read_text().partition(figures.RULE)
    new, old = lines.splitlines()
    assert (head, rule) == ("# Head\n", figures.RULE)
    assert "test_a` | PostgreSQL | 1 of 2 | 300 | 7 |" in new
    assert old.endswith("SQLite | 1 of 1 | 9 | 1 | 2020-01-01 |")


def test_reports_of_another_tier_are_refused(page, tmp_path):
    (tmp_path / "on-postgresql.txt").write_text("seed 7\nended 10:00:01 tests/journal/test_x.py::test_a\n")
    before = page.read_text()
    assert figures.main() == 1
    assert page.read_text() == before


def test_every_test_of_the_page_is_there_and_says_its_promises():
    for line in figures.PAGE.read_text().partition(figures.RULE)[2].splitlines():
        promises, test = line.split("|")[1].strip(), line.split("`")[1]
        file, *_classes, name = test.split("::")
        assert name in {each.name for each in ast.walk(ast.parse((ROOT / file).read_text())) if hasattr(each, "name")}
        assert promises == figures.promises(test)
