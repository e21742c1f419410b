"""Browsers for tests of pages: who is behind them, and the forms they send."""

import re

from django.test import Client

from accounts.actors import Actor
from accounts.identity.services import issue_personal_link
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, entry
from tournaments.core.rounds import matches_of
from tournaments.models import Match, Round, Seat, Tournament


def browser(actor: Actor | None = None) -> Client:
    """A browser of somebody signed in, or of a visitor."""
    client = Client()
    if actor is not None:
        client.force_login(actor.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def guest(tournament: Tournament, name: str, client: Client | None = None) -> Client:
    """A browser that opened the personal link of a player; a new one unless told which."""
    person = entry(tournament, name).members.get().person
    client = client or Client()
    client.get(f"/p/{issue_personal_link(person, account('olive'), NOW)}/")
    return client


def page(client: Client, address: str, **query: str) -> str:
    """The text of a page that must be there."""
    response = client.get(address, query)
    assert response.status_code == 200, (address, response.status_code)
    return response.getvalue().decode()


def url(tournament: Tournament, rest: str = "") -> str:
    return f"/e/{tournament.slug}/{rest}"


def paired(round_: Round) -> tuple[Match, Seat, Seat]:
    """The match at table 1 with its seats in order."""
    match = next(match for match in matches_of(round_) if match.table_number == 1)
    first, second = sorted(match.seats.all(), key=lambda seat: seat.order)
    return match, first, second


def names_at(match: Match) -> list[str]:
    """Who plays a match, in the order of seats."""
    return [seat.entry.name for seat in match.seats.order_by("order")]


def both(tournament: Tournament, round_: Round) -> tuple[Match, Client, Client, str, str]:
    """The match at table 1, a browser for each seat, and the two names."""
    match, first, second = paired(round_)
    one, other = first.entry.name, second.entry.name
    return match, guest(tournament, one), guest(tournament, other), one, other


def text_of(html: str) -> str:
    """What a reader sees: no tags, single spaces."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def notice_text(html: str) -> str:
    """The look of the message on a page (done, wait, open or wrong), and what it says."""
    notice = r'<div class="notices">\s*<div\s+class="notice (\w+)" role="\w+"\s*>\s*<p>(.*?)</p>'
    found = re.search(notice, html, re.DOTALL)
    assert found is not None
    return f"{found[1]}: {text_of(found[2])}"


def queries(client: Client, address: str) -> int:
    """How many queries a page takes that was opened before."""
    page(client, address)
    return count_queries(page, client, address)
