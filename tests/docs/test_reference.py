"""docs/reference/ says what the code says today."""

import pytest

from tests.docs import reference
from tests.docs.error_codes import find_codes
from tests.docs.reference_tables import MODULES, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_is_current(name):
    ((path, text),) = reference.written({name: PAGES[name]})
    is_current = path.read_text(encoding="utf-8") == text
    assert is_current, f"{path.name} is out of date: run `{reference.COMMAND}` and commit what it writes"


@pytest.mark.parametrize("name", MODULES)
def test_written_code_is_current(name):
    is_current = (reference.ROOT / name).read_text(encoding="utf-8") == MODULES[name]()
    assert is_current, f"{name} is out of date: run `{reference.COMMAND}` and commit what it writes"


def test_what_is_between_the_marks_is_replaced_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(reference, "FOLDER", tmp_path)
    old = f"# Own words\n\n{reference.START}\n\nold\n\n{reference.END}\n\nMore.\n"
    (tmp_path / "page.md").write_text(old)
    ((path, text),) = reference.written({"page.md": lambda: "new"})
    assert text == old.replace("old", "new")
    assert path.read_text() == old


def test_codes_are_found_wherever_they_are_written():
    codes, unknown = find_codes()
    assert set(unknown) == {"error.code"}  # another error put in new words
    assert codes["too_long"].statuses == {422}  # its sentence is in a variable
    assert codes["too_long"].sentences
    assert "stage_has_begun" in codes  # handed to a function
    assert codes["same_place"].sentences  # looked up in a table
    assert codes["bad_game"].sentences  # a constant
