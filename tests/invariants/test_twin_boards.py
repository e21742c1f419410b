"""Twin worlds at the boards: what a player keeps for herself there reaches no page and no program of anybody else.

Two worlds differ in the hand that Ada noted on her phone and, in Doom Pile, in her Master Plan and the order of her
deck.
See docs/how-it-works/trust.md#d1.
"""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.identity.keys import issue_api_token
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import OutboxMessage
from rules_engine.systems import get_system
from scoring.sheets.web import boards
from scoring.sheets.web.hands import hand_of
from tests.invariants.test_twin_worlds import OTHER_DECK, always_undoable, deckful, quiet
from tests.routes import walk_routes
from tests.tournaments.factories import NOW, account, entry, event, next_round
from tests.tournaments.table_phones import phone, say, seats_at, tokens_of
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import Match, StackOrder
from tournaments.sheets.services.writing import open_match_sheet

pytestmark = pytest.mark.django_db
GAMES = {"doomlings": "standard", "doom_pile": "standard"}
HANDS = ("Adorable", "Ash Ledger")
STRANGERS = ("ben", "olive", "table")
"""The opponent, the organiser, and a phone with the code of the table, which speaks for the opponent."""
WHERE = re.compile(r"/(match|matches|my|table|sheets)/")
"""What is about one match, its table or its players; a deck changes no other answer either, see `test_twin_worlds`."""


@pytest.fixture(params=GAMES)
def match(request) -> Match:
    """Ada and Ben at a table with an open sheet, the board's game begun; in Doom Pile with registered decks."""
    game, now = request.param, database_now()
    load_catalogues(now, [get_system(game)])
    tournament = event(game=game, game_format=GAMES[game], best_of=1, score_sheets=True, self_sign_up=True)
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, now)
        if game == "doom_pile":
            member = entry(tournament, name).members.get()
            register_deck(account(name), member, "Twin A", sample_decklist(copies=3), now)
    next_round(start_tournament(account("olive"), tournament, now))
    found = entry(tournament, "ada").seats.get().match
    open_match_sheet(account("olive"), found, now)
    board = f"/e/{tournament.slug}/match/{found.pk}/sheet/play/board/"
    ada = signed_in("ada")
    seen = re.search(r"\?seen=([\w-]+)", ada.get(board).content.decode())[1]
    first = str(found.score_sheet.sheet.players[0]["name"])
    begun = ada.post(board.replace("/board/", "/move/"), {"act": "start", "player": first, "seen": seen})
    assert begun.status_code == 302
    return found


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(account(name).user)
    return client


def strangers(match: Match) -> dict[str, tuple[Client, str]]:
    """Everybody but Ada, each with a browser and a token where there is an account."""
    found = {name: (signed_in(name), issue_api_token(account(name).user, account(name), NOW)[1])
             for name in STRANGERS[:-1]}  # fmt: skip
    table = phone(tokens_of(match.round.stage.tournament, 1)[1])
    say(table, match, "claim", seat=next(each.pk for each in seats_at(match) if each.entry.name == "ben"))
    return {**found, "table": (table, "")}


def addresses(match: Match) -> Iterator[str]:
    """Every address of the match, its table and its sheet, and what is a player's own, by page and by program."""
    tournament = match.round.stage.tournament
    values = {
        "slug": [tournament.slug],
        "event_id": [str(tournament.pk)],
        "match_id": [str(match.pk)],
        "round_id": [str(match.round_id)],
        "place": ["0", "1", "2"],
        "number": ["1"],
        "page": ["board"],
    }
    for route in walk_routes():
        path = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", re.sub(r"[$^]|\\", "", route.path))
        names = re.findall(r"<(?:\w+:)?(\w+)>", path)
        if not path.startswith(("e/", "api/v1/events/<")) or not WHERE.search(path) or not values.keys() >= set(names):
            continue
        for place in values["place"] if "place" in names else [""]:
            for name in names:
                path = re.sub(rf"<(?:\w+:)?{name}>", place if name == "place" else values[name][0], path)
            yield f"/{path}"


def answers(match: Match, callers: dict[str, tuple[Client, str]]) -> dict[tuple[str, str], tuple[int, bytes]]:
    """What everybody is answered everywhere."""
    told = {}
    for path in addresses(match):
        for name, (client, token) in callers.items():
            cache.clear()
            headers = {"authorization": f"Token {token}"} if token and path.startswith("/api/") else {}
            with always_undoable():
                answer = client.get(path, headers=headers)
            content = b"".join(answer) if answer.streaming else answer.content
            told[name, path] = answer.status_code, quiet(content)
    return told


def keep(match: Match, ada: Client, world: int) -> None:
    """Ada's secrets as they are in one of the two worlds."""
    tournament, member = match.round.stage.tournament, match.seats.get(entry__name="ada").member
    sheet = f"/e/{tournament.slug}/match/{match.pk}/sheet/play/hand/"
    if world:
        ada.post(sheet, {"out": 1})
    assert ada.post(sheet, {"name": HANDS[world]}).status_code == 302
    if tournament.game == "doom_pile":
        deckful(tournament, f"Twin {'AB'[world]}", (sample_decklist(copies=3), OTHER_DECK)[world]).write(member)
        member.refresh_from_db()
        cards = [each.name for each in member.deck_version.decklist.entries]
        StackOrder.objects.update_or_create(
            member=member, match=match, game=1, defaults={"cards": cards, "saved_at": NOW}
        )


def test_what_a_player_keeps_at_the_board_changes_no_answer_to_anybody_else(match, monkeypatch):
    ada, callers = signed_in("ada"), strangers(match)
    keep(match, ada, 0)
    sent = OutboxMessage.objects.count()
    board = next(path for path in addresses(match) if path.endswith("play/board/") and "/match/" in path)
    own, one = ada.get(board).content, answers(match, callers)
    assert one["ben", board][0] == 200
    keep(match, ada, 1)
    two = answers(match, callers)
    assert [key for key in one if one[key] != two[key]] == []
    assert ada.get(board).content != own
    assert OutboxMessage.objects.count() == sent, "no stream can tell what nobody sent"
    # The control: a hand that everybody's board took from Ada's phone is seen.
    request = ada.get(board).wsgi_request
    monkeypatch.setattr(boards, "hand_of", lambda _request, frame, number: hand_of(request, frame, number))
    monkeypatch.setattr("scoring.sheets.web.hands.writer_of", lambda frame: "ada")
    assert HANDS[1] in callers["ben"][0].get(board).content.decode()
