"""Results from game clients: a code for one match, and one result sent by it, which waits like a player's.

See docs/how-it-works/trust.md#t7.
"""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import is_allowed
from accounts.identity.selectors import actor_of_link, live_links, person_or_none
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed
from scoring.standings.results import MatchResult
from tournaments.core.ledger import log_act
from tournaments.core.matches import about_match, lock_match
from tournaments.models import ClientCode, Match, Round, Seat, Tournament
from tournaments.permissions import check_issuer, is_on_staff, member_of
from tournaments.results.services.reports import report_result
from tournaments.results.services.stored_reports import ReportAnswer
from tournaments.sheets.selectors.sheets import uses_sheets

MAX_USED = 5
"""Results that clients may send for one side of a match, so that replays do not fill the disk."""
MAX_REPLAY = 256 * 1024


@dataclass(frozen=True, slots=True)
class Replay:
    """A file that a client sends with a result."""

    name: str = ""
    content: bytes = b""


@in_transaction
def create_client_code(actor: Actor, match: Match, now: datetime, *, seat: Seat | None) -> ClientCode:
    """A code for a game client of `seat`, None for staff; an unused one of the same side is revoked.

    Raises NotAllowed "issuer_plays", Conflict "round_closed", "has_result", DomainError "sheet_needed",
    "too_many_results".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED)
    if seat is not None:
        check_issuer(actor, match)
    _expect_open(match)
    if uses_sheets(tournament):
        raise DomainError("sheet_needed", _("The result comes from your score sheet: fill it in and file it."))
    of_side = match.client_codes.filter(seat=seat)
    of_side.filter(used_at=None).delete()
    if of_side.count() >= MAX_USED:
        raise DomainError("too_many_results", _("Game clients sent too many results of this match. Report it by hand."))
    owner = {"user": actor.user} if actor.user is not None else {"link_id": actor.link}
    code = match.client_codes.create(seat=seat, created_at=now, **owner)
    log_act(tournament, "client.code_created", actor, now, about_match(match))
    return code


@in_transaction
def report_from_client(
    code: ClientCode,
    match_id: int,
    result: MatchResult,
    now: datetime,
    *,
    replay: Replay,
    device: str = "",
    version: int | None = None,
) -> ReportAnswer:
    """Report a match in the name of a code's owner, who may still report it; it waits, and confirms nothing.

    `match_id` is the match that the client means. Raises Conflict "other_match", "code_used", "has_result", NotAllowed
    "code_without_owner", and as `report_result`.
    """
    if code.match_id != match_id:
        raise Conflict("other_match", _("This code is for another match."))
    tournament, match = lock_match(code.match, Round.State.PUBLISHED)
    _expect_open(match)
    if not ClientCode.objects.filter(pk=code.pk, used_at=None).exists():
        raise Conflict("code_used", _("This code was used or replaced. Create a new one."))
    actor = _owner_of(code, tournament, device)
    answer = report_result(actor, match, result, now, seat=code.seat, version=version, by_client=True)
    ClientCode.objects.filter(pk=code.pk).update(
        used_at=now, report=answer.report, replay=replay.content, replay_name=replay.name,
        replay_bytes=len(replay.content),
    )  # fmt: skip
    log_act(tournament, "client.sent_result", actor, now, about_match(match))
    return answer


def _expect_open(match: Match) -> None:
    """Refuse a match whose result is accepted: Conflict "has_result"."""
    if match.accepted_report_id is not None:
        raise Conflict("has_result", _("This match has an accepted result."))


def _owner_of(code: ClientCode, tournament: Tournament, device: str) -> Actor:
    """Who made a code, if they may report the match as when they made it; NotAllowed "code_without_owner"."""
    actor = _actor_of(code, device)
    if actor is not None and is_allowed("result.report", actor, tournament):
        member = member_of(actor, tournament)
        if is_on_staff(actor, tournament) if code.seat is None else member and member.entry_id == code.seat.entry_id:
            return actor
    raise NotAllowed("code_without_owner", _("The person who created this code may not report this match any more."))


def _actor_of(code: ClientCode, device: str) -> Actor | None:
    if code.user is not None:
        return Actor(code.user, person_or_none(code.user), "token", device=device) if code.user.is_active else None
    link = live_links().filter(pk=code.link_id or 0).first()
    return actor_of_link(link, device) if link is not None else None
