"""What makes two requests the same: the scope and key a request carries, and the fingerprint of what it asks."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import resolve

HEADER = "Idempotency-Key"
FIELD = "idempotency_key"
API_PREFIX = "/api/"
KEY = re.compile(r"[\x21-\x7e]{1,200}\Z")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
WRITES = ("INSERT", "UPDATE", "DELETE")
_NOT_CONTENT = {"csrfmiddlewaretoken", FIELD}


def key_of(request: HttpRequest) -> str | None:
    """The key of an unsafe request, from its header or its form; None without one. May be malformed: see `KEY`."""
    if request.method in SAFE:
        return None
    return request.headers.get(HEADER) or request.POST.get(FIELD) or None


class Writes:
    """Notes, as a connection's `execute_wrapper`, whether a statement wrote a row."""

    seen = False

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        self.seen = self.seen or sql.lstrip()[:6].upper() in WRITES
        return execute(sql, *rest)


def is_api_write(request: HttpRequest) -> bool:
    """Whether the API is asked to change something."""
    return request.method not in SAFE and request.path_info.startswith(API_PREFIX)


def stores_nothing(request: HttpRequest) -> bool:
    """Whether the view only computes (`stores_nothing = True` on its class): it is never worth a writer's lock."""
    if request.method in SAFE:
        return False
    try:
        view = resolve(request.path_info, getattr(request, "urlconf", None)).func
    except Http404:
        return False
    return bool(getattr(getattr(view, "cls", None), "stores_nothing", False))


def is_visitor(request: HttpRequest) -> bool:
    """Whether nobody whom we know asks."""
    return bool(request.actor.key == "anonymous")  # type: ignore[attr-defined]


def scope_of(request: HttpRequest) -> str:
    """Whose keys these are: the actor's; a visitor's by session, else by CSRF cookie or address (hashed)."""
    if not is_visitor(request):
        return str(request.actor.key)  # type: ignore[attr-defined]
    marks = (request.session.session_key, request.COOKIES.get("csrftoken"), request.META.get("REMOTE_ADDR"))
    mark = next((mark for mark in marks if mark), "")
    return f"anonymous:{hashlib.sha256(mark.encode('utf-8', 'surrogateescape')).hexdigest()}"


def is_form(request: HttpRequest) -> bool:
    """Whether the body is an HTML form's."""
    return request.content_type in FORMS


def fingerprint_of(request: HttpRequest) -> str:
    """SHA-256 (hex) of method, address and body, without the fields that change with every showing of a form."""
    address = [request.method, request.get_full_path()]
    if not is_form(request):
        return _hash([*address, hashlib.sha256(request.body).hexdigest()])
    fields = sorted((name, values) for name, values in request.POST.lists() if name not in _NOT_CONTENT)
    files = [(name, file.name, _hash_file(file)) for name, files in sorted(request.FILES.lists()) for file in files]
    return _hash([*address, fields, files])


def rewind_files(request: HttpRequest) -> None:
    """Set uploaded files back to their beginning, before each try of the view."""
    for _name, files in request.FILES.lists():
        for file in files:
            file.seek(0)


def _hash_file(file: object) -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():  # type: ignore[attr-defined]
        digest.update(chunk)
    return digest.hexdigest()


def _hash(content: list[object]) -> str:
    return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()
