"""Writes of the ledger: one entry for each act, and the erasure of personal values."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import connection, transaction

from journal.ledger.chain import Act, Subject, compute_digest, compute_hash
from journal.ledger.contents import Row, commit_to
from journal.live.notices import Audience, tell_after_commit
from journal.models import LedgerEntry, LedgerHead, PersonalValue
from journal.transactions import in_transaction


def record(
    stream: str,
    act: str,
    actor: str,
    role: str,
    now: datetime,
    subjects: Mapping[str, Subject],
    personal: Mapping[str, str] | None = None,
    ear: Audience = "staff",
    rows: Iterable[Row] = (),
    held: Mapping[Row, object] | None = None,
    about: int | None = None,
) -> LedgerEntry:
    """Append one act to a stream; call it last in a service, it locks the stream's head until the transaction ends.

    Listeners are notified after the commit: the staff, or with `ear` "room" everybody; at leisure those who follow
    something else than it is `about`.
    `actor` is an `Actor.key`; `subjects` holds ids and plain facts, never a name; `personal` holds the personal values,
    of which the entry keeps only salted digests. `rows` are those that the act wrote: the entry commits
    to their contents. `held` is what the caller knows of them already (`commit_to`).
    """
    _refuse_unless_plain(subjects)
    values = dict(personal or {})
    salts = {key: secrets.token_hex(32) for key in values}
    digests = {key: compute_digest(salts[key], value) for key, value in values.items()}
    contents = commit_to(rows, held)
    with transaction.atomic(savepoint=False):
        head = _lock_head(stream)
        entry = _append(head, Act(stream, head.sequence + 1, now, actor, role, act, subjects, digests, contents))
        _keep(entry, salts, values)
        tell_after_commit(stream, ear, about)
    return entry


def _keep(entry: LedgerEntry, salts: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Store personal values in one statement without making objects: five thousand names come at once.

    The lock that is held then is, on SQLite, everybody's.
    """
    if not values:
        return
    names = ", ".join(connection.ops.quote_name(name) for name in ("entry_id", "key", "salt", "value"))
    table = connection.ops.quote_name(PersonalValue._meta.db_table)
    rows = [(entry.pk, key, salts[key], value) for key, value in values.items()]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES (%s, %s, %s, %s)", rows)  # noqa: S608 - no input


@in_transaction
def erase_personal_values(subject: str, value: int | str) -> int:
    """Forget the personal values of every entry whose `subjects[subject]` is `value`; answers how many they were."""
    values = PersonalValue.objects.filter(**{f"entry__subjects__{subject}": value})
    return values.delete()[0]


def _refuse_unless_plain(subjects: Mapping[str, Subject]) -> None:
    for key, value in subjects.items():
        if not isinstance(value, str | int | None):
            raise TypeError(f"subject {key!r} must be a string, a whole number or None, not {type(value).__name__}")


def _lock_head(stream: str) -> LedgerHead:
    """The stream's head, locked; made on first use, where two first users meet at the primary key."""
    head = LedgerHead.objects.select_for_update().filter(pk=stream).first()
    if head is None:
        LedgerHead.objects.bulk_create([LedgerHead(stream=stream)], ignore_conflicts=True)
        head = LedgerHead.objects.select_for_update().get(pk=stream)
    return head


def _append(head: LedgerHead, stated: Act) -> LedgerEntry:
    previous_hash = head.hash
    head.sequence, head.hash = stated.sequence, compute_hash(previous_hash, stated)
    head.save(update_fields=["sequence", "hash"])
    return LedgerEntry.objects.create(
        stream=stated.stream,
        sequence=stated.sequence,
        at=stated.at,
        actor=stated.actor,
        role=stated.role,
        act=stated.act,
        subjects=dict(stated.subjects),
        digests=dict(stated.digests),
        contents=stated.contents,
        previous_hash=previous_hash,
        hash=head.hash,
    )
