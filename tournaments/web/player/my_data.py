"""Everything that is held on the viewer, with an account or by personal link: taken along as a file, and erased."""

import io
import json
from functools import partial
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib import messages
from django.contrib.auth import logout
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.downloads import file_response
from accounts.http.requests import ActorRequest, own_account
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from rules_engine.errors import DomainError
from tournaments.entries.selectors.entries import find_guest, guests_of
from tournaments.entries.services.accounts import give_person_back
from tournaments.privacy.kept_by import what_actor_leaves
from tournaments.privacy.selectors import held_on
from tournaments.privacy.services import erase_own, own_name


@page_view("known", fresh=True)
def my_data(request: ActorRequest) -> HttpResponse:
    """GET /my/data/: what the file holds, the guests of the account, and what erasing does."""
    guests = guests_of(request.actor.user) if request.actor.user is not None else []
    context = {"left_to_do": what_actor_leaves(request.actor), "guests": guests}
    return render(request, "player/my_data.html", context)


@page_view("signed_in", "POST")
def give_guest_back(request: ActorRequest, public_id: str) -> HttpResponse:
    """POST /my/data/guests/<id>/back/: undo that the account took a guest over, once the guest's name was typed."""
    user = own_account(request)
    guest, events = find_guest(user, public_id)
    asked = require_typed_name(
        request,
        title=_("You aren't %(name)s?") % {"name": guest.name},
        lost=[
            *(_("%(event)s leaves your account.") % {"event": event.name} for event in events),
            _("To take it in again you need a new personal link from the organiser."),
        ],
        name=guest.name,
        label=_("This isn't me"),
        back="/my/data/",
    )
    if asked is not None:
        return asked
    try:
        give_person_back(guest, user, request.actor, database_now())
    except DomainError as error:
        messages.error(request, str(error.message))
    else:
        messages.success(request, _("%(name)s is a player without an account again.") % {"name": guest.name})
    return redirect("my_data")


@page_view("known", fresh=True)
def export(request: ActorRequest) -> HttpResponse:
    """GET /my/data/export.zip: everything that is held on the viewer, as JSON in a zip.

    NotAllowed "issuer_plays", "other_event" for some personal links.
    """
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        text = json.dumps(held_on(request.actor), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        archive.writestr("data.json", text)
    return file_response(file.getvalue(), "application/zip", "my-data.zip")


@page_view("known", "POST")
def erase(request: ActorRequest) -> HttpResponse:
    """POST /my/data/erase/: erase the account, or who came by link, once the name was typed; and sign out."""
    asked = _ask_for_name(request)
    if asked is not None:
        return asked
    try:
        erase_own(request.actor, database_now())
    except DomainError as error:
        messages.error(request, str(error.message))
        return redirect("my_data")
    logout(request)
    messages.success(request, _("Your data is erased."))
    return redirect("/")


def _ask_for_name(request: ActorRequest) -> HttpResponse | None:
    ask = partial(require_typed_name, request, name=own_name(request.actor), back="/my/data/")
    stays = _("Your results stay under a pseudonym, so that the standings of others stay right.")
    if request.actor.user is None:
        lost = [
            _("Your name, contact data, decks and personal links are erased. Nobody can bring them back."),
            stays,
            _("Your personal link doesn't open anything any more."),
        ]
        return ask(title=_("Erase your data"), lost=lost, label=_("Erase my data"))
    lost = [
        _("Your name, contact data, decks, links and tokens are erased. Nobody can bring them back."),
        stays,
        _("You can't sign in with this account any more."),
    ]
    return ask(title=_("Erase your account"), lost=lost, label=_("Erase my account"))
