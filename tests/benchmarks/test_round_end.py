"""The benchmark of a round's end notices what it is there to notice."""

import copy

from tests.benchmarks.round_end import percentile, wrong

ACT = {"match": 1, "won": [2, 0], "told": 2, "sent": 2, "counts": True, "conflict": False, "at": 10.0}
VIEW = {"as_of": 11.0, "match": 1, "done": 1, "phase": "done"}
SOUND = {
    "reports": {"faults": {}, "acts": [ACT]},
    "readers": {"faults": {}, "views": [VIEW]},
    "stored": {"1": {"state": "done", "won": [2, 0], "reports": 2}},
}


def faults_with(part: str, **changes: object) -> dict[str, int]:
    """What is found wrong once something is otherwise."""
    found = copy.deepcopy(SOUND)
    place = {"act": found["reports"]["acts"][0], "view": found["readers"]["views"][0], "stored": found["stored"]["1"]}
    place[part].update(changes)
    return dict(wrong(found))


def test_a_sound_run_has_no_faults():
    assert wrong(SOUND) == {}
    assert faults_with("view", as_of=9.0, done=0, phase="report") == {}, "it says that it is older"


def test_what_was_lost_or_doubled_is_counted():
    assert faults_with("stored", reports=1) == {"reports lost": 1}
    assert faults_with("act", told=1) == {}, "a report that nobody answered may be stored"
    assert faults_with("stored", reports=3) == {"reports doubled": 1}
    assert faults_with("stored", won=[1, 2]) == {"results lost or wrong": 1}


def test_a_page_older_than_it_says_is_counted():
    assert faults_with("view", done=0) == {"lists older than they say": 1}
    assert faults_with("view", phase="report") == {"own matches older than they say": 1}


def test_percentiles_are_those_of_the_list():
    assert percentile([3.0], 95) == 3.0
    assert percentile([float(number) for number in range(101)], 95) == 95.0
