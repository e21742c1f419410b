"""Personal links for everybody who has none yet: slips to print or to show one after another, told this once."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from tournaments.entries.services.desk_entries import issue_missing_links
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view, render_event


@dataclass(frozen=True, slots=True)
class LinkSlip:
    """A slip for one player: the name, the entry's number, the address that the personal link opens."""

    name: str
    number: int
    address: str


@event_view("entries.links")
@never_cache
@require_POST
def link_slips(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/entries/links/: a personal link for everybody who has neither one nor an account, as slips."""
    issued = issue_missing_links(request.actor, tournament, database_now())
    if not issued:
        messages.info(request, _("Every player already has an account or a link."))
        return redirect("manage_entries", tournament.slug)
    slips = [
        LinkSlip(
            member.person.name, member.entry.number, shared_address(request, reverse("personal_link", args=[token]))
        )
        for member, token in issued
    ]
    context = {"here": "entries", "slips": slips}
    return shown_once(render_event(request, tournament, "organiser/link_slips.html", context))
