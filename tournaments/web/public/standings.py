"""Standings for everybody: page by page with their tiebreakers, after earlier rounds too, and as CSV."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict

from accounts.http.downloads import Kind, table_download
from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from scoring.standings.standings import Standing
from tournaments.bundles.selectors import final_head_of
from tournaments.core.parts import FACTS, RANKING, ROUNDS
from tournaments.core.round_names import round_name
from tournaments.entries.selectors.entries import members_by_entry
from tournaments.events.exports import standings_table
from tournaments.models import Match, Round, Tournament
from tournaments.permissions import member_of
from tournaments.standings.selectors.lists import (
    amendments_since,
    entries_by_id,
    entries_called,
    places_taken,
    stage_played_on,
    standings_after,
    still_moving,
    tables_without_scores,
)
from tournaments.standings.selectors.roles import role_neutral
from tournaments.standings.selectors.standings import standing_rows, standings_of
from tournaments.structure.selectors.stages import field_of, next_stage
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.marks import ANYBODY
from tournaments.web.live.page_cache import cached_page, shared_block
from tournaments.web.shared.lookups import wanted_round
from tournaments.web.shared.match_rows import Names, published_rounds
from tournaments.web.shared.standing_lines import (
    columns_of,
    lines_of_standings,
    moved_by,
    role_column,
    shared_ranks,
    with_cut_line,
)
from tournaments.web.shared.standing_words import amendment_sentence, points_sentence, scoring_sentence, stage_called

LINES_A_PAGE = 200
MAX_PAGE = 9999
MAX_WORDS = 120
PARTS = (*RANKING, FACTS, ROUNDS)


@event_view("event.see")
@cached_page(*PARTS)
def standings(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/standings/?page=…&q=…&after=N: ranks after the results so far, or after those of an earlier round.

    `page=mine` is the page with the viewer's own line.
    """
    rounds, member = published_rounds(tournament), member_of(request.actor, tournament)
    round_ = (wanted_round(rounds, request.GET.get("after", "")) or rounds[-1]) if rounds else None
    words = " ".join(request.GET.get("q", "").split())[:MAX_WORDS]
    page = asked_number(request, "page", MAX_PAGE) or 1
    if round_ is not None and member is not None and request.GET.get("page") == "mine":
        page = _page_of(_found(tournament, rounds, round_), member.entry_id) or 1
    head = final_head_of(tournament) if rounds and round_ == rounds[-1] else None
    lines = shared_block(
        request, tournament, "public/parts/standing_lines.html", PARTS, (round_ and round_.pk, words, page, head),
        lambda: _shown(tournament, rounds, round_, words, page) | {"log_head": head} if round_ else {}, member=member,
    )  # fmt: skip
    return render_event(request, tournament, "public/standings.html", {"here": "standings", "lines": lines})


def _shown(tournament: Tournament, rounds: Sequence[Round], round_: Round, words: str, number: int) -> dict[str, Any]:
    is_newest = round_.pk == rounds[-1].pk
    found = _found(tournament, rounds, round_)
    amendments = amendments_since(tournament, round_.number) if is_newest else []
    cut = stage_played_on(tournament)
    page = Paginator(_called(tournament, found, words), LINES_A_PAGE).get_page(number)
    neutral, places = role_neutral(tournament, round_.number), places_taken(tournament, round_.number)
    entries, names = entries_by_id(tournament, [each.contender for each in page.object_list]), Names(tournament)
    lines = lines_of_standings(
        page.object_list, entries, names, tournament.scoring_policy,
        ties=shared_ranks(found), moved=moved_by(still_moving(amendments)), cut=field_of(cut) if cut else (),
        unscored=tables_without_scores(tournament), neutral=neutral, places=places,
    )  # fmt: skip
    is_running = tournament.state == Tournament.State.RUNNING
    following = next_stage(tournament) if is_running and is_newest and not words and page.number == 1 else None
    query = QueryDict(mutable=True)
    query.update(
        {
            key: value
            for key, value in (("after", "" if is_newest else str(round_.number)), ("q", words), ("page", "1"))
            if value
        }
    )
    return {
        "round": round_,
        "is_newest": is_newest,
        "round_names": [(each, round_name(each)) for each in rounds],
        "columns": [*columns_of(tournament.scoring_policy), *([] if neutral is None else [role_column()])],
        "has_places": places is not None,
        "scored_by": scoring_sentence(tournament.scoring_policy),
        "points_of": points_sentence(tournament.scoring_policy),
        "page": page,
        "query": query,
        "anybody": ANYBODY,
        "lines": with_cut_line(lines, following),
        "next_cut": stage_called(following) if following else "",
        "q": words,
        "total": len(found),
        "cut_name": stage_called(cut) if cut else "",
        "missing": Match.objects.filter(round=round_).exclude(state=Match.State.DONE).count(),
        "amendments": [(each, amendment_sentence(each, names)) for each in amendments],
    }


def _found(tournament: Tournament, rounds: Sequence[Round], round_: Round) -> Sequence[Standing]:
    return standings_of(tournament) if round_.pk == rounds[-1].pk else standings_after(tournament, round_.number)


def _called(tournament: Tournament, standings: Sequence[Standing], words: str) -> Sequence[Standing]:
    if not words:
        return standings
    wanted = entries_called(tournament, words)
    return [each for each in standings if each.contender in wanted]


def _page_of(standings: Sequence[Standing], entry: int) -> int | None:
    """On which page of all lines an entry stands; None for whoever has no line."""
    places = (place for place, each in enumerate(standings) if each.contender == entry)
    place = next(places, None)
    return None if place is None else place // LINES_A_PAGE + 1


@event_view("event.see")
def standings_file(request: ActorRequest, tournament: Tournament, kind: Kind) -> HttpResponse:
    """GET …/standings.csv, .xlsx: the same lines for a spreadsheet, percentages as decimals of 1."""
    rows = standing_rows(tournament) if published_rounds(tournament) else []
    table = standings_table(rows, tournament.scoring_policy, members_by_entry(tournament))
    return table_download(f"{tournament.slug}-standings", table, kind)
