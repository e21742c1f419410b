"""Rounds changed by hand: what is stored, what is refused, and that nothing comes to other players with a table."""

import random

import pytest
from django.db import IntegrityError, transaction

from decks.services.catalogues import load_catalogues
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from rules_engine.systems import get_system
from scoring.standings.records import MatchKind
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, score, table
from tournaments.decks.selectors.deck_view import deck_view
from tournaments.decks.services.deck_ready import mark_deck_ready
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.manual_pairing.selectors import (
    SHELF,
    last_change,
    meetings_of,
    round_draft_of,
    seatings_in,
    seen_mark,
    unplaced_entries,
)
from tournaments.manual_pairing.services import change_round, look_at_change, look_at_undo, undo_change
from tournaments.models import Entry, KeptApart, Match, PairingChange, ResultReport, Round, Seat, Tournament
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.recomputed import recompute_round
from tournaments.rounds.selectors.round_list import round_lines
from tournaments.rounds.services.rounds import (
    ManualPairing,
    enter_pairings,
    pair_next_round,
    publish_round,
    withdraw_round,
)
from tournaments.standings.selectors.standings import standing_rows

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def paired(players=5, **changes):
    """Round 1 of Olive's event, not published."""
    return pair_next_round(account("olive"), running(players, **changes), NOW, seed=1)


def act(round_, change, reason="asked by the judge", seen=None):
    """Olive changes the round as it stands."""
    return change_round(account("olive"), round_, change, reason, NOW, seen=seen or mark(round_))


def undo(round_):
    return undo_change(account("olive"), round_, "by mistake", NOW, seen=mark(round_))


def mark(round_):
    round_.refresh_from_db()
    return seen_mark(round_, round_draft_of(round_))


def tables(round_):
    """Names by table; those alone under their own name."""
    found = {}
    for match in round_.matches.prefetch_related("seats__entry"):
        names = tuple(seat.entry.name for seat in sorted(match.seats.all(), key=lambda seat: seat.order))
        found[match.table_number or names[0]] = names
    return found


def one(round_, number=1, seat=0):
    """The id of who sits at a table."""
    return round_draft_of(round_).table(number).seats[seat]


def late(round_, name="Late Lou"):
    return register_walk_ins(account("olive"), round_.stage.tournament, [EntryDraft(name)], NOW)[0]


def points(round_):
    return {row.entry.name: row.standing.match_points for row in standing_rows(round_.stage.tournament)}


def test_swap_is_stored_with_places_costs_reason_and_ledger_entry():
    round_ = paired()
    before = tables(round_)
    change = act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))
    after = tables(round_)
    assert after[1] == (before[2][0], before[1][1])
    assert after[2] == (before[1][0], before[2][1])
    assert (change.number, change.kind, change.reason, change.actor_label) == (1, "swap", "asked by the judge", "olive")
    assert [each.number for each in seatings_in(change.before)] == [1, 2]
    assert change.cost_before["unplaced"] == change.cost_after["unplaced"] == 0
    logged = LedgerEntry.objects.get(stream=round_.stage.tournament.stream, act="round.swap")
    assert (logged.subjects["tables"], logged.subjects["published"], logged.role) == ("1, 2", 0, "organiser")
    assert [value.value for value in logged.personal_values.all()] == ["asked by the judge"]
    assert verify_stream(round_.stage.tournament.stream) == []


def test_change_is_undone_to_the_very_places_one_after_another():
    round_ = paired(9)
    start, explained = tables(round_), list(round_.matches.values_list("table_number", "explanation"))
    round_.refresh_from_db()
    cost = (round_.cost, round_.bound, round_.proved)
    act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))
    middle = tables(round_)
    act(round_, Change(Act.BYE, (one(round_, 3),)))
    assert undo(round_).undoes.number == 2
    assert tables(round_) == middle
    assert undo(round_).undoes.number == 1
    assert tables(round_) == start
    assert list(round_.matches.values_list("table_number", "explanation")) == explained
    round_.refresh_from_db()
    assert (round_.cost, round_.bound, round_.proved) == cost
    assert refusal(undo, round_) == "nothing_to_undo"
    assert [change.kind for change in round_.changes.all()] == ["swap", "bye", "undo", "undo"]


def test_round_tells_the_cost_of_what_stands():
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=1)
    assert (round_.cost["rematches"], round_.proved) == (0, True)
    (first, _other), (third, _fourth) = (each.seats for each in round_draft_of(round_).seatings)
    met = next(each for each in (one(round_, 2, 0), one(round_, 2, 1)) if meets(round_, one(round_, 1), each))
    stays = next(each for each in round_draft_of(round_).table(1).seats if each != one(round_, 1))
    preview = look_at_change(round_, Change(Act.SWAP, (stays, met)))
    assert preview.bill_after.cost.rematches == 2
    assert preview.best.cost.rematches == preview.bill_now.cost.rematches == 0
    assert [each.rounds for each in meetings_of(round_, preview.after.seatings)] == [(1,), (1,)]
    change = act(round_, Change(Act.SWAP, (stays, met)))
    round_.refresh_from_db()
    assert (round_.cost["rematches"], round_.bound["rematches"], round_.proved) == (2, 0, False)
    assert (change.cost_before["rematches"], change.cost_after["rematches"]) == (0, 2)
    assert {first, third} < round_draft_of(round_).ids


def meets(round_, one_id, other_id):
    seats = Seat.objects.filter(round__number=1, round__stage=round_.stage)
    return seats.get(entry=one_id).match_id == seats.get(entry=other_id).match_id


def test_look_changes_nothing():
    round_ = paired()
    before = tables(round_), mark(round_)
    look_at_change(round_, Change(Act.PAIR_REST, seed=5))
    look_at_change(round_, Change(Act.BREAK, table=1))
    assert (tables(round_), mark(round_)) == before
    assert not PairingChange.objects.exists()


def test_reason_is_needed():
    round_ = paired()
    assert refusal(act, round_, Change(Act.BREAK, table=1), "  ") == "reason_needed"
    assert not PairingChange.objects.exists()


@pytest.mark.parametrize("meanwhile", ["changed", "published", "late", "dropped"])
def test_what_was_seen_before_the_round_moved_is_refused(meanwhile):
    round_ = paired(6)
    seen = mark(round_)
    {
        "changed": lambda: act(round_, Change(Act.LOCK, table=3)),
        "published": lambda: publish_round(account("olive"), round_, NOW),
        "late": lambda: late(round_),
        "dropped": lambda: drop_entry(account("olive"), entry(round_.stage.tournament, "Ada"), NOW),
    }[meanwhile]()
    before = tables(round_)
    assert refusal(act, round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))), seen=seen) == "pairings_changed"
    assert tables(round_) == before


def test_undone_places_do_not_look_like_the_ones_before():
    round_ = paired()
    seen = mark(round_)
    act(round_, Change(Act.LOCK, table=1))
    undo(round_)
    assert mark(round_) != seen


def test_round_is_not_published_while_somebody_has_no_place():
    round_ = paired(4)
    lou = late(round_)
    assert unplaced_entries(round_) == [lou]
    with pytest.raises(DomainError, match=r"Late Lou \(#5\)") as caught:
        publish_round(account("olive"), round_, NOW)
    assert (caught.value.code, caught.value.details["entries"]) == ("unplaced", [lou.number])
    act(round_, Change(Act.BYE, (lou.pk,)))
    publish_round(account("olive"), round_, NOW)
    assert points(round_)["Late Lou"] == 3


def test_late_entry_is_paired_with_the_bye():
    round_ = paired(5)
    lou = late(round_)
    (bye,) = round_draft_of(round_).byes
    preview = look_at_change(round_, Change(Act.MAKE, (lou.pk, bye)))
    assert (preview.bill_now.unplaced, preview.bill_after.unplaced) == (1, 0)
    assert preview.bill_after.cost == preview.best.cost
    act(round_, Change(Act.MAKE, (lou.pk, bye)))
    publish_round(account("olive"), round_, NOW)
    assert not round_.matches.exclude(kind=Match.Kind.PLAYED).exists()
    assert round_draft_of(round_).table(3).seats == (lou.pk, bye)


def test_late_entry_gets_the_bye_of_a_published_round_and_the_points_move():
    """The report of the first bye is never deleted: it stays with its table, in a version that counts no more."""
    round_ = next_round(running(5))
    (bye,) = round_draft_of(round_).byes
    name = Entry.objects.get(pk=bye).name
    assert points(round_)[name] == 3
    lou = late(round_)
    act(round_, Change(Act.MAKE, (lou.pk, bye)))
    assert points(round_)[name] == 0
    act(round_, Change(Act.BREAK, table=3))
    act(round_, Change(Act.BYE, (lou.pk,)))
    assert (points(round_)[name], points(round_)["Late Lou"]) == (0, 3)
    assert [each.pk for each in unplaced_entries(round_)] == [bye]
    undo(round_), undo(round_), undo(round_)
    assert (points(round_)[name], points(round_)["Late Lou"]) == (3, 0)
    assert round_draft_of(round_).byes == (bye,)
    assert ResultReport.objects.filter(kind="bye").count() == 3
    assert Round.objects.filter(engine=SHELF).exclude(superseded_at=None).count() == 4
    assert len(round_lines(round_.stage.tournament)) == 1
    logged = LedgerEntry.objects.filter(
        stream=round_.stage.tournament.stream, act__startswith="round.", act="round.bye"
    )
    assert logged.get().subjects["published"] == 1


def test_pairing_again_leaves_locked_and_begun_tables_and_places_everybody():
    round_ = next_round(running(11))
    late(round_)
    begun, locked = tables(round_)[2], tables(round_)[4]
    report_result(account("olive"), table(round_, 2), score(2, 0), NOW)
    act(round_, Change(Act.LOCK, table=4))
    change = act(round_, Change(Act.PAIR_REST, seed=77))
    now = tables(round_)
    assert (now[2], now[4]) == (begun, locked)
    assert sorted(now) == [1, 2, 3, 4, 5, 6]
    assert "Late Lou" in {name for names in now.values() for name in names}
    assert (change.after["seed"], change.after["given"]["seed"]) == (77, 77)
    assert len(change.after["given"]["locked"]) == 2
    assert LedgerEntry.objects.get(act="round.repair").subjects["seed"] == 77
    assert table(round_, 4).locked


@pytest.mark.parametrize(
    "change",
    [
        lambda ids: Change(Act.SWAP, (ids[0], ids[1])),
        lambda ids: Change(Act.SEATS, table=1),
        lambda ids: Change(Act.BREAK, table=1),
        lambda ids: Change(Act.BYE, (ids[0],)),
        lambda ids: Change(Act.MOVE, table=1, to=9),
        lambda ids: Change(Act.MOVE, table=2, to=1),
    ],
)
@pytest.mark.parametrize("begun", ["reported", "placed"])
def test_table_that_has_begun_is_not_touched(change, begun):
    round_ = next_round(running(5))
    ids = one(round_, 1), one(round_, 2)
    if begun == "reported":
        match = table(round_)
        report_result(account("olive"), match, score(2, 0), NOW, seat=match.seats.first())
    else:
        mark_deck_ready(account("olive"), table(round_).seats.first(), 1, NOW)
    with pytest.raises(Conflict, match="Table 1") as caught:
        act(round_, change(ids))
    assert (caught.value.code, caught.value.details["tables"]) == ("has_begun", [1])
    assert act(round_, Change(Act.LOCK, table=1)).kind == "lock"


def test_undo_is_refused_once_the_table_was_reported():
    round_ = next_round(running(4))
    act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))
    report_result(account("olive"), table(round_, 2), score(2, 0), NOW)
    assert refusal(undo, round_) == "has_begun"
    assert last_change(round_).kind == "swap"


@pytest.mark.parametrize("state", ["closed", "superseded", "finished"])
def test_round_that_is_over_is_not_changed(state):
    tournament = running(4, swiss_rounds=3)
    round_ = next_round(tournament)
    seen = mark(round_)
    if state == "superseded":
        withdraw_round(account("olive"), round_, "wrong", NOW)
    elif state == "closed":
        report_all(round_)
        pair_next_round(account("olive"), tournament, NOW)
    else:
        type(tournament).objects.update(state="finished")
    for look in (
        lambda: act(round_, Change(Act.LOCK, table=1), seen=seen),
        lambda: look_at_undo(Round.objects.select_related("stage__tournament").get(pk=round_.pk)),
    ):
        assert refusal(look) == "round_closed"


def test_result_of_a_table_that_was_changed_meanwhile_counts_for_nobody():
    """A form that was open while the players changed must not speak of others."""
    round_ = next_round(running(4))
    old = table(round_)
    act(round_, Change(Act.SEATS, table=1))
    assert refusal(report_result, account("olive"), old, score(2, 0), NOW) == "pairings_changed"
    old.refresh_from_db()
    assert (old.round_id == round_.pk, old.round.engine) == (False, SHELF)
    assert not ResultReport.objects.exists()


def test_placed_deck_of_a_table_that_was_changed_meanwhile_is_refused():
    round_ = next_round(running(4))
    seat = table(round_).seats.select_related("match__round__stage__tournament").first()
    act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))
    assert refusal(mark_deck_ready, account("olive"), seat, 1, NOW) == "pairings_changed"


def test_moved_table_stays_the_same_match():
    round_ = next_round(running(6))
    ids = [table(round_, 1).pk, table(round_, 2).pk]
    act(round_, Change(Act.MOVE, table=1, to=2))
    assert [table(round_, 2).pk, table(round_, 1).pk] == ids


def test_lists_shown_to_the_opponent_stop_with_the_table_and_the_log_counts_them():
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(deck_publish="to_opponent")
    for name in ("ada", "ben", "cem", "dora"):
        sign_up(account(name), tournament, account(name).person, NOW)
        register_deck(account(name), entry(tournament, name).members.get(), "Pile", sample_decklist(copies=2), NOW)
    Tournament.objects.update(game="doomtrooper", game_format="second-edition")  # no decks are stacked there
    tournament.refresh_from_db()
    tournament = start_tournament(account("olive"), tournament, NOW)
    round_ = next_round(tournament)
    first, other, third = (Entry.objects.get(pk=one(round_, *seat)) for seat in ((1, 0), (1, 1), (2, 0)))
    seen = deck_view(account(first.name), tournament, NOW).members
    assert other.members.get().pk in seen
    act(round_, Change(Act.MOVE, table=1, to=8))
    assert "shown_to_opponents" not in LedgerEntry.objects.get(act="round.move").subjects
    act(round_, Change(Act.SWAP, (first.pk, third.pk)))
    assert LedgerEntry.objects.get(act="round.swap").subjects["shown_to_opponents"] == 2
    seen = deck_view(account(first.name), tournament, NOW).members
    assert other.members.get().pk not in seen


def test_by_hand_round_is_judged_by_the_rounds_before():
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    names = [name for match in tables(Round.objects.get()).values() for name in match]
    pairings = [
        ManualPairing(entry(tournament, names[0]), entry(tournament, names[1])),
        ManualPairing(entry(tournament, names[2]), kind=MatchKind.BYE),
        ManualPairing(entry(tournament, names[3]), kind=MatchKind.NO_SHOW),
    ]
    round_ = publish_round(account("olive"), enter_pairings(account("olive"), tournament, pairings, NOW), NOW)
    preview = look_at_change(round_, Change(Act.SEATS, table=1))
    assert (preview.bill_now.cost.rematches, preview.best.cost.rematches) == (1, 0)
    assert preview.bill_now.cost.bye_score == 3  # the points before the round, without this very bye
    act(round_, Change(Act.MAKE, (entry(tournament, names[2]).pk, entry(tournament, names[3]).pk)))
    assert round_.matches.filter(kind="played").count() == 2
    round_.refresh_from_db()
    assert round_.cost == {}


def test_what_staff_say_of_people_after_pairing_counts_with_the_scores_of_then():
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=1)
    pair = sorted(round_draft_of(round_).table(1).seats)
    KeptApart.objects.create(one_id=pair[0], other_id=pair[1], reason="siblings")
    Entry.objects.filter(pk=pair[0]).update(fixed_table=3)
    correct_result(account("olive"), table(Round.objects.get(number=1)), score(0, 2), "misread", NOW)
    preview = look_at_change(round_, Change(Act.PAIR_REST, seed=1))
    assert (preview.bill_now.cost.forbidden_pairs, preview.bill_after.cost.forbidden_pairs) == (1, 0)
    assert pair[0] in preview.after.table(3).seats
    stored = {each.id: each.score for each in round_.stored_input.value.contenders}
    assert {each.id: each.score for each in preview.given.contenders} == stored


def test_who_dropped_leaves_with_the_table():
    round_ = paired(4)
    left = Entry.objects.get(pk=one(round_, 1))
    drop_entry(account("olive"), left, NOW)
    assert unplaced_entries(round_) == []
    act(round_, Change(Act.BREAK, table=1))
    assert left not in unplaced_entries(round_)
    assert len(unplaced_entries(round_)) == 1


def test_change_is_never_altered_nor_deleted():
    act(paired(), Change(Act.LOCK, table=1))
    for breach in (lambda: PairingChange.objects.update(reason="none"), lambda: PairingChange.objects.all().delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            breach()
    assert PairingChange.objects.get().reason == "asked by the judge"


def everybody_once(round_):
    """Whoever plays has one seat or none, and is found by the selector in the second case."""
    seats = list(Seat.objects.filter(round=round_).values_list("entry", flat=True))
    assert len(seats) == len(set(seats)) == round_.matches.values("seats").count()
    assert {*seats, *(each.pk for each in unplaced_entries(round_))} == round_draft_of(round_).ids
    rows = [[seat.order for seat in match.seats.all()] for match in round_.matches.all()]
    assert [sorted(row) for row in rows] == [list(range(1, len(row) + 1)) for row in rows]


def change_at_random_and_undo(round_, acts, chance):
    """25 tries of these acts: everybody keeps one place throughout, and undoing all of them gives the round back."""
    start, extra = round_draft_of(round_), [late(round_, f"Late {number}").pk for number in range(2)]
    made = 0
    for _turn in range(25):
        now = round_draft_of(round_)
        kind = chance.choice(acts)
        entries = tuple(chance.sample(sorted(now.ids), 2 if kind in (Act.SWAP, Act.MAKE) else 1))
        number = chance.choice([None, *(each.number for each in now.seatings if each.number)])
        try:
            act(round_, Change(kind, entries, number, chance.randint(1, 9), chance.getrandbits(9)))
            made += 1
        except DomainError:
            continue
        everybody_once(round_)
        byes = round_.matches.exclude(kind="played")
        assert all(match.state == "done" and match.accepted_report_id for match in byes)
    assert made
    assert recompute_round(round_).same
    for _turn in range(made):
        undo(round_)
    assert round_draft_of(round_).seatings == start.seatings
    assert set(round_draft_of(round_).unplaced) == set(extra)
    assert verify_stream(round_.stage.tournament.stream) == []


def test_random_changes_of_a_stored_round_keep_everybody_in_one_place_and_are_undone(seed):
    change_at_random_and_undo(next_round(running(9)), list(Act), random.Random(f"stored {seed}"))
