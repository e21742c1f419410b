"""How a match is reported, whichever page does it: by staff or from a seat, with the forms and what is said of it."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import BadInput, Conflict
from scoring.standings.results import MatchResult
from tournaments.models import Match, ResultReport, Round, Seat, Tournament
from tournaments.results.forms.games import games_as_initial
from tournaments.results.forms.results import (
    FIELD_FOR_ERROR,
    CorrectionForm,
    OtherReportForm,
    ReportForm,
    StaffResultForm,
    pair_values,
)
from tournaments.results.forms.table_results import (
    TableCorrectionForm,
    TableReportForm,
    TableResultForm,
    table_values,
)
from tournaments.results.forms.table_text import read_typed
from tournaments.results.selectors import accepted_report_of, contradictions_of, match_takes_places, pending_of
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import confirm_report, dispute_report, report_result, why_not_agree
from tournaments.results.services.stored_reports import ReportAnswer, Status, as_result
from tournaments.table_access.services import agree_from_table, disagree_from_table, report_from_table
from tournaments.web.frame.actions import run_action, tell_disagreement
from tournaments.web.shared.game_words import games_offered
from tournaments.web.shared.match_rows import MatchRow, Names, describe_agreement, describe_result_to, seats_of
from tournaments.web.shared.offered_scores import offered_at

AnyReportForm = ReportForm | OtherReportForm | TableReportForm
StaffForm = StaffResultForm | TableResultForm


@dataclass(frozen=True, slots=True)
class Reporting:
    """What every page that reports a match has: the request, and in it the match's version as the page showed it."""

    request: ActorRequest

    @property
    def version(self) -> int | None:
        """The version that was seen; None from pages that say none."""
        return posted_number(self.request, "version")


@dataclass(frozen=True, slots=True)
class StaffReporting(Reporting):
    """A match as staff report it: what they say counts at once and settles what others said."""

    line: MatchRow

    @property
    def match(self) -> Match:
        return self.line.match

    @property
    def _facts(self) -> dict[str, Any]:
        stage, names = self.match.round.stage, self.line.short_names
        if self.line.is_table:
            return {"names": names, "length": stage.match_length, "counts_scores": self.line.counts_scores}
        return {
            "names": (names[0], names[-1]),
            "length": stage.match_length,
            "needs_winner": stage.needs_winner,
            "is_offered": offered_at(self.match),
            "offered": games_offered(stage.tournament, self.match),
            "counts_scores": self.line.counts_scores,
        }

    def _form(self, data: QueryDict | None, *, corrects: bool, **initial: Any) -> StaffForm:
        if self.line.is_table:
            of_table = TableCorrectionForm if corrects else TableResultForm
            return of_table(data, **self._facts, initial=initial)
        return (CorrectionForm if corrects else StaffResultForm)(data, **self._facts, initial=initial)

    def fresh_form(self) -> StaffForm:
        """Empty for a match without a result, else what contradicts it last, or what counts, to be corrected."""
        counts, against = accepted_report_of(self.match), contradictions_of(self.match)
        if counts is None:
            return self._form(None, corrects=False)
        shown = against[-1] if against else counts
        if self.line.is_table:
            return self._form(None, corrects=True, **table_values(as_result(shown)))
        games = games_as_initial(shown.games, self._facts["offered"])
        return self._form(None, corrects=True, **pair_values(as_result(shown)), **games)

    def sent_form(self, *, corrects: bool = False) -> StaffForm:
        return self._form(self.request.POST, corrects=corrects)

    def read(self, typed: str) -> MatchResult:
        """What was typed at the desk: a score, or everybody's place or score where such tell how it ended."""
        return read_typed(self.match, typed)

    def sent_report(self) -> ResultReport | None:
        """The report that the form is about; None once it is not waiting any more."""
        return next((each for each in pending_of(self.match) if str(each.pk) == self.request.POST.get("report")), None)

    def store(self, result: MatchResult) -> ReportAnswer:
        """Report a result; raises as `report_result`."""
        return report_result(self.request.actor, self.match, result, database_now(), version=self.version)

    def confirm(self, done: str, back: str) -> HttpResponse:
        """The report that the form is about counts from now on; reported where it waits no more."""
        report = self.sent_report()

        def act() -> ReportAnswer:
            if report is None:
                raise Conflict("not_waiting", _("This report is not waiting any more; look at the match again."))
            return confirm_report(self.request.actor, report, database_now(), version=self.version)

        return run_action(self.request, act, done, back)

    def correct(self, result: MatchResult, reason: str, now: datetime, seen: int) -> ReportAnswer:
        """Another result instead of the one that counts; raises as `correct_result`."""
        return correct_result(self.request.actor, self.match, result, reason, now, seen=seen)


@dataclass(frozen=True)
class SeatReporting(Reporting):
    """A match as whoever sits at `place` (in seat order) reports it, by name or by the code on the table.

    `place` is None for a phone that did not say yet whom it speaks for: it reports nothing.
    """

    tournament: Tournament
    match: Match
    place: int | None
    has_spoken: bool = False
    """Whether the phone at a table reported, placed a deck, filed the score sheet or signed it."""

    @property
    def seats(self) -> list[Seat]:
        """Everybody there, in seat order."""
        return seats_of(self.match)

    @cached_property
    def seat(self) -> Seat | None:
        return None if self.place is None else self.seats[self.place]

    @cached_property
    def others(self) -> list[Seat]:
        """Everybody else there."""
        return [each for each in self.seats if each != self.seat]

    @cached_property
    def other(self) -> Seat | None:
        """Who sits opposite, in a match of two."""
        return self.others[0] if len(self.others) == 1 else None

    @cached_property
    def is_table(self) -> bool:
        """Whether places, and scores where the standings count them, tell how it ended."""
        return match_takes_places(self.match)

    @property
    def can_report(self) -> bool:
        """Whether another person sits there too in a round that is being played."""
        is_played = self.match.kind == Match.Kind.PLAYED and self.match.round.state == Round.State.PUBLISHED
        return is_played and len(self.seats) > 1

    @property
    def own(self) -> list[ResultReport]:
        """What was reported from this seat and nobody agreed to yet."""
        return [each for each in pending_of(self.match) if self.seat is not None and each.by_seat_id == self.seat.pk]

    @property
    def theirs(self) -> list[ResultReport]:
        """The same from others at the table."""
        return [each for each in pending_of(self.match) if self.seat is None or each.by_seat_id != self.seat.pk]

    @property
    def newest(self) -> int:
        """The number of the newest report of the match, 0 before the first: what a page has seen."""
        return max((report.number for report in self.match.reports.all()), default=0)

    @property
    def by_code(self) -> bool:
        return self.request.actor.via == "table"

    def words(self, report: ResultReport | None) -> str:
        """A report as a sentence to who sits here; "" for none."""
        return "" if report is None else describe_result_to(as_result(report), self.place or 0)

    def agreement(self, report: ResultReport | None) -> str:
        """The button with which who sits here agrees to a report; "" for none."""
        return "" if report is None else describe_agreement(as_result(report), self.place or 0)

    def why_not_agree(self, report: ResultReport | None) -> str:
        """Why who sits here can't agree to a report; "" where they can, and for none."""
        return "" if report is None else why_not_agree(self.request.actor, report, self.seats, self.seat)

    def result_of(self, form: AnyReportForm) -> MatchResult:
        return form.result(self.place or 0)

    def fresh_forms(self, names: Names) -> dict[str, AnyReportForm]:
        """The forms in which this match can be reported, under their names on the page."""
        name, form = self._full_form(None, names)
        return {"form": self._tile_form(None), name: form}

    def sent_form(self) -> tuple[str, AnyReportForm]:
        """The name of the one that was sent, and it."""
        sent = self.request.POST
        if not self.is_table and sent.get("act") != "other":
            return "form", self._tile_form(sent)
        return self._full_form(sent, Names(self.tournament))

    @property
    def _facts(self) -> dict[str, Any]:
        return {"match": self.match.pk, "length": self.match.round.stage.match_length}

    def _tile_form(self, data: QueryDict | None) -> ReportForm:
        needs_winner, is_offered = self.match.round.stage.needs_winner, offered_at(self.match, self.place or 0)
        return ReportForm(data, needs_winner=needs_winner, is_offered=is_offered, **self._facts)

    def _full_form(self, data: QueryDict | None, names: Names) -> tuple[str, AnyReportForm]:
        """Where everything can be reported, with its name: in a match of two the reporter is called “You”."""
        called, place = [names(seat.entry) for seat in self.seats], self.place or 0
        if self.is_table:
            return "table_form", TableReportForm(data, names=called, counts_scores=names.counts_scores, **self._facts)
        called[place] = _("You")
        offered = games_offered(self.tournament, self.match) if len(called) > 1 else None
        pair = (called[0], called[-1])
        return "other_form", OtherReportForm(
            data, place=place, names=pair, offered=offered, counts_scores=names.counts_scores, **self._facts
        )

    def report(self, form: AnyReportForm) -> ReportAnswer | None:
        """Report what a valid form says and tell what became of it; None where it was refused: the form tells."""
        answer = call_service(form, lambda: self._store(self.result_of(form)), FIELD_FOR_ERROR)
        if answer is not None:
            tell = tell_disagreement if answer.status is Status.CONFLICT else messages.success
            tell(self.request, self._words_after(answer.status))
        return answer

    def _store(self, result: MatchResult) -> ReportAnswer:
        seat, actor, now = self.seat, self.request.actor, database_now()
        if seat is None:  # a report without a seat would be one of the staff
            raise BadInput("no_seat", _("Say first who you are."))
        if self.by_code:
            return report_from_table(actor, seat, result, now, version=self.version)
        return report_result(actor, self.match, result, now, seat=seat, version=self.version)

    def _words_after(self, status: Status) -> str:
        """What the reporter sees of a report that was stored; the code on a table knows nobody's opponent."""
        is_among_several = self.by_code or self.is_table
        if status is Status.ACCEPTED:
            return _("The result is final.")
        if status is Status.CONFLICT and is_among_several:
            return _("Another player reported something else. A judge or the desk decides.")
        if status is Status.CONFLICT:
            return _("Your opponent disagrees. A judge or the desk decides.")
        if self.by_code and self.tournament.table_reports == Tournament.TableReports.STAFF:
            return _("Sent. It is final once the staff confirm.")
        if is_among_several:
            return _("Sent. It is final once another player at your table confirms.")
        return _("Sent. It is final once your opponent confirms.")

    def answer(self, back: str, *, agrees: bool) -> HttpResponse:
        """Confirm or dispute the report that the page showed, and go `back`; a message where it changed."""
        report, seat = next(iter(self.theirs), None), self.seat

        def act() -> None:
            if report is None or seat is None or str(report.pk) != self.request.POST.get("report"):
                raise Conflict("not_waiting", _("Another report came in for this match; look at it again."))
            (self._agree if agrees else self._disagree)(report, seat)

        of_side = report is None or report.by_seat_id is not None
        done = _("Confirmed. The result is final.") if of_side else self._words_after(Status.WAITING)
        done = done if agrees else _("Report disputed. A judge is coming.")
        return run_action(self.request, act, done, back, tell=messages.success if agrees else tell_disagreement)

    def _agree(self, report: ResultReport, seat: Seat) -> None:
        agree = agree_from_table if self.by_code else confirm_report
        agree(self.request.actor, report, now=database_now(), seat=seat, version=self.version)

    def _disagree(self, report: ResultReport, seat: Seat) -> None:
        actor, now = self.request.actor, database_now()
        if self.by_code:
            disagree_from_table(actor, report, seat, now, version=self.version)
        else:
            dispute_report(actor, report, self.request.POST.get("reason", ""), now, version=self.version)
