"""Why two meet, for everybody: the reasons of one pairing in words, and how its round was paired."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import is_allowed
from accounts.http.requests import ActorRequest
from rules_engine.errors import NotFound
from tournaments.core.rounds import full_match
from tournaments.kept_answers import keep
from tournaments.models import Round, Tournament
from tournaments.rounds.selectors.explanations import certificate_of, entries_named, reasons_of
from tournaments.rounds.words import tell
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.match_rows import Names, line_of


@event_view("event.see")
def why(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """GET …/pairings/<id>/why/: why these two meet; NotFound for others' matches and those the caller may not see."""
    match = full_match(tournament, match_id)
    if match is None or not _is_shown(request.actor, tournament, match.round):
        raise NotFound("unknown_match", _("This event has no such match."))
    names, reasons = Names(tournament), reasons_of(match)
    named = entries_named(tournament, reasons)
    context = {
        "here": "rounds" if match.round.state == Round.State.PAIRED else "pairings",
        "round": match.round,
        "line": line_of(match, names),
        "reasons": tell(reasons, lambda entry: names(named[entry]) if entry in named else _("someone")),
        **paired_how(request.actor, tournament, match.round),
    }
    return render_event(request, tournament, "public/pairing_why.html", context)


def _is_shown(actor: Actor, tournament: Tournament, round_: Round) -> bool:
    """Whether the round counts and is published, or is previewed by an official."""
    if round_.superseded_at is not None:
        return False
    return round_.state != Round.State.PAIRED or is_allowed("round.preview", actor, tournament)


def paired_how(actor: Actor, tournament: Tournament, round_: Round) -> dict[str, Any]:
    """The context of `how_paired.html`: the round's certificate in words, how many changes staff made by hand.

    Only officials get seed and input hash, and after changes by hand the hash of what the engine gave, and how the
    round compares with the best: with them anyone could try out whose table is fixed, or who never meets.
    """
    changes, may_look = _changes_in(tournament, round_), is_allowed("round.preview", actor, tournament)
    shows_all = may_look or not changes
    return {
        "certificate": tell(certificate_of(round_, compares=shows_all), str),
        "pairing_hash": round_.pairing_hash if shows_all else "",
        "changes_by_hand": changes,
        "may_recompute": may_look,
    }


def _changes_in(tournament: Tournament, round_: Round) -> int:
    """How often staff changed a round by hand: no result does."""
    return keep(tournament, ("changes", round_.pk), round_.changes.count)
