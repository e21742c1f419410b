"""A match to be decided: locked as it is, its places, and whether it can have a result."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine.errors import Conflict, DomainError
from rules_engine.systems import get_system
from scoring.results import MatchResult, check_game_facts, check_result
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.selectors.penalties import penalties_at
from tournaments.services.acts import lock_tournament_of


def lock_match(match: Match, *round_states: str) -> tuple[Tournament, Match]:
    """Lock tournament, round and match; a round not in one of the states is refused (Conflict "round_closed")."""
    tournament = lock_tournament_of(match.round.stage.tournament_id)
    rows = Match.objects.select_for_update(of=("round", "self")).select_related("round__stage")  # locked in this order
    found = rows.filter(pk=match.pk, round=match.round_id).order_by("pk").first()
    round_ = Round.objects.get(pk=match.round_id) if found is None else found.round
    round_.stage.tournament = tournament
    if (
        tournament.state != Tournament.State.RUNNING
        or round_.superseded_at is not None
        or round_.state not in round_states
    ):
        raise Conflict(
            "round_closed",
            _("Round %(number)d is not open for results.") % {"number": round_.number},
            round=round_.number,
        )
    match = still_there(found)
    if match.kind != Match.Kind.PLAYED:
        raise DomainError("not_played", _("A bye or a no-show has no result to report."))
    return tournament, match


def seats_in_order(match: Match) -> list[Seat]:
    """The places at a match as results count them."""
    return list(match.seats.order_by("order"))


def still_there(match: Match | None) -> Match:
    """A match that is still part of its round; Conflict "pairings_changed" once staff changed its players."""
    if match is None:
        raise Conflict("pairings_changed", _("This table was paired anew by hand; look at the tables again."))
    return match


def check_version(match: Match, version: int | None) -> None:
    """Refuse what somebody decided on an older match: Conflict "match_changed", naming the report that counts."""
    if version is not None and version != match.version:
        raise Conflict(
            "match_changed",
            _("Something happened at this match meanwhile; nothing was stored. Look at it again."),
            version=match.version,
            standing=match.standing_report_id,
        )


def check_for(
    tournament: Tournament, match: Match, seats: Sequence[Seat], result: MatchResult, *, by_sheet: bool = False
) -> None:
    """Refuse a result this match cannot have (`scoring.results.check_result`, `check_game_facts`).

    `by_sheet`: a tally says who won, whatever the scores are.
    """
    stage, penalties = match.round.stage, penalties_at(match, seats)
    try:
        check_result(
            result,
            len(seats),
            stage.match_length,
            as_recorded=tournament.scores_as_recorded,
            needs_winner=stage.needs_winner,
            scores_rank=not by_sheet,
            game_losses=penalties.game_losses,
            match_losses=penalties.match_losses,
        )
    except DomainError as error:
        raise _naming_the_player(error, seats) from error
    facts = get_system(tournament.game).match
    check_game_facts(result.games, facts.win_kinds, tuple(facts.role_labels))


def _naming_the_player(error: DomainError, seats: Sequence[Seat]) -> DomainError:
    """A refusal because of a penalty, told of the player and not of a seat."""
    if error.code != "penalty_missing":
        return error
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
