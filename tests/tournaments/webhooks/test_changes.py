"""What changed since a number: in order and without gaps for organisers, what is public for webhooks."""

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, next_round, report_all, running, table
from tournaments.core.audiences import ROOM, ROOM_ONCE_PUBLISHED, ear_of, public_subjects
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.calls import call_judge
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.web.shared.log_words import SENTENCES
from tournaments.webhooks.selectors import TOPICS, changes_after

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Round 1 is over, round 2 is paired and hidden; a judge was called."""
    found = running(4)
    round_ = next_round(found)
    call_judge(account("olive"), table(round_), "rules", "", NOW)
    report_all(round_)
    pair_next_round(account("olive"), found, NOW, seed=1)
    return found


def test_pages_of_any_size_hold_every_change_once(tournament):
    path = f"{path_of(tournament)}changes/"
    client, whole = caller("olive"), good(caller("olive").get(path))
    assert whole["next"] == whole["head"]
    for limit in (1, 3):
        seen, body = [], {"next": 0, "head": 1}
        while body["next"] < body["head"]:
            body = good(client.get(path, {"after": body["next"], "limit": limit}))
            seen += body["changes"]
        assert seen == whole["changes"]
    assert [each["sequence"] for each in whole["changes"]] == list(range(1, whole["head"] + 1))


def test_a_webhook_is_told_what_is_public_and_nothing_of_calls_and_hidden_rounds(tournament):
    told = changes_after(tournament, 0, 500).changes
    acts = [each.act for each in told]
    assert acts[-3:] == ["round.published", "result.reported", "result.reported"]
    assert not {"round.paired", "call.made", "event.created"} & set(acts)
    assert {key for each in told for key in each.subjects} <= {"round", "version", "match", "table", "from", "to"}


def test_an_etag_answers_304_until_something_happens(tournament):
    client, path = caller("olive"), f"{path_of(tournament)}changes/?after=3"
    first = client.get(path)
    assert client.get(path, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    post_announcement(account("olive"), tournament, "News", NOW)
    assert client.get(path, HTTP_IF_NONE_MATCH=first["ETag"]).json()["changes"][-1]["act"] == "announcement.posted"


def test_parameters_are_read_strictly(tournament):
    client, path = caller("olive"), f"{path_of(tournament)}changes/"
    for wrong in ("after=-1", "after=x", "limit=0", "limit=501", "limit=x", "since=3", f"after={10**16}"):
        assert client.get(f"{path}?{wrong}").status_code == 400, wrong
    assert good(client.get(f"{path}?after={10**15}"))["changes"] == []


def test_every_public_act_has_a_topic_and_tells_no_more_than_it_may():
    everything = dict.fromkeys(("entry", "reason", "report", "seed", "user", "number", "round", "left_out"), 1)
    for act in SENTENCES:
        told = public_subjects(act, {**everything, "published": 1})
        assert (told is None) == (ear_of(act, {"published": 1}) != "room" or act.startswith("call.")), act
        if told is not None:
            assert set(told) <= {"round", "entry"}, act
            assert act.partition(".")[0] in TOPICS, act
        assert public_subjects("act.undone", {"of": 3, "what": act}) in (None, {"of": 3, "what": act})
    assert public_subjects("act.undone", {"what": "call.made"}) is None
    assert not [act for act in (*ROOM, *ROOM_ONCE_PUBLISHED) if act not in SENTENCES]
