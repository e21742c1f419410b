"""How every list of the API comes in pages."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework.pagination import LimitOffsetPagination


class BoundedPagination(LimitOffsetPagination):
    """`?limit=` (100 by default, 500 at most) and `?offset=`."""

    default_limit = 100
    max_limit = 500
    about: ClassVar[Mapping[str, Any]] = {}
    """What a page tells beside its results: the schema of each field."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The page's schema with what it is about."""
        page = super().get_paginated_response_schema(schema)
        return {
            **page,
            "required": [*page["required"], *self.about],
            "properties": {**page["properties"], **self.about},
        }
