"""The times to expect of a round, in words."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.round_names import round_name
from tournaments.forecast.timetable import Moments, Timetable, timetable_of
from tournaments.models import Tournament
from tournaments.web.shared.clock import time_of_day
from tournaments.web.shared.stage_words import next_round_words


@dataclass(frozen=True, slots=True)
class TimetableWords:
    """What a page says: lines of what, about when, and the range; which tables decide the end of the round; and whether
    the event is over before the hall closes, with the look of a state: "done", "wait" or "wrong".
    """

    lines: list[tuple[str, str, str]]
    tables: str
    hall: str = ""
    hall_state: str = ""


def timetable_words(tournament: Tournament, now: datetime) -> TimetableWords | None:
    """The times to expect; None while no table plays."""
    found = timetable_of(tournament, now)
    if found is None:
        return None
    times = [
        (_("%(round)s ends") % {"round": round_name(found.round)}, found.end),
        (
            capfirst(_("%(round)s starts") % {"round": next_round_words(tournament, found.round.number + 1)}),
            found.next_start,
        ),
        (_("The event ends"), found.event_end if found.next_start and _is_today(tournament, found, now) else None),
    ]
    lines = [(name, *_about(tournament, moments)) for name, moments in times if moments is not None]
    return TimetableWords(lines, _tables(found.held_up_by), *_hall(tournament, found.event_end))


def _hall(tournament: Tournament, end: Moments | None) -> tuple[str, str]:
    closes = tournament.hall_closes_at
    if closes is None or end is None:
        return "", ""
    if end.high <= closes:
        text, state = _("The hall closes at %(time)s: the event is over by then."), "done"
    elif end.low <= closes:
        text, state = _("The hall closes at %(time)s: the event may take longer."), "wait"
    else:
        text, state = _("The hall closes at %(time)s: the event takes longer."), "wrong"
    return text % {"time": time_of_day(tournament, closes)}, state


def _is_today(tournament: Tournament, found: Timetable, now: datetime) -> bool:
    """Whether the whole range of the event's end is on this day: days are planned by people, not by this."""
    zone = ZoneInfo(tournament.time_zone)
    return found.event_end is not None and found.event_end.high.astimezone(zone).date() == now.astimezone(zone).date()


def _about(tournament: Tournament, moments: Moments) -> tuple[str, str]:
    low, middle, high = (time_of_day(tournament, each) for each in (moments.low, moments.median, moments.high))
    between = _("between %(low)s and %(high)s") % {"low": low, "high": high} if low != high else ""
    return _("about %(time)s") % {"time": middle}, between


def _tables(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return ""
    words = ngettext(
        "Table %(tables)s decides when the round ends.", "Tables %(tables)s decide when the round ends.", len(numbers)
    )
    return words % {"tables": ", ".join(map(str, numbers))}
