"""A toy site of views that act, refuse, crash or forget, for the tests of what stands around every view."""

import rules
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from accounts.http.access import access, check_access
from config.urls import urlpatterns as site
from journal.clock import database_now
from journal.idempotency.responses import shown_once, with_effect
from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from rules_engine.errors import Conflict, DomainError

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"

TRIES: list[int] = []


class Thing:
    """An object that only user names starting with "o" may see and only "olive" may change."""

    see_rule = "toy.see"


@rules.predicate
def sees(actor, thing) -> bool:
    return actor.user is not None and actor.user.username.startswith("o")


@rules.predicate
def changes(actor, thing) -> bool:
    return actor.user is not None and actor.user.username == "olive"


for _name, _predicate in {"toy.see": sees, "toy.change": changes, "toy.open": changes}.items():
    if not rules.perm_exists(_name):
        rules.add_perm(_name, _predicate)


def act(task: str = "toy.act") -> int:
    enqueue(task, [1], database_now())
    return OutboxMessage.objects.count()


@access("public")
def add(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return HttpResponse("form")
    return HttpResponseRedirect(f"/added/{act()}/")


@access("public")
def refuse(request: HttpRequest) -> HttpResponse:
    act()
    raise DomainError("too_late", "The round is closed.", round=3)


@access("public")
def conflict(request: HttpRequest) -> HttpResponse:
    raise Conflict("moved_on", "Somebody was first.")


@access("public")
def crash(request: HttpRequest) -> HttpResponse:
    act()
    raise ZeroDivisionError


@access("public")
def outage(request: HttpRequest) -> HttpResponse:
    raise InterfaceError("the connection is closed")


@access("public")
def form_errors(request: HttpRequest) -> HttpResponse:
    act()
    return HttpResponse("errors")


@access("public")
def keeps(request: HttpRequest) -> HttpResponse:
    return with_effect(HttpResponse(f"kept {act()}", status=409))


@access("public")
def secret(request: HttpRequest) -> HttpResponse:
    return shown_once(HttpResponse(f"secret {act()}"))


@access("public")
def greet(request: HttpRequest) -> HttpResponse:
    request.session["greeted"] = act()
    return HttpResponseRedirect("/")


class Serialisation(Exception):
    sqlstate = "40001"


@access("public")
def flaky(request: HttpRequest) -> HttpResponse:
    TRIES.append(1)
    act()
    if len(TRIES) % 3:
        raise OperationalError("serialisation failure") from Serialisation()
    return HttpResponseRedirect("/")


@access("public")
def upload(request: HttpRequest) -> HttpResponse:
    TRIES.append(1)
    body = request.FILES["file"].read().decode()
    if len(TRIES) % 2:
        raise OperationalError("serialisation failure") from Serialisation()
    act(body)
    return HttpResponseRedirect("/")


@access("toy.change")
def change(request: HttpRequest) -> HttpResponse:
    check_access("toy.change", request.actor, Thing())
    return HttpResponse("changed")


@access("toy.open")
def open_change(request: HttpRequest) -> HttpResponse:
    check_access("toy.open", request.actor, object())
    return HttpResponse("changed")


@access("toy.open")
def forgetful(request: HttpRequest) -> HttpResponse:
    return HttpResponse("the deck of Ada")


def ruleless(request: HttpRequest) -> HttpResponse:
    return HttpResponse("the deck of Ada")


@access("public")
def missing(request: HttpRequest) -> HttpResponse:
    raise Http404("secret detail")


@access("public")
def forbidden(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied("secret detail")


class Acts(ViewSet):
    access_rules = {"list": "public", "create": "signed_in", "retrieve": "toy.see"}

    def list(self, request) -> Response:
        return Response([])

    def create(self, request) -> Response:
        return Response({"number": act()}, status=201)

    def retrieve(self, request, pk) -> Response:
        self.check_object_permissions(request, Thing())
        return Response({"pk": pk})

    def destroy(self, request, pk) -> Response:
        return Response(status=204)


class Fields(serializers.Serializer):
    name = serializers.CharField(max_length=5)
    games = serializers.IntegerField()


class Errors(APIView):
    access_rule = "public"

    def post(self, request, kind: str) -> Response:
        if kind == "domain":
            raise DomainError("too_late", "The round is closed.", round=3)
        if kind == "crash":
            raise ZeroDivisionError("secret detail")
        if kind == "missing":
            raise Http404("secret detail")
        fields = Fields(data=request.data)
        fields.is_valid(raise_exception=True)
        return Response(fields.data, status=201)


class Within(APIView):
    """A list within a parent, which is what the rule is asked about."""

    access_rules = {"get": "toy.see"}

    def get_access_object(self) -> Thing:
        return Thing()

    def get(self, request) -> Response:
        return Response([])


urlpatterns = [
    path("add/", add),
    path("refuse/", refuse),
    path("conflict/", conflict),
    path("crash/", crash),
    path("outage/", outage),
    path("form-errors/", form_errors),
    path("keeps/", keeps),
    path("secret/", secret),
    path("greet/", greet),
    path("flaky/", flaky),
    path("upload/", upload),
    path("change/", change),
    path("open-change/", open_change),
    path("forgetful/", forgetful),
    path("ruleless/", ruleless, name="ruleless"),
    path("missing/", missing),
    path("forbidden/", forbidden),
    path("api/v1/acts/", Acts.as_view({"get": "list", "post": "create"})),
    path("api/v1/acts/<int:pk>/", Acts.as_view({"get": "retrieve"})),
    path("api/v1/unruled/<int:pk>/", Acts.as_view({"delete": "destroy"}), name="unruled_action"),
    path("api/v1/errors/<str:kind>/", Errors.as_view()),
    path("api/v1/within/", Within.as_view()),
    path("api/v1/ruleless/", ruleless, name="ruleless_api"),
    *site,
]
