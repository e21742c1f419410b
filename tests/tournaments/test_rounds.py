"""Rounds: pairing, publishing, taking back, entering by hand, and the guards in the database."""

import pytest
from django.db import IntegrityError, transaction

from journal.selectors import verify_stream
from rules_engine.errors import DomainError
from scoring.records import MatchKind
from tests.tournaments.cast import NOW, account, entry, event, next_round, report_all, running, score, table
from tournaments.models import Entry, Match, Round, Seat, Tournament
from tournaments.pairing.swiss import pair_swiss
from tournaments.selectors.standings import standing_rows
from tournaments.services.entries import drop_entry
from tournaments.services.results import report_result
from tournaments.services.rounds import (
    ManualPairing,
    enter_pairings,
    pair_next_round,
    publish_round,
    withdraw_round,
)

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
    assert (caught.value.code, caught.value.details["tables"]) == ("missing_results", [1, 3])
    assert Round.objects.count() == 1


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
