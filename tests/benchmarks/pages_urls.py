"""The site's addresses and one more: a view that does nothing, the baseline of the benchmark of pages."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from accounts.http.access import access
from config.urls import handler400, handler403, handler404, handler429, handler500
from config.urls import urlpatterns as site

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500", "urlpatterns"]


@access("public")
def empty(request: HttpRequest) -> HttpResponse:
    """Nothing."""
    return HttpResponse("")


urlpatterns = [path("empty/", empty), *site]
