"""Pages about who acts: the personal link, the account, the link for a new password."""

from allauth.account.views import PasswordResetView
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.http.access import access, page_view
from accounts.http.addresses import shared_address
from accounts.http.choices import set_choices
from accounts.http.link_throttle import count_miss
from accounts.http.middleware import LINK_IN_SESSION, OFFERED_LINK
from accounts.http.requests import ActorRequest, own_account
from accounts.http.service_errors import call_service
from accounts.identity.forms import NameForm, ResetLinkForm, TokenForm
from accounts.identity.keys import issue_api_token, revoke_api_token
from accounts.identity.selectors import (
    find_token,
    own_events,
    person_or_none,
    token_id,
    tokens_of,
)  # fmt: skip
from accounts.identity.services import (
    find_personal_link,
    issue_reset_link,
    rename_account,
)
from accounts.models import TokenScope
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import NotFound

MY_EVENTS = "/my/"
FIELD_FOR_ERROR = dict.fromkeys(("no_name", "name_too_long", "bad_name"), "name")


@page_view("public", fresh=True)
def personal_link(request: HttpRequest, token: str) -> HttpResponse:
    """GET /p/<token>/: swap the token for the session and drop it from the address.

    A person signed in keeps the account and is offered to take the person over. NotFound "unknown_link"; TooMany for
    whoever tried many such links, while one that works opens for everybody behind the same address.
    """
    try:
        link = find_personal_link(token, database_now())
    except NotFound:
        count_miss(request)
        raise
    if request.user.is_authenticated:
        request.session[OFFERED_LINK] = link.pk
        return without_referrer(redirect("link_person"))
    if request.session.get(LINK_IN_SESSION) != link.pk:  # opened again it stays: a page of it may be asking just now
        request.session.cycle_key()
        request.session[LINK_IN_SESSION] = link.pk
    return without_referrer(redirect(MY_EVENTS))


@page_view("known", "POST")
def leave_phone(request: ActorRequest) -> HttpResponse:
    """POST /accounts/leave-phone/: this browser forgets whose personal link it opened; the link stays as it is."""
    request.session.flush()
    messages.success(request, _("You're signed out on this phone. Open your personal link to sign in again."))
    return redirect("/")


@page_view("signed_in")
def my_account(request: ActorRequest) -> HttpResponse:
    """The account of who is signed in: its name, the persons it speaks for, the ways to change it."""
    user = own_account(request)
    return _account_page(request, NameForm(initial={"name": user.get_full_name()}))


def _account_page(request: ActorRequest, form: NameForm) -> HttpResponse:
    context = {"person": person_or_none(own_account(request)), "form": form}
    return render(request, "accounts/my_account.html", context)


@page_view("signed_in", "POST")
def rename(request: ActorRequest) -> HttpResponse:
    """POST /accounts/me/name/: correct the `name` that others read."""
    form, user = NameForm(request.POST), own_account(request)
    now = database_now()

    def act() -> object:
        return rename_account(user, form.cleaned_data["name"], request.actor, now)

    if form.is_valid() and call_service(form, act, FIELD_FOR_ERROR) is not None:
        messages.success(request, _("Name saved."))
        return redirect("my_account")
    return _account_page(request, form)


@page_view("signed_in", "GET", "POST", fresh=True)
def my_tokens(request: ActorRequest) -> HttpResponse:
    """GET /accounts/tokens/: your API tokens; POST makes one and shows it this once."""
    user, now = own_account(request), database_now()
    events = own_events(user)
    form = TokenForm(request.POST or None, initial={"scope": TokenScope.READ, "days": 90})
    set_choices(form, "event", [("", _("All my events")), *events.items()])
    context: dict[str, object] = {"form": form, "events": events}
    if request.method == "POST" and form.is_valid():
        row, context["token"] = issue_api_token(user, request.actor, now, **form.cleaned_data)
        context |= {"made": row, "form": None}
    context["tokens"] = [(token_id(each), each, events.get(each.note.event)) for each in tokens_of(user, now)]
    response = render(request, "accounts/tokens.html", context)
    return shown_once(response) if "token" in context else response


@page_view("signed_in", "POST")
def revoke_token(request: ActorRequest, public_id: str) -> HttpResponse:
    """POST /accounts/tokens/<id>/revoke/: end one of your API tokens. NotFound "unknown_token"."""
    actor, now = request.actor, database_now()
    revoke_api_token(find_token(own_account(request), public_id, now), actor, now)
    messages.success(request, _("Token revoked."))
    return redirect("my_tokens")


@page_view("site_admin", "GET", "POST", fresh=True)
def reset_link(request: ActorRequest) -> HttpResponse:
    """Hand out a link for a new password; the answer shows it once and is not kept for repeats. NotAllowed."""
    form = ResetLinkForm(request.POST or None)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        path = issue_reset_link(form.cleaned_data["username"], request.actor, database_now())
        context = {
            "form": ResetLinkForm(),
            "link": shared_address(request, path),
            "of": form.cleaned_data["username"],
        }
    response = render(request, "accounts/reset_link.html", context)
    return shown_once(response) if "link" in context else response


@access("public")
def password_reset(request: HttpRequest) -> HttpResponse:
    """allauth's page for a forgotten password, or how to get a link where this site sends no mail."""
    if settings.DOOMDESK_MAIL:
        view = PasswordResetView.as_view(extra_context={"DOOMDESK_MAIL": True})
        answer: HttpResponse = view(request)
        return answer
    return render(request, "account/password_reset.html", {"DOOMDESK_MAIL": False})


def without_referrer(response: HttpResponse) -> HttpResponse:
    """The answer to an address that holds a secret: the next page does not learn where the visitor came from."""
    response["Referrer-Policy"] = "no-referrer"
    return response
