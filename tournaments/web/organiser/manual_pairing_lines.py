"""Lines of the pages for changing tables by hand: who may go where, what it costs, what stands against it."""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from tournaments.decks.selectors.deck_view import shown_to_opponents
from tournaments.manual_pairing.selectors import Preview, leaving_matches, meetings_of, moved_game_losses
from tournaments.manual_pairing.services import check_changeable
from tournaments.models import Match, PairingChange, Round, Stage, Tournament
from tournaments.pairing.manual.fields import Cost
from tournaments.pairing.manual.minimal_repairing import MINIMAL_REPAIR
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Kind, RoundDraft, Seating, difference
from tournaments.pairing.pods.contenders import TableCost
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.rounds.selectors.explanations import is_seating
from tournaments.web.shared.lookups import People
from tournaments.web.shared.manual_pairing_words import (
    cost_rows,
    notes_of,
    places_in_words,
    title_of,
    verdict_of,
)
from tournaments.web.shared.penalty_words import carried_in_words

A_PAGE = 200
MAX_TOLD = 4
"""Places up to which the list of changes names the players."""


def change_url(tournament: Tournament, round_: Round, **query: Any) -> str:
    """The address of the preview of a change."""
    params = {key: value for key, value in query.items() if value is not None}
    return f"{reverse('change_tables', args=[tournament.slug, round_.pk])}?{urlencode(params)}"


def number_of(change: Any) -> int | None:
    return None if change is None else change.number


def preview_context(round_: Round, preview: Preview, change: Change | None, people: People) -> dict[str, Any]:
    gone, come = difference(preview.now, preview.after)
    shown = shown_to_opponents(round_.stage.tournament, round_, [row.pk for row in leaving_matches(round_, preview)])
    published = round_.state == Round.State.PUBLISHED
    return {
        "preview": preview,
        "title": title_of(change, people, number_of(preview.undoes)),
        "gone": places_in_words(gone[:A_PAGE], people),
        "come": places_in_words(come[:A_PAGE], people),
        "more": max(0, len(come) - A_PAGE),
        "rows": cost_rows(preview),
        "verdict": verdict_of(preview.bill_after, preview.best.cost, proved=preview.best.proved),
        "notes": [
            *carried_in_words(moved_game_losses(round_, preview), people),
            *notes_of(preview, meetings_of(round_, come), shown, people, published=published),
        ],
    }


def repair_minimal_url(tournament: Tournament, round_: Round) -> str:
    """Where a Swiss round is repaired whose results changed after its pairing, unless that was done already."""
    changed = round_.results_changed_at
    if round_.stage.kind != Stage.Kind.SWISS or changed is None:
        return ""
    if round_.changes.filter(after__engine=MINIMAL_REPAIR, made_at__gte=changed).exists():
        return ""
    return change_url(tournament, round_, act=Act.REPAIR_MINIMAL.value, reason=_("Results changed after the pairing"))


def table_line(
    seating: Seating,
    people: People,
    points: dict[int, int],
    ids: dict[tuple[int, ...], int],
    inactive: Collection[int],
    most: int,
) -> dict[str, Any]:
    """A table of the list: its match, and of each player number, name, points, an unmet need, whether he left.

    Its players may be swapped unless it has begun or was given up; `room` are the seats that are free.
    """
    players = [
        (people.number(seat), people(seat), points.get(seat), _unmet_need(seating, seat, people), seat in inactive)
        for seat in seating.seats
    ]
    may_swap = not seating.begun and seating.kind != Kind.NO_SHOW
    room = 0 if seating.number is None or seating.begun else max(0, most - len(seating.seats))
    return {"seating": seating, "match": ids.get(seating.seats), "players": players, "may_swap": may_swap, "room": room}


def places_after(change: PairingChange, people: People) -> list[dict[str, Any]]:
    """Who sits where after a change of a few tables, or sat where it left none; nothing for one of many."""
    after = change.after["seatings"] or change.before["seatings"]
    return places_in_words([Seating.from_dict(each) for each in after], people) if len(after) <= MAX_TOLD else []


def _unmet_need(seating: Seating, seat: int, people: People) -> int | None:
    """The fixed table of a person who sits at another one."""
    table = people.entries[seat].fixed_table
    return None if seating.number is None or table == seating.number else table


def seats_of(match: Match) -> tuple[int, ...]:
    return tuple(seat.entry_id for seat in sorted(match.seats.all(), key=lambda seat: seat.order))


def fits(seating: Seating, words: str, people: People) -> bool:
    """Whether a table is looked for: by its number, or by a part of a name."""
    if not words:
        return True
    if words.isdecimal():
        return str(seating.number) == words or any(str(people.number(seat)) == words for seat in seating.seats)
    return any(words.casefold() in people(seat).casefold() for seat in seating.seats)


def is_changeable(round_: Round) -> bool:
    try:
        check_changeable(round_)
    except DomainError:
        return False
    return True


def offer(entry: int, bye: int | None, people: People, round_: Round, tournament: Tournament) -> dict[str, Any]:
    """A person without a place, and the quickest way to one: against whoever has the bye, else the bye itself.

    At tables of several the other way is to pick the player, then a table with room.
    """
    reason = _("%(name)s had no place in the round") % {"name": people(entry)}
    offer: dict[str, Any] = {"number": people.number(entry), "name": people(entry)}
    query: dict[str, Any] = {"act": Act.BYE.value, "one": people.number(entry), "reason": reason}
    if bye is not None:
        query |= {"act": Act.MAKE.value, "other": people.number(bye)}
        offer |= {"opponent": people(bye)}
    return {**offer, "url": change_url(tournament, round_, **query)}


def pair_of_unplaced(draft: RoundDraft, people: People, round_: Round, tournament: Tournament) -> dict[str, str] | None:
    """Where two or more have no place: a table of the first two."""
    if len(draft.unplaced) < 2:
        return None
    one, other = draft.unplaced[:2]
    reason = _("Both had no place in the round")
    url = change_url(
        tournament, round_, act=Act.MAKE.value, one=people.number(one), other=people.number(other), reason=reason
    )
    return {"one": people(one), "other": people(other), "url": url}


def standing_verdict(round_: Round, draft: RoundDraft) -> str:
    """How a round compares with the best, as far as it keeps that."""
    if not round_.stage.counts_rounds or not round_.cost or not round_.bound or draft.unplaced:
        return ""
    cost, bound = (_cost(side) for side in (round_.cost, round_.bound))
    return verdict_of(CostReport(0, cost), bound, proved=cost == bound)


def _cost(stored: dict[str, Any]) -> Cost:
    if is_seating(stored):
        return TableCost(**stored)
    return PairingCost(**{**stored, "downfloats": tuple(stored.get("downfloats", ()))})
