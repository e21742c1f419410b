"""A fifth game with a sheet and pages is one folder: tallied, filed, written on pages, with help at the table."""

import json
import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.actors import SYSTEM
from journal.clock import database_now
from journal.models import OutboxMessage
from rules_engine.errors import NotFound
from rules_engine.systems import extra_games
from scoring import games
from scoring.models import SheetRevision
from scoring.sheets.selectors import content_of, outcome_of
from scoring.sheets.services import file_sheet, open_sheet, save_part
from scoring.sheets.tallies.registry import get_tallier, has_sheet
from scoring.tasks import tally_sheet
from tests.rules_engine.test_loading import GAMES

GAME = "toy_skirmish"
TOY = Path(__file__).parent / "toy_game"
SHEET = {"players": [{"name": "Ada", "knights": [3, 4]}, {"name": "Ben", "knights": [5]}]}


@pytest.fixture
def toy(monkeypatch):
    """The toy game's folder among the games of the rules, and the one among the games of scoring."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(TOY)])
    with extra_games(GAMES):
        yield
    for name in [name for name in sys.modules if name.startswith(f"scoring.games.{GAME}")]:
        del sys.modules[name]


def test_without_its_folder_it_has_no_sheet():
    with extra_games(GAMES):
        assert not has_sheet(GAME)
        with pytest.raises(NotFound):
            get_tallier(GAME)


def test_it_is_tallied_and_its_result_follows(toy):
    tallier = get_tallier(GAME)
    told = tallier.tally(SHEET)
    assert [player["score"] for player in told["players"]] == [7, 5]
    result = tallier.result(told)
    assert (result.placings, result.scores, result.games_won) == ((1, 2), (7, 5), (1, 0))


def test_the_command_tallies_it(toy, tmp_path):
    file, out = tmp_path / "sheet.json", StringIO()
    file.write_text(json.dumps(SHEET))
    call_command("tally", GAME, str(file), "--json", stdout=out)
    assert json.loads(out.getvalue())["winners"] == ["Ada"]


@pytest.mark.django_db
def test_it_is_filed_and_handed_to_the_worker(toy):
    now = database_now()
    sheet = open_sheet(SYSTEM, GAME, [{"name": "Ada"}, {"name": "Ben"}], {}, now)
    for place, knights in ((1, [3, 4]), (2, [5])):
        save_part(SYSTEM, sheet, place, {"knights": knights}, 0, now)
    revision = file_sheet(SYSTEM, sheet, content_of(sheet), now, handoff="toy.ready")
    message = OutboxMessage.objects.get(pk=revision.message)
    assert (message.task, message.args) == ("scoring.tally_sheet", [revision.pk, "toy.ready"])
    tally_sheet(*message.args)
    revision.refresh_from_db()
    assert outcome_of(revision).tally["winners"] == ["Ada"]
    assert OutboxMessage.objects.filter(task="toy.ready", args=[revision.pk]).count() == 1


@pytest.mark.django_db
def test_a_sheet_of_it_that_cannot_be_tallied_goes_back(toy):
    sheet = open_sheet(SYSTEM, GAME, [{"name": "Ada"}], {}, database_now())
    revision = file_sheet(SYSTEM, sheet, content_of(sheet), database_now())
    tally_sheet(revision.pk, "")
    revision.refresh_from_db()
    assert (outcome_of(revision).tally, outcome_of(revision).error) == (None, "Nobody skirmishes alone.")


@pytest.fixture
def templates(settings):
    """The templates of the toy game beside the site's."""
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], TOY / "templates"]}]


@pytest.mark.django_db
def test_its_sheet_is_written_filed_and_tallied_on_pages(toy, templates, client):
    begun = client.post(f"/scores/{GAME}/", {"names": "Ada\nBen"})
    assert begun.status_code == 302, begun.content.decode()
    client.post(f"{begun.url}me/", {"place": "all"})
    assert "Powers" in client.get(f"{begun.url}parts/1/").content.decode()
    for place, knights in ((1, "3 4"), (2, "5")):
        client.post(f"{begun.url}parts/{place}/", {"knights": knights, "version": 0, "act": "save"})
    assert client.post(f"{begun.url}file/").url == f"{begun.url}tally/"
    tally_sheet(SheetRevision.objects.get().pk, "")
    page = client.get(f"{begun.url}tally/").content.decode()
    assert "Knights" in page
    assert re.search(r"Ada.*?\b7\b.*?Ben.*?\b5\b", page, re.DOTALL)


@pytest.mark.django_db
def test_its_help_is_among_the_tools(toy, client):
    page = client.get("/scores/").content.decode()
    assert "/toy/book/" in page
    assert f"/scores/{GAME}/" in page
