"""Pages that use an event again: the template, the rehearsal and its presses."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from journal.models import OutboxMessage
from tests.tournaments.factories import NOW, account, draft, event, running
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import notice_text
from tournaments.events.services.events import create_tournament
from tournaments.models import Match, Tournament
from tournaments.rehearsals.services import PLAY
from tournaments.tasks import play_rehearsal

pytestmark = pytest.mark.django_db


def test_event_is_used_as_a_template():
    original, olive = event(4, time_zone="Europe/Berlin", capacity=20), browser("olive")
    assert "Use as a template" in olive.get(manage(original)).content.decode()
    answer = olive.post(manage(original, "copy/"), {"name": "Winter Cup", "starts_at": "2026-12-05T10:00"})
    made = Tournament.objects.get(name="Winter Cup")
    assert answer.headers["Location"] == manage(made)
    assert (made.capacity, made.entries.count()) == (20, 0)
    assert made.starts_at == datetime(2026, 12, 5, 9, tzinfo=UTC)


def test_bad_copy_keeps_what_was_typed():
    original = event()
    page = browser("olive").post(manage(original, "copy/"), {"name": "Winter Cup", "starts_at": "soon"})
    assert "Winter Cup" in page.content.decode()
    assert Tournament.objects.count() == 1


def rehearsed(players=8):
    original, olive = event(swiss_rounds=2), browser("olive")
    olive.post(manage(original, "rehearse/"), {"players": players})
    return Tournament.objects.get(rehearsal_of=original), olive


def test_rehearsal_is_marked_on_each_page_and_led_to_from_its_event():
    made, olive = rehearsed()
    for path in (manage(made), f"/e/{made.slug}/", f"/e/{made.slug}/pairings/", f"/e/{made.slug}/standings/"):
        assert "Invented players" in olive.get(path).content.decode(), path
    assert manage(made) in olive.get(manage(made.rehearsal_of, "rehearse/")).content.decode()
    assert made.name not in olive.get("/my/").content.decode()
    assert Client().get(f"/e/{made.slug}/").status_code == 404


def test_an_empty_draft_offers_to_rehearse_with_sixteen():
    olive = browser("olive")
    made = create_tournament(account("olive"), draft(), NOW)
    assert "Rehearse with 16 players" in olive.get(manage(made)).content.decode()
    olive.post(manage(made, "rehearse/"), {"players": 16})
    rehearsal = Tournament.objects.get(rehearsal_of=made)
    assert rehearsal.entries.count() == 16
    assert "Try it first" not in olive.get(manage(rehearsal)).content.decode()
    assert "Try it first" not in olive.get(manage(event(4))).content.decode()


def test_whole_rehearsal_is_played_by_hand():
    made, olive = rehearsed()
    for _round in range(2):
        olive.post(manage(made, "rounds/pair/"))
        round_ = made.stages.get().rounds.order_by("-number").first()
        olive.post(manage(made, f"rounds/{round_.pk}/publish/"))
        olive.post(manage(made, "rehearsal/play/"))
        assert not Match.objects.filter(round=round_).exclude(state=Match.State.DONE).exists()
    olive.post(manage(made, "finish/"))
    made.refresh_from_db()
    assert made.state == Tournament.State.FINISHED
    assert "Final standings" in olive.get(f"/e/{made.slug}/standings/").content.decode()


def test_playing_a_rehearsal_without_a_round_is_no_success():
    made, olive = rehearsed()
    olive.get(manage(made))  # shows the message of its making
    html = olive.post(manage(made, "rehearsal/play/"), follow=True).content.decode()
    assert notice_text(html) == "open: No open match: publish a round."


def test_whole_rehearsal_is_played_by_workers():
    made, olive = rehearsed()
    olive.post(manage(made, "rehearsal/play-on/"))
    while message := OutboxMessage.objects.filter(task=PLAY).first():
        message.delete()
        play_rehearsal(*message.args)
        play_rehearsal(*message.args)
    made.refresh_from_db()
    assert made.state == Tournament.State.FINISHED


def test_rehearsal_is_gone_once_its_name_was_typed():
    made, olive = rehearsed()
    assert olive.post(manage(made, "rehearsal/delete/")).status_code == 200
    assert olive.get(manage(made)).status_code == 200
    answer = olive.post(manage(made, "rehearsal/delete/"), {"confirmed_name": made.name}, follow=True)
    assert answer.redirect_chain[-1][0] == manage(made.rehearsal_of, "rehearse/")
    assert olive.get(manage(made)).status_code == 404


@pytest.mark.parametrize("press", ["rehearsal/play/", "rehearsal/play-on/", "rehearsal/delete/"])
def test_real_event_is_untouched_by_the_presses(press):
    real, olive = running(4), browser("olive")
    answer = olive.post(manage(real, press), follow=True)
    assert "Test results only work in rehearsals" in answer.content.decode()
    assert real.roles.filter(user=account("olive").user).exists()
