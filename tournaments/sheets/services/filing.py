"""Score sheets of matches filed and signed: what they add up to becomes the result."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound
from scoring.models import SheetRevision, SheetSignature
from scoring.sheets.selectors import content_of, newest_revision, outcome_of
from scoring.sheets.services import file_sheet, sign_tally, store_tally
from scoring.sheets.tallies.registry import get_tallier
from tournaments.core.actors import actor_of_key
from tournaments.core.ledger import lock_tournament, require_reason
from tournaments.core.links import seats_with_names
from tournaments.core.matches import about_match, lock_match, seats_in_order
from tournaments.models import Match, MatchSheet, Round, Seat, Tournament
from tournaments.permissions import TABLE as BY_CODE
from tournaments.permissions import acting_role, check_issuer
from tournaments.results.selectors import pending_of
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.sheets.selectors.sheets import (
    REPORT,
    is_signed,
    needed_sheet,
    result_of_tally,
    waits_for_names,
    written_mark,
)
from tournaments.sheets.services.writing import counted


@in_transaction
def file_match_sheet(
    actor: Actor,
    match: Match,
    now: datetime,
    *,
    seat: Seat | None = None,
    reason: str = "",
    content: Mapping[str, Any] | None = None,
) -> SheetRevision:
    """Freeze the sheet of a match and have it tallied; the result follows by `report_filed_sheet`.

    `seat` is the filer's own, None for staff, whose sheet counts at once. Once a result counts, only staff file, with a
    `reason`, which corrects it. `content` is what to file, all that was written by default. A sheet like the newest
    one is not tallied again: staff's word makes it count, and one that was returned is tried again.
    Raises NotFound "no_sheet", Conflict "counted", "round_closed", "being_tallied", DomainError "reason_needed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    held, standing = needed_sheet(match), match.accepted_report
    if seat is not None:
        check_issuer(actor, match)
    if standing is not None and seat is not None:
        raise counted()
    if standing is None and match.round.state != Round.State.PUBLISHED:
        lock_match(match, Round.State.PUBLISHED)
    if standing is not None:
        reason = require_reason(reason)
    before = held.sheet.newest
    revision = file_sheet(
        actor, held.sheet, content_of(held.sheet) if content is None else content, now,
        role=acting_role(actor, tournament), label=actor.label[:120], handoff=REPORT,
        about={**about_match(match), **actor.came_by},
    )  # fmt: skip
    is_new = revision.number != before
    if is_new or seat is None or held.returned:
        held.filed_from, held.corrects, held.reason = seat.order if seat else 0, standing, reason
        held.issuer = actor.issuer or None
    held.sheet.newest, held.returned = revision.number, ""
    if is_new:
        held.save()
        _reopen(match)
    else:
        _take_up(held, match, revision, actor, seat, now)
    return revision


@in_transaction
def correct_match_by_sheet(actor: Actor, match: Match, reason: str, now: datetime, *, seen: str = "") -> MatchSheet:
    """File the sheet as it lies for staff, add it up and let it correct the result that counts, all at once.

    Nothing is stored where it cannot: DomainError "bad_sheet" and as `result_of_tally` and `correct_result` say.
    `seen` is the `written_mark` that the actor looked at: Conflict "part_changed". Raises Conflict "nothing_to_correct"
    also where the sheet says what counts.
    """
    lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    if seen and seen != written_mark(needed_sheet(match).sheet):
        raise Conflict("part_changed", _("The sheet has changed. Check it again."))
    file_match_sheet(actor, match, now, reason=reason)
    held = needed_sheet(match)
    match, revision = held.match, newest_revision(held.sheet)
    if revision is None or match.accepted_report is None or match.accepted_report.sheet_revision == revision:
        raise Conflict("nothing_to_correct", _("The sheet matches the accepted result."))
    outcome = outcome_of(revision)
    if outcome is None:
        tally = get_tallier(held.sheet.game).tally(revision.content)
        outcome = revision.outcome = store_tally(revision, tally, "", now)
    if outcome.tally is None:
        raise DomainError("bad_sheet", outcome.error)
    _report(held, match, revision, actor, now)
    return held


def _take_up(
    held: MatchSheet, match: Match, revision: SheetRevision, actor: Actor, seat: Seat | None, now: datetime
) -> None:
    """A sheet filed once more as it is: staff's word makes it count, and what was returned is tried again."""
    outcome = outcome_of(revision)
    if outcome is None and seat is None:
        raise Conflict("being_tallied", _("The sheet is being tallied. Refresh in a moment."))
    if outcome is None or outcome.tally is None:
        return
    held.save()
    report, standing = match.reports.filter(sheet_revision=revision).last(), match.accepted_report
    is_overruled = standing is not None and standing.sheet_revision_id != revision.pk
    if report is None or (seat is None and is_overruled):
        _report(held, match, revision, actor, now)
    elif seat is None and standing is None:
        confirm_report(actor, report, now, reason=held.reason)


@in_transaction
def report_filed_sheet(revision_id: int, now: datetime) -> None:
    """Turn a tallied sheet into a report of its match; safe to run again, at once, late, or out of order.

    Only the newest revision of a match does: filed by staff it counts, or corrects what counts; filed by a player it
    waits for signatures. What the match does not take any more goes back to the table or the staff with the reason.
    """
    held = MatchSheet.objects.filter(sheet__revisions=revision_id).first()
    if held is None:
        return
    lock_tournament(held.match.round.stage.tournament)
    held = MatchSheet.objects.select_related("sheet", "match__round__stage__tournament").get(pk=held.pk)
    revision = newest_revision(held.sheet)
    if revision is None or revision.pk != revision_id or held.returned:
        return
    outcome = outcome_of(revision)
    if outcome is None or outcome.tally is None or held.match.reports.filter(sheet_revision=revision).exists():
        return
    try:
        filer = replace(actor_of_key(revision.filed_by), issuer=held.issuer or 0)
        _report(held, held.match, revision, filer, now)
    except DomainError as refusal:
        held.returned = refusal.message[:1000]
        held.save(update_fields=["returned"])


@in_transaction
def _report(held: MatchSheet, match: Match, revision: SheetRevision, actor: Actor, now: datetime) -> None:
    _tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    seats = seats_in_order(match)
    result = result_of_tally(match, seats, held.sheet, revision, revision.outcome.tally or {})
    if match.accepted_report is None:
        seat = seats[held.filed_from - 1] if held.filed_from else None
        report_result(actor, match, result, now, seat=seat, sheet_revision=revision)
        _count_if_signed(match, revision, now)
    elif held.corrects_id is None:
        raise Conflict("counted", _("Another result is accepted. File again to correct it."))
    else:
        correct_result(actor, match, result, held.reason, now, seen=held.corrects_id, sheet_revision=revision)


def who_signs(tournament: Tournament, seat: Seat) -> str:
    """Who signs at a seat for which the code of the table does not, as a sentence; "" where the code does."""
    if not seats_with_names(tournament, [seat]):
        return ""
    return _("%(name)s signs with their account or link, or staff confirm.") % {"name": seat.entry.name}


@in_transaction
def sign_match_sheet(actor: Actor, match: Match, revision: SheetRevision, seat: Seat, now: datetime) -> SheetSignature:
    """A player's signature under the tally of a match; the last one that is needed makes its result count.

    Raises NotFound "no_sheet" for another match's revision, Conflict "newer_revision", "no_tally", "round_closed",
    NotAllowed "issuer_plays", "player_signs" for a table's code and a player with an account or a personal link.
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED)
    check_issuer(actor, match)
    held = needed_sheet(match)
    if revision.sheet_id != held.sheet_id:
        raise NotFound("no_sheet", _("This match doesn't have this score sheet."))
    role, label = acting_role(actor, tournament), actor.label[:120]
    if role == BY_CODE and (text := who_signs(tournament, seat)):
        raise NotAllowed("player_signs", text)
    about = {**about_match(match), **actor.came_by}
    signed = sign_tally(actor, revision, seat.order, now, role=role, label=label, about=about)
    _count_if_signed(match, revision, now)
    return signed


@in_transaction
def accept_signed_sheets(actor: Actor, tournament: Tournament, now: datetime) -> None:
    """Let every waiting result count, by the staff's word, whose sheet has the signatures that the event now asks for.

    What `waits_for_names` goes on waiting, as does what the match does not take any more.
    """
    waiting = Match.objects.filter(
        round__stage__tournament=tournament, round__state=Round.State.PUBLISHED, round__superseded_at=None,
        state=Match.State.REPORTED, score_sheet__isnull=False,
    )  # fmt: skip
    for match in waiting.order_by("round", "pk"):
        revision = newest_revision(needed_sheet(match).sheet)
        if revision is not None:
            with suppress(DomainError):
                _count_if_signed(match, revision, now, staff=actor)


def _count_if_signed(match: Match, revision: SheetRevision, now: datetime, *, staff: Actor | None = None) -> None:
    """Let a waiting result count once its sheet has the signatures it needs; the last signer confirms it, or `staff`.

    What `waits_for_names` goes on waiting for staff.
    """
    match = Match.objects.select_related("round__stage__tournament").get(pk=match.pk)
    report, last = match.reports.filter(sheet_revision=revision).last(), revision.signatures.order_by("pk").last()
    seats = seats_in_order(match)
    if report is None or last is None or match.accepted_report_id or not is_signed(match, revision, seats):
        return
    if waits_for_names(match.round.stage.tournament, report, seats):
        return
    if staff is not None:
        confirm_report(staff, report, now)
    else:
        confirm_report(actor_of_key(last.actor), report, now, seat=seats[last.place - 1])


def _reopen(match: Match) -> None:
    """A newer sheet overtakes the older one's report: what is left of the match's reports says how far it is."""
    pending = pending_of(match)
    if match.state == Match.State.REPORTED:
        match.state = Match.State.REPORTED if pending else Match.State.OPEN
    match.version += 1
    match.save(update_fields=["state", "version"])
