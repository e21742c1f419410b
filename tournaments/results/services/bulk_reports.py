"""Results of several tables in one act of the staff: all of them are stored, or none."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, one_of_several
from scoring.standings.results import MatchResult
from tournaments.core.ledger import lock_tournament
from tournaments.models import Match, Tournament
from tournaments.permissions import require_staff_reporter
from tournaments.results.services.reports import report_result
from tournaments.results.services.stored_reports import ReportAnswer, Status


@dataclass(frozen=True, slots=True)
class TableResult:
    """What staff report of one match; `version` is the match's as they saw it, None for any."""

    match: Match
    result: MatchResult
    version: int | None = None


@in_transaction
def report_results(
    actor: Actor, tournament: Tournament, results: Iterable[TableResult], now: datetime
) -> list[ReportAnswer]:
    """Report matches of open rounds as staff, in the order given; each counts at once.

    Raises what `report_result` raises, NotAllowed "own_match", and Conflict "result_conflict" where another result
    counts already: nothing is stored then, and the details name the `match` and `table`.
    """
    tournament = lock_tournament(tournament)
    return [_report(actor, tournament, each, now) for each in results]


def _report(actor: Actor, tournament: Tournament, line: TableResult, now: datetime) -> ReportAnswer:
    with one_of_several(match=line.match.pk, table=line.match.table_number):
        require_staff_reporter(actor, tournament, line.match)
        answer = report_result(actor, line.match, line.result, now, version=line.version)
        if answer.status is Status.CONFLICT:
            text = _(
                "Nothing was saved: table %(table)s already has another result. Correct it on the table's page, then "
                "send the others."
            )
            raise Conflict("result_conflict", text % {"table": line.match.table_number})
    return answer
