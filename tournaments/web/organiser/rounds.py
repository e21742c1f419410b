"""The page of rounds: pair, look, publish, take back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.access import is_allowed
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import NotFound, needed
from tournaments.core.forms import ReasonForm, WithoutForm
from tournaments.core.round_names import round_name, rounds_to_come
from tournaments.core.rounds import has_results
from tournaments.decks.selectors.deck_ready import stacking_tables
from tournaments.decks.selectors.deck_view import shown_to_opponents
from tournaments.entries.selectors.entries import shared_names
from tournaments.entries.services.attendance import note_seen
from tournaments.events.selectors.events import next_step
from tournaments.events.selectors.overview import unfinished_matches
from tournaments.manual_pairing.selectors import returned_entries, seated_leavers, unplaced_entries
from tournaments.models import Entry, Match, Round, Seat, Stage, StoredRoundInput, Tournament
from tournaments.pairing.swiss.contenders import PairingPolicy
from tournaments.penalties.selectors import game_losses_left
from tournaments.room.selectors.clocks import clock_of, minutes_a_round
from tournaments.room.services.clocks import publish_and_start
from tournaments.rounds.selectors.explanations import certificate_of, is_seating
from tournaments.rounds.selectors.recomputed import Verdict, recompute_round
from tournaments.rounds.selectors.round_list import RoundLine, preview_of, round_lines
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round
from tournaments.rounds.words import has_third_meetings, tell
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url
from tournaments.web.organiser.missing import without_context
from tournaments.web.shared.lookups import People, find_entry
from tournaments.web.shared.need_words import shown_needs
from tournaments.web.shared.penalty_words import carried_in_words
from tournaments.web.shared.policy_words import pairing_sentence
from tournaments.web.shared.recomputed_words import recomputed_in_words
from tournaments.web.shared.stage_words import next_context

REMATCHES = ("round_rematches", "table_repeats")
GAPS = ("gap_rematches", "gap_repeats")
"""Reasons that count rematches, and verdicts that say the same number themselves."""


@event_view("entries.manage", "POST")
def seen(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/manage/entries/<number>/seen/: a player asked about before the next pairing is here."""
    entry, now = find_entry(tournament, number), database_now()
    back = manage_url(tournament, "manage_rounds")
    done = _("%(name)s is here.") % {"name": entry.name}
    return run_action(request, lambda: note_seen(request.actor, entry, now), done, back)


@event_view("desk")
def manage_rounds(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/rounds/: every round, and the one that is not published yet."""
    return _show_rounds(request, tournament, ReasonForm())


def _show_rounds(
    request: ActorRequest, tournament: Tournament, form: ReasonForm, without: WithoutForm | None = None
) -> HttpResponse:
    step = next_step(tournament)
    hidden = step.round if step.round and step.round.state == Round.State.PAIRED else None
    may_look = is_allowed("round.preview", request.actor, tournament)
    context = {
        "here": "rounds",
        "step": step,
        **next_context(tournament, step, clock_of(tournament, database_now())),
        "tables": unfinished_matches(step),
        "stacking_tables": stacking_tables(tournament, step.round),
        "lines": [
            (line, cost_in_words(line, may_look=may_look), proof_in_words(line.round) if may_look else "")
            for line in round_lines(tournament)
        ],
        "rules": rules_of(step.round) if step.round else "",
        "may_recompute": may_look,
        "hidden": hidden,
        "round_minutes": minutes_a_round(tournament, hidden.stage, rounds_to_come(hidden)) if hidden else 0,
        "unplaced": unplaced_entries(step.round) if step.round and (may_look or not hidden) else [],
        "returned": returned_entries(hidden) if hidden and may_look else [],
        "leavers": seated_leavers(hidden) if hidden and may_look else [],
        "disqualified": seated_leavers(hidden, Entry.State.DISQUALIFIED) if hidden and may_look else [],
        "game_losses": _game_losses(tournament, hidden) if hidden and may_look else [],
        "preview": preview_of(tournament, hidden) if hidden and may_look else [],
        "shared": shared_names(tournament),
        "needs": shown_needs(request.actor, step.round),
        "may_take_back": _may_take_back(step.round),
        "shown": shown_to_opponents(tournament, step.round) if step.round else 0,
        "form": form,
        **without_context(request, tournament, step, without),
    }
    return render_event(request, tournament, "organiser/rounds.html", context)


def _game_losses(tournament: Tournament, hidden: Round) -> list[str]:
    """Where the game losses of a withdrawn version of a round go, in words."""
    if not (left := game_losses_left(hidden)):
        return []
    playing = set(Seat.objects.filter(round=hidden, match__kind=Match.Kind.PLAYED).values_list("entry", flat=True))
    return carried_in_words([(each, each.entry_id in playing) for each in left], People(tournament))


def _may_take_back(round_: Round | None) -> bool:
    """Whether the newest round can still be taken back: nothing of it was reported yet."""
    return round_ is not None and round_.state != Round.State.CLOSED and not has_results(round_)


def cost_in_words(line: RoundLine, *, may_look: bool) -> str:
    """What a pairing had to accept, in words; empty for one made by hand, or not shown to the reader.

    Pairs that ought never to meet are shown only to those who may know of them.
    """
    cost = line.round.cost
    if not cost or (line.round.published_at is None and not may_look):
        return ""
    rematches, seconds, clubs = (cost.get(key, 0) for key in ("rematches", "second_byes", "club_pairs"))
    again = _repeats_in_words(cost["repeats"]) if is_seating(cost) else ""
    forbidden = cost.get("forbidden_pairs", 0) if may_look else 0
    parts = (
        (forbidden, ngettext("%(count)d forbidden pair", "%(count)d forbidden pairs", forbidden)),
        (rematches, ngettext("%(count)d rematch", "%(count)d rematches", rematches)),
        (line.byes, ngettext("%(count)d bye", "%(count)d byes", line.byes)),
        (seconds, ngettext("%(count)d second bye", "%(count)d second byes", seconds)),
        (clubs, ngettext("%(count)d pair of club-mates", "%(count)d pairs of club-mates", clubs)),
    )
    counted = [text % {"count": count} for count, text in parts if count]
    return " · ".join(counted if rematches else [again or _("no rematch"), *counted])


def _repeats_in_words(repeats: int) -> str:
    """How many pairs meet again at tables of several; empty for none."""
    if not repeats:
        return ""
    if has_third_meetings(repeats):
        return _("rematches: %(count)d (a third meeting counts 4)") % {"count": repeats}
    return ngettext("%(count)d pair meets again", "%(count)d pairs meet again", repeats) % {"count": repeats}


def proof_in_words(round_: Round) -> str:
    """What is proved of a pairing: that none is better, or how far it is from what any could be; empty by hand."""
    verdict, *counts = certificate_of(round_) or (None,)
    if verdict is None:
        return ""
    rematches = [each for each in counts if each.code in REMATCHES and each.params["count"]]
    return " ".join(tell([verdict, *(() if verdict.code in GAPS else rematches)], str))


def rules_of(round_: Round) -> str:
    """The rules a Swiss round was paired by, in words; empty for any other and for one entered by hand."""
    if round_.stage.kind != Stage.Kind.SWISS:
        return ""
    stored = StoredRoundInput.objects.filter(round=round_).values_list("given__policy", flat=True).first()
    return pairing_sentence(PairingPolicy.from_dict(stored)) if stored else ""


@event_view("round.pair", "POST")
def pair_round(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/rounds/pair/: pair the round after number `after`, the last one that the page showed.

    With `without` and `reason`, although matches are missing that the page listed.
    """
    seen, now = posted_number(request, "after", 999), database_now()
    done = _("Paired. Hidden until you publish it.")
    back = manage_url(tournament, "manage_rounds")
    if "without" not in request.POST:
        return run_action(request, lambda: pair_next_round(request.actor, tournament, now, after=seen), done, back)
    form = WithoutForm(request.POST, auto_id="without_%s")
    if (
        form.is_valid()
        and call_service(form, lambda: pair_next_round(request.actor, tournament, now, after=seen, **form.cleaned_data))
        is not None
    ):
        messages.success(request, done)
        return redirect(back)
    return _show_rounds(request, tournament, ReasonForm(), form)


def find_round(tournament: Tournament, round_id: int) -> Round:
    """A round of this event; NotFound "unknown_round"."""
    found = Round.objects.filter(pk=round_id, stage__tournament=tournament).select_related("stage__tournament").first()
    return needed(found, NotFound("unknown_round", _("This event has no such round.")))


@event_view("round.pair", "POST")
def publish(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """POST …/rounds/<id>/publish/: show the pairings to everybody; with `start_clock` the clock runs at once."""
    round_, now = find_round(tournament, round_id), database_now()
    done = _("%(round)s published.") % {"round": round_name(round_)}
    act = publish_and_start if "start_clock" in request.POST else publish_round
    return run_action(request, lambda: act(request.actor, round_, now), done, manage_url(tournament, "manage_rounds"))


@event_view("round.preview", "POST")
def recompute(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """POST …/rounds/<id>/recompute/: compute a round again from its stored input and say how it compares."""
    found = recompute_round(find_round(tournament, round_id))
    level = messages.SUCCESS if found.verdict is Verdict.SAME else messages.INFO if found.same else messages.ERROR
    messages.add_message(request, level, recomputed_in_words(tournament, found))
    return redirect(manage_url(tournament, "manage_rounds"))


@event_view("round.pair", "POST")
def take_back(request: ActorRequest, tournament: Tournament, round_id: int) -> HttpResponse:
    """POST …/rounds/<id>/take-back/: withdraw a round so that it can be paired again, with a reason."""
    round_, now = find_round(tournament, round_id), database_now()
    form = ReasonForm(request.POST)
    if (
        form.is_valid()
        and call_service(form, lambda: withdraw_round(request.actor, round_, form.cleaned_data["reason"], now))
        is not None
    ):
        messages.success(request, _("%(round)s taken back; it is kept below.") % {"round": round_name(round_)})
        return redirect(manage_url(tournament, "manage_rounds"))
    return _show_rounds(request, tournament, form)
