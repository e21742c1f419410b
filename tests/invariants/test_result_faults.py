"""R1, R2, V2: results while web, workers, relay, broker and PostgreSQL are killed: what was acknowledged is kept, once.

See docs/how-it-works/trust.md#r1. Real processes on a durable PostgreSQL of their own, or as on a laptop. Programs
report and correct by API and hang up on some answers, and a webhook is called by workers that die. The controls: a
site that forgets what it acknowledged, one that knows no repeats, and a worker that does not wait for its database.
"""

import random
import time

import pytest

from tests.invariants.fault_databases import PATIENCE, Server
from tests.invariants.fault_site import (
    UNDONE,
    Deaths,
    HarderNemesis,
    Stage,
    all_changes,
    check,
    good,
    harmed,
    play,
    shown_matches,
    site_with_event,
)
from tests.invariants.processes import wait_until
from tests.progress import TRIED
from tests.tournaments.webhooks.receiver import STALL, Receiver, listening

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]
GIVEN_BACK = f"{UNDONE} AND task = 'tournaments.call_webhook' AND starts = 0 AND last_error <> ''"


def call_a_webhook(stage: Stage, receiver: Receiver) -> None:
    """Have the receiver called with all that becomes public from now on.

    Without a key the program waits for the answer: a request that it gave up may still be done after the next one,
    and then the secret that it knows is not the last.
    """
    receiver.secret = good(stage.press("webhooks/", {"url": receiver.url, "kind": "signed"}, ""))["secret"]
    receiver.last = all_changes(stage)[-1]["sequence"]


def check_receiver(stage: Stage, receiver: Receiver, before: int) -> None:
    """The webhook brought every result and every round since it was made, in order and once."""
    brought = [(each["sequence"], each["act"]) for each in receiver.seen]
    assert brought == sorted(set(brought))
    assert not receiver.missed
    told = [(each["sequence"], each["act"]) for each in all_changes(stage)]
    public = [
        each for each in told if each[0] > before and (each[1].startswith("result.") or each[1] == "round.published")
    ]
    assert [each for each in brought if each in set(public)] == public


def test_no_kill_loses_or_doubles_an_acknowledged_result(seed, many, record_property):
    strikes, rounds, acts = many((250, 8, 470), (len(HarderNemesis.kinds), 3, 4))
    with site_with_event(random.Random(seed)) as stage, listening(Receiver()) as receiver:
        assert isinstance(stage.database, Server)
        call_a_webhook(stage, receiver)
        before, nemesis = receiver.last, HarderNemesis(stage.site, random.Random(seed + 1), stage.database)
        with harmed(nemesis, strikes):
            reporters = play(stage, rounds, acts, seed)
        check(stage, reporters, rounds)
        check_receiver(stage, receiver, before)
        told = sum(each.acts for each in reporters.told.values())
        record_property(TRIED, f"{strikes} faults, {told} acts acknowledged")
        print(f"seed {seed}: {nemesis.done}, {told} acts acknowledged, answers {dict(stage.api.statuses)}")


def test_a_laptop_that_dies_keeps_what_it_acknowledged(seed, many, record_property):
    strikes, rounds, acts = many((60, 6, 60), (3, 2, 3))
    with site_with_event(random.Random(seed), laptop=True) as stage:
        nemesis = Deaths(stage.site, random.Random(seed + 1))
        with harmed(nemesis, strikes):
            reporters = play(stage, rounds, acts, seed)
        check(stage, reporters, rounds)
        record_property(TRIED, f"{strikes} deaths")
        print(f"seed {seed}: {nemesis.done}, answers {dict(stage.api.statuses)}")


@pytest.mark.parametrize("control", ["forgets", "no_keys"])
def test_control_without_its_guard_the_harness_sees_it(control, seed):
    with site_with_event(random.Random(seed), control) as stage:
        reporters = play(stage, 1, 6, seed)
        assert reporters.missing(shown_matches(stage, 1)) or reporters.refused or reporters.different


@pytest.mark.parametrize("control", ["", "no_patience"])
def test_a_database_that_goes_away_in_the_middle_of_work_is_no_death_of_a_worker(control, seed):
    """The control: a worker that does not wait for the database leaves its work begun, as the dead do."""
    controls = [control] if control else []
    with site_with_event(random.Random(seed), *controls, patience=90) as stage, listening(Receiver()) as receiver:
        assert isinstance(stage.database, Server)
        call_a_webhook(stage, receiver)
        receiver.moods = ["stall"]
        good(stage.press("rounds/", {"after": 0}, "pair"))
        good(stage.press("rounds/1/publish/", {}, "publish"))
        assert wait_until(lambda: receiver.calls, PATIENCE)
        stage.database.end()
        time.sleep(STALL)
        stage.database.begin()
        assert wait_until(stage.database.answers, PATIENCE)
        assert wait_until(lambda: stage.database.rows(GIVEN_BACK), 10) == (not control)
        assert control or wait_until(lambda: not stage.database.rows(UNDONE), PATIENCE)
        assert control or receiver.last == all_changes(stage)[-1]["sequence"]
