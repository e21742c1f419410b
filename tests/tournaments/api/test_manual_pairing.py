"""Rounds changed by hand by API: look, change, undo; who may, and what is refused."""

import pytest

from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, next_round, report_all, running, score, staff, table
from tests.tournaments.manual_pairing.test_manual_pairing import late, one, tables
from tests.tournaments.structure.test_structure import SINGLE, follows, held, play, seeded
from tournaments.models import Entry, PairingChange, Penalty, Role, Stage
from tournaments.penalties.services import give_penalty
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_():
    return next_round(running(7))


def path(round_, rest=""):
    return f"/api/v1/events/{round_.stage.tournament.slug}/rounds/{round_.number}/arrangement/{rest}"


def number(round_, *seat):
    return Entry.objects.get(pk=one(round_, *seat)).number


def post(name, round_, rest, **body):
    return caller(name).post(path(round_, rest), body, format="json")


def test_change_is_looked_at_stored_listed_and_undone(round_):
    before = tables(round_)
    pair = {"act": "swap", "entries": [number(round_, 1), number(round_, 2)]}
    look = post("olive", round_, "preview/", **pair).json()
    assert look["tables_now"][0]["entries"] == [number(round_, 1), number(round_, 1, 1)]
    assert look["tables_after"][0]["entries"] == [number(round_, 2), number(round_, 1, 1)]
    assert look["cost_now"] == look["cost_after"] == look["best"]
    assert (look["cost_now"]["unplaced"], look["proved"], look["seed"]) == (0, True, None)
    assert tables(round_) == before
    stored = post("olive", round_, "change/", **pair, reason="asked", seen=look["seen"])
    assert (stored.status_code, stored.json()["number"], stored.json()["kind"]) == (201, 1, "swap")
    assert tables(round_)[1][0] == before[2][0]
    seen = caller("olive").get(path(round_)).json()["seen"]
    undone = post("olive", round_, "change/", act="undo", reason="wrong", seen=seen).json()
    assert (undone["kind"], undone["undoes"]) == ("undo", 1)
    assert tables(round_) == before
    listed = caller("olive").get(path(round_, "changes/")).json()
    assert [(each["number"], each["undoes"], each["reason"]) for each in listed["results"]] == [
        (2, 1, "wrong"), (1, None, "asked"),
    ]  # fmt: skip


def test_preview_names_the_game_losses_that_move(round_):
    entry = Entry.objects.get(pk=one(round_, 1))
    body = {"act": "swap", "entries": [entry.number, number(round_, 2)]}
    assert post("olive", round_, "preview/", **body).json()["game_losses"] == []
    staff(round_.stage.tournament, "juno", Role.Name.JUDGE)
    given = Penalty.Kind.GAME_LOSS
    give_penalty(account("juno"), entry, given, "Slow play", NOW, match=table(round_, 1))
    moved = {"entry": entry.number, "counts": True}
    assert post("olive", round_, "preview/", **body).json()["game_losses"] == [moved]
    assert post("olive", round_, "preview/", act="lock", table=1).json()["game_losses"] == []
    bye = post("olive", round_, "preview/", act="bye", entries=[entry.number]).json()
    assert bye["game_losses"] == [{**moved, "counts": False}]


def test_stale_change_is_a_conflict(round_):
    seen = caller("olive").get(path(round_)).json()["seen"]
    body = {"act": "lock", "table": 1, "reason": "kept", "seen": seen}
    assert post("olive", round_, "change/", **body).status_code == 201
    again = post("olive", round_, "change/", **{**body, "table": 2})
    assert (again.status_code, again.json()["code"]) == (409, "pairings_changed")
    assert caller("olive").get(path(round_)).json()["locked"] == [1]


def test_pairing_again_is_stored_as_it_was_shown(round_):
    lou = late(round_)
    assert caller("olive").get(path(round_)).json()["unplaced"] == [lou.number]
    look = post("olive", round_, "preview/", act="repair").json()
    assert look["cost_after"]["unplaced"] == 0
    body = {"act": "repair", "seed": look["seed"], "reason": "late entry", "seen": look["seen"]}
    assert post("olive", round_, "change/", **body).status_code == 201
    numbers = dict(Entry.objects.values_list("name", "number"))
    now = {tuple(numbers[name] for name in names) for names in tables(round_).values()}
    assert {tuple(each["entries"]) for each in look["tables_after"]} <= now


def test_rematches_are_told():
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=1)
    first = [set(names) for names in tables(round_.stage.rounds.get(number=1)).values()]
    here, there = tables(round_)[1]
    met = next(name for names in first if here in names for name in names - {here})
    numbers = dict(Entry.objects.filter(tournament=tournament).values_list("name", "number"))
    look = post("olive", round_, "preview/", act="swap", entries=[numbers[there], numbers[met]]).json()
    assert {(*sorted(each["entries"]), *each["rounds"]) for each in look["meetings"]} == {
        (*sorted(numbers[name] for name in names), 1) for names in first
    }
    assert (look["cost_after"]["rematches"], look["best"]["rematches"]) == (2, 0)


def test_judge_turns_seats_alone(round_):
    staff(round_.stage.tournament, "juno", Role.Name.JUDGE)
    seen = caller("juno").get(path(round_)).json()["seen"]
    for act in ("swap", "make", "break", "bye", "lock", "unlock", "move", "seat", "unseat", "repair", "undo"):
        for rest, more in (("preview/", {}), ("change/", {"reason": "x", "seen": seen})):
            assert post("juno", round_, rest, act=act, table=1, **more).status_code == 403, (act, rest)
    assert not PairingChange.objects.exists()
    assert post("juno", round_, "change/", act="seats", table=1, reason="glare", seen=seen).status_code == 201
    assert PairingChange.objects.get().actor_label == "juno"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"act": "dance"}, 400, "invalid"),
        ({"act": "move", "table": 0}, 400, "invalid"),
        ({"act": "swap", "entries": [1, 2, 3]}, 400, "invalid"),
        ({"act": "swap", "entries": [2**31]}, 400, "invalid"),
        ({"act": "swap", "entries": [1, 999]}, 404, "unknown_entry"),
        ({"act": "swap", "entries": [1]}, 422, "unknown_entry"),
        ({"act": "swap", "entries": [1, 1]}, 422, "same_entry"),
        ({"act": "make", "entries": [1, 2]}, 422, "not_free"),
        ({"act": "break"}, 422, "unknown_table"),
        ({"act": "break", "table": 3}, 409, "has_begun"),
        ({"act": "undo"}, 422, "nothing_to_undo"),
    ],
)
def test_refusals_have_stable_codes(round_, body, status, code):
    report_result(account("olive"), table(round_, 3), score(2, 0), NOW)
    found = post("olive", round_, "preview/", **body)
    assert (found.status_code, found.json()["code"]) == (status, code)


def test_reason_and_look_are_needed(round_):
    for body in ({"reason": "x"}, {"seen": "1.0.published.x"}, {"reason": " ", "seen": "x"}):
        assert post("olive", round_, "change/", act="lock", table=1, **body).status_code == 400
    assert not PairingChange.objects.exists()


@pytest.fixture
def pods():
    """Nine at tables of five and four, not published."""
    tournament = running(9, game="doomlings", best_of=1)
    return pair_next_round(account("olive"), tournament, NOW, seed=1)


def stored(round_, **body):
    look = post("olive", round_, "preview/", **body).json()
    return post("olive", round_, "change/", **body, reason="asked", seen=look["seen"])


def test_tables_of_several_are_changed_and_changed_back(pods):
    before, lou = tables(pods), late(pods)
    small, full = sorted(before, key=lambda number: len(before[number]))
    look = post("olive", pods, "preview/", act="seat", entries=[lou.number], table=small).json()
    assert [len(each["entries"]) for each in look["tables_after"]] == [5]
    assert (look["cost_now"]["unplaced"], look["cost_after"]["unplaced"]) == (1, 0)
    assert {"wrong_sizes", "repeats", "spread", "seats"} <= look["cost_after"].keys()
    assert look["best"].keys() == look["cost_after"].keys()
    assert stored(pods, act="seat", entries=[lou.number], table=small).json()["kind"] == "seat"
    assert tables(pods)[small] == (*before[small], "Late Lou")
    assert stored(pods, act="unseat", entries=[number(pods, full)]).json()["kind"] == "unseat"
    assert stored(pods, act="swap", entries=[number(pods, 1), number(pods, 2)]).status_code == 201
    assert stored(pods, act="repair", seed=3).status_code == 201
    assert caller("olive").get(path(pods)).json()["unplaced"] == []
    for kind in ("repair", "swap", "unseat", "seat"):
        assert caller("olive").get(path(pods, "changes/")).json()["results"][0]["cost_after"]["unplaced"] >= 0
        assert stored(pods, act="undo").json()["kind"] == "undo", kind
    assert tables(pods) == before


def test_a_bracket_that_followed_a_correction_lists_a_change_without_cost():
    tournament = seeded(held(4, SINGLE), range(1, 5))
    play(tournament)
    next_ = pair_next_round(account("olive"), tournament, NOW)
    follows(tournament)
    (change,) = caller("olive").get(path(next_, "changes/")).json()["results"]
    assert (change["kind"], change["cost_before"], change["cost_after"]) == ("follow", None, None)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"act": "seat", "entries": [1]}, 422, "unknown_table"),
        ({"act": "seat", "entries": [999], "table": 1}, 404, "unknown_entry"),
        ({"act": "seat", "entries": [], "table": 1}, 422, "unknown_entry"),
        ({"act": "seat", "table": 2}, 422, "unknown_entry"),
        ({"act": "mend"}, 422, "not_swiss"),
        ({"act": "make", "entries": [1, 2]}, 422, "not_free"),
    ],
)
def test_refusals_at_tables_of_several_have_stable_codes(pods, body, status, code):
    found = post("olive", pods, "preview/", **body)
    assert (found.status_code, found.json()["code"]) == (status, code)


def test_a_full_table_and_a_bracket_are_refused(pods):
    small, full = sorted(tables(pods), key=lambda number: len(tables(pods)[number]))
    body = {"act": "seat", "entries": [number(pods, small)], "table": full}
    found = post("olive", pods, "preview/", **body)
    assert (found.status_code, found.json()["code"]) == (422, "table_full")
    assert found.json()["detail"].startswith(f"Table {full} is full: 5 players.")
    Stage.objects.update(kind=Stage.Kind.SINGLE_ELIMINATION)
    found = post("olive", pods, "preview/", act="lock", table=1)
    assert (found.status_code, found.json()["code"]) == (422, "fixed_pairings")
