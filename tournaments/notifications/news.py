"""What a message is about, looked up when it is sent: by then it may be over, and is not sent."""

from collections.abc import Callable, Mapping
from datetime import datetime

from tournaments.models import Entry, JudgeCall, Match, Seat, Tournament
from tournaments.notifications.services import is_news
from tournaments.notifications.words import (
    Notice,
    notice_for_seat,
    notice_of_conflict,
    notice_of_judge,
    notice_of_place,
)

News = tuple[Notice, Tournament] | None


def find_news(kind: str, about: int, now: datetime) -> News:
    """The notice in the language in force, and its event; None for what is not so any more."""
    return KINDS[kind](about, now)


def _seat(about: int, now: datetime) -> News:
    """Of a round that is news, of an entry that still plays."""
    seats = Seat.objects.select_related("entry", "match__round__stage__tournament")
    seat = seats.filter(pk=about, entry__state=Entry.State.REGISTERED).first()
    if seat is None or not is_news(seat.match.round, now):
        return None
    return notice_for_seat(seat), seat.match.round.stage.tournament


def _result(about: int, now: datetime) -> News:
    matches = Match.objects.filter(state=Match.State.CONFLICT, round__superseded_at=None)
    match = matches.select_related("round__stage__tournament").filter(pk=about).first()
    if match is None:
        return None
    tournament = match.round.stage.tournament
    return notice_of_conflict(tournament, match), tournament


def _call(about: int, now: datetime) -> News:
    calls = JudgeCall.objects.filter(state=JudgeCall.State.CLAIMED).select_related("tournament")
    call = calls.filter(pk=about).first()
    return (notice_of_judge(call.tournament, call.pk), call.tournament) if call is not None else None


def _place(about: int, now: datetime) -> News:
    entries = Entry.objects.filter(state=Entry.State.REGISTERED).select_related("tournament")
    entry = entries.filter(pk=about).first()
    return (notice_of_place(entry.tournament, entry), entry.tournament) if entry is not None else None


KINDS: Mapping[str, Callable[[int, datetime], News]] = {
    "seat": _seat, "result": _result, "call": _call, "place": _place,
}  # fmt: skip
"""By the word that messages carry."""
