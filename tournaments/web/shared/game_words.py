"""The single games of a match: how they are asked for, and a report's in words."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.game import MatchFacts
from rules_engine.systems import get_system
from scoring.standings.results import GAME_LOSS
from tournaments.models import Match, ResultReport, Tournament
from tournaments.results.forms.games import GamesOffered
from tournaments.web.shared.match_rows import Names, seats_of


def games_offered(tournament: Tournament, match: Match) -> GamesOffered:
    """How a match of this event is reported game by game."""
    facts = get_system(tournament.game).match
    return GamesOffered(facts, match.round.stage.match_length, tournament.deciding_game)


def goes_first(tournament: Tournament, match: Match, names: Names, place: int) -> str:
    """Who goes first, for the player at `place`, with the role where roles are unequal; "" where that is open."""
    first = names.first(match)
    if first is None:
        return ""
    called = names(seats_of(match)[first].entry)
    said = _("You go first") if first == place else _("%(name)s goes first") % {"name": called}
    roles = list(get_system(tournament.game).match.role_labels.values())
    return f"{said} ({_(roles[0])})" if roles else said


def describe_games(tournament: Tournament, report: ResultReport, names: Sequence[str]) -> list[str]:
    """A line for each game that the report tells, in order; none where it gives the score alone."""
    facts = get_system(tournament.game).match
    return [_describe_game(game, names, facts) for game in report.games]


def _describe_game(game: dict[str, Any], names: Sequence[str], facts: MatchFacts) -> str:
    labels = {key: _(label) for key, label in facts.win_kind_labels.items()} | {GAME_LOSS: _("game loss (penalty)")}
    winner = game["winner"]
    said = _("drawn or unfinished") if winner is None else _("%(name)s wins") % {"name": names[winner]}
    how = labels.get(game.get("win_kind", ""), "") if game.get("win_kind") != "unknown" else ""
    return " · ".join(part for part in (said, how, _roles(game.get("roles") or (), names, facts)) if part)


def _roles(roles: Sequence[str], names: Sequence[str], facts: MatchFacts) -> str:
    """Who held the first of the roles: the other one follows."""
    if not roles or not facts.role_labels:
        return ""
    first, label = next(iter(facts.role_labels.items()))
    if first not in roles:
        return ""
    return _("%(role)s: %(name)s") % {"role": _(label), "name": names[list(roles).index(first)]}
