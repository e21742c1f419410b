"""Questions about teams: entries of several members who share one seat and one total."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from tournaments.kept_answers import kept_answer
from tournaments.models import Entry, EntryMember, Tournament

TEAMS = ("mode", "teams")
"""What an event agrees on whose entries are teams (`scoring.games`)."""


def plays_in_teams(tournament: Tournament) -> bool:
    """Whether the entries of an event are teams of several members."""
    return bool(tournament.sheet_options.get(TEAMS[0]) == TEAMS[1])


@kept_answer
def members_by_entry(tournament: Tournament) -> Mapping[int, tuple[str, ...]]:
    """The names of the members of every team by its id, in their order; empty where nobody plays in teams."""
    if not plays_in_teams(tournament):
        return {}
    found: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
    for member in EntryMember.objects.filter(tournament=tournament).select_related("person").order_by("order"):
        found[member.entry_id] += (member.person.name,)
    return {entry: names for entry, names in found.items() if len(names) > 1}


def around_the_table(tournament: Tournament, teams: Sequence[Entry]) -> list[tuple[str, Entry]]:
    """The people of the teams at a table as they sit, in turn order, each with the team; [] where none plays there.

    The first member of every team, then the second of every one: so mates sit opposite each other.
    """
    members = members_by_entry(tournament)
    if not any(team.pk in members for team in teams):
        return []
    rows: Iterable[tuple[str | None, ...]] = zip_longest(*(members.get(team.pk, (team.name,)) for team in teams))
    return [(name, team) for row in rows for name, team in zip(row, teams, strict=True) if name is not None]
