"""Another result of a match, typed as at the desk, for standings that are only supposed."""

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError, NotFound
from scoring.standings.records import MatchRecord
from tournaments.core.rounds import with_all
from tournaments.models import Match, Round, Tournament
from tournaments.results.checks import check_for
from tournaments.results.forms.table_text import read_typed
from tournaments.standings.selectors.what_if import record_of


def read_supposed(
    tournament: Tournament, round_number: int, table: int, text: str, after: int | None = None
) -> dict[int, MatchRecord]:
    """The result by match id, as it would be read with the rounds up to `after` (None: all) counted.

    Three queries. Raises NotFound "unknown_table" where no such table is published, DomainError "not_counted" for a
    round that is left out, and what reading and checking a result raise.
    """
    published = Match.objects.filter(
        round__stage__tournament=tournament, round__superseded_at=None, kind=Match.Kind.PLAYED
    ).exclude(round__state=Round.State.PAIRED)
    match = with_all(published.filter(round__number=round_number, table_number=table)).first()
    if match is None:
        said = _("Round %(number)d has no table %(table)d.") % {"number": round_number, "table": table}
        raise NotFound("unknown_table", said)
    if after is not None and round_number > after:
        raise DomainError("not_counted", _("That round isn't counted. Count more rounds, or choose another match."))
    match.round.stage.tournament = tournament
    result = read_typed(match, text)
    check_for(tournament, match, sorted(match.seats.all(), key=lambda seat: seat.order), result)
    return {match.pk: record_of(match, result)}
