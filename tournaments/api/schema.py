"""What every operation of the API says in its schema: its name, the idempotency key, and each problem it can answer."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.serializers import Serializer

from accounts.http.asked import FIELDS
from tournaments.api.error_codes import CODES

Direction: TypeAlias = Literal["request", "response"]
SAFE = ("GET", "HEAD")
READ_BY_VISITORS = ("event.see", "league.see", "outlook.see")
"""Rules that visitors keep too where the event or league is public."""
PROBLEM = "application/problem+json"
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Any text of your own: a repeat with the same key gets the first answer and has no second effect.",
)


class ProblemSerializer(serializers.Serializer[Any]):
    """An error: `code` is stable, `detail` is for people, `details` and `errors` name what was wrong."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.ChoiceField(CODES, help_text="docs/reference/errors.md has what each says.")
    detail = serializers.CharField()
    details = serializers.DictField()
    errors = serializers.JSONField(  # type: ignore[assignment]
        required=False, help_text="For each field that is not right: what is wrong with it."
    )


IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of the answer you have: 304 if it still holds."
)
CHOSEN = OpenApiParameter(
    FIELDS,
    str,
    description="The names of the fields you want, with commas between; all unless given. The answer then lacks the "
    "others, those too that are required here.",
)
PROBLEMS = {
    400: "The request cannot be read, or a field is not right.",
    401: "Sign in, or show a valid token.",
    403: "You may not do this, or the CSRF token of a browser session is missing.",
    404: "There is no such thing, or its existence is not for you to know.",
    409: "The world has moved on: another person was first, or is busy.",
    415: "The body is not JSON.",
    422: "The rules do not allow this now.",
    429: "Too many requests; wait a little.",
}


class ProblemSchema(AutoSchema):
    """AutoSchema with tidy operation ids (`entries_check_in`), all problems, and the idempotency key."""

    def get_operation_id(self) -> str:
        """The view's resource and its action."""
        return f"{self._resource()}_{getattr(self.view, 'action', '')}".rstrip("_")

    def get_tags(self) -> list[str]:
        """One tag a resource."""
        return [self._resource()]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """How to sign in; `{}` first where nobody needs to: what is public, and what visitors read of public events."""
        ways: list[dict[str, list[str]]] = super().get_auth()
        rule = self._rule()
        is_open = rule == "public" or (rule in READ_BY_VISITORS and self.method in SAFE)
        return [{}, *ways] if is_open else ways

    def get_override_parameters(self) -> list[OpenApiParameter | Serializer[Any] | type[Serializer[Any]]]:
        """What the view says of its query string; the key of unsafe methods, the wanted fields of others."""
        asked = getattr(self.view, "queries", {}).get(getattr(self.view, "action", ""))
        common = [IF_NONE_MATCH, *([] if self._is_file() else [CHOSEN])] if self.method in SAFE else [IDEMPOTENCY_KEY]
        return [*([asked] if asked else []), *common]

    def _is_file(self) -> bool:
        """Whether the answer is no JSON."""
        answers = self.get_response_serializers()
        return isinstance(answers, Mapping) and any(isinstance(status, tuple) for status in answers)

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if self.method in SAFE:
            bodies.setdefault("304", {"description": "What you have by this ETag still holds."})
        for status in self._problems():
            response = OpenApiResponse(ProblemSerializer, PROBLEMS[status])
            body = self._get_response_for_code(response, str(status), [PROBLEM], direction)  # type: ignore[no-untyped-call]
            bodies.setdefault(str(status), body)
        return dict(sorted(bodies.items()))

    def _resource(self) -> str:
        return str(getattr(self.view, "resource", "api"))

    def _rule(self) -> str:
        return str(getattr(self.view, "access_rules", {}).get(getattr(self.view, "action", ""), ""))

    def _problems(self) -> list[int]:
        statuses = {400, 401, 429} | ({403} if self._rule() == "site_admin" else set())
        if self.method not in SAFE:
            statuses |= {403, 404, 409, 415, 422}
        if "{" in self.path:
            statuses |= {403, 404}
        return sorted(statuses)
