"""The page that a personal link leads to where a person is signed in: is it you?"""

from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render

from accounts.http.access import page_view
from accounts.http.middleware import OFFERED_LINK
from accounts.http.requests import ActorRequest, own_account
from accounts.http.service_errors import call_service
from accounts.identity.selectors import live_links
from journal.clock import database_now
from tournaments.entries.services.accounts import take_over_person


@page_view("signed_in", "GET", "POST", fresh=True)
def link_person(request: ActorRequest) -> HttpResponse:
    """GET, POST /accounts/link-person/: take the person of a personal link into the account."""
    actor, user = request.actor, own_account(request)
    link = live_links().filter(pk=request.session.get(OFFERED_LINK, 0)).first()
    if link is None or link.person.user_id == user.pk:
        return redirect("my_events")
    form = Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        now = database_now()
        if call_service(form, lambda: take_over_person(link.person, user, actor, now, link=link)) is not None:
            del request.session[OFFERED_LINK]
            return redirect("my_events")
    return render(request, "player/link_person.html", {"person": link.person, "form": form})
