"""The score sheet of a match at a glance: how far it is, and why it waits."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F

from journal.models import OutboxMessage
from scoring.models import SheetPart, SheetRevision
from scoring.sheets.selectors import outcome_of
from scoring.sheets.wording import reason_in_words
from tournaments.models import Match, MatchSheet, ResultReport
from tournaments.sheets.selectors.sheets import REPORT, TABLE, asked_places


class SheetState(StrEnum):
    """How far the score sheet of a match is."""

    NOTHING = "nothing"
    WRITING = "writing"
    FILED = "filed"
    FAILED = "parked"
    RETURNED = "returned"
    TALLIED = "tallied"
    SIGNING = "signing"
    DISPUTED = "disputed"
    COUNTS = "counts"
    ANOTHER = "another"


NEEDS_STAFF = frozenset({SheetState.FAILED, SheetState.RETURNED, SheetState.DISPUTED})
"""The states that nobody's waiting ends."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """The score sheet of one match at a glance.

    `ready` of `players` have written something, `signed` of `asked` have signed; `reason` is why it came back or
    failed, `report` the waiting or counting report by its newest revision.
    """

    match: Match
    state: SheetState
    held: MatchSheet | None = None
    revision: SheetRevision | None = None
    report: ResultReport | None = None
    ready: int = 0
    signed: int = 0
    asked: int = 0
    reason: str = ""


def sheet_line(match: Match) -> SheetLine:
    """The sheet of one match, loaded as `with_all` says."""
    return sheet_lines([match])[0]


def sheet_lines(matches: Sequence[Match]) -> list[SheetLine]:
    """The sheets of matches, each loaded as `with_all` says; five queries however many they are."""
    found = MatchSheet.objects.filter(match__in=[match.pk for match in matches]).select_related("sheet")
    held = {each.match_id: each for each in found}
    sheets = [each.sheet_id for each in held.values()]
    newest = SheetRevision.objects.filter(sheet__in=sheets, number=F("sheet__newest"))
    newest = newest.select_related("outcome", "sheet")
    revisions = {each.sheet_id: each for each in newest.prefetch_related("signatures")}
    written = SheetPart.objects.filter(sheet__in=sheets, place__gt=TABLE, version__gt=0).values_list("sheet", flat=True)
    ready = Counter(written)
    failures = _failures([each.sheet.stream for each in held.values()][:1])
    return [
        _line(match, each, revisions.get(each.sheet_id), ready[each.sheet_id], failures)
        if (each := held.get(match.pk))
        else SheetLine(match, SheetState.ANOTHER if match.accepted_report_id else SheetState.NOTHING)
        for match in matches
    ]


def _failures(streams: Sequence[str]) -> dict[int, str]:
    """Why the work on a revision stopped, by its id."""
    stopped = OutboxMessage.objects.filter(
        stream__in=streams, done_at=None, parked_at__isnull=False, task__in=("scoring.tally_sheet", REPORT)
    )
    return {args[0]: error for args, error in stopped.values_list("args", "last_error")}


def _line(
    match: Match, held: MatchSheet, revision: SheetRevision | None, ready: int, failures: Mapping[int, str]
) -> SheetLine:
    if revision is None:
        state = SheetState.ANOTHER if match.accepted_report_id else SheetState.WRITING if ready else SheetState.NOTHING
        return SheetLine(match, state, held, ready=ready)
    seats = sorted(match.seats.all(), key=lambda seat: seat.order)
    asked = asked_places(held.sheet, revision, seats)
    signed = asked & {each.place for each in revision.signatures.all()}
    reports = [each for each in match.reports.all() if each.sheet_revision_id == revision.pk]
    report = max(reports, key=lambda each: (each.pk == match.accepted_report_id, each.number), default=None)
    outcome = outcome_of(revision)
    reason = (outcome.error if outcome else "") or held.returned
    reason = reason_in_words(revision, reason) if reason else failures.get(revision.pk, "")
    state = _state_of(match, held, revision, report, has_failed=revision.pk in failures)
    return SheetLine(match, state, held, revision, report, ready, len(signed), len(asked), reason)


def _state_of(
    match: Match, held: MatchSheet, revision: SheetRevision, report: ResultReport | None, *, has_failed: bool
) -> SheetState:
    outcome = outcome_of(revision)
    if (outcome is not None and outcome.error) or held.returned:
        return SheetState.RETURNED
    if report is None and has_failed:
        return SheetState.FAILED
    if outcome is None:
        return SheetState.FILED
    if match.accepted_report_id is not None:
        return SheetState.COUNTS if report and report.pk == match.accepted_report_id else SheetState.ANOTHER
    if report is None:
        return SheetState.TALLIED
    return SheetState.DISPUTED if match.state == Match.State.CONFLICT else SheetState.SIGNING
