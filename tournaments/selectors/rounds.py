"""Questions about rounds and their matches."""

from collections.abc import Sequence

from django.db.models import F, Prefetch, QuerySet

from tournaments.models import Match, ResultReport, Round, Seat, Tournament


def rounds_of(tournament: Tournament) -> QuerySet[Round]:
    """The rounds that count, first to last; superseded versions are left out."""
    return Round.objects.filter(stage__tournament=tournament, superseded_at=None).order_by("stage__number", "number")


def current_round(tournament: Tournament) -> Round | None:
    """The latest round that counts, published or not."""
    return rounds_of(tournament).last()


def matches_of(round_: Round) -> Sequence[Match]:
    """The matches of a round by table, byes last, with seats, entries and reports; a constant number of queries."""
    reports = ResultReport.objects.prefetch_related("seat_results", "acts")
    return list(
        round_.matches.select_related("round__stage")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("entry")),
            Prefetch("reports", reports),
        )
        .order_by(F("table_number").asc(nulls_last=True), "id")
    )


def full_match(tournament: Tournament, match_id: int) -> Match | None:
    """One match of a tournament by id with all that `matches_of` loads; None for another tournament's."""
    found = Match.objects.filter(pk=match_id, round__stage__tournament=tournament).select_related("round").first()
    return next((match for match in matches_of(found.round) if match.pk == match_id), None) if found else None


def own_match(round_: Round, entry_id: int) -> Match | None:
    """The match of one entry in a round."""
    found = Match.objects.filter(round=round_, seats__entry_id=entry_id).first()
    return next((match for match in matches_of(round_) if match.pk == found.pk), None) if found else None
