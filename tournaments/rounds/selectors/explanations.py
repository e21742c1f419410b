"""Why a match was paired, as it was stored, and whom its reasons name."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from tournaments.models import Entry, Match, Round, Tournament
from tournaments.pairing.certificates import explain_certificate, explain_seating
from tournaments.pairing.pods.contenders import TableCost
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.pairing.swiss.explain import BY_HAND, Reason
from tournaments.rounds.words import ids_in

TERMS = frozenset(each.name for each in fields(PairingCost))
TABLE_TERMS = frozenset(each.name for each in fields(TableCost))


def reasons_of(match: Match) -> tuple[Reason, ...]:
    """The stored reasons of a match; by hand where its round was entered, none where none were stored."""
    if match.explanation:
        return tuple(Reason.from_dict(each) for each in match.explanation)
    return (BY_HAND,) if match.round.is_by_hand else ()


def entries_named(tournament: Tournament, reasons: Iterable[Reason]) -> dict[int, Entry]:
    """The entries that some reasons name, by id; one query, none for nobody."""
    ids = ids_in(reasons)
    return tournament.entries.in_bulk(sorted(ids)) if ids else {}


def certificate_of(round_: Round, *, compares: bool = True) -> tuple[Reason, ...]:
    """What is known of a whole round; nothing for one paired by hand, or by rules that know no such cost.

    Where it must not compare, only what anybody can count: next to changes by hand, how far a round is from the best
    one would tell whom the staff keep apart.
    """
    known = _explained(round_)
    if not known:
        return ()
    verdict, *counts = known
    if compares:
        return (verdict, *counts)
    return tuple(Reason(each.code, {**each.params, "least": 0}) for each in counts)


def is_seating(cost: Mapping[str, Any]) -> bool:
    """Whether a stored cost has the terms of tables of several players, and not those of pairs."""
    return "repeats" in cost


def _explained(round_: Round) -> tuple[Reason, ...]:
    """The certificate by the terms of its own kind; nothing for terms of an engine that is not known any more."""
    cost, bound = round_.cost, round_.bound
    if not cost or not bound:
        return ()
    if cost.keys() <= TERMS:
        return explain_certificate(_cost(cost), _cost(bound), proved=round_.proved)
    if cost.keys() <= TABLE_TERMS:
        return explain_seating(TableCost(**cost), TableCost(**bound), proved=round_.proved)
    return ()


def _cost(stored: dict[str, Any]) -> PairingCost:
    return PairingCost(**{**stored, "downfloats": tuple(stored.get("downfloats", ()))})
