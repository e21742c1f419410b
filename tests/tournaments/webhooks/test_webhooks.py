"""Webhooks: every change arrives once and in order, whatever the receiver does; and nothing is called inside."""

import random
import socket
from datetime import timedelta

import pytest
from django.test import Client

from accounts.notifications import push_services
from journal.models import LedgerEntry, OutboxMessage
from rules_engine.errors import DomainError
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running
from tests.tournaments.webhooks.receiver import Receiver, listening
from tournaments.core.ledger import CALL_WEBHOOK
from tournaments.events.services.events import finish_tournament, reopen_tournament
from tournaments.models import Webhook
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.webhooks import sending
from tournaments.webhooks.selectors import changes_after
from tournaments.webhooks.sending import GIVE_UP_AFTER, MINE, send_changes
from tournaments.webhooks.services import MAX_WEBHOOKS, create_webhook, delete_webhook, resend_webhook

pytestmark = pytest.mark.django_db
MOODS = (500, 302, "stall", "die", "lose", 200)


@pytest.fixture
def inside(settings, monkeypatch):
    """Receivers on this machine may be called, and have half a second."""
    settings.WEBHOOKS_INSIDE = True
    monkeypatch.setattr(push_services, "SECONDS", 0.5)


@pytest.fixture
def receiver(inside):
    with listening(Receiver()) as found:
        yield found


def hook(tournament, receiver, kind="signed", topics=()):
    made = create_webhook(account("olive"), tournament, kind, receiver.url, topics, NOW)
    receiver.secret, receiver.last = made.secret if kind == "signed" else "", made.sent_through
    return made


def announce(tournament, count=1):
    for number in range(count):
        posted = post_announcement(account("olive"), tournament, f"News {number}", NOW)
        withdraw_announcement(account("olive"), posted, NOW)


def work(now, *, until=None):
    """Do what is asked for in the order it is due, as workers do; answers the time it is then."""
    waiting = OutboxMessage.objects.filter(task=CALL_WEBHOOK, done_at=None).order_by("available_at", "created_at")
    while (message := waiting.first()) is not None and (until is None or message.available_at <= until):
        now = max(now, message.available_at)
        send_changes(message.args[0], lambda at=now: at)
        waiting.filter(pk=message.pk).update(done_at=now)
    return now


def known(tournament, after):
    """The numbers of what everybody is told since, asked for as often as a receiver that catches up asks."""
    found = [each.sequence for each in changes_after(tournament, after, 500).changes]
    return [*found, *known(tournament, found[-1])] if found else []


def test_every_change_arrives_once_in_order_from_a_receiver_of_any_mood(receiver, many, seed):
    chance, now = random.Random(seed), NOW
    tournament = event()
    made = hook(tournament, receiver)
    for _run in range(many(500, 12)):
        receiver.moods = [chance.choice(MOODS) for _each in range(chance.randint(0, 3))]
        announce(tournament, chance.randint(1, 4))
        now = work(now) if chance.random() < 0.5 else work(now, until=now)
    work(now)
    assert [each["sequence"] for each in receiver.seen] == known(tournament, made.sent_through)
    assert not receiver.missed
    made.refresh_from_db()
    assert (made.tries, made.failing_since, made.last_error, made.busy_until) == (0, None, "", None)


def test_control_without_a_second_try_changes_are_lost(receiver, monkeypatch):
    monkeypatch.setattr(sending, "enqueue", lambda *_of, **_named: None)
    tournament = event()
    made = hook(tournament, receiver)
    receiver.moods = [500]
    announce(tournament)
    work(NOW)
    assert receiver.seen == []
    assert known(tournament, made.sent_through)


def test_pauses_grow_then_it_is_given_up_and_sent_again_by_a_press(receiver):
    tournament = event()
    made = hook(tournament, receiver)
    receiver.moods = [500] * 100
    announce(tournament)
    ended = work(NOW)
    made.refresh_from_db()
    assert (made.last_error, made.stopped_at, 30 < made.tries < 60) == ("500", ended, True)
    assert GIVE_UP_AFTER < ended - NOW < GIVE_UP_AFTER + timedelta(hours=2)
    announce(tournament, 2)
    assert not OutboxMessage.objects.filter(task=CALL_WEBHOOK, done_at=None).exists()
    page, client = f"/e/{tournament.slug}/manage/webhooks/", Client()
    client.force_login(account("olive").user)
    assert "The receiver answered 500." in client.get(page).content.decode()
    receiver.moods = []
    assert client.post(f"{page}{made.pk}/resend/").status_code == 302
    work(ended + timedelta(days=3000))
    assert [each["sequence"] for each in receiver.seen] == known(tournament, made.sent_through)
    assert client.post(f"{page}{made.pk}/delete/").status_code == 302
    assert not Webhook.objects.exists()


def test_one_worker_sends_and_one_who_lost_it_notes_nothing(receiver):
    tournament = event()
    made = hook(tournament, receiver)
    announce(tournament)
    lost = sending._take(made.pk, NOW)
    send_changes(made.pk, lambda: NOW)
    assert receiver.calls == 0
    assert OutboxMessage.objects.filter(task=CALL_WEBHOOK, available_at=NOW + MINE).count() == 1
    send_changes(made.pk, lambda: NOW + MINE)
    announce(tournament)
    assert not sending._send_next(lost, lambda: NOW + MINE)
    before = Webhook.objects.values().get()
    sending._note_failure(lost, "500", NOW)
    assert Webhook.objects.values().get() == before
    send_changes(made.pk, lambda: NOW + 2 * MINE)
    assert [each["sequence"] for each in receiver.seen] == known(tournament, made.sent_through)


def test_a_program_is_sent_its_topics_and_nothing_that_is_not_public(receiver):
    tournament = running(4)
    made = hook(tournament, receiver, topics=("rounds", "results"))
    announce(tournament)
    report_all(next_round(tournament))
    work(NOW)
    acts = [each["act"] for each in receiver.seen]
    assert acts == ["round.published", "result.reported", "result.reported"]
    assert receiver.bodies[0]["after"] == made.sent_through
    assert not {"actor", "report", "by", "reason"} & {key for each in receiver.seen for key in each["subjects"]}


def test_chats_are_told_rounds_and_final_standings(receiver, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://desk.example"]
    tournament = running(2, name="Cup *one*")
    hook(tournament, receiver, "discord")
    announce(tournament)
    round_ = next_round(tournament)
    work(NOW)
    page = f"https://desk.example/e/{tournament.slug}/"
    assert receiver.bodies == [
        {"content": f"Cup \\*one\\*: Round 1 is paired.  \n{page}pairings/", "allowed_mentions": {"parse": []}}
    ]
    hook(tournament, receiver, "matrix")
    report_all(round_)
    finish_tournament(account("olive"), tournament, NOW, early="Enough.")
    work(NOW)
    lines = ("Cup \\*one\\*: final standings", "1\\. Ada", "2\\. Ben", f"{page}standings/")
    assert receiver.bodies[-1] == {"text": "  \n".join(lines)}
    assert receiver.calls == 3


def test_ranks_that_are_shared_are_no_list_that_a_chat_would_count(receiver):
    tournament = running(4, swiss_rounds=1)
    report_all(next_round(tournament))
    hook(tournament, receiver, "discord")
    finish_tournament(account("olive"), tournament, NOW)
    work(NOW)
    _head, *lines = receiver.bodies[-1]["content"].split("  \n")
    assert [line.partition("\\. ")[0] for line in lines] == ["1", "1", "3", "3"]


def test_chats_are_not_told_the_standings_of_an_event_that_was_reopened_or_had_no_round(receiver):
    tournament = running(2, swiss_rounds=1)
    report_all(next_round(tournament))
    hook(tournament, receiver, "discord")
    finish_tournament(account("olive"), tournament, NOW)
    reopen_tournament(account("olive"), tournament, "a wrong result", NOW)
    work(NOW)
    unplayed = running(2)
    hook(unplayed, receiver, "discord")
    finish_tournament(account("olive"), unplayed, NOW, early="The hall is flooded.")
    work(NOW)
    assert receiver.bodies == []


PRIVATE = ("127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "::ffff:192.168.1.1", "64:ff9b::7f00:1")


@pytest.fixture
def names(monkeypatch):
    """What names lead to, and which addresses were connected to: nobody is really called."""
    found, called = list[str](), list[str]()

    def look_up(_host, port, **_named):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (found.pop(0), port))]

    def connect(address, *_of):
        called.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    return found, called


def test_an_address_inside_is_never_called_and_a_name_is_looked_up_once(names):
    found, called = names
    tournament = event()
    made = create_webhook(account("olive"), tournament, "signed", "https://evil.example:8443/x", (), NOW)
    announce(tournament)
    for address in PRIVATE:
        found[:] = [address]
        Webhook.objects.update(next_try_at=None)
        send_changes(made.pk, lambda: NOW)
        assert (Webhook.objects.get().last_error, called) == ("refused", [])
    found[:] = ["93.184.216.34", "127.0.0.1"]
    Webhook.objects.update(next_try_at=None)
    send_changes(made.pk, lambda: NOW)
    assert (Webhook.objects.get().last_error, called) == ("ConnectionRefusedError", ["93.184.216.34"])


def test_control_where_it_is_allowed_this_machine_is_called(names, settings):
    settings.WEBHOOKS_INSIDE, (found, called) = True, names
    tournament = event()
    made = create_webhook(account("olive"), tournament, "signed", "http://evil.example/x", (), NOW)
    announce(tournament)
    found[:] = ["127.0.0.1"]
    send_changes(made.pk, lambda: NOW)
    assert called == ["127.0.0.1"]


def test_bad_addresses_and_too_many_are_refused_and_nothing_is_stored(inside, settings):
    settings.WEBHOOKS_INSIDE = False
    olive, tournament = account("olive"), event()
    before = LedgerEntry.objects.count()
    for url in (
        "http://a.example/",
        "https://me:pw@a.example/",
        "ftp://a.example/",
        "https:///x",
        "https://a.example/ä",
    ):
        with pytest.raises(DomainError, match="bad_webhook_address"):
            create_webhook(olive, tournament, "signed", url, (), NOW)
    assert LedgerEntry.objects.count() == before
    for number in range(MAX_WEBHOOKS):
        made = create_webhook(olive, tournament, "signed", f"https://a.example/{number}", (), NOW)
    with pytest.raises(DomainError, match="too_many_webhooks"):
        create_webhook(olive, tournament, "signed", "https://a.example/", (), NOW)
    other = event(name="Another cup")
    for act in (resend_webhook, delete_webhook):
        with pytest.raises(DomainError, match="unknown_webhook"):
            act(olive, other, made.pk, NOW)


def test_a_webhook_replaces_an_older_one_to_the_same_address(receiver):
    tournament = event()
    lost, others = hook(tournament, receiver), hook(tournament, receiver, "discord")
    announce(tournament)
    made = hook(tournament, receiver)
    announce(tournament)
    work(NOW)
    assert set(tournament.webhooks.all()) == {made, others}
    assert made.secret != lost.secret
    assert [each["sequence"] for each in receiver.seen if "sequence" in each] == known(tournament, made.sent_through)


def test_the_page_shows_the_secret_once_and_never_the_whole_address(inside):
    tournament, client = event(), Client()
    client.force_login(account("olive").user)
    page = f"/e/{tournament.slug}/manage/webhooks/"
    fields = {"kind": "signed", "url": "https://a.example/secret-part", "topics": ["results"], "idempotency_key": "a"}
    shown = client.post(page, fields).content.decode()
    made = Webhook.objects.get()
    assert made.secret in shown
    later = client.get(page).content.decode()
    assert "https://a.example/…part" in later
    assert made.secret not in later
    assert "secret-part" not in shown.replace('value="https://a.example/secret-part"', "") + later
    assert "Enter an https:// address" in client.post(page, {**fields, "url": "gopher://a"}).content.decode()
    assert Webhook.objects.count() == 1
