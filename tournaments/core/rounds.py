"""Questions about rounds and their matches."""

from collections.abc import Collection, Sequence

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects

from journal.compiled_queries import compiled_once
from tournaments.core.loaded_rows import load_rows
from tournaments.kept_answers import keeps_answers, kept_answer
from tournaments.models import Match, ReportAct, ResultReport, Round, Seat, SeatResult, Tournament


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


def is_played(round_: Round) -> bool:
    """Whether a table of a round has no result yet."""
    return round_.matches.exclude(state=Match.State.DONE).exists()


def rounds_after(round_: Round) -> QuerySet[Round]:
    """The rounds that were paired after a round and count, those of later stages included."""
    later = Round.objects.filter(
        stage__tournament=round_.stage.tournament_id, number__gt=round_.number, superseded_at=None
    )
    return later.order_by("number")


def has_results(round_: Round) -> bool:
    """Whether a match of a round was reported or decided since it was published; one query.

    What publishing stored by itself, the losses of those disqualified since the pairing, came in from nobody.
    """
    if round_.published_at is None:
        return False
    given_away = (ResultReport.Kind.MATCH_LOSS, ResultReport.Kind.DOUBLE_LOSS)
    by_people = Q(match__kind=Match.Kind.PLAYED) | Q(corrects__isnull=False)
    reports = ResultReport.objects.filter(by_people, match__round=round_)
    return reports.exclude(number=1, kind__in=given_away, reported_at=round_.published_at).exists()


def missing_matches(tournament: Tournament) -> QuerySet[Match]:
    """The matches of all open rounds that are not done, by round and table, each with its round."""
    rounds = open_rounds(tournament).values("pk")
    missing = Match.objects.filter(round__in=rounds).exclude(state=Match.State.DONE)
    return missing.select_related("round").order_by("round__number", "table_number", "id")


def with_all(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches by table, byes last, with seats, entries and reports; a constant number of queries."""
    loaded = matches.select_related("round__stage").prefetch_related(
        Prefetch("seats", _all_seats()), Prefetch("reports", _all_reports().prefetch_related("seat_results", "acts"))
    )
    return loaded.order_by(*(Match._meta.ordering or ()))


def _all_seats() -> QuerySet[Seat]:
    return Seat.objects.select_related("entry")


def _all_reports() -> QuerySet[ResultReport]:
    reports = ResultReport.objects.select_related("sheet_revision__sheet")
    return reports.defer("sheet_revision__content", "sheet_revision__sheet__players")


def matches_of(round_: Round, ids: Collection[int] | None = None, *, but: Collection[str] = ()) -> Sequence[Match]:
    """All matches of a round, or those of some ids, with what `with_all` loads; each leads back to this round.

    `but`: long fields that nobody will ask for.
    """
    prefetch_related_objects([round_], "stage")
    found = list((round_.matches.all() if ids is None else round_.matches.filter(pk__in=ids)).defer(*but))
    load_rows(found, "seats", _all_seats())
    reports = load_rows(found, "reports", _all_reports())
    load_rows(reports, "seat_results", SeatResult.objects.all())
    load_rows(reports, "acts", ReportAct.objects.all())
    return found


def full_match(tournament: Tournament, match_id: int) -> Match | None:
    """One match of a tournament by id, loaded as `with_all` says; None for another's."""
    found = with_all(Match.objects.filter(pk=match_id, round__stage__tournament=tournament)).first()
    if found is not None:
        found.round.stage.tournament = tournament
    return found


def match_with_seats(tournament: Tournament, match_id: int) -> Match | None:
    """The same with its seats and entries alone, without its reports."""
    found = next(iter(_match_of(match_id, tournament.pk)), None)
    if found is not None:
        found.round.stage.tournament = tournament
        load_seats(found)
    return found


@compiled_once
def _match_of(match_id: int, tournament_id: int) -> QuerySet[Match]:
    found = Match.objects.filter(pk=match_id, round__stage__tournament=tournament_id)
    return found.select_related("round__stage").order_by("pk")


def load_seats(match: Match) -> None:
    """Load the seats of a match, each with its entry, as a prefetch leaves them; also where they were loaded before."""
    prefetched = match.__dict__.setdefault("_prefetched_objects_cache", {})
    prefetched.pop("seats", None)
    seats = match.seats.all()
    seats._result_cache = _seats_of(match.pk)
    for seat in seats:
        seat.match = match
    prefetched["seats"] = seats


@compiled_once
def _seats_of(match_id: int) -> QuerySet[Seat]:
    return Seat.objects.select_related("entry").filter(match=match_id).order_by("order")


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
