"""Whether a match can have a result: what its stage, the game and penalties say."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from scoring.standings.result_checks import check_game_facts, check_result
from scoring.standings.results import MatchResult
from tournaments.models import Match, Seat, Tournament
from tournaments.penalties.selectors import penalties_at


def check_for(
    tournament: Tournament, match: Match, seats: Sequence[Seat], result: MatchResult, *, scores_rank: bool = True
) -> None:
    """Refuse a result this match cannot have (`scoring.standings.results.check_result`, `check_game_facts`).

    Without `scores_rank` places follow from something else: the tally of a sheet, a penalty.
    """
    stage, penalties = match.round.stage, penalties_at(match, seats)
    try:
        check_result(
            result,
            len(seats),
            stage.match_length,
            as_recorded=tournament.scores_as_recorded,
            needs_winner=stage.needs_winner,
            scores_rank=scores_rank,
            game_losses=penalties.game_losses,
            match_losses=penalties.match_losses,
        )
        facts = get_system(tournament.game).match
        check_game_facts(result.games, facts.win_kinds, tuple(facts.role_labels))
    except DomainError as error:
        raise _in_words(error, seats) from error


def is_possible(tournament: Tournament, match: Match, seats: Sequence[Seat], result: MatchResult) -> bool:
    """Whether a result would pass `check_for`, for pages that offer it; they know the match's penalties."""
    try:
        check_for(tournament, match, seats, result)
    except DomainError:
        return False
    return True


def _in_words(error: DomainError, seats: Sequence[Seat]) -> DomainError:
    """A refusal in the reader's language; one because of a penalty names the player and not a seat."""
    if error.code != "penalty_missing":
        return DomainError(error.code, worded(error.wording), **error.details)
    facts: dict[str, Any] = error.details
    name, losses = seats[facts["seat"]].entry.name, facts.get("losses", 0)
    if not losses:
        text = _("%(name)s has a penalty and loses this match: the result must say so.") % {"name": name}
    else:
        text = ngettext(
            "%(name)s has a game loss: at least one game counts as won by the other side.",
            "%(name)s has game losses: at least %(count)d games count as won by the other side.",
            losses,
        ) % {"name": name, "count": losses}
    return DomainError(error.code, text)
