"""What is printed for the room: pairings, result slips, standings, and the packet of a round for a dead network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from accounts.http.access import is_allowed
from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from tournaments.bundles.selectors import final_head_of
from tournaments.core.rounds import rounds_of
from tournaments.decks.selectors.decks import checks_decks
from tournaments.entries.selectors.private_needs import large_print_matches
from tournaments.models import Entry, Match, Round, Tournament
from tournaments.room.slips import grouped, slip_code
from tournaments.standings.selectors.lists import entries_by_id
from tournaments.standings.selectors.standings import standings_of
from tournaments.structure.selectors.stages import next_stage
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.streamed import render_streamed
from tournaments.web.shared.lookups import wanted_round
from tournaments.web.shared.match_rows import MatchRow, Names, lines_of, player_lines, published_rounds
from tournaments.web.shared.slips import slip_path
from tournaments.web.shared.standing_lines import columns_of, lines_of_standings, shared_ranks, with_cut_line
from tournaments.web.shared.standing_words import stage_called

BY_NAME, BY_TABLE, SLIPS, STANDINGS, HELP = "by_name", "by_table", "slips", "standings", "help"
PACKET = (HELP, BY_NAME, BY_TABLE, SLIPS, STANDINGS)
MAX_GAMES_TICKED = 5
Papers = Sequence[str]


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip for one match: what scanners and people read on it, and the games it has boxes for (none: places).

    `is_large` where a person at the table needs it; it tells nobody who.
    """

    line: MatchRow
    code: str
    address: str
    games: tuple[int, ...]
    is_large: bool


@event_view("prints.see")
def prints(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/print/?round=N: everything that can be printed, of the newest round that the viewer may see."""
    round_ = wanted_round(_rounds_for(request, tournament), request.GET.get("round", ""))
    context = {
        "here": "prints",
        "may_issue": is_allowed("tables.codes", request.actor, tournament),
        "rounds": _rounds_for(request, tournament),
        "round": round_,
        "has_standings": bool(published_rounds(tournament)),
        "checks_decks": checks_decks(tournament),
        "playing": tournament.entries.filter(state=Entry.State.REGISTERED).count(),
        "tables": round_.matches.filter(table_number__isnull=False).count() if round_ else 0,
    }
    return render_event(request, tournament, "screens/prints.html", context)


@event_view("prints.see", fresh=True)
def print_pairings(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """GET …/print/pairings/?round=N&by=name|table&size=large: who sits where, for the door, the wall or the desk."""
    by = BY_TABLE if request.GET.get("by") == "table" else BY_NAME
    return _print(request, tournament, (by,), _("Pairings"), is_large=request.GET.get("size") == "large")


@event_view("prints.see", fresh=True)
def print_slips(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """GET …/print/slips/?round=N&table=N: result slips by table; those of one `table` again."""
    return _print(request, tournament, (SLIPS,), _("Result slips"), table=request.GET.get("table", ""))


@event_view("prints.see", fresh=True)
def print_standings(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """GET …/print/standings/: the standings so far, every line."""
    return _print(request, tournament, (STANDINGS,), _("Standings"))


@event_view("prints.see", fresh=True)
def print_packet(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """GET …/print/packet/?round=N: all that a round needs on paper while the network is dead, and what to do then."""
    return _print(request, tournament, PACKET, _("Paper packet"))


def _print(
    request: ActorRequest,
    tournament: Tournament,
    papers: Papers,
    title: str,
    *,
    table: str = "",
    is_large: bool = False,
) -> HttpResponseBase:
    round_, names = wanted_round(_rounds_for(request, tournament), request.GET.get("round", "")), Names(tournament)
    context: dict[str, Any] = {"here": "prints", "papers": papers, "paper_title": title, "round": round_}
    if round_ is not None and set(papers) & {BY_NAME, BY_TABLE, SLIPS}:
        lines = lines_of(round_, names)
        context |= {"lines": lines, "player_lines": player_lines(lines), "is_large": is_large}
        if SLIPS in papers:
            context |= {"slips": _slips(request, tournament, lines, table), "table_asked": table}
    if STANDINGS in papers:
        context |= _standings(tournament, names)
    return render_streamed(request, tournament, "screens/papers.html", context)


def _rounds_for(request: ActorRequest, tournament: Tournament) -> list[Round]:
    """The rounds that the viewer may print, first to last: unpublished ones are for officials alone."""
    if is_allowed("round.preview", request.actor, tournament):
        return list(rounds_of(tournament))
    return published_rounds(tournament)


def _slips(request: ActorRequest, tournament: Tournament, lines: Sequence[MatchRow], table: str) -> list[Slip]:
    """A slip for every match that is played at a table, with a result or without; or those of one `table`."""
    wanted = [
        line for line in lines
        if line.table and line.match.kind == Match.Kind.PLAYED and table in ("", str(line.table))
    ]  # fmt: skip
    large = large_print_matches(line.match for line in wanted)
    most = wanted[0].match.round.stage.match_length.games if wanted else 0
    games = tuple(range(1, min(most, MAX_GAMES_TICKED) + 1))
    return [
        Slip(
            line,
            grouped(slip_code(line.match.pk)),
            shared_address(request, slip_path(line.match, tournament)),
            () if line.is_table else games,
            line.match.pk in large,
        )
        for line in wanted
    ]


def _standings(tournament: Tournament, names: Names) -> Mapping[str, Any]:
    rounds = published_rounds(tournament)
    if not rounds:
        return {"standing_lines": [], "columns": []}
    found, policy = standings_of(tournament), tournament.scoring_policy
    entries = entries_by_id(tournament, [each.contender for each in found])
    following = next_stage(tournament) if tournament.state == Tournament.State.RUNNING else None
    lines = lines_of_standings(found, entries, names, policy, ties=shared_ranks(found), moved={}, cut=())
    return {
        "standing_round": rounds[-1],
        "columns": columns_of(policy),
        "standing_lines": with_cut_line(lines, following),
        "next_cut": stage_called(following) if following else "",
        "log_head": final_head_of(tournament),
        "missing": Match.objects.filter(round=rounds[-1]).exclude(state=Match.State.DONE).count(),
    }
