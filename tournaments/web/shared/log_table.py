"""Entries of an event's log in words, as its page shows them and as a table."""

from collections.abc import Sequence
from datetime import datetime

from accounts.actors import Actor
from accounts.http.access import is_allowed
from journal.models import LedgerEntry
from rules_engine.tables import Table
from tournaments.core.log import log_of, names_in, withheld_from
from tournaments.models import ResultReport, Tournament
from tournaments.web.shared.log_words import LogLine, log_line
from tournaments.web.shared.match_rows import score_text

HEADER = ("number", "at", "actor", "role", "act", "text", "values", "hash")


def log_table(actor: Actor, tournament: Tournament, now: datetime) -> Table:
    """The log, as far as the actor may read it."""
    whole = is_allowed("event.settings", actor, tournament)
    lines = log_lines(actor, tournament, list(log_of(tournament, whole=whole)), now)
    return Table(HEADER, map(_cells, lines))


def log_lines(actor: Actor, tournament: Tournament, entries: list[LedgerEntry], now: datetime) -> list[LogLine]:
    """Entries in words, as far as the actor may read them; a constant number of queries."""
    names, withheld = names_in(tournament, entries), withheld_from(actor, tournament, now)
    scores = _scores_in(entries)
    return [log_line(entry, names, withheld, scores) for entry in entries]


def _scores_in(entries: Sequence[LedgerEntry]) -> dict[object, str]:
    """The results of the reports that entries are about, by id; two queries."""
    ids = {entry.subjects.get("report") for entry in entries} - {None}
    reports = ResultReport.objects.filter(pk__in=ids).prefetch_related("seat_results")
    return {report.pk: score_text(report) for report in reports}


def _cells(line: LogLine) -> Sequence[object]:
    entry = line.entry
    values = "; ".join(line.personal)
    words = f"{line.words}: {line.score}" if line.score else line.words
    return [entry.sequence, entry.at.isoformat(), line.actor, line.role, entry.act, words, values, entry.hash]
