"""The page about a player who wants one, and the switch for it."""

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.requests import ActorRequest
from accounts.identity.services import person_of, set_profile_shown
from journal.clock import database_now
from rules_engine.systems import get_system
from tournaments.statistics.selectors.profiles import GameProfile, Meeting, find_profile, profile_of

MEETINGS_A_PAGE = 100


@page_view("public")
def profile(request: ActorRequest, public_id: str) -> HttpResponse:
    """GET /players/<public id>/?game=…&page=…: public events that are over, records against others, strength.

    NotFound "unknown_player" for whoever is unknown or did not switch it on.
    """
    found = profile_of(find_profile(public_id))
    context = {
        "person": found.person,
        "games": [(get_system(each.game).name, each, *_page_of(request, each)) for each in found.games],
        "is_own": request.actor.user is not None and request.actor.user.pk == found.person.user_id,
    }
    return render(request, "public/profile.html", context)


def _page_of(request: ActorRequest, game: GameProfile) -> tuple[Page[Meeting], QueryDict]:
    """The opponents of one game on the page asked for, of the others on the first, and the query of its pages."""
    query = QueryDict(mutable=True)
    query["game"] = game.game
    number = request.GET.get("page") if request.GET.get("game") == game.game else 1
    return Paginator(game.meetings, MEETINGS_A_PAGE).get_page(number), query


@page_view("signed_in", "POST")
def show_profile(request: ActorRequest) -> HttpResponse:
    """POST /my/profile/: let everybody see your profile (`shown`), or nobody."""
    user, shown = request.actor.user, bool(request.POST.get("shown"))
    if user is None:
        return redirect("my_account")
    now = database_now()
    set_profile_shown(user, request.actor, now, shown=shown)
    if not shown:
        messages.success(request, _("Your profile is off and can't be seen."))
        return redirect("my_account")
    messages.success(request, _("Anyone with the address can now see your profile."))
    return redirect("profile", person_of(user, now).public_id)
