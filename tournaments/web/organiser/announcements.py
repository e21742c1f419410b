"""What the room sees: the page on which officials post, withdraw and post again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from tournaments.models import Announcement, Tournament
from tournaments.room.forms import AnnouncementForm
from tournaments.room.selectors.announcements import find_announcement, withdrawn_of
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event


@event_view("announce", "GET", "POST")
def announcements(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/announcements/: what stands and what stood; POST posts one."""
    form = AnnouncementForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and call_service(form, lambda: _post(request, tournament, form)) is not None:
        messages.success(request, _("Posted to all pages within seconds."))
        return redirect("announcements", tournament.slug)
    context = {"here": "announcements", "form": form, "withdrawn": withdrawn_of(tournament)}
    return render_event(request, tournament, "organiser/announcements.html", context)


def _post(request: ActorRequest, tournament: Tournament, form: AnnouncementForm) -> Announcement:
    text, is_urgent = form.cleaned_data["text"], form.cleaned_data["is_urgent"]
    return post_announcement(request.actor, tournament, text, database_now(), is_urgent=is_urgent)


@event_view("announce", "POST")
def withdraw(request: ActorRequest, tournament: Tournament, announcement_id: int) -> HttpResponse:
    """POST …/manage/announcements/<id>/withdraw/: take it off every page; “Post again” undoes it."""
    found, back = find_announcement(tournament, announcement_id), reverse("announcements", args=[tournament.slug])
    done = _("Withdrawn. “Post again” brings it back.")
    return run_action(request, lambda: withdraw_announcement(request.actor, found, database_now()), done, back)


@event_view("announce", "POST")
def post_again(request: ActorRequest, tournament: Tournament, announcement_id: int) -> HttpResponse:
    """POST …/manage/announcements/<id>/again/: post the same words once more."""
    found, back = find_announcement(tournament, announcement_id), reverse("announcements", args=[tournament.slug])

    def act() -> Announcement:
        return post_announcement(request.actor, tournament, found.text, database_now(), is_urgent=found.is_urgent)

    return run_action(request, act, _("Posted again."), back)
