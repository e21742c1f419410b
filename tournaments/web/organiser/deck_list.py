"""The decks of an event as staff see them: counts for all of them, verdicts of each for judges."""

from datetime import UTC, datetime

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.access import is_allowed
from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.core.draws import COSTS_NOTHING
from tournaments.core.names import name_key
from tournaments.decks.selectors.deck_checks import JudgeRow, judge_rows
from tournaments.decks.selectors.deck_states import DeckState
from tournaments.decks.selectors.decks import checks_decks, deck_counts, deck_rows, decks_are_locked
from tournaments.decks.selectors.drafts import makes_decks_at_tables
from tournaments.entries.selectors.entries import plays_in_teams, shared_names
from tournaments.events.selectors.events import deck_deadline_of
from tournaments.forecast.check_costs import check_costs
from tournaments.models import Tournament
from tournaments.permissions import member_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.sorting import Columns, sort_rows

MAX_WORDS = 120
SHOWN = (DeckState.MISSING, DeckState.LEGAL, DeckState.ILLEGAL)
"""The decks one can look at, by the value of ?show=."""
NEVER = datetime.max.replace(tzinfo=UTC)


@event_view("deck.counts")
def manage_decks(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/decks/?drawn=N&member=…&q=…&show=…&sort=…: how many decks; for judges whose are legal too."""
    rows, now = deck_rows(tournament), database_now()
    judges = is_allowed("deck.read", request.actor, tournament)
    judged = judge_rows(tournament, rows, now) if judges else []
    drawn, words = _drawn(request), request.GET.get("q", "").strip()[:MAX_WORDS]
    show = request.GET.get("show", "")
    found = [row for row in judged if _is_meant(row, words) and (show not in SHOWN or row.deck == show)]
    found, heads = sort_rows(request, found, _columns(), "number")
    drawn_row = next((row for row in judged if (row.member.entry.number, row.member.order) == drawn), None)
    context = {
        "here": "decks",
        "counts": deck_counts(rows),
        "rows": found,
        "heads": heads,
        "total": len(judged),
        "q": words,
        "show": show if show in SHOWN else "",
        "sort": request.GET.get("sort", ""),
        "drawn": drawn_row,
        "check_cost": _cost_words(check_costs(tournament, now).of(drawn_row.member.entry.number)) if drawn_row else "",
        "checked": checks_decks(tournament),
        "may_read": judges,
        "plays_too": judges and member_of(request.actor, tournament) is not None,
        "shared": shared_names(tournament),
        "teams": plays_in_teams(tournament),
        "deadline": deck_deadline_of(tournament),
        "drafted": makes_decks_at_tables(tournament),
        "locked": decks_are_locked(tournament, now),
    }
    return render_event(request, tournament, "organiser/decks.html", context)


def _drawn(request: ActorRequest) -> tuple[int | None, int]:
    """The entry whose deck was drawn, and the place of its player there."""
    return asked_number(request, "drawn"), asked_number(request, "member") or 1


def _cost_words(seconds: int | None) -> str:
    """By how much a deck check moves the expected end of the round; "" while that isn't known."""
    if seconds is None:
        return ""
    if seconds < COSTS_NOTHING:
        return _("A check now doesn't delay the round.")
    minutes = round(seconds / 60)
    text = ngettext(
        "A check now ends the round about %(minutes)d minute later.",
        "A check now ends the round about %(minutes)d minutes later.",
        minutes,
    )
    return text % {"minutes": minutes}


def _columns() -> Columns[JudgeRow]:
    def number(row: JudgeRow) -> int:
        return row.member.entry.number

    return {
        "number": (_("No."), number),
        "name": (_("Player"), lambda row: (name_key(row.member.entry.name), number(row))),
        "verdict": (_("Verdict"), lambda row: (row.deck, not row.falling, number(row))),
        "handed_in": (_("Handed in"), lambda row: (row.member.deck_registered_at or NEVER, number(row))),
        "table": (_("Table"), lambda row: (row.table is None, row.table)),
        "checks": (_("Checks"), lambda row: (row.checks, number(row))),
    }


def _is_meant(row: JudgeRow, words: str) -> bool:
    entry, person = row.member.entry, row.member.person
    return words.casefold() in f"{entry.name} {person.name}".casefold() or words == str(entry.number)
