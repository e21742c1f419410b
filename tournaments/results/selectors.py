"""Questions about what was reported for a match, answered from what was loaded with it."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from itertools import combinations

from django.db.models import QuerySet, prefetch_related_objects

from journal.compiled_queries import compiled_once
from scoring.models import SheetSignature
from tournaments.core.links import seats_with_names
from tournaments.models import Match, ReportAct, ResultReport, Seat, SeatResult, Tournament
from tournaments.permissions import PLAYER, TABLE

ONE_PHONE = timedelta(minutes=1)


def takes_places(seats: int, best_of: int, *, counts_scores: bool) -> bool:
    """Whether places and scores tell how a match ended: at tables of several; where scores count, of two as well.

    A match of two over several games is reported by the games that each won.
    """
    return seats > 2 or (seats == 2 and counts_scores and best_of == 1)


def match_takes_places(match: Match) -> bool:
    """The same of one match; reads its event."""
    stage = match.round.stage
    counts_scores = stage.tournament.counts_scores
    return takes_places(len(match.seats.all()), stage.match_length.games, counts_scores=counts_scores)


def load_reports(match: Match) -> None:
    """Load the reports of a match with what they say; one query where there are none, else two."""
    reports = _reports_of(match.pk)
    prefetch_related_objects(reports, "seat_results")
    know_reports(match, reports)


@compiled_once
def _reports_of(match_id: int) -> QuerySet[ResultReport]:
    return ResultReport.objects.filter(match=match_id)


def know_results(report: ResultReport, results: Sequence[SeatResult]) -> None:
    """Have a new report tell what it says of every seat, in their order, without asking: as a prefetch leaves it.

    Nobody has done anything to it yet.
    """
    known, acts = report.seat_results.all(), report.acts.all()
    known._result_cache, acts._result_cache = list(results), []
    report.__dict__["_prefetched_objects_cache"] = {"seat_results": known, "acts": acts}


def know_reports(match: Match, reports: Sequence[ResultReport]) -> None:
    """Have a match tell its reports without asking, the same as a prefetch leaves them."""
    known = match.reports.all()
    known._result_cache = list(reports)
    match.__dict__.setdefault("_prefetched_objects_cache", {})["reports"] = known
    for report in reports:
        report.match = match


def accepted_report_of(match: Match) -> ResultReport | None:
    """The report that counts."""
    return next((report for report in match.reports.all() if report.pk == match.accepted_report_id), None)


def pending_of(match: Match) -> list[ResultReport]:
    """Each seat's latest report while nothing counts yet; two or more are a conflict.

    What a game client reported for the staff makes room for a player's report that agrees with it.

    A report by a score sheet is none any more once the table filed a newer sheet.
    """
    if match.accepted_report_id is not None:
        return []
    reports = [report for report in match.reports.all() if not is_overtaken(report)]
    reports.sort(key=lambda report: report.number)
    latest = {report.by_seat_id: report for report in reports}
    if len(latest) > 1 and match.state != Match.State.CONFLICT:
        latest.pop(None, None)
    return list(latest.values())


def is_overtaken(report: ResultReport) -> bool:
    """Whether the score sheet that a report was tallied from has a newer revision."""
    revision = report.sheet_revision
    return revision is not None and revision.number < revision.sheet.newest


def contradictions_of(match: Match) -> list[ResultReport]:
    """Reports that came in after the one that counts and that nobody has settled yet."""
    standing = accepted_report_of(match)
    if standing is None:
        return []
    settled = [act.after_report for act in standing.acts.all() if act.name == ReportAct.Name.SETTLE]
    since = max(settled, default=standing.number)
    return [report for report in match.reports.all() if report.number > since]


def waits_for_staff(tournament: Tournament, report: ResultReport, role: str = "", seat: Seat | None = None) -> bool:
    """Whether an agreement as `role` from a `seat` leaves a waiting report waiting, because a table's code was used.

    Where staff alone agree to what codes reported, it always does. Else a code is the word of those players only who
    have no name to speak by. Of score sheets `selectors.sheets.waits_for_names` says it.
    """
    if tournament.table_reports != Tournament.TableReports.PLAYERS:
        return TABLE in (report.role, role)
    words = ((report.by_seat, report.role), (seat, role))
    return bool(seats_with_names(tournament, [each for each, said_as in words if each and said_as == TABLE]))


def is_of_one_phone(match: Match, signatures: Iterable[SheetSignature] = ()) -> bool:
    """Whether two players' words came within a minute by one browser at one address: perhaps one person gave both."""
    reports = [report for report in match.reports.all() if report.by_seat_id]
    acts = [act for report in reports for act in report.acts.all() if act.role in (PLAYER, TABLE)]
    said = [
        *((each.device, each.actor, each.reported_at) for each in reports),
        *((each.device, each.actor, each.acted_at) for each in acts),
        *((each.device, each.actor, each.signed_at) for each in signatures),
    ]
    return any(
        one[0] and one[0] == other[0] and one[1] != other[1] and abs(one[2] - other[2]) <= ONE_PHONE
        for one, other in combinations(said, 2)
    )


def is_absence_doubtful(
    tournament: Tournament, seats: Sequence[Seat], absent: Iterable[int], said: AbstractSet[int]
) -> bool:
    """Whether players alone say of a person with an account or a personal link that they did not come.

    `absent` are places from 0, `said` the seats by id whose players agree, or of which the staff say so.
    """
    missing = [seats[place] for place in absent if seats[place].pk not in said]
    return bool(missing) and bool(seats_with_names(tournament, missing))
