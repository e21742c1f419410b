"""Results from game clients: a code for one match sends one result, which waits; nothing else gets through."""

import base64
import hashlib
import hmac
import json
from base64 import b64encode
from pathlib import Path

import pytest
from django.test import Client

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import IdempotencyKey, LedgerEntry
from rules_engine.systems import get_system
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, entry, event, next_round, staff
from tests.tournaments.web.visitors import browser
from tournaments.api.views import matches
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.desk_entries import issue_entry_link, revoke_entry_links
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import ClientCode, Match, ResultReport, Role, Round, Tournament
from tournaments.privacy.services import erase_account
from tournaments.results.client_codes import signature_of
from tournaments.results.services import client_codes, reports

pytestmark = pytest.mark.django_db

SEND = "/api/v1/client-results/"
WON = {"games_won": [2, 1]}
DOCUMENT = Path(__file__).parents[3] / "docs/reference/api.md"


@pytest.fixture
def duel():
    """Ada and Ben at one table of a published round; Kit keeps scores."""
    tournament = event()
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    return next_round(start_tournament(account("olive"), tournament, NOW)).matches.get()


def path(match):
    return f"{path_of(match.round.stage.tournament)}matches/{match.pk}/"


def code_of(match, name="ada"):
    """A new code of somebody, as the API answers it."""
    return good(caller(name).post(f"{path(match)}client-code/"), 201)


def signed(code, result=WON, **changes):
    """What a client sends."""
    payload = json.dumps({"match": code["match"], "result": result, **changes})
    return {"code": code["code"], "payload": payload, "signature": signature_of(code["secret"], payload)}


def send(body):
    return Client().post(SEND, body, content_type="application/json")


def stored():
    """Everything that a result leaves."""
    used = list(ClientCode.objects.values_list("pk", "used_at", "replay_bytes"))
    return ResultReport.objects.count(), LedgerEntry.objects.count(), used, Match.objects.values_list("state").get()


def counts(match):
    match.refresh_from_db()
    return match.accepted_report_id is not None


def test_the_documented_example_reports_a_match_which_waits_until_the_other_confirms(duel):
    example = DOCUMENT.read_text().split("```python\ndef signed_result", 1)[1].split("```", 1)[0]
    names = {"base64": base64, "hashlib": hashlib, "hmac": hmac, "json": json}
    exec(f"def signed_result{example}", names)
    code = code_of(duel)
    body = names["signed_result"](code["code"], code["secret"], duel.pk, WON, b"moves")
    assert good(send(body)) == {"status": "waiting", "match": duel.pk, "report": 1}
    assert not counts(duel)
    report = duel.reports.get()
    assert (report.actor, report.role) == (account("ada").key, "player")
    acts = LedgerEntry.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts)[-2:] == ["result.reported", "client.sent_result"]
    (line,) = good(caller("ben").get(f"{path(duel)}replays/"))
    assert (line["name"], line["bytes"], line["seat"]) == ("game.replay", 5, report.by_seat.order)
    found = good(caller("kit").get(f"{path(duel)}replays/{line['id']}/"))
    assert found["content"] == b64encode(b"moves").decode()
    assert caller("ada").post(f"{path(duel)}confirm/", {"report": 1}).json()["code"] == "own_report"
    assert good(caller("ben").post(f"{path(duel)}confirm/", {"report": 1}))["status"] == "standing"


def accepted(match, code):
    good(caller("kit").post(f"{path(match)}report/", WON))
    return signed(code)


def used(match, code):
    good(send(signed(code)))
    return signed(code)


def replaced(match, code):
    code_of(match)
    return signed(code)


def closed(match, code):
    Round.objects.filter(pk=match.round_id).update(state=Round.State.CLOSED)
    return signed(code)


def owner_gone(match, code):
    account("ada").user.__class__.objects.filter(username="ada").update(is_active=False)
    return signed(code)


def not_reporting(match, code):
    tournament = match.round.stage.tournament
    tournament.players_report = False
    tournament.save()
    return signed(code)


REFUSED = {
    "unknown code": (lambda match, code: signed(code) | {"code": "x" * 16}, "bad_signature"),
    "wrong signature": (lambda match, code: signed(code) | {"signature": "0" * 64}, "bad_signature"),
    "another payload": (lambda match, code: signed(code) | {"payload": signed(code)["payload"] + " "}, "bad_signature"),
    "another code's secret": (
        lambda match, code: signed(code | {"secret": code_of(match, "ben")["secret"]}), "bad_signature",
    ),
    "another match": (lambda match, code: signed(code, match=code["match"] + 1), "other_match"),
    "accepted result": (accepted, "has_result"),
    "second use": (used, "code_used"),
    "newer code": (replaced, "bad_signature"),
    "closed round": (closed, "round_closed"),
    "owner gone": (owner_gone, "code_without_owner"),
    "players do not report": (not_reporting, "code_without_owner"),
    "no result": (lambda match, code: signed(code, result={"games_won": [2, 2]}), "bad_score"),
    "unknown kind": (lambda match, code: signed(code, result={"kind": "luck"}), "invalid"),
    "no base64": (lambda match, code: signed(code, replay="?"), "bad_replay"),
    "large replay": (
        lambda match, code: signed(code, replay=b64encode(bytes(client_codes.MAX_REPLAY + 1)).decode()), "bad_replay",
    ),
    "unknown field": (lambda match, code: signed(code, colour="red"), "unknown_field"),
    "a path": (lambda match, code: signed(code, replay_name="../x"), "invalid"),
    "no JSON": (lambda match, code: _sign(code, "match 1"), "parse_error"),
    "a list": (lambda match, code: _sign(code, "[]"), "invalid"),
    "not a number": (lambda match, code: _sign(code, '{"match": NaN}'), "parse_error"),
}  # fmt: skip


def _sign(code, payload):
    return {"code": code["code"], "payload": payload, "signature": signature_of(code["secret"], payload)}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_stores_nothing(duel, case):
    arrange, problem = REFUSED[case]
    body = arrange(duel, code_of(duel))
    before = stored()
    answer = send(body)
    assert (answer.status_code >= 400, answer.json()["code"]) == (True, problem)
    assert stored() == before


def test_the_largest_replay_is_kept_whole(duel):
    content = bytes(range(256)) * 1024
    good(send(signed(code_of(duel), replay=b64encode(content).decode())))
    assert bytes(ClientCode.objects.get().replay) == content


def test_a_code_confirms_nothing_whoever_reported_the_same(duel):
    code = code_of(duel, "ben")
    good(caller("ada").post(f"{path(duel)}report/", WON))
    assert good(send(signed(code)))["status"] == "waiting"
    assert not counts(duel)
    assert duel.reports.count() == 1
    other = code_of(duel, "kit")
    assert good(send(signed(other)))["status"] == "waiting"
    assert not counts(duel)


def test_control_without_the_guard_a_code_confirms(duel, monkeypatch):
    def unguarded(*args, by_client, **options):
        return reports.report_result(*args, **options)

    monkeypatch.setattr(client_codes, "report_result", unguarded)
    code = code_of(duel, "ben")
    good(caller("ada").post(f"{path(duel)}report/", WON))
    send(signed(code))
    assert counts(duel)


def test_a_different_result_is_a_conflict_for_the_staff(duel):
    code = code_of(duel, "ben")
    good(caller("ada").post(f"{path(duel)}report/", WON))
    assert good(send(signed(code, result={"games_won": [0, 2]})))["status"] == "conflict"
    duel.refresh_from_db()
    assert duel.state == Match.State.CONFLICT


@pytest.mark.parametrize("by", ["confirm", "report"])
def test_a_code_of_the_staff_waits_for_both_sides(duel, by):
    assert good(send(signed(code_of(duel, "kit"))))["status"] == "waiting"
    body = WON if by == "report" else {"report": 1}
    ada = good(caller("ada").post(f"{path(duel)}{by}/", body))
    assert (ada["status"], ada["report"]) == ("waiting", 2)
    again = caller("ada").post(f"{path(duel)}confirm/", {"report": 2})
    assert again.json()["code"] == "own_report"
    assert not counts(duel)
    body = WON if by == "report" else {"report": 2}
    assert good(caller("ben").post(f"{path(duel)}{by}/", body))["status"] == "standing"


def test_a_code_of_the_staff_waits_for_the_staff(duel):
    good(send(signed(code_of(duel, "kit"))))
    assert good(caller("kit").post(f"{path(duel)}confirm/", {"report": 1}))["status"] == "standing"


def test_a_player_who_disagrees_with_the_staffs_client_makes_a_conflict(duel):
    good(send(signed(code_of(duel, "kit"))))
    answer = caller("ada").post(f"{path(duel)}report/", {"games_won": [0, 2]})
    assert answer.json()["code"] == "result_conflict"
    assert caller("ben").post(f"{path(duel)}confirm/", {"report": 2}).json()["code"] == "not_waiting"


def linked(issuer):
    """A match of Ben, who judges too, against a player without an account; a browser with the link by `issuer`."""
    tournament = event(1)
    sign_up(account("ben"), tournament, account("ben").person, NOW)
    staff(tournament, "ben", Role.Name.JUDGE)
    match = next_round(start_tournament(account("olive"), tournament, NOW)).matches.get()
    client = Client()
    client.get(f"/p/{issue_entry_link(account(issuer), entry(tournament, 'Ada'), database_now())}/")
    return match, client


def test_a_player_by_link_reports_by_a_client_until_the_link_is_revoked():
    match, client = linked("olive")
    code = good(client.post(f"{path(match)}client-code/"), 201)
    revoke_entry_links(account("olive"), match.seats.get(entry__name="Ada").entry, database_now())
    assert send(signed(code)).json()["code"] == "code_without_owner"
    assert not match.reports.exists()


def test_a_link_that_the_opponent_made_gives_no_code_and_sends_nothing(monkeypatch):
    match, client = linked("ben")
    address = f"{path(match)}client-code/"
    assert client.post(address).json()["code"] == "issuer_plays"
    for module in (client_codes, matches):
        monkeypatch.setattr(module, "check_issuer", lambda *args: None)
    code = good(client.post(address), 201)
    assert send(signed(code)).json()["code"] == "issuer_plays"
    monkeypatch.setattr(reports, "check_issuer", lambda *args: None)
    assert good(send(signed(code)))["status"] == "waiting"


def test_replays_are_for_those_who_play_the_match_and_the_staff():
    tournament = event()
    for name in ("ada", "ben", "cem", "dora"):
        sign_up(account(name), tournament, account(name).person, NOW)
    match = next_round(start_tournament(account("olive"), tournament, NOW)).matches.get(seats__entry__name="ada")
    at_table = {seat.entry.name for seat in match.seats.all()}
    good(send(signed(code_of(match), replay=b64encode(b"moves").decode())))
    for name in ("", "mallory", *({"ben", "cem", "dora"} - at_table)):
        for address in ("replays/", f"replays/{ClientCode.objects.get().pk}/"):
            assert caller(name).get(path(match) + address).status_code == (403 if name else 401)
    for name in ("olive", *at_table):
        assert good(caller(name).get(f"{path(match)}replays/{ClientCode.objects.get().pk}/"))["bytes"] == 5


def test_a_replay_shows_no_deck_to_others_before_decks_are_shown(monkeypatch):
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event()
    for name, role in (("juno", Role.Name.JUDGE), ("kit", Role.Name.SCOREKEEPER)):
        staff(tournament, name, role)
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
    register_deck(account("ada"), entry(tournament, "ada").members.get(), "Pile", sample_decklist(copies=3), NOW)
    match = next_round(start_tournament(account("olive"), tournament, NOW)).matches.get()
    good(send(signed(code_of(match), replay=b64encode(b"moves").decode())))
    address = f"{path(match)}replays/{ClientCode.objects.get().pk}/"
    readers = lambda: [name for name in ("ada", "ben", "juno", "kit") if caller(name).get(address).status_code == 200]  # noqa: E731
    assert readers() == ["ada", "juno"]
    assert good(caller("ben").get(f"{path(match)}replays/")) == []
    monkeypatch.setattr("tournaments.results.client_codes._has_decks", lambda match: False)
    assert readers() == ["ada", "ben", "juno", "kit"], "the control"
    monkeypatch.undo()
    Tournament.objects.update(decks_published_at=NOW)
    assert readers() == ["ada", "ben", "juno", "kit"]


def test_guesses_are_slowed_down_and_codes_that_work_still_open(duel):
    body = signed(code_of(duel))
    for _ in range(30):
        assert send(body | {"signature": "0" * 64}).status_code == 403
    assert send(body | {"signature": "0" * 64}).status_code == 429
    assert send(body).status_code == 200


def test_the_secret_stands_nowhere(duel):
    ada = caller("ada")
    answer = ada.post(f"{path(duel)}client-code/", HTTP_IDEMPOTENCY_KEY="once")
    secret = good(answer, 201)["secret"]
    rows = [*ClientCode.objects.values(), *IdempotencyKey.objects.values(), *LedgerEntry.objects.values()]
    assert secret not in str(rows)


def test_a_side_sends_five_results_at_most(duel):
    for number in range(client_codes.MAX_USED):
        good(send(signed(code_of(duel), result={"games_won": [2, number % 2]})))
    assert caller("ada").post(f"{path(duel)}client-code/").json()["code"] == "too_many_results"
    code_of(duel, "ben")


def test_replays_go_with_the_account(duel):
    good(send(signed(code_of(duel, "ben"), replay=b64encode(b"ada lost").decode())))
    good(caller("kit").post(f"{path(duel)}report/", WON))
    tournament = duel.round.stage.tournament
    tournament.state = tournament.State.FINISHED
    tournament.save()
    erase_account(account("ada").user, account("ada"), database_now())
    assert not ClientCode.objects.exists()


def test_the_page_shows_the_code_once_and_hands_out_the_replay(duel):
    tournament = duel.round.stage.tournament
    page = f"/e/{tournament.slug}/match/{duel.pk}/client/"
    ada = browser(account("ada"))
    assert page in ada.get(f"/e/{tournament.slug}/my/").content.decode()
    shown = ada.post(page)
    code = ClientCode.objects.get()
    assert code.secret in shown.content.decode()
    assert code.secret not in ada.get(page).content.decode()
    body = {"code": code.public_id, "secret": code.secret, "match": duel.pk}
    good(send(signed(body, replay=b64encode(b"<b>moves").decode(), replay_name="a.html")))
    (replay,) = ClientCode.objects.all()
    file = browser(account("ben")).get(f"{page}replays/{replay.pk}/")
    assert (file.content, file["Content-Type"]) == (b"<b>moves", "application/octet-stream")
    assert file["Content-Disposition"] == 'attachment; filename="a.html"'
    good(caller("kit").post(f"{path(duel)}report/", WON))
    refused = ada.post(page)
    assert (refused.status_code, b"accepted result" in refused.content) == (422, True)


def test_pages_say_whose_client_it_was_and_what_agreeing_does(duel):
    good(send(signed(code_of(duel, "kit"))))
    here, ada = f"/e/{duel.round.stage.tournament.slug}/my/", browser(account("ada"))
    assert "game client reported:" in ada.get(here).content.decode()
    answer = ada.post(here, {"act": "confirm", "match": duel.pk, "report": duel.reports.get().pk}, follow=True)
    assert "It is final once your opponent confirms." in answer.content.decode()
    assert not counts(duel)
