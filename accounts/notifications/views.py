"""Turn notifications on and off: this browser by Web Push, an address by mail."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest, own_person
from accounts.models import Person
from accounts.notifications.messages import mail_token, read_mail_token, set_mails, subscribe, unsubscribe
from journal.clock import database_now
from journal.idempotency.responses import with_effect
from rules_engine.errors import NotFound, TooMany

MAILS_A_DAY = 5
DAY = 24 * 3600


class MailForm(forms.Form):
    """The address that pairings are mailed to."""

    email = forms.EmailField(max_length=254)


@page_view("known", "POST")
def push_on(request: ActorRequest) -> HttpResponse:
    """POST /my/told/push/: endpoint, p256dh and auth of the browser that asks. BadInput "bad_browser"."""
    now, given = database_now(), request.POST
    subscribe(
        own_person(request, now), given.get("endpoint", "")[:500], given.get("p256dh", "")[:120],
        given.get("auth", "")[:40], request.actor, now,
    )  # fmt: skip
    return HttpResponse(status=204)


@page_view("known", "POST")
def push_off(request: ActorRequest) -> HttpResponse:
    """POST /my/told/push/off/: stop notifying this browser."""
    now = database_now()
    unsubscribe(own_person(request, now), request.POST.get("endpoint", ""), request.actor, now)
    return HttpResponse(status=204)


@page_view("known", "POST")
def mails(request: ActorRequest) -> HttpResponse:
    """POST /my/told/mail/: send a link to an address, which turns mails on; or turn them off at once (act "off")."""
    if not settings.DOOMDESK_MAIL:
        raise NotFound("not_found", _("There is nothing here."))
    person, back = own_person(request, database_now()), _back_of(request)
    if request.POST.get("act") == "off":
        set_mails(person, "", request.actor, database_now(), wanted=False)
        messages.success(request, _("You get no more emails about pairings."))
        return redirect(back)
    form = MailForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Type an email address, as in ada@example.org."))
        return redirect(back)
    _count_mail(person)
    _send_confirmation(request, person, form.cleaned_data["email"])
    messages.success(request, _("We have sent an email. Open its link to get emails about pairings."))
    return redirect(back)


@page_view("public", "GET", "POST", fresh=True)
def mail_link(request: ActorRequest, token: str) -> HttpResponse:
    """GET, POST /my/told/mail/<token>/: what a link in a mail asks for, done by a button. NotFound "unknown_link"."""
    wish = read_mail_token(token)
    done = request.method == "POST"
    if done:
        set_mails(wish.person, wish.email, request.actor, database_now(), wanted=wish.wanted)
    response = render(request, "accounts/mail_link.html", {"wish": wish, "done": done})
    response["Referrer-Policy"] = "no-referrer"
    return with_effect(response) if done else response


def _back_of(request: HttpRequest) -> str:
    back = request.POST.get("back", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if safe else reverse("my_events")


def _count_mail(person: Person) -> None:
    """Hold off whoever has mails sent to many addresses; TooMany."""
    key = f"mail-confirmations:{person.pk}"
    cache.add(key, 0, timeout=DAY)
    if (cache.get(key) or 0) >= MAILS_A_DAY:
        raise TooMany("too_many", _("Too many emails for today. Try again tomorrow."))
    cache.incr(key)


def _send_confirmation(request: HttpRequest, person: Person, email: str) -> None:
    link = shared_address(request, reverse("mail_link", args=[mail_token(person, email, wanted=True)]))
    text = _(
        "You, or another person, asked this site to send an email to this address when a round is paired.\n\nTo "
        "agree, open this page and press the button:\n%(link)s\n\nOtherwise do nothing."
    )
    EmailMessage(_("Get an email when you are paired"), text % {"link": link}, to=[email]).send(fail_silently=True)
