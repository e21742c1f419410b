"""The export of an account: everything that is held on it, nothing of others, nothing that is secret now."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.apps import apps

from accounts.models import Person, User
from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, entry, event, score, staff, table
from tests.tournaments.web.visitors import browser
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import Entry, EntryMember, Role
from tournaments.privacy.selectors import LEFT_OUT, PARTS, held_on
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = pytest.mark.django_db
OWNERS = (User, Person, Entry, EntryMember)


def leading_to_owners():
    """The models whose rows lead to an account, a person or a place at an event."""
    return {
        model._meta.label
        for model in apps.get_models()
        for field in (*model._meta.fields, *model._meta.many_to_many)
        if field.related_model in OWNERS
    }


def test_every_model_that_leads_to_a_person_is_exported_or_left_out_for_a_reason():
    exported = {part.model._meta.label for part in PARTS.values()}
    exported |= {"knox.AuthToken"} & set(LEFT_OUT)
    assert leading_to_owners() - exported - set(LEFT_OUT) == set()
    assert not set(LEFT_OUT) - leading_to_owners()


def signed_up():
    """Zoe plays, with a deck; Ben plays against her."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(self_sign_up=True)
    for name in ("zoe canary", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
    register_deck(
        account("zoe canary"),
        entry(tournament, "zoe canary").members.get(),
        "Canary deck",
        sample_decklist(copies=3),
        NOW,
    )
    return start_tournament(account("olive"), tournament, NOW)


def test_what_is_held_on_me_is_in_the_file():
    tournament = signed_up()
    zoe = account("zoe canary")
    User.objects.filter(pk=zoe.user.pk).update(email="canary-mail@example.com", first_name="canary-first")
    Person.objects.filter(pk=zoe.person.pk).update(email="canary-person@example.com")
    Entry.objects.filter(name="zoe canary").update(club="canary-club", needs=["door"])
    staff(tournament, "zoe canary", Role.Name.SCOREKEEPER)
    post_announcement(zoe, tournament, "canary-text", NOW)
    round_ = publish_round(account("olive"), pair_next_round(account("olive"), tournament, NOW), NOW)
    match = table(round_)
    report_result(zoe, match, score(2, 0), NOW, seat=match.seats.get(entry__name="zoe canary"))
    text = json.dumps(held_on(zoe), default=str)
    for canary in (
        "zoe canary", "canary-mail@example.com", "canary-first", "canary-person@example.com", "canary-club", "door",
        "canary-text", "Canary deck", "scorekeeper",
    ):  # fmt: skip
        assert canary in text, canary
    held = held_on(zoe)
    assert [row["match__table_number"] for row in held["reports"]] == [1]
    assert {row["act"] for row in held["log"]} >= {"result.reported", "announcement.posted"}
    assert "ben" not in json.dumps({name: rows for name, rows in held.items() if name != "deck_versions"}, default=str)


def test_a_seat_in_an_unpublished_round_is_in_no_file():
    tournament = signed_up()
    olive = account("olive")
    round_ = pair_next_round(olive, tournament, NOW)
    assert held_on(account("zoe canary"))["matches"] == []
    publish_round(olive, round_, NOW)
    assert len(held_on(account("zoe canary"))["matches"]) == 1


def test_keys_are_in_no_file():
    zoe = account("zoe canary")
    zoe.user.set_password("a canary in the mine")
    zoe.user.save()
    fields = {field for part in PARTS.values() for field in part.fields}
    assert not [each for each in fields if any(word in each for word in ("password", "token_hash", "digest", "p256dh"))]
    assert zoe.user.password not in json.dumps(held_on(zoe), default=str)


def test_the_page_hands_out_the_own_file_only():
    signed_up()
    client = browser(account("zoe canary"))
    assert b"Download my data" in client.get("/my/data/").content
    answer = client.get("/my/data/export.zip")
    with ZipFile(BytesIO(answer.content)) as archive:
        data = json.loads(archive.read("data.json"))
    assert data["account"][0]["username"] == "zoe canary"
    assert set(data) == {*PARTS, "left_out"}
    for path in ("/my/data/", "/my/data/export.zip"):
        assert browser().get(path).status_code in (302, 403)
