"""Programs that call the API."""

from rest_framework.test import APIClient

from accounts.services import issue_api_token
from journal.clock import database_now
from tests.tournaments.cast import account


def caller(name: str = "") -> APIClient:
    """A program with somebody's token; without a name, nobody."""
    client = APIClient()
    if name:
        actor = account(name)
        _row, token = issue_api_token(actor.user, actor, database_now())
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client
