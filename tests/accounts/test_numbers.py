"""Whole numbers from outside: one reader, whatever is sent, and no page that turns text into a number by itself."""

import ast
from pathlib import Path

import pytest
from django.urls import reverse

from accounts.actors import SYSTEM
from accounts.http.numbers import LARGEST, read_number
from scoring.sheets.services import open_sheet
from tests.tournaments.factories import NOW, account, event, running
from tournaments.standings.forms.scoring import read_placing

ROOT = Path(__file__).parents[2]
ABSURD = ["9" * 5000, "001" + "0" * 5000, "0019999999999", "-1", "1.5", "１２", "²", "", " 7"]
PAGES = [
    *ROOT.glob("*/web/**/*.py"),
    *ROOT.glob("scoring/sheets/web/*.py"),
    *ROOT.glob("scoring/games/*/*pages.py"),
    ROOT / "accounts/identity/web.py",
    ROOT / "accounts/notifications/views.py",
]
OWN = {
    "impact_words.py: int(position)",  # of a bracket's own address
    "clock.py: int(held['minutes'])",  # stored by us, behind a net
    "helper_pages.py: int(form.cleaned_data['revealed'])",  # a choice of the form
    "helper_pages.py: int((now + timedelta(minutes=minutes)).timestamp())",
    "helper_pages.py: int(now.timestamp())",
    "calls.py: int(((call.ended_at or now) - call.called_at).total_seconds() // 60)",
    "page_cache.py: int(time())",
    "marks.py: int(entry)",  # of marks that this process made, with a word that nobody else knows
    "marks.py: int(text)",
    "log_words.py: int(match or 0)",  # of the log
    "log_words.py: int(number)",
    "log_words.py: int(user or 0)",
}
"""What turns our own values into numbers."""


@pytest.mark.parametrize("text", ABSURD)
def test_what_is_no_plain_whole_number_is_none(text):
    assert read_number(text, 60) is None


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("60", 60), ("007", 7), (str(LARGEST), LARGEST)])
def test_plain_digits_are_a_number_up_to_the_most(text, number):
    assert read_number(text) == number
    assert read_number(text, number) == number
    assert number == 0 or read_number(text, number - 1) is None


def numbers_made(source: str, name: str) -> set[str]:
    """Every `int(…)` of a module, by file and words."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {f"{name}: {ast.unparse(call)}" for call in calls if ast.unparse(call.func) == "int"}


def test_no_page_makes_a_number_of_what_was_sent():
    assert set().union(*(numbers_made(page.read_text(), page.name) for page in PAGES)) == OWN


def test_the_search_finds_one():
    assert numbers_made('def page(request):\n    return int(request.POST["at"])', "x.py") == {
        "x.py: int(request.POST['at'])"
    }


@pytest.mark.django_db
@pytest.mark.parametrize("number", ABSURD)
def test_absurd_numbers_are_no_error_of_ours(client, number):
    running_event, draft = running(4), event()
    sheet = open_sheet(SYSTEM, "doomlings", [{"name": "Ada"}, {"name": "Ben"}], {}, NOW)
    posts = [
        ("/scores/doom_pile/table/", {"act": "stack", "minutes": number}),
        (reverse("pick_place", args=[sheet.game, sheet.key]), {"place": number}),
    ]
    client.force_login(account("olive").user)
    filled = {"fill": "1", "best_of": number, "profile": ""}
    posts += [("/new/", filled), (f"/e/{draft.slug}/manage/settings/", filled)]
    posts += [(f"/e/{running_event.slug}/undo/", {"act": number})]
    for path, fields in posts:
        assert client.post(path, fields).status_code < 500, path


@pytest.mark.parametrize("word", ["9" * 5000, "0000000001" * 600])
def test_absurd_points_of_places_are_refused_by_line(word):
    with pytest.raises(ValueError, match="Line 1"):
        read_placing(f"{word} 1")
