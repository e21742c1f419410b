"""The ledger on the real database: it chains, refuses change, and finds what was changed in spite of that."""

import random

import pytest
from django.db import IntegrityError, connection, transaction

from journal.clock import database_now
from journal.ledger.selectors import Head, head_of, streams, verify_stream
from journal.ledger.services import erase_personal_values, record
from journal.models import LedgerEntry, LedgerHead, PersonalValue
from tests.races import race

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def write(count: int, stream: str = "event-1") -> None:
    for number in range(count):
        record(stream, "report", "user:1", "judge", database_now(), {"match": number}, {"name": f"Ada {number}"})


def break_rows(change) -> None:
    """Change rows as somebody would who can drop the triggers."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE journal_ledgerentry DISABLE TRIGGER append_only_journal_ledgerentry")
        else:
            cursor.execute("DROP TRIGGER append_only_journal_ledgerentry_UPDATE")
            cursor.execute("DROP TRIGGER append_only_journal_ledgerentry_DELETE")
    change()


def test_record_chains_the_entries_of_a_stream():
    write(3)
    first, second, third = LedgerEntry.objects.order_by("sequence")
    assert (first.previous_hash, second.previous_hash, third.previous_hash) == ("", first.hash, second.hash)
    assert head_of("event-1") == Head(3, third.hash)
    assert verify_stream("event-1") == []


def test_streams_do_not_know_each_other():
    write(2, "event-1")
    write(1, "event-2")
    assert [head_of(name).sequence for name in streams()] == [2, 1]


def test_head_of_an_unknown_stream_is_empty():
    assert head_of("nowhere") == Head(0, "")
    assert verify_stream("nowhere") == []


def test_record_keeps_no_personal_value_in_the_entry():
    entry = record("event-1", "entered", "user:1", "", database_now(), {"person": 1}, {"name": "Ada"})
    entry.refresh_from_db()
    assert "Ada" not in f"{entry.subjects}{entry.digests}"
    assert PersonalValue.objects.get(entry=entry).value == "Ada"


@pytest.mark.parametrize("value", [1.5, ["Ada"], {"name": "Ada"}, b"x"])
def test_record_refuses_subjects_that_are_no_plain_facts(value):
    with pytest.raises(TypeError):
        record("event-1", "x", "user:1", "", database_now(), {"it": value})


def test_record_is_taken_back_with_the_transaction_around_it():
    with transaction.atomic():
        write(1)
        transaction.set_rollback(True)
    assert head_of("event-1") == Head(0, "")


def test_erased_values_leave_the_chain_sound():
    now = database_now()
    record("event-1", "entered", "user:1", "", now, {"person": 5}, {"name": "Ada", "email": "ada@example.org"})
    record("event-1", "entered", "user:1", "", now, {"person": 6}, {"name": "Ben"})
    assert erase_personal_values("person", 5) == 2
    assert [row.value for row in PersonalValue.objects.all()] == ["Ben"]
    assert verify_stream("event-1") == []


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: LedgerEntry.objects.update(act="forged"),
        lambda: LedgerEntry.objects.filter(sequence=1).update(subjects={}),
        lambda: LedgerEntry.objects.all()._raw_delete("default"),
        lambda: LedgerEntry.objects.first().save(),
        lambda: connection.cursor().execute("DELETE FROM journal_ledgerentry WHERE sequence = 2"),
        lambda: connection.cursor().execute("UPDATE journal_ledgerentry SET at = at"),
    ],
)
def test_database_refuses_to_change_the_ledger(attempt):
    write(2)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        attempt()
    assert LedgerEntry.objects.count() == 2


def test_the_guard_is_what_refuses():
    write(1)
    break_rows(lambda: LedgerEntry.objects.update(act="forged"))
    assert LedgerEntry.objects.get().act == "forged"


def entries():
    return LedgerEntry.objects.filter(stream="event-1").order_by("sequence")


def flip() -> None:
    entries().filter(sequence=2).update(subjects={"match": 99})


def drop_first() -> None:
    PersonalValue.objects.filter(entry__sequence=1).delete()
    entries().filter(sequence=1)._raw_delete("default")


def drop_middle() -> None:
    PersonalValue.objects.filter(entry__sequence=2).delete()
    entries().filter(sequence=2)._raw_delete("default")


def truncate_tail() -> None:
    PersonalValue.objects.filter(entry__sequence=4).delete()
    entries().filter(sequence=4)._raw_delete("default")


def drop_all() -> None:
    PersonalValue.objects.all().delete()
    entries()._raw_delete("default")


def swap() -> None:
    entries().filter(sequence=2).update(sequence=99)
    entries().filter(sequence=3).update(sequence=2)
    entries().filter(sequence=99).update(sequence=3)


def move_to_another_stream() -> None:
    entries().filter(sequence=4).update(stream="event-2")


def change_personal_value() -> None:
    PersonalValue.objects.filter(entry__sequence=2).update(value="Mallory")


@pytest.mark.parametrize(
    "change",
    [flip, drop_first, drop_middle, truncate_tail, drop_all, swap, move_to_another_stream, change_personal_value],
)
def test_verify_finds_every_kind_of_forgery(change):
    write(4)
    assert verify_stream("event-1") == []
    break_rows(change)
    assert verify_stream("event-1") != []


def test_verify_finds_random_edits(seed):
    chance = random.Random(seed)
    write(6)
    rows = [(entry.pk, dict(entry.__dict__)) for entry in entries()]
    break_rows(lambda: None)
    for _round in range(60):
        pk, kept = chance.choice(rows)
        field, forged = chance.choice(
            [("actor", "user:9"), ("role", "player"), ("act", "undo"), ("hash", "0" * 64), ("previous_hash", "1" * 64)]
        )
        LedgerEntry.objects.filter(pk=pk).update(**{field: forged})
        assert verify_stream("event-1"), (field, kept["sequence"])
        LedgerEntry.objects.filter(pk=pk).update(**{field: kept[field]})
    assert verify_stream("event-1") == []


def test_verify_against_a_published_head_finds_a_rewritten_stream():
    write(3)
    published = head_of("event-1")
    write(1)
    assert verify_stream("event-1", published) == []
    break_rows(drop_all)
    LedgerHead.objects.all().delete()
    write(3)
    assert verify_stream("event-1") == []
    assert verify_stream("event-1", published) != []
    assert verify_stream("event-1", Head(9, "f" * 64)) != []


@pytest.mark.django_db(transaction=True)
def test_many_processes_append_one_gapless_chain():
    def append(number: int) -> int:
        return [record("event-1", "x", f"user:{number}", "", database_now(), {}).sequence for _again in range(10)][-1]

    answers = race(append, 4)
    assert max(answers) == 40
    assert verify_stream("event-1") == []
    assert head_of("event-1").sequence == 40
