"""Codes for tables: handed out on paper, replaced and revoked by staff; only their hashes are kept.

See docs/how-it-works/trust.md#t.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import hash_token
from journal.transactions import in_transaction
from rules_engine.errors import DomainError
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.models import TableCode, Tournament
from tournaments.permissions import OVER
from tournaments.table_access.selectors import TOKEN_BYTES, codes_of, last_moment

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
