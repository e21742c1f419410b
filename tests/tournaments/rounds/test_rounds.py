"""Rounds: pairing, publishing, taking back, entering by hand, and the guards in the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, OutboxMessage
from rules_engine.errors import DomainError
from scoring.standings.records import MatchKind
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, score, table
from tournaments.entries.services.attendance import drop_entry
from tournaments.models import (
    AwardedBye,
    Entry,
    Match,
    ResultReport,
    Round,
    Seat,
    SeatResult,
    StoredRoundInput,
    Tournament,
)
from tournaments.pairing.swiss.explain import AWARDED_BYE, Reason, explain_round
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.penalties.services import give_penalty
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.contenders import round_input_of
from tournaments.rounds.services.round_builders import planned_matches
from tournaments.rounds.services.rounds import (
    ManualPairing,
    enter_pairings,
    pair_next_round,
    publish_round,
    withdraw_round,
)
from tournaments.standings.selectors.standings import standing_rows

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_pairing_is_stored_with_all_that_repeats_it():
    tournament = running(9)
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=7)
    again = pair_swiss(round_.stored_input.value)
    assert (round_.engine, round_.input_hash, round_.proved) == (again.engine, again.input_hash, True)
    stored = [
        tuple(match.seats.values_list("entry_id", flat=True)) for match in round_.matches.exclude(table_number=None)
    ]
    assert tuple(stored) == again.pairs
    assert round_.matches.get(kind=Match.Kind.BYE).seats.get().entry_id == again.bye


def test_reasons_tables_and_locks_are_stored_with_the_matches():
    tournament = running(7)
    AwardedBye.objects.create(entry=entry(tournament, "Gus"), round_number=2)
    AwardedBye.objects.create(entry=entry(tournament, "Fay"), round_number=2)
    report_all(next_round(tournament))
    round_ = next_round(tournament, 2)
    given = round_.stored_input.value
    pairing = pair_swiss(given)
    reasons = explain_round(given, pairing)
    at_table = round_.matches.exclude(table_number=None)
    assert [match.table_number for match in at_table] == sorted(pairing.tables)
    stored = {tuple(match.seats.values_list("entry_id", flat=True)): match for match in round_.matches.all()}
    for pair, table_, why in zip(pairing.pairs, pairing.tables, reasons.pairs, strict=True):
        assert (stored[pair].table_number, stored[pair].locked) == (table_, False)
        assert tuple(map(Reason.from_dict, stored[pair].explanation)) == why
    byes = {match.seats.get().entry.name: match.explanation for match in round_.matches.filter(kind=Match.Kind.BYE)}
    assert byes.pop("Gus") == byes.pop("Fay") == [AWARDED_BYE.as_dict()]
    assert list(byes.values()) == [[why.as_dict() for why in reasons.bye]]


def test_locked_pair_is_planned_as_locked():
    given = round_input_of(running(4), 1, 1)
    one, *_others, last = (each.id for each in given.contenders)
    given = replace(given, locked=((one, last),))
    planned = planned_matches(given, pair_swiss(given))
    assert [each.locked for each in planned if set(each.entries) == {one, last}] == [True]
    assert sum(each.locked for each in planned) == 1


def test_round_of_awarded_byes_alone_is_paired():
    tournament = running(3)
    for each in tournament.entries.all():
        AwardedBye.objects.create(entry=each, round_number=1)
    round_ = next_round(tournament)
    assert [match.kind for match in round_.matches.all()] == [Match.Kind.BYE] * 3
    assert {row.standing.match_points for row in standing_rows(tournament)} == {3}


@pytest.mark.parametrize("alone", [1, 4])
def test_every_bye_and_absence_has_its_report_once_published(alone):
    tournament = running(2 + alone, swiss_rounds=4)
    people = list(tournament.entries.all())
    kinds = [MatchKind.BYE, MatchKind.NO_SHOW] * 2
    places = [
        ManualPairing(people[0], people[1]),
        *(ManualPairing(one, None, kind) for one, kind in zip(people[2:], kinds, strict=False)),
    ]
    round_ = enter_pairings(account("olive"), tournament, places, NOW)
    publish_round(account("olive"), round_, NOW)
    for match in round_.matches.exclude(kind=MatchKind.PLAYED):
        report, result = match.accepted_report, match.accepted_report.seat_results.get()
        bye = match.kind == MatchKind.BYE
        assert (match.state, match.version, report.number, report.role) == (Match.State.DONE, 1, 1, "system")
        assert (report.kind, report.games_lost, result.outcome, result.games_won) == (
            ("bye", 0, "win", 2) if bye else ("no_show", 2, "loss", 0)
        )
        assert result.seat == match.seats.get()


@pytest.mark.postgresql
def test_pairing_and_publishing_take_as_many_queries_for_100_as_for_10():
    """On SQLite bulk inserts go in batches of 999 values; there is no other difference."""
    asked = {players: queries_of_a_round(players) for players in (10, 100)}
    assert asked[10] == asked[100]


def queries_of_a_round(players: int) -> tuple[int, int]:
    """Queries of pairing and of publishing a round with byes, after a round that was played."""
    tournament = running(players)
    for each in tournament.entries.all()[: players // 5]:
        AwardedBye.objects.create(entry=each, round_number=2)
    report_all(next_round(tournament))
    with CaptureQueriesContext(connection) as pairing:
        round_ = pair_next_round(account("olive"), tournament, NOW)
    with CaptureQueriesContext(connection) as publishing:
        publish_round(account("olive"), round_, NOW)
    assert round_.matches.filter(kind=Match.Kind.BYE, state=Match.State.DONE).count() >= players // 5
    return len(pairing), len(publishing)


STEPS = {
    "pair": (Round, StoredRoundInput, Match, Seat, LedgerEntry, OutboxMessage),
    "publish": (ResultReport, SeatResult, LedgerEntry, OutboxMessage),
}


@pytest.mark.parametrize(("act", "model"), [(act, model) for act, models in STEPS.items() for model in models])
def test_round_is_wholly_there_or_not_at_all_whatever_step_fails(act, model):
    """The database refuses each of the writes in turn; nothing is left, and the next press succeeds.

    See docs/how-it-works/trust.md#p2.
    """
    tournament = running(5)
    olive = account("olive")
    if act == "publish":
        pair_next_round(olive, tournament, NOW, seed=1)
    before = contents()
    with refusing(model), pytest.raises(DatabaseError, match="refused"):
        press(act, olive, tournament)
    assert contents() == before
    press(act, olive, tournament)
    assert Round.objects.get().state == {"pair": "paired", "publish": "published"}[act]
    assert verify_stream(tournament.stream) == []


def press(act: str, olive: Actor, tournament: Tournament) -> None:
    if act == "pair":
        pair_next_round(olive, tournament, NOW, seed=1)
    else:
        publish_round(olive, Round.objects.get(), NOW)


def contents() -> dict[str, list[tuple]]:
    """Every row that pairing and publishing may write."""
    models = {model for models in STEPS.values() for model in models} | {Tournament}
    return {model.__name__: sorted(map(repr, model.objects.order_by("pk").values())) for model in models}


@contextmanager
def refusing(model: type[Model]) -> Iterator[None]:
    """The database refuses every row for the table of a model."""

    def refuse(execute, sql, params, many, context):
        if sql.startswith(f'INSERT INTO "{model._meta.db_table}"'):
            raise DatabaseError("refused")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


def test_bye_counts_only_from_publishing_on():
    tournament = running(3)
    round_ = pair_next_round(account("olive"), tournament, NOW)
    assert {row.standing.match_points for row in standing_rows(tournament)} == {0}
    publish_round(account("olive"), round_, NOW)
    assert sorted(row.standing.match_points for row in standing_rows(tournament)) == [0, 0, 3]


def test_six_rounds_of_nine_have_no_rematch_and_no_second_bye():
    tournament = running(9, swiss_rounds=6)
    met, byes = set(), []
    for number in range(1, 7):
        round_ = next_round(tournament, number)
        for match in round_.matches.prefetch_related("seats"):
            seats = frozenset(seat.entry_id for seat in match.seats.all())
            byes += list(seats) if len(seats) == 1 else []
            assert len(seats) == 1 or seats not in met
            met.add(seats)
        report_all(round_)
    assert len(byes) == len(set(byes)) == 6


def test_pairing_waits_for_results_and_names_the_tables():
    tournament = running(6)
    round_ = next_round(tournament)
    report_result(account("olive"), table(round_, 2), score(2, 0), NOW)
    with pytest.raises(DomainError) as caught:
        pair_next_round(account("olive"), tournament, NOW)
    assert (caught.value.code, tables_missing(caught.value)) == ("missing_results", [(1, 1), (1, 3)])
    assert Round.objects.count() == 1


def tables_missing(error: DomainError) -> list[tuple[int, int]]:
    """Round and table of each match that a refusal names."""
    return [(each["round"], each["table"]) for each in error.details["missing"]]


def test_unpublished_round_must_be_published_first():
    tournament = running(4)
    pair_next_round(account("olive"), tournament, NOW)
    with pytest.raises(DomainError) as caught:
        pair_next_round(account("olive"), tournament, NOW)
    assert caught.value.code == "not_published"


def test_second_press_is_shown_the_round_that_exists():
    tournament = running(4)
    pair_next_round(account("olive"), tournament, NOW, after=0)
    with pytest.raises(DomainError) as caught:
        pair_next_round(account("olive"), tournament, NOW, after=0)
    assert (caught.value.code, caught.value.details["round"]) == ("already_paired", 1)


@pytest.mark.parametrize(("paired", "after"), [(0, 3), (1, 2)])
def test_a_round_after_one_that_is_not_paired_is_refused(paired, after):
    tournament = running(4)
    if paired:
        report_all(next_round(tournament))
    with pytest.raises(DomainError) as caught:
        pair_next_round(account("olive"), tournament, NOW, after=after)
    assert (caught.value.code, caught.value.details["round"]) == ("not_paired_yet", paired + 1)
    assert caught.value.message == f"Pair round {paired + 1} before round {after + 1}."


def test_no_round_beyond_the_last():
    tournament = running(4, swiss_rounds=1)
    report_all(next_round(tournament))
    with pytest.raises(DomainError) as caught:
        pair_next_round(account("olive"), tournament, NOW)
    assert caught.value.code == "no_rounds_left"


def test_event_that_does_not_run_is_not_paired():
    with pytest.raises(DomainError) as caught:
        pair_next_round(account("olive"), event(4), NOW)
    assert caught.value.code == "wrong_state"


def test_publishing_twice_is_refused():
    round_ = next_round(running(4))
    with pytest.raises(DomainError) as caught:
        publish_round(account("olive"), round_, NOW)
    assert caught.value.code == "published_already"


def test_withdrawn_round_is_kept_and_paired_again():
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    first = next_round(tournament, 2)
    with pytest.raises(DomainError, match="reason"):
        withdraw_round(account("olive"), first, "", NOW)
    withdraw_round(account("olive"), first, "Dora went home", NOW)
    assert Round.objects.get(number=1).state == Round.State.PUBLISHED
    drop_entry(account("olive"), entry(tournament, "Dora"), NOW)
    second = next_round(tournament, 3)
    assert (second.number, second.version) == (2, 2)
    assert Round.objects.filter(number=2).count() == 2
    assert verify_stream(tournament.stream) == []


def test_round_with_results_is_not_taken_back():
    round_ = next_round(running(4))
    report_result(account("olive"), table(round_), score(2, 0), NOW)
    with pytest.raises(DomainError) as caught:
        withdraw_round(account("olive"), round_, "oops", NOW)
    assert caught.value.code == "results_came_in"


def test_a_loss_that_publishing_stored_itself_is_no_result_that_came_in(client):
    tournament, olive, later = running(6, swiss_rounds=3, also_judge=True), account("olive"), NOW + timedelta(minutes=1)
    round_ = pair_next_round(olive, tournament, NOW)
    out = table(round_).seats.first().entry
    give_penalty(olive, out, "disqualification", "Cheating", NOW)
    publish_round(olive, round_, later)
    assert table(round_).state == Match.State.DONE
    client.force_login(olive.user)
    assert f"/rounds/{round_.pk}/take-back/" in client.get(f"/e/{tournament.slug}/manage/rounds/").content.decode()
    withdraw_round(olive, round_, "pair without the disqualified", later)
    again = next_round(tournament)
    assert again.matches.filter(kind="played").count() == 2
    assert not Seat.objects.filter(round=again, entry=out).exists()
    assert verify_stream(tournament.stream) == []


def manual(tournament, *places):
    return [
        ManualPairing(
            entry(tournament, one),
            entry(tournament, other) if other else None,
            MatchKind.PLAYED if other else kind or MatchKind.BYE,
        )
        for one, other, kind in places
    ]


def test_pairings_entered_by_hand_may_hold_several_byes():
    tournament = running(4)
    places = [("Ada", "Ben", None), ("Cem", None, MatchKind.BYE), ("Dora", None, MatchKind.NO_SHOW)]
    round_ = publish_round(
        account("olive"), enter_pairings(account("olive"), tournament, manual(tournament, *places), NOW), NOW
    )
    points = {row.entry.name: row.standing.match_points for row in standing_rows(tournament)}
    assert points == {"Ada": 0, "Ben": 0, "Cem": 3, "Dora": 0}
    assert round_.matches.filter(state=Match.State.OPEN).count() == 1


@pytest.mark.parametrize(
    "places",
    [
        [("Ada", "Ben", None)],
        [("Ada", "Ben", None), ("Cem", "Ada", None), ("Dora", None, None)],
        [("Ada", "Ada", None), ("Ben", "Cem", None), ("Dora", None, None)],
    ],
)
def test_pairings_by_hand_need_everybody_exactly_once(places):
    tournament = running(4)
    with pytest.raises(DomainError) as caught:
        enter_pairings(account("olive"), tournament, manual(tournament, *places), NOW)
    assert caught.value.code == "bad_pairing"
    assert not Round.objects.exists()


def test_pairings_by_hand_refuse_who_dropped():
    tournament = running(5)
    drop_entry(account("olive"), entry(tournament, "Emil"), NOW)
    with pytest.raises(DomainError) as caught:
        enter_pairings(
            account("olive"),
            tournament,
            manual(tournament, ("Ada", "Ben", None), ("Cem", "Dora", None), ("Emil", None, None)),
            NOW,
        )
    assert caught.value.code == "not_playing"


@pytest.mark.parametrize("breach", ["round", "member", "table", "done_without_report", "dropped_without_round"])
def test_database_itself_refuses_what_the_services_never_write(breach):
    tournament = running(4)
    round_ = next_round(tournament)
    first, second = round_.matches.all()
    acts = {
        "round": lambda: Round.objects.create(stage=round_.stage, number=1, version=9, engine="x", paired_at=NOW),
        "member": lambda: Seat.objects.create(
            round=round_, match=second, order=3, entry=first.seats.all()[0].entry, member=first.seats.all()[0].member
        ),
        "table": lambda: Match.objects.filter(pk=second.pk).update(table_number=first.table_number),
        "done_without_report": lambda: Match.objects.filter(pk=first.pk).update(state="done"),
        "dropped_without_round": lambda: Entry.objects.filter(tournament=tournament).update(state="dropped"),
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        acts[breach]()
    assert Tournament.objects.filter(pk=tournament.pk).exists()
