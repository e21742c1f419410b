"""The background work of an event: what waits, runs or failed, and which table's sheet it is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Case, Count, F, Min, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from journal.models import OutboxMessage
from journal.outbox.leases import DIED, is_resting
from scoring.models import SheetRevision
from tournaments.models import Match, MatchSheet, Tournament

OF_SHEETS = ("scoring.tally_sheet", "tournaments.report_sheet")
"""Tasks whose first argument is the id of a sheet's revision."""


class WorkState(StrEnum):
    """How far a message is."""

    FAILED = "parked"
    RUNNING = "running"
    RESTING = "resting"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class WorkFigures:
    """Counts of an event's messages; `oldest` is when the oldest one that is neither done nor failed was asked for."""

    waiting: int
    running: int
    failed: int
    done: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class WorkLine:
    """One message that is not done; `match` is the table its sheet is of, `died` that it stopped its worker."""

    message: OutboxMessage
    state: WorkState
    match: Match | None

    @property
    def died(self) -> bool:
        """Whether it failed because it stopped its workers."""
        return self.message.last_error == DIED


def is_running(now: datetime) -> Q:
    """Messages that a person works on."""
    return Q(done_at=None, parked_at=None, leased_until__gt=now) & ~is_resting()


def work_figures(tournament: Tournament, now: datetime) -> WorkFigures:
    """The counts of an event; what was done is counted for the last hour."""
    unfinished = OutboxMessage.objects.filter(stream=tournament.stream, done_at=None)
    counted = unfinished.aggregate(
        failed=Count("pk", filter=~Q(parked_at=None)),
        running=Count("pk", filter=is_running(now)),
        all=Count("pk"),
        oldest=Min("created_at", filter=Q(parked_at=None)),
    )
    begun = OutboxMessage.objects.filter(stream=tournament.stream, begun_at__gte=now - timedelta(hours=1))
    waiting = counted["all"] - counted["failed"] - counted["running"]
    done = begun.exclude(done_at=None).count()
    return WorkFigures(waiting, counted["running"], counted["failed"], done, counted["oldest"])


def unfinished_work(tournament: Tournament, now: datetime) -> QuerySet[OutboxMessage]:
    """The messages of an event that are not done: the failed first, then those that run, then by age."""
    order = Case(When(~Q(parked_at=None), then=Value(0)), When(is_running(now), then=Value(1)), default=Value(2))
    found = OutboxMessage.objects.filter(stream=tournament.stream, done_at=None)
    return found.alias(urgency=order).order_by("urgency", "created_at", "pk")


def alike_work(tournament: Tournament, now: datetime) -> QuerySet[OutboxMessage]:
    """The same, of equal ones the oldest alone, with their number as `alike`; those that run and sheets stay apart."""
    is_free = Q(leased_until=None) | Q(leased_until__lte=now)
    state = Case(When(~Q(parked_at=None), then=Value(0)), When(is_free, then=Value(1)), default=Value(2))
    alone = Case(When(is_running(now) | Q(task__in=OF_SHEETS), then=F("pk")), default=None)
    equal: list[F | Case] = [F("task"), state, F("last_error"), alone]
    nth = Window(RowNumber(), partition_by=equal, order_by=["created_at", "pk"])
    found = unfinished_work(tournament, now).annotate(alike=Window(Count("pk"), partition_by=equal))
    return found.alias(nth=nth).filter(nth=1)


def work_lines(messages: Sequence[OutboxMessage], now: datetime) -> list[WorkLine]:
    """Lines of messages, with the tables of those about score sheets; three queries at most."""
    matches = _matches_of({message.args[0] for message in messages if message.task in OF_SHEETS and message.args})
    return [
        WorkLine(message, _state_of(message, now), matches.get(message.args[0]) if message.task in OF_SHEETS else None)
        for message in messages
    ]


def _state_of(message: OutboxMessage, now: datetime) -> WorkState:
    if message.parked_at is not None:
        return WorkState.FAILED
    if message.leased_until is None or message.leased_until <= now:
        return WorkState.WAITING
    return WorkState.RESTING if message.available_at == message.leased_until else WorkState.RUNNING


def _matches_of(revisions: set[int]) -> Mapping[int, Match]:
    """The match of each revision's sheet, by the revision's id."""
    sheets = dict(SheetRevision.objects.filter(pk__in=revisions).values_list("pk", "sheet_id"))
    held = MatchSheet.objects.filter(sheet__in=set(sheets.values())).select_related("match__round__stage__tournament")
    by_sheet = {each.sheet_id: each.match for each in held}
    return {revision: by_sheet[sheet] for revision, sheet in sheets.items() if sheet in by_sheet}
