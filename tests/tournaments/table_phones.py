"""Phones that scanned the code on a table: what tests of the table's page start from."""

from django.http import HttpResponse
from django.test import Client

from accounts.actors import Actor
from journal.clock import database_now
from tests.tournaments.factories import account
from tournaments.core.actors import actor_of_code
from tournaments.models import Match, Seat, TableCode, Tournament
from tournaments.table_access.services import issue_codes


def tokens_of(tournament: Tournament, last: int = 2) -> dict[int, str]:
    """New codes for tables 1 to `last`: the raw token of each table."""
    issued = issue_codes(account("olive"), tournament, 1, last, database_now())
    return {each.code.table_number: each.token for each in issued}


def phone(token: str) -> Client:
    """A browser that opened a code."""
    client = Client()
    client.get(f"/t/{token}/")
    return client


def table_actor(tournament: Tournament, table: int = 1, name: str = "one") -> Actor:
    """Who acts by the live code of a table, on a phone of its own for each name."""
    code = TableCode.objects.select_related("tournament").get(
        tournament=tournament, table_number=table, revoked_at=None
    )
    return actor_of_code(code, name)


def seats_at(match: Match) -> list[Seat]:
    return list(match.seats.select_related("match__round__stage__tournament", "entry").order_by("order"))


def say(client: Client, match: Match, act: str, **fields: object) -> HttpResponse:
    """Press a button of the table's page, the match and its version as the page shows them."""
    match.refresh_from_db()
    body = {"act": act, "match": match.pk, "version": match.version, **fields}
    return client.post(f"/e/{match.round.stage.tournament.slug}/table/", body)
