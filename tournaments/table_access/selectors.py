"""Codes of tables: which open now, who acts by one, and which match is played where it lies.

See docs/how-it-works/trust.md#t1 to #t4.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from accounts.actors import Actor
from accounts.identity.services import hash_token
from tournaments.core.events import find_event
from tournaments.core.rounds import open_rounds, with_all
from tournaments.models import Match, TableCode, Tournament
from tournaments.permissions import OVER, is_at_table

TOKEN_BYTES = 16
"""128 random bits."""
MORNING = 6
"""The hour when an evening's event is surely over."""


class CodeState(StrEnum):
    """Whether a code that nobody revoked opens."""

    LIVE = "live"
    COMING = "coming"
    EXPIRED = "expired"


def live_codes() -> QuerySet[TableCode]:
    """The codes that open now by the database's clock: not revoked, in their time, of an event that is not over."""
    codes = TableCode.objects.filter(revoked_at=None, valid_from__lte=Now(), expires_at__gt=Now())
    return codes.exclude(tournament__state__in=OVER).select_related("tournament")


def code_of_token(token: str) -> TableCode | None:
    """The live code of a raw token; unknown, revoked and expired ones are None alike."""
    return live_codes().filter(token_hash=hash_token(token)).first()


def find_event_of_table(actor: Actor, slug: str) -> Tournament:
    """The event at an address for the pages of its tables: hidden ones too, to whoever opened a code there."""
    tournament = Tournament.objects.filter(slug=slug).first()
    return tournament if tournament is not None and is_at_table(actor, tournament) else find_event(actor, slug)


def codes_of(tournament: Tournament) -> list[TableCode]:
    """The codes of an event's tables that nobody revoked, by table."""
    return list(tournament.table_codes.filter(revoked_at=None).select_related("issued_by").order_by("table_number"))


def state_of_code(code: TableCode, now: datetime) -> CodeState:
    """Whether a code that nobody revoked opens at `now`."""
    if now < code.valid_from:
        return CodeState.COMING
    return CodeState.LIVE if now < code.expires_at else CodeState.EXPIRED


def last_moment(tournament: Tournament, now: datetime) -> datetime:
    """The latest that a code may open: 6 in the morning after the event's day in its own zone, or after a later today.

    Not midnight: an evening's event that goes on would lose its tables during a round.
    """
    zone = ZoneInfo(tournament.time_zone)
    day = max(tournament.starts_at.astimezone(zone), now.astimezone(zone))
    morning = (day + timedelta(days=1)).replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return morning.astimezone(ZoneInfo("UTC"))


def tables_in_use(tournament: Tournament) -> int:
    """The highest number of a table in any round that counts, 0 before the first."""
    tables = Match.objects.filter(round__stage__tournament=tournament, round__superseded_at=None)
    return tables.order_by(F("table_number").desc(nulls_last=True)).values_list("table_number", flat=True).first() or 0


def match_at(tournament: Tournament, table_number: int) -> Match | None:
    """The match being played at a table, loaded as `with_all` says; of several open rounds the newest one's."""
    if tournament.state != Tournament.State.RUNNING:
        return None
    there = Match.objects.filter(
        round__in=open_rounds(tournament).values("pk"), table_number=table_number, kind=Match.Kind.PLAYED
    )
    return with_all(there).order_by("-round__number").first()
