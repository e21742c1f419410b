"""Entries and decks by API: what is shown to whom, what is refused."""

import pytest

from journal.models import IdempotencyKey
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, entry, event, running, staff
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.models import Entry, EntryMember, Role, Tournament

pytestmark = pytest.mark.django_db

ILLEGAL = "3 Ash Ledger\n"


def with_ada(tournament):
    """Ada signed up by her account."""
    ada = account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    return caller("ada")


def test_entry_shows_neither_contact_nor_deck():
    tournament = event()
    olive, path = caller("olive"), path_of(tournament)
    people = {"entries": [{"name": "Ada", "email": "ada@example.org", "club": "Doom Club"}]}
    made = good(olive.post(f"{path}entries/", people), 201)["entries"][0]
    shown = good(olive.get(f"{path}entries/1/"))
    assert made == shown
    assert set(shown) == {
        "number", "name", "club", "team", "state", "registered_at", "checked_in_at", "entered_round", "dropped_after",
        "members",
    }  # fmt: skip
    assert b"example.org" not in olive.get(f"{path}entries/").content


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"entries": []}, 400),
        ({"entries": [{"name": ""}]}, 400),
        ({"entries": [{"name": "a" * 121}]}, 400),
        ({"entries": [{"name": "Ada", "email": "x"}]}, 400),
        ({"entries": [{"name": "A"}] * 5001}, 400),
        ({"entries": [{"name": "\u200b"}]}, 422),
        ({}, 400),
        ([], 400),
        ("Ada", 400),
    ],
)
def test_walk_ins_refuse_what_is_no_entry(body, status):
    tournament = event()
    assert caller("olive").post(f"{path_of(tournament)}entries/", body).status_code == status
    assert not tournament.entries.exists()


@pytest.mark.parametrize("raw", [b'{"entries": [{"name": "A\\u0000"}]}', b'{"entries": [{"name": "\\ud800"}]}', b"{"])
def test_walk_ins_refuse_what_no_database_can_hold(raw):
    path = f"{path_of(event())}entries/"
    response = caller("olive").post(path, raw, content_type="application/json")
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")


def test_body_beyond_the_limit_is_refused(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    response = caller("olive").post(f"{path_of(event())}entries/", {"entries": [{"name": "Ada"}] * 20})
    assert response.status_code == 400


def test_withdrawn_entries_are_for_staff():
    tournament = event(2)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    path = path_of(tournament)
    for name, count in (("olive", 2), ("", 1), ("mallory", 1)):
        client = caller(name)
        assert good(client.get(f"{path}entries/"))["count"] == count
        assert client.get(f"{path}entries/1/").status_code == (200 if count == 2 else 404)


def test_the_waiting_list_is_for_staff_and_each_sees_only_oneself():
    tournament = event(2, capacity=2)
    with_ada(tournament)
    sign_up(account("ben"), tournament, account("ben").person, NOW)
    path = f"{path_of(tournament)}entries/"
    for name, seen in (("olive", [1, 2, 3, 4]), ("", [1, 2]), ("mallory", [1, 2]), ("ada", [1, 2, 3])):
        client = caller(name)
        assert [each["number"] for each in good(client.get(path))["results"]] == seen
        assert [number for number in (1, 2, 3, 4) if client.get(f"{path}{number}/").status_code == 200] == seen


def test_entry_is_checked_in_and_out_dropped_and_returned():
    tournament = event(2)
    olive, path = caller("olive"), f"{path_of(tournament)}entries/1/"
    assert good(olive.post(f"{path}check-in/"))["checked_in_at"] is not None
    assert good(olive.post(f"{path}undo-check-in/"))["checked_in_at"] is None
    assert good(olive.post(f"{path}drop/"))["state"] == "withdrawn"
    assert olive.post(f"{path}drop/").json()["code"] == "wrong_entry_state"
    assert good(olive.post(f"{path}return/"))["state"] == "registered"
    assert olive.post(f"{path_of(tournament)}entries/7/drop/").json()["code"] == "unknown_entry"


def test_player_signs_up_once_and_leaves():
    tournament = event()
    ada, path = caller("ada"), path_of(tournament)
    assert good(ada.post(f"{path}entries/sign-up/", {"club": "Doom Club"}), 201)["club"] == "Doom Club"
    assert ada.post(f"{path}entries/sign-up/", {}).json()["code"] == "entered_already"
    assert good(ada.get(f"{path}my/"))["name"] == "ada"
    assert good(ada.post(f"{path}my/drop/"))["state"] == "withdrawn"
    assert ada.get(f"{path}my/").status_code == 403


def test_personal_link_acts_for_its_player_with_csrf(client):
    tournament = event(2)
    path = path_of(tournament)
    link = good(caller("olive").post(f"{path}entries/1/personal-link/"), 201)["path"]
    guest = caller(csrf=True)
    guest.get(link)
    assert good(guest.get(f"{path}my/"))["number"] == 1
    assert guest.post(f"{path}my/drop/").status_code == 403
    guest.get("/accounts/login/")
    token = guest.cookies["csrftoken"].value
    assert good(guest.post(f"{path}my/drop/", headers={"X-CSRFToken": token}))["state"] == "withdrawn"


def test_personal_link_is_not_for_accounts_and_not_kept():
    tournament = event()
    with_ada(tournament)
    olive, path = caller("olive"), f"{path_of(tournament)}entries/"
    assert olive.post(f"{path}1/personal-link/").json()["code"] == "has_account"
    good(olive.post(path, {"entries": [{"name": "Ben"}]}), 201)
    links = {
        good(olive.post(f"{path}2/personal-link/", headers={"Idempotency-Key": "once"}), 201)["path"] for _ in range(2)
    }
    assert len(links) == 2


def test_own_deck_is_registered_with_its_verdict(catalogue):
    tournament = event()
    ada, path = with_ada(tournament), f"{path_of(tournament)}my/deck/"
    assert ada.get(path).json()["code"] == "no_deck"
    registered = good(ada.put(path, {"name": "Ash", "text": f"// 2 Bog Notary\n{ILLEGAL}"}))
    assert registered["verdict"]["legal"] is False
    assert registered["notices"] == [{"line": 1, "message": "Left out, as a comment: Bog Notary."}]
    assert good(ada.get(path))["notices"] == []
    assert "DP-SIZE" in {each["rule"] for each in registered["verdict"]["violations"]}
    assert good(ada.get(path))["cards"] == [{"name": "Ash Ledger", "count": 3, "section": "main"}]
    unread = ada.put(path, {"text": "3 Nothing at all of that name"})
    assert (unread.status_code, unread.json()["details"]["lines"]) == (422, [1])


def test_judge_reads_and_replaces_decks_on_record(catalogue):
    tournament = event()
    ada = with_ada(tournament)
    staff(tournament, "juno", Role.Name.JUDGE)
    juno, path = caller("juno"), f"{path_of(tournament)}entries/1/deck/"
    assert juno.post(f"{path}read/").json()["code"] == "no_deck"
    good(ada.put(f"{path_of(tournament)}my/deck/", {"text": ILLEGAL}))
    assert good(juno.post(f"{path}read/"))["cards"][0]["count"] == 3
    assert juno.put(path, {"text": "2 Ash Ledger"}).status_code == 400
    assert good(juno.put(path, {"text": "2 Ash Ledger", "reason": "misread"}))["version"] == 2
    acts = [row["act"] for row in good(juno.get(f"{path_of(tournament)}log/"))["results"]]
    assert acts == ["deck.registered", "deck.read", "deck.replaced"]


def test_no_answer_that_shows_a_deck_is_kept(catalogue):
    tournament = event()
    ada, own, of_judge = with_ada(tournament), f"{path_of(tournament)}my/deck/", f"{path_of(tournament)}entries/1/deck/"
    staff(tournament, "juno", Role.Name.JUDGE)
    juno = caller("juno")
    once = {"headers": {"Idempotency-Key": "once"}}
    key = {"headers": {"Idempotency-Key": "twice"}}
    assert "Ash Ledger" in str(good(ada.put(own, {"text": ILLEGAL}, **once)))
    assert "Ash Ledger" in str(good(juno.put(of_judge, {"text": ILLEGAL, "reason": "misread"}, **once)))
    assert "Ash Ledger" in str(good(juno.post(f"{of_judge}read/", {}, **key)))
    assert not [row for row in IdempotencyKey.objects.all() if b"Ash Ledger" in bytes(row.body or b"")]
    tournament.roles.filter(user__username="juno").delete()
    again = juno.post(f"{of_judge}read/", {}, **key)
    assert (again.status_code, b"Ash Ledger" in again.content) == (403, False)


def test_shown_deck_is_exported_to_whom_it_is_shown_and_a_hidden_one_to_nobody(catalogue):
    tournament = event(deck_publish="after_end")
    good(with_ada(tournament).put(f"{path_of(tournament)}my/deck/", {"text": ILLEGAL}))
    path = f"{path_of(tournament)}entries/1/deck/export/"
    assert caller("olive").get(path).json()["code"] == "unknown_deck"
    Tournament.objects.update(decks_published_at=NOW)
    told = good(caller().get(path, {"format": "cockatrice"}))
    assert (told["format"], told["extension"], "Ash Ledger" in told["text"]) == ("cockatrice", "cod", True)
    assert good(caller().get(path, {"format": "papyrus"}), 400)["code"] == "invalid"


def test_deck_of_an_entry_is_not_for_the_organiser(catalogue):
    tournament = event()
    good(with_ada(tournament).put(f"{path_of(tournament)}my/deck/", {"text": ILLEGAL}))
    olive, path = caller("olive"), f"{path_of(tournament)}entries/1/deck/"
    assert olive.post(f"{path}read/").status_code == 403
    assert olive.put(path, {"text": ILLEGAL, "reason": "x"}).status_code == 403
    assert EntryMember.objects.get(entry__number=1).deck_version.number == 1


def test_start_locks_decks(catalogue):
    tournament = running(2)
    ada = account("ada")
    EntryMember.objects.filter(entry=Entry.objects.get(number=1)).update(person=ada.person)
    answer = caller("ada").put(f"{path_of(tournament)}my/deck/", {"text": ILLEGAL})
    assert (answer.status_code, answer.json()["code"]) == (422, "decks_locked")


def test_pasted_list_is_checked_without_an_account(catalogue):
    body = {"game": "doom_pile", "game_format": "standard", "text": f"{ILLEGAL}2 Ash Legder\n"}
    checked = good(caller().post("/api/v1/decks/check/", body))
    assert [(each["line"], each["suggestions"][0]) for each in checked["unread_lines"]] == [(2, "Ash Ledger")]
    assert checked["verdict"]["legal"] is False
    for changes, status in (
        ({"game": "x"}, 404),
        ({"game": "house_game", "game_format": "open"}, 422),
        ({"text": 1}, 200),
    ):
        assert caller().post("/api/v1/decks/check/", {**body, **changes}).status_code == status
