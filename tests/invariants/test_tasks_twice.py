"""J2: every task is killed half-way, several times, and then runs twice at once: what it does is there once.

What it ought to do is what it does when it runs once, undisturbed, and is taken back. A new task without a case fails.
"""

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from accounts.identity.services import issue_personal_link
from accounts.models import Person, PushSubscription, User
from accounts.notifications.messages import set_mails
from config.celery import app
from decks.models import RecheckResult
from decks.services.card_lists import ListDraft, draft_list
from decks.services.catalogues import load_catalogues
from decks.services.rechecks import start_recheck
from journal.clock import database_now
from journal.ledger.selectors import head_of
from journal.models import LedgerEntry, OutboxMessage
from scoring.models import SheetTally
from scoring.sheets.services import file_sheet, open_sheet
from tests.decks.test_rechecks import store
from tests.races import forked, race
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tests.tournaments.leagues.test_leagues import played
from tournaments.bundles.copies import busy_key as busy_key_of_copy
from tournaments.core.matches import seats_in_order
from tournaments.forecast.plan_runs import ask_plan_run
from tournaments.forecast.planning import Plan
from tournaments.forecast.services import ask_outlook
from tournaments.models import (
    Entry,
    EventCopy,
    GameRating,
    OutlookChunk,
    OutlookRun,
    PlanChunk,
    ResultReport,
    Seat,
    Tournament,
    Webhook,
)
from tournaments.rehearsals.services import rehearse
from tournaments.room.services.announcements import post_announcement
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.sheets.selectors.sheets import REPORT
from tournaments.sheets.services.filing import file_match_sheet
from tournaments.sheets.services.writing import open_match_sheet
from tournaments.standings.selectors.standings import standings_are_warm, standings_key
from tournaments.tasks import busy_key
from tournaments.webhooks.services import create_webhook

SUMS = {"face_value": 3, "bonus": 1, "catastrophe": 0}


@dataclass(frozen=True)
class Case:
    """What a task is asked for, how what it did is looked up, and what a killed one leaves that ends by itself."""

    args: Sequence[Any]
    effect: Callable[[], object]
    settle: Callable[[], object] = lambda: None


def filled(sheet) -> dict[str, Any]:
    return {"players": [{**player, "sums": SUMS} for player in sheet.players], "options": {}}


def tally_sheet() -> Case:
    sheet = open_sheet(account("olive"), "doomlings", [{"name": "Ada"}, {"name": "Ben"}], {}, NOW)
    revision = file_sheet(account("olive"), sheet, filled(sheet), NOW, handoff=REPORT)
    handed = OutboxMessage.objects.filter(task=REPORT)
    return Case([revision.pk, REPORT], lambda: (list(SheetTally.objects.values_list("tally")), handed.count()))


def report_sheet() -> Case:
    tournament = running(4, game="doomlings", game_format="standard", score_sheets=True)
    match = next_round(tournament).matches.get()
    sheet, seat = open_match_sheet(account("olive"), match, NOW), seats_in_order(match)[0]
    revision = file_match_sheet(account("olive"), match, NOW, seat=seat, content=filled(sheet))
    app.tasks["scoring.tally_sheet"].run(revision.pk, REPORT)
    return Case([revision.pk], lambda: (ResultReport.objects.count(), head_of(tournament.stream).sequence))


def refresh_standings() -> Case:
    tournament = running(4)
    report_all(next_round(tournament))
    keeps_others_off = busy_key(tournament)  # for some seconds, in which readers compute for themselves
    warm, settle = lambda: standings_are_warm(standings_key(tournament)), lambda: cache.delete(keeps_others_off)
    return Case([tournament.pk], warm, settle)


def rated() -> list[tuple[object, ...]]:
    return sorted(GameRating.objects.values_list("person_id", "mu", "sigma"))


def rate_game() -> Case:
    played("Ben", "Cem", accounts=["ada", "dora"])
    return Case(["doom_pile"], rated)


def rate_person() -> Case:
    played("Ben", "Cem", accounts=["ada", "dora"])
    return Case([account("ada").person.pk], rated)


def play_rehearsal() -> Case:
    made = rehearse(account("olive"), event(swiss_rounds=2), 8, 1, NOW)
    entries = Entry.objects.filter(tournament=made)
    return Case([made.pk, head_of(made.stream).sequence], lambda: (head_of(made.stream).sequence, entries.count()))


def simulate_outlook() -> Case:
    tournament = running(8, swiss_rounds=4)
    report_all(next_round(tournament))
    run = ask_outlook(account("olive"), tournament, NOW, 7)
    return Case([run.pk, 0], lambda: list(OutlookChunk.objects.values_list("number", "counts")))


def simulate_plan() -> Case:
    held = event(8)
    run = ask_plan_run(held, Plan(8, 3), 50, 7, NOW)
    return Case([str(run.pk), 0], lambda: list(PlanChunk.objects.values_list("number", "counts")))


def renew_outlook() -> Case:
    tournament = running(8, swiss_rounds=4)
    round_ = next_round(tournament)
    ask_outlook(account("olive"), tournament, NOW, 7)
    report_all(round_)
    return Case([tournament.pk], lambda: list(OutlookRun.objects.values_list("given", flat=True)))


def recheck_chunk() -> Case:
    load_catalogues(NOW)
    root = Actor(User.objects.create_user("root", is_staff=True), None, "session")
    soon = NOW.date() + timedelta(days=30)
    banned = draft_list(root, ListDraft("doom_pile", "standard", "Next", soon, {"": {"ash ledger": 0}}), NOW)
    versions = store(Person.objects.create(name="Ada", created_at=NOW), 3, 0, 1, 3)
    recheck = start_recheck(root, banned, NOW)
    results = RecheckResult.objects.order_by("version_id")
    return Case(
        [recheck.pk, versions[0].pk, versions[-1].pk],
        lambda: list(results.values_list("version_id", "variant", "legal_after")),
    )


def person_to_notify() -> tuple[Person, Seat]:
    """Ada, who wants mails, and her seat in a round that was published just now."""
    tournament, now = running(2), database_now()
    person = entry(tournament, "Ada").members.get().person
    set_mails(person, "ada@example.org", account("ada"), now, wanted=True)
    publish_round(account("olive"), pair_next_round(account("olive"), tournament, now, seed=1), now)
    return person, Seat.objects.get(entry__name="Ada")


def tell_pairings() -> Case:
    _person, seat = person_to_notify()
    return Case([seat.round_id], OutboxMessage.objects.filter(task="tournaments.mail_pairing").count)


def push_pairing() -> Case:
    """To a browser whose address is refused, so that it is forgotten."""
    person, seat = person_to_notify()
    keys = {"p256dh": "", "auth": "", "created_at": NOW}
    browser = PushSubscription.objects.create(person=person, endpoint="https://127.0.0.1/", **keys)
    return Case([browser.pk, seat.pk], PushSubscription.objects.count)


def mail_pairing() -> Case:
    """A mail may go twice, and says the same."""
    person, seat = person_to_notify()
    return Case([person.pk, seat.pk], lambda: {(each.subject, each.body) for each in mail.outbox})


def mail_link() -> Case:
    """As above, with the same link."""
    tournament = event(1)
    Person.objects.filter(name="Ada").update(email="ada@example.org")
    member = entry(tournament, "Ada").members.get()
    issue_personal_link(member.person, account("olive"), database_now(), scope=tournament.stream, seed="seed")
    return Case([member.pk, "seed", "en"], lambda: {(each.subject, each.body) for each in mail.outbox})


def call_webhook() -> Case:
    """Of a chat for which there is no news: nobody is called."""
    tournament = event()
    made = create_webhook(account("olive"), tournament, "discord", "https://127.0.0.1/", [], NOW)
    post_announcement(account("olive"), tournament, "News", NOW)
    hooks, sent = Webhook.objects.filter(pk=made.pk), Webhook.objects.values_list("sent_through", flat=True)
    return Case([made.pk], lambda: sent.get(), lambda: hooks.update(busy_until=None))


def write_copy() -> Case:
    tournament = running(4)
    copied = EventCopy.objects.values_list("acts", flat=True)
    return Case([tournament.pk], lambda: list(copied.all()), lambda: cache.delete(busy_key_of_copy(tournament)))


def write_copies() -> Case:
    return replace(write_copy(), args=[])


def remove_contacts() -> Case:
    tournament = event(1)
    Person.objects.filter(name="Ada").update(email="ada@example.org")
    over = {"state": "finished", "finished_at": NOW - timedelta(days=200), "starts_at": NOW - timedelta(days=200)}
    Tournament.objects.filter(pk=tournament.pk).update(**over)
    logged = LedgerEntry.objects.filter(act="contacts_removed")
    return Case([], lambda: (Person.objects.exclude(email="").count(), logged.count()))


CASES = {
    "tournaments.remove_contacts": remove_contacts,
    "tournaments.write_copy": write_copy,
    "tournaments.write_copies": write_copies,
    "tournaments.call_webhook": call_webhook,
    "tournaments.tell_pairings": tell_pairings,
    "tournaments.push_pairing": push_pairing,
    "tournaments.mail_pairing": mail_pairing,
    "tournaments.mail_link": mail_link,
    "scoring.tally_sheet": tally_sheet,
    "tournaments.report_sheet": report_sheet,
    "tournaments.refresh_standings": refresh_standings,
    "tournaments.rate_game": rate_game,
    "tournaments.rate_person": rate_person,
    "tournaments.play_rehearsal": play_rehearsal,
    "tournaments.renew_outlook": renew_outlook,
    "tournaments.simulate_outlook": simulate_outlook,
    "tournaments.simulate_plan": simulate_plan,
    "decks.recheck_chunk": recheck_chunk,
}


@pytest.fixture(scope="module", autouse=True)
def _tasks() -> None:
    """Every task known, as in a worker."""
    app.loader.import_default_modules()


def test_every_task_has_a_case():
    assert {name for name in app.tasks if not name.startswith(("celery.", "toy.", "trust."))} == set(CASES)


def undisturbed(run: Callable[[], object], case: Case) -> tuple[object, int]:
    """What one run does, taken back again, and how many queries it takes."""
    before = case.effect()
    with transaction.atomic(), CaptureQueriesContext(connection) as caught:
        run()
        effect = case.effect()
        transaction.set_rollback(True)
    cache.clear()
    assert effect != before
    return effect, len(caught)


def killed_at(query: int, run: Callable[[], object]) -> None:
    """Run in a process that is killed before that query."""
    left = [query]

    def count(execute, sql, params, many, context):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    def dying() -> None:
        with connection.execute_wrapper(count):
            run()

    with forked(dying) as process:
        process.join(30)
        assert process.exitcode is not None


@pytest.mark.sampled(3)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", CASES)
def test_task_killed_half_way_and_run_twice_at_once_acts_once(name: str, monkeypatch, settings, tmp_path) -> None:
    settings.COPIES = str(tmp_path)
    monkeypatch.setattr("tournaments.forecast.services.CHUNKS", 2)
    monkeypatch.setattr("tournaments.forecast.services.SAMPLES", 20)
    case = CASES[name]()
    wanted, queries = undisturbed(lambda: app.tasks[name].run(*case.args), case)
    for part in (0.2, 0.6, 0.95):
        killed_at(int(queries * part), lambda: app.tasks[name].run(*case.args))
    case.settle()
    answers = race(lambda number: app.tasks[name].run(*case.args), 2)
    assert answers == [None, None]
    assert case.effect() == wanted
