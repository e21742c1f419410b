"""What the room is told: posted and withdrawn by officials, shown to everybody."""

import re

import pytest
from django.test import Client

from tests.refusals import refusal
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, event, running, staff
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tournaments.models import Role
from tournaments.room.selectors.announcements import announcements_of, withdrawn_of
from tournaments.room.services.announcements import MAX_STANDING, post_announcement, withdraw_announcement

pytestmark = pytest.mark.django_db


def post(tournament, text="Round 2 begins at 14:30", **more):
    return post_announcement(account("olive"), tournament, text, NOW, **more)


def test_an_announcement_stands_until_it_is_withdrawn():
    tournament = event()
    first, second = post(tournament), post(tournament, "  Lost:\n a green  dice bag ")
    assert [each.text for each in announcements_of(tournament)] == ["Lost: a green dice bag", first.text]
    withdraw_announcement(account("olive"), second, NOW)
    assert announcements_of(tournament) == [first]
    assert withdrawn_of(tournament) == [second]
    assert refusal(withdraw_announcement, account("olive"), second, NOW) == "already_withdrawn"


@pytest.mark.parametrize(("text", "code"), [("  ", "text_needed"), ("x" * 301, "too_long")])
def test_empty_and_endless_texts_are_refused(text, code):
    assert refusal(post, event(), text) == code


def test_only_so_many_stand_at_once():
    tournament = event()
    for number in range(MAX_STANDING):
        post(tournament, f"No. {number}")
    assert refusal(post, tournament) == "too_many_announcements"


@pytest.mark.parametrize(("many", "fold"), [(1, ""), (3, "fold on-narrow"), (4, "fold")])
def test_more_than_three_are_one_line_on_every_screen_and_several_on_phones(many, fold):
    tournament = event()
    for number in range(many):
        post(tournament, f"No. {number}")
    told = Client().get(f"/e/{tournament.slug}/").content.decode().partition('id="told"')[2].partition("<main")[0]
    assert (re.findall(r'<details class="([^"]*)"', told) or [""]) == [fold]
    assert told.count("No. 0") >= 1


def test_everybody_reads_it_above_every_page():
    tournament = running(4)
    path = f"/e/{tournament.slug}/"
    assert "<b>Evacuate</b>" not in Client().get(path).content.decode()
    post(tournament, "Evacuate", is_urgent=True)
    post(tournament, "<i>Lunch</i>")
    for page in (path, f"{path}standings/", manage(tournament, "")):
        text = browser("olive").get(page).content.decode()
        assert re.search(r'role="alert">\s*<b>Evacuate</b>', text), page
        assert "&lt;i&gt;Lunch&lt;/i&gt;" in text, page


def test_page_posts_withdraws_and_posts_again():
    tournament = event()
    olive = browser("olive")
    page = manage(tournament, "announcements/")
    assert "No announcements yet." in olive.get(page).content.decode()
    refused = olive.post(page, {"text": " ", "is_urgent": "on"}).content.decode()
    assert "This field is required." in refused
    assert "checked" in refused
    olive.post(page, {"text": "Lunch", "is_urgent": "on"})
    (posted,) = announcements_of(tournament)
    assert posted.is_urgent
    assert "Post again" in olive.post(f"{page}{posted.pk}/withdraw/", follow=True).content.decode()
    assert announcements_of(tournament) == []
    assert "withdrawn already" in olive.post(f"{page}{posted.pk}/withdraw/", follow=True).content.decode()
    olive.post(f"{page}{posted.pk}/again/")
    (again,) = announcements_of(tournament)
    assert (again.text, again.is_urgent) == ("Lunch", True)
    log = olive.get(manage(tournament, "log/")).content.decode()
    assert "sent an announcement" in log
    assert "withdrew an announcement" in log
    assert olive.post(f"{page}99999/again/").status_code == 404


def test_api_tells_posts_and_withdraws():
    tournament = event()
    staff(tournament, "juno", Role.Name.JUDGE)
    path, juno = f"/api/v1/events/{tournament.slug}/announcements/", caller("juno")
    posted = juno.post(path, {"text": "Lunch"}, format="json")
    assert posted.status_code == 201
    assert [each["text"] for each in caller("").get(path).json()["results"]] == ["Lunch"]
    withdrawn = juno.post(f"{path}{posted.json()['id']}/withdraw/", format="json")
    assert withdrawn.json()["withdrawn_at"]
    assert caller("").get(path).json()["results"] == []
    other = post(event(name="Another cup"))
    assert juno.post(f"{path}{other.pk}/withdraw/", format="json").status_code == 404
