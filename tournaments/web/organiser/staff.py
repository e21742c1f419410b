"""The people who run an event: roles, invitations by link, and the page that takes one up."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.access import page_view
from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import NotFound
from tournaments.events.forms.acts import ROLE_WORDS, InviteForm
from tournaments.events.services.staff import accept_invite, find_invite, invite_staff, remove_role, revoke_invite
from tournaments.models import Role, StaffInvite, Tournament
from tournaments.permissions import roles_of
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.frame.navigation import first_page
from tournaments.web.organiser.events import manage_url


@event_view("event.staff", "GET", "POST", fresh=True)
def manage_staff(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/staff/: who runs the event; POST makes an invitation and shows its link this once."""
    now, form = database_now(), InviteForm(request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        token = invite_staff(request.actor, tournament, form.cleaned_data["role"], now)
        link = shared_address(request, reverse("join_staff", args=[token]))
    open_invites = tournament.invites.filter(accepted_at=None, revoked_at=None, expires_at__gt=now)
    context = {
        "here": "staff",
        "form": InviteForm() if link else form,
        "link": link,
        "role": Role.Name(form.cleaned_data["role"]).label if link else "",
        "roles": tournament.roles.select_related("user").order_by("user__username", "name"),
        "invites": open_invites,
    }
    response = render_event(request, tournament, "organiser/staff.html", context)
    return shown_once(response) if link else response


@event_view("event.staff", "POST")
def remove_staff(request: ActorRequest, tournament: Tournament, role_id: int) -> HttpResponse:
    """POST …/staff/<role>/remove/: take a role away; the last organiser stays."""
    role = tournament.roles.filter(pk=role_id).select_related("user", "tournament").first()
    if role is None:
        raise NotFound("unknown_role", _("This role is already removed."))
    if role.user_id == _own_id(request):
        asked = require_typed_name(
            request,
            title=_("Give up your own role?"),
            lost=[_("%(role)s. Only another organiser can give it back.") % {"role": role.get_name_display()}],
            name=role.user.get_full_name(),
            label=_("Give it up"),
            back=manage_url(tournament, "manage_staff"),
        )
        if asked is not None:
            return asked
    done = _("%(name)s is no longer %(role)s.") % {"name": role.user.get_full_name(), "role": role.get_name_display()}
    if role.name == Role.Name.ORGANISER and (calls := tournament.webhooks.count()):
        done += " " + ngettext(
            "The webhook goes on: delete it if only this person uses it.",
            "%(count)d webhooks go on: delete those that only this person uses.",
            calls,
        ) % {"count": calls}  # fmt: skip
    back = manage_url(tournament, "manage_staff")
    if role.user_id == _own_id(request):
        left = set(tournament.roles.filter(user=role.user).exclude(pk=role.pk).values_list("name", flat=True))
        back = manage_url(tournament, first_page(left, tournament)) if left else reverse("my_events")
    return run_action(request, lambda: remove_role(request.actor, role, database_now()), done, back)


def _own_id(request: ActorRequest) -> int | None:
    return request.actor.user.pk if request.actor.user else None


@event_view("event.staff", "POST")
def revoke_staff_invite(request: ActorRequest, tournament: Tournament, invite_id: int) -> HttpResponse:
    """POST …/staff/invites/<id>/revoke/: make an open invitation worthless."""
    invite = StaffInvite.objects.filter(tournament=tournament, pk=invite_id).select_related("tournament").first()
    if invite is None:
        raise NotFound("unknown_invite", _("This invitation is already revoked."))
    now, back = database_now(), manage_url(tournament, "manage_staff")
    return run_action(request, lambda: revoke_invite(request.actor, invite, now), _("The invitation is revoked."), back)


@page_view("signed_in", "GET", "POST", fresh=True)
def join_staff(request: ActorRequest, token: str) -> HttpResponse:
    """GET /join/<token>/: what an invitation offers; POST takes it. NotFound "unknown_invite"."""
    now = database_now()
    if request.method == "POST":
        tournament = accept_invite(request.actor, token, now)
        messages.success(request, _("Welcome to the staff of “%(name)s”.") % {"name": tournament.name})
        return redirect(first_page(roles_of(request.actor, tournament), tournament), tournament.slug)
    invite = find_invite(token, now)
    return render(request, "organiser/join.html", {"invite": invite, "says": ROLE_WORDS[Role.Name(invite.role)]})
