"""A bracket follows its results: matches that nobody plays, and matches that a correction gives to other players."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.actors import SYSTEM, Actor
from rules_engine.errors import Conflict
from scoring.standings.records import Outcome
from tournaments.core.ledger import log_act
from tournaments.core.round_names import match_name
from tournaments.core.rounds import is_played
from tournaments.decks.selectors.deck_view import shown_to_opponents
from tournaments.entries.services.pairing_constraints import give_needed_time
from tournaments.models import EntryMember, Match, PairingChange, ResultReport, Round, Seat, SeatResult, Stage
from tournaments.notifications.services import ask_to_tell
from tournaments.pairing.brackets.filled import FilledMatch, MatchState
from tournaments.pairing.brackets.fixed_rounds import seat_in_bracket
from tournaments.pairing.manual.round_draft import Kind as SeatingKind
from tournaments.pairing.manual.round_draft import Seating
from tournaments.rounds.services.round_builders import PlannedMatch, planned_fixed
from tournaments.rounds.services.superseded_matches import take_away
from tournaments.structure.selectors.brackets import BracketMove, bracket_moves
from tournaments.structure.selectors.stages import contestants, field_of


def store_walkovers(round_: Round, now: datetime) -> None:
    """The reports of a bracket's matches against a person who left: the first seat plays on; the caller logs the act.

    However many there are, it takes the same number of queries.
    """
    if not round_.stage.is_bracket:
        return
    awarded = round_.matches.filter(kind=Match.Kind.AWARDED, accepted_report=None).exclude(bracket="")
    seats = list(Seat.objects.filter(match__in=awarded).order_by("match", "order"))
    needed = round_.stage.match_length.wins_needed
    reports = {
        report.match_id: report
        for report in ResultReport.objects.bulk_create(
            ResultReport(
                match=match, number=1, kind=ResultReport.Kind.NO_SHOW, actor=SYSTEM.key, role="system", reported_at=now
            )
            for match in awarded
        )
    }
    SeatResult.objects.bulk_create(
        SeatResult(
            report=reports[seat.match_id], seat=seat,
            outcome=(Outcome.WIN if seat.order == 1 else Outcome.LOSS).value,
            games_won=needed if seat.order == 1 else 0,
        )
        for seat in seats
    )  # fmt: skip
    done = Match.objects.in_bulk(list(reports))
    for match in done.values():
        match.accepted_report, match.state, match.version = reports[match.pk], Match.State.DONE, match.version + 1
    Match.objects.bulk_update(done.values(), ["accepted_report", "state", "version"])


def follow_bracket(actor: Actor, match: Match, now: datetime, reason: str) -> list[Match]:
    """After a result of a bracket changed: matches paired on it get the players it now sends there, or go.

    Call it inside the transaction that changed the result, with the tournament locked. Each change is kept as a
    `PairingChange` and logged. Conflict "bracket_moved_on" names the first match that has begun already: correct or
    settle that one first. Answers the new matches.
    """
    stage = match.round.stage
    if not match.bracket or not stage.is_bracket:
        return []
    moves = bracket_moves(stage)
    if begun := next((move for move in moves if move.has_begun), None):
        raise Conflict(
            "bracket_moved_on",
            _("You can't change this result: it decided who plays %(match)s, and that match has begun.")
            % {"match": match_name(begun.match)},
            match=begun.match.pk,
        )
    by_round = groupby(moves, key=lambda move: move.match.round_id)
    return [match for pk, group in by_round for match in _follow(actor, stage, pk, list(group), now, reason)]


def _follow(
    actor: Actor, stage: Stage, round_id: int, moves: Sequence[BracketMove], now: datetime, reason: str
) -> list[Match]:
    """Take matches of one round away and, where both players are known, make those that take their place."""
    round_ = Round.objects.select_for_update(of=("self",)).select_related("stage").get(pk=round_id)
    round_.stage, rows = stage, [move.match for move in moves]
    shown = shown_to_opponents(stage.tournament, round_, [row.pk for row in rows])
    before = _seatings(rows)
    take_away(round_, rows, now)
    made = [_made(round_, stage, move.filled, move.match) for move in moves if _is_ready(move.filled)]
    if round_.state != Round.State.PAIRED:
        store_walkovers(round_, now)
        give_needed_time(round_.matches.filter(pk__in=[match.pk for match in made]))
        ask_to_tell(stage.tournament, round_, now)
    _keep(actor, round_, before, _seatings(made), reason, now)
    named = ", ".join(row.bracket for row in rows)
    subjects: dict[str, int | str] = {"round": round_.number, "bracket": named, "made": len(made)}
    if shown:
        subjects["shown_to_opponents"] = shown
    _close_or_open(round_, now)
    log_act(stage.tournament, "round.followed", actor, now, subjects, {"reason": reason})
    return made


def _close_or_open(round_: Round, now: datetime) -> None:
    """A round without a match is none any more; one that waits for a result again is open."""
    if not round_.matches.exists():
        round_.superseded_at = now
        round_.save(update_fields=["superseded_at"])
    elif round_.state == Round.State.CLOSED and is_played(round_):
        round_.state, round_.closed_at = Round.State.PUBLISHED, None
        round_.save(update_fields=["state", "closed_at"])


def _is_ready(filled: FilledMatch) -> bool:
    return filled.state in (MatchState.PLAYABLE, MatchState.PLAYED)


def _made(round_: Round, stage: Stage, filled: FilledMatch, old: Match) -> Match:
    there = set(contestants(stage).values_list("pk", flat=True))
    gone = [entry for entry in field_of(stage) if entry not in there]
    planned = planned_fixed(seat_in_bracket(filled, stage.seeds or (), gone))
    return _stored(round_, planned, planned.table and (old.table_number or _free_table(round_)))


def _free_table(round_: Round) -> int:
    taken = set(round_.matches.values_list("table_number", flat=True))
    return next(table for table in range(1, len(taken) + 2) if table not in taken)


def _stored(round_: Round, planned: PlannedMatch, table: int | None) -> Match:
    match = Match.objects.create(
        round=round_, table_number=table, kind=planned.kind.value, bracket=planned.bracket,
        explanation=planned.explanation,
    )  # fmt: skip
    members = dict(EntryMember.objects.filter(entry__in=planned.entries, order=1).values_list("entry_id", "pk"))
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, order=order, entry_id=entry, member_id=members[entry])
        for order, entry in enumerate(planned.entries, start=1)
    )
    return match


def _seatings(matches: Sequence[Match]) -> list[Seating]:
    return [
        Seating(
            tuple(match.seats.order_by("order").values_list("entry_id", flat=True)), match.table_number,
            SeatingKind(match.kind), match.locked, reasons=tuple(match.explanation),
        )
        for match in matches
    ]  # fmt: skip


def _keep(
    actor: Actor, round_: Round, before: Sequence[Seating], after: Sequence[Seating], reason: str, now: datetime
) -> None:
    """The change among the round's changes, so that what the engine gave can still be shown.

    See docs/how-it-works/trust.md#p3.
    """
    latest = round_.changes.aggregate(latest=Max("number"))["latest"] or 0
    PairingChange.objects.create(
        round=round_, number=latest + 1, kind=PairingChange.Kind.FOLLOW, reason=reason,
        before={"seatings": [each.as_dict() for each in before]},
        after={"seatings": [each.as_dict() for each in after]},
        actor=actor.key, actor_label=actor.label[:120], made_at=now,
    )  # fmt: skip
