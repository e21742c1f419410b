"""Who goes first, as the round drew it, on the board or ledger of the table's sheet."""

import re
from hashlib import sha256
from itertools import count

import pytest

from scoring.sheets.selectors import ABSENT
from tests.tournaments.factories import NOW, account
from tests.tournaments.sheet_acts import doomlings, opened, played
from tests.tournaments.table_phones import phone, say, seats_at, tokens_of
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.models import Match, Round
from tournaments.sheets.services.writing import save_match_part

pytestmark = pytest.mark.django_db
TROOPER = {"game": "doomtrooper", "game_format": "second-edition"}
PILE = {"game": "doom_pile", "best_of": 3}


def drawn(place: int, players: int, **changes: object) -> tuple[Match, list[str]]:
    """A table whose sheet is open and whose round drew that place, from 0, to go first; the names in seat order."""
    match = played(doomlings(players, table_reports="agreed", **changes))
    lots = next(each for each in count() if int.from_bytes(sha256(f"{each}:1".encode()).digest()) % players == place)
    Round.objects.filter(pk=match.round_id).update(lots=lots)
    opened(match)
    return match, [str(player["name"]) for player in match.score_sheet.sheet.players]


def chosen(html: str) -> list[str]:
    """The names that a form proposes."""
    return re.findall(r'<input type="radio" name="player" value="([^"]+)"[^>]*checked', html)


def at(match: Match, rest: str = "") -> str:
    return page(browser(account("olive")), url(match.round.stage.tournament, f"match/{match.pk}/sheet/{rest}"))


@pytest.mark.parametrize(("players", "changes"), [(2, PILE), (3, {})], ids=["doom_pile", "doomlings"])
def test_the_board_proposes_who_was_drawn(players, changes):
    match, names = drawn(1, players, **changes)
    assert chosen(at(match, "play/board/")) == [names[1]]
    client = phone(tokens_of(match.round.stage.tournament, 1)[1])
    say(client, match, "claim", seat=seats_at(match)[0].pk)
    assert chosen(page(client, url(match.round.stage.tournament, "table/sheet/play/board/"))) == [names[1]]


def test_nobody_is_proposed_for_the_second_game_of_doom_pile():
    """Chance decides anew before each game (DP-FIRST); the round drew the first one alone."""
    match, names = drawn(1, 2, **PILE)
    told = {"games": [{"id": 1, "by": "", "winner": names[0], "won_by": "unknown"}]}
    save_match_part(account("olive"), match, 0, told, match.score_sheet.sheet.parts.get(place=0).version, NOW)
    board = at(match, "play/board/")
    assert "Game 2" in text_of(board)
    assert chosen(board) == []


def test_the_ledger_of_doomtrooper_begins_with_who_was_drawn_then_goes_round():
    match, names = drawn(1, 2, **TROOPER)
    ledger = text_of(at(match))
    assert f"Turn of {names[1]}" in ledger
    assert f"Turn of {names[0]}" not in ledger
    told = {"acts": [{"id": 1, "by": "", "act": "turn", "player": names[1]}]}
    save_match_part(account("olive"), match, 0, told, match.score_sheet.sheet.parts.get(place=0).version, NOW)
    assert f"Turn of {names[0]}" in text_of(at(match))


def test_who_was_drawn_and_did_not_come_leaves_it_to_the_next():
    match, names = drawn(1, 3)
    part = match.score_sheet.sheet.parts.get(place=2)
    save_match_part(account("olive"), match, 2, dict(ABSENT), part.version, NOW)
    assert chosen(at(match, "play/board/")) == [names[2]]
