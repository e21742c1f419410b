"""Everything that is held on the own account: taken along as a file, and erased."""

import io
import json
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib import messages
from django.contrib.auth import logout
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http.access import access
from accounts.http.requests import ActorRequest, own_account
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from rules_engine.errors import DomainError
from tournaments.privacy.selectors import LEFT_OUT, held_on
from tournaments.privacy.services import erase_account


@access("signed_in")
@never_cache
@require_safe
def my_data(request: ActorRequest) -> HttpResponse:
    """GET /my/data/: what the file holds, and what erasing does."""
    return render(request, "player/my_data.html", {"account": own_account(request)})


@access("signed_in")
@never_cache
@require_safe
def export(request: ActorRequest) -> HttpResponse:
    """GET /my/data/export.zip: everything that is held on the account, as JSON in a zip."""
    file = io.BytesIO()
    held = {**held_on(own_account(request)), "left_out": LEFT_OUT}
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("data.json", json.dumps(held, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1))
    response = HttpResponse(file.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="my-data.zip"'
    return response


@access("signed_in")
@require_POST
def erase(request: ActorRequest) -> HttpResponse:
    """POST /my/data/erase/: erase the account once its name was typed, and sign out."""
    user = own_account(request)
    lost = [
        _("Your name, contact data, decks, links and tokens are erased. Nobody can bring them back."),
        _("Your results stay under a pseudonym, so that the standings of others stay right."),
        _("You can't sign in with this account any more."),
    ]
    asked = require_typed_name(
        request, title=_("Erase your account"), lost=lost, name=user.get_username(), label=_("Erase my account"),
        back="/my/data/",
    )  # fmt: skip
    if asked is not None:
        return asked
    try:
        erase_account(user, request.actor, database_now())
    except DomainError as error:
        messages.error(request, str(error.message))
        return redirect("my_data")
    logout(request)
    messages.success(request, _("Your account is erased."))
    return redirect("/")
