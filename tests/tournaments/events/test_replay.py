"""Real events (tests/data/events) end with their official standings, which a stranger's program checks, too.

And the commands behave as promised.
"""

import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from journal.ledger.selectors import verify_stream
from rules_engine.errors import DomainError
from tests.tournaments.bundles.test_event_files import assert_right
from tournaments.events.recorded_files import read_recorded_file
from tournaments.events.services.replaying import replay_event
from tournaments.models import Entry, Round, Tournament
from tournaments.standings.selectors.standings import standing_rows

EVENTS = Path(__file__).parents[2] / "data" / "events"
LARGEST = "melee-modern-2026-07-26-134"
"""Here players dropped out; they and every round are counted, too."""
db = pytest.mark.django_db


def replayed(path):
    out = io.StringIO()
    call_command("replay_event", str(path), "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.sampled(8)
@db
@pytest.mark.parametrize("path", sorted(EVENTS.glob("*.json")), ids=lambda path: path.stem)
def test_real_event_ends_with_its_official_standings_and_is_right_by_a_strangers_program(path):
    file, answer = json.loads(path.read_text("utf-8")), replayed(path)
    ours = {row["player"]: row for row in answer["standings"]}
    rules = file["rules"]
    unit = Decimal(1).scaleb(-rules["published_decimals"])
    eliminated = {
        player
        for round_ in file["rounds"]
        if round_["stage"] == "playoff"
        for match in round_["matches"]
        for player in (match["a"], match["b"])
    }
    keys = ["omw"] if not rules["games_recorded"] else ["omw", "gw", "ogw"]
    assert set(ours) == {row["player"] for row in file["official_standings"]}
    for official in file["official_standings"]:
        mine = ours[official["player"]]
        assert mine["points"] == official["points"]
        if official["player"] in eliminated:
            continue
        for key in keys:
            published = Decimal(repr(official[key])).quantize(unit)
            assert abs(Decimal(mine[key]).quantize(unit) - published) <= unit, (official["player"], key)
    check_ranks(file, ours, eliminated if rules["official_rows_after"] == "playoff" else set())
    tournament = Tournament.objects.get(slug=answer["tournament"])
    assert tournament.state == Tournament.State.FINISHED
    assert verify_stream(tournament.stream) == []
    if path.stem == LARGEST:
        assert tournament.entries.filter(state=Entry.State.DROPPED).count() == 37
        assert Round.objects.filter(stage__tournament=tournament, state=Round.State.CLOSED).count() == 8
    assert_right(tournament)


def check_ranks(file, ours, eliminated):
    """Ranks are equal, but that players tied on everything up to OMW may stand in another order."""
    points_at = {
        row["rank"]: ours[row["player"]] for row in file["official_standings"] if row["player"] not in eliminated
    }
    for official in file["official_standings"]:
        mine = ours[official["player"]]
        if official["player"] in eliminated or mine["rank"] == official["rank"]:
            continue
        holder = next(
            row
            for row in ours.values()
            if row["rank"] <= official["rank"] and (row["points"], row["omw"]) == (mine["points"], mine["omw"])
        )
        assert abs(holder["rank"] - official["rank"]) <= 2, (official, mine)
        neighbours = [points_at[rank] for rank in (official["rank"] - 1, official["rank"] + 1) if rank in points_at]
        assert any((other["points"], other["omw"]) == (mine["points"], mine["omw"]) for other in neighbours)


def small(**changes):
    """An event of three rounds in which Cem comes late, Ada misses round 2, and Dora never plays."""
    event = {
        "schema": "swiss-event/1",
        "event": {"id": "small", "name": "Small", "date": "2026-01-02"},
        "rules": {
            "best_of": 3, "match_points": {"win": 3, "draw": 1, "loss": 0, "bye": 3},
            "game_points": {"win": 3, "draw": 1, "loss": 0},
            "floor": "1/3", "bye_games": [2, 0], "bye_in_own_match_pct": True,
            "bye_in_own_game_pct": True, "bye_in_opponent_avg": False,
            "tiebreakers": ["points", "omw", "gw", "ogw"], "published_gw": "raw", "published_decimals": 4,
        },
        "players": [{"id": name} for name in ("Ada", "Ben", "Cem", "Dora")],
        "rounds": [
            {"number": 1, "stage": "swiss", "matches": [match("Ada", "Ben", 2, 0)]},
            {"number": 2, "stage": "swiss", "matches": [match("Ben", "Cem", 0, 0, 3, intentional_draw=True)]},
            {"number": 3, "stage": "swiss", "matches": [match("Ada", "Cem", 3, 0),
                                                        match("Ben", None, 0, 2, no_show=True)]}
        ],
    }  # fmt: skip
    return {**event, **changes}


def rules(**changes):
    return small(rules={**small()["rules"], **changes})


def match(one, other, won, lost, drawn=0, **more):
    return {"a": one, "b": other, "games_a": won, "games_b": lost, "draws": drawn, **more}


@db
def test_late_absent_and_silent_players_are_replayed():
    tournament = replay_event(read_recorded_file(json.dumps(small()).encode())).tournament
    lines = {row.entry.name: row for row in standing_rows(tournament)}
    assert {name: row.standing.match_points for name, row in lines.items()} == {"Ada": 6, "Ben": 1, "Cem": 1, "Dora": 0}
    assert (lines["Cem"].entry.entered_round, lines["Ada"].entry.dropped_after, lines["Dora"].entry.dropped_after) == (
        2,
        None,
        0,
    )


@db
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b"[]", "schema"),
        (b'{"schema": "swiss-event/2"}', "schema"),
        (b'{"schema": "swiss-event/1"}', "players"),
        pytest.param(b"[" * 100_000, "JSON", id="deep"),
        (small(players=[{"id": "Ada"}, {"id": "Ada"}]), "twice"),
        (small(players=[{"id": "Ada"}]), "does not stand"),
        (small(players=[{"id": 7}]), "no player id"),
        (small(rules={**small()["rules"], "floor": "a third"}), "policy"),
        (small(rules={**small()["rules"], "tiebreakers": ["luck"]}), "luck"),
        (small(rules={**small()["rules"], "bye_in_opponent_avg": True}), "bye"),
        (small(event={"id": "x", "name": "x", "date": "soon"}), "soon"),
        (rules(floor=float("inf")), "no share"),
        (rules(floor="1e-2000000"), "no share"),
        (rules(match_points={"win": 3.0, "draw": 1, "loss": 0}), "no whole number"),
        (rules(match_points={"win": 3, "draw": float("nan"), "loss": 0}), "no whole number"),
        (rules(match_points={"win": 3, "draw": 1, "loss": True}), "no whole number"),
        (rules(tiebreakers=[["points"]]), "no list of tiebreakers"),
        (rules(tiebreakers=[]), "no list of tiebreakers"),
        (rules(bye_in_own_match_pct="yes"), "neither true nor false"),
        (small(rounds=[{"number": 1, "stage": "swiss", "matches": [match("Ada", None, 0, 0)]}]), "neither marked"),
        (small(rounds=[{"number": 1, "stage": "swiss", "matches": [match("Ada", "Ben", -1, 0)]}]), "-1"),
        (small(rounds=[{"number": 1, "stage": "swiss", "matches": [match("Ada", "Ben", 10**30, 0)]}]), "0 to 99"),
        (
            small(
                rounds=[
                    {"number": 1, "stage": "swiss", "matches": [match("Ada", "Ben", 2, 0), match("Ada", "Cem", 2, 0)]}
                ]
            ),
            "exactly one seat",
        ),
        (small(rounds=[{"number": 1, "stage": "swiss", "matches": [match("Ada", "Ada", 2, 0)]}]), "exactly one seat"),
    ],
)
def test_file_that_is_no_event_is_refused_in_one_line_and_leaves_nothing(tmp_path, content, words):
    path = tmp_path / "event.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(CommandError) as caught:
        call_command("replay_event", str(path))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "bad_" not in str(caught.value)
    assert caught.value.returncode == 2
    assert not Tournament.objects.exists()


@db
@pytest.mark.parametrize("first", [[], [{"a": "Cem", "b": None, "games_a": 2, "games_b": 0, "draws": 0, "bye": True}]])
def test_event_may_begin_with_a_round_that_nearly_nobody_plays(first):
    rounds = [
        {"number": 1, "stage": "swiss", "matches": first},
        {"number": 2, "stage": "swiss", "matches": [match("Ada", "Ben", 2, 0), match("Cem", "Dora", 2, 1)]},
    ]
    replay = replay_event(read_recorded_file(json.dumps(small(rounds=rounds)).encode()))
    points = {replay.players[row.entry.pk]: row.standing.match_points for row in standing_rows(replay.tournament)}
    assert points == {"Ada": 3, "Ben": 0, "Cem": 6 if first else 3, "Dora": 0}


@db
@pytest.mark.parametrize("best_of", [1, 2, 5])
def test_other_match_lengths_are_replayed(best_of):
    file = read_recorded_file(json.dumps(rules(best_of=best_of)).encode())
    assert replay_event(file).tournament.best_of == best_of


@db
def test_players_are_printed_as_the_file_names_them(tmp_path):
    names = ["Ada  X", "Ada X", "B" * 130, "Dora"]
    path = tmp_path / "event.json"
    rounds = [{"number": 1, "stage": "swiss", "matches": [match(*names[:2], 2, 0), match(*names[2:], 2, 1)]}]
    path.write_text(json.dumps(small(players=[{"id": name} for name in names], rounds=rounds)), "utf-8")
    assert {row["player"] for row in replayed(path)["standings"]} == set(names)


@db
def test_missing_file_is_refused(tmp_path):
    with pytest.raises(CommandError) as caught:
        call_command("replay_event", str(tmp_path / "none.json"))
    assert caught.value.returncode == 2


@db
def test_event_file_larger_than_allowed_is_refused():
    with pytest.raises(DomainError, match="64 MiB"):
        read_recorded_file(b" " * (64 * 1024 * 1024 + 1))


@db
@pytest.mark.sqlite
def test_simulation_is_repeated_by_its_seed():
    def played(seed):
        out = io.StringIO()
        call_command("simulate_event", players=13, rounds=4, seed=seed, json=True, stdout=out)
        return json.loads(out.getvalue())

    one, again, other = played(5), played(5), played(6)
    assert one["standings"] == again["standings"] != other["standings"]
    assert set(one["seconds"]) == {"register", "pair", "publish", "report", "standings", "finish"}
    assert abs(sum(one["shares"].values()) - 1) < 1e-6


@db
def test_simulation_of_one_player_is_refused():
    with pytest.raises(CommandError) as caught:
        call_command("simulate_event", players=1, rounds=2, seed=1)
    assert caught.value.returncode == 2
    assert not Tournament.objects.exists()
