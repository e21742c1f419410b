"""Why one entry stands above another, for everybody who sees the standings."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from rules_engine.errors import NotFound
from scoring.standings.standings import Standing
from tournaments.core.round_names import match_name
from tournaments.core.rounds import with_all
from tournaments.models import Entry, Match, Tournament
from tournaments.standings.selectors.lists import entries_by_id, entries_called
from tournaments.standings.selectors.reasons import Cause, Reason, compared_lines, contenders_in, reason_for
from tournaments.standings.selectors.standings import standings_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.match_rows import Names, line_of, published_rounds
from tournaments.web.shared.reason_words import describe_reason

MAX_FOUND = 20
MAX_WORDS = 120
BY_BRACKET = (Cause.BRACKET, Cause.BRACKET_SHARED)


@event_view("event.see")
def standings_why(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/standings/why/?above=N&below=N (entry numbers; one alone: with its neighbour) &with=<name or number>."""
    standings = standings_of(tournament) if published_rounds(tournament) else ()
    above, below = compared_lines(tournament, standings, _number(request, "above"), _number(request, "below"))
    names, words = Names(tournament), " ".join(request.GET.get("with", "").split())[:MAX_WORDS]
    found = _found(tournament, standings, below, words)
    if len(found) == 1:
        numbers = f"above={found[0].number}&below={_entry(tournament, below).number}"
        return redirect(f"{reverse('standings_why', args=[tournament.slug])}?{numbers}")
    reason = reason_for(tournament, above, below)
    named = {above.contender, below.contender, *contenders_in(reason.one), *contenders_in(reason.other)}
    entries = entries_by_id(tournament, named)
    called = {pk: names(entry) for pk, entry in entries.items()}
    context: dict[str, Any] = {
        "here": "standings",
        "reason": reason,
        "above": (above, entries[above.contender], called[above.contender]),
        "below": (below, entries[below.contender], called[below.contender]),
        "described": describe_reason(reason, called, tournament.scoring_policy),
        "bouts": _last_bouts(reason, names),
        "with": words,
        "found": [(entry, names(entry)) for entry in found[:MAX_FOUND]],
    }
    return render_event(request, tournament, "public/standing_why.html", context)


def _last_bouts(reason: Reason, names: Names) -> list[tuple[str, str, str]]:
    """The last match that each of the two has finished in the bracket that parts them: its name, who met, and how."""
    if reason.cause not in BY_BRACKET:
        return []
    played = Match.objects.filter(round__stage=reason.stage, round__superseded_at=None, accepted_report__isnull=False)
    last = (
        with_all(played.filter(seats__entry=each.contender)).order_by("-round__number").first()
        for each in (reason.above, reason.below)
    )
    lines = [line_of(match, names) for match in dict.fromkeys(last) if match is not None]
    return [(match_name(line.match), " – ".join(line.names), line.score) for line in lines]


def _number(request: ActorRequest, name: str) -> int | None:
    """An entry's number of the query; NotFound "unknown_entry" for what is none."""
    number = asked_number(request, name)
    if number is None and request.GET.get(name):
        raise NotFound("unknown_entry", _("This event has no such entry."))
    return number


def _found(tournament: Tournament, standings: Sequence[Standing], below: Standing, words: str) -> list[Entry]:
    """Who is called so and has a line, except the one compared with; best first."""
    if not words:
        return []
    wanted = entries_called(tournament, words) - {below.contender}
    ranked = [each.contender for each in standings if each.contender in wanted][: MAX_FOUND + 1]
    entries = entries_by_id(tournament, ranked)
    return [entries[each] for each in ranked]


def _entry(tournament: Tournament, standing: Standing) -> Entry:
    return entries_by_id(tournament, [standing.contender])[standing.contender]
