"""Programs that call the API."""

from typing import Any

from rest_framework.test import APIClient

from accounts.identity.keys import issue_api_token
from journal.clock import database_now
from tests.tournaments.factories import account
from tournaments.models import Tournament


class JsonClient(APIClient):
    """A client that sends JSON."""

    default_format = "json"


def caller(name: str = "", *, csrf: bool = False) -> APIClient:
    """A program with somebody's token; without a name, nobody."""
    client = JsonClient(enforce_csrf_checks=csrf)
    if name:
        actor = account(name)
        _row, token = issue_api_token(actor.user, actor, database_now())
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def path_of(tournament: Tournament) -> str:
    """The address of an event."""
    return f"/api/v1/events/{tournament.slug}/"


def good(response: Any, status: int = 200) -> Any:
    """The body of an answer that must have this status."""
    assert response.status_code == status, response.content
    return response.json() if response.content else None
