"""The codes of tables, and what people do at a table with one."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import hash_token
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed
from scoring.models import ScoreSheet, SheetPart, SheetRevision, SheetSignature
from scoring.sheets.services import PartChange
from scoring.standings.results import MatchResult
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.decks.services.deck_ready import mark_deck_ready, start_stacking
from tournaments.decks.services.drafts import move_draft
from tournaments.models import DeckPlacement, JudgeCall, Match, MatchSheet, ResultReport, Seat, TableCode, Tournament
from tournaments.permissions import OVER, is_at_table
from tournaments.results.services.reports import confirm_report, dispute_report, report_result
from tournaments.results.services.stored_reports import ReportAnswer
from tournaments.room.services.calls import call_judge
from tournaments.sheets.services.filing import file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import change_match_part, open_match_sheet, save_match_part
from tournaments.table_access.selectors import TOKEN_BYTES, codes_of, last_moment, match_at

MAX_TABLES = 300
HIGHEST_TABLE = 9999


@dataclass(frozen=True, slots=True)
class IssuedCode:
    """A code with its raw token, which is shown this once, to be printed."""

    code: TableCode
    token: str


@in_transaction
def issue_codes(
    actor: Actor,
    tournament: Tournament,
    first: int,
    last: int,
    now: datetime,
    *,
    valid_from: datetime | None = None,
    expires_at: datetime | None = None,
) -> list[IssuedCode]:
    """New codes for the tables `first` to `last`; those the tables had are worthless from now on.

    They open from `valid_from` (None: at once) until `expires_at` (None: the morning after the event's day, which
    is the latest). Raises DomainError "bad_tables", "bad_time" naming the `field`, "event_over".
    """
    tournament = lock_tournament(tournament)
    if tournament.state in OVER:
        raise DomainError("event_over", _("The event is over: its tables need no codes."))
    _check_tables(first, last)
    begin, end = _times(tournament, now, valid_from, expires_at)
    issued = _issue(actor, tournament, range(first, last + 1), now, begin, end)
    log_act(tournament, "table_codes.issued", actor, now, {"first_table": first, "last_table": last})
    return issued


@in_transaction
def renew_codes(actor: Actor, tournament: Tournament, now: datetime) -> list[IssuedCode]:
    """New codes for every table that has one, all old ones worthless; DomainError "no_codes", "event_over"."""
    tournament = lock_tournament(tournament)
    tables = [code.table_number for code in codes_of(tournament)]
    if not tables:
        raise DomainError("no_codes", _("No table has a code yet."))
    if tournament.state in OVER:
        raise DomainError("event_over", _("The event is over: its tables need no codes."))
    issued = _issue(actor, tournament, tables, now, now, last_moment(tournament, now))
    log_act(tournament, "table_codes.renewed", actor, now, {"count": len(issued)})
    return issued


@in_transaction
def revoke_codes(actor: Actor, tournament: Tournament, now: datetime, *, table: int | None = None) -> int:
    """Make the code of one table worthless, or all of them, sessions included; answers how many there were."""
    tournament = lock_tournament(tournament)
    codes = tournament.table_codes.filter(revoked_at=None)
    count = (codes if table is None else codes.filter(table_number=table)).update(revoked_at=now)
    if count and table is not None:
        log_act(tournament, "table_codes.revoked_one", actor, now, {"table": table})
    elif count:
        log_act(tournament, "table_codes.revoked", actor, now, {"count": count})
    return count


def move_ends(tournament: Tournament, before: datetime, now: datetime) -> int:
    """Let the codes that open to the end of the event's day do so after another day was chosen; answers how many.

    `before` was the `last_moment` of the day before. For services, in their transaction.
    """
    to_the_end = tournament.table_codes.filter(revoked_at=None, expires_at=before)
    return to_the_end.update(expires_at=last_moment(tournament, now))


def _check_tables(first: int, last: int) -> None:
    if not 1 <= first <= last <= HIGHEST_TABLE or last - first >= MAX_TABLES:
        words = _("Enter the first and last table (at most %(most)d tables).")
        raise DomainError("bad_tables", words % {"most": MAX_TABLES}, field="last")


def _times(
    tournament: Tournament, now: datetime, valid_from: datetime | None, expires_at: datetime | None
) -> tuple[datetime, datetime]:
    latest = last_moment(tournament, now)
    begin, end = valid_from or now, expires_at or latest
    if end > latest:
        words = _("Codes end at 6 in the morning after the event's day. Choose an earlier end.")
        raise DomainError("bad_time", words, field="expires_at")
    if end <= max(begin, now):
        raise DomainError("bad_time", _("The end is too early. Choose a later one."), field="expires_at")
    return begin, end


def _issue(
    actor: Actor, tournament: Tournament, tables: Sequence[int], now: datetime, begin: datetime, end: datetime
) -> list[IssuedCode]:
    tournament.table_codes.filter(revoked_at=None, table_number__in=tables).update(revoked_at=now)
    tokens = [secrets.token_urlsafe(TOKEN_BYTES) for _table in tables]
    codes = TableCode.objects.bulk_create(
        TableCode(
            tournament=tournament, table_number=table, token_hash=hash_token(token), issued_by=actor.user,
            created_at=now, valid_from=begin, expires_at=end,
        )
        for table, token in zip(tables, tokens, strict=True)
    )  # fmt: skip
    return [IssuedCode(code, token) for code, token in zip(codes, tokens, strict=True)]


@in_transaction
def report_from_table(
    actor: Actor, seat: Seat, result: MatchResult, now: datetime, *, version: int | None = None
) -> ReportAnswer:
    """Report the table's current match for whoever sits at `seat`; else as `report_result`.

    Raises NotAllowed "dead_code", "no_table_reports", "other_seat" for a phone that spoke for another seat, Conflict
    "other_match" once another person plays there.
    """
    match = _open_match(actor, seat, now)
    return report_result(actor, match, result, now, seat=seat, version=version)


@in_transaction
def agree_from_table(
    actor: Actor, report: ResultReport, seat: Seat, now: datetime, *, version: int | None = None
) -> ReportAnswer:
    """Agree to another player's report for whoever sits at `seat`; raises as `report_from_table`."""
    _open_match(actor, seat, now)
    return confirm_report(actor, report, now, seat=seat, version=version)


@in_transaction
def disagree_from_table(
    actor: Actor, report: ResultReport, seat: Seat, now: datetime, *, version: int | None = None
) -> Match:
    """Say that another player's report is wrong; staff settle it. Raises as `report_from_table`."""
    _open_match(actor, seat, now)
    return dispute_report(actor, report, "", now, version=version)


@in_transaction
def mark_deck_ready_from_table(actor: Actor, seat: Seat, game: int, now: datetime) -> DeckPlacement:
    """The deck of whoever sits at `seat` is stacked and placed; raises as `report_from_table` and `mark_deck_ready`.

    It reveals nothing: see `tournaments.decks.selectors.deck_ready.is_revealed`.
    """
    _open_match(actor, seat, now)
    return mark_deck_ready(actor, seat, game, now)


@in_transaction
def start_stacking_from_table(actor: Actor, seat: Seat, game: int, now: datetime) -> Match:
    """The table stacks for its next game from now on; raises as `report_from_table` and `start_stacking`."""
    return start_stacking(actor, _open_match(actor, seat, now), game, now)


@in_transaction
def move_draft_from_table(actor: Actor, seat: Seat, seen: int, now: datetime, *, back: bool = False) -> Match:
    """The table's draft goes on, or one step back; raises as `report_from_table` and `move_draft`."""
    return move_draft(actor, _open_match(actor, seat, now), seen, now, back=back)


@in_transaction
def open_sheet_from_table(actor: Actor, seat: Seat, now: datetime) -> ScoreSheet:
    """The score sheet of the table's match; raises as `report_from_table` and `open_match_sheet`."""
    return open_match_sheet(actor, _open_match(actor, seat, now), now)


@in_transaction
def save_part_from_table(
    actor: Actor, seat: Seat, place: int, content: Mapping[str, Any], version: int, now: datetime
) -> SheetPart:
    """Store a place of the table's sheet that no other phone wrote; raises as `report_from_table` too."""
    return save_match_part(actor, _open_match(actor, seat, now), place, content, version, now, seat=seat)


@in_transaction
def change_part_from_table(actor: Actor, seat: Seat, place: int, change: PartChange, now: datetime) -> SheetPart:
    """Store what `change` makes of a place; raises as `save_part_from_table`."""
    return change_match_part(actor, _open_match(actor, seat, now), place, change, now, seat=seat)


@in_transaction
def file_sheet_from_table(actor: Actor, seat: Seat, content: Mapping[str, Any], now: datetime) -> SheetRevision:
    """File the table's sheet for whoever sits at `seat`; raises as `report_from_table` and `file_match_sheet`."""
    return file_match_sheet(actor, _open_match(actor, seat, now), now, seat=seat, content=content)


@in_transaction
def sign_sheet_from_table(actor: Actor, seat: Seat, revision: SheetRevision, now: datetime) -> SheetSignature:
    """Sign the tally for whoever sits at `seat`, which no phone does for two; raises as `sign_match_sheet` too."""
    return sign_match_sheet(actor, _open_match(actor, seat, now), revision, seat, now)


def check_table(actor: Actor, match: Match, now: datetime) -> Tournament:
    """The locked event of a match that is played now at the table whose live code the actor opened.

    Raises NotAllowed "dead_code", Conflict "other_match".
    """
    tournament = lock_tournament(match.round.stage.tournament)
    code = TableCode.objects.filter(
        pk=actor.table_code, tournament=tournament, revoked_at=None, valid_from__lte=now, expires_at__gt=now
    ).first()
    if not is_at_table(actor, tournament) or code is None or code.table_number != actor.table_number:
        raise NotAllowed("dead_code", _("This code isn't valid any more. Ask the staff for a new one."))
    current = match_at(tournament, code.table_number)
    if current is None or current.pk != match.pk:
        raise Conflict("other_match", _("Not saved: another match is at this table."))
    return tournament


def _open_match(actor: Actor, seat: Seat, now: datetime) -> Match:
    """The seat's match, where the code may report it and this phone spoke for no other seat of it."""
    match = seat.match
    tournament = check_table(actor, match, now)
    if tournament.table_reports == Tournament.TableReports.OFF:
        raise NotAllowed("no_table_reports", _("The staff enter results at this event."))
    if seats_spoken_for(actor, match) - {seat.pk}:
        raise NotAllowed(
            "other_seat",
            _("This phone was used for another player here. Use your own."),
        )
    return match


def seats_spoken_for(actor: Actor, match: Match) -> set[int]:
    """The seats of a match for which a phone reported, placed a deck, filed the score sheet or signed it."""
    reported = ResultReport.objects.filter(_by_phone("actor", actor), match=match, by_seat__isnull=False)
    placed = match.placements.filter(_by_phone("actor", actor))
    seats = match.seats.filter(order__in=_places_spoken_for(actor, match))
    return {
        *reported.values_list("by_seat", flat=True),
        *placed.values_list("seat", flat=True),
        *seats.values_list("pk", flat=True),
    }


def _places_spoken_for(actor: Actor, match: Match) -> set[int]:
    held = MatchSheet.objects.filter(match=match).select_related("sheet").first()
    if held is None:
        return set()
    signed = SheetSignature.objects.filter(_by_phone("actor", actor), revision__sheet=held.sheet)
    filed = held.sheet.revisions.filter(_by_phone("filed_by", actor), number=held.sheet.newest)
    return {*signed.values_list("place", flat=True), *([held.filed_from] if filed.exists() else [])}


def _by_phone(field: str, actor: Actor) -> Q:
    """What a phone did by any code: that of a table may be replaced while its match is played."""
    return Q(**{f"{field}__startswith": "table:", f"{field}__endswith": f":{actor.table_phone}"})


@in_transaction
def call_from_table(actor: Actor, match: Match, kind: str, note: str, now: datetime) -> JudgeCall:
    """Ask for a judge at the table; raises as `check_table` and `services.calls.call_judge`."""
    check_table(actor, match, now)
    return call_judge(actor, match, kind, note, now)
