"""Many at once by API: check-in, links, results, decks; all of a list or nothing of it."""

import csv
import io
from datetime import timedelta

import pytest

from accounts.models import PersonalLink
from journal.clock import database_now
from journal.models import LedgerEntry, OutboxMessage
from tests.queries import count_queries
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, staff, table
from tests.tournaments.web.visitors import browser, guest
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember, ResultReport, Role, Tournament

pytestmark = pytest.mark.django_db


def there(tournament) -> list[int]:
    """The numbers of who is checked in."""
    return list(tournament.entries.exclude(checked_in_at=None).order_by("number").values_list("number", flat=True))


def test_several_are_checked_in_with_one_line_of_the_log_which_can_be_undone():
    tournament = event(5)
    olive, path = caller("olive"), path_of(tournament)
    good(olive.post(f"{path}entries/2/check-in/"))
    assert good(olive.post(f"{path}entries/check-in/", {"numbers": [4, 2, 5]})) == {"checked_in": 2}
    assert there(tournament) == [2, 4, 5]
    logged = LedgerEntry.objects.filter(stream=tournament.stream).latest("sequence")
    assert (logged.act, logged.subjects["entries"]) == ("entry.all_checked_in", "4 5")
    good(olive.post(f"{path}undo/", {"act": logged.sequence}))
    assert there(tournament) == [2]
    assert good(olive.post(f"{path}entries/check-in/", {})) == {"checked_in": 4}
    assert there(tournament) == [1, 2, 3, 4, 5]


def test_of_numbers_that_cannot_all_be_checked_in_none_is():
    tournament = event(3)
    drop_entry(account("olive"), entry(tournament, "Cem"), NOW)
    olive, path = caller("olive"), f"{path_of(tournament)}entries/check-in/"
    unknown = olive.post(path, {"numbers": [1, 9]})
    assert (unknown.status_code, unknown.json()["details"]) == (404, {"number": 9})
    assert olive.post(path, {"numbers": [1, 3]}).json()["code"] == "wrong_entry_state"
    for body in ({"numbers": []}, {"numbers": [0]}, {"numbers": list(range(1, 502))}, {"numbers": "1"}):
        assert olive.post(path, body).status_code == 400
    assert there(tournament) == []


def test_links_of_several_are_shown_once_and_open_their_player_until_revoked():
    tournament = event(3)
    olive, path = caller("olive"), f"{path_of(tournament)}entries/"
    first = good(olive.post(f"{path}personal-links/", {"numbers": [2, 1]}), 201)["links"]
    assert [(each["number"], each["name"], each["member"]) for each in first] == [(1, "Ada", 1), (2, "Ben", 1)]
    assert browser().get(first[0]["path"]).status_code == 302
    again = olive.post(f"{path}personal-links/", {}, headers={"Idempotency-Key": "one"})
    assert [each["number"] for each in good(again, 201)["links"]] == [3]
    repeat = olive.post(f"{path}personal-links/", {}, headers={"Idempotency-Key": "one"})
    assert good(repeat, 201) == {"links": []}
    assert olive.post(f"{path}personal-links/", {"numbers": [8]}).status_code == 404
    assert good(olive.post(f"{path}1/revoke-links/")) == {"revoked": 1}
    assert PersonalLink.objects.filter(revoked_at=None).count() == 2


def test_links_are_mailed_to_who_has_an_address(settings):
    settings.DOOMDESK_MAIL, settings.PUBLIC_ADDRESS = True, "http://shop.test"
    tournament = event(1)
    olive, path = caller("olive"), f"{path_of(tournament)}entries/"
    good(olive.post(path, {"entries": [{"name": "Nora", "email": "nora@example.org"}]}), 201)
    known = good(olive.get(f"{path}link-mails/"))
    assert (known["can_mail"], known["linkless"], known["linked"], known["unreachable"]) == (True, [2], [], 1)
    assert good(olive.post(f"{path}link-mails/", {})) == {"mailed": 1}
    known = good(olive.get(f"{path}link-mails/"))
    assert (known["linkless"], known["linked"], known["waiting"]) == ([], [2], 1)
    assert good(olive.post(f"{path}link-mails/", {"renew": True})) == {"mailed": 1}
    assert OutboxMessage.objects.filter(task="tournaments.mail_link").count() == 2


def _counting(round_) -> list[int]:
    return [each.table_number for each in round_.matches.exclude(accepted_report=None).order_by("table_number")]


def test_results_of_several_tables_count_at_once():
    round_ = next_round(running(6))
    olive, path = caller("olive"), f"{path_of(round_.stage.tournament)}rounds/1/reports/"
    told = [{"table": 1, "games_won": [2, 0]}, {"match": table(round_, 2).pk, "games_won": [1, 2], "version": 0}]
    stored = good(olive.post(path, {"reports": told}), 201)["reports"]
    assert [(each["table"], each["report"]) for each in stored] == [(1, 1), (2, 1)]
    assert _counting(round_) == [1, 2]
    good(olive.post(path, {"reports": told}), 201)
    assert ResultReport.objects.count() == 2


@pytest.mark.parametrize(
    ("second", "code", "detail"),
    [
        ({"table": 9, "games_won": [2, 0]}, "unknown_match", {"table": 9}),
        ({"table": 2, "games_won": [9, 0]}, "bad_score", {"table": 2}),
        ({"table": 3, "games_won": [0, 2]}, "result_conflict", {"table": 3}),
        ({"table": 2, "games_won": [2, 0], "version": 7}, "match_changed", {"table": 2}),
        ({"games_won": [2, 0]}, "invalid", {}),
        ({"table": 2, "match": 1, "games_won": [2, 0]}, "invalid", {}),
    ],
)
def test_one_result_that_is_refused_stores_none(second, code, detail):
    round_ = next_round(running(6))
    olive, path = caller("olive"), f"{path_of(round_.stage.tournament)}rounds/1/reports/"
    good(olive.post(path, {"reports": [{"table": 3, "games_won": [2, 0]}]}), 201)
    refused = olive.post(path, {"reports": [{"table": 1, "games_won": [2, 0]}, second]}).json()
    assert refused["status"] in (400, 404, 409, 422)
    assert refused["code"] == code or refused["status"] == 400
    assert detail.items() <= refused["details"].items()
    assert _counting(round_) == [3]
    assert ResultReport.objects.count() == 1


def test_a_scorekeeper_reports_no_table_of_their_own():
    tournament = event(1)
    sign_up(account("kit"), tournament, account("kit").person, NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    good(caller("olive").post(f"{path_of(tournament)}start/"))
    tournament.refresh_from_db()
    round_ = next_round(tournament)
    path = f"{path_of(tournament)}rounds/{round_.number}/reports/"
    answer = caller("kit").post(path, {"reports": [{"table": 1, "games_won": [2, 0]}]})
    assert (answer.status_code, answer.json()["code"]) == (403, "own_match")


def test_results_of_many_tables_cost_the_same_each():
    def queries(tables: int) -> int:
        round_ = next_round(running(2 * tables, name=f"Cup {tables}"))
        path = f"{path_of(round_.stage.tournament)}rounds/1/reports/"
        told = [{"table": number, "games_won": [2, 0]} for number in range(1, tables)]
        olive = caller("olive")
        return count_queries(lambda: good(olive.post(path, {"reports": told}), 201))

    three, five, nine = (queries(tables) for tables in (3, 5, 9))
    assert nine - five == 2 * (five - three)
    assert (five - three) / 2 < 20


def test_more_results_than_fit_are_refused():
    round_ = next_round(running(4))
    path = f"{path_of(round_.stage.tournament)}rounds/1/reports/"
    assert caller("olive").post(path, {"reports": [{"table": 1, "games_won": [2, 0]}] * 51}).status_code == 400
    assert _counting(round_) == []


@pytest.fixture
def judged(catalogue):
    """Juno judges an event of three; Ada registered a deck herself."""
    tournament = event(3)
    sign_up(account("ada"), tournament, account("ada").person, NOW)
    register_deck(account("ada"), entry(tournament, "ada").members.get(), "Pile", sample_decklist(copies=2), NOW)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament, caller("juno"), f"{path_of(tournament)}decks/"


def test_a_judge_registers_several_decks(judged):
    tournament, juno, path = judged
    told = [{"number": 2, "name": "Two", "text": sample_decklist(copies=3)}, {"number": 4, "text": "3 Ash Ledger\n"}]
    stored = good(juno.post(path, {"decks": told, "reason": "from paper"}), 201)["decks"]
    assert [(each["number"], each["legal"]) for each in stored] == [(2, True), (4, False)]
    assert stored[0]["commitment"] == entry(tournament, "Ben").members.get().deck_commitment
    assert "Ash Ledger" not in str(stored)
    assert LedgerEntry.objects.filter(act="deck.replaced").count() == 2


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"decks": [{"number": 1, "text": sample_decklist(copies=3)}, {"number": 2, "text": "what is this"}]}, 422),
        ({"decks": [{"number": 1, "text": sample_decklist(copies=3)}, {"number": 9, "text": "3 Ash Ledger\n"}]}, 404),
        ({"decks": [{"number": 1, "text": "3 Ash Ledger\n"}] * 2}, 400),
        ({"decks": []}, 400),
        ({"decks": [{"number": n, "text": "3 Ash Ledger\n"} for n in range(1, 52)]}, 400),
        ({"reason": ""}, 400),
    ],
)
def test_one_deck_that_is_refused_stores_none(judged, change, status):
    tournament, juno, path = judged
    body = {"decks": [{"number": 1, "text": sample_decklist(copies=3)}], "reason": "from paper", **change}
    answer = juno.post(path, body)
    assert answer.status_code == status
    if status in (422, 404):
        assert answer.json()["details"]["number"] in (2, 9)
    assert EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False).count() == 1
    assert caller("olive").post(path, body).status_code == 403


def test_a_deck_that_is_not_legal_is_allowed_once(judged):
    tournament, juno, _path = judged
    path = f"{path_of(tournament)}entries/1/deck/"
    good(juno.put(path, {"text": "3 Ash Ledger\n", "reason": "from paper"}))
    assert juno.post(f"{path}allow/", {}).status_code == 400
    assert good(juno.post(f"{path}allow/", {"reason": "a beginner"}))["allowed_at"]
    assert juno.post(f"{path}allow/", {"reason": "a beginner"}).json()["code"] == "allowed_already"
    assert entry(tournament, "Ada").members.get().deck_allowed_at


@pytest.mark.parametrize("name", ["entries", "log", "statistics"])
def test_tables_leave_as_the_pages_write_them(name):
    tournament = running(4)
    report_all(next_round(tournament))
    table_of = caller("olive").get(f"{path_of(tournament)}{name}.csv")
    page = browser(account("olive")).get(f"/e/{tournament.slug}/{'' if name == 'statistics' else 'manage/'}{name}.csv")
    assert table_of["Content-Type"] == "text/csv; charset=utf-8"
    assert table_of.content == page.content.removeprefix(b"\xef\xbb\xbf")
    assert len(list(csv.DictReader(io.StringIO(table_of.content.decode())))) >= 3


def test_own_check_in_and_own_matches():
    tournament = event(3, check_in=True, check_in_minutes=30)
    sign_up(account("ada"), tournament, account("ada").person, NOW)
    ada, path = caller("ada"), f"{path_of(tournament)}my/"
    Tournament.objects.update(starts_at=database_now() + timedelta(hours=2))
    assert ada.post(f"{path}check-in/").json()["code"] == "check_in_closed"
    Tournament.objects.update(starts_at=database_now() + timedelta(minutes=20))
    assert good(ada.post(f"{path}check-in/"))["checked_in_at"]
    good(caller("olive").post(f"{path_of(tournament)}entries/check-in/", {}))
    good(caller("olive").post(f"{path_of(tournament)}start/"))
    tournament.refresh_from_db()
    round_ = next_round(tournament)
    assert [each["state"] for each in good(ada.get(f"{path}matches/"))["results"]] == ["open"]
    report_all(round_)
    (match,) = good(ada.get(f"{path}matches/"))["results"]
    assert (match["round"], match["state"]) == (1, "done")
    assert "ada" in [each["name"] for each in match["seats"]]
    assert guest(tournament, "Ben").get(f"{path}matches/").json()["count"] == 1
