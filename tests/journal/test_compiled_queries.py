"""Compiled queries answer as their query sets do, read the database each time, and lock only in transactions."""

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from journal.clock import database_now
from journal.compiled_queries import compiled_once
from journal.ledger.services import erase_personal_values, record
from journal.models import LedgerEntry, LedgerHead, PersonalValue

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def write(*streams: str) -> None:
    for stream in streams:
        record(stream, "report", "user:1", "judge", database_now(), {"stream": stream}, {"name": f"Ada of {stream}"})


@compiled_once
def entry_of(stream, entry):
    return LedgerEntry.objects.filter(stream=stream, pk=entry)


@compiled_once
def values_of(entry):
    return PersonalValue.objects.select_related("entry").filter(entry=entry)


@compiled_once
def names_of(entry):
    return PersonalValue.objects.filter(entry=entry).order_by("key").values_list("value", flat=True)[:1]


@compiled_once
def locked_head(stream):
    return LedgerHead.objects.select_for_update().filter(pk=stream)


def test_each_call_answers_for_its_own_keys():
    write("a", "b", "b")
    first, *_others, last = entries = list(LedgerEntry.objects.order_by("pk"))
    for entry in (*entries, *reversed(entries)):
        assert entry_of(entry.stream, entry.pk) == [entry]
    assert entry_of("a", last.pk) == entry_of("%s", first.pk) == []


def test_rows_come_with_their_columns_as_values_and_with_what_they_point_at():
    write("a")
    known = LedgerEntry.objects.get()
    (found,) = entry_of("a", known.pk)
    assert (found.at, found.subjects, found.contents) == (known.at, known.subjects, known.contents)
    (value,) = values_of(known.pk)
    with CaptureQueriesContext(connection) as asked:
        assert value.entry == known
    assert len(asked) == 0
    assert names_of(known.pk) == ["Ada of a"]


def test_the_database_is_read_each_time():
    write("a")
    entry = LedgerEntry.objects.get()
    assert len(values_of(entry.pk)) == len(names_of(entry.pk)) == 1
    erase_personal_values("stream", "a")
    assert values_of(entry.pk) == names_of(entry.pk) == []


def test_the_question_is_put_once():
    put = []

    @compiled_once
    def heads(stream):
        put.append(stream)
        return LedgerHead.objects.filter(pk=stream)

    write("a", "b")
    assert [heads(stream)[0].pk for stream in ("a", "b", "a")] == ["a", "b", "a"]
    assert len(put) == 1


@pytest.mark.parametrize("key", [None, 1.5, ("a", "b")])
def test_what_is_no_key_is_refused(key):
    with pytest.raises(TypeError, match="locked_head"):
        locked_head(key)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_alone():
    write("a")
    with transaction.atomic(), CaptureQueriesContext(connection) as asked:
        assert [head.sequence for head in locked_head("a")] == [1]
    assert asked[0]["sql"].endswith("FOR UPDATE")
    with pytest.raises(TransactionManagementError):
        locked_head("a")
