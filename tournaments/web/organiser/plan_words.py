"""What a plan comes to, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournaments.forecast.planning import Count, Record, Share
from tournaments.forecast.plans import PlanLine
from tournaments.models import Tournament
from tournaments.web.shared.clock import time_of_day

ONE_LOSS, ONE_LOSS_ONE_DRAW = Record(1, 0), Record(1, 1)


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A plan: rounds and cut, players without a loss, the chances of X–1 and X–1–1, the end, and the marks it has."""

    rounds: int
    cut: int
    without_loss: str
    one_loss: str
    one_loss_one_draw: str
    end: str
    hall_state: str
    is_asked: bool
    is_recommended: bool


def plan_row(tournament: Tournament, line: PlanLine, *, is_asked: bool) -> PlanRow:
    """The row of one plan."""
    shares, closes = line.outcome.makes_cut, tournament.hall_closes_at
    late = "" if closes is None or line.end.high <= closes else "wait" if line.end.low <= closes else "wrong"
    between = {"low": time_of_day(tournament, line.end.low), "high": time_of_day(tournament, line.end.high)}
    return PlanRow(
        line.plan.rounds,
        line.plan.cut,
        count_words(line.outcome.without_loss),
        share_words(shares.get(ONE_LOSS)),
        share_words(shares.get(ONE_LOSS_ONE_DRAW)),
        _("%(low)s to %(high)s") % between,
        late,
        is_asked,
        line.is_recommended,
    )


def recommended_because(tournament: Tournament, lines: Iterable[PlanLine]) -> str:
    """Why the structure is recommended, by its numbers; "" where it is not among the lines."""
    line = next((each for each in lines if each.is_recommended), None)
    if line is None:
        return ""
    values = {
        "rounds": line.plan.rounds, "players": line.plan.players, "cut": line.plan.cut,
        "unbeaten": number_format(line.outcome.without_loss.mean, 1),
        "share": share_words(line.outcome.makes_cut.get(ONE_LOSS)),
        "end": time_of_day(tournament, line.end.median),
    }  # fmt: skip
    if line.plan.cut:
        text = _(
            "%(rounds)s rounds and a top %(cut)s are recommended for %(players)s players: %(unbeaten)s players are "
            "left without a loss on average, X–1 makes the cut in %(share)s, and the event ends about %(end)s."
        )
    else:
        text = _(
            "%(rounds)s rounds are recommended for %(players)s players: %(unbeaten)s players are left without a loss "
            "on average, and the event ends about %(end)s."
        )
    return text % values


def count_words(count: Count) -> str:
    """An average with the range of four runs in five."""
    values = {"mean": number_format(count.mean, 1), "low": count.low, "high": count.high}
    return _("%(mean)s (%(low)s to %(high)s)") % values


def share_words(share: Share | None) -> str:
    """A share in per cent with its error; a dash where no run had such a player."""
    if share is None:
        return "–"
    return f"{round(100 * share.value)}\u00a0%\u00a0±\u00a0{max(1, round(100 * share.error))}"
