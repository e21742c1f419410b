"""Re-checks: every stored deck once, in chunks that may run twice, be killed half-way and be asked for again."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from multiprocessing.process import BaseProcess
from threading import Event

import pytest
from django.db import connection
from redis import Redis

from accounts.actors import Actor
from accounts.models import Person, User
from config.celery import app
from decks import tasks
from decks.models import CardList, Deck, DeckVersion, Recheck, RecheckResult
from decks.selectors.rechecks import counts_of, falling_decks, falls_of, judged_count, results_for
from decks.services import rechecks
from decks.services.card_lists import ListDraft, announce_list, draft_list
from decks.services.catalogues import load_catalogues
from decks.services.decks import freeze_version
from decks.services.rechecks import cancel_recheck, resume_recheck, start_recheck
from journal.clock import database_now
from journal.models import OutboxMessage
from journal.outbox.relay import relay_batch
from rules_engine.errors import Conflict
from rules_engine.repair import Change
from tests.decks.conftest import NOW
from tests.decks.owners import save_deck_version
from tests.races import FORK, forked, race

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

SOON = NOW.date() + timedelta(days=30)
GAME = ("doom_pile", "standard")
NAMES = ["Ash Ledger", "Cold Handshake", "Glass Widow", "Brass Hound", "Ink for the Devil", "Devil’s Abacus"]
NAMES += ["Marrow Giant", "Paper Dragon", "Night Freight", "Überkobold"]


@pytest.fixture
def catalogue(db):
    """Every shipped game's cards and lists, each test's own: other processes see what some tests commit."""
    return load_catalogues(NOW)


@pytest.fixture
def root(db):
    return Actor(User.objects.create_user("root", is_staff=True), None, "session")


@pytest.fixture
def card_list(catalogue, root):
    """A draft that bans Ash Ledger."""
    return draft_list(root, ListDraft(*GAME, "Spring list", SOON, {"": {"ash ledger": 0}}), NOW)


def entries(copies: int = 3) -> list[dict[str, object]]:
    """A deck with `copies` of Ash Ledger, legal today whenever there are three."""
    cards = [{"name": name, "count": 3, "section": "main"} for name in NAMES[1:]]
    if copies:
        cards.append({"name": "Ash Ledger", "count": copies, "section": "main"})
    if copies < 3:
        cards.append({"name": "Bog Notary", "count": 3 - copies, "section": "main"})
    return [*cards, {"name": "Winter Without End", "count": 1, "section": "master_plan"}]


def store(owner: Person, *copies: int) -> list[DeckVersion]:
    """Decks of one version each."""
    decks = [Deck(owner=owner, game=GAME[0], format=GAME[1], name=f"D{n}", created_at=NOW) for n in range(len(copies))]
    decks = Deck.objects.bulk_create(decks)
    versions = [
        DeckVersion(deck=deck, number=1, entries=entries(number), digest="", source_text="", created_at=NOW)
        for deck, number in zip(decks, copies, strict=True)
    ]
    return DeckVersion.objects.bulk_create(versions)


def work() -> None:
    """Do in this process what the outbox asks for."""
    for message in OutboxMessage.objects.filter(task=rechecks.TASK, delivered_at=None).order_by("created_at"):
        tasks.recheck_chunk(*message.args)
        OutboxMessage.objects.filter(pk=message.pk).update(delivered_at=NOW)


def check(root: Actor, card_list: CardList) -> Recheck:
    """A re-check from start to end."""
    recheck = start_recheck(root, card_list, NOW)
    work()
    recheck.refresh_from_db()
    return recheck


def test_decks_are_counted_by_what_the_list_does_to_them(card_list, root, ada):
    first, *_others, illegal = store(ada, 3, 0, 1, 3)
    DeckVersion.objects.filter(pk=illegal.pk).update(entries=entries()[:-1])
    freeze_version(first, NOW)
    recheck = check(root, card_list)
    assert (recheck.total, judged_count(recheck), recheck.finished_at is not None) == (4, 4, True)
    (counts,) = counts_of(recheck)
    assert (counts.decks_legal, counts.decks_falling, counts.decks_rising) == (1, 2, 0)
    assert (counts.frozen_legal, counts.frozen_falling, counts.frozen_rising) == (0, 1, 0)


def test_a_list_that_frees_a_card_makes_decks_legal(catalogue, root, ada):
    card_list = draft_list(root, ListDraft(*GAME, "Doomdesk sample list", SOON, {}, _shipped_slug()), NOW)
    (version,) = store(ada, 3)
    cards = entries()
    cards[0] = {"name": "Borrowed Apocalypse", "count": 3, "section": "main"}
    DeckVersion.objects.filter(pk=version.pk).update(entries=cards)
    assert counts_of(check(root, card_list))[0].decks_rising == 1


def _shipped_slug() -> str:
    return CardList.objects.get(game=GAME[0]).slug


def test_newest_and_frozen_versions_are_judged_and_no_others(card_list, root, ada, legal_text):
    def save(text):
        return save_deck_version("x", ada, *GAME, "One", text, NOW)

    first = freeze_version(save(legal_text), NOW)
    save(legal_text.replace("Brass Hound", "Bog Notary"))
    third = save(legal_text.replace("Ash Ledger", "Bog Notary"))
    check(root, card_list)
    assert set(RecheckResult.objects.values_list("version", "legal_after")) == {(first.pk, False), (third.pk, True)}


def test_decks_saved_later_are_not_waited_for(card_list, root, ada):
    recheck = start_recheck(root, card_list, NOW)
    assert recheck.finished_at == NOW
    [later] = store(ada, 3)
    DeckVersion.objects.filter(pk=later.pk).update(created_at=NOW + timedelta(seconds=1))
    assert check(root, card_list).total == 0


def test_decks_taken_off_the_list_are_judged_only_where_frozen(card_list, root, ada):
    gone, relied_on, _kept = store(ada, 3, 3, 3)
    freeze_version(relied_on, NOW)
    Deck.objects.filter(pk__in=[gone.deck_id, relied_on.deck_id]).update(hidden_at=NOW)
    assert check(root, card_list).total == 2


def test_report_and_cure_are_kept_only_of_what_falls(card_list, root, ada):
    falls, stays = store(ada, 3, 0)
    check(root, card_list)
    result = RecheckResult.objects.get(version=falls)
    assert [each["rule"] for each in result.report["violations"]] == ["DP-BANNED"]
    assert {"card": "Ash Ledger", "section": "main", "change": -3} in result.repair
    assert RecheckResult.objects.filter(version=stays, report__isnull=True, repair__isnull=True).exists()


def test_every_variant_has_its_result(catalogue, root, ada):
    deck = Deck.objects.create(owner=ada, game="doomtrooper", format="tournament-1997", name="T", created_at=NOW)
    DeckVersion.objects.create(deck=deck, number=1, entries=[], digest="", source_text="", created_at=NOW)
    limits = {"head-to-head": {"luna": 1}}
    row = draft_list(root, ListDraft("doomtrooper", "tournament-1997", "Spring", SOON, limits), NOW)
    check(root, row)
    assert list(RecheckResult.objects.values_list("variant", flat=True)) == ["head-to-head", "multi-player", "two-team"]


def test_owners_see_falling_decks_from_the_announcement_on(card_list, root, ada, ben):
    version, _stays = store(ada, 3, 0)
    store(ben, 3)
    check(root, card_list)
    assert falling_decks(ada, NOW) == ()
    announce_list(root, card_list, NOW, card_list.digest)
    assert falling_decks(ada, NOW) == ()
    work()
    (falling,) = falling_decks(ada, NOW)
    assert (falling.version, falling.card_list, falling.variant) == (version, card_list, "")
    assert Change("Ash Ledger", "main", -3) in falling.repair
    assert len(falling_decks(Person.objects.all(), NOW)) == 2
    assert falling_decks([ada], NOW + timedelta(days=30)) == ()


def test_a_mended_deck_is_no_longer_falling(card_list, root, ada, legal_text):
    save_deck_version("x", ada, *GAME, "One", legal_text, NOW)
    announce_list(root, card_list, NOW, card_list.digest)
    work()
    assert len(falling_decks(ada, NOW)) == 1
    save_deck_version("x", ada, *GAME, "One", legal_text.replace("Ash Ledger", "Bog Notary"), NOW)
    assert falling_decks(ada, NOW) == ()


def test_judges_see_what_falls_by_the_day_of_the_event(card_list, root, ada):
    version, stays = store(ada, 3, 0)
    announce_list(root, card_list, NOW, card_list.digest)
    work()
    ids = [version.pk, stays.pk]
    assert results_for(ids, SOON - timedelta(days=1), NOW) == {}
    assert list(results_for(ids, SOON, NOW)) == [version.pk]
    assert results_for([stays.pk], SOON, NOW) == {}


def test_answers_take_a_constant_number_of_queries(card_list, root, ada, django_assert_num_queries):
    store(ada, *[3] * 12)
    announce_list(root, card_list, NOW, card_list.digest)
    work()
    with django_assert_num_queries(1):
        assert len(falling_decks(ada, NOW)) == 12
    with django_assert_num_queries(1):
        results_for(range(10_000), SOON, NOW)
    recheck = Recheck.objects.get()
    with django_assert_num_queries(1):
        counts_of(recheck)


def test_a_new_recheck_ends_the_one_that_runs(card_list, root, ada):
    store(ada, 3)
    first = start_recheck(root, card_list, NOW)
    start_recheck(root, card_list, NOW)
    first.refresh_from_db()
    assert first.cancelled_at == NOW
    work()
    assert set(RecheckResult.objects.values_list("recheck", flat=True)) == {first.pk + 1}


def test_a_cancelled_recheck_stores_nothing_more(card_list, root, ada):
    store(ada, 3)
    recheck = cancel_recheck(root, start_recheck(root, card_list, NOW), NOW)
    work()
    assert not recheck.results.exists()
    assert not rechecks.keep_results(recheck, [])
    for act in (cancel_recheck, resume_recheck):
        with pytest.raises(Conflict, match="recheck_over"):
            act(root, recheck, NOW)


def test_going_on_asks_only_for_what_is_open(card_list, root, ada, monkeypatch):
    monkeypatch.setattr(rechecks, "CHUNK", 2)
    versions = store(ada, 3, 3, 3, 3, 3)
    recheck = start_recheck(root, card_list, NOW)
    tasks.recheck_chunk(recheck.pk, versions[0].pk, versions[2].pk)
    OutboxMessage.objects.all().delete()
    resume_recheck(root, recheck, NOW)
    assert [message.args for message in OutboxMessage.objects.all()] == [[recheck.pk, versions[3].pk, versions[4].pk]]
    work()
    recheck.refresh_from_db()
    assert recheck.finished_at is not None


def test_going_on_with_nothing_open_finishes(card_list, root, ada):
    store(ada, 3)
    recheck = check(root, card_list)
    Recheck.objects.update(finished_at=None)
    assert resume_recheck(root, recheck, NOW).finished_at == NOW


def test_a_chunk_may_run_twice_and_of_a_deleted_recheck(card_list, root, ada):
    [version] = store(ada, 3)
    recheck = check(root, card_list)
    Recheck.objects.update(finished_at=None)
    tasks.recheck_chunk(recheck.pk, version.pk, version.pk)
    assert RecheckResult.objects.count() == 1
    tasks.recheck_chunk(10**9, version.pk, version.pk)


def test_messages_and_ledger_hold_ids_only(card_list, root, ada):
    store(ada, 3)
    start_recheck(root, card_list, NOW)
    assert all(isinstance(each, int) for message in OutboxMessage.objects.all() for each in message.args)


@pytest.fixture
def queue(redis_url) -> Iterator[Redis]:
    server = Redis.from_url(redis_url)
    server.flushdb()
    yield server
    server.flushdb()
    server.close()


@contextmanager
def worker_processes(count: int) -> Iterator[list[BaseProcess]]:
    """Real Celery workers on the test database and the real queue."""

    def run() -> None:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        app.worker_main(["--quiet", "worker", "--pool=solo", "--without-gossip", "--without-mingle"])

    with ExitStack() as stack:
        yield [stack.enter_context(forked(run)) for _number in range(count)]


def wait_until(true, seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(true())


def deliver_twice() -> None:
    """Every message in the outbox a second time, right behind itself: a queue delivers at least once."""
    for number, message in enumerate(OutboxMessage.objects.order_by("args")):
        due = message.available_at - timedelta(hours=1) + timedelta(seconds=number)
        OutboxMessage.objects.filter(pk=message.pk).update(available_at=due)
        OutboxMessage.objects.create(task=message.task, args=message.args, created_at=due, available_at=due)


def publish() -> None:
    """What the relay does."""
    while relay_batch(app, Event()):
        pass


@pytest.fixture
def no_key(request):
    """The switch of the control: the unique key of results, dropped for a test."""
    constraint = next(each for each in RecheckResult._meta.constraints if each.name == "one_result_per_version")
    with connection.schema_editor() as editor:
        editor.remove_constraint(RecheckResult, constraint)
    yield
    RecheckResult.objects.all().delete()
    with connection.schema_editor() as editor:
        editor.add_constraint(RecheckResult, constraint)


@pytest.mark.django_db(transaction=True)
def test_results_are_there_once_each_though_a_worker_is_killed(queue, catalogue, root, card_list, monkeypatch):
    """400 decks, every message twice, two workers, one of them killed half-way, then “Go on”."""
    monkeypatch.setattr(rechecks, "CHUNK", 40)
    versions = store(Person.objects.create(name="Ada", created_at=NOW), *[3, 0] * 200)
    recheck = start_recheck(root, card_list, database_now())
    deliver_twice()
    with worker_processes(2) as (first, second):
        publish()
        assert wait_until(lambda: judged_count(recheck) > len(versions) // 8)
        os.kill(first.pid, signal.SIGKILL)
        seen = judged_count(recheck)
        assert seen < len(versions)
        resume_recheck(root, recheck, database_now())
        publish()
        assert wait_until(lambda: Recheck.objects.exclude(finished_at=None).filter(pk=recheck.pk).exists())
        assert second.is_alive()
    assert recheck.results.count() == judged_count(recheck) == recheck.total == 400
    assert counts_of(recheck)[0].decks_falling == 200


def judge_one_chunk_at_once(root, card_list, monkeypatch) -> Recheck:
    """Four processes judge the same chunk before any of them stores it; further decks keep the re-check open."""
    keep, together = tasks.keep_results, FORK.Barrier(4)

    def keep_together(*judged) -> bool:
        together.wait(30)
        return keep(*judged)

    monkeypatch.setattr(tasks, "keep_results", keep_together)
    monkeypatch.setattr(tasks, "BATCH", 100)
    versions = store(Person.objects.create(name="Ada", created_at=NOW), *[3, 0] * 60)
    recheck = start_recheck(root, card_list, database_now())
    answers = race(lambda _number: tasks.recheck_chunk(recheck.pk, versions[0].pk, versions[99].pk), 4)
    assert answers == [None] * 4
    return recheck


@pytest.mark.django_db(transaction=True)
def test_a_chunk_judged_by_several_at_once_counts_once(catalogue, root, card_list, monkeypatch):
    assert judge_one_chunk_at_once(root, card_list, monkeypatch).results.count() == 100


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_without_the_key_a_chunk_counts_several_times(catalogue, root, card_list, monkeypatch, no_key):
    """The control of the test above."""
    assert judge_one_chunk_at_once(root, card_list, monkeypatch).results.count() > 100


def test_what_befalls_one_version_is_asked_in_one_query(card_list, root, ada, django_assert_num_queries):
    [version] = store(ada, 3)
    announce_list(root, card_list, NOW, card_list.digest)
    work()
    with django_assert_num_queries(1):
        assert len(falls_of(version, NOW)) == 1
