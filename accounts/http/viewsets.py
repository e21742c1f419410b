"""What every resource of the API does: know who calls and when, read what is sent, answer with a value or a page."""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.views.decorators.http import conditional_page
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.viewsets import GenericViewSet

from accounts.actors import Actor
from accounts.http.api import actor_of
from accounts.http.asked import (
    FIELDS,
    SAFE,
    chosen_fields,
    expect_known,
    expect_known_fields,
    takes_body,
    unknown_field,
)
from accounts.http.paging import BoundedPagination
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import BadInput


def tell_limits(response: HttpResponseBase, throttles: Sequence[Any]) -> None:
    """`RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until one more is free) of the throttle with least left."""
    counted = [each for each in throttles if getattr(each, "history", None) is not None]
    if not counted:
        return
    nearest = min(counted, key=lambda each: each.num_requests - len(each.history))
    oldest = nearest.history[-1] if nearest.history else nearest.now
    response["RateLimit-Limit"] = str(nearest.num_requests)
    response["RateLimit-Remaining"] = str(max(0, nearest.num_requests - len(nearest.history)))
    response["RateLimit-Reset"] = str(max(0, math.ceil(oldest + nearest.duration - nearest.now)))


class ApiViewSet(GenericViewSet[Any]):
    """A resource of the API: `resource` names it in the schema, `access_rules` holds the rule of each action.

    `queries` says what an action takes from the query string, `pages` which actions answer page by page. Anything else
    in the query string or the body is refused: BadInput "unknown_parameter", "unknown_field".
    `stores_nothing`: its unsafe actions only compute, so they run without a transaction, with a key or without.
    """

    resource: ClassVar[str]
    stores_nothing: ClassVar[bool] = False
    access_rules: ClassVar[Mapping[str, str]] = {}
    queries: ClassVar[Mapping[str, type[Serializer[Any]]]] = {}
    pages: ClassVar[frozenset[str]] = frozenset({"list"})
    pagination_class: type[BoundedPagination] | None = BoundedPagination

    @classmethod
    def as_view(cls, *args: Any, **initkwargs: Any) -> Callable[..., HttpResponseBase]:  # type: ignore[override]
        """The view, whose answers to GET have an ETag: 304 for whoever has it already."""
        view: Callable[..., HttpResponseBase] = conditional_page(super().as_view(*args, **initkwargs))
        return view

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Once it is known that the caller may ask, what is asked has to be known, too."""
        super().initial(request, *args, **kwargs)
        if not hasattr(self, self.action or ""):
            return
        expect_known(request.query_params, self.known_parameters())
        if request.method not in SAFE and request.data and not takes_body(self, self.action):
            raise unknown_field(next(iter(request.data)) if isinstance(request.data, Mapping) else "body")

    def known_parameters(self) -> set[str]:
        """The names that this action takes from the query string."""
        asked = self.queries.get(self.action)
        known = set(asked().fields) if asked else set()
        if self.action in self.pages and self.pagination_class:
            known |= {"limit", "offset"}
        return known | ({FIELDS} if self.request.method in SAFE else set())

    def get_throttles(self) -> list[Any]:
        """The throttles of this request, which remember what they counted."""
        return self.throttles

    @cached_property
    def throttles(self) -> list[Any]:
        return super().get_throttles()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Leave the fields that were asked for; say how many requests are left."""
        if (names := request.query_params.get(FIELDS)) and response.status_code == 200 and request.method in SAFE:
            try:
                response.data = chosen_fields(getattr(response, "data", None), names)
            except BadInput as error:
                response = self.handle_exception(error)
        tell_limits(response, self.throttles)
        if request.method in SAFE and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return super().finalize_response(request, response, *args, **kwargs)

    @cached_property
    def query(self) -> dict[str, Any]:
        """What is asked in the query string, checked; ValidationError (400) names each parameter that is not right."""
        reader = self.queries[self.action](data=self.request.query_params)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    @cached_property
    def now(self) -> datetime:
        """The database's time, read once a request."""
        return database_now()

    def read(self, serializer: type[Serializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """The checked body of the request; ValidationError (400) names each field that is not right."""
        reader = serializer(data=self.request.data, partial=partial)
        expect_known_fields(reader, self.request.data)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def answer(self, serializer: type[Serializer[Any]], value: object, status: int = 200, **context: Any) -> Response:
        """The answer that shows one value; the serializer finds `context` beside the view."""
        return Response(serializer(value, context={"view": self, **context}).data, status=status)

    def answer_secret(self, serializer: type[Serializer[Any]], value: object, status: int = 200) -> Response:
        """The same, shown this once: not kept to be repeated to whoever lost the right to see it."""
        response = self.answer(serializer, value, status)
        return shown_once(response)

    def answer_page(self, serializer: type[Serializer[Any]], values: Any) -> Response:
        """One page of a list or query set."""
        page = self.paginate_queryset(values)
        return self.get_paginated_response(serializer(page, many=True, context={"view": self}).data)
