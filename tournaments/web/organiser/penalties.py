"""Penalties on pages: all of them for officials, giving one and taking one back for judges."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from tournaments.core.names import name_key
from tournaments.core.round_names import round_name
from tournaments.models import Entry, Match, Penalty, Tournament
from tournaments.penalties.forms import PenaltyForm, PenaltySearchForm, TakeBackForm
from tournaments.penalties.selectors import find_penalty, found_penalties, matches_to_punish
from tournaments.penalties.services import give_penalty, take_back_penalty
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.impact import EDIT, PENALISE, PendingChange, preview_or_apply, step_of
from tournaments.web.shared.lookups import find_entry
from tournaments.web.shared.match_rows import MatchRow, Names, line_of
from tournaments.web.shared.penalty_words import PenaltyLine, effect_of, may_give_penalties
from tournaments.web.shared.sorting import Columns, sort_rows

LINES_A_PAGE = 50
OF_SERVICE = {"infraction_needed": "other", "not_at_match": "match"}


@event_view("penalty.read", fresh=True)
def manage_penalties(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/penalties/?q=…&kind=…&sort=…&page=…: every penalty of the event, the newest first."""
    form, names = PenaltySearchForm(request.GET), Names(tournament)
    wanted = form.cleaned_data if form.is_valid() else {}
    found = found_penalties(tournament, wanted.get("q", ""), wanted.get("kind", ""))
    sorted_ones, heads = sort_rows(request, found, _columns(names), "-given")
    page = Paginator(sorted_ones, LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "here": "penalties",
        "form": form,
        "page": page,
        "heads": heads,
        "sort": request.GET.get("sort", ""),
        "lines": [PenaltyLine(each, names(each.entry), effect_of(each)) for each in page.object_list],
        "is_filtered": any(wanted.values()),
        "may_take_back": may_give_penalties(request.actor, tournament),
    }
    return render_event(request, tournament, "organiser/penalties.html", context)


def _columns(names: Names) -> Columns[Penalty]:
    return {
        "name": (_("Player"), lambda each: name_key(names(each.entry))),
        "kind": (_("Penalty"), lambda each: Penalty.Kind.values.index(each.kind)),
        "infraction": (_("Infraction"), lambda each: each.infraction.casefold()),
        "round": (_("Round"), lambda each: each.round.number if each.round else 0),
        "given": (_("Given"), lambda each: each.given_at),
    }


@event_view("penalty.give", "GET", "POST", fresh=True)
def give(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET, POST …/manage/penalties/give/<number>/?match=…: a penalty for an entry, at that match by default."""
    entry, names = find_entry(tournament, number), Names(tournament)
    lines = [line_of(match, names) for match in matches_to_punish(tournament, entry)]
    shown = next((line for line in lines if str(line.match.pk) == request.GET.get("match")), None)
    usual = shown or next((line for line in lines if line.match.state != Match.State.DONE), None)
    form = PenaltyForm(
        request.POST if request.method == "POST" else None,
        matches=[(line.match.pk, _match_text(line, entry)) for line in lines],
        initial={"match": usual.match.pk if usual else 0},
    )
    if form.is_bound and form.is_valid():
        done = _give(request, tournament, names(entry), entry, form, lines, shown)
        if isinstance(done, HttpResponse):
            return done
        if done is not None:
            messages.success(request, _done_text(done, names(entry)))
            return redirect(_back(tournament, entry, shown))
    context = {"here": "penalties", "entry": entry, "name": names(entry), "form": form, "shown": _reload(shown, names)}
    return render_event(request, tournament, "organiser/penalty.html", context)


def _reload(line: MatchRow | None, names: Names) -> MatchRow | None:
    """The match as it is now: what the page is shown with after a refusal."""
    if line is not None:
        line.match.refresh_from_db(fields=["version", "state"])
    return line


def _give(
    request: ActorRequest,
    tournament: Tournament,
    name: str,
    entry: Entry,
    form: PenaltyForm,
    lines: list[MatchRow],
    shown: MatchRow | None,
) -> Penalty | HttpResponse | None:
    """The penalty, or the page of what it would move; None where the form says why not, or is to be changed."""
    if step_of(request) == EDIT:
        return None
    values = form.cleaned_data
    line = next((line for line in lines if line.match.pk == values["match"]), None)
    version = posted_number(request, "version") if line is not None and line is shown else None

    def act(now: datetime) -> Penalty:
        return give_penalty(
            request.actor, entry, values["kind"], form.infraction_text(), now,
            notes=values["notes"], match=line.match if line else None, version=version,
        )  # fmt: skip

    kind = Penalty.Kind(values["kind"]).label
    change = PendingChange(
        _("%(name)s: give this penalty?") % {"name": name},
        ((_("Penalty"), str(kind)), (_("Infraction"), form.infraction_text())),
        PENALISE,
        _("Penalty"),
        _back(tournament, entry, shown),
        edits=True,
        here="penalties",
    )
    return preview_or_apply(request, tournament, change, act, form, step=step_of(request), fields=OF_SERVICE)


def _match_text(line: MatchRow, entry: Entry) -> str:
    against = " · ".join(name for name, other in zip(line.names, line.entries, strict=True) if other != entry.pk)
    facts = {"round": round_name(line.match.round), "name": against, "score": line.score or _("no result yet")}
    return _("%(round)s, against %(name)s: %(score)s") % facts


def _done_text(penalty: Penalty, name: str) -> str:
    said = _("%(name)s: %(kind)s saved.") % {"name": name, "kind": penalty.get_kind_display()}
    if penalty.report_id is not None:
        said += " " + _("The match result follows it.")
    if penalty.kind == Penalty.Kind.DISQUALIFICATION:
        said += " " + _("The player is out of the event.")
    return said


def _back(tournament: Tournament, entry: Entry, shown: MatchRow | None) -> str:
    if shown is not None:
        return reverse("match", args=[tournament.slug, shown.match.pk])
    return reverse("manage_entry", args=[tournament.slug, entry.number]) + "#penalties"


@event_view("penalty.give", "GET", "POST", fresh=True)
def take_back(request: ActorRequest, tournament: Tournament, penalty_id: int) -> HttpResponse:
    """GET, POST …/manage/penalties/<id>/take-back/: it does not count any more; results stay until corrected."""
    penalty = find_penalty(tournament, penalty_id)
    form = TakeBackForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        reason = form.cleaned_data["reason"]
        if call_service(form, lambda: take_back_penalty(request.actor, penalty, reason, database_now())) is not None:
            messages.success(request, _("Undone. Correct the match result if needed."))
            if penalty.report_id is not None and penalty.match_id is not None:
                return redirect("match", tournament.slug, penalty.match_id)
            return redirect("manage_penalties", tournament.slug)
    name = Names(tournament)(penalty.entry)
    context: dict[str, Any] = {
        "here": "penalties",
        "each": PenaltyLine(penalty, name, effect_of(penalty)),
        "form": form,
        "is_out": penalty.kind == Penalty.Kind.DISQUALIFICATION,
    }
    return render_event(request, tournament, "organiser/penalty_undo.html", context)
