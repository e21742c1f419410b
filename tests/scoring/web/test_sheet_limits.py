"""Score sheets without an event: how often they are filed, and how long they are kept."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.state import ProjectState
from django.test import Client
from django.utils.module_loading import import_string

from accounts.actors import ANONYMOUS
from journal.clock import database_now
from journal.ledger.append_only import MayGo
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, OutboxMessage
from rules_engine.errors import TooMany
from scoring.models import ScoreSheet, SheetPart, SheetRevision, SheetSignature, SheetTally
from scoring.sheets import services
from scoring.sheets.services import change_part, file_sheet, open_sheet, prune_sheets, sign_tally
from scoring.tasks import tally_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
PEOPLE = [{"name": name} for name in ("Ada", "Ben", "Cem")]
DAY = timedelta(days=1)
KINDS = (ScoreSheet, SheetPart, SheetRevision, SheetTally, SheetSignature)


def filled(points: int) -> dict:
    sums = {"face_value": points, "bonus": 0, "catastrophe": 0}
    return {"players": [{**each, "sums": sums} for each in PEOPLE], "options": {}}


def kept_sheet(now, stream: str = "") -> ScoreSheet:
    """A sheet that was filed twice, added up and signed once."""
    sheet = open_sheet(ANONYMOUS, "doomlings", PEOPLE, {}, now, stream)
    change_part(ANONYMOUS, sheet, 1, lambda _before: {"sums": {"face_value": 8}}, now)
    for points in (7, 8):
        revision = file_sheet(ANONYMOUS, sheet, filled(points), now)
        tally_sheet(revision.pk, "")
    assert revision.outcome.tally
    sign_tally(ANONYMOUS, revision, 1, now)
    return sheet


def held() -> list[int]:
    return [kind.objects.count() for kind in KINDS]


def at_table(settings, filed: int) -> tuple[Client, ScoreSheet, str]:
    """A phone that writes for everybody, at a sheet that was filed as often as it may be."""
    settings.SHEET_VERSIONS = filed
    now = database_now()
    sheet = open_sheet(ANONYMOUS, "doomlings", PEOPLE, {}, now)
    for points in range(filed):
        file_sheet(ANONYMOUS, sheet, filled(points), now)
    client, root = Client(), f"/scores/doomlings/{sheet.key}/"
    client.post(f"{root}me/", {"place": "all"})
    client.post(f"{root}parts/1/", {"act": "save", "version": 0, "sum_face_value": "21"})
    return client, sheet, root


def test_a_sheet_is_filed_so_often_an_hour_and_keeps_what_was_written(settings):
    client, sheet, root = at_table(settings, 3)
    for _again in range(5):
        answer = client.post(f"{root}file/", {"anyway": "1"}, follow=True)
        assert "Filed 3 times in an hour." in answer.content.decode()
    assert sheet.revisions.count() == OutboxMessage.objects.count() == LedgerEntry.objects.count() == 3
    assert 'value="21"' in client.get(f"{root}parts/1/").content.decode()


def test_without_the_limit_every_press_stores_a_version(settings, monkeypatch):
    client, sheet, root = at_table(settings, 3)
    monkeypatch.setattr(services, "_check_versions", lambda sheet, now: None)
    client.post(f"{root}file/", {"anyway": "1"})
    assert sheet.revisions.count() == 4


def test_an_hour_later_it_is_filed_again(settings):
    _client, sheet, _root = at_table(settings, 2)
    with pytest.raises(TooMany):
        file_sheet(ANONYMOUS, sheet, filled(50), database_now())
    assert file_sheet(ANONYMOUS, sheet, filled(1), database_now()).number == 2, "the same content is no new version"
    assert file_sheet(ANONYMOUS, sheet, filled(50), database_now() + timedelta(minutes=61)).number == 3


def test_sheets_of_events_and_other_sheets_are_not_counted(settings):
    settings.SHEET_VERSIONS = 2
    now = database_now()
    of_event = open_sheet(ANONYMOUS, "doomlings", PEOPLE, {}, now, "event-1")
    for points in range(4):
        file_sheet(ANONYMOUS, of_event, filled(points), now)
    for _sheet in range(2):
        kept_sheet(now)


def test_a_filed_sheet_goes_days_after_its_last_change(settings):
    settings.SHEETS_KEPT = 10
    now = database_now()
    sheet = kept_sheet(now - 11 * DAY)
    of_event = kept_sheet(now - 11 * DAY, "event-1")
    assert prune_sheets(now) == 1
    assert held() == [1, 4, 2, 2, 1]
    assert set(ScoreSheet.objects.all()) == {of_event}
    assert LedgerEntry.objects.filter(stream=sheet.stream).count() == 3
    assert list(verify_stream(sheet.stream)) == list(verify_stream("event-1")) == []
    assert Client().get(f"/scores/doomlings/{sheet.key}/").status_code == 404


@pytest.mark.parametrize("change", ["part", "revision", "signature"])
def test_whatever_changed_later_keeps_the_sheet(settings, change):
    settings.SHEETS_KEPT = 10
    now = database_now()
    sheet, late = kept_sheet(now - 11 * DAY), now - 9 * DAY
    newest = sheet.revisions.get(number=2)
    if change == "part":
        change_part(ANONYMOUS, sheet, 2, lambda _before: {"sums": {"face_value": 1}}, late)
    elif change == "revision":
        file_sheet(ANONYMOUS, sheet, filled(9), late)
    else:
        sign_tally(ANONYMOUS, newest, 2, late)
    assert prune_sheets(now) == 0
    assert prune_sheets(now + 2 * DAY) == 1


def test_sheets_are_kept_for_good_where_the_site_says_so(settings):
    settings.SHEETS_KEPT = 0
    kept_sheet(database_now() - 4000 * DAY)
    assert prune_sheets(database_now()) == 0


def test_a_table_that_begins_a_sheet_has_old_ones_thrown_away(settings):
    settings.SHEETS_KEPT = 10
    kept_sheet(database_now() - 11 * DAY)
    usual = {"ties": "shared", "check_limits": "on", "prosperous_world": "none", "second_dominant": "added"}
    assert Client().post("/scores/doomlings/", {"names": "Ada\nBen", **usual}).status_code == 302
    assert held() == [1, 3, 0, 0, 0]


@pytest.mark.parametrize("model", [SheetSignature, SheetTally, SheetRevision])
def test_what_was_filed_at_an_event_stays_and_nothing_is_changed(model):
    sheets = [kept_sheet(database_now() - 4000 * DAY, stream) for stream in ("", "event-1")]
    path = "sheet" if model is SheetRevision else "revision__sheet"
    name = {SheetSignature: "actor", SheetTally: "error", SheetRevision: "filed_by"}[model]
    for sheet in sheets:
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.filter(**{path: sheet}).update(**{name: "x"})
    rows = model.objects.filter(**{path: sheets[1]})
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        rows._raw_delete("default")


def test_with_the_old_guard_no_filed_sheet_goes(settings):
    settings.SHEETS_KEPT = 10
    kept_sheet(database_now() - 11 * DAY)
    before = held()
    migration = import_string("scoring.migrations.0003_sheets_alone_may_go.Migration")
    with transaction.atomic():
        for operation in migration.operations:
            assert isinstance(operation, MayGo)
            operation.database_backwards("scoring", connection.schema_editor(), ProjectState(), ProjectState())
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            prune_sheets(database_now())
        transaction.set_rollback(True)
    assert held() == before


def test_a_sheet_that_was_filed_a_moment_ago_is_not_thrown_away(settings, monkeypatch):
    """Between the choice and the lock somebody files again: the second look finds it."""
    settings.SHEETS_KEPT = 10
    now = database_now()
    sheet = kept_sheet(now - 11 * DAY)
    old, looks = services._old_sheets, []

    def slow(at):
        looks.append(at)
        if len(looks) == 2:
            file_sheet(ANONYMOUS, sheet, filled(9), now)
        return old(at)

    monkeypatch.setattr(services, "_old_sheets", slow)
    assert prune_sheets(now) == 0
    assert len(looks) == 2
