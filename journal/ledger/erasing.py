"""Erasing personal values in rows that are otherwise never changed: only while a transaction says that it erases."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction

from journal.models import Erasure


@contextmanager
def erasing(now: datetime) -> Iterator[None]:
    """Let personal columns of append-only tables be changed in here (`journal.ledger.append_only.MayErase`).

    The row that says so is gone before the commit, so that no other transaction ever sees it.
    """
    with transaction.atomic():
        row = Erasure.objects.create(begun_at=now)
        yield
        row.delete()
