"""No page is forgotten: every route of the site is on the list of pages, or said to be none, with the reason."""

from collections import defaultdict

from django.urls import resolve

from tests.page_audits.pages import NO_PAGE, all_pages
from tests.routes import walk_routes

FOREIGN = ("admin/", "api/")
"""The administration is Django's own; programs read the interface."""


class Anything(defaultdict[str, str]):
    """A value for every name, that every converter takes."""

    def __missing__(self, key: str) -> str:
        return "1"


def names_of_pages() -> set[str]:
    """The routes that the list of pages opens."""
    return {
        resolve(page.address(Anything()).split("?")[0]).url_name for page in all_pages() if page.status in (200, 403)
    }


def methods_of(view: object) -> list[str] | None:
    """The methods that `require_http_methods` lets through to a view, None where nothing was said."""
    while view is not None:
        for cell in getattr(view, "__closure__", None) or ():
            if isinstance(cell.cell_contents, list) and set(cell.cell_contents) <= {"GET", "HEAD", "POST"}:
                return cell.cell_contents or None
        view = getattr(view, "__wrapped__", None)
    return None


def names_of_routes() -> set[str]:
    """The named routes of the site that may be opened."""
    routes = [route for route in walk_routes() if route.name and not route.path.startswith(FOREIGN)]
    return {route.name for route in routes if "GET" in (methods_of(route.callback) or ["GET"])}


def test_every_route_is_a_page_that_is_looked_at_or_none():
    assert names_of_routes() - names_of_pages() - NO_PAGE.keys() == set()


def test_list_of_what_is_no_page_is_up_to_date():
    assert NO_PAGE.keys() - names_of_routes() == set()
    assert NO_PAGE.keys() & names_of_pages() == set()
