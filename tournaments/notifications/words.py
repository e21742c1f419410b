"""Notifications of players, one sentence for each situation: on an open page, in a notification and in a mail."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.models import Entry, EntryMember, Match, Seat, Tournament


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification: its title, one line, the page it leads to, and what it takes the place of."""

    title: str
    body: str
    path: str
    tag: str


def notice_for_seat(seat: Seat) -> Notice:
    """The notification of the seat a person was given."""
    match, tournament = seat.match, seat.match.round.stage.tournament
    path = reverse("my_match", args=[tournament.slug])
    tag = f"{tournament.stream}:{match.round.number}"
    texts = {"round": match.round.number, "table": match.table_number}
    if match.table_number is None:
        return Notice(_("Round %(round)d: no table") % texts, _unseated(match), path, tag)
    seats = sorted(match.seats.all(), key=lambda each: each.order)  # a page has loaded them
    others = " · ".join(_names_of(other) for other in seats if other.pk != seat.pk)
    return Notice(
        _("Table %(table)d, round %(round)d") % texts, _("You play %(names)s.") % {"names": others}, path, tag
    )


def notice_of_conflict(tournament: Tournament, match: Match) -> Notice:
    """The notification of those at a table when their reports differ, or one of them was disputed."""
    body = _("Stay at the table: a judge or the desk decides.")
    return _own(tournament, _("Your result is disputed"), body, f"result:{match.pk}")


def notice_of_judge(tournament: Tournament, call_id: int) -> Notice:
    """The notification of those at a table when a judge goes there."""
    body = _("Stop and leave the cards as they are.")
    return _own(tournament, _("A judge is on the way"), body, f"call:{call_id}")


def notice_of_place(tournament: Tournament, entry: Entry) -> Notice:
    """The notification of a person who moved up from the waiting list."""
    body = _("You moved up from the waiting list.")
    return _own(tournament, _("You have a place"), body, f"place:{entry.number}")


def notice_of_deck(tournament: Tournament, member: EntryMember) -> Notice:
    """The notification of a person whose deck is not legal at an event, or will not be; not what is wrong with it."""
    tag = f"{tournament.stream}:deck:{member.deck_version_id}"
    path = reverse("my_deck", args=[tournament.slug])
    return Notice(_("Your deck is no longer legal"), _("See what to change."), path, tag)


def _own(tournament: Tournament, title: str, body: str, tag: str) -> Notice:
    return Notice(title, body, reverse("my_match", args=[tournament.slug]), f"{tournament.stream}:{tag}")


def _unseated(match: Match) -> str:
    if match.kind == Match.Kind.BYE:
        return _("You have a bye and need not play.")
    return _("You have no table this round. See your page.")


def _names_of(seat: Seat) -> str:
    return " ".join(seat.entry.name.split())


def words_of_link_mail(tournament: Tournament, name: str, address: str) -> tuple[str, str]:
    """Subject and text of the mail that brings a player's personal link."""
    start = timezone.localtime(tournament.starts_at, ZoneInfo(tournament.time_zone))
    when = f"{date_format(start, 'l, j F Y, H:i')} ({tournament.time_zone})"
    lines = [
        _("Hello %(name)s, you play in “%(event)s”.") % {"name": name, "event": tournament.name},
        _("When: %(when)s") % {"when": when},
        *([_("Where: %(place)s") % {"place": tournament.place}] if tournament.place else ()),
        "",
        _("Your personal link shows your table, takes your deck and reports your results:"),
        address,
        "",
        _("It acts as you: keep it to yourself. Older links of yours for this event have ended."),
        _("The organisers of the event sent it. If you don't play there, do nothing."),
    ]
    return " ".join((_("Your link for “%(event)s”") % {"event": tournament.name}).split()), "\n".join(lines)
