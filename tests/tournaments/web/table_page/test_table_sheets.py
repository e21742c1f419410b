"""The score sheet of a table filled in by its code: one phone a player, no names proved, no part of another phone."""

import pytest
from django.test import Client

from journal.clock import database_now
from tests.tournaments.factories import account, next_round, running, table
from tests.tournaments.sheet_acts import doomlings, fresh, held, places, played, sums, work, write
from tests.tournaments.table_phones import phone, say, seats_at, tokens_of
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.models import Match, Tournament
from tournaments.sheets.services.writing import save_match_part
from tournaments.table_access.services import revoke_codes

pytestmark = pytest.mark.django_db

POINTS = (9, 7, 5, 3)


@pytest.fixture
def event() -> Tournament:
    return doomlings(table_reports="agreed")


@pytest.fixture
def match(event) -> Match:
    return played(event)


@pytest.fixture
def token(event, match) -> str:
    return tokens_of(event, 1)[1]


def at(client: Client, match: Match, path: str = "") -> str:
    """What a phone shows below the table's sheet."""
    return text_of(page(client, url(match.round.stage.tournament, f"table/sheet/{path}")))


def press(client: Client, match: Match, path: str, **fields: object):
    return client.post(f"/e/{match.round.stage.tournament.slug}/table/sheet/{path}", fields)


def speaking(token: str, match: Match, place: int) -> Client:
    """A phone that said it is the player at a place from 1 on."""
    client = phone(token)
    say(client, match, "claim", seat=seats_at(match)[place - 1].pk)
    return client


@pytest.fixture
def begun(match, token) -> Client:
    """The first player's phone, the sheet begun."""
    client = speaking(token, match, 1)
    assert press(client, match, "begin/").status_code == 302
    return client


def filed(client: Client, match: Match) -> None:
    write(fresh(match), *POINTS)
    assert press(client, match, "file/", anyway=1)["Location"].endswith("/table/sheet/tally/")
    work()


def test_the_table_page_leads_to_the_sheet_once_the_phone_speaks_for_somebody(event, match, token):
    client = phone(token)
    shown = text_of(page(client, url(event, "table/")))
    assert "Who are you?" in shown
    assert "Begin the sheet" not in shown
    say(client, match, "claim", seat=seats_at(match)[0].pk)
    assert "Begin the sheet" in text_of(page(client, url(event, "table/")))
    press(client, match, "begin/")
    assert "To the score sheet" in text_of(page(client, url(event, "table/")))


def test_a_phone_without_a_name_is_led_to_the_table(match, token, begun):
    stranger = phone(token)
    answer = stranger.get(f"/e/{match.round.stage.tournament.slug}/table/sheet/")
    assert (answer.status_code, answer["Location"]) == (302, f"/e/{match.round.stage.tournament.slug}/table/")
    assert press(stranger, match, "file/", anyway=1)["Location"].endswith("/table/")
    assert held(match).sheet.newest == 0


def test_no_phone_opens_a_part_that_another_phone_wrote(match, token, begun):
    """Whoever says to be Ada by the table's code does not read what Ada wrote, which her own link opens."""
    ada = seats_at(match)[0]
    save_match_part(account("ada"), fresh(match), 1, sums(9), 0, database_now(), seat=ada)
    again = speaking(token, match, 1)
    assert again.get(f"/e/{match.round.stage.tournament.slug}/table/sheet/parts/1/").status_code == 403
    assert "Save" in at(again, match, "parts/2/")


def test_four_phones_sign_and_the_sheet_counts(match, token, begun):
    filed(begun, match)
    phones = [begun, *(speaking(token, match, place) for place in (2, 3, 4))]
    for place, client in enumerate(phones, 1):
        assert places(match) == []
        assert press(client, match, "sign/", revision=1, place=place).status_code == 302
    assert places(match) == [1, 2, 3, 4]
    report = Match.objects.get(pk=match.pk).accepted_report
    assert (report.role, report.actor_label) == ("table", "Table 1")


def test_one_phone_signs_for_nobody_else(match, token, begun):
    filed(begun, match)
    say(begun, match, "claim", seat=seats_at(match)[1].pk)
    press(begun, match, "sign/", revision=1, place=2)
    signed = held(match).sheet.revisions.get(number=1).signatures
    assert list(signed.values_list("place", flat=True)) == []
    press(begun, match, "sign/", revision=1, place=1)
    assert list(signed.values_list("place", flat=True)) == [1]


def test_a_phone_that_spoke_for_somebody_speaks_for_nobody_else_by_a_new_code(event, match, begun):
    filed(begun, match)
    begun.get(f"/t/{tokens_of(event, 1)[1]}/")
    say(begun, match, "claim", seat=seats_at(match)[1].pk)
    press(begun, match, "sign/", revision=1, place=2)
    signed = held(match).sheet.revisions.get(number=1).signatures
    assert list(signed.values_list("place", flat=True)) == []


def test_a_player_of_the_table_signs_for_nobody_else_by_its_code(event, match, token, begun):
    filed(begun, match)
    client = speaking(token, match, 2)
    guest(event, seats_at(match)[0].entry.name, client)
    assert press(client, match, "sign/", revision=1, place=2)["Location"].endswith("/table/")
    assert not held(match).sheet.revisions.get(number=1).signatures.exists()


def test_where_staff_agree_signatures_alone_count_nothing(event, match, token, begun):
    Tournament.objects.filter(pk=event.pk).update(table_reports=Tournament.TableReports.STAFF)
    filed(begun, match)
    staff, told = browser(account("olive")), []
    for place in (1, 2, 3, 4):
        press(begun if place == 1 else speaking(token, match, place), match, "sign/", revision=1, place=place)
        told.append(text_of(page(staff, url(event, "desk/"))))
    assert "signed 3 of 4" in told[2]
    assert "all signed, staff confirm" in told[3]
    assert held(match).sheet.revisions.get(number=1).signatures.count() == 4
    assert places(match) == []


def test_a_revoked_code_writes_nothing(event, match, begun):
    revoke_codes(account("olive"), event, database_now())
    assert press(begun, match, "file/", anyway=1).status_code == 404
    assert held(match).sheet.newest == 0


def test_codes_that_report_nothing_open_no_sheet(event, match, begun):
    Tournament.objects.filter(pk=event.pk).update(table_reports=Tournament.TableReports.OFF)
    assert press(begun, match, "file/", anyway=1)["Location"].endswith("/table/")
    assert held(match).sheet.newest == 0


def test_the_sheet_of_a_match_of_games_leads_back_to_its_own_table():
    event = running(4, game="dead_or_destroyed", game_format="standard", score_sheets=True, table_reports="agreed")
    matches = table(next_round(event)).round.matches
    match, client = matches.get(table_number=2), phone(tokens_of(event, 2)[2])
    say(client, match, "claim", seat=seats_at(match)[0].pk)
    press(client, match, "begin/")
    for route in ("", "play/board/"):
        shown = at(client, match, route)
        assert "Table 2" in shown
        assert "Game 1" in shown


def test_the_board_of_a_game_is_played_by_the_code_of_its_own_table_alone():
    event = running(4, game="dead_or_destroyed", game_format="standard", score_sheets=True, table_reports="agreed")
    match, tokens = table(next_round(event)), tokens_of(event, 2)
    one, two, unnamed, other = (phone(tokens[number]) for number in (1, 1, 1, 2))
    for client, place in ((one, 0), (two, 1)):
        say(client, match, "claim", seat=seats_at(match)[place].pk)
    press(one, match, "begin/")
    name = seats_at(match)[0].entry.name
    for stranger in (unnamed, other):
        press(stranger, match, "play/move/", act="start", necromancer=name, seen="1-0-0")
    assert "No moves yet." in at(one, match, "play/board/")
    press(one, match, "play/move/", act="start", necromancer=name, seen="1-0-0")
    assert f"{name} is the necromancer" in at(two, match, "play/board/")
    assert "is the necromancer" not in other.get(url(event, "table/sheet/play/board/"), follow=True).content.decode()
    revoke_codes(account("olive"), event, database_now())
    assert press(two, match, "play/move/", act="pass", seen="1-1-0").status_code == 404


@pytest.mark.parametrize(("way", "swaps"), [("pair", True), ("best-of-3", True), ("single", False)])
def test_only_a_match_of_several_games_is_told_that_roles_swap(way, swaps):
    rules = {"game": "dead_or_destroyed", "game_format": "standard", "score_sheets": True}
    event = running(2, **rules, way=way, best_of=None, exact_games=False, table_reports="agreed")
    match, client = table(next_round(event)), phone(tokens_of(event, 1)[1])
    say(client, match, "claim", seat=seats_at(match)[0].pk)
    press(client, match, "begin/")
    assert ("Roles swap from game to game." in at(client, match)) == swaps
