"""Pages on which staff change the tables of a round by hand: look at what a change costs, say why, store it."""

import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import DomainError, NotAllowed, NotFound
from tournaments.decks.selectors.deck_view import shown_to_opponents
from tournaments.manual_pairing.forms import ChangeForm, ConfirmForm
from tournaments.manual_pairing.selectors import (
    Preview,
    arrangement_of,
    changes_of,
    contenders_in,
    last_change,
    meetings_of,
    rows_of,
    seen_mark,
)
from tournaments.manual_pairing.services import (
    change_round,
    check_changeable,
    look_at_change,
    look_at_undo,
    rule_of,
    undo_change,
)
from tournaments.models import Match, PairingChange, Round, Stage, Tournament
from tournaments.pairing.manual.minimal_repairing import MENDED
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, RoundDraft, Seating, difference
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.rounds.services.rounds import SEED_BITS
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.rounds import find_round
from tournaments.web.shared.lookups import People
from tournaments.web.shared.manual_pairing_words import (
    cost_rows,
    describe_change,
    notes_of,
    places_in_words,
    title_of,
    verdict_of,
)

A_PAGE = 200
MAX_LISTED = 20
MAX_TOLD = 4
"""Places up to which the list of changes names the players."""
MAX_OFFERED = 1000
"""Players up to which the fields for players offer all of them."""


def tables_url(tournament: Tournament, round_: Round) -> str:
    """The address of the tables of a round."""
    return reverse("arrange_round", args=[tournament.slug, round_.pk])


def change_url(tournament: Tournament, round_: Round, **query: Any) -> str:
    """The address of a look at a change."""
    told = {key: value for key, value in query.items() if value is not None}
    return f"{reverse('change_tables', args=[tournament.slug, round_.pk])}?{urlencode(told)}"


@event_view("round.preview")
@require_safe
def arrange_round(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """GET …/rounds/<id>/tables/: the tables of a round, who has no place, and what was changed."""
    round_ = find_round(tournament, round_id)
    return _show_tables(request, tournament, round_, ChangeForm(initial={"act": Act.SWAP.value}))


def _show_tables(request: ActorRequest, tournament: Tournament, round_: Round, form: ChangeForm) -> HttpResponse:
    arrangement, people = arrangement_of(round_), People(tournament)
    if not _is_changeable(round_):
        arrangement = replace(arrangement, unplaced=())
    known = {each.id: each for each in contenders_in(round_, arrangement, as_stored=True).contenders}
    points = {each.id: each.score for each in known.values()}
    bye = next((each for each in arrangement.byes if each not in known or not known[each].awarded_bye), None)
    ids = {_seats(match): match.pk for match in round_.matches.prefetch_related("seats")}
    words = " ".join(request.GET.get("q", "").split())
    shown = [each for each in arrangement.seatings if _fits(each, words, people)]
    page = Paginator(shown, A_PAGE).get_page(request.GET.get("page"))
    may_change = _is_changeable(round_) and is_allowed("round.arrange", request.actor, tournament)
    within = people.within(arrangement)
    last = last_change(round_)
    context = {
        "here": "rounds",
        "round": round_,
        "form": form,
        "page": page,
        "words": words,
        "lines": [_line(each, people, points, ids, arrangement.inactive) for each in page.object_list],
        "tables": sum(each.number is not None for each in arrangement.seatings),
        "unplaced": [_offer(each, bye, people, round_, tournament) for each in arrangement.unplaced[:MAX_LISTED]],
        "more_unplaced": max(0, len(arrangement.unplaced) - MAX_LISTED),
        "pair_unplaced": _pair_of_unplaced(arrangement, people, round_, tournament),
        "verdict": _standing_verdict(round_, arrangement),
        "may_change": may_change,
        "may_turn": _is_changeable(round_) and is_allowed("round.turn_seats", request.actor, tournament),
        "repair_url": change_url(tournament, round_, act=Act.REPAIR.value),
        "mend_url": _mend_url(tournament, round_) if may_change else "",
        "undo_url": change_url(tournament, round_, act="undo") if last and may_change else "",
        "last": last,
        "changes": [(change, describe_change(change), _places_after(change, people)) for change in changes_of(round_)],
        "people": within if len(within) <= MAX_OFFERED else [],
    }
    return render_event(request, tournament, "organiser/manual_pairing.html", context)


@event_view("round.preview")
@require_safe
def arrange_table(request: ActorRequest, tournament: Tournament, round_id: int, match_id: int) -> HttpResponse:
    """GET …/rounds/<id>/tables/<match>/: what may be done with one table."""
    round_ = find_round(tournament, round_id)
    match = round_.matches.prefetch_related("seats").filter(pk=match_id).first()
    arrangement, people = arrangement_of(round_), People(tournament)
    seats = None if match is None else _seats(match)
    seating = next((each for each in arrangement.seatings if each.seats == seats), None)
    if seating is None:
        raise NotFound("unknown_match", _("The round no longer has this table."))
    points = {each.id: each.score for each in contenders_in(round_, arrangement, as_stored=True).contenders}
    may_change = _is_changeable(round_) and is_allowed("round.arrange", request.actor, tournament)
    known = people.within(arrangement)
    about: dict[str, Any] = {"table": seating.number}
    if seating.number is None:
        about = {"one": people.number(seating.seats[0])}
    acts = {
        "lock": Act.UNLOCK if seating.locked else Act.LOCK,
        "break": Act.BREAK,
        **({"seats": Act.SEATS} if seating.number is not None else {}),
    }
    context = {
        "here": "rounds",
        "round": round_,
        "seating": seating,
        "inactive": arrangement.inactive,
        "players": [(people.entries[seat], people(seat), points.get(seat)) for seat in seating.seats],
        "urls": {key: change_url(tournament, round_, act=act.value, **about) for key, act in acts.items()},
        "bye_urls": [
            (people(seat), change_url(tournament, round_, act=Act.BYE.value, one=people.number(seat)))
            for seat in seating.seats
        ],
        "may_change": may_change,
        "may_turn": _is_changeable(round_) and is_allowed("round.turn_seats", request.actor, tournament),
        "others": [each for each in known if each.pk not in seating.seats][:MAX_OFFERED],
        "form": ChangeForm(),
    }
    return render_event(request, tournament, "organiser/manual_pairing_table.html", context)


@event_view("round.preview")
@require_http_methods(["GET", "HEAD", "POST"])
def change_tables(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """GET, POST …/rounds/<id>/change/?act=…: look at a change and what it costs; POST stores it, with a reason."""
    round_ = find_round(tournament, round_id)
    check_access(rule_of(request.GET.get("act", "")), request.actor, tournament)
    if request.GET.get("act") == Act.REPAIR and not request.GET.get("seed"):
        kept = {"act": Act.REPAIR.value, "reason": request.GET.get("reason")}
        return redirect(change_url(tournament, round_, **kept, seed=secrets.randbits(SEED_BITS)))
    people = People(tournament)
    form = ChangeForm(request.GET, entries=people.within(arrangement_of(round_)))
    if not form.is_valid():
        return _show_tables(request, tournament, round_, form)
    change = None if form.undoes else form.change()
    confirm = ConfirmForm(request.POST if request.method == "POST" else None, initial=_usual(request.GET))
    if request.method == "POST" and confirm.is_valid() and _stores(request, round_, change, confirm):
        messages.success(request, _("Saved: %(change)s.") % {"change": title_of(change, people, _undone(round_))})
        return redirect(tables_url(tournament, round_))
    return _show_change(request, tournament, round_, change, confirm, people)


def _usual(query: QueryDict) -> dict[str, str]:
    return {"reason": query.get("reason", "")[:500]}


def _undone(round_: Round) -> int | None:
    latest = round_.changes.select_related("undoes").order_by("-number").first()
    return latest.undoes.number if latest and latest.undoes else None


def _stores(request: ActorRequest, round_: Round, change: Change | None, confirm: ConfirmForm) -> bool:
    """Whether the change was stored; what the service refuses becomes an error of the form."""
    reason, seen, now = confirm.cleaned_data["reason"], confirm.cleaned_data["seen"], database_now()
    try:
        if change is None:
            undo_change(request.actor, round_, reason, now, seen=seen)
        else:
            change_round(request.actor, round_, change, reason, now, seen=seen)
    except (NotAllowed, NotFound):
        raise
    except DomainError as error:
        confirm.add_error(None, error.message)
        return False
    return True


def _show_change(
    request: ActorRequest,
    tournament: Tournament,
    round_: Round,
    change: Change | None,
    confirm: ConfirmForm,
    people: People,
) -> HttpResponse:
    round_.refresh_from_db()
    context: dict[str, Any] = {"here": "rounds", "round": round_, "confirm": confirm, "preview": None}
    try:
        preview = look_at_undo(round_) if change is None else look_at_change(round_, change)
    except (NotAllowed, NotFound):
        raise
    except DomainError as error:
        context |= {"refused": error.message, "title": title_of(change, people, _number_of(last_change(round_)))}
        return render_event(request, tournament, "organiser/manual_pairing_change.html", context)
    context |= _preview_context(round_, preview, change, people)
    context["seen"] = seen_mark(round_, preview.now)
    return render_event(request, tournament, "organiser/manual_pairing_change.html", context)


def _number_of(change: Any) -> int | None:
    return None if change is None else change.number


def _preview_context(round_: Round, preview: Preview, change: Change | None, people: People) -> dict[str, Any]:
    gone, come = difference(preview.now, preview.after)
    stay = {(each.seats, each.kind) for each in come}
    rows = rows_of(round_, [each for each in gone if (each.seats, each.kind) not in stay])
    shown = shown_to_opponents(round_.stage.tournament, round_, [row.pk for row in rows])
    published = round_.state == Round.State.PUBLISHED
    return {
        "preview": preview,
        "title": title_of(change, people, _number_of(preview.undoes)),
        "gone": places_in_words(gone[:A_PAGE], people),
        "come": places_in_words(come[:A_PAGE], people),
        "more": max(0, len(come) - A_PAGE),
        "rows": cost_rows(preview),
        "verdict": verdict_of(preview.bill_after, preview.best.cost, proved=preview.best.proved),
        "is_best": preview.bill_after <= CostReport(0, preview.best.cost),
        "notes": notes_of(preview, meetings_of(round_, come), shown, people, published=published),
    }


def _mend_url(tournament: Tournament, round_: Round) -> str:
    """Where a round is mended that was paired on results which changed since, unless that was done already."""
    changed = round_.results_changed_at
    if changed is None or round_.changes.filter(after__engine=MENDED, made_at__gte=changed).exists():
        return ""
    return change_url(tournament, round_, act=Act.MEND.value, reason=_("Results changed after the pairing"))


def _line(
    seating: Seating,
    people: People,
    points: dict[int, int],
    ids: dict[tuple[int, ...], int],
    inactive: Collection[int],
) -> dict[str, Any]:
    """A table of the list: its match, and of each player the name, the points, an unmet need, whether he left."""
    players = [
        (people(seat), points.get(seat), _unmet_need(seating, seat, people), seat in inactive) for seat in seating.seats
    ]
    return {"seating": seating, "match": ids.get(seating.seats), "players": players}


def _places_after(change: PairingChange, people: People) -> list[dict[str, Any]]:
    """Who sits where after a change of a few tables, or sat where it left none; nothing for one of many."""
    after = change.after["seatings"] or change.before["seatings"]
    return places_in_words([Seating.from_dict(each) for each in after], people) if len(after) <= MAX_TOLD else []


def _unmet_need(seating: Seating, seat: int, people: People) -> int | None:
    """The fixed table of somebody who sits at another one."""
    table = people.entries[seat].fixed_table
    return None if seating.number is None or table == seating.number else table


def _seats(match: Match) -> tuple[int, ...]:
    return tuple(seat.entry_id for seat in sorted(match.seats.all(), key=lambda seat: seat.order))


def _fits(seating: Seating, words: str, people: People) -> bool:
    """Whether a table is looked for: by its number, or by a part of a name."""
    if not words:
        return True
    if words.isdecimal():
        return str(seating.number) == words or any(str(people.number(seat)) == words for seat in seating.seats)
    return any(words.casefold() in people(seat).casefold() for seat in seating.seats)


def _is_changeable(round_: Round) -> bool:
    try:
        check_changeable(round_)
    except DomainError:
        return False
    return True


def _offer(entry: int, bye: int | None, people: People, round_: Round, tournament: Tournament) -> dict[str, Any]:
    """Somebody without a place, and the quickest way to one: against whoever has the bye, else the bye itself."""
    reason = _("%(name)s had no place in the round") % {"name": people(entry)}
    offer: dict[str, Any] = {"entry": people.entries[entry], "name": people(entry), "act": Act.BYE.value}
    query: dict[str, Any] = {"act": Act.BYE.value, "one": people.number(entry), "reason": reason}
    if bye is not None:
        query |= {"act": Act.MAKE.value, "other": people.number(bye)}
        offer |= {"act": Act.MAKE.value, "opponent": people(bye)}
    return {**offer, "url": change_url(tournament, round_, **query)}


def _pair_of_unplaced(
    arrangement: RoundDraft, people: People, round_: Round, tournament: Tournament
) -> dict[str, str] | None:
    """Where two or more have no place: a table of the first two."""
    if len(arrangement.unplaced) < 2:
        return None
    one, other = arrangement.unplaced[:2]
    reason = _("Both had no place in the round")
    url = change_url(
        tournament, round_, act=Act.MAKE.value, one=people.number(one), other=people.number(other), reason=reason
    )
    return {"one": people(one), "other": people(other), "url": url}


def _standing_verdict(round_: Round, arrangement: RoundDraft) -> str:
    """How a Swiss round compares with the best, as far as it keeps that."""
    if round_.stage.kind != Stage.Kind.SWISS or not round_.cost or not round_.bound or arrangement.unplaced:
        return ""
    cost, bound = (_cost(side) for side in (round_.cost, round_.bound))
    return verdict_of(CostReport(0, cost), bound, proved=cost == bound)


def _cost(told: dict[str, Any]) -> PairingCost:
    return PairingCost(**{**told, "downfloats": tuple(told.get("downfloats", ()))})
