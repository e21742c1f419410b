"""Slips that are scanned at the desk: the right table, or plain words about what they are of; nothing is stored."""

import pytest

from tests.tournaments.factories import next_round, report_all, running, staff, table
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.models import ResultReport, Role
from tournaments.room.slips import grouped, slip_code
from tournaments.web.shared.slips import slip_path

pytestmark = pytest.mark.django_db


@pytest.fixture
def held():
    return running(6, swiss_rounds=3)


@pytest.fixture
def kit(held):
    return browser(staff(held, "kit", Role.Name.SCOREKEEPER))


def test_the_address_of_a_slip_opens_the_desk_at_its_table(held, kit):
    match = table(next_round(held), 2)
    html = page(kit, slip_path(match, held))
    assert 'value="2"' in html[html.index('name="table"') - 100 : html.index('name="table"') + 200]
    assert "Table 2" in text_of(html)


def test_a_code_typed_into_the_field_leads_there_whatever_its_gaps(held, kit):
    round_ = next_round(held)
    code = slip_code(table(round_, 3).pk)
    for typed in (code, grouped(code)):
        answer = kit.post(url(held, "desk/"), {"round": round_.pk, "table": typed, "result": "1"})
        assert answer.url == url(held, f"desk/?slip={code}")
    assert not ResultReport.objects.exists()


def test_slips_of_other_rounds_and_events_and_misread_ones_are_told(held, kit):
    first = next_round(held)
    report_all(first)
    next_round(held)
    told = text_of(page(kit, url(held, f"desk/?slip={slip_code(table(first, 1).pk)}")))
    assert "Not saved: this slip is for table 1, Round 1." in told
    other = running(4, name="Secret cup")
    match = table(next_round(other), 1)
    told = text_of(page(kit, url(held, f"desk/?slip={slip_code(match.pk)}")))
    assert "from another event" in told
    assert "Secret cup" not in told
    code = slip_code(match.pk)
    wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
    assert "isn&#x27;t a slip code" in text_of(page(kit, url(held, f"desk/?slip={wrong}")))
    assert "isn&#x27;t a slip code" in text_of(page(kit, url(held, "desk/?slip=nonsense")))


def test_the_script_is_answered_in_json(held, kit):
    round_ = next_round(held)
    match = table(round_, 2)
    answer = kit.get(url(held, f"desk/?slip={slip_code(match.pk)}"), headers={"X-Desk": "1"}).json()
    assert answer == {"text": "", "table": 2, "url": ""}
    values = {"round": round_.pk, "newest": round_.pk, "table": "2", "result": "1"}
    stored = kit.post(url(held, "desk/"), {**values, "idempotency_key": "a"}, headers={"X-Desk": "1"})
    assert (stored.status_code, stored.json()["came"]) == (201, "stored")
    again = kit.post(url(held, "desk/"), {**values, "idempotency_key": "a"}, headers={"X-Desk": "1"})
    assert (again.status_code, again.json()["came"]) == (201, "stored")
    for key, changed, came, status in (
        ("b", {}, "same", 201),
        ("c", {"result": "5"}, "conflict", 201),
        ("d", {"result": "77"}, "refused", 200),
        ("e", {"table": "99"}, "refused", 200),
        ("f", {"round": "1234567"}, "stale", 200),
    ):
        data = {**values, **changed, "idempotency_key": key}
        told = kit.post(url(held, "desk/"), data, headers={"X-Desk": "1"})
        assert (told.json()["came"], told.status_code) == (came, status)
        assert told.json()["text"]
    assert {match.accepted_report_id is not None for match in matches_of(round_)} == {True, False}
