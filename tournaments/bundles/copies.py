"""Copies in a second folder, such as a USB stick: written by workers, so that no act waits for one.

Each event's file is that of the organisers; a laptop's database is there as a backup, from which another laptop goes
on. Of each the newest and the one before are kept. What goes wrong is kept for the event's pages; the next run tries
again.
"""

import errno
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from journal.ledger.selectors import head_of
from journal.models import LedgerEntry, LedgerHead
from launch.backup import back_up
from launch.failures import Unusable
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import event_file, file_name
from tournaments.bundles.storing import store
from tournaments.models import EventCopy, Tournament

AT_ONCE = 25
"""Events in one run: the first one, with all events of a site to write, must not take longer than a job may."""
BUSY_SECONDS = 60
BACKED_UP = "backed-up-through"
"""Under this the cache has the last act that the laptop's backup holds."""
BACKING_UP = "backed-up-now"
"""Is in the cache while the laptop is backed up."""
Fault = EventCopy.Fault
FAULTS = {errno.ENOSPC: Fault.FULL, errno.EDQUOT: Fault.FULL, errno.ENOENT: Fault.MISSING, errno.ENOTDIR: Fault.MISSING}


def write_copies(now: datetime) -> int:
    """Write every event that changed since its copy, or whose copy is gone; answers how many were written."""
    due = [each for each in _events() if _is_due(each)]
    written = sum(write_copy(each, now) for each in due[:AT_ONCE])
    if settings.COPIES and not due:  # acts of no event, or the backup was just being written
        with suppress(OSError):
            _back_up_laptop()
    return written


def write_copy(tournament: Tournament, now: datetime) -> bool:
    """Write one event into the second folder; whether it was. One writer at a time: another one leaves it to the next.

    An event that came in as a file, and a rehearsal, need no copy.
    """
    if not settings.COPIES or tournament.is_brought or tournament.rehearsal_of_id is not None:
        return False
    key = busy_key(tournament)
    if not cache.add(key, 1, BUSY_SECONDS):
        return False
    try:
        return _write(tournament, now)
    finally:
        cache.delete(key)


def busy_key(tournament: Tournament) -> str:
    """Is in the cache while an event is being written."""
    return f"copied-now:{tournament.stream}"


def path_of(tournament: Tournament) -> Path:
    """The newest copy of an event; the one before is beside it."""
    return Path(settings.COPIES) / file_name(tournament, Scope.WHOLE)


def _write(tournament: Tournament, now: datetime) -> bool:
    acts = head_of(tournament.stream).sequence  # read first: what happens from here on is for the next copy
    try:
        with event_file(tournament, Scope.WHOLE) as source:
            store(source, path_of(tournament), keeps_before=True)
        _back_up_laptop()
    except OSError as error:
        fault = FAULTS.get(error.errno or 0, Fault.OTHER)
        copy, _new = EventCopy.objects.get_or_create(tournament=tournament)
        since = F("failed_at") if copy.failed_at else now
        EventCopy.objects.filter(pk=copy.pk).update(fault=fault, failed_at=since)
        return False
    values = {"acts": acts, "written_at": now, "failed_at": None, "fault": ""}
    EventCopy.objects.update_or_create(tournament=tournament, defaults=values)
    return True


def backup_path() -> Path:
    """The newest backup of this laptop. A new laptop has another key: it does not write over what it is to restore."""
    return Path(settings.COPIES) / f"doomdesk-{public_key()[:8]}.backup"


def _back_up_laptop() -> None:
    """Write a laptop's whole database, decks and links among it, unless nothing happened since; OSError as it comes."""
    if connection.vendor != "sqlite":
        return
    target = backup_path()
    if _is_backed_up(target) or not cache.add(BACKING_UP, 1, BUSY_SECONDS):
        return
    try:
        for _again in range(2):  # an act meanwhile found a person at it and relies on this
            last = _last_act()
            _write_backup(target)
            cache.set(BACKED_UP, last, None)
            if _is_backed_up(target):
                return
    finally:
        cache.delete(BACKING_UP)


def _is_backed_up(target: Path) -> bool:
    return target.exists() and cache.get(BACKED_UP) == _last_act()


def _last_act() -> int | None:
    last: int | None = LedgerEntry.objects.aggregate(last=Max("pk"))["last"]
    return last


def _write_backup(target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="backup-", dir=settings.VAR_DIR) as folder:
        draft = Path(folder) / target.name
        try:
            back_up(Path(connection.settings_dict["NAME"]), draft)
        except Unusable as error:
            raise OSError(str(error)) from error
        with draft.open("rb") as source:
            store(source, target, keeps_before=True)


def _events() -> QuerySet[Tournament]:
    """Every event that is kept so, that with the oldest copy first."""
    head = LedgerHead.objects.filter(pk=OuterRef("stream")).values("sequence")[:1]
    events = Tournament.objects.filter(is_brought=False, rehearsal_of=None).annotate(acts=Subquery(head))
    return events.select_related("second_copy").order_by(F("second_copy__written_at").asc(nulls_first=True), "pk")


def _is_due(tournament: Tournament) -> bool:
    copy: EventCopy | None = getattr(tournament, "second_copy", None)
    if copy is None or copy.failed_at is not None or copy.acts != tournament.acts:  # type: ignore[attr-defined]
        return True
    return not path_of(tournament).exists()


def failing_copies() -> int:
    """How many events cannot be written into the second folder."""
    return EventCopy.objects.filter(~Q(failed_at=None)).count() if settings.COPIES else 0


def copy_of(tournament: Tournament) -> EventCopy | None:
    """What is known of an event's copy; None without a second folder, or before the first one."""
    return EventCopy.objects.filter(tournament=tournament).first() if settings.COPIES else None
