"""Pages on which site admins follow a re-check: how far it is, and numbers only of what it found."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import page_view
from accounts.http.requests import ActorRequest
from decks.models import Recheck
from decks.selectors.rechecks import counts_of, find_recheck, judged_count
from decks.services.rechecks import cancel_recheck, resume_recheck
from journal.clock import database_now
from rules_engine.errors import DomainError
from rules_engine.systems import get_system

REFRESH_SECONDS = 3


@page_view("site_admin", fresh=True)
def recheck_page(request: ActorRequest, public_id: str) -> HttpResponse:
    """GET /rechecks/<id>/: progress and numbers; while it runs the page loads itself anew unless `still` is given."""
    recheck = find_recheck(public_id)
    system = get_system(recheck.card_list.game)
    game_format = system.get_format(recheck.card_list.format)
    running = recheck.finished_at is None and recheck.cancelled_at is None
    names = {variant.slug: variant.name for variant in game_format.variants}
    context = {
        "system": system,
        "game_format": game_format,
        "recheck": recheck,
        "row": recheck.card_list,
        "judged": judged_count(recheck),
        "counts": [(names.get(each.variant, ""), each) for each in counts_of(recheck)],
        "running": running,
        "follows": running and "still" not in request.GET,
        "seconds": REFRESH_SECONDS,
        "as_of": database_now(),
    }
    response = render(request, "decks/recheck.html", context)
    if context["follows"]:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


def _move(
    service: Callable[[Actor, Recheck, datetime], Recheck], done: Callable[[], str]
) -> Callable[..., HttpResponse]:
    """A view that applies one change of a re-check."""

    @page_view("site_admin", "POST")
    def view(request: ActorRequest, public_id: str) -> HttpResponse:
        try:
            service(request.actor, find_recheck(public_id), database_now())
        except DomainError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, done())
        return redirect("recheck", public_id=public_id)

    return view


resume = _move(resume_recheck, lambda: _("Decks without a result are checked again."))
cancel = _move(cancel_recheck, lambda: _("Re-check stopped. Results so far are kept."))
