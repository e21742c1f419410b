"""A result slip that is scanned at the desk: the table it stands for, or why it is not one of the round shown."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from rules_engine.errors import BadInput
from tournaments.core.round_names import round_name
from tournaments.models import Match, Round, Tournament
from tournaments.room.slips import grouped, read_slip, slip_code


@dataclass(frozen=True, slots=True)
class Slip:
    """Where a slip leads: a `table` of the round shown, or a `notice` with the address of its own match, if any."""

    table: int | None = None
    notice: str = ""
    url: str = ""


def slip_path(match: Match, tournament: Tournament) -> str:
    """The address in the QR code of a match's slip: any camera opens the desk at its table."""
    return f"{reverse('desk', args=[tournament.slug])}?slip={slip_code(match.pk)}"


def slip_at(tournament: Tournament, shown: Round | None, code: str) -> Slip:
    """What a code means at the desk of the round `shown`. Slips of other events tell nothing about them."""
    code = code[:40]
    try:
        match_id = read_slip(code)
    except BadInput:
        text = _("“%(code)s” isn't a slip code. Scan again or type the table.")
        return Slip(notice=text % {"code": grouped(code)})
    rounds = Match.objects.select_related("round__stage").filter(round__stage__tournament=tournament)
    match = rounds.exclude(round__state=Round.State.PAIRED).filter(pk=match_id).first()
    if match is None:
        return Slip(notice=_("Not saved: this slip is from another event or an old pairing."))
    if shown is not None and match.round_id == shown.pk and match.table_number is not None:
        return Slip(table=match.table_number)
    return Slip(notice=_notice(match), url=reverse("match", args=[tournament.slug, match.pk]))


def _notice(match: Match) -> str:
    if match.round.superseded_at is not None:
        text = _("Not saved: this slip is from an old pairing of round %(number)s.")
    else:
        text = _("Not saved: this slip is for table %(table)s, %(round)s.")
    words = {"number": match.round.number, "table": match.table_number, "round": round_name(match.round)}
    return text % words
