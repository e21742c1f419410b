"""The desk as a page: what is missing and done, the rounds, and one match with all that was said about it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from accounts.actors import Actor
from accounts.http.requests import ActorRequest
from scoring.standings.records import Outcome
from tournaments.core.rounds import missing_matches
from tournaments.models import Match, Round, Tournament
from tournaments.penalties.selectors import know_penalties
from tournaments.permissions import PLAYER
from tournaments.results.forms.results import DeskForm
from tournaments.results.forms.scores import Score, desk_codes
from tournaments.results.selectors import accepted_report_of, contradictions_of, is_of_one_phone, pending_of
from tournaments.results.services.reports import why_not_agree
from tournaments.sheets.selectors.sheet_lines import NEEDS_STAFF, SheetLine, sheet_lines
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.web.desk.desk_data import desk_data, desk_words
from tournaments.web.frame.event_view import render_event
from tournaments.web.live.staff_lines import StaffLines
from tournaments.web.shared.match_rows import (
    MatchRow,
    describe_report,
    outcomes_of,
    placings_of,
    score_text,
    seats_of,
)
from tournaments.web.shared.need_words import ShownNeeds, shown_needs
from tournaments.web.shared.slips import Slip

URGENCY = {Match.State.CONFLICT: 0, Match.State.REPORTED: 1, Match.State.OPEN: 2}


def line_at(lines: list[MatchRow], table: str) -> MatchRow | None:
    return next((line for line in lines if line.table is not None and str(line.table) == table), None)


def show_desk(
    request: ActorRequest,
    tournament: Tournament,
    round_: Round | None,
    rounds: list[Round],
    form: DeskForm,
    slip: Slip | None,
) -> HttpResponse:
    lines = StaffLines(request, tournament, round_)
    tables = [line for line in lines.all if line.table is not None]
    found = line_at(tables, str(form["table"].value() or "").strip())
    form.focus_on("result" if found else "table")
    words = request.GET.get("q", "").strip()[:120]
    missing = sorted(
        (line for line in tables if line.match.state != Match.State.DONE),
        key=lambda line: (URGENCY[Match.State(line.match.state)], line.table or 0),
    )
    done = [line for line in tables if line.match.state == Match.State.DONE]
    sheets = _sheets_of(tournament, missing)
    know_penalties([line.match for line in missing if line.match.state == Match.State.REPORTED])
    needs = defaultdict[int, list[ShownNeeds]](list)
    for each in shown_needs(request.actor, round_):
        needs[each.match.pk].append(each)
    rounds_shown = _rounds_context(request, tournament, round_, rounds)
    context: dict[str, Any] = {
        "here": "desk",
        "form": form,
        "round": round_,
        "latest": rounds[-1] if rounds else None,
        "has_tables": any(line.is_table for line in tables),
        "has_pairs": not all(line.is_table for line in tables),
        "codes": [(code, score.text) for code, score in _codes(tournament, round_).items()],
        "found": found,
        "last": next((line for line in done if str(line.match.pk) == request.GET.get("last")), None),
        "missing": _missing_lines(
            request.actor, lines, [line for line in missing if line.has(words)], rounds_shown["at"], sheets, needs
        ),
        "done": lines.texts(
            "desk/done_line.html", [(line, None) for line in _newest_first(done) if line.has(words)], _done_line
        ),
        "counts": {"tables": len(tables), "done": len(done), "missing": len(missing)},
        "conflicts": sum(line.match.state == Match.State.CONFLICT for line in missing),
        "next_table": next((line.table for line in missing if line.match.state == Match.State.OPEN), None),
        "uses_sheets": uses_sheets(tournament),
        "stuck_sheets": sum(each.state in NEEDS_STAFF for each in sheets.values()),
        "q": words,
        "slip": slip,
        "data": desk_data(request.actor, tournament, round_, _newest(rounds), tables) if round_ else None,
        "words": desk_words(),
        **rounds_shown,
    }
    return render_event(request, tournament, "desk/desk.html", context)


def _newest(rounds: list[Round]) -> Round:
    """The newest round that is being played."""
    return next(each for each in reversed(rounds) if each.state == Round.State.PUBLISHED)


def _codes(tournament: Tournament, round_: Round | None) -> dict[int, Score]:
    """What one digit stands for; in matches of the event's usual length while no round is played."""
    if round_ is None:
        return desk_codes(tournament.match_length)
    return desk_codes(round_.stage.match_length, needs_winner=round_.stage.needs_winner)


def _rounds_context(
    request: ActorRequest, tournament: Tournament, round_: Round | None, rounds: list[Round]
) -> dict[str, Any]:
    """The rounds to choose from, where there are several; `at` goes before every query of a link on the page."""
    being_played = [each for each in rounds if each.state == Round.State.PUBLISHED]
    waiting = Counter(missing_matches(tournament).values_list("round", flat=True)) if len(being_played) > 1 else {}
    is_earlier = round_ is not None and round_ != being_played[-1]
    complete = [each for each in rounds if each.state == Round.State.CLOSED]
    return {
        "tabs": [(each, waiting.get(each.pk, 0)) for each in being_played] if len(being_played) > 1 else [],
        "is_earlier": is_earlier,
        "at": f"round={round_.number}&" if round_ is not None and is_earlier else "",
        "complete": next((each for each in complete if str(each.number) == request.GET.get("round")), None),
    }


def _newest_first(lines: list[MatchRow]) -> list[MatchRow]:
    return sorted(lines, key=lambda line: line.match.accepted_report_id or 0, reverse=True)


def _sheets_of(tournament: Tournament, missing: list[MatchRow]) -> dict[int, SheetLine]:
    """How far the score sheets of tables without a result are, by match."""
    if not uses_sheets(tournament):
        return {}
    return {each.match.pk: each for each in sheet_lines([line.match for line in missing])}


def _missing_lines(
    actor: Actor,
    lines: StaffLines,
    missing: list[MatchRow],
    at: str,
    sheets: Mapping[int, SheetLine],
    needs: Mapping[int, list[ShownNeeds]],
) -> list[dict[str, Any]]:
    """Tables without a result: as `text` where nothing there is for this viewer alone, else by `missing_line.html`."""
    plain = [
        line for line in missing
        if line.match.state != Match.State.REPORTED and not {line.match.pk} & (sheets.keys() | needs.keys())
    ]  # fmt: skip

    def context(line: MatchRow) -> dict[str, Any]:
        return {"at": at, "each": _waiting_line(actor, line, None)}

    texts = lines.texts("desk/missing_line.html", [(line, at) for line in plain], context)
    text_of = {line.match.pk: text for line, text in zip(plain, texts, strict=True)}
    return [
        {"text": text_of[pk]}
        if (pk := line.match.pk) in text_of
        else _waiting_line(actor, line, sheets.get(pk)) | {"needs": needs.get(pk, [])}
        for line in missing
    ]


def _waiting_line(actor: Actor, line: MatchRow, sheet: SheetLine | None) -> dict[str, Any]:
    """A table without a result: what was reported so far, and the one report that a button can confirm, or why not.

    What a score sheet says waits for its signatures.
    """
    pending = pending_of(line.match)
    waits = pending[0] if len(pending) == 1 and line.match.state == Match.State.REPORTED else None
    by_sheet = waits is not None and waits.sheet_revision_id is not None
    return {
        "line": line,
        "reports": [score_text(report) for report in pending],
        "words": describe_report(pending[0], line.names) if len(pending) == 1 else "",
        "confirm": None if by_sheet else waits,
        "why_not_agree": "" if by_sheet or waits is None else why_not_agree(actor, waits, seats_of(line.match), None),
        "by_sheet": by_sheet,
        "sheet": sheet,
        "stuck": sheet if sheet is not None and sheet.state in NEEDS_STAFF else None,
    }


def _done_line(line: MatchRow) -> dict[str, Any]:
    """A table with a result, for its template: winner first, who said so, and whether a person contradicts."""
    report = accepted_report_of(line.match)
    outcomes = outcomes_of(report) if report else []
    place = outcomes.index(Outcome.WIN) if Outcome.WIN in outcomes else 0
    names, score = line.names[::-1] if place else line.names, score_text(report, place) if report else ""
    placings = placings_of(report) if report else ()
    if placings:
        ranked = sorted(zip(placings, line.names, strict=True), key=lambda each: each[0])
        names, score = tuple(name for _placing, name in ranked), " · ".join(str(placing) for placing, _name in ranked)
    agreed = bool(report and report.by_seat_id and any(act.role == PLAYER for act in report.acts.all()))
    each = {
        "line": line,
        "names": names,
        "has_winner": Outcome.WIN in outcomes and not placings,
        "score": score,
        "report": report,
        "agreed": agreed,
        "one_phone": is_of_one_phone(line.match),
        "contradicted": bool(contradictions_of(line.match)),
    }
    return {"each": each}
