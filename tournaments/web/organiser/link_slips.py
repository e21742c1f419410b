"""Personal links for everybody who has none yet: slips to print or to show, shown this once, or mails."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import DomainError
from tournaments.entries.services.desk_entries import issue_missing_links
from tournaments.entries.services.link_mails import can_mail_links, link_mail_counts, link_recipients, mail_links
from tournaments.models import Entry, Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.streamed import render_streamed


@dataclass(frozen=True, slots=True)
class LinkSlip:
    """A slip for one player: name and number of the entry, the address of the personal link, large print or not."""

    name: str
    number: int
    address: str
    is_large: bool


@event_view("entries.links", "POST", fresh=True)
def link_slips(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """POST …/manage/entries/links/: a personal link for everybody who has neither one nor an account, as slips."""
    issued = issue_missing_links(request.actor, tournament, database_now())
    if not issued:
        messages.info(request, _("Every player already has an account or a link."))
        return redirect("manage_entries", tournament.slug)
    slips = [
        LinkSlip(
            member.person.name,
            member.entry.number,
            shared_address(request, reverse("personal_link", args=[token])),
            Entry.Need.LARGE_PRINT in member.entry.needs,
        )
        for member, token in issued
    ]
    context = {"here": "entries", "slips": slips}
    return shown_once(render_streamed(request, tournament, "organiser/link_slips.html", context))


@event_view("entries.links", "GET", "POST")
def link_mails(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/entries/links/mail/ (`renew`): who gets a link by mail who can't, and what was sent."""
    if request.method == "POST":
        _mail_links(request, tournament)
        return redirect("link_mails", tournament.slug)
    context = {
        "here": "entries",
        "can_mail": can_mail_links(tournament),
        "found": link_recipients(request.actor, tournament),
        "mails": link_mail_counts(tournament),
    }
    return render_event(request, tournament, "organiser/link_mails.html", context)


def _mail_links(request: ActorRequest, tournament: Tournament) -> None:
    try:
        count = mail_links(request.actor, tournament, database_now(), renew="renew" in request.POST)
    except DomainError as error:
        messages.error(request, error.message)
        return
    done = ngettext("%(count)s link is on its way.", "%(count)s links are on their way.", count)
    messages.success(request, done % {"count": count})
