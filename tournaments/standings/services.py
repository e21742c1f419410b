"""Amendments: which lines of standings already shown a correction, a drop or a penalty moved, kept for ever."""

from datetime import datetime

from tournaments.core.rounds import rounds_of
from tournaments.models import Amendment, Entry, ResultReport, Round, Tournament
from tournaments.standings.selectors.moved import moved_lines
from tournaments.standings.selectors.standings import StandingsGiven, standings_given

Kind = Amendment.Kind


def given_if_shown(tournament: Tournament) -> StandingsGiven | None:
    """What the standings depend on before an act, None while nobody was shown any: ask under the tournament's lock."""
    return standings_given(tournament) if _last_shown(tournament) is not None else None


def record_amendment(
    tournament: Tournament,
    kind: Kind,
    before: StandingsGiven | None,
    now: datetime,
    *,
    report: ResultReport | None = None,
    entry: Entry | None = None,
    reason: str = "",
) -> Amendment | None:
    """Keep which lines an act moved, in its own transaction, after it; None where it moved none, or none were shown.

    `before` is what `given_if_shown` answered before the act. Players see the reason. Two computations of standings.
    """
    shown = _last_shown(tournament)
    if before is None or shown is None:
        return None
    lines = moved_lines(before, standings_given(tournament))
    if not lines:
        return None
    return Amendment.objects.create(
        tournament=tournament, kind=kind, report=report, entry=entry, after_round=shown, reason=reason,
        lines=[each.as_list() for each in lines], made_at=now,
    )  # fmt: skip


def _last_shown(tournament: Tournament) -> int | None:
    """The number of the latest round that everybody sees."""
    shown = rounds_of(tournament).exclude(state=Round.State.PAIRED)
    return shown.order_by("-number").values_list("number", flat=True).first()
