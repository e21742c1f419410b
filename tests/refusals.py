"""How an act is refused."""

from collections.abc import Callable

import pytest

from rules_engine.errors import DomainError


def refusal(act: Callable[..., object], *args: object, **named: object) -> str:
    with pytest.raises(DomainError) as caught:
        act(*args, **named)
    return caught.value.code
