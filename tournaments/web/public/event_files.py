"""How a stranger checks an event: its file for everybody, the program that checks it, the key that signs it."""

import hashlib

from django.http import HttpResponse, JsonResponse

from accounts.http.access import page_view
from accounts.http.downloads import file_response
from accounts.http.requests import ActorRequest
from tournaments.bundles.bringing import program
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.bundles.selectors import signing_key_of
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.event_files import event_file_answer


@event_view("event.see")
def check_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/check/: what to download and which command to type, so that nobody has to trust this site."""
    key = signing_key_of(tournament)
    context = {
        "here": "check_event",
        "key": key,
        "program_digest": hashlib.sha256(program()).hexdigest(),
        "command": f"python3 verify_event.py {tournament.slug}.zip --key {key}",
    }
    return render_event(request, tournament, "public/check_event.html", context)


@event_view("event.see")
def public_file(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/event.zip: everything that the public pages show at this moment, signed."""
    return event_file_answer(tournament, Scope.PUBLIC)


@page_view("public")
def verify_program(request: ActorRequest) -> HttpResponse:
    """GET /verify/verify_event.py: the program, standard library only."""
    return file_response(program(), "text/x-python; charset=utf-8", "verify_event.py")


@page_view("public")
def site_key(request: ActorRequest) -> HttpResponse:
    """GET /verify/key.json: the public key that signs this site's event files."""
    return JsonResponse({"algorithm": "Ed25519", "key": public_key()})
