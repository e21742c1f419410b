"""Score sheets of matches opened and written on."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound
from scoring.models import ScoreSheet, SheetPart
from scoring.sheets.selectors import ABSENT
from scoring.sheets.services import PartChange, change_part, open_sheet, save_part
from tournaments.core.ledger import expect_changeable, log_act
from tournaments.core.matches import about_match, lock_match, seats_in_order, still_there
from tournaments.models import Match, MatchSheet, Round, Seat
from tournaments.permissions import check_issuer
from tournaments.sheets.selectors.sheets import (
    TABLE,
    needed_sheet,
    players_on_sheet,
    tally_options,
    uses_sheets,
    writable_places,
)


@in_transaction
def open_match_sheet(actor: Actor, match: Match, now: datetime) -> ScoreSheet:
    """The score sheet of a match, made when the first one at the table opens it.

    Raises DomainError "no_sheets" where the event has none, Conflict "round_closed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    check_issuer(actor, match)
    held = MatchSheet.objects.filter(match=match).select_related("sheet").first()
    if held is not None:
        return held.sheet
    if not uses_sheets(tournament):
        raise DomainError("no_sheets", _("This event has no score sheets."))
    players = players_on_sheet(tournament, seats_in_order(match))
    options = tally_options(tournament, match.round.stage)
    sheet = open_sheet(actor, tournament.game, players, options, now, tournament.stream)
    MatchSheet.objects.create(match=match, sheet=sheet)
    return sheet


@in_transaction
def save_match_part(
    actor: Actor,
    match: Match,
    place: int,
    content: Mapping[str, Any],
    version: int,
    now: datetime,
    *,
    seat: Seat | None = None,
) -> SheetPart:
    """Store what was typed for a place (0 the table); `seat` is the writer's own, None for staff.

    Raises NotAllowed "not_your_part", Conflict "part_changed", "counted", and "pairings_changed" once staff changed who
    sits at the table.
    """
    held = _held(match)
    check_writable(match, held.sheet, actor, seat, place)
    return save_part(actor, held.sheet, place, content, version, now)


@in_transaction
def change_match_part(
    actor: Actor, match: Match, place: int, change: PartChange, now: datetime, *, seat: Seat | None = None
) -> SheetPart:
    """Store what `change` makes of a place's content as it lies; raises as `save_match_part`."""
    held = _held(match)
    check_writable(match, held.sheet, actor, seat, place)
    return change_part(actor, held.sheet, place, change, now)


@in_transaction
def mark_absence(
    actor: Actor, match: Match, place: int, is_absent: bool, now: datetime, *, seat: Seat | None = None
) -> SheetPart:
    """Say of a player from 1 on in seat order that they did not come, or that they did; raises as `save_match_part`.

    Whoever did not come takes the last place and is asked for nothing. Of a person with an account or a personal link
    only staff say so, or they themselves: until then the result waits. Conflict "round_closed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    if place == TABLE:
        raise NotFound("no_place", _("The sheet doesn't have this seat."))
    held, content = needed_sheet(match), dict(ABSENT) if is_absent else {}
    before = held.sheet.parts.filter(place=place).first()
    part = change_match_part(actor, match, place, lambda so_far: _absence(so_far, content), now, seat=seat)
    said = held.absent
    held.absent = [each for each in said if each != place] + ([place] if is_absent and seat is None else [])
    held.save(update_fields=["absent"])
    is_changed = before is not None and before.content != part.content
    if is_changed or set(held.absent) != set(said):
        about = {**about_match(match), "entry": seats_in_order(match)[place - 1].entry.number}
        log_act(tournament, "sheet.absent" if is_absent else "sheet.present", actor, now, about)
    return part


def _absence(so_far: Mapping[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    if so_far not in ({}, ABSENT):
        raise Conflict("part_written", _("This player's part isn't empty. Empty it first."))
    return content


def _held(match: Match) -> MatchSheet:
    """The sheet of a match, locked: whoever changes the table waits, then finds it begun."""
    locked = MatchSheet.objects.select_for_update(of=("self",)).select_related("sheet").filter(match=match).first()
    return needed_sheet(match) if locked is None else locked


def check_writable(match: Match, sheet: ScoreSheet, actor: Actor, seat: Seat | None, place: int) -> None:
    """Refuse to write a place: NotFound "no_place", NotAllowed "not_your_part", "issuer_plays", Conflict "counted".

    Conflict "pairings_changed" too, at a table that staff took back or whose players they changed.
    Nobody writes at an event that nobody may change here, see `expect_changeable`.
    """
    expect_changeable(match.round.stage.tournament)
    if seat is not None:
        check_issuer(actor, match)
    if not 0 <= place <= len(sheet.players):
        raise NotFound("no_place", _("The sheet doesn't have this seat."))
    report, gone = Match.objects.values_list("accepted_report", "round__superseded_at").get(pk=match.pk)
    if gone is not None:
        still_there(None)
    if seat is not None and report is not None:
        raise counted()
    if place not in writable_places(sheet, actor, seat.order if seat else None):
        raise NotAllowed("not_your_part", _("Only the writer of this part can change it."))


def counted() -> Conflict:
    """The error for players who write on or file a sheet whose result counts."""
    return Conflict("counted", _("The result is final. If it's wrong, tell the staff."))
