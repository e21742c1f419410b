"""The preview of a change: what a correction, a drop or a disqualification would move, with ways to go on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import Conflict
from tournaments.core.rounds import current_round
from tournaments.entries.services.attendance import drop_entry
from tournaments.impact.selectors import Impact, impact_of_drop
from tournaments.impact.services import apply_and_repair_pairings, apply_if_unchanged, look_at
from tournaments.models import Entry, Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.impact_words import describe_impact, summary_of
from tournaments.web.shared.lookups import People, back_to_list, find_entry
from tournaments.web.shared.match_rows import Names

T = TypeVar("T")
NOT_KEPT = ("csrfmiddlewaretoken", "idempotency_key", "step", "mark")
PREVIEW, KEEP, REPAIR, EDIT = "look", "keep", "repair", "edit"
MOVED_ON = "moved_on"


@dataclass(frozen=True, slots=True)
class Labels:
    """What the buttons say: where no pairing is concerned, to keep the pairings, to re-pair a number of tables."""

    plain: Promise
    keep: Promise
    repair: Promise


CORRECT = Labels(
    gettext_lazy("Correct it"),
    gettext_lazy("Correct it and keep the pairings"),
    ngettext_lazy("Correct it and re-pair this table", "Correct it and re-pair these %(count)d tables", "count"),
)
DROP = Labels(
    gettext_lazy("Drop the player"),
    gettext_lazy("Drop the player and keep the pairings"),
    ngettext_lazy(
        "Drop the player and re-pair this table", "Drop the player and re-pair these %(count)d tables", "count"
    ),
)
PENALISE = Labels(
    gettext_lazy("Give the penalty"),
    gettext_lazy("Give the penalty and keep the pairings"),
    ngettext_lazy(
        "Give the penalty and re-pair this table", "Give the penalty and re-pair these %(count)d tables", "count"
    ),
)


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change before it is applied: in words, with its facts; `reason` is kept with tables that are paired again.

    `edits` says that what was typed can be changed: the button leads back to the form with everything in it; `here` is
    the page that the menu marks.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    labels: Labels
    reason: str
    back: str
    edits: bool = False
    tells_players: bool = False
    here: str = "desk"


def step_of(request: HttpRequest) -> str:
    """The button of this POST: look, keep, repair, edit, or "" for a form that asks for no preview."""
    return request.POST.get("step", "")


def preview_or_apply(
    request: ActorRequest,
    tournament: Tournament,
    change: PendingChange,
    act: Callable[[datetime], T],
    form: forms.BaseForm,
    *,
    step: str,
    fields: Mapping[str, str] | None = None,
) -> HttpResponse | T | None:
    """The page that shows what an act at some moment would move, or what it answered; None where `form` says why not.

    `fields` are as for `call_service`. Where anything moved since the last preview, a new one comes back. NotAllowed
    for tables that the actor may not pair.
    """
    if step == REPAIR:
        check_access("round.arrange", request.actor, tournament)
    if not step:
        return call_service(form, lambda: act(database_now()), fields)
    if step not in (KEEP, REPAIR):  # also a button that a page open since before an upgrade had
        return _show_preview(request, tournament, change, act, form, fields)
    answer = call_service(form, lambda: _do(request, tournament, change, act, step), fields)
    if isinstance(answer, Conflict):
        return _show_preview(request, tournament, change, act, form, fields, moved=answer.message)
    return answer


def _do(
    request: ActorRequest, tournament: Tournament, change: PendingChange, act: Callable[[datetime], T], step: str
) -> T | Conflict:
    """What the act answered, or that something moved since the preview."""
    mark, now = request.POST.get("mark", ""), database_now()
    try:
        if step != REPAIR:
            return apply_if_unchanged(
                tournament, lambda: act(now), seen=mark, with_tables=sees_tables(request, tournament)
            )
        answer = apply_and_repair_pairings(request.actor, tournament, lambda: act(now), change.reason, now, seen=mark)
    except Conflict as conflict:
        if conflict.code != MOVED_ON:
            raise
        return conflict
    messages.success(request, _("As few tables as possible were re-paired; see the log."))
    return answer


def sees_tables(request: ActorRequest, tournament: Tournament) -> bool:
    """Whether the viewer may see pairings before they are published, and so what pairing constraints do to them."""
    return is_allowed("round.preview", request.actor, tournament)


def _show_preview(
    request: ActorRequest,
    tournament: Tournament,
    change: PendingChange,
    act: Callable[[datetime], object],
    form: forms.BaseForm,
    fields: Mapping[str, str] | None = None,
    *,
    moved: str = "",
) -> HttpResponse | None:
    with_tables, now = sees_tables(request, tournament), database_now()
    impact = call_service(form, lambda: look_at(tournament, lambda: act(now), with_tables=with_tables), fields)
    return None if impact is None else show_impact(request, tournament, change, impact, moved=moved)


def show_impact(
    request: ActorRequest, tournament: Tournament, change: PendingChange, impact: Impact, *, moved: str = ""
) -> HttpResponse:
    """The page: everything that moves, what was typed kept in hidden fields, and the ways to go on."""
    described = describe_impact(tournament, impact, People(tournament))
    repaired = len(impact.tables.come) if impact.tables else 0
    context: dict[str, Any] = {
        "here": change.here,
        "change": change,
        "moved": moved,
        "kept": [(name, value) for name, values in request.POST.lists() if name not in NOT_KEPT for value in values],
        "address": request.get_full_path(),
        "repair_label": change.labels.repair % {"count": repaired} if repaired else "",
        "may_repair": repaired > 0 and is_allowed("round.arrange", request.actor, tournament),
        "keep_label": change.labels.keep if repaired else change.labels.plain,
        "sees_tables": sees_tables(request, tournament),
        "newest": current_round(tournament),
        **described,
    }
    return render_event(request, tournament, "shared/impact.html", context)


@event_view("entries.manage", "POST")
def look_at_drop(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/drop/look/: what a drop would move; then the drop, as the preview offers it."""
    entry, form, back = (
        find_entry(tournament, number),
        forms.Form(request.POST),
        back_to_list(request, tournament, number),
    )
    name = Names(tournament)(entry)
    change = PendingChange(
        _("Drop %(name)s?") % {"name": name},
        (),
        DROP,
        _("%(name)s dropped") % {"name": name},
        back,
        here="entries",
    )
    answer = preview_or_apply(
        request,
        tournament,
        change,
        lambda now: drop_entry(request.actor, entry, now),
        form,
        step=step_of(request) or PREVIEW,
    )
    if isinstance(answer, HttpResponse):
        return answer
    if answer is None:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    else:
        messages.success(request, _("%(name)s is out. You can undo this below.") % {"name": entry.name})
    return redirect(back)


def own_drop_in_words(entry: Entry) -> list[str]:
    """What a player's own drop would move, in short: the standings, and their place in a cut to come."""
    impact = impact_of_drop(entry)
    seeds = [seed.before for cut in impact.cuts if not cut.begun for seed in cut.seeds if seed.entry == entry.pk]
    lost = [
        _("You are now seed %(seed)d for the next stage and give up that place.") % {"seed": seed} for seed in seeds
    ]
    return [summary_of(impact.lines), *lost]
