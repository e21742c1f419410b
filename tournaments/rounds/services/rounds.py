"""Rounds: paired, published, withdrawn; pairing and publishing are separate acts."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from scoring.standings.records import MatchKind
from tournaments.core.first_players import draw_lots
from tournaments.core.forecast_renewal import ask_to_renew
from tournaments.core.ledger import lock_tournament, lock_tournament_of, log_act, require_reason
from tournaments.core.rounds import current_round, has_results, rounds_after, rounds_of
from tournaments.decks.selectors.deck_view import shown_to_opponents
from tournaments.entries.services.attendance import correct_leavers
from tournaments.entries.services.pairing_constraints import give_needed_time
from tournaments.manual_pairing.services import check_everybody_placed
from tournaments.models import Entry, EntryMember, Match, Round, Seat, Stage, StoredRoundInput, Tournament
from tournaments.notifications.services import ask_to_tell
from tournaments.penalties.services import carry_game_losses
from tournaments.results.services.corrections import cut_changed_at
from tournaments.rounds.services.automatic_results import store_match_losses, store_single_seat_reports
from tournaments.rounds.services.closing import MAX_TABLES, close_rounds, end_clocks
from tournaments.rounds.services.round_builders import PlannedMatch, build_round
from tournaments.standings.selectors.standings import lot_of
from tournaments.structure.selectors.stages import contestants, current_stage
from tournaments.structure.services.brackets import store_walkovers

SEED_BITS = 32


@dataclass(frozen=True, slots=True)
class ManualPairing:
    """A match entered by hand: two entries, or one with a bye or a no-show (kind)."""

    first: Entry
    second: Entry | None = None
    kind: MatchKind = MatchKind.PLAYED


@in_transaction
def pair_next_round(
    actor: Actor,
    tournament: Tournament,
    now: datetime,
    *,
    seed: int | None = None,
    after: int | None = None,
    without: Collection[int] = (),
    reason: str = "",
) -> Round:
    """Pair the next round of the stage being played and close those before; nobody sees it until published.

    Swiss rounds and tables from the results so far; in a bracket all matches that can be played now; in a round robin
    the next of the Berger tables. `after` is the number of the last round the organiser saw: a second POST finds a
    newer one and is refused (Conflict "already_paired"; "not_paired_yet" for a round that does not exist).
    `without` are ids of matches without a result that the organiser saw and accepts, for a `reason`, which counts only
    if one of them is missing still: the round names them, and theirs stay open (docs/how-it-works/trust.md#p4). Raises
    DomainError "missing_results", "reason_needed", "not_published", "no_rounds_left", "too_few_entries",
    "nothing_playable", "wrong_state".
    """
    tournament, number, missing = _begin_round(actor, tournament, now, after, without)
    reason = require_reason(reason) if missing else ""
    stage = _seeded(current_stage(tournament), actor, now)
    plan = build_round(tournament, stage, number, secrets.randbits(SEED_BITS) if seed is None else seed)
    certificate = plan.certificate | {"paired_without": [match.pk for match in missing]}
    round_ = _store_round(stage, number, now, certificate)
    StoredRoundInput.objects.create(round=round_, given=plan.given)
    _store_matches(round_, plan.matches)
    log_act(
        tournament,
        "round.paired",
        actor,
        now,
        {
            "round": number, "version": round_.version, "seed": round_.seed or 0,
            "input": round_.input_hash, "pairing": round_.pairing_hash, **_named(missing),
        },
        {"reason": reason} if missing else None,
    )  # fmt: skip
    return round_


@in_transaction
def enter_pairings(actor: Actor, tournament: Tournament, pairings: Sequence[ManualPairing], now: datetime) -> Round:
    """Store a round paired elsewhere (by hand, or by another system); every active entry needs exactly one place."""
    tournament, number, _missing = _begin_round(actor, tournament, now, None)
    stage = current_stage(tournament)
    if stage.kind != Stage.Kind.SWISS:
        raise DomainError("not_swiss", _("Only Swiss rounds are entered by hand."))
    _check_manual(pairings, set(contestants(stage).values_list("pk", flat=True)))
    round_ = _store_round(stage, number, now, {"engine": Round.BY_HAND})
    planned: list[PlannedMatch] = []
    tables = count(1)
    for pairing in pairings:
        seated = tuple(entry.pk for entry in (pairing.first, pairing.second) if entry is not None)
        planned.append(PlannedMatch(next(tables) if len(seated) > 1 else None, seated, pairing.kind))
    _store_matches(round_, planned)
    log_act(tournament, "round.entered", actor, now, {"round": number, "version": round_.version})
    return round_


@in_transaction
def publish_round(actor: Actor, round_: Round, now: datetime) -> Round:
    """Show a paired round to everybody and open it for results; byes count from here on.

    Who was disqualified since it was paired loses at once; a game loss from a version that was withdrawn counts in this
    one.
    """
    tournament, round_ = lock_round(round_)
    if round_.state != Round.State.PAIRED:
        raise Conflict("published_already", _("Round %(number)d is published already.") % {"number": round_.number})
    check_everybody_placed(round_)
    round_.state, round_.published_at = Round.State.PUBLISHED, now
    round_.save(update_fields=["state", "published_at"])
    carry_game_losses(actor, round_, now)
    store_single_seat_reports(tournament, round_, now)
    store_walkovers(round_, now)
    store_match_losses(actor, round_, now)
    give_needed_time(round_.matches.all())
    ask_to_tell(tournament, round_, now)
    ask_to_renew(tournament, now)
    log_act(tournament, "round.published", actor, now, {"round": round_.number, "version": round_.version})
    return round_


@in_transaction
def withdraw_round(actor: Actor, round_: Round, reason: str, now: datetime) -> Round:
    """Take the newest round back so that it can be paired again; its version is kept. Refused once results came in.

    The round before opens again, so that it can be corrected; others that wait for results stay as they are. With the
    very first round go the seeds that were drawn with it, so that others can still be entered.
    Who left since it was paired is then gone after the last round of theirs that counts; who came since plays in what
    is paired in its place.
    Where opponents were shown each other's lists, the log says how many matches had begun: they cannot forget them.
    """
    tournament, round_ = lock_round(round_)
    reason = require_reason(reason)
    later = rounds_after(round_).first()
    if later is not None:
        raise Conflict(
            "later_round",
            _("Take back round %(later)d before round %(number)d.") % {"later": later.number, "number": round_.number},
        )
    if round_.state == Round.State.CLOSED or has_results(round_):
        raise Conflict(
            "results_came_in", _("Round %(number)d has results: you can't take it back.") % {"number": round_.number}
        )
    was_published = int(round_.state == Round.State.PUBLISHED)
    subjects: dict[str, int | str] = {"round": round_.number, "version": round_.version, "published": was_published}
    if shown := shown_to_opponents(tournament, round_):
        subjects["shown_to_opponents"] = shown
    round_.superseded_at = now
    round_.save(update_fields=["superseded_at"])
    end_clocks([round_.pk], now)
    if earlier := correct_leavers(tournament, round_.number):
        subjects["gone_earlier"] = earlier
    tournament.entries.filter(entered_round__gt=round_.number).update(entered_round=round_.number)
    before = current_round(tournament)
    if before is None:
        Stage.objects.filter(pk=round_.stage_id, number=1).update(seeds=None, started_at=None)
    elif before.stage_id == round_.stage_id:
        Round.objects.filter(pk=before.pk).update(state=Round.State.PUBLISHED, closed_at=None)
    log_act(tournament, "round.withdrawn", actor, now, subjects, {"reason": reason})
    return round_


def _named(missing: Sequence[Match]) -> dict[str, int | str]:
    """What the log says of matches that a round was paired without: how many, and as round/table which."""
    if not missing:
        return {}
    named = ", ".join(f"{match.round.number}/{match.table_number}" for match in missing[:MAX_TABLES])
    return {"missing": len(missing), "without": named + (" …" if len(missing) > MAX_TABLES else "")}


def lock_round(round_: Round) -> tuple[Tournament, Round]:
    """Lock tournament, then round; a superseded round or an event that does not run is refused."""
    tournament = lock_tournament_of(round_.stage.tournament_id)
    round_ = Round.objects.select_for_update(of=("self",)).select_related("stage").get(pk=round_.pk)
    round_.stage.tournament = tournament
    if tournament.state != Tournament.State.RUNNING or round_.superseded_at is not None:
        raise Conflict("round_closed", _("Round %(number)d is not open any more.") % {"number": round_.number})
    return tournament, round_


def _begin_round(
    actor: Actor, tournament: Tournament, now: datetime, after: int | None, without: Collection[int] = ()
) -> tuple[Tournament, int, list[Match]]:
    """The event, locked, with the number of its next round and the accepted matches that still have no result."""
    tournament = lock_tournament(tournament)
    if tournament.state != Tournament.State.RUNNING:
        raise DomainError(
            "wrong_state",
            _("Rounds need a running event; it's “%(state)s”.") % {"state": tournament.get_state_display()},
        )
    rounds = list(rounds_of(tournament))
    number = rounds[-1].number if rounds else 0
    if after is not None and after < number:
        raise Conflict(
            "already_paired", _("Round %(number)d is paired already.") % {"number": after + 1}, round=after + 1
        )
    if after is not None and after > number:
        raise Conflict(
            "not_paired_yet",
            _("Pair round %(next)d before round %(number)d.") % {"number": after + 1, "next": number + 1},
            round=number + 1,
        )
    return tournament, number + 1, close_rounds(actor, tournament, now, frozenset(without), rounds=rounds)


def _seeded(stage: Stage, actor: Actor, now: datetime) -> Stage:
    """The stage with its seeds: the first is seeded by lot with its first round where everything follows from seeds."""
    if stage.seeds is None and stage.kind not in (Stage.Kind.SWISS, Stage.Kind.TABLES):
        rows = contestants(stage).values_list("pk", "number")
        seeds = [pk for pk, number in sorted(rows, key=lambda row: lot_of(stage.tournament, row[1]))]
        if len(seeds) < 2:
            raise DomainError("too_few_entries", _("A round needs at least two players."))
        stage.seeds, stage.started_at = seeds, now
        stage.save(update_fields=["seeds", "started_at"])
        log_act(stage.tournament, "stage.begun", actor, now, {"stage": stage.number, "players": len(seeds)})
    return stage


def _check_manual(pairings: Sequence[ManualPairing], members: Collection[int]) -> None:
    seated = [entry.pk for pairing in pairings for entry in (pairing.first, pairing.second) if entry is not None]
    if any((pairing.second is None) == (pairing.kind is MatchKind.PLAYED) for pairing in pairings):
        raise DomainError("bad_pairing", _("A match needs two players; else enter a bye or no-show."))
    if strangers := [pk for pk in seated if pk not in members]:
        raise DomainError(
            "not_playing",
            _("A player in the pairings has dropped. Leave them out, or re-enter them first."),
            entries=strangers,
        )
    if len(set(seated)) != len(seated) or set(seated) != set(members):
        raise DomainError("bad_pairing", _("Give each player exactly one seat."))


def _store_round(stage: Stage, number: int, now: datetime, certificate: Mapping[str, Any]) -> Round:
    version = Round.objects.filter(stage=stage, number=number).count() + 1
    try:
        with transaction.atomic():
            lots = draw_lots(stage.tournament_id, number, version, certificate.get("seed"))
            return Round.objects.create(
                stage=stage, number=number, version=version, paired_at=now, lots=lots,
                results_changed_at=cut_changed_at(stage), **certificate,
            )  # fmt: skip
    except IntegrityError as error:
        raise Conflict(
            "already_paired", _("Round %(number)d is paired already.") % {"number": number}, round=number
        ) from error


def _store_matches(round_: Round, planned: Sequence[PlannedMatch]) -> None:
    members = EntryMember.objects.filter(tournament=round_.stage.tournament_id, order=1)
    member_of = dict(members.values_list("entry_id", "pk"))
    matches = Match.objects.bulk_create(
        Match(
            round=round_, table_number=each.table, kind=each.kind.value, bracket=each.bracket,
            explanation=each.explanation, locked=each.locked,
        )
        for each in planned
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, order=order, entry_id=entry, member_id=member_of[entry])
        for match, each in zip(matches, planned, strict=True)
        for order, entry in enumerate(each.entries, start=1)
    )
