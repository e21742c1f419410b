"""Questions about rounds and their matches."""

from collections.abc import Collection, Sequence

from django.db.models import Prefetch, QuerySet

from tournaments.kept_answers import keeps_answers, kept_answer
from tournaments.models import Match, ResultReport, Round, Seat, Tournament


def rounds_of(tournament: Tournament) -> QuerySet[Round]:
    """The rounds that count, first to last; superseded versions are left out."""
    return Round.objects.filter(stage__tournament=tournament, superseded_at=None).order_by("stage__number", "number")


def current_round(tournament: Tournament) -> Round | None:
    """The latest round that counts, published or not."""
    return rounds_of(tournament).last()


def newest_shown_round(tournament: Tournament) -> Round | None:
    """The latest round that everybody may know of."""
    if keeps_answers(tournament):
        return next(reversed(shown_rounds(tournament)), None)
    return rounds_of(tournament).exclude(state=Round.State.PAIRED).last()


@kept_answer
def shown_rounds(tournament: Tournament) -> tuple[Round, ...]:
    """The rounds that everybody may see, first to last, each with its stage."""
    found = tuple(rounds_of(tournament).exclude(state=Round.State.PAIRED).select_related("stage"))
    for round_ in found:
        round_.stage.tournament = tournament
    return found


def open_rounds(tournament: Tournament) -> QuerySet[Round]:
    """The rounds being played, first to last: several where one was paired without results of those before."""
    return rounds_of(tournament).filter(state=Round.State.PUBLISHED)


def rounds_after(round_: Round) -> QuerySet[Round]:
    """The rounds that were paired after a round and count, those of later stages included."""
    later = Round.objects.filter(
        stage__tournament=round_.stage.tournament_id, number__gt=round_.number, superseded_at=None
    )
    return later.order_by("number")


def missing_matches(tournament: Tournament) -> QuerySet[Match]:
    """The matches of all open rounds that are not done, by round and table, each with its round."""
    rounds = open_rounds(tournament).values("pk")
    missing = Match.objects.filter(round__in=rounds).exclude(state=Match.State.DONE)
    return missing.select_related("round").order_by("round__number", "table_number", "id")


def with_all(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches by table, byes last, with seats, entries and reports; a constant number of queries."""
    reports = ResultReport.objects.prefetch_related("seat_results", "acts").select_related("sheet_revision__sheet")
    reports = reports.defer("sheet_revision__content", "sheet_revision__sheet__players")
    return _with_seats(matches).prefetch_related(Prefetch("reports", reports))


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    seats = Prefetch("seats", Seat.objects.select_related("entry"))
    loaded = matches.select_related("round__stage").prefetch_related(seats)
    return loaded.order_by(*(Match._meta.ordering or ()))


def matches_of(round_: Round, ids: Collection[int] | None = None) -> Sequence[Match]:
    """All matches of a round, or those of some ids, loaded as `with_all` says."""
    return list(with_all(round_.matches.all() if ids is None else round_.matches.filter(pk__in=ids)))


def full_match(tournament: Tournament, match_id: int, *, reports: bool = True) -> Match | None:
    """One match of a tournament by id, loaded as `with_all` says, or without its `reports`; None for another's."""
    load = with_all if reports else _with_seats
    found = load(Match.objects.filter(pk=match_id, round__stage__tournament=tournament)).first()
    if found is not None:
        found.round.stage.tournament = tournament
    return found


def own_missing_matches(tournament: Tournament, entry_id: int) -> QuerySet[Match]:
    """The matches of one entry that still have no result, first round first, loaded as `with_all` says."""
    return with_all(missing_matches(tournament).filter(seats__entry=entry_id)).order_by("round__number")


def own_matches(tournament: Tournament, entry_id: int) -> QuerySet[Match]:
    """The matches of one entry in all rounds that everybody may see, first round first, loaded as `with_all` says."""
    shown = rounds_of(tournament).exclude(state=Round.State.PAIRED).values("pk")
    return with_all(Match.objects.filter(round__in=shown, seats__entry=entry_id)).order_by("round__number")


def own_match(round_: Round, entry_id: int) -> Match | None:
    """The match of one entry in a round, loaded as `with_all` says."""
    return with_all(
        Match.objects.filter(pk__in=Seat.objects.filter(round=round_, entry=entry_id).values("match"))
    ).first()
