"""What a plan comes to, in words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

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


@dataclass(frozen=True, slots=True)
class Ends:
    """How the end of an event is said: a moment as `text`, the range of a line, and whether it is late."""

    text: Callable[[datetime], str]
    closes_at: datetime | None = None
    is_time: bool = True

    def between(self, line: PlanLine) -> str:
        """The range in which four events of five end."""
        return _("%(low)s to %(high)s") % {"low": self.text(line.end.low), "high": self.text(line.end.high)}

    def hall_state(self, line: PlanLine) -> str:
        """ "wait" where the event may, "wrong" where it most likely does not end before the hall closes; else ""."""
        if self.closes_at is None or line.end.high <= self.closes_at:
            return ""
        return "wait" if line.end.low <= self.closes_at else "wrong"


def ends_of_event(tournament: Tournament) -> Ends:
    """As times of day at the event."""
    return Ends(lambda moment: time_of_day(tournament, moment), tournament.hall_closes_at)


def hours_after_start(start: datetime) -> Ends:
    """As hours and minutes after a start that is not known yet."""

    def text(moment: datetime) -> str:
        hours, minutes = divmod(round((moment - start).total_seconds() / 60), 60)
        return f"{hours}:{minutes:02}"

    return Ends(text, is_time=False)


def plan_row(line: PlanLine, ends: Ends, *, is_asked: bool) -> PlanRow:
    shares = line.outcome.makes_cut
    return PlanRow(
        line.plan.rounds,
        line.plan.cut,
        count_words(line.outcome.without_loss),
        share_words(shares.get(ONE_LOSS)),
        share_words(shares.get(ONE_LOSS_ONE_DRAW)),
        ends.between(line),
        ends.hall_state(line),
        is_asked,
        line.is_recommended,
    )


def recommended_because(lines: Iterable[PlanLine], ends: Ends) -> str:
    """Why the structure is recommended, by its numbers; "" where it is not among the lines."""
    line = next((each for each in lines if each.is_recommended), None)
    if line is None:
        return ""
    values = {
        "rounds": line.plan.rounds, "players": line.plan.players, "cut": line.plan.cut,
        "unbeaten": number_format(line.outcome.without_loss.mean, 1),
        "share": share_words(line.outcome.makes_cut.get(ONE_LOSS)),
        "end": ends.text(line.end.median),
    }  # fmt: skip
    if line.plan.cut:
        text = _(
            "%(rounds)s rounds and a top %(cut)s are recommended for %(players)s players: %(unbeaten)s players are "
            "left without a loss on average, and X–1 makes the cut in %(share)s."
        )
    else:
        text = _(
            "%(rounds)s rounds are recommended for %(players)s players: %(unbeaten)s players are left without a loss "
            "on average."
        )
    end = _("The event ends about %(end)s.") if ends.is_time else _("The event takes about %(end)s hours.")
    return f"{text % values} {end % values}"


def count_words(count: Count) -> str:
    """An average with the range of four runs in five."""
    values = {"mean": number_format(count.mean, 1), "low": count.low, "high": count.high}
    return _("%(mean)s (%(low)s to %(high)s)") % values


def share_words(share: Share | None) -> str:
    """A share in per cent with its error; a dash where no run had such a player."""
    if share is None:
        return "–"
    return f"{round(100 * share.value)}\u00a0%\u00a0±\u00a0{max(1, round(100 * share.error))}"
