"""What single entries need: a fixed table, a person never to meet, byes given beforehand, private needs.

All but byes are known to few (docs/how-it-works/trust.md#access). So the ledger tells of them
with one act that names nobody; what was done, and for whom, stands among its personal values, which officials read
and which can be erased.
"""

from collections.abc import Collection
from datetime import datetime

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotFound
from tournaments.core.ledger import expect_state, lock_tournament, log_act
from tournaments.entries.selectors.pairing_constraints import apart_of
from tournaments.entries.services.attendance import OPEN_STATES, expect_entry_state, next_round_number
from tournaments.models import AwardedBye, Entry, KeptApart, Match, Seat, Tournament
from tournaments.structure.selectors.stages import current_stage, stages_of

LAST_TABLE, LAST_ROUND, MAX_REASON = 9999, 99, 500
MAX_EXTRA_MINUTES = 60
PLAYING = (Entry.State.REGISTERED, Entry.State.WAITING)


@in_transaction
def fix_table(actor: Actor, entry: Entry, table: int | None, now: datetime) -> Entry:
    """Give an entry the table that it needs in every round to come, or with None take it away.

    DomainError "bad_table" outside 1..9999; Conflict "table_taken" where it is the fixed table of another who plays.
    """
    tournament, entry = _lock(entry)
    if table is not None:
        _check_table(tournament, entry, table)
    if table != entry.fixed_table:
        entry.fixed_table, entry.fixed_table_set_at = table, None if table is None else now
        entry.save(update_fields=["fixed_table", "fixed_table_set_at"])
        said = {"what": "no_table"} if table is None else {"what": "table", "table": str(table)}
        _log_need(actor, tournament, entry, now, said)
    return entry


def _check_table(tournament: Tournament, entry: Entry, table: int) -> None:
    if not 1 <= table <= LAST_TABLE:
        raise DomainError(
            "bad_table", _("Choose a table from 1 to %(last)d.") % {"last": LAST_TABLE}, field="fixed_table"
        )
    holder = tournament.entries.filter(fixed_table=table, state__in=PLAYING).exclude(pk=entry.pk).first()
    if holder is not None:
        raise Conflict(
            "table_taken",
            _("Table %(table)d is fixed for %(name)s (no. %(number)d).")
            % {"table": table, "name": holder.name, "number": holder.number},
            field="fixed_table",
        )


@in_transaction
def note_needs(actor: Actor, entry: Entry, needs: Collection[str], extra_minutes: int, now: datetime) -> Entry:
    """Keep what an entry needs of its place, its slips and the clock, from the next round paired or published on.

    DomainError "bad_need", "bad_extra_time". The log tells of whom, never what.
    """
    tournament, entry = _lock(entry)
    if unknown := sorted(set(needs) - set(Entry.Need.values)):
        raise DomainError("bad_need", _("Unknown need: %(need)s.") % {"need": unknown[0]}, field="needs")
    if not 0 <= extra_minutes <= MAX_EXTRA_MINUTES:
        text = _("Choose up to %(most)d extra minutes.") % {"most": MAX_EXTRA_MINUTES}
        raise DomainError("bad_extra_time", text, field="extra_minutes")
    noted = [need for need in Entry.Need.values if need in needs]
    if (noted, extra_minutes) != (entry.needs, entry.extra_minutes):
        entry.needs = noted
        entry.extra_minutes = extra_minutes
        entry.save(update_fields=["needs", "extra_minutes"])
        _log_need(actor, tournament, entry, now, {"what": "private"})
    return entry


def give_needed_time(matches: QuerySet[Match]) -> None:
    """Give matches that begin the extra minutes that a person at them needs, as any extra time; untold why."""
    longest = Seat.objects.filter(match=OuterRef("pk")).order_by("-entry__extra_minutes")
    played = matches.filter(kind=Match.Kind.PLAYED, seats__entry__extra_minutes__gt=0)
    played.update(extra_seconds=60 * Subquery(longest.values("entry__extra_minutes")[:1]))


@in_transaction
def keep_apart(actor: Actor, entry: Entry, other: Entry, reason: str, now: datetime) -> KeptApart:
    """Never pair two entries of one event, from the next round on; the reason may be left empty.

    DomainError "same_entry"; Conflict "apart_already".
    """
    tournament, entry = _lock(entry)
    if other.pk == entry.pk or other.tournament_id != tournament.pk:
        raise DomainError("same_entry", _("Choose another player of this event."), field="other")
    if apart_of(entry, other).exists():
        raise Conflict("apart_already", _("These two already avoid each other."), field="other")
    one, two = sorted((entry, other), key=lambda each: each.pk)
    reason = " ".join(reason.split())[:MAX_REASON]
    kept = KeptApart.objects.create(one=one, other=two, reason=reason)
    said = {"what": "apart", "other": str(other.number)} | ({"reason": reason} if reason else {})
    _log_need(actor, tournament, entry, now, said)
    return kept


@in_transaction
def let_meet(actor: Actor, entry: Entry, other: Entry, now: datetime) -> None:
    """Take back that two entries are kept apart; NotFound "not_apart"."""
    tournament, entry = _lock(entry)
    if not apart_of(entry, other).delete()[0]:
        raise NotFound("not_apart", _("These two don't avoid each other."))
    _log_need(actor, tournament, entry, now, {"what": "meet", "other": str(other.number)})


@in_transaction
def award_byes(actor: Actor, entry: Entry, rounds: Collection[int], now: datetime) -> list[AwardedBye]:
    """Give an entry a bye in rounds that are not paired yet; it counts like any other bye.

    DomainError "no_byes" where the stage pairs everybody as it must, "no_such_round", "round_paired"; Conflict
    "wrong_entry_state" for whoever does not play, "bye_given".
    """
    tournament, entry = _lock(entry)
    expect_entry_state(entry, *PLAYING)
    if not current_stage(tournament).counts_rounds:
        raise DomainError("no_byes", _("This stage has no byes to give."), field="rounds")
    wanted = sorted(set(rounds))
    if not wanted:
        raise DomainError("no_such_round", _("Enter at least one round."), field="rounds")
    for number in wanted:
        _check_round(tournament, number)
    if given := sorted(set(wanted).intersection(entry.awarded_byes.values_list("round_number", flat=True))):
        raise Conflict(
            "bye_given",
            _("%(name)s already has a bye in round %(number)d.") % {"name": entry.name, "number": given[0]},
            field="rounds",
        )
    byes = AwardedBye.objects.bulk_create(AwardedBye(entry=entry, round_number=number) for number in wanted)
    subjects: dict[str, int | str] = {"entry": entry.number, "rounds": " ".join(map(str, wanted))}
    log_act(tournament, "entry.bye_awarded", actor, now, subjects)
    return byes


@in_transaction
def take_bye_back(actor: Actor, entry: Entry, number: int, now: datetime) -> None:
    """Take an awarded bye back before its round is paired: DomainError "round_paired", NotFound "no_bye"."""
    tournament, entry = _lock(entry)
    bye = entry.awarded_byes.filter(round_number=number).first()
    if bye is None:
        raise NotFound("no_bye", _("%(name)s has no bye in round %(number)d.") % {"name": entry.name, "number": number})
    _check_round(tournament, number)
    bye.delete()
    log_act(tournament, "entry.bye_taken_back", actor, now, {"entry": entry.number, "round": number})


def _check_round(tournament: Tournament, number: int) -> None:
    """Refuse a round that the event does not have, or that is paired or over."""
    goes_on = any(stage.counts_rounds for stage in stages_of(tournament)[1:])
    last, coming = LAST_ROUND, next_round_number(tournament)
    if tournament.swiss_rounds and not goes_on:
        last = tournament.swiss_rounds
    if not 1 <= number <= last:
        raise DomainError("no_such_round", _("This event has rounds 1 to %(last)d.") % {"last": last}, field="rounds")
    if number < coming - 1:
        raise DomainError("round_paired", _("Round %(number)d is over.") % {"number": number}, field="rounds")
    if number < coming:
        raise DomainError(
            "round_paired",
            _("Round %(number)d is paired: choose a later one.") % {"number": number},
            field="rounds",
        )


def _lock(entry: Entry) -> tuple[Tournament, Entry]:
    tournament = lock_tournament(entry.tournament)
    expect_state(tournament, *OPEN_STATES)
    return tournament, Entry.objects.select_for_update().get(pk=entry.pk)


def _log_need(actor: Actor, tournament: Tournament, entry: Entry, now: datetime, said: dict[str, str]) -> None:
    log_act(tournament, "need.changed", actor, now, None, {"entry": str(entry.number), **said})
