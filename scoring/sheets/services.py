"""Score sheets: opened, written on by everybody at the table, filed as frozen revisions, tallied once, signed."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.ledger.services import record
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, TooMany
from scoring.models import ScoreSheet, SheetPart, SheetRevision, SheetSignature, SheetTally, new_key
from scoring.sheets.contents import rows_of
from scoring.sheets.selectors import newest_revision

TALLY = "scoring.tally_sheet"
UNFILED_KEPT = timedelta(days=30)
VERSIONS_WITHIN = timedelta(hours=1)
MAX_PRUNED = 200
PartChange = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""From the content of a part to what it becomes."""


@in_transaction
def open_sheet(
    actor: Actor,
    game: str,
    players: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
    now: datetime,
    stream: str = "",
) -> ScoreSheet:
    """A new sheet of a table, with an empty part for the table (place 0) and for each player in turn order (from 1).

    `stream` is the ledger's stream its acts stand in; without one the sheet gets its own.
    """
    key = new_key()
    sheet = ScoreSheet.objects.create(
        key=key, game=game, stream=stream or key, players=list(players), options=dict(options),
        opened_by=actor.key, opened_at=now,
    )  # fmt: skip
    SheetPart.objects.bulk_create(SheetPart(sheet=sheet, place=place) for place in range(len(players) + 1))
    return sheet


@in_transaction
def prune_sheets(now: datetime) -> int:
    """Throw away sheets without an event: begun long ago and never filed, or filed and not changed for SHEETS_KEPT.

    Answers how many, MAX_PRUNED at once. What the ledger says of them stays.
    """
    old = list(_old_sheets(now).order_by("opened_at").values_list("pk", flat=True)[:MAX_PRUNED])
    # The lock of whoever files; asked again behind it, for a person may have filed a moment ago.
    held = ScoreSheet.objects.select_for_update(skip_locked=True).filter(pk__in=old)
    chosen = list(_old_sheets(now).filter(pk__in=list(held.values_list("pk", flat=True))).values_list("pk", flat=True))
    SheetSignature.objects.filter(revision__sheet__in=chosen).delete()
    SheetTally.objects.filter(revision__sheet__in=chosen).delete()
    SheetRevision.objects.filter(sheet__in=chosen).delete()
    _rows, found = ScoreSheet.objects.filter(pk__in=chosen).delete()
    return found.get("scoring.ScoreSheet", 0)


def _old_sheets(now: datetime) -> QuerySet[ScoreSheet]:
    old = Q(newest=0, opened_at__lt=now - UNFILED_KEPT)
    if settings.SHEETS_KEPT:
        since = now - timedelta(days=settings.SHEETS_KEPT)
        changed = (
            SheetPart.objects.filter(sheet=OuterRef("pk"), saved_at__gte=since),
            SheetRevision.objects.filter(sheet=OuterRef("pk"), filed_at__gte=since),
            SheetSignature.objects.filter(revision__sheet=OuterRef("pk"), signed_at__gte=since),
        )
        old |= Q(*(~Exists(each) for each in changed), newest__gt=0, opened_at__lt=since)
    return ScoreSheet.objects.filter(old, stream=F("key"))


@in_transaction
def save_part(
    actor: Actor, sheet: ScoreSheet, place: int, content: Mapping[str, Any], version: int, now: datetime
) -> SheetPart:
    """Store what was typed for one place; `version` is the part's as the writer saw it.

    Conflict "part_changed" when another person saved it meanwhile: nothing is stored then.
    """
    part = SheetPart.objects.select_for_update().get(sheet=sheet, place=place)
    if part.content == content and part.version > 0:
        return part
    if part.version != version:
        raise Conflict("part_changed", _("This part has changed. Compare both before you save."))
    part.content, part.version, part.saved_by, part.saved_at = dict(content), version + 1, actor.key, now
    part.save()
    return part


@in_transaction
def change_part(actor: Actor, sheet: ScoreSheet, place: int, change: PartChange, now: datetime) -> SheetPart:
    """Store what `change` makes of a place's content as it lies, whoever wrote on it a moment before.

    Writers wait for each other, so what two phones add at once both stays. Where `change` raises, nothing is stored.
    """
    part = SheetPart.objects.select_for_update().get(sheet=sheet, place=place)
    return save_part(actor, sheet, place, change(part.content), part.version, now)


@in_transaction
def file_sheet(
    actor: Actor,
    sheet: ScoreSheet,
    content: Mapping[str, Any],
    now: datetime,
    *,
    role: str = "",
    label: str = "",
    handoff: str = "",
    about: Mapping[str, int | str] | None = None,
) -> SheetRevision:
    """Freeze the sheet as its next revision and have it tallied: row, ledger entry and outbox message together.

    `content` is what the tally of the game takes. `handoff` names the task that gets the revision's id once there is a
    tally, or a reason why there is none. `about` is what the ledger says of it besides. What equals the newest revision
    is answered as that one. TooMany "too_many_versions" for a sheet without an event that was filed SHEET_VERSIONS
    times within the hour.
    """
    sheet = ScoreSheet.objects.select_for_update().get(pk=sheet.pk)
    newest = newest_revision(sheet)
    if newest is not None and newest.content == content:
        return newest
    _check_versions(sheet, now)
    sheet.newest += 1
    sheet.save(update_fields=["newest"])
    revision = SheetRevision.objects.create(
        sheet=sheet, number=sheet.newest, content=dict(content), message=uuid4(),
        filed_by=actor.key, filed_label=label, filed_at=now,
    )  # fmt: skip
    enqueue(TALLY, [revision.pk, handoff], now, sheet.stream, revision.message)
    subjects = {"sheet": sheet.pk, "revision": sheet.newest, **(about or {})}
    record(sheet.stream, "sheet.filed", actor.key, role, now, subjects, rows=rows_of(sheet, revision, tallied=False))
    return revision


def _check_versions(sheet: ScoreSheet, now: datetime) -> None:
    """Whoever has its address files a sheet without an event: every version is a row, an entry and a job."""
    most = settings.SHEET_VERSIONS
    if not most or sheet.stream != sheet.key:
        return
    if sheet.revisions.filter(filed_at__gt=now - VERSIONS_WITHIN).count() >= most:
        text = _("Filed %(count)d times in an hour. Nothing is lost: try again later.")
        raise TooMany("too_many_versions", text % {"count": most})


@in_transaction
def store_tally(
    revision: SheetRevision, tally: Mapping[str, Any] | None, error: str, now: datetime, handoff: str = ""
) -> SheetTally:
    """Store what a revision adds up to, once: whoever comes second gets what the first stored, and hands nothing on."""
    sheet = ScoreSheet.objects.select_for_update().get(pk=revision.sheet_id)
    stored = SheetTally.objects.filter(revision=revision).first()
    if stored is not None:
        return stored
    outcome = SheetTally.objects.create(revision=revision, tally=tally, error=error[:1000], tallied_at=now)
    if handoff:
        enqueue(handoff, [revision.pk], now, sheet.stream)
    return outcome


@in_transaction
def sign_tally(
    actor: Actor,
    revision: SheetRevision,
    place: int,
    now: datetime,
    *,
    role: str = "",
    label: str = "",
    about: Mapping[str, int | str] | None = None,
) -> SheetSignature:
    """A player's signature under the tally of a revision; a second POST changes nothing.

    `about` is what the ledger says of it besides. Conflict "newer_revision" once the table has filed a
    newer one, "no_tally" where there is none to sign.
    """
    sheet = ScoreSheet.objects.select_for_update().get(pk=revision.sheet_id)
    if revision.number != sheet.newest:
        raise Conflict("newer_revision", _("The sheet was filed again. Check it before you sign."))
    if not SheetTally.objects.filter(revision=revision, tally__isnull=False).exists():
        raise Conflict("no_tally", _("There is no tally to sign yet."))
    signed = SheetSignature.objects.filter(revision=revision, place=place).first()
    if signed is not None:
        return signed
    signed = SheetSignature.objects.create(
        revision=revision, place=place, actor=actor.key, actor_label=label, signed_at=now,
        device=actor.device or None,
    )  # fmt: skip
    subjects = {"sheet": sheet.pk, "revision": revision.number, "place": place, **(about or {})}
    record(sheet.stream, "sheet.signed", actor.key, role, now, subjects, rows=rows_of(sheet, revision, tallied=True))
    return signed
