"""What players need: certain or likely, for everybody at once; its simulation asked for, stopped, shown or hidden."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actors import Actor
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from scoring.standings.records import Outcome
from scoring.standings.standings import Standing
from tournaments.forecast.playouts import Tally, standard_error
from tournaments.forecast.selectors import Outlook, RunState, newest_run, outlook_of
from tournaments.forecast.services import ask_outlook, cancel_outlook, show_outlook
from tournaments.forecast.stage_state import Verdict
from tournaments.models import Entry, Tournament
from tournaments.permissions import is_official, member_of
from tournaments.standings.selectors.lists import entries_by_id
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.match_rows import Names

LINES_A_PAGE = 200
REFRESH_SECONDS = 3
SEED_BITS = 32
MIN_SEEN = 20
"""Of so many samples or fewer no share is shown."""

WORDS: dict[Verdict, Promise] = {
    Verdict.IN: gettext_lazy("in for sure"),
    Verdict.OPEN: gettext_lazy("still open"),
    Verdict.OUT: gettext_lazy("out"),
}
WITH_TIEBREAKERS: dict[Verdict, Promise] = {
    Verdict.IN: gettext_lazy("in, by tiebreakers"),
    Verdict.OUT: gettext_lazy("out, by tiebreakers"),
}
IFS: dict[Outcome, Promise] = {
    Outcome.WIN: gettext_lazy("If you win"),
    Outcome.DRAW: gettext_lazy("If you draw"),
    Outcome.LOSS: gettext_lazy("If you lose"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """What is said of one entry; `chance` and `hint` may be empty. Points alone make it certain, or not `by_points`."""

    standing: Standing
    entry: Entry
    name: str
    points: str
    verdict: Verdict
    by_points: bool
    chance: str
    hint: str

    @property
    def word(self) -> str:
        return str(WORDS[self.verdict] if self.by_points else WITH_TIEBREAKERS.get(self.verdict, WORDS[self.verdict]))


@dataclass(frozen=True, slots=True)
class OwnResult:
    """What one result of the viewer's next match would mean."""

    words: str
    verdict: Verdict
    chance: str

    @property
    def word(self) -> str:
        return str(WORDS[self.verdict])


@event_view("outlook.see")
def outlook(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/outlook/?page=…: everybody's line, and at the top what the viewer needs.

    While a simulation runs, staff's page loads itself anew unless `still` is given.
    """
    found, context = outlook_of(tournament), dict[str, Any](here="standings")
    run = newest_run(tournament, found.given if found else None)
    follows = run is not None and run.is_running and is_official(request.actor, tournament)
    context |= {"run": run, "follows": follows and "still" not in request.GET}
    context |= {"seconds": REFRESH_SECONDS, "percent": 100 * run.done // run.run.chunks if run else 0}
    if found is not None:
        context |= _shown(request, tournament, found, run)
    response = render_event(request, tournament, "public/forecast.html", context)
    if context["follows"]:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


def _shown(request: ActorRequest, tournament: Tournament, found: Outlook, run: RunState | None) -> dict[str, Any]:
    page = Paginator(found.standings, LINES_A_PAGE).get_page(request.GET.get("page"))
    names, member = Names(tournament), member_of(request.actor, tournament)
    mine = next((line for line in found.standings if member and line.contender == member.entry_id), None)
    wanted = {line.contender for line in page.object_list} | ({mine.contender} if mine else set())
    entries = entries_by_id(tournament, list(wanted))

    def line_of(standing: Standing) -> Line:
        entry = entries[standing.contender]
        return line_about(found, run, standing, entry, names(entry))

    return {
        "outlook": found,
        "goal": goal_words(found),
        "page": page,
        "lines": [line_of(standing) for standing in page.object_list if standing.contender in entries],
        "mine": line_of(mine) if mine and mine.contender in entries else None,
        "my_results": own_results(found, run, mine.contender) if mine else [],
        "my_entry": mine.contender if mine else None,
        "is_exact": found.tallies is not None,
        "has_chances": found.tallies is not None or bool(run is not None and run.tallies),
    }


def goal_words(found: Outlook) -> str:
    """What it is about: “the top 8”, “9 points”."""
    if found.given.places is None:
        return _("%(points)s points") % {"points": found.given.policy.shown_points(found.given.points or 0)}
    return _("the top %(places)d") % {"places": found.given.places}


def line_about(found: Outlook, run: RunState | None, standing: Standing, entry: Entry, name: str) -> Line:
    verdict = found.verdict(entry.pk)
    is_open = verdict is Verdict.OPEN
    return Line(
        standing,
        entry,
        name,
        str(found.given.policy.shown_points(standing.match_points)),
        verdict,
        found.is_by_points(entry.pk),
        chance_words(found, run, entry.pk) if is_open else "",
        hint_of(found, entry.pk) if is_open else "",
    )


def hint_of(found: Outlook, entry: int) -> str:
    """What a person whose case is open needs of its own next match; "" where too much is still to come to say."""
    after = found.after(entry)
    if not after:
        if found.unpaired_rounds or any(entry in match.seats for match in found.given.matches):
            return ""
        return _("waits for others") if found.open_matches else _("tiebreakers decide")
    if after.get(Outcome.DRAW) is Verdict.IN:
        return _("a draw is enough")
    if after.get(Outcome.WIN) is Verdict.IN:
        return _("a win is enough")
    if after.get(Outcome.DRAW) is Verdict.OUT:
        return _("only a win keeps it open")
    if after.get(Outcome.LOSS) is Verdict.OUT:
        return _("must not lose")
    return ""


def chance_words(found: Outlook, run: RunState | None, entry: int, *results: Outcome) -> str:
    """How likely it is: exact over every course, else as simulated with its standard error; "" where nobody knows."""
    if found.tallies is not None:
        tally = found.tallies.get(entry)
        return percent_words(*tally.share(*results)) if tally else ""
    simulated = run.tallies.get(entry) if run else None
    return simulated_words(simulated, *results) if simulated else ""


def simulated_words(tally: Tally, *results: Outcome) -> str:
    """A share found by chance: “73 % ± 2”."""
    inside, level, seen = tally.share(*results)
    if seen <= MIN_SEEN:
        return ""
    error = max(1, round(100 * standard_error(inside, seen)))
    return _("%(share)s ± %(error)d") % {"share": percent_words(inside, level, seen), "error": error}


def percent_words(inside: int, _level: int, seen: int) -> str:
    """A share as whole per cent; what happens in some courses is neither 0 nor 100."""
    percent = (200 * inside + seen) // (2 * seen) if seen else 0
    if percent < 1:
        return _("below 1 %%") % ()
    if percent > 99:
        return _("above 99 %%") % ()
    return _("%(percent)d %%") % {"percent": percent}


def own_results(found: Outlook, run: RunState | None, entry: int) -> list[OwnResult]:
    """What each result of one's own next match would mean; empty where none would change what is known now."""
    if found.verdict(entry) is not Verdict.OPEN:
        return []
    after = found.after(entry)
    results = [
        OwnResult(
            str(IFS[outcome]),
            after[outcome],
            chance_words(found, run, entry, outcome) if after[outcome] is Verdict.OPEN else "",
        )
        for outcome in Outcome
        if outcome in after
    ]
    return results if any(each.chance or each.verdict is not Verdict.OPEN for each in results) else []


def _press(rule: str, act: Callable[[Actor, Tournament, datetime], object], done: str | Promise) -> Any:
    """A view of one act on the outlook."""

    @event_view(rule, "POST")
    def view(request: ActorRequest, tournament: Tournament) -> HttpResponse:
        back = reverse("outlook", args=[tournament.slug])
        return run_action(request, lambda: act(request.actor, tournament, database_now()), str(done), back)

    return view


ask = _press(
    "outlook.ask",
    lambda actor, tournament, now: ask_outlook(actor, tournament, now, secrets.randbits(SEED_BITS)),
    gettext_lazy("Asked for. Workers simulate it now."),
)
stop = _press("outlook.ask", cancel_outlook, gettext_lazy("Stopped. What it found until then stays."))
show = _press(
    "event.settings",
    lambda actor, tournament, now: show_outlook(actor, tournament, now, shows=True),
    gettext_lazy("All players can now see the forecast."),
)
hide = _press(
    "event.settings",
    lambda actor, tournament, now: show_outlook(actor, tournament, now, shows=False),
    gettext_lazy("Players can no longer see the forecast."),
)
