"""The tables of a round as lines, of which an event that keeps answers reads again only those that changed."""

from collections.abc import Collection
from copy import copy

from django.db.models import prefetch_related_objects
from django.utils.translation import get_language

from tournaments.core.loaded_rows import without_queries
from tournaments.core.rounds import own_match
from tournaments.kept_answers import keep, keeps_answers, version_of_match
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.room.selectors.clocks import timed_round
from tournaments.web.shared.match_rows import MatchRow, Names, in_order, lines_of


def lines_again(tournament: Tournament, round_: Round, matches: Collection[int]) -> list[MatchRow]:
    """What `lines_of` says, with the same object for a match of which nothing was reported since it was read."""
    if not keeps_answers(tournament):
        return lines_of(round_, Names(tournament), matches)
    known: dict[int, tuple[str, MatchRow]] = keep(tournament, ("lines", round_.pk, get_language()), dict)
    versions = {pk: version_of_match(tournament, pk) for pk in matches}
    changed = [pk for pk, version in versions.items() if pk not in known or known[pk][0] != version]
    if changed:
        found = lines_of(round_, Names(tournament), changed)
        prefetch_related_objects([line.match for line in found], "placements")
        without_queries(line.match for line in found)
        for line in found:
            line.match.round = round_  # as kept: it leads to an event that remembers nobody's roles
            del line.match.explanation  # long, and no list tells it: loaded by who reads it
            known[line.match.pk] = versions[line.match.pk], line
    return in_order(known[pk][1] for pk in matches if pk in known)


def own_match_again(tournament: Tournament, round_: Round, entry: int) -> Match | None:
    """The match of one entry in a round, loaded as `own_match` does; of what is kept, a copy that may be changed."""
    if not keeps_answers(tournament):
        return own_match(round_, entry)
    match = matches_by_entry(tournament, round_).get(entry)
    lines = [] if match is None else lines_again(tournament, round_, [match])
    if not lines:
        return None
    mine = copy(lines[0].match)
    mine.__dict__["_prefetched_objects_cache"] = dict(mine.__dict__["_prefetched_objects_cache"])
    mine.round = copy(mine.round)
    mine.round.stage = copy(mine.round.stage)
    if (timed := timed_round(tournament)) is not None and timed.pk == round_.pk:  # its clocks are there already
        mine.round.__dict__["_prefetched_objects_cache"] = {"clocks": timed.clocks.all()}
    return mine


def matches_by_entry(tournament: Tournament, round_: Round) -> dict[int, int]:
    """The match in which each entry sits in a round, by ids; kept, for no result changes it."""

    def made() -> dict[int, int]:
        return dict(Seat.objects.filter(round=round_).order_by().values_list("entry_id", "match_id"))

    return keep(tournament, ("matches", round_.pk), made)
