"""Rounds changed by hand: each change with its reason and its cost, undone only by another change.

A table whose players change starts anew. In a published round the old one is kept in a superseded version of the round,
where it counts no more: nothing of it, neither reports nor placed decks, comes to other players. A game loss goes with
its player.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, needed
from tournaments.core.ledger import lock_tournament, log_act, require_reason
from tournaments.core.rounds import rounds_after
from tournaments.decks.selectors.deck_ready import in_order
from tournaments.decks.selectors.deck_view import shown_to_opponents
from tournaments.entries.services.attendance import correct_leavers
from tournaments.entries.services.pairing_constraints import give_needed_time
from tournaments.manual_pairing.selectors import (
    Preview,
    last_change,
    preview_change,
    preview_undo,
    returned_entries,
    round_draft_of,
    rows_of,
    seen_mark,
    unplaced_entries,
)
from tournaments.manual_pairing.words import MAX_NAMES, fixed_pairings, refusal_in_words
from tournaments.models import Entry, EntryMember, Match, MatchSheet, PairingChange, Round, Seat, Tournament
from tournaments.notifications.services import ask_to_tell
from tournaments.pairing.manual.minimal_repairing import MINIMAL_REPAIR
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Refused, RoundDraft, Seating, difference
from tournaments.penalties.services import carry_game_losses
from tournaments.rounds.services.automatic_results import store_single_seat_reports
from tournaments.rounds.services.superseded_matches import take_away

Kind = PairingChange.Kind
KINDS = {Act.SEATS: Kind.SWAP, Act.REPAIR_MINIMAL: Kind.REPAIR}
"""How changes are kept whose act has no kind of its own."""


def rule_of(act: str) -> str:
    """The permission that an act by name needs: turned seats are a judge's too (docs/how-it-works/trust.md#access)."""
    return "round.turn_seats" if act == Act.SEATS else "round.arrange"


@in_transaction
def change_round(
    actor: Actor, round_: Round, change: Change, reason: str, now: datetime, *, seen: str
) -> PairingChange:
    """Change the places of a round that is not closed, at once for everybody where it is published.

    `seen` is the `seen_mark` of what the actor looked at: Conflict "pairings_changed" if it moved since. Raises
    Conflict "round_closed", DomainError "fixed_pairings", Conflict "has_begun" naming the tables that nobody may touch
    any more, DomainError "reason_needed", and the codes of `pairing.manual.changes.change_draft`.
    """
    reason = require_reason(reason)
    tournament, round_ = _lock(round_)
    preview = look_at_change(round_, change, seen=seen)
    kind = KINDS.get(change.act) or Kind(change.act.value)
    return _store(actor, tournament, round_, kind, preview, reason, now, act=_act_name(change.act))


@in_transaction
def undo_change(actor: Actor, round_: Round, reason: str, now: datetime, *, seen: str) -> PairingChange:
    """Undo the latest change of a round that is not undone yet, as a change of its own; raises as `change_round`."""
    reason = require_reason(reason)
    tournament, round_ = _lock(round_)
    preview = look_at_undo(round_, seen=seen)
    return _store(actor, tournament, round_, Kind.UNDO, preview, reason, now, act="round.undo")


def look_at_change(round_: Round, change: Change, *, seen: str | None = None) -> Preview:
    """What a change would lead to, nothing stored; raises as `change_round`, for `seen` only where it is given."""
    now = _look(round_, seen)
    return _checked(lambda: preview_change(round_, now, change))


def look_at_undo(round_: Round, *, seen: str | None = None) -> Preview:
    """What undoing the latest change would lead to, nothing stored; raises DomainError "nothing_to_undo" too."""
    now = _look(round_, seen)
    last = needed(last_change(round_), DomainError("nothing_to_undo", _("There are no manual changes to undo.")))
    return _checked(lambda: preview_undo(round_, now, last))


def check_changeable(round_: Round) -> None:
    """Refuse a round whose places nobody may change: closed, superseded, of fixed pairings, the event not running.

    So is one that waits for results while the next is paired: that was paired on who sat together here.
    """
    tournament = round_.stage.tournament
    runs = tournament.state == Tournament.State.RUNNING and round_.superseded_at is None
    if not runs or round_.state == Round.State.CLOSED or rounds_after(round_).exists():
        raise Conflict("round_closed", _("Round %(number)d is not open any more.") % {"number": round_.number})
    if not round_.stage.counts_rounds:
        raise DomainError("fixed_pairings", fixed_pairings())


def check_everybody_placed(round_: Round) -> None:
    """Refuse to publish while a person who plays has no place: DomainError "unplaced", naming them."""
    if unplaced := unplaced_entries(round_):
        text = ngettext(
            "%(count)d player has no table or bye in round %(round)d: %(names)s. Seat them first.",
            "%(count)d players have no table or bye in round %(round)d: %(names)s. Seat them first.",
            len(unplaced),
        )
        raise DomainError("unplaced", text % _facts(round_, unplaced), entries=[each.number for each in unplaced])
    if back := returned_entries(round_):
        text = ngettext(
            "%(count)d player is back since round %(round)d was paired: %(names)s. Take it back and pair it again.",
            "%(count)d players are back since round %(round)d was paired: %(names)s. Take it back and pair it again.",
            len(back),
        )
        raise DomainError("unplaced", text % _facts(round_, back), entries=[each.number for each in back])


def _facts(round_: Round, entries: Sequence[Entry]) -> dict[str, int | str]:
    names = ", ".join(f"{entry.name} (#{entry.number})" for entry in entries[:MAX_NAMES])
    return {"count": len(entries), "round": round_.number, "names": names}


def _checked(look: Callable[[], Preview]) -> Preview:
    """The preview that `look` gives; what the places refuse comes as DomainError of the same code, in words."""
    try:
        return look()
    except Refused as refusal:
        raise refusal_in_words(refusal) from refusal


def _lock(round_: Round) -> tuple[Tournament, Round]:
    """Lock tournament, then round, both as they are now."""
    tournament = lock_tournament(round_.stage.tournament)
    round_ = Round.objects.select_for_update(of=("self",)).select_related("stage").get(pk=round_.pk)
    round_.stage.tournament = tournament
    check_changeable(round_)
    _wait_for_writers(round_)
    return tournament, round_


def _wait_for_writers(round_: Round) -> None:
    """Lock the score sheets: a table that is being written on now has begun, whoever writes later finds it gone."""
    list(MatchSheet.objects.select_for_update(of=("self",)).filter(match__round=round_).order_by("pk").values("pk"))


def _look(round_: Round, seen: str | None) -> RoundDraft:
    check_changeable(round_)
    now = round_draft_of(round_)
    if seen is not None and seen != seen_mark(round_, now):
        raise Conflict("pairings_changed", _("Not saved: the tables have changed. Check again."))
    return now


def _act_name(act: Act) -> str:
    """Turned seats are an act at a match, which judges may do and read."""
    return "match.seats_turned" if act is Act.SEATS else f"round.{act.value}"


def _store(
    actor: Actor,
    tournament: Tournament,
    round_: Round,
    kind: Kind,
    preview: Preview,
    reason: str,
    now: datetime,
    *,
    act: str,
) -> PairingChange:
    gone, come = difference(preview.now, preview.after)
    stay, leave = _split(rows_of(round_, gone), come)
    shown = shown_to_opponents(tournament, round_, [row.pk for row in leave])
    before, after = places_of(gone), places_of(come) | _origin(preview)
    number = (round_.changes.aggregate(latest=Max("number"))["latest"] or 0) + 1
    change = PairingChange.objects.create(
        round=round_, number=number, kind=kind, before=before, after=after, reason=reason,
        cost_before=cost_as_dict(preview.bill_now), cost_after=cost_as_dict(preview.bill_after),
        actor=actor.key, actor_label=actor.label[:120], made_at=now, undoes=preview.undoes,
    )  # fmt: skip
    take_away(round_, leave, now)
    _renumber(stay)
    new = _store_new(round_, [each for each in come if each not in {kept for _row, kept in stay}])
    if round_.state == Round.State.PUBLISHED:
        carry_game_losses(actor, round_, now)
        store_single_seat_reports(tournament, round_, now)
        give_needed_time(round_.matches.filter(pk__in=new))
        ask_to_tell(tournament, round_, now)
    _let_play(round_, come)
    _certify(round_, preview)
    numbers = sorted({each.number for each in (*gone, *come) if each.number is not None})
    subjects: dict[str, int | str] = {
        "round": round_.number, "version": round_.version, "change": number,
        "tables": ", ".join(map(str, numbers[:MAX_NAMES])), "published": int(round_.state == Round.State.PUBLISHED),
    }  # fmt: skip
    if preview.undoes is not None:
        subjects["undoes"] = preview.undoes.number
    if preview.outcome.paired is not None:
        subjects |= {"seed": preview.outcome.paired.seed, "input": preview.outcome.paired.input_hash}
    if shown:
        subjects["shown_to_opponents"] = shown
    if leavers := correct_leavers(tournament, round_.number):
        subjects["leavers"] = leavers
    log_act(tournament, act, actor, now, subjects, {"reason": reason})
    return change


def places_of(seatings: Sequence[Seating]) -> dict[str, Any]:
    """Tables as a change keeps them."""
    return {"seatings": [each.as_dict() for each in seatings]}


def cost_as_dict(bill: CostReport) -> dict[str, Any]:
    """A bill as a change keeps it."""
    return {"unplaced": bill.unplaced, **asdict(bill.cost)}


def _origin(preview: Preview) -> dict[str, Any]:
    """All that computes tables that were paired again once more (docs/how-it-works/trust.md#p3)."""
    given, paired = preview.outcome.given, preview.outcome.paired
    if given is None or paired is None:
        return {}
    origin = {"given": given.as_dict(), "engine": paired.engine, "seed": paired.seed, "input_hash": paired.input_hash}
    stood = preview.outcome.stood
    return {**origin, "stood": [list(each) for each in stood]} if paired.engine == MINIMAL_REPAIR else origin


def _split(rows: Sequence[Match], come: Sequence[Seating]) -> tuple[list[tuple[Match, Seating]], list[Match]]:
    """The matches that stay themselves, as the same people keep the same seats, with what they become; and the rest."""
    kept = {(tuple(seat.entry_id for seat in in_order(row.seats.all())), row.kind): row for row in rows}
    stay = [(kept.pop(key), each) for each in come if (key := (each.seats, each.kind.value)) in kept]
    return stay, list(kept.values())


def _renumber(stay: Sequence[tuple[Match, Seating]]) -> None:
    Match.objects.filter(pk__in=[row.pk for row, _each in stay]).update(table_number=None)
    for row, each in stay:
        row.table_number, row.locked, row.explanation = each.number, each.locked, list(each.reasons)
    Match.objects.bulk_update([row for row, _each in stay], ["table_number", "locked", "explanation"], batch_size=500)


def _store_new(round_: Round, seatings: Sequence[Seating]) -> list[int]:
    """The ids of the matches stored for these tables."""
    matches = Match.objects.bulk_create(
        Match(
            round=round_, table_number=each.number, kind=each.kind.value, locked=each.locked,
            explanation=list(each.reasons),
        )
        for each in seatings
    )  # fmt: skip
    wanted = {entry for each in seatings for entry in each.seats}
    members = dict(EntryMember.objects.filter(entry__in=wanted, order=1).values_list("entry_id", "pk"))
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, order=order, entry_id=entry, member_id=members[entry])
        for match, each in zip(matches, seatings, strict=True)
        for order, entry in enumerate(each.seats, start=1)
    )
    return [match.pk for match in matches]


def _let_play(round_: Round, seatings: Sequence[Seating]) -> None:
    """Who came late and got a place plays from this round on."""
    placed = {entry for each in seatings for entry in each.seats}
    Entry.objects.filter(pk__in=placed, entered_round__gt=round_.number).update(entered_round=round_.number)


def _certify(round_: Round, preview: Preview) -> None:
    """Let a paired round tell the cost of what stands now; one entered by hand has no certificate."""
    if not round_.cost:
        return
    bill, best = preview.bill_after, preview.best
    round_.cost, round_.bound = asdict(bill.cost), asdict(best.bound)
    round_.proved = bill.unplaced == 0 and bill.cost == best.bound
    round_.save(update_fields=["cost", "bound", "proved"])
