"""Rounds computed again: equal in any process, changes by hand told apart, every tampering found.

See docs/how-it-works/trust.md#p3.
"""

import io
import json
import os
import subprocess
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from launch.database import manage
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.services.events import start_tournament
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round, undo_change
from tournaments.models import AwardedBye, KeptApart, Match, PairingChange, Round, Seat, StoredRoundInput, Tournament
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.pairing.swiss.contenders import ENGINE, Apart, Finish, PairingPolicy, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.rounds.selectors.recomputed import Fault, Verdict, recompute_round, recompute_rounds
from tournaments.rounds.services.rounds import (
    ManualPairing,
    enter_pairings,
    pair_next_round,
    publish_round,
    withdraw_round,
)

db = pytest.mark.django_db
pytestmark = [pytest.mark.sqlite]


def eventful(players: int = 23) -> Tournament:
    """Four rounds with clubs, a fixed table, an awarded bye, two kept apart, a drop and a version taken back."""
    tournament = event(players, swiss_rounds=4)
    rules = PairingPolicy(clubs=Apart.SOFT, finish=Finish.FEWEST_FLOATS, last_finish=Finish.STANDINGS)
    Tournament.objects.filter(pk=tournament.pk).update(pairing=rules.as_dict())
    people = list(tournament.entries.all())
    for number, each in enumerate(people):
        each.club, each.fixed_table = ("Red", "Blue", "")[number % 3], 5 if number == 4 else None
        each.save()
    AwardedBye.objects.create(entry=people[7], round_number=2)
    KeptApart.objects.create(one=people[0], other=people[1])
    tournament = start_tournament(account("olive"), Tournament.objects.get(pk=tournament.pk), NOW)
    for number in range(1, 5):
        round_ = next_round(tournament, number)
        if number == 3:
            withdraw_round(account("olive"), round_, "somebody left", NOW)
            drop_entry(account("olive"), people[3], NOW)
            round_ = next_round(tournament, 9)
        report_all(round_)
    return tournament


def change(
    round_: Round, before: list[tuple], after: list[tuple], kind: str = "swap", **origin: object
) -> PairingChange:
    """A change by hand as it is stored: tables (number or None) with their seats in order."""

    def told(seatings: list[tuple]) -> dict[str, Any]:
        return {"seatings": [{"number": number, "seats": list(seats)} for number, *seats in seatings]}

    number = round_.changes.count() + 1
    return PairingChange.objects.create(
        round=round_, number=number, kind=kind, before=told(before), after=told(after) | origin, reason="a swap",
        actor="system", made_at=NOW,
    )  # fmt: skip


def swap_seats(round_: Round) -> tuple[tuple, tuple]:
    """Turn the seats of the first table behind the engine's back; what it was, and what it is."""
    match = round_.matches.filter(table_number__isnull=False).first()
    one, other = match.seats.order_by("order")
    Seat.objects.filter(pk=one.pk).update(order=9)
    Seat.objects.filter(pk=other.pk).update(order=1)
    Seat.objects.filter(pk=one.pk).update(order=2)
    return (match.table_number, one.entry_id, other.entry_id), (match.table_number, other.entry_id, one.entry_id)


@db
def test_every_round_of_an_event_comes_out_the_same():
    found = list(recompute_rounds(eventful()))
    assert [(each.round.number, each.round.version, each.verdict) for each in found] == [
        (number, version, Verdict.SAME) for number, version in ((1, 1), (2, 1), (3, 1), (3, 2), (4, 1))
    ]
    assert not any(each.faults or each.computed or each.stored for each in found)


@db
def test_round_by_hand_has_nothing_to_compute():
    tournament = running(2)
    ada, ben = tournament.entries.all()
    round_ = enter_pairings(account("olive"), tournament, [ManualPairing(ada, ben)], NOW)
    assert recompute_round(round_).verdict is Verdict.BY_HAND


@db
def test_changes_by_hand_are_told_apart_from_differences():
    round_ = pair_next_round(account("olive"), running(6), NOW, seed=1)
    was, is_ = swap_seats(round_)
    plain = recompute_round(round_)
    assert (plain.verdict, plain.faults) == (Verdict.DIFFERENT, (Fault.PLACES,))
    assert (plain.computed, plain.stored) == ({was}, {is_})
    change(round_, [was], [is_])
    found = recompute_round(round_)
    assert (found.verdict, found.changes) == (Verdict.SAME, 1)
    assert swap_seats(round_) == (is_, was)
    assert recompute_round(round_).faults == (Fault.PLACES,)
    change(round_, [is_], [was], kind="undo")
    assert (recompute_round(round_).verdict, recompute_round(round_).changes) == (Verdict.SAME, 2)


@db
def test_tables_that_staff_had_paired_again_are_computed_again_too():
    round_ = pair_next_round(account("olive"), running(6), NOW, seed=1)
    given = round_.stored_input.value
    paired = pair_swiss(given)
    repair = change(
        round_, [], [], "repair", given=given.as_dict(), engine=ENGINE, seed=1, input_hash=paired.input_hash
    )
    assert recompute_round(round_).verdict is Verdict.SAME
    forged = {**repair.after, "input_hash": "0" * 64}
    change(round_, [], [], "repair", **{name: forged[name] for name in ("given", "engine", "seed", "input_hash")})
    assert recompute_round(round_).faults == (Fault.REPAIR,)


@db
@pytest.mark.parametrize("published", [False, True])
def test_changes_as_staff_make_them_are_told_apart(published):
    olive = account("olive")
    round_ = pair_next_round(olive, running(8), NOW, seed=1)
    round_ = publish_round(olive, round_, NOW) if published else round_
    one, other = (match.seats.all()[0].entry_id for match in round_.matches.all()[:2])
    for act in (Change(Act.SWAP, (one, other)), Change(Act.LOCK, table=1), Change(Act.PAIR_REST, seed=9)):
        seen = seen_mark(round_, round_draft_of(round_))
        change_round(olive, round_, act, "as the judge said", NOW, seen=seen)
    undo_change(olive, round_, "no", NOW, seen=seen_mark(round_, round_draft_of(round_)))
    (found,) = recompute_rounds(round_.stage.tournament)
    assert (found.verdict, found.faults, found.changes) == (Verdict.SAME, (), 4)


TAMPERINGS = {
    "input": lambda round_: StoredRoundInput.objects.filter(round=round_).update(given=without_one(round_)),
    "hash": lambda round_: Round.objects.filter(pk=round_.pk).update(pairing_hash="0" * 64),
    "table": lambda round_: Match.objects.filter(round=round_, table_number=1).update(table_number=99),
    "cost": lambda round_: Round.objects.filter(pk=round_.pk).update(cost={**round_.cost, "rematches": 1}),
    "proof": lambda round_: Round.objects.filter(pk=round_.pk).update(proved=not round_.proved),
    "no input": lambda round_: StoredRoundInput.objects.filter(round=round_).delete(),
    "no seed": lambda round_: Round.objects.filter(pk=round_.pk).update(seed=None),
}
FAULTS = {
    "input": (Fault.INPUT, Fault.PAIRING, Fault.PLACES),
    "hash": (Fault.PAIRING,),
    "table": (Fault.PLACES,),
    "cost": (Fault.CERTIFICATE,),
    "proof": (Fault.CERTIFICATE,),
    "no input": (Fault.INPUT,),
    "no seed": (Fault.INPUT,),
}


def without_one(round_: Round) -> dict[str, Any]:
    given = round_.stored_input.given
    return {**given, "contenders": given["contenders"][:-2]}


@db
@pytest.mark.parametrize("what", TAMPERINGS)
def test_every_tampering_is_found_and_named(what):
    round_ = pair_next_round(account("olive"), running(8), NOW, seed=1)
    TAMPERINGS[what](round_)
    found = recompute_round(Round.objects.get())
    assert found.verdict is Verdict.DIFFERENT
    assert set(FAULTS[what]) <= set(found.faults)
    assert what == "input" or found.faults == FAULTS[what]


@db
def test_round_of_another_engine_is_said_to_be_just_that():
    round_ = pair_next_round(account("olive"), running(4), NOW, seed=1)
    Round.objects.update(engine="older/1")
    assert recompute_round(Round.objects.get()).verdict is Verdict.OTHER_ENGINE
    swap_seats(round_)
    assert recompute_round(Round.objects.get()).faults == (Fault.PLACES,)
    Round.objects.update(pairing_hash="")
    assert recompute_round(Round.objects.get()).verdict is Verdict.OTHER_ENGINE


def verify(*arguments: str) -> str:
    out = io.StringIO()
    call_command("verify_pairings", *arguments, stdout=out)
    return out.getvalue()


@db
def test_command_tells_every_round_and_ends_well_while_all_agree():
    tournament = eventful(9)
    lines = verify(tournament.slug).splitlines()
    assert len(lines) == 6
    assert lines[-1] == "5 same"
    assert "computed again, the same" in lines[0]
    assert len(verify("--all").splitlines()) == 6
    Round.objects.filter(number=1).update(engine="older/1")
    assert f"paired by engine older/1, this is {ENGINE}: cannot be repeated here" in verify(tournament.slug)


@db
def test_command_ends_with_1_where_a_round_differs_and_names_the_entries():
    tournament = running(4)
    was, is_ = swap_seats(pair_next_round(account("olive"), tournament, NOW, seed=1))
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("verify_pairings", tournament.slug, "--json", stdout=out)
    assert caught.value.returncode == 1
    (told,) = json.loads(out.getvalue())
    numbers = {each.pk: each.number for each in tournament.entries.all()}
    assert (told["verdict"], told["faults"]) == ("different", ["places"])
    assert told["computed"] == [[was[0], *(numbers[seat] for seat in was[1:])]]
    assert told["stored"] == [[is_[0], *(numbers[seat] for seat in is_[1:])]]


@db
def test_command_refuses_an_event_that_does_not_exist():
    with pytest.raises(CommandError) as caught:
        verify("nothing")
    assert caught.value.returncode == 2
    assert verify("--all").strip() == "no rounds"


@pytest.mark.django_db(transaction=True)
def test_fresh_processes_with_other_hash_seeds_give_the_same_bytes():
    """docs/how-it-works/trust.md#p3, on each database; the digests cover input, pairing, tables, seats and byes."""
    tournament = eventful()
    told = {seed: in_a_fresh_process(tournament.slug, seed) for seed in ("0", "4711")}
    assert told["0"] == told["4711"] == verify(tournament.slug, "--json").encode()
    assert [each["verdict"] for each in json.loads(told["0"])] == ["same"] * 5


def in_a_fresh_process(slug: str, hash_seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "DATABASE_URL": address_of_the_test_database()}
    done = subprocess.run(
        manage("verify_pairings", slug, "--json"), env=environment, check=True, capture_output=True, timeout=60
    )
    return done.stdout


def address_of_the_test_database() -> str:
    name = connection.settings_dict["NAME"]
    server, _slash, _name = os.environ.get("DATABASE_URL", "").rpartition("/")
    return f"sqlite:///{name}" if connection.vendor == "sqlite" else f"{server}/{name}"


def test_input_reads_back_as_it_was_written():
    given = RoundInput.from_dict({"contenders": [{"id": 3, "score": 1}], "policy": {}, "seed": 2, "locked": [[3, 4]]})
    assert RoundInput.from_dict(json.loads(json.dumps(given.as_dict()))) == given
