"""A match to be decided: locked as it is, its places, and whether it can have a result."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from journal.compiled_queries import compiled_once
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament_of
from tournaments.core.rounds import load_seats
from tournaments.models import Match, Round, Seat, Tournament


def lock_match(match: Match, *round_states: str, even_walkover: bool = False) -> tuple[Tournament, Match]:
    """Lock tournament, round and match; a round not in one of the states is refused (Conflict "round_closed").

    So is what nobody plays (DomainError "not_played"), `even_walkover` aside: a match of a bracket given to one player
    because the other had left.
    """
    tournament = lock_tournament_of(match.round.stage.tournament_id)
    found = next(iter(_locked(match.pk, match.round_id)), None)
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
    if match.kind != Match.Kind.PLAYED and not (even_walkover and match.is_walkover):
        raise DomainError("not_played", _("A bye or a no-show has no result to report."))
    return tournament, match


@compiled_once
def _locked(match_id: int, round_id: int) -> QuerySet[Match]:
    rows = Match.objects.select_for_update(of=("round", "self")).select_related("round__stage")  # locked in this order
    return rows.filter(pk=match_id, round=round_id).order_by("pk")


def seats_in_order(match: Match) -> list[Seat]:
    """The places at a match as results count them, each with its entry; the match knows them from now on."""
    load_seats(match)
    return list(match.seats.all())


def about_match(match: Match) -> dict[str, int | str]:
    """What the log says of a match that an act is about."""
    return {"match": match.pk, "table": match.table_number or 0}


def still_there(match: Match | None) -> Match:
    """A match that is still part of its round; Conflict "pairings_changed" once staff changed its players."""
    if match is None:
        raise Conflict("pairings_changed", _("This table was paired again by hand; look at the tables again."))
    return match


def check_version(match: Match, version: int | None) -> None:
    """Refuse what a person decided on an older match: Conflict "match_changed", naming the report that counts."""
    if version is not None and version != match.version:
        raise Conflict(
            "match_changed",
            _("This match has changed; nothing was saved. Look at it again."),
            version=match.version,
            standing=match.accepted_report_id,
        )
