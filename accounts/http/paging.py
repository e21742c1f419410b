"""How every list of the API comes in pages."""

from rest_framework.pagination import LimitOffsetPagination


class BoundedPagination(LimitOffsetPagination):
    """`?limit=` (100 by default, 500 at most) and `?offset=`."""

    default_limit = 100
    max_limit = 500
