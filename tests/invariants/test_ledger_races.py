"""Two phones that write on one ledger at once: both acts stay, in real processes on PostgreSQL.

The control takes the lock on the part away, and acts get lost: the race is real.
"""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from django.db.models import QuerySet

from accounts.actors import ANONYMOUS
from rules_engine.errors import Conflict
from scoring.models import ScoreSheet, SheetPart
from scoring.sheets.ledgers import live_acts, struck_acts, with_act, without_act
from scoring.sheets.services import change_part, open_sheet
from tests.races import race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NOW = datetime(2026, 5, 9, 10, tzinfo=UTC)
PHONES, ACTS = 4, 10


def ledger() -> ScoreSheet:
    return open_sheet(ANONYMOUS, "doomtrooper", [{"name": "Ada"}, {"name": "Ben"}], {}, NOW)


def content(sheet: ScoreSheet) -> dict[str, object]:
    return dict(SheetPart.objects.get(sheet=sheet, place=0).content)


def write(sheet: ScoreSheet, phone: int) -> int:
    """The acts that were acknowledged on one phone."""
    acknowledged = 0
    for number in range(ACTS):
        act = {"act": "meditate", "player": "Ada", "note": f"{phone}.{number}"}
        with suppress(Conflict):
            change_part(ANONYMOUS, sheet, 0, lambda held, act=act: with_act(held, act, str(phone), NOW), NOW)
            acknowledged += 1
    return acknowledged


def test_every_acknowledged_act_stays_on_the_ledger_once():
    sheet = ledger()
    assert race(lambda phone: write(sheet, phone), PHONES) == [ACTS] * PHONES
    acts = live_acts(content(sheet))
    assert sorted(act["id"] for act in acts) == list(range(1, PHONES * ACTS + 1))
    assert {act["note"] for act in acts} == {f"{phone}.{number}" for phone in range(PHONES) for number in range(ACTS)}
    for phone in range(PHONES):
        own = [act["note"] for act in acts if act["by"] == str(phone)]
        assert own == [f"{phone}.{number}" for number in range(ACTS)], "each phone's acts keep their order"


def test_without_the_lock_acknowledged_acts_get_lost(monkeypatch):
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, *args, **kwargs: self)
    sheet = ledger()
    acknowledged = race(lambda phone: write(sheet, phone), PHONES)
    assert len(live_acts(content(sheet))) < sum(acknowledged)


def test_one_act_is_struck_out_once_however_many_press():
    sheet = ledger()
    change_part(ANONYMOUS, sheet, 0, lambda held: with_act(held, {"act": "end_turn"}, "", NOW), NOW)

    def strike(phone: int) -> str:
        try:
            change_part(ANONYMOUS, sheet, 0, lambda held: without_act(held, 1, str(phone), NOW), NOW)
        except Conflict as error:
            return error.code
        return "struck"

    assert sorted(race(strike, PHONES)) == ["act_gone"] * (PHONES - 1) + ["struck"]
    assert (live_acts(content(sheet)), len(struck_acts(content(sheet)))) == ([], 1)
