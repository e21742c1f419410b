"""Rehearsals: made-up people play a private copy to the end, by hand or by workers; nothing of it counts."""

import pytest

from journal.models import OutboxMessage
from rules_engine.errors import DomainError
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, event, next_round, running
from tournaments.events.selectors.events import events_of, listed_events
from tournaments.events.services.settings import update_settings
from tournaments.models import Match, Stage, Tournament
from tournaments.permissions import is_visible
from tournaments.rehearsals.selectors import rehearsals_of
from tournaments.rehearsals.services import (
    MAX_REHEARSALS,
    PLAY,
    discard_rehearsal,
    play_open_matches,
    play_to_the_end,
    rehearse,
)
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.tasks import play_rehearsal

pytestmark = pytest.mark.django_db
State = Tournament.State


def rehearsal(players=8, seed=1, **changes):
    return rehearse(account("olive"), event(**{"swiss_rounds": 2, **changes}), players, seed, NOW)


def work():
    """Do what the outbox asks for, every message twice, until nothing is asked any more."""
    steps = 0
    while message := OutboxMessage.objects.filter(task=PLAY).order_by("pk").first():
        message.delete()
        for _delivery in range(2):
            play_rehearsal(*message.args)
        steps += 1
        assert steps < 60
    return steps


def test_rehearsal_is_a_private_running_copy():
    made = rehearsal()
    assert (made.state, made.visibility) == (State.RUNNING, Tournament.Visibility.PRIVATE)
    assert made.entries.count() == 8
    assert not made.self_sign_up
    assert is_visible(account("olive"), made)
    assert not is_visible(account("mallory"), made)


def test_rehearsal_is_in_no_list_and_stays_private():
    made = rehearsal()
    assert made not in events_of(account("olive"))
    assert made not in listed_events()
    assert list(rehearsals_of(account("olive"), made.rehearsal_of)) == [made]
    with pytest.raises(DomainError) as refused:
        update_settings(account("olive"), made, {"visibility": Tournament.Visibility.PUBLIC}, NOW)
    assert refused.value.code == "rehearsal_is_private"


def test_same_seed_gives_the_same_people():
    names = [list(rehearsal(seed=seed).entries.values_list("name", "club")) for seed in (5, 5, 6)]
    assert names[0] == names[1] != names[2]


def test_everybody_plays_the_open_round():
    made = rehearsal(9)
    round_ = next_round(made)
    assert play_open_matches(account("olive"), made, NOW) == 4
    assert not Match.objects.filter(round=round_).exclude(state=Match.State.DONE).exists()
    assert play_open_matches(account("olive"), made, NOW) == 0


def test_workers_play_to_the_end_with_every_message_twice():
    made = rehearsal(9)
    play_to_the_end(account("olive"), made, NOW)
    work()
    made.refresh_from_db()
    assert made.state == State.FINISHED
    assert made.stages.get().rounds.filter(superseded_at=None).count() == 2


def test_workers_play_through_a_cut():
    original = event(swiss_rounds=2)
    cut = StageDraft(Stage.Kind.SINGLE_ELIMINATION, qualify="top", qualify_value=4)
    set_stages(account("olive"), original, [StageDraft(planned_rounds=2), cut], NOW)
    made = rehearse(account("olive"), original, 8, 1, NOW)
    play_to_the_end(account("olive"), made, NOW)
    work()
    made.refresh_from_db()
    assert made.state == State.FINISHED
    assert [stage.rounds.count() for stage in made.stages.order_by("number")] == [2, 2]


def test_an_act_by_hand_stops_the_workers():
    made = rehearsal()
    play_to_the_end(account("olive"), made, NOW)
    next_round(made)
    assert work() == 1
    assert Match.objects.filter(round__stage__tournament=made, state=Match.State.DONE).count() == 0


def test_discarded_rehearsal_cannot_be_opened_and_stops():
    made = rehearsal()
    play_to_the_end(account("olive"), made, NOW)
    discard_rehearsal(account("olive"), made, NOW)
    work()
    made = Tournament.objects.get(pk=made.pk)
    assert not is_visible(account("olive"), made)
    assert not made.stages.filter(rounds__isnull=False).exists()
    assert not rehearsals_of(account("olive"), made.rehearsal_of).exists()


@pytest.mark.parametrize("act", [play_open_matches, play_to_the_end, discard_rehearsal])
def test_real_event_is_never_played_by_itself(act):
    tournament = running(4)
    assert refusal(act, account("olive"), tournament, NOW) == "not_a_rehearsal"


def test_rehearsals_have_bounds():
    original = event()
    for players in (3, 257):
        assert refusal(rehearse, account("olive"), original, players, 1, NOW) == "bad_count"
    made = [rehearse(account("olive"), original, 4, seed, NOW) for seed in range(MAX_REHEARSALS)]
    for tournament, code in ((original, "too_many_rehearsals"), (made[0], "is_rehearsal")):
        assert refusal(rehearse, account("olive"), tournament, 4, 9, NOW) == code
