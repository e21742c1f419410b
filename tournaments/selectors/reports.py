"""Questions about what was reported for a match, answered from what was loaded with it."""

from tournaments.models import Match, ReportAct, ResultReport, Tournament
from tournaments.permissions import TABLE


def standing_of(match: Match) -> ResultReport | None:
    """The report that counts."""
    return next((report for report in match.reports.all() if report.pk == match.standing_report_id), None)


def pending_of(match: Match) -> list[ResultReport]:
    """Each seat's latest report while nothing counts yet; two or more are a conflict.

    A report by a score sheet is none any more once the table filed a newer sheet.
    """
    if match.standing_report_id is not None:
        return []
    reports = [report for report in match.reports.all() if not is_overtaken(report)]
    reports.sort(key=lambda report: report.number)
    return list({report.by_seat_id: report for report in reports}.values())


def is_overtaken(report: ResultReport) -> bool:
    """Whether the score sheet that a report was tallied from has a newer revision."""
    revision = report.sheet_revision
    return revision is not None and revision.number < revision.sheet.newest


def contradictions_of(match: Match) -> list[ResultReport]:
    """Reports that came in after the one that counts and that nobody has settled yet."""
    standing = standing_of(match)
    if standing is None:
        return []
    settled = [act.after_report for act in standing.acts.all() if act.name == ReportAct.Name.SETTLE]
    since = max(settled, default=standing.number)
    return [report for report in match.reports.all() if report.number > since]


def waits_for_staff(tournament: Tournament, report: ResultReport, role: str = "") -> bool:
    """Whether only staff make a waiting report count: where they alone agree to what codes of tables told.

    That is so where the report came by a code, or whoever agrees to it does (`role`).
    """
    return tournament.table_reports == Tournament.TableReports.STAFF and TABLE in (report.role, role)
