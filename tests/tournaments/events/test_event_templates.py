"""Copies: every setting and stage of the original, nothing that was played."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scoring.standings.records import ScoringPolicy
from tests.tournaments.factories import NOW, account, draft, event, next_round, report_all, running, staff
from tournaments.events.services.event_templates import copy_tournament
from tournaments.events.services.settings import draft_of_event
from tournaments.forecast.services import show_outlook
from tournaments.models import Role, Stage, Tournament
from tournaments.pairing.swiss.contenders import Apart, PairingPolicy
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=8)


def copy(tournament, **more):
    return copy_tournament(account("olive"), tournament, {"name": "Winter Cup", "starts_at": LATER}, NOW, **more)


def test_copy_has_the_settings_of_the_original():
    settings = draft(
        place="Back room", time_zone="Europe/Berlin", best_of=1, swiss_rounds=6, capacity=40, check_in=True,
        deck_required=True, deck_publish=Tournament.DeckPublish.AFTER_END, players_report=False,
        policy=ScoringPolicy(win=2, tiebreakers=("match_points", "gw")),
        pairing=PairingPolicy(clubs=Apart.SOFT), visibility=Tournament.Visibility.UNLISTED,
    )  # fmt: skip
    original = event(**{name: getattr(settings, name) for name in settings.__dataclass_fields__})
    assert draft_of_event(copy(original)) == replace(draft_of_event(original), name="Winter Cup", starts_at=LATER)


def test_players_of_a_copy_see_what_they_need_where_those_of_the_original_do():
    original = event()
    show_outlook(account("olive"), original, NOW, shows=True)
    original.refresh_from_db()
    assert copy(original).shows_outlook
    assert not copy(event()).shows_outlook


def test_copy_has_the_stages_of_the_original_not_begun():
    original = event(swiss_rounds=4)
    top = StageDraft(Stage.Kind.SINGLE_ELIMINATION, "Top 8", qualify="top", qualify_value=8, best_of=5)
    set_stages(account("olive"), original, [StageDraft(planned_rounds=4), top], NOW)
    made = copy(original)
    assert stage_drafts_of(made) == stage_drafts_of(original)
    assert not made.stages.exclude(seeds=None, started_at=None).exists()


@pytest.mark.parametrize(("chosen", "copied"), [(None, None), (2, 2)])
def test_recommended_rounds_are_recommended_again_and_chosen_ones_stay(chosen, copied):
    original = running(4, swiss_rounds=chosen)
    assert original.swiss_rounds
    assert copy(original).swiss_rounds == copied
    assert copy(event(swiss_rounds=None)).swiss_rounds is None
    Tournament.objects.filter(pk=original.pk).update(swiss_rounds=3)
    original.refresh_from_db()
    assert copy(original).swiss_rounds == 3  # changed since


def test_a_copy_may_have_another_number_of_rounds():
    changes = {"name": "Winter Cup", "starts_at": LATER, "swiss_rounds": 5}
    made = copy_tournament(account("olive"), event(swiss_rounds=4), changes, NOW)
    assert (made.swiss_rounds, stage_drafts_of(made)[0].planned_rounds) == (5, 5)


def test_deck_deadline_keeps_its_distance_to_the_start():
    original = event(deck_deadline=NOW + timedelta(hours=20))
    assert copy(original).deck_deadline - LATER == original.deck_deadline - original.starts_at


def test_the_closing_time_of_the_hall_keeps_its_distance_too():
    original = event(hall_closes_at=NOW + timedelta(hours=30))
    assert copy(original).hall_closes_at - LATER == original.hall_closes_at - original.starts_at


def test_copy_of_a_played_event_is_an_empty_draft():
    original = running(4)
    report_all(next_round(original))
    made = copy(original)
    assert (made.state, made.entries.count(), made.started_at) == (Tournament.State.DRAFT, 0, None)
    assert made.stream != original.stream
    assert made.slug != original.slug


@pytest.mark.parametrize(
    ("same_staff", "people"),
    [(False, {("olive", "organiser")}), (True, {("olive", "organiser"), ("juno", "judge")})],
)
def test_staff_comes_along_when_asked(same_staff, people):
    original = event()
    staff(original, "juno", Role.Name.JUDGE)
    made = copy(original, same_staff=same_staff)
    assert set(made.roles.values_list("user__username", "name")) == people
