"""How fairly an event was paired, for everybody: by round against what was possible, and by player."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from rules_engine.systems import get_system
from tournaments.core.parts import RANKING
from tournaments.core.rounds import rounds_of
from tournaments.models import Entry, Round, Tournament
from tournaments.rounds.selectors.explanations import certificate_of
from tournaments.rounds.selectors.fairness import EventFairness, PlayerFairness, RoundFairness, fairness_of
from tournaments.rounds.words import tell
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page
from tournaments.web.shared.match_rows import Names

LINES_A_PAGE = 200


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round: what was counted in it, and how that compares with the best, as everybody may know it."""

    round: Round
    counted: RoundFairness
    certificate: list[str]
    changes_by_hand: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player and what was counted."""

    entry: Entry
    name: str
    counted: PlayerFairness


@event_view("event.see")
@cached_page(*RANKING)
def fairness(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/fairness/?page=…: byes, floats, first turns, seats, table sizes, rematches and club-mates met."""
    found, names = fairness_of(tournament), Names(tournament)
    entries = tournament.entries.in_bulk([each.entry for each in found.players])
    lines = [PlayerLine(entries[each.entry], names(entries[each.entry]), each) for each in found.players]
    lines.sort(key=lambda line: (line.name.casefold(), line.entry.number))
    page = Paginator(lines, LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "here": "statistics",
        "found": found,
        "rounds": _rounds(tournament, found),
        "facts": _facts(found),
        "page": page,
        "has_turns": any(each.turns for each in found.players),
        "first": get_system(tournament.game).match.first,
    }
    return render_event(request, tournament, "public/fairness.html", context)


def _rounds(tournament: Tournament, found: EventFairness) -> list[RoundLine]:
    """After changes by hand nobody sees how a round compares: see `paired_how`."""
    counted = {each.number: each for each in found.rounds}
    shown = rounds_of(tournament).filter(number__in=counted).select_related("stage")
    changes = dict(shown.values_list("pk").annotate(Count("changes")))
    return [
        RoundLine(
            each, counted[each.number], tell(certificate_of(each, compares=not changes[each.pk]), str), changes[each.pk]
        )
        for each in shown
    ]  # fmt: skip


def _facts(found: EventFairness) -> list[tuple[str, int]]:
    """The event in a few numbers; 0 is as fair as can be."""
    players = found.players
    facts = [(_("Players with a second bye"), sum(each.byes > 1 for each in players))]
    if found.has_pairs:
        facts += [
            (_("Players paired down again"), sum(each.downs > 1 for each in players)),
            (_("Players paired up again"), sum(each.ups > 1 for each in players)),
        ]
    facts.append((_("Rematches"), sum(each.rematches for each in found.rounds)))
    if found.has_mates:
        facts.append((_("Club-mates or team-mates met"), sum(each.mates for each in found.rounds)))
    return facts
