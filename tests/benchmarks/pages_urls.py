"""The site's addresses and the baselines of the benchmark of pages: a view that does nothing, one that stores a row."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.http.access import access
from config.urls import handler400, handler403, handler404, handler429, handler500
from config.urls import urlpatterns as site
from journal.clock import database_now
from journal.models import OutboxMessage

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500", "urlpatterns"]


@access("public")
def empty(request: HttpRequest) -> HttpResponse:
    """Nothing."""
    return HttpResponse("")


class Games(serializers.Serializer[OutboxMessage]):
    """What a report of a match holds at least."""

    games_won = serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=9))


class Bare(APIView):
    """As little as a view of Django REST framework can do that reads what is sent and stores it."""

    permission_classes = (IsAuthenticated,)

    def post(self, request: Request) -> Response:
        """One row."""
        sent = Games(data=request.data)
        sent.is_valid(raise_exception=True)
        with transaction.atomic():
            now = database_now()
            OutboxMessage.objects.create(
                task="bare", args=sent.validated_data["games_won"], created_at=now, available_at=now, done_at=now
            )
        return Response(sent.validated_data)


urlpatterns = [path("empty/", empty), path("api/v1/bare/", access("signed_in")(Bare.as_view())), *site]
