"""Rounds: paired, published, withdrawn; pairing and publishing are separate acts."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from scoring.records import MatchKind
from tournaments.models import Entry, EntryMember, Match, Round, Seat, Stage, StoredRoundInput, Tournament
from tournaments.pairing.contenders import RoundPairing
from tournaments.pairing.swiss import pair_swiss
from tournaments.selectors.contenders import round_input_of
from tournaments.selectors.deck_view import shown_to_opponents
from tournaments.selectors.entries import active_entries
from tournaments.selectors.rounds import current_round
from tournaments.services.acts import lock_tournament, log_act, needed_reason
from tournaments.services.results import store_single_seat_report

SEED_BITS = 32
MatchRow = tuple[int | None, tuple[EntryMember, ...], MatchKind]


@dataclass(frozen=True, slots=True)
class ManualPairing:
    """A match entered by hand: two entries, or one with a bye or a no-show (kind)."""

    first: Entry
    second: Entry | None = None
    kind: MatchKind = MatchKind.PLAYED


@in_transaction
def pair_next_round(
    actor: Actor, tournament: Tournament, now: datetime, *, seed: int | None = None, after: int | None = None
) -> Round:
    """Pair the next Swiss round from the results so far and close the one before; nobody sees it until published.

    `after` is the number of the last round the organiser saw: a second press finds a newer one and is told so
    (Conflict "already_paired"). Raises DomainError "missing_results", "not_published", "no_rounds_left",
    "too_few_entries", "wrong_state".
    """
    tournament, number = _begin_round(tournament, now, after)
    if tournament.swiss_rounds is not None and number > tournament.swiss_rounds:
        raise DomainError(
            "no_rounds_left",
            _("All %(count)d rounds are played: finish the event, or add a round in its settings.")
            % {"count": number - 1},
        )
    given = round_input_of(tournament, number, secrets.randbits(SEED_BITS) if seed is None else seed)
    if len(given.contenders) < 2:
        raise DomainError("too_few_entries", _("A round needs at least two players."))
    pairing = pair_swiss(given)
    round_ = _store_round(tournament, number, now, pairing)
    StoredRoundInput.objects.create(round=round_, given=given.as_dict())
    members = {member.entry_id: member for member in _members_of(tournament)}
    rows: list[MatchRow] = [
        (table, (members[one], members[other]), MatchKind.PLAYED)
        for table, (one, other) in zip(pairing.tables, pairing.pairs, strict=True)
    ]
    byes = (*pairing.awarded_byes, *(() if pairing.bye is None else (pairing.bye,)))
    rows += [(None, (members[bye],), MatchKind.BYE) for bye in byes]
    _store_matches(round_, rows)
    log_act(
        tournament,
        "round.paired",
        actor,
        now,
        {"round": number, "version": round_.version, "seed": pairing.seed, "input": pairing.input_hash},
    )
    return round_


@in_transaction
def enter_pairings(actor: Actor, tournament: Tournament, pairings: Sequence[ManualPairing], now: datetime) -> Round:
    """Store a round paired elsewhere (by hand, or by another system); every active entry needs exactly one place."""
    tournament, number = _begin_round(tournament, now, None)
    members = {member.entry_id: member for member in _members_of(tournament)}
    _check_manual(pairings, members)
    round_ = _store_round(tournament, number, now, None)
    rows: list[MatchRow] = []
    table = 0
    for pairing in pairings:
        seated = [members[entry.pk] for entry in (pairing.first, pairing.second) if entry is not None]
        table += len(seated) > 1
        rows.append((table if len(seated) > 1 else None, tuple(seated), pairing.kind))
    _store_matches(round_, rows)
    log_act(tournament, "round.entered", actor, now, {"round": number, "version": round_.version})
    return round_


@in_transaction
def publish_round(actor: Actor, round_: Round, now: datetime) -> Round:
    """Show a paired round to everybody and open it for results; byes count from here on."""
    tournament, round_ = lock_round(round_)
    if round_.state != Round.State.PAIRED:
        raise Conflict("published_already", _("Round %(number)d is published already.") % {"number": round_.number})
    round_.state, round_.published_at = Round.State.PUBLISHED, now
    round_.save(update_fields=["state", "published_at"])
    for match in round_.matches.filter(kind__in=[MatchKind.BYE, MatchKind.NO_SHOW]).prefetch_related("seats"):
        store_single_seat_report(tournament, match, now)
    log_act(tournament, "round.published", actor, now, {"round": round_.number, "version": round_.version})
    return round_


@in_transaction
def withdraw_round(actor: Actor, round_: Round, reason: str, now: datetime) -> Round:
    """Take a paired round back so that it can be paired again; its version is kept. Refused once results came in.

    Where opponents were shown each other's lists, the log says how many matches had begun: they cannot forget them.
    """
    tournament, round_ = lock_round(round_)
    reason = needed_reason(reason)
    played = round_.matches.filter(kind=MatchKind.PLAYED, reports__isnull=False).count()
    if played or round_.state == Round.State.CLOSED:
        raise Conflict(
            "results_came_in", _("Round %(number)d has results and cannot be taken back.") % {"number": round_.number}
        )
    subjects: dict[str, int | str] = {"round": round_.number, "version": round_.version}
    if shown := shown_to_opponents(tournament, round_):
        subjects["shown_to_opponents"] = shown
    round_.superseded_at = now
    round_.save(update_fields=["superseded_at"])
    before = current_round(tournament)
    if before is not None:
        Round.objects.filter(pk=before.pk).update(state=Round.State.PUBLISHED, closed_at=None)
    log_act(tournament, "round.withdrawn", actor, now, subjects, {"reason": reason})
    return round_


def close_round(last: Round, now: datetime) -> None:
    """End a round; refused while it is unpublished or a match is not done, naming the tables."""
    if last.state == Round.State.CLOSED:
        return
    if last.state == Round.State.PAIRED:
        raise DomainError("not_published", _("Round %(number)d is paired but not published.") % {"number": last.number})
    missing = list(
        last.matches.exclude(state=Match.State.DONE).order_by("table_number").values_list("table_number", flat=True)
    )
    if missing:
        tables = ", ".join(str(table) for table in missing[:20])
        raise DomainError(
            "missing_results",
            _("Round %(number)d still waits for tables %(tables)s.") % {"number": last.number, "tables": tables},
            tables=missing,
        )
    last.state, last.closed_at = Round.State.CLOSED, now
    last.save(update_fields=["state", "closed_at"])


def lock_round(round_: Round) -> tuple[Tournament, Round]:
    """Lock tournament, then round; a superseded round or an event that does not run is refused."""
    tournament = lock_tournament(round_.stage.tournament)
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    if tournament.state != Tournament.State.RUNNING or round_.superseded_at is not None:
        raise Conflict("round_closed", _("Round %(number)d is not open any more.") % {"number": round_.number})
    return tournament, round_


def _begin_round(tournament: Tournament, now: datetime, after: int | None) -> tuple[Tournament, int]:
    tournament = lock_tournament(tournament)
    if tournament.state != Tournament.State.RUNNING:
        raise DomainError(
            "wrong_state",
            _("Rounds are paired while the event runs; now it is “%(state)s”.")
            % {"state": tournament.get_state_display()},
        )
    last = current_round(tournament)
    if after is not None and (last.number if last else 0) != after:
        raise Conflict(
            "already_paired", _("Round %(number)d is paired already.") % {"number": after + 1}, round=after + 1
        )
    if last is not None:
        close_round(last, now)
    return tournament, last.number + 1 if last else 1


def _members_of(tournament: Tournament) -> list[EntryMember]:
    """The member who sits for each active entry: the first of a team."""
    return list(EntryMember.objects.filter(entry__in=active_entries(tournament), order=1).select_related("entry"))


def _check_manual(pairings: Sequence[ManualPairing], members: dict[int, EntryMember]) -> None:
    seated = [entry.pk for pairing in pairings for entry in (pairing.first, pairing.second) if entry is not None]
    if any((pairing.second is None) == (pairing.kind is MatchKind.PLAYED) for pairing in pairings):
        raise DomainError("bad_pairing", _("A match needs two players; one alone has a bye or is a no-show."))
    if strangers := [pk for pk in seated if pk not in members]:
        raise DomainError("not_playing", _("Somebody in the pairings is not playing any more."), entries=strangers)
    if len(set(seated)) != len(seated) or set(seated) != set(members):
        raise DomainError("bad_pairing", _("Every player needs exactly one place in the round."))


def _store_round(tournament: Tournament, number: int, now: datetime, pairing: RoundPairing | None) -> Round:
    stage = Stage.objects.get(tournament=tournament)
    values: dict[str, Any] = {"engine": "by hand"}
    if pairing is not None:
        values = {
            "engine": pairing.engine, "seed": pairing.seed, "input_hash": pairing.input_hash,
            "cost": asdict(pairing.cost), "bound": asdict(pairing.bound), "proved": pairing.proved,
        }  # fmt: skip
    version = Round.objects.filter(stage=stage, number=number).count() + 1
    try:
        with transaction.atomic():
            return Round.objects.create(stage=stage, number=number, version=version, paired_at=now, **values)
    except IntegrityError as error:
        raise Conflict(
            "already_paired", _("Round %(number)d is paired already.") % {"number": number}, round=number
        ) from error


def _store_matches(round_: Round, rows: Sequence[MatchRow]) -> None:
    matches = Match.objects.bulk_create(
        Match(round=round_, table_number=table, kind=kind.value) for table, _members, kind in rows
    )
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, order=order, entry_id=member.entry_id, member=member)
        for match, (_table, members, _kind) in zip(matches, rows, strict=True)
        for order, member in enumerate(members, start=1)
    )
