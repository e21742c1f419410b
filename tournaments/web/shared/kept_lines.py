"""The tables of a round as lines: an event that keeps answers reads and renders again only those that changed."""

from collections.abc import Callable, Collection, Hashable, Iterable
from copy import copy
from typing import Any

from django.template.loader import get_template
from django.utils.translation import get_language

from tournaments.core.loaded_rows import load_rows
from tournaments.core.rounds import own_match
from tournaments.kept_answers import keep, keeps_answers, version_of_match
from tournaments.models import DeckPlacement, Match, Round, Seat, Tournament
from tournaments.room.selectors.clocks import timed_round
from tournaments.web.shared.match_rows import MatchRow, Names, in_order, lines_of


def lines_again(tournament: Tournament, round_: Round, matches: Collection[int] | None = None) -> list[MatchRow]:
    """What `lines_of` says, with the same object for a match of which nothing was reported since it was read."""
    if not keeps_answers(tournament):
        return lines_of(round_, Names(tournament), matches)
    matches = set(matches_by_entry(tournament, round_).values()) if matches is None else matches
    known: dict[int, tuple[str, MatchRow]] = keep(tournament, ("lines", round_.pk, get_language()), dict)
    versions = {pk: version_of_match(tournament, pk) for pk in matches}
    changed = [pk for pk, version in versions.items() if pk not in known or known[pk][0] != version]
    if changed:
        found = lines_of(round_, Names(tournament), changed)
        load_rows([line.match for line in found], "placements", DeckPlacement.objects.all())
        for line in found:
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


def texts_again(
    tournament: Tournament,
    template: str,
    of: Hashable,
    shown: Iterable[tuple[int, Hashable, Callable[[], dict[str, Any]]]],
) -> list[str]:
    """Each context of `shown` as text; rendered again where it has another version than last time under its key.

    `of` what they are, apart from the language: the keys are unique there.
    """
    kept: dict[int, tuple[Hashable, str]] = keep(tournament, (template, of, get_language()), dict)
    render, texts = get_template(template).render, []
    for key, version, context in shown:
        known = kept.get(key)
        if known is None or known[0] != version:
            known = kept[key] = version, render(context())
        texts.append(known[1])
    return texts


def matches_by_entry(tournament: Tournament, round_: Round) -> dict[int, int]:
    """The match in which each entry sits in a round, by ids; kept, for no result changes it."""

    def made() -> dict[int, int]:
        return dict(Seat.objects.filter(round=round_).order_by().values_list("entry_id", "match_id"))

    return keep(tournament, ("matches", round_.pk), made)
