"""What a player who is paired is told, in the words of a notification and of a mail."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Match, Seat


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification: its title, one line, the page it leads to, and what it takes the place of."""

    title: str
    body: str
    path: str
    tag: str


def notice_for_seat(seat: Seat) -> Notice:
    """What somebody is told about the seat they were given."""
    match, tournament = seat.match, seat.match.round.stage.tournament
    path = reverse("my_match", args=[tournament.slug])
    tag = f"{tournament.stream}:{match.round.number}"
    texts = {"round": match.round.number, "table": match.table_number}
    if match.table_number is None:
        return Notice(_("Round %(round)d: no table") % texts, _unseated(match), path, tag)
    others = " · ".join(_names_of(other) for other in match.seats.order_by("order") if other.pk != seat.pk)
    return Notice(
        _("Table %(table)d, round %(round)d") % texts, _("You play %(names)s.") % {"names": others}, path, tag
    )


def _unseated(match: Match) -> str:
    if match.kind == Match.Kind.BYE:
        return _("You have a bye and need not play.")
    return _("You have no table this round. See your page.")


def _names_of(seat: Seat) -> str:
    return " ".join(seat.entry.name.split())
