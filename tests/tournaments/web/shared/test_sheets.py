"""Pages of a match's score sheet: from the own match to the signed tally; what staff see and do; who sees nothing."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from journal.models import LedgerEntry
from scoring.sheets.web.sheets import part
from tests.tournaments.factories import NOW, account, afresh, running, staff
from tests.tournaments.sheet_acts import (
    doomlings,
    file,
    fresh,
    held,
    opened,
    places,
    played,
    player,
    state,
    work,
    write,
)
from tests.tournaments.web.visitors import browser, guest, notice_text, page, text_of, url
from tournaments.models import Match, Role
from tournaments.sheets.selectors.sheet_lines import SheetState
from tournaments.sheets.services.writing import save_match_part
from tournaments.web.shared.sheet_frames import frame_of, place_at

pytestmark = pytest.mark.django_db
HURRY = {"sum_face_value": "4", "sum_bonus": "1", "sum_catastrophe": "-1"}


@pytest.fixture(scope="module")
def stored_match(shared_db):
    """Four at a table that nobody wrote on yet."""
    return played(doomlings())


@pytest.fixture
def match(stored_match, db):
    return afresh(stored_match)


def address(match, rest=""):
    return url(match.round.stage.tournament, f"match/{match.pk}/sheet/{rest}")


def phones(match):
    """A phone for everybody at the table, in seat order."""
    tournament = match.round.stage.tournament
    return [guest(tournament, seat.entry.name) for seat in match.seats.order_by("order")]


def olive():
    return browser(account("olive"))


def pressed(client, address, **fields):
    """Where a press leads, which must be somewhere else."""
    answer = client.post(address, fields)
    assert answer.status_code == 302, (address, answer.status_code)
    return answer.headers["Location"]


def test_table_goes_from_the_own_match_to_a_result(match):
    tournament, players = match.round.stage.tournament, phones(match)
    assert "Score sheet nothing yet Fill it in at the table." in text_of(page(players[0], url(tournament, "my/")))
    assert pressed(players[0], address(match, "open/")) == address(match)
    for place, client in enumerate(players, 1):
        text = page(client, address(match, f"parts/{place}/"))
        assert "Trait pile" in text_of(text)
        version = held(match).sheet.parts.get(place=place).version
        fields = {"act": "save", "version": version, **{name: str(int(each) * place) for name, each in HURRY.items()}}
        assert pressed(client, address(match, f"parts/{place}/"), **fields) == address(match)
    assert pressed(players[1], address(match, "file/"), anyway="1") == address(match, "tally/")
    assert "being added up" in text_of(page(players[0], address(match, "tally/")))
    work()
    assert "Check and sign" in text_of(page(players[0], url(tournament, "my/")))
    for place, client in enumerate(players, 1):
        pressed(client, address(match, "sign/"), revision="1", place=str(place))
    assert places(match) == [4, 3, 2, 1]
    assert "Every line of the sheet" in text_of(page(players[0], url(tournament, "my/")))


def test_what_another_player_holds_is_on_no_page_before_the_sheet_is_filed(match):
    opened(match)
    players = phones(match)
    part = held(match).sheet.parts.get(place=1)
    part.content, part.version = {"traits": ["Faith"], "hand": ["Sentience"], "hand_size": 1}, 1
    part.save()
    for rest in ("", "parts/0/", "parts/2/", "tally/"):
        answer = players[1].get(address(match, rest))
        assert "Sentience" not in answer.content.decode(), rest
        assert "Faith" not in answer.content.decode(), rest
    refused = players[1].get(address(match, "parts/1/"))
    assert (refused.status_code, "Faith" in refused.content.decode()) == (403, False)
    assert "Another player writes this part." in text_of(refused.content.decode())
    assert f'href="{address(match)}"' in refused.content.decode()
    assert "Faith" in page(olive(), address(match, "parts/1/"))


def test_other_tables_strangers_and_other_events_find_no_sheet():
    tournament = doomlings(8)
    match = opened(played(tournament, 1))
    other = guest(tournament, played(tournament, 2).seats.first().entry.name)
    elsewhere = url(running(4), f"match/{match.pk}/sheet/")
    assert other.get(address(match)).status_code == 404
    assert browser(account("mallory")).get(address(match)).status_code == 403
    assert olive().get(elsewhere).status_code == 404
    for rest in ("open/", "absent/", "file/", "sign/", "dispute/"):
        assert other.post(address(match, rest), {"place": "1"}).status_code == 404, rest
    for rest in ("confirm/", "correct/"):
        assert other.post(address(match, rest), {"reason": "x"}).status_code == 403, rest


def test_sheet_nobody_began_is_begun_by_a_press_alone(match):
    player = phones(match)[0]
    assert "Begin the sheet" in text_of(page(player, address(match)))
    assert state(match).held is None
    assert player.post(address(match, "file/")).status_code == 404
    pressed(player, address(match, "open/"))
    pressed(player, address(match, "open/"))
    assert state(match).state is SheetState.NOTHING


def test_event_without_sheets_has_no_such_page():
    match = played(doomlings(score_sheets=False))
    assert phones(match)[0].get(address(match)).status_code == 404


def test_where_players_do_not_report_they_read_alone():
    match = opened(played(doomlings(players_report=False)))
    player = phones(match)[0]
    assert "This sheet is closed." in text_of(page(player, address(match)))
    assert player.post(address(match, "file/"), {"anyway": "1"}).status_code == 403


def test_who_did_not_come_is_marked_and_comes_back(match):
    opened(match)
    player = phones(match)[0]
    pressed(player, address(match, "absent/"), place="3", absent="1")
    assert "no-show" in text_of(page(player, address(match)))
    pressed(player, address(match, "absent/"), place="3", absent="1")
    pressed(player, address(match, "absent/"), place="3", absent="0")
    entries = LedgerEntry.objects.filter(act__in=("sheet.absent", "sheet.present")).order_by("sequence")
    number = match.seats.get(order=3).entry.number
    assert [(each.act, each.subjects["entry"]) for each in entries] == [
        ("sheet.absent", number), ("sheet.present", number),
    ]  # fmt: skip
    log = text_of(page(olive(), url(match.round.stage.tournament, "manage/log/")))
    assert "as no-show: round 1, table 1" in log
    assert held(match).sheet.parts.get(place=3).content == {}
    assert player.post(address(match, "absent/"), {"place": "9", "absent": "1"}).status_code == 404


def test_staff_let_a_sheet_count_with_a_reason(match):
    write(opened(match), 1, 2, 3, 4)
    file(match)
    work()
    report = state(match).report
    assert "without all signatures" in text_of(page(olive(), address(match, "tally/")))
    pressed(olive(), address(match, "confirm/"), report=report.pk, reason="")
    assert places(match) == []
    pressed(olive(), address(match, "confirm/"), report=report.pk, reason="Dora left")
    assert places(match) == [4, 3, 2, 1]
    assert LedgerEntry.objects.filter(act="result.confirmed", personal_values__value="Dora left").exists()


def test_organiser_who_misses_a_signature_is_offered_that_one_is_enough(match):
    tournament, players = match.round.stage.tournament, phones(match)
    write(opened(match), 1, 2, 3, 4)
    staff(tournament, "juno", "judge")
    juno, offer = browser(account("juno")), "One signature is enough"
    assert offer not in text_of(page(olive(), address(match)))
    file(match)
    work()
    assert offer in text_of(page(olive(), address(match, "tally/")))
    assert offer not in text_of(page(juno, address(match, "tally/")))
    assert offer not in text_of(page(players[0], address(match, "tally/")))
    for other in (juno, players[0]):
        assert other.post(address(match, "one-signature/")).status_code == 403
    pressed(players[2], address(match, "sign/"), revision="1", place="3")
    assert places(match) == []
    assert pressed(olive(), address(match, "one-signature/")) == address(match, "tally/")
    assert places(match) == [4, 3, 2, 1]
    tournament.refresh_from_db()
    assert tournament.sheet_options == {"signatures": "one"}


def test_offer_of_one_signature_goes_once_it_is_the_rule():
    match = opened(played(doomlings(sheet_options={"signatures": "one"})))
    write(match, 1, 2, 3, 4)
    file(match)
    work()
    text = text_of(page(olive(), address(match, "tally/")))
    assert "without all signatures" in text
    assert "One signature is enough" not in text


def test_stale_press_of_staff_confirms_no_newer_sheet(match):
    write(opened(match), 1, 2, 3, 4)
    file(match)
    work()
    old = state(match).report
    write(match, 9, 2, 3, 4)
    file(match)
    work()
    pressed(olive(), address(match, "confirm/"), report=old.pk, reason="Dora left")
    assert places(match) == []


def test_staff_correct_by_the_sheet(match):
    write(opened(match), 1, 2, 3, 4)
    file(match, 0)
    work()
    write(match, 9, 2, 3, 4)
    assert "Correct the result by this sheet" in text_of(page(olive(), address(match)))
    pressed(olive(), address(match, "correct/"), reason="typed wrong")
    work()
    assert places(match) == [1, 4, 3, 2]


def hidden(answer):
    """What the form of a look would send, but for the button."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.content.decode())
    return {name: value for name, value in found if name not in ("csrfmiddlewaretoken", "idempotency_key")}


def test_staff_look_at_what_a_correction_by_sheet_moves_before_it_counts(match):
    write(opened(match), 1, 2, 3, 4)
    file(match, 0)
    work()
    write(match, 9, 2, 3, 4)
    seen = re.search(r'name="seen" value="([^"]+)"', page(olive(), address(match))).group(1)
    asked = {"reason": "typed wrong", "seen": seen, "step": "look"}
    looked = olive().post(address(match, "correct/"), asked)
    assert "not saved yet" in text_of(looked.content.decode())
    assert "typed wrong" in text_of(looked.content.decode())
    assert (places(match), held(match).sheet.newest) == ([4, 3, 2, 1], 1), "a look stores nothing"
    kept = {**hidden(looked), "step": "keep"}
    assert pressed(olive(), address(match, "correct/"), **kept) == address(match, "tally/")
    assert places(match) == [1, 4, 3, 2]
    work()
    assert (places(match), fresh(match).reports.count(), held(match).sheet.newest) == ([1, 4, 3, 2], 2, 2)


def test_correction_by_a_sheet_that_changed_since_the_look_is_not_stored(match):
    write(opened(match), 1, 2, 3, 4)
    file(match, 0)
    work()
    seen = re.search(r'name="seen" value="([^"]+)"', page(olive(), address(match))).group(1)
    write(match, 9, 2, 3, 4)
    client, asked = olive(), {"reason": "typed wrong", "seen": seen}
    assert pressed(client, address(match, "correct/"), **asked) == address(match)
    assert "The sheet has changed. Check it again." in text_of(page(client, address(match)))
    assert places(match) == [4, 3, 2, 1]


@pytest.mark.parametrize(
    ("part", "reason", "said"),
    [(None, "again", "The sheet matches the accepted result"), ({"traits": ["Nope"]}, "x", "Nope")],
)
def test_correction_by_a_sheet_that_cannot_be_is_refused_with_its_reason(match, part, reason, said):
    write(opened(match), 1, 2, 3, 4)
    file(match, 0)
    work()
    if part:
        save_match_part(account("olive"), match, 1, part, 1, NOW)
    client = olive()
    pressed(client, address(match, "correct/"), reason=reason)
    assert said in text_of(page(client, address(match)))
    assert (places(match), held(match).sheet.newest) == ([4, 3, 2, 1], 1)


def test_scorekeeper_corrects_no_closed_round_by_a_sheet(match):
    write(opened(match), 1, 2, 3, 4)
    file(match, 0)
    work()
    staff(match.round.stage.tournament, "kit", Role.Name.SCOREKEEPER)
    match.round.state = "closed"
    match.round.save()
    kit = browser(account("kit"))
    assert kit.post(address(match, "correct/"), {"reason": "x"}).status_code == 403
    assert "Correct the result" not in text_of(page(kit, address(match)))


def test_player_calls_a_judge(match):
    write(opened(match), 1, 2, 3, 4)
    file(match)
    work()
    everybody = phones(match)
    player = everybody[2]
    assert "We do not agree" in text_of(page(player, address(match, "tally/")))
    assert 'class="first large full" type="submit" name="place"' in page(player, address(match, "tally/"))
    pressed(player, address(match, "dispute/"), report=state(match).report.pk)
    assert fresh(match).state == Match.State.CONFLICT
    assert notice_text(page(player, address(match, "tally/"))).startswith("wait: Not agreed. You disagree.")
    for each in everybody:
        html = page(each, address(match, "tally/"))
        assert "A player disagrees: a judge is on the way. If you agree, sign." in html
        assert 'class="first large full" type="submit" name="place"' not in html
    assert "A judge or the desk comes" in text_of(page(player, url(match.round.stage.tournament, "my/")))


def test_sheet_that_came_back_says_why_on_the_own_match(match):
    file(opened(match), content={"players": [{"name": "x", "traits": ["No such card"]}], "options": {}})
    work()
    tournament = match.round.stage.tournament
    assert "No such card" in text_of(page(phones(match)[0], url(tournament, "my/")))
    assert "No such card" in text_of(page(olive(), url(tournament, "desk/sheets/")))


def test_desk_tells_of_sheets_that_came_back_in_the_same_queries():
    tournament, queries = doomlings(12), []
    for number in (1, 2, 3):
        match = opened(played(tournament, number))
        file(match, content={"players": [{"name": "x", "traits": ["No such card"]}], "options": {}})
        work()
        with CaptureQueriesContext(connection) as found:
            text = text_of(page(olive(), url(tournament, "desk/")))
        queries.append(len(found))
        assert text.count("came back") == number
        assert (f"{number} table needs" if number == 1 else f"{number} tables need") in text
    assert len(set(queries)) == 1


def test_desk_leads_to_the_sheet_that_waits_and_confirms_none_blindly(match):
    write(opened(match), 1, 2, 3, 4)
    file(match)
    work()
    tournament = match.round.stage.tournament
    text = page(olive(), url(tournament, "desk/"))
    assert address(match, "tally/") in text
    assert 'value="confirm"' not in text
    assert "By the score sheet, version 1" in text_of(page(olive(), url(tournament, f"match/{match.pk}/")))


def test_list_of_sheets_costs_the_same_however_many_tables():
    costs = []
    for players in (4, 24):
        tournament = doomlings(players)
        for number in range(1, tournament.stages.get().rounds.get().matches.count() + 1):
            match = opened(played(tournament, number))
            write(match, *range(match.seats.count()))
            file(match)
        work()
        client = olive()
        with CaptureQueriesContext(connection) as queries:
            text = text_of(page(client, url(tournament, "desk/sheets/"), round="1"))
        costs.append(len(queries))
        assert "signed 0 of 4" in text
    assert costs[0] == costs[1]


def test_list_without_a_round_says_so():
    tournament = running(4, game="doomlings", best_of=1)
    assert "No round is out yet" in text_of(page(olive(), url(tournament, "desk/sheets/")))


def test_part_is_not_stored_once_a_result_counts_whatever_the_page_knew(match):
    opened(match)
    write(match, 1, 2, 3, 4)
    tournament, client = match.round.stage.tournament, phones(match)[0]
    request = RequestFactory().post("/", {"act": "save", "version": "1", **HURRY})
    request.actor, request.session, request.user = player(match, 1), client.session, AnonymousUser()
    frame = frame_of(request, place_at(request, tournament, match.pk), held(match))
    file(match, 0)
    work()
    answer = part(request, frame, 1)
    assert answer.status_code == 200
    assert "The result is final. If it" in text_of(answer.content.decode())
    assert held(match).sheet.parts.get(place=1).content["sums"]["face_value"] == 1
