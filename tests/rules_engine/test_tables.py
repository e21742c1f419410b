"""No cell of a file that leaves the house is a formula, whichever separator a spreadsheet takes, and all come back."""

import csv
import io
import re
from decimal import Decimal
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.tables import FORMULA_STARTS, csv_text, guarded, restored, xlsx_file

SEPARATORS = ",;\t"
TRICKS = [
    "x;=cmd|' /C calc'!A0;y", "x\t=1+1", ";=1", "x;@SUM(A1)", "x;;-1", "x;'=1", "x; =1", 'x;"=1', "x\n=1", "x\r\n+1",
    "x;＝1", "'x;=1", "=1;=2", "\t\t=1", "x;'' '=1",
]  # fmt: skip
hostile = st.text(alphabet="=+-@;\t\n\r'\" ,ax＝", max_size=20)


def cells_of(text: str, separator: str) -> list[str]:
    return [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("name", TRICKS)
def test_no_name_becomes_a_formula(name, separator):
    for row in ([1, name, ""], [name, 2, ""]):
        cells = cells_of(csv_text(["rank", "name", "note"], [row]), separator)
        assert not [cell for cell in cells if cell.lstrip(' "').startswith(FORMULA_STARTS)]


def test_without_the_guard_the_second_half_of_a_club_is_a_formula(monkeypatch):
    monkeypatch.setattr("rules_engine.tables.guarded", str)
    assert "=cmd|' /C calc'!A0" in cells_of(csv_text(["rank", "club"], [[1, TRICKS[0]]]), ";")


def workbook_of(file: bytes) -> list[list[tuple[str, str]]]:
    """The cells of the first sheet with their types: "s" a text, "n" a number, "f" a formula."""
    space = {"": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    with ZipFile(io.BytesIO(file)) as book:
        shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml")).findall("si", space)
        texts = ["".join(each.itertext()) for each in shared]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    rows = []
    for row in sheet.iter(f"{{{space['']}}}row"):
        cells = []
        for cell in row:
            kind = "f" if cell.find("f", space) is not None else cell.get("t", "n")
            value = cell.findtext("v", "", space)
            cells.append((kind, texts[int(value)] if kind == "s" else value))
        rows.append(cells)
    return rows


def test_a_workbook_has_texts_and_numbers_and_no_formula():
    rows = [[1, name, Decimal("0.5000"), ""] for name in (*TRICKS[:3], "=1+1", "@SUM(A1)", "0042", "http://x.test")]
    head, *lines = workbook_of(xlsx_file(["rank", "=name", "share", "note"], rows))
    assert head == [("s", "rank"), ("s", "=name"), ("s", "share"), ("s", "note")]
    assert [line[1] for line in lines] == [("s", row[1]) for row in rows]
    assert {(line[0], line[2]) for line in lines} == {(("n", "1"), ("n", "0.5000"))}


def test_written_as_what_it_looks_like_a_name_is_a_formula(monkeypatch):
    sheet = xlsxwriter.worksheet.Worksheet
    monkeypatch.setattr(sheet, "write_string", sheet.write)
    assert ("f", "0") in workbook_of(xlsx_file(["name"], [["=1+1"]]))[1]


def test_a_workbook_does_not_say_when_it_was_written():
    with ZipFile(io.BytesIO(xlsx_file(["name"], [["Ada"]]))) as book:
        assert {each.date_time[0] for each in book.infolist()} == {1980}
        assert re.findall(rb"\d{4}-\d\d-\d\dT[\d:]+", book.read("docProps/core.xml")) == [b"2000-01-01T00:00:00"] * 2


def test_zero_is_written_with_its_digits():
    assert csv_text(["share"], [[Decimal("0.0000000000")]]) == "share\r\n0.0000000000\r\n"


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_comes_back_as_it_was(name):
    assert restored(guarded(name)) == name
    assert restored(guarded(guarded(name))) == guarded(name)


@given(hostile)
def test_any_name_comes_back_as_it_was(name):
    assert restored(guarded(name)) == name


@pytest.mark.parametrize("name", ["Ada", "Ada; Ben", "Anne-Marie", "a=b", "O'Neill", "x;y=1", "1;2"])
def test_an_honest_name_stays_as_it_is(name):
    assert guarded(name) == name
