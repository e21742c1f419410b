"""What is missing before the next round can be paired, and the way to pair it all the same."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.http.access import is_allowed
from accounts.http.requests import ActorRequest
from tournaments.core.forms import WithoutForm
from tournaments.core.rounds import missing_matches, with_all
from tournaments.events.selectors.events import NextStep, Step
from tournaments.models import Match, Tournament
from tournaments.results.selectors import pending_of
from tournaments.rounds.selectors.not_seen import not_seen
from tournaments.structure.selectors.brackets import bracket_of
from tournaments.structure.selectors.stages import current_stage
from tournaments.web.shared.match_rows import Names, seats_of

MAX_FOLDED = 60
"""So many matches are listed at once; more, as while everybody still plays, when asked for."""


@dataclass(frozen=True, slots=True)
class MissingLine:
    """A match without a result: who plays, and how far it is, as a class of the style sheet and in words."""

    match: Match
    names: tuple[str, ...]
    look: str
    words: str


def missing_lines(tournament: Tournament) -> list[MissingLine]:
    """Every match without a result, by round and table; a constant number of queries."""
    names = Names(tournament)
    found = with_all(missing_matches(tournament)).order_by("round__number", "table_number")
    return [MissingLine(match, tuple(names(seat.entry) for seat in seats_of(match)), *_state(match)) for match in found]


def _state(match: Match) -> tuple[str, str]:
    reports = len(pending_of(match))
    if reports > 1:
        return "wrong", _("two reports")
    if match.state == Match.State.CONFLICT:
        return "wrong", _("disputed")
    return ("wait", _("one report")) if reports else ("open", _("playing"))


def without_context(
    request: ActorRequest, tournament: Tournament, step: NextStep, form: WithoutForm | None = None
) -> dict[str, Any]:
    """What `parts/pair_without_results.html` and `parts/not_seen.html` show; `form` is one that was refused, listed
    afresh with its reason.
    """
    offered = step.step is Step.COLLECT and step.rounds_left and is_allowed("round.pair", request.actor, tournament)
    bracket = bracket_of(current_stage(tournament)) if offered else None
    offered = offered and (bracket is None or bool(bracket.waiting))
    listed = offered and (form is not None or len(step.missing) <= MAX_FOLDED or _asked(request))
    lines = missing_lines(tournament) if listed else []
    without = {
        "offered": offered,
        "is_open": form is not None or _asked(request),
        "form": form or WithoutForm(auto_id="without_%s"),
        "lines": lines,
        "ids": ",".join(str(line.match.pk) for line in lines),
    }
    return {"without": without, "unseen": not_seen(tournament) if step.step is Step.PAIR else []}


def _asked(request: HttpRequest) -> bool:
    return "without" in request.GET
