"""Pages on which an organiser sets the stages of an event and begins the next one after looking at the cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import DomainError, NotAllowed, NotFound
from rules_engine.systems import get_system
from scoring.sheets.tallies.registry import options_of_stages
from scoring.standings.standings import Standing
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.core.forms import ReasonForm
from tournaments.entries.selectors.entries import active_entries
from tournaments.events.selectors.events import Step, next_step
from tournaments.models import Stage, Tournament
from tournaments.pairing.brackets.cut import Ranked
from tournaments.standings.selectors.standings import standings_of
from tournaments.standings.words import name_of, value_text
from tournaments.structure.begin_forms import BeginForm
from tournaments.structure.forms import StagesForm
from tournaments.structure.recommended import first_draft, recommended_stages
from tournaments.structure.selectors.cuts import NextCut, preview_next_stage
from tournaments.structure.selectors.stages import current_stage, has_begun, stages_of
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of
from tournaments.structure.services.stages import begin_next_stage, set_stages, stages_mark, take_stage_back
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.confirmations import ask_to_publish_decks
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url
from tournaments.web.shared.match_rows import Names
from tournaments.web.shared.stage_words import kind_name, stage_title, structure_words
from tournaments.web.shared.way_words import DifferenceLine, difference_lines, new_contradictions

Kind, Qualify, State = Stage.Kind, Stage.Qualify, Tournament.State
MAX_MISSED = 8
"""So many of those who missed the cut are shown, and everybody who is tied at the line."""


@event_view("event.settings", "GET", "POST")
def manage_stages(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/stages/: the stages as a form; `add` and `remove` change it and store nothing."""
    stored = stage_drafts_of(tournament)
    begun = [draft for draft, stage in zip(stored, stages_of(tournament), strict=True) if has_begun(stage)]
    facts = get_system(tournament.game).match
    options = options_of_stages(tournament.game) if tournament.score_sheets else ()
    data = request.POST if request.method == "POST" else None
    form = StagesForm(stored, facts, options=options, begun=begun, data=data)
    mark = request.POST.get("seen") or stages_mark(tournament)
    if request.method == "POST" and not _changed_by_hand(request, tournament, form) and form.is_valid():
        drafts = form.drafts()
        before = difference_lines(tournament, stored)
        asked = [] if "differs" in request.POST else new_contradictions(tournament, before, drafts)
        if asked:
            return _show_stages(request, tournament, form, mark, asked)
        if _store(request, tournament, form, drafts, mark):
            return redirect(manage_url(tournament, "manage_stages"))
        mark = stages_mark(tournament)
    return _show_stages(request, tournament, form, mark)


def _changed_by_hand(request: ActorRequest, tournament: Tournament, form: StagesForm) -> bool:
    """Whether a POST only added or removed a stage of the form."""
    kind, number = request.POST.get("add", ""), posted_number(request, "remove", 99)
    if kind in Kind.values and form.can_grow:
        form.add(first_draft(kind, tournament, is_first=not form.forms))
    elif number is not None:
        form.remove(number)
    else:
        return False
    return True


def _store(
    request: ActorRequest, tournament: Tournament, form: StagesForm, drafts: Sequence[StageDraft], mark: str
) -> bool:
    try:
        set_stages(request.actor, tournament, drafts, database_now(), seen=mark)
    except (NotAllowed, NotFound):
        raise
    except DomainError as error:
        number = error.details.get("stage")
        form.refuse(str(error.message), number if isinstance(number, int) else None, str(error.details.get("field")))
        return False
    messages.success(request, _("Stages saved."))
    return True


@event_view("event.settings", "POST")
def recommend_stages(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/stages/recommended/: store the structure that suits the attendance, if nothing has begun."""
    drafts, seen = _recommended(tournament), request.POST.get("seen")
    done = _("Stages saved. You can still change them.")
    back, now = manage_url(tournament, "manage_stages"), database_now()
    return run_action(request, lambda: set_stages(request.actor, tournament, drafts, now, seen=seen), done, back)


def _recommended(tournament: Tournament) -> list[StageDraft]:
    return recommended_stages(tournament, max(2, active_entries(tournament).count()))


def _show_stages(
    request: ActorRequest,
    tournament: Tournament,
    form: StagesForm,
    mark: str,
    contradictions: Sequence[DifferenceLine] = (),
) -> HttpResponse:
    drafts = stage_drafts_of(tournament)
    recommended = _recommended(tournament)
    is_open = tournament.state in (State.DRAFT, State.REGISTRATION, State.RUNNING)
    players = active_entries(tournament).count()
    offers = players > 1 and tournament.state in (State.DRAFT, State.REGISTRATION) and recommended != drafts
    tables = get_system(tournament.game).match.seats_max > 2
    context: dict[str, Any] = {
        "here": "stages",
        "form": form,
        "parts": [(each, kind_name(each.stage_kind)) for each in form.forms],
        "kinds": [(kind, kind_name(kind)) for kind in Kind.values if tables or kind != Kind.TABLES],
        "is_open": is_open,
        "seen": mark,
        "words": structure_words(tournament.game, drafts),
        "differences": difference_lines(tournament, drafts),
        "contradictions": contradictions,
        "recommended": structure_words(tournament.game, recommended) if offers else [],
        "players": players,
    }
    return render_event(request, tournament, "organiser/stages.html", context)


@dataclass(frozen=True, slots=True)
class CutLine:
    """An entry in or below the cut; `number` 0: a bye, `seed` None: below it, `because` says by what it was missed."""

    seed: int | None
    number: int
    name: str
    rank: int
    points: int
    because: str = ""


@event_view("round.pair", "GET", "POST")
def next_stage_page(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/stages/next/: who plays on and who does not, then the POST that begins the next stage.

    Once the last stage has begun, also by another's POST while this one was on its way: to the stages, with a word.
    """
    try:
        return _next_stage_page(request, tournament)
    except DomainError as error:
        if error.code != "no_stage_left":
            raise
        messages.info(request, error.message)
        return redirect(manage_url(tournament, "manage_stages"))


def _next_stage_page(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    found, names = preview_next_stage(tournament), Names(tournament)
    tie = found.cut.tie
    tied = [(pk, names(found.entries[pk])) for pk in (*tie.inside, *tie.outside)] if tie else []
    form = BeginForm(request.POST if request.method == "POST" else None, tied=tied, seen=found.mark)
    if request.method == "POST" and form.is_valid():
        values, now = form.cleaned_data, database_now()
        asked = ask_to_publish_decks(
            request,
            tournament,
            moments=(Tournament.DeckPublish.AFTER_CUT,) if found.stage.qualify != Qualify.EVERYBODY else (),
            title=_("Start and publish the decklists?"),
            label=_("Start and publish"),
        )
        if asked is not None:
            return asked
        stage = call_service(form, lambda: begin_next_stage(request.actor, tournament, now, **values), FIELD_OF_CODE)
        if stage is not None:
            done = _("%(stage)s: %(count)d players. Pair the first round.")
            messages.success(request, done % {"stage": stage_title(stage), "count": found.players})
            return redirect(manage_url(tournament))
        found = preview_next_stage(tournament)
    return _show_cut(request, tournament, found, form, names)


FIELD_OF_CODE = {"bad_choice": "chosen", "reason_needed": "reason"}


def _show_cut(
    request: ActorRequest, tournament: Tournament, found: NextCut, form: BeginForm, names: Names
) -> HttpResponse:
    inside = {seed: place for place, seed in enumerate(found.cut.seeds, 1) if seed is not None}
    tie = found.cut.tie
    missed = [line for line in found.lines if line.entrant not in inside and not line.dropped]
    near = [line for place, line in enumerate(missed) if place < MAX_MISSED or (tie and line.entrant in tie.outside)]
    standings = {standing.contender: standing for standing in standings_of(tournament)}
    last = max(inside, key=lambda entrant: inside[entrant], default=None)
    ranked = {line.entrant: line for line in found.lines}
    moved = _moved_up(found, inside)
    context: dict[str, Any] = {
        "here": "stages",
        "stage": found.stage,
        "title": stage_title(found.stage),
        "players": found.players,
        "form": form,
        "seen": found.mark,
        "lines": [
            CutLine(
                place,
                found.entries[seed].number if seed else 0,
                names(found.entries[seed]) if seed else "",
                ranked[seed].rank if seed else 0,
                ranked[seed].points if seed else 0,
                _("moves up") if seed in moved else "",
            )
            for place, seed in enumerate(found.cut.seeds, 1)
        ],
        "missed": [
            CutLine(
                None,
                found.entries[line.entrant].number,
                names(found.entries[line.entrant]),
                line.rank,
                line.points,
                _because(tournament, found.stage, standings.get(line.entrant), standings.get(last) if last else None),
            )
            for line in near
        ],
        "more_missed": len(missed) - len(near),
        "left": [names(found.entries[pk]) for pk in found.cut.missing],
        "tie": tie,
        "places": len(tie.inside) if tie else 0,
        "is_ready": next_step(tournament).step is Step.BEGIN_STAGE,
    }
    return render_event(request, tournament, "organiser/next_stage.html", context)


def _moved_up(found: NextCut, inside: dict[int, int]) -> set[int]:
    """Those who would not be in it, had nobody left."""
    if found.stage.qualify != Qualify.TOP:
        return set()
    usual: Sequence[Ranked] = found.lines[: found.stage.qualify_value or 0]
    return set(inside) - {line.entrant for line in usual}


def _because(tournament: Tournament, stage: Stage, missed: Standing | None, last: Standing | None) -> str:
    """By what a person missed the cut: points, the first tiebreaker that differs from the last one in, or the lot."""
    if missed is None or last is None:
        return ""
    if stage.qualify == Qualify.POINTS:
        return _("too few points")
    policy = tournament.scoring_policy
    for key, one, other in zip(policy.tiebreakers, last.keys, missed.keys, strict=True):
        if one != other:
            column = TIEBREAKERS[key]
            return _("%(name)s: %(missed)s vs. %(last)s") % {
                "name": name_of(key),
                "missed": value_text(column, other, policy),
                "last": value_text(column, one, policy),
            }
    return _("tied: the draw decides, or you do") if missed.rank == last.rank else ""


@event_view("round.pair", "GET", "POST")
def take_back_stage(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/stages/take-back/: undo the cut while no round of the stage stands, with a reason."""
    form = ReasonForm(request.POST if request.method == "POST" else None)
    stage = current_stage(tournament)
    if request.method == "POST" and form.is_valid():
        reason, now = form.cleaned_data["reason"], database_now()
        if call_service(form, lambda: take_stage_back(request.actor, tournament, reason, now)) is not None:
            messages.success(request, _("Cut undone. The last round is open."))
            return redirect(manage_url(tournament))
    context = {"here": "stages", "form": form, "title": stage_title(stage), "stage": stage}
    return render_event(request, tournament, "organiser/undo_stage.html", context)
