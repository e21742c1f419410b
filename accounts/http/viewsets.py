"""What every resource of the API does: know who calls and when, read the body, answer with a value or a page."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.viewsets import GenericViewSet

from accounts.actors import Actor
from accounts.http.api import actor_of
from accounts.http.paging import BoundedPagination
from journal.clock import database_now
from journal.idempotency.responses import shown_once


class ApiViewSet(GenericViewSet[Any]):
    """A resource of the API: `resource` names it in the schema, `access_rules` holds the rule of each action.

    `stores_nothing`: its unsafe actions only compute, so they run without a transaction, with a key or without.
    """

    resource: ClassVar[str]
    stores_nothing: ClassVar[bool] = False
    access_rules: ClassVar[Mapping[str, str]] = {}
    pagination_class: type[BoundedPagination] | None = BoundedPagination

    @property
    def actor(self) -> Actor:
        """Who calls."""
        return actor_of(self.request)

    @cached_property
    def now(self) -> datetime:
        """The database's time, read once a request."""
        return database_now()

    def read(self, serializer: type[Serializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """The checked body of the request; ValidationError (400) names each field that is not right."""
        reader = serializer(data=self.request.data, partial=partial)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def answer(self, serializer: type[Serializer[Any]], value: object, status: int = 200) -> Response:
        """The answer that shows one value."""
        return Response(serializer(value, context={"view": self}).data, status=status)

    def answer_secret(self, serializer: type[Serializer[Any]], value: object, status: int = 200) -> Response:
        """The same, shown this once: not kept to be repeated to whoever lost the right to see it."""
        response = self.answer(serializer, value, status)
        return shown_once(response)

    def answer_page(self, serializer: type[Serializer[Any]], values: Any) -> Response:
        """One page of a list or query set."""
        page = self.paginate_queryset(values)
        return self.get_paginated_response(serializer(page, many=True, context={"view": self}).data)
