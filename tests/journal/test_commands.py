"""verify_ledger as an organiser runs it."""

import io
import json

import pytest
from django.core.management import call_command

from journal.clock import database_now
from journal.ledger.selectors import head_of
from journal.ledger.services import record
from journal.models import LedgerHead

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def run(*args: str) -> tuple[str, str, int]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("verify_ledger", *args, stdout=out, stderr=err)
    except SystemExit as end:
        return out.getvalue(), err.getvalue(), end.code
    return out.getvalue(), err.getvalue(), 0


@pytest.fixture(autouse=True)
def two_streams():
    for stream in ("event-1", "event-2"):
        record(stream, "x", "system", "", database_now(), {})


def test_sound_streams():
    out, _err, code = run()
    assert (out.count("sound"), code) == (2, 0)


def test_a_broken_stream_is_told_and_the_other_is_not_blamed():
    LedgerHead.objects.filter(pk="event-2").update(hash="0" * 64)
    out, _err, code = run()
    assert (out.count("sound"), out.count("BROKEN"), code) == (1, 1, 1)
    assert run("event-1")[2] == 0


def test_json():
    LedgerHead.objects.filter(pk="event-2").update(sequence=7)
    out, _err, code = run("--json")
    found = json.loads(out)
    assert (found["event-1"]["sound"], found["event-2"]["sound"], code) == (True, False, 1)
    assert found["event-2"]["problems"][0]["sequence"] == 1


def test_a_published_head_is_held_against_the_stream():
    assert run("event-1", "--published", str(head_of("event-1")))[2] == 0
    assert run("event-1", "--published", f"1:{'0' * 64}")[2] == 1


@pytest.mark.parametrize("args", [("--published", "1:ab"), ("event-1", "--published", "nonsense"), ("nope",)])
def test_unusable_input_is_told_in_one_line(args):
    out, err, code = run(*args)
    assert (out, err.count("\n"), code) == ("", 1, 2)
