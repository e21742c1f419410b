"""Pages on which staff change the tables of a round by hand: look at what a change costs, say why, store it."""

import secrets
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import DomainError, NotAllowed, NotFound
from tournaments.core.names import name_key
from tournaments.core.round_names import rounds_to_come
from tournaments.manual_pairing.forms import ChangeForm, ConfirmForm
from tournaments.manual_pairing.selectors import (
    changes_of,
    contenders_in,
    last_change,
    round_draft_of,
    seen_mark,
)
from tournaments.manual_pairing.services import (
    change_round,
    look_at_change,
    look_at_undo,
    rule_of,
    undo_change,
)
from tournaments.manual_pairing.words import fixed_pairings
from tournaments.models import Round, Tournament
from tournaments.pairing.manual.fields import table_sizes_of
from tournaments.pairing.manual.round_draft import Act, Change, Seating
from tournaments.pairing.pods.contenders import TableInput
from tournaments.room.selectors.clocks import minutes_a_round
from tournaments.rounds.services.rounds import SEED_BITS
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.manual_pairing_lines import (
    A_PAGE,
    change_url,
    fits,
    is_changeable,
    number_of,
    offer,
    pair_of_unplaced,
    places_after,
    preview_context,
    repair_minimal_url,
    seats_of,
    standing_verdict,
    table_line,
)
from tournaments.web.organiser.rounds import find_round
from tournaments.web.shared.lookups import People
from tournaments.web.shared.manual_pairing_words import (
    describe_change,
    title_of,
)
from tournaments.web.shared.sorting import Columns, sort_rows

MAX_LISTED = 20
MAX_OFFERED = 1000
"""Players up to which the fields for players offer all of them."""


def tables_url(tournament: Tournament, round_: Round) -> str:
    return reverse("arrange_round", args=[tournament.slug, round_.pk])


@event_view("round.preview")
def arrange_round(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """GET …/rounds/<id>/tables/?pick=N: the tables of a round, who has no place, and what was changed.

    `pick` is the number of the player whose name was clicked first: the next name leads to the preview of their swap.
    """
    round_ = find_round(tournament, round_id)
    return _show_tables(request, tournament, round_, ChangeForm(initial={"act": Act.SWAP.value}))


def _show_tables(request: ActorRequest, tournament: Tournament, round_: Round, form: ChangeForm) -> HttpResponse:
    draft, people = round_draft_of(round_), People(tournament)
    if not is_changeable(round_):
        draft = replace(draft, unplaced=())
    given = contenders_in(round_, draft, as_stored=True)
    known = {each.id: each for each in given.contenders}
    points = {each.id: each.score for each in known.values()}
    several, most = isinstance(given, TableInput), table_sizes_of(given)[1]
    byes = [] if several else draft.byes
    bye = next((each for each in byes if each not in known or not known[each].awarded_bye), None)
    ids = {seats_of(match): match.pk for match in round_.matches.prefetch_related("seats")}
    words = " ".join(request.GET.get("q", "").split())
    shown = [each for each in draft.seatings if fits(each, words, people)]
    shown, heads = sort_rows(request, shown, _columns(people, several), "table", tables_url(tournament, round_))
    page = Paginator(shown, A_PAGE).get_page(request.GET.get("page"))
    may_change = is_changeable(round_) and is_allowed("round.arrange", request.actor, tournament)
    within = people.within(draft)
    last = last_change(round_)
    picked = next((each for each in within if str(each.number) == request.GET.get("pick")), None)
    context = {
        "here": "rounds",
        "round": round_,
        "round_minutes": minutes_a_round(tournament, round_.stage, rounds_to_come(round_)),
        "form": form,
        "several": several,
        "fixed_pairings": "" if round_.stage.counts_rounds else fixed_pairings(),
        "picked": people(picked.pk) if picked and may_change else "",
        "picked_number": picked.number if picked and may_change else 0,
        "picked_place": draft.at(picked.pk) if picked else None,
        "page": page,
        "words": words,
        "heads": heads,
        "sort": request.GET.get("sort", ""),
        "lines": [table_line(each, people, points, ids, draft.inactive, most) for each in page.object_list],
        "tables": sum(each.number is not None for each in draft.seatings),
        "unplaced": [offer(each, bye, people, round_, tournament) for each in draft.unplaced[:MAX_LISTED]],
        "more_unplaced": max(0, len(draft.unplaced) - MAX_LISTED),
        "pair_unplaced": pair_of_unplaced(draft, people, round_, tournament),
        "verdict": standing_verdict(round_, draft),
        "may_change": may_change,
        "may_turn": is_changeable(round_) and is_allowed("round.turn_seats", request.actor, tournament),
        "pair_rest_url": change_url(tournament, round_, act=Act.PAIR_REST.value),
        "repair_minimal_url": repair_minimal_url(tournament, round_) if may_change else "",
        "undo_url": change_url(tournament, round_, act="undo") if last and may_change else "",
        "last": last,
        "changes": [(change, describe_change(change), places_after(change, people)) for change in changes_of(round_)],
        "people": within if len(within) <= MAX_OFFERED else [],
    }
    return render_event(request, tournament, "organiser/manual_pairing.html", context)


def _columns(people: People, several: bool) -> Columns[Seating]:
    def name(each: Seating, seat: int) -> tuple[bool, tuple[str, str]]:
        return len(each.seats) <= seat, name_key(people(each.seats[seat]) if len(each.seats) > seat else "")

    return {
        "table": (_("Table"), lambda each: (each.number is None, each.number)),
        "first": (_("Players, in seat order") if several else _("First seat"), lambda each: name(each, 0)),
        "second": (_("Second seat"), lambda each: name(each, 1)),
        "state": (_("State"), lambda each: (each.kind, each.begun, each.locked)),
    }


@event_view("round.preview")
def arrange_table(request: ActorRequest, tournament: Tournament, round_id: int, match_id: int) -> HttpResponse:
    """GET …/rounds/<id>/tables/<match>/: what may be done with one table."""
    round_ = find_round(tournament, round_id)
    match = round_.matches.prefetch_related("seats").filter(pk=match_id).first()
    draft, people = round_draft_of(round_), People(tournament)
    seats = None if match is None else seats_of(match)
    seating = next((each for each in draft.seatings if each.seats == seats), None)
    if seating is None:
        raise NotFound("unknown_match", _("The round no longer has this table."))
    given = contenders_in(round_, draft, as_stored=True)
    points = {each.id: each.score for each in given.contenders}
    may_change = is_changeable(round_) and is_allowed("round.arrange", request.actor, tournament)
    known = people.within(draft)
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
        "inactive": draft.inactive,
        "players": [(people.entries[seat], people(seat), points.get(seat)) for seat in seating.seats],
        "urls": {key: change_url(tournament, round_, act=act.value, **about) for key, act in acts.items()},
        "bye_urls": [
            (people(seat), change_url(tournament, round_, act=Act.BYE.value, one=people.number(seat)))
            for seat in seating.seats
        ],
        "may_change": may_change,
        "may_turn": is_changeable(round_) and is_allowed("round.turn_seats", request.actor, tournament),
        "several": isinstance(given, TableInput),
        "has_room": seating.number is not None and len(seating.seats) < table_sizes_of(given)[1],
        "others": [each for each in known if each.pk not in seating.seats][:MAX_OFFERED],
        "form": ChangeForm(),
    }
    return render_event(request, tournament, "organiser/manual_pairing_table.html", context)


@event_view("round.preview", "GET", "HEAD", "POST")
def change_tables(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """GET, POST …/rounds/<id>/change/?act=…: look at a change and what it costs; POST stores it, with a reason."""
    round_ = find_round(tournament, round_id)
    check_access(rule_of(request.GET.get("act", "")), request.actor, tournament)
    if request.GET.get("act") == Act.PAIR_REST and not request.GET.get("seed"):
        kept = {"act": Act.PAIR_REST.value, "reason": request.GET.get("reason")}
        return redirect(change_url(tournament, round_, **kept, seed=secrets.randbits(SEED_BITS)))
    people = People(tournament)
    form = ChangeForm(request.GET, entries=people.within(round_draft_of(round_)))
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
        context |= {"refused": error.message, "title": title_of(change, people, number_of(last_change(round_)))}
        return render_event(request, tournament, "organiser/manual_pairing_change.html", context)
    context |= preview_context(round_, preview, change, people)
    context["seen"] = seen_mark(round_, preview.now)
    return render_event(request, tournament, "organiser/manual_pairing_change.html", context)
