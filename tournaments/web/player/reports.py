"""What a player does to their match: reports it, confirms or disputes what another person at the table reported."""

from typing import Any

from accounts.http.numbers import posted_number
from tournaments.models import ResultReport
from tournaments.results.selectors import accepted_report_of
from tournaments.results.services.stored_reports import says
from tournaments.web.shared.match_reporting import AnyReportForm, SeatReporting
from tournaments.web.shared.match_rows import describe_result_to

ASKED = "X-Asked"
"""Header of an answer that stored nothing and shows two values to choose from: the entry stays on the phone."""
SENT_BY_SCRIPT = "X-Unsent"


def rival_of(table: SeatReporting, form: AnyReportForm) -> ResultReport | None:
    """A report that says something else than a valid form and that the page it came from had not shown.

    The page says by `seen` how many reports it had shown; a form without it is not asked about.
    """
    seen = posted_number(table.request, "seen")
    if seen is None or seen == table.newest:
        return None
    reported, standing = table.result_of(form), accepted_report_of(table.match)
    held = [standing] if standing else [*table.theirs, *table.own]
    return None if any(says(report, reported) for report in held) else next(iter(held), None)


def two_values(table: SeatReporting, form: AnyReportForm, rival: ResultReport) -> dict[str, Any]:
    """What the page needs that shows both values side by side: neither is merged into the other, nothing is stored."""
    left_out = ("csrfmiddlewaretoken", "idempotency_key", "seen")
    fields = [(name, value) for name, values in table.request.POST.lists() for value in values if name not in left_out]
    return {
        "phase": "two_values",
        "rival": rival,
        "rival_counts": rival.pk == table.match.accepted_report_id,
        "rival_is_own": rival in table.own,
        "rival_words": table.words(rival),
        "agreement": table.agreement(rival),
        "why_not_agree": table.why_not_agree(rival),
        "sent_words": describe_result_to(table.result_of(form), table.place or 0),
        "sent_fields": fields,
        "sent_key": table.request.POST.get("idempotency_key", ""),
    }
