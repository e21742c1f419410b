"""Takes a player's name off a score sheet: a pseudonym stands in its place, and every number stays."""

from collections.abc import Collection
from typing import Any

from journal.ledger.contents import Row
from scoring.models import ScoreSheet, SheetRevision, SheetSignature, SheetTally
from scoring.sheets.contents import held_of, rows_of


def erase_names(sheet: ScoreSheet, names: Collection[str], alias: str) -> list[Row]:
    """Put `alias` in the place of some names wherever the sheet holds them; call it while the transaction erases.

    Answers the rows whose digested contents name the player beside the players' list, as in a game written move by
    move: the caller's entry in the ledger is to commit to them again.
    """
    sheet.players = renamed(sheet.players, names, alias)
    sheet.save(update_fields=["players"])
    for part in sheet.parts.all():
        part.content = renamed(part.content, names, alias)
        part.save(update_fields=["content"])
    revisions = list(sheet.revisions.order_by("number"))
    SheetSignature.objects.filter(revision__in=revisions, actor_label__in=names).update(actor_label=alias)
    return [row for revision in revisions for row in _erase_in(sheet, revision, names, alias)]


def _erase_in(sheet: ScoreSheet, revision: SheetRevision, names: Collection[str], alias: str) -> list[Row]:
    rows = rows_of(sheet, revision, tallied=SheetTally.objects.filter(revision=revision).exists())
    before = [held_of(row) for row in rows]
    SheetRevision.objects.filter(pk=revision.pk).update(
        content=renamed(revision.content, names, alias),
        filed_label=alias if revision.filed_label in names else revision.filed_label,
    )
    for tally in SheetTally.objects.filter(revision=revision):
        SheetTally.objects.filter(pk=tally.pk).update(tally=renamed(tally.tally, names, alias))
    return [row for row, held in zip(rows, before, strict=True) if held_of(row) != held]


def renamed(value: Any, names: Collection[str], alias: str) -> Any:
    """A value of JSON with `alias` in the place of every text and key that is one of the names."""
    if isinstance(value, str):
        return alias if value in names else value
    if isinstance(value, list):
        return [renamed(each, names, alias) for each in value]
    if isinstance(value, dict):
        return {renamed(key, names, alias): renamed(each, names, alias) for key, each in value.items()}
    return value
