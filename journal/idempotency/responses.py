"""What a view says about its answer to the idempotency middleware."""

from typing import TypeVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase

Response = TypeVar("Response", bound=HttpResponseBase)
_SECRET, _KEEPS_EFFECT = "is_secret", "keeps_effect"


def shown_once(response: Response) -> Response:
    """The answer holds a secret: its effect stays, but it is not stored for repeats, which run again."""
    vars(response)[_SECRET] = True
    return response


def with_effect(response: Response) -> Response:
    """What the view wrote stays although the answer looks like a refusal."""
    vars(response)[_KEEPS_EFFECT] = True
    return response


def is_shown_once(response: HttpResponse) -> bool:
    """Whether `shown_once` marked the answer."""
    return _SECRET in vars(response)


def keeps_effect(response: HttpResponse) -> bool:
    """Whether `with_effect` marked the answer."""
    return _KEEPS_EFFECT in vars(response)
