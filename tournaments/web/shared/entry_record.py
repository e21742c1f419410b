"""What one entry played, in lines for its public page and for staff."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.standings.records import Outcome
from tournaments.core.round_names import match_name, round_name
from tournaments.models import Entry, Match, ResultReport
from tournaments.results.selectors import accepted_report_of
from tournaments.standings.selectors.entry_records import matches_of_entry, points_after_each
from tournaments.standings.words import number_text
from tournaments.web.shared.match_rows import Names, outcomes_of, placings_of, score_text, seats_of


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A match of an entry: the others by number and name, its score from the entry's seat, the points after it.

    `outcome` says how it ended in a word; it is "" where places tell it, and with `score` and `points` while no result
    counts. `points` is "" too where a match brings none.
    """

    match: Match
    name: str
    others: tuple[tuple[int, str], ...]
    score: str
    outcome: str
    points: str


def record_lines(entry: Entry, names: Names) -> list[RecordLine]:
    """Every match of an entry that everybody may see, first round first; seven queries, however many."""
    after, policy = points_after_each(entry), entry.tournament.scoring_policy
    lines = []
    for match in matches_of_entry(entry):
        seats, report = seats_of(match), accepted_report_of(match)
        place = [seat.entry_id for seat in seats].index(entry.pk)
        lines.append(
            RecordLine(
                match,
                match_name(match) or round_name(match.round),
                tuple((seat.entry.number, names(seat.entry)) for seat in seats if seat.entry_id != entry.pk),
                score_text(report, place) if report else "",
                _outcome(report, place) if report else "",
                number_text(policy.shown_points(after[match.pk]), policy) if match.pk in after else "",
            )
        )
    return lines


def _outcome(report: ResultReport, place: int) -> str:
    if report.kind == ResultReport.Kind.BYE or placings_of(report):
        return ""
    words = {Outcome.WIN: _("won"), Outcome.DRAW: _("drawn"), Outcome.LOSS: _("lost")}
    return words[Outcome(outcomes_of(report)[place])]
