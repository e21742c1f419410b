"""Telling players that they are paired: a push service of the tests that decrypts, mails, and who is not told."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.core import mail
from django.utils.translation import override

from accounts.actors import ANONYMOUS
from accounts.identity.services import revoke_personal_links
from accounts.models import Person, PushSubscription
from accounts.notifications.messages import mail_token, mailed_person, set_mails, subscribe
from accounts.notifications.push_services import Unreachable
from accounts.notifications.webpush import encode, point_of
from journal.clock import database_now
from journal.models import OutboxMessage
from rules_engine.errors import BadInput
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, score
from tests.tournaments.web.visitors import browser, guest, url
from tournaments import tasks
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.services.events import start_tournament
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Match, Round, Stage, Tournament
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import dispute_report, report_result
from tournaments.room.services.calls import call_judge, claim_call, release_call
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
SECRET = b"0123456789abcdef"


@dataclass
class PushService:
    """A push service on this machine, with the browser it pushes to."""

    status: int = 201
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    port: int = 0

    @property
    def read(self) -> list[dict[str, str]]:
        """What the browser reads of what came."""
        return [json.loads(decrypt(body, self.key)) for body in self.bodies]

    def tell(self, person: Person) -> PushSubscription:
        """The browser asks to be told."""
        address = f"http://127.0.0.1:{self.port}/to/{person.pk}?x=1"
        return subscribe(person, address, encode(point_of(self.key)), encode(SECRET), account("olive"), database_now())


def decrypt(body: bytes, key: ec.EllipticCurvePrivateKey) -> bytes:
    """What a browser does with a message (RFC 8188, RFC 8291)."""
    salt, length = body[:16], body[20]
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))

    def derived(material: bytes, salt: bytes, info: bytes, size: int) -> bytes:
        return HKDF(hashes.SHA256(), size, salt, info).derive(material)

    material = derived(shared, SECRET, b"WebPush: info\0" + point_of(key) + sender, 32)
    nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
    opened = AESGCM(derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)).decrypt(nonce, sealed, None)
    assert opened.endswith(b"\x02")
    return opened[:-1]


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    settings.PUSH_TO_LOOPBACK = True
    found = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            found.headers.append(dict(self.headers))
            self.send_response(found.status)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


def person(tournament: Tournament, name: str) -> Person:
    return entry(tournament, name).members.get().person


def published(tournament: Tournament, seed: int = 1) -> Round:
    now, olive = database_now(), account("olive")
    return publish_round(olive, pair_next_round(olive, tournament, now, seed=seed), now)


def work(name: str = "") -> int:
    """Do the background work that telling asks for; answers how much it was."""
    done = 0
    for task in (tasks.tell_pairings, tasks.push_pairing, tasks.mail_pairing):
        for message in OutboxMessage.objects.filter(task=task.name, done_at=None):
            task.run(*message.args)
            OutboxMessage.objects.filter(pk=message.pk).update(done_at=database_now())
            done += 1
    return done


def test_a_paired_player_is_pushed_table_round_and_opponent(service):
    tournament = running(2)
    service.tell(person(tournament, "Ada"))
    published(tournament)
    assert work() == 2
    assert service.read == [
        {
            "title": "Table 1, round 1", "body": "You play Ben.", "path": f"/e/{tournament.slug}/my/",
            "tag": f"{tournament.stream}:1",
        }
    ]  # fmt: skip
    sent = service.headers[0]
    assert sent["Content-Encoding"] == "aes128gcm"
    assert sent["Authorization"].startswith("vapid t=")
    assert b"Ben" not in service.bodies[0]


def test_everybody_is_told_in_the_language_they_read(service):
    tournament = running(2)
    with override("de"):
        service.tell(person(tournament, "Ada"))
        set_mails(person(tournament, "Ben"), "ben@example.org", ANONYMOUS, NOW, wanted=True)
    published(tournament)
    assert work() == 3
    assert service.read[0]["title"] == "Tisch 1, Runde 1"
    assert mail.outbox[0].subject == "Tisch 1, Runde 1 – Autumn Doom Cup"


def test_a_bye_is_told_too(service):
    tournament = running(3)
    for name in ("Ada", "Ben", "Cem"):
        service.tell(person(tournament, name))
    published(tournament)
    work()
    assert sorted(told["title"] for told in service.read) == [
        "Round 1: no table",
        "Table 1, round 1",
        "Table 1, round 1",
    ]


def test_nobody_who_did_not_ask_causes_work(service):
    published(running(4))
    assert not OutboxMessage.objects.filter(task__contains="pairing").exists()


def test_a_repeated_job_asks_once(service):
    tournament = running(2)
    service.tell(person(tournament, "Ada"))
    round_ = published(tournament)
    tasks.tell_pairings(round_.pk)
    tasks.tell_pairings(round_.pk)
    assert OutboxMessage.objects.filter(task=tasks.push_pairing.name).count() == 1


def test_the_same_pairing_is_not_told_twice_and_a_new_one_is(service):
    tournament, olive = running(4), account("olive")
    service.tell(person(tournament, "Ada"))
    first = published(tournament, seed=1)
    work()
    withdraw_round(olive, first, "a slip", database_now())
    published(tournament, seed=1)
    work()
    assert len(service.bodies) == 1
    again = Round.objects.get(stage__tournament=tournament, superseded_at=None)
    for seed in range(2, 12):
        withdraw_round(olive, again, "once more", database_now())
        again = published(tournament, seed=seed)
        work()
    told = [each["body"] + each["title"] for each in service.read]
    assert all(one != other for one, other in pairwise(told))
    assert len(set(told)) > 1


def test_a_pairing_is_told_when_its_first_version_was_taken_back_unsent(service):
    tournament, olive = running(2), account("olive")
    service.tell(person(tournament, "Ada"))
    withdraw_round(olive, published(tournament), "a slip", database_now())
    work()
    assert service.bodies == []
    published(tournament)
    work()
    assert len(service.bodies) == 1


def test_a_pairing_that_comes_back_is_told_again(service):
    tournament, olive = running(4), account("olive")
    service.tell(person(tournament, "Ada"))
    first = round_ = published(tournament)
    work()
    for seed in range(2, 40):
        withdraw_round(olive, round_, "once more", database_now())
        round_ = published(tournament, seed=seed)
        work()
        if len(service.bodies) == 2:
            break
    withdraw_round(olive, round_, "the first was right", database_now())
    assert published(tournament).number == first.number
    work()
    one, other, again = ((told["title"], told["body"]) for told in service.read)
    assert one == again != other


def changed_by_hand(round_: Round, change: Change) -> None:
    seen = seen_mark(round_, round_draft_of(round_))
    change_round(account("olive"), round_, change, "asked at the desk", database_now(), seen=seen)


def test_who_is_seated_by_hand_at_a_table_of_several_is_told_and_all_at_both_tables(service):
    tournament = running(9, game="doomlings", best_of=1)
    round_ = published(tournament)
    for each in tournament.entries.all():
        service.tell(person(tournament, each.name))
    five, four = sorted(round_draft_of(round_).seatings, key=lambda each: -len(each.seats))
    changed_by_hand(round_, Change(Act.LOCK, table=four.number))
    work()
    told_so_far = len(service.bodies)
    changed_by_hand(round_, Change(Act.SEAT, (five.seats[0],), four.number))
    work()
    told = service.read[told_so_far:]
    assert len(told) == len({each["body"] for each in told}) == 9
    assert sum(each["title"] == f"Table {four.number}, round 1" for each in told) == 5


def test_who_is_seated_by_hand_after_the_round_was_published_is_told(service):
    """Those who sit elsewhere or with somebody else, once; not who stays, nor whose seats are turned."""
    tournament = running(6)
    for each in tournament.entries.all():
        service.tell(person(tournament, each.name))
    round_ = published(tournament)
    work()
    tables = [match.seats.order_by("order") for match in round_.matches.order_by("table_number")]
    first, second, third = ([seat.entry for seat in seats] for seats in tables)
    assert len(service.bodies) == 6
    changed_by_hand(round_, Change(Act.SWAP, entries=(first[0].pk, second[0].pk)))
    work()
    moved = sorted((each["title"], each["body"]) for each in service.read[6:])
    assert moved == sorted([
        ("Table 1, round 1", f"You play {first[1].name}."), ("Table 1, round 1", f"You play {second[0].name}."),
        ("Table 2, round 1", f"You play {second[1].name}."), ("Table 2, round 1", f"You play {first[0].name}."),
    ])  # fmt: skip
    changed_by_hand(round_, Change(Act.SEATS, table=3))
    work()
    assert len(service.bodies) == 10
    changed_by_hand(round_, Change(Act.MOVE, table=3, to=9))
    work()
    assert sorted(each["body"] for each in service.read[10:]) == sorted(f"You play {each.name}." for each in third)
    assert {each["title"] for each in service.read[10:]} == {"Table 9, round 1"}


def test_who_is_sent_on_by_a_correction_in_a_bracket_is_told(service):
    olive, tournament = account("olive"), event(4)
    set_stages(olive, tournament, [StageDraft(kind=Stage.Kind.SINGLE_ELIMINATION)], NOW)
    tournament = start_tournament(olive, tournament, NOW)
    first = published(tournament)
    match = first.matches.order_by("table_number")[0]
    report_all(first)
    second = published(tournament)
    loser = match.seats.get(order=2).entry
    service.tell(person(tournament, loser.name))
    work()
    assert service.bodies == []
    correct_result(olive, Match.objects.get(pk=match.pk), score(0, 2), "typed wrong", database_now())
    work()
    assert [each["title"].split(",")[0] for each in service.read] == ["Table 1"]
    assert second.number == 2


def test_who_left_and_a_rehearsal_are_not_told(service):
    tournament = running(4)
    service.tell(person(tournament, "Ada"))
    round_ = published(tournament)
    drop_entry(account("olive"), entry(tournament, "Ada"), database_now())
    work()
    Round.objects.filter(pk=round_.pk).update(superseded_at=database_now())
    assert service.bodies == []
    rehearsed = running(2, name="Other")
    service.tell(person(rehearsed, "Ada"))
    Tournament.objects.filter(pk=rehearsed.pk).update(rehearsal_of=tournament)
    rehearsed.refresh_from_db()
    published(rehearsed)
    work()
    assert service.bodies == []


def test_old_news_is_not_told(service):
    tournament = running(2)
    service.tell(person(tournament, "Ada"))
    round_ = published(tournament)
    Round.objects.filter(pk=round_.pk).update(published_at=database_now() - timedelta(hours=1))
    work()
    assert service.bodies == []


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_browser_that_is_gone_is_forgotten(service, status):
    tournament = running(2)
    service.tell(person(tournament, "Ada"))
    service.status = status
    published(tournament)
    work()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again_later(service, status):
    tournament = running(2)
    subscription = service.tell(person(tournament, "Ada"))
    service.status = status
    round_ = published(tournament)
    seat = entry(tournament, "Ada").seats.get()
    with pytest.raises(Unreachable) as refused:
        tasks.push_pairing(subscription.pk, seat.pk)
    assert str(service.port) not in str(refused.value)
    assert round_.number == 1
    assert PushSubscription.objects.exists()


def test_redirects_are_not_followed(service):
    tournament = running(2)
    subscription = service.tell(person(tournament, "Ada"))
    service.status = 307
    published(tournament)
    tasks.push_pairing(subscription.pk, entry(tournament, "Ada").seats.get().pk)
    assert len(service.bodies) == 1


def test_an_account_is_told_for_every_person_it_speaks_for(service):
    tournament = running(2)
    ben = person(tournament, "Ben")
    known = account("ben")
    Person.objects.filter(pk=ben.pk).update(user=known.user)
    service.tell(known.person)
    published(tournament)
    work()
    assert [told["body"] for told in service.read] == ["You play Ada."]


@pytest.mark.parametrize("endpoint", ["http://push.example.org/a", "https://push.example.org:22/a", "x"])
def test_a_browser_with_another_endpoint_is_refused(endpoint):
    tournament = running(2)
    key = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(BadInput):
        subscribe(
            person(tournament, "Ada"), endpoint, encode(point_of(key)), encode(SECRET), account("olive"), database_now()
        )
    assert not PushSubscription.objects.exists()


def test_pages_turn_push_on_and_off_for_oneself_alone(service):
    tournament = running(2)
    ada, ben = guest(tournament, "Ada"), guest(tournament, "Ben")
    endpoint, key = f"http://127.0.0.1:{service.port}/a", encode(point_of(service.key))
    fields = {"endpoint": endpoint, "p256dh": key, "auth": encode(SECRET)}
    assert browser().post("/my/told/push/", fields).status_code == 302
    assert ada.post("/my/told/push/", {**fields, "auth": "short"}).status_code == 400
    assert ada.post("/my/told/push/", fields).status_code == 204
    assert PushSubscription.objects.get().person == person(tournament, "Ada")
    assert ben.post("/my/told/push/off/", fields).status_code == 204
    assert PushSubscription.objects.exists()
    assert ada.post("/my/told/push/off/", fields).status_code == 204
    assert not PushSubscription.objects.exists()


def test_mails_go_to_confirmed_addresses_only_and_once_a_round(settings):
    settings.DOOMDESK_MAIL, settings.PUBLIC_ADDRESS = True, "http://shop.test"
    tournament = running(2)
    ada = guest(tournament, "Ada")
    ada.post("/my/told/mail/", {"email": "ada@example.org", "back": url(tournament, "my/")})
    assert not person(tournament, "Ada").mails_pairings
    link = next(word for word in mail.outbox.pop().body.split() if "/my/told/mail/" in word)
    path = "/" + link.split("/", 3)[3]
    assert browser().get(path).status_code == 200
    assert not person(tournament, "Ada").mails_pairings
    assert "ada@example.org gets an email when a round is paired" in browser().post(path).content.decode()
    round_ = published(tournament)
    assert work() == 2
    tasks.tell_pairings(round_.pk)
    assert work() == 0
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.org"]
    assert sent.subject == "Table 1, round 1 – Autumn Doom Cup"
    assert f"http://shop.test/e/{tournament.slug}/my/" in sent.body
    assert "/p/" not in sent.body
    stop = "/" + sent.extra_headers["List-Unsubscribe"].strip("<>").split("/", 3)[3]
    browser().post(stop)
    assert not person(tournament, "Ada").mails_pairings


def test_no_more_mails_holds_for_every_person_of_an_account():
    tournament, ada = running(2), account("ada")
    for name in ("Ada", "Ben"):
        Person.objects.filter(pk=person(tournament, name).pk).update(user=ada.user)
    set_mails(person(tournament, "Ada"), "ada@example.org", ada, NOW, wanted=True)
    assert mailed_person(person(tournament, "Ben")) == person(tournament, "Ada")
    set_mails(person(tournament, "Ben"), "", ada, NOW, wanted=False)
    assert mailed_person(person(tournament, "Ada")) is None


def test_forged_and_old_mail_links_do_nothing(settings, monkeypatch):
    settings.DOOMDESK_MAIL = True
    ada = person(running(2), "Ada")
    token = mail_token(ada, "ada@example.org", wanted=True)
    assert browser().post(f"/my/told/mail/{token[:-2]}xx/").status_code == 404
    monkeypatch.setattr("accounts.notifications.messages.CONFIRM_SECONDS", -1)
    assert browser().post(f"/my/told/mail/{token}/").status_code == 404
    ada.refresh_from_db()
    assert not ada.mails_pairings


def test_a_site_without_mail_offers_none():
    tournament = running(2)
    ada = guest(tournament, "Ada")
    assert ada.post("/my/told/mail/", {"email": "ada@example.org"}).status_code == 404
    assert "tell-email" not in ada.get(url(tournament, "my/")).content.decode()


def test_the_part_says_what_is_on(settings):
    settings.DOOMDESK_MAIL = True
    tournament = running(2)
    next_round(tournament)
    set_mails(person(tournament, "Ada"), "ada@example.org", account("olive"), database_now(), wanted=True)
    text = guest(tournament, "Ada").get(url(tournament, "my/")).content.decode()
    assert "An email goes to a…@example.org" in text
    assert "ada@example.org" not in guest(tournament, "Ben").get(url(tournament, "my/")).content.decode()


def test_an_address_is_shown_to_its_account_and_not_by_a_link_that_staff_can_make(settings):
    settings.DOOMDESK_MAIL = True
    tournament, ada = running(2), account("ada")
    next_round(tournament)
    Person.objects.filter(pk=person(tournament, "Ben").pk).update(email="ben@example.org")
    assert "ben@" not in guest(tournament, "Ben").get(url(tournament, "my/")).content.decode()
    Person.objects.filter(pk=person(tournament, "Ada").pk).update(user=ada.user)
    Person.objects.filter(user=ada.user).update(email="ada@example.org")
    assert "ada@example.org" in browser(ada).get(url(tournament, "my/")).content.decode()


def test_revoked_links_take_their_browsers_with_them(service):
    tournament = running(2)
    ada = person(tournament, "Ada")
    guest(tournament, "Ada")
    service.tell(ada)
    revoke_personal_links(ada, account("olive"), database_now())
    published(tournament)
    assert work() == 0


def all_told(tournament: Tournament, service: PushService, *names: str) -> None:
    """They ask to be told, and have read of their tables."""
    for name in names:
        service.tell(person(tournament, name))
    published(tournament)
    work()
    service.bodies.clear()


def test_two_different_reports_are_told_to_both_once(service):
    tournament, olive = running(4), account("olive")
    all_told(tournament, service, "Ada", "Ben", "Cem", "Dora")
    match = tournament.stages.get().rounds.get().matches.first()
    first, second = match.seats.order_by("order")
    for seat, won in ((first, (2, 0)), (second, (0, 2)), (first, (2, 1))):
        match.refresh_from_db()
        report_result(olive, match, score(*won), database_now(), seat=seat)
    assert work() == 2
    assert [told["title"] for told in service.read] == ["Your result is disputed"] * 2


def test_a_disputed_report_is_told_and_no_more_once_it_is_settled(service):
    tournament, olive = running(2), account("olive")
    all_told(tournament, service, "Ada")
    match = tournament.stages.get().rounds.get().matches.get()
    answer = report_result(olive, match, score(2, 0), database_now(), seat=match.seats.get(order=1))
    dispute_report(olive, answer.report, "", database_now())
    message = OutboxMessage.objects.filter(task=tasks.push_pairing.name, done_at=None).get()
    match.refresh_from_db()
    report_result(olive, match, score(2, 0), database_now())
    tasks.push_pairing.run(*message.args)
    assert service.read == []


def test_a_judge_on_the_way_is_told_at_that_table_unless_put_back(service):
    tournament, olive = running(4), account("olive")
    all_told(tournament, service, "Ada", "Ben", "Cem", "Dora")
    match = tournament.stages.get().rounds.get().matches.first()
    call = call_judge(olive, match, "rules", "", database_now())
    claim_call(olive, call, database_now())
    assert work() == 2
    assert [told["title"] for told in service.read] == ["A judge is on the way"] * 2
    release_call(olive, call, database_now())
    claim_call(olive, call, database_now())
    release_call(olive, call, database_now())
    work()
    assert len(service.read) == 2


def test_a_place_is_told_to_who_moved_up_by_push_and_mail(service):
    tournament = event(3, capacity=2)
    for name in ("Ada", "Ben", "Cem"):
        service.tell(person(tournament, name))
    set_mails(person(tournament, "Cem"), "cem@example.org", ANONYMOUS, NOW, wanted=True)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert work() == 2
    assert [told["title"] for told in service.read] == ["You have a place"]
    assert mail.outbox[0].subject == "You have a place – Autumn Doom Cup"
