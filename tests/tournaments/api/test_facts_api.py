"""What an event, a player and an account come to; events brought from files; plans before there is an event."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.identity.services import issue_personal_link, person_of
from accounts.models import User
from journal.clock import database_now
from journal.models import LedgerEntry, OutboxMessage
from tests.journal.test_ledger import break_rows
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.events.test_bringing import from_elsewhere, under_way
from tests.tournaments.events.test_recorded import data_of
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_statistics_are_those_of_the_page():
    tournament = running(4)
    report_all(next_round(tournament), 2, 0)
    told = good(caller().get(f"{path_of(tournament)}statistics/"))
    assert (told["matches"], told["draws"], told["decks"]) == (2, 0, None)
    first = told["seats"][0]
    assert (first["wins"], first["losses"], first["share"]) == (2, 0, 1.0)
    assert first["within"][0] < 1.0


def test_recommended_stages_can_be_stored_as_they_are():
    tournament, olive = event(20), caller("olive")
    stages = good(olive.get(f"{path_of(tournament)}stages/recommended/"))["stages"]
    assert [stage["kind"] for stage in stages] == ["swiss", "single"]
    stored = good(olive.put(f"{path_of(tournament)}stages/", {"stages": stages}))["stages"]
    assert [stage["qualify_value"] for stage in stored] == [None, 8]


def test_log_is_verified():
    tournament = running(2)
    path = f"{path_of(tournament)}log/verify/"
    assert good(caller("olive").get(path)) == {"is_sound": True, "problems": []}
    break_rows(lambda: LedgerEntry.objects.filter(stream=tournament.stream, sequence=2).update(actor="user:999"))
    told = good(caller("olive").get(path))
    assert (told["is_sound"], told["problems"][0]["sequence"]) == (False, 2)


def test_a_parked_job_is_listed_and_retried():
    tournament, olive = running(2), caller("olive")
    job = OutboxMessage.objects.create(
        task="tournaments.report_sheet",
        args=[1],
        stream=tournament.stream,
        created_at=NOW,
        available_at=NOW,
        parked_at=NOW,
        attempts=3,
        last_error="Oh",
    )
    (line,) = (each for each in good(olive.get(f"{path_of(tournament)}jobs/"))["results"] if each["id"] == str(job.pk))
    assert (line["state"], line["tries"], line["last_error"]) == ("parked", 3, "Oh")
    good(olive.post(f"{path_of(tournament)}jobs/{job.pk}/retry/"), 204)
    assert olive.post(f"{path_of(tournament)}jobs/{job.pk}/retry/").json()["code"] == "not_parked"


def test_a_structure_is_simulated_before_there_is_an_event():
    told = good(caller("ada").get("/api/v1/plan/?players=32&minutes=50"))
    assert (told["players"], told["rounds"], told["cut"]) == (32, 5, 8)
    assert told["without_loss"]["low"] >= 0
    assert caller("ada").get("/api/v1/plan/?players=3").status_code == 400


def sent(data, name="event.zip", **more):
    """The answer to a file that Olive brings."""
    return caller("olive").post("/api/v1/bring/", {"file": SimpleUploadedFile(name, data), **more}, format="multipart")


def test_a_finished_event_comes_in_from_its_file_once():
    data = from_elsewhere()
    brought = good(sent(data), 201)
    assert (brought["playoffs"], brought["playoffs_words"], brought["differences"]) == (0, "", [])
    assert good(caller().get(f"/api/v1/events/{brought['slug']}/"))["state"] == "finished"
    assert good(sent(data), 201)["slug"] == brought["slug"]
    assert Tournament.objects.count() == 1


def test_another_programs_file_is_played_again():
    brought = good(sent(data_of(), "event.json"), 201)
    assert Tournament.objects.get(slug=brought["slug"]).state == "finished"


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda data: b"no zip"])
def test_a_file_that_is_not_right_changes_nothing(spoil):
    assert sent(spoil(from_elsewhere())).json()["code"] == "bad_event_file"
    assert sent(from_elsewhere(under_way)).json()["code"] == "unfinished_event"
    assert sent(from_elsewhere(), key="f" * 64).json()["code"] == "foreign_key"
    assert sent(from_elsewhere(), colour="red").json()["code"] == "unknown_field"
    assert not Tournament.objects.exists()


def test_who_shows_a_profile_is_read_by_everybody():
    ada = caller("ada")
    me = good(ada.get("/api/v1/me/"))
    assert (me["username"], me["shows_profile"]) == ("ada", False)
    path = f"/api/v1/players/{me['player']}/"
    assert caller().get(path).json()["code"] == "unknown_player"
    changed = good(ada.patch("/api/v1/me/", {"name": "Ada L.", "shows_profile": True}))
    assert (changed["name"], changed["shows_profile"]) == ("Ada L.", True)
    assert good(caller().get(path)) == {"id": me["player"], "name": "Ada L.", "games": []}


def test_own_data_and_erasing_need_the_name_once_more():
    ada = caller("ada")
    held = good(ada.get("/api/v1/me/data/"))
    assert "left_out" in held
    assert "ada" in json.dumps(held)
    assert ada.post("/api/v1/me/erase/", {"username": "ben"}).json()["code"] == "wrong_name"
    assert person_of(User.objects.get(username="ada"), database_now()).erased_at is None
    good(ada.post("/api/v1/me/erase/", {"username": "ada"}), 204)
    assert ada.get("/api/v1/me/").status_code == 401
    assert not User.objects.filter(username="ada").exists()


def test_a_guest_is_taken_over_by_the_link_and_given_back():
    ada, tournament = caller("ada"), event(2)
    guest = entry(tournament, "Ben").members.get().person
    assert ada.post("/api/v1/me/guests/", {"link": "x" * 43}).json()["code"] == "unknown_link"
    link = issue_personal_link(guest, account("olive"), database_now())
    taken = good(ada.post("/api/v1/me/guests/", {"link": link}), 201)
    assert (taken["name"], taken["events"]) == ("Ben", [tournament.slug])
    assert good(ada.get("/api/v1/me/guests/"))["results"] == [taken]
    path = f"/api/v1/me/guests/{taken['player']}/"
    assert caller("mallory").delete(path).json()["code"] == "unknown_guest"
    good(ada.delete(path), 204)
    assert good(ada.get("/api/v1/me/guests/"))["results"] == []
    guest.refresh_from_db()
    assert guest.user is None
