"""Rules of scoring in the event form: ready-made ones, filled in, composed, refused with what was typed kept."""

from dataclasses import replace

import pytest
from django.utils.translation import gettext, override

from rules_engine.systems import get_system
from scoring.standings.presets import PRESETS
from scoring.standings.records import PointsBy, Rounding, ScoringPolicy
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import event, running
from tests.tournaments.web.organiser.test_organiser import VALUES, manage, text_of
from tests.tournaments.web.organiser.test_sheet_options import sent
from tests.tournaments.web.visitors import url
from tournaments.events.services.event_drafts import standard_policy
from tournaments.models import Tournament
from tournaments.standings.forms.scoring import read_placing

pytestmark = pytest.mark.django_db
RULES = {"bye": "", "decimals": "4", "rounding": "half_up", "points_by": "outcome", "placing_points": ""}
WHOLE = {**VALUES, **RULES, "profile": "doom_pile", "filled": ""}


def stored(olive, tournament, **changes):
    """The rules of scoring after the form was sent, which must have been taken."""
    response = olive.post(manage(tournament, "settings/"), {**WHOLE, **changes})
    assert response.status_code == 302, text_of(response)
    tournament.refresh_from_db()
    return tournament.scoring_policy


@pytest.mark.parametrize("game", ["doom_pile", "doomlings", "doomtrooper", "dead_or_destroyed", "house_game"])
def test_new_event_has_the_usual_rules_of_its_game(olive, game):
    way = get_system(game).ways[0]
    response = sent(olive, "/new/", play=f"{game}/{way.slug}", best_of=str(way.best_of))
    assert response.status_code == 302, text_of(response)
    assert Tournament.objects.get().scoring_policy == standard_policy(way.best_of, game)
    assert game in PRESETS


def test_a_chosen_profile_is_stored_as_a_whole(olive):
    chosen = stored(olive, event(), profile="chess")
    assert chosen == replace(PRESETS["chess"].policy, bye_games=(2, 0))


def test_a_filled_profile_counts_with_what_was_changed_on_top(olive):
    tournament = event()
    response = olive.post(manage(tournament, "settings/"), {**WHOLE, "name": "", "profile": "pods", "fill": "1"})
    form = response.context["form"]
    assert response.status_code == 200
    assert (form["win"].value(), form["filled"].value(), form["name"].value()) == (5, "pods", "")
    assert [field.value() for field in form.tiebreaker_fields] == ["match_points", "omw", "oomw", None]
    assert not form.errors
    names = (*RULES, "draw", "loss", "floor", "filled", *form.places)
    filled = {name: "" if form[name].value() is None else form[name].value() for name in names}
    policy = stored(olive, tournament, **{**filled, "profile": "pods", "win": "6", "tiebreaker_4": "lot"})
    assert (policy.win, policy.bye_opponents, policy.tiebreakers) == (6, 3, ("match_points", "omw", "oomw", "lot"))
    assert olive.get(manage(tournament, "settings/")).context["form"]["profile"].value() == ""


@pytest.mark.parametrize("profile", PRESETS)
def test_every_profile_can_be_filled_in_and_stored(olive, profile):
    tournament = event()
    page = olive.post(manage(tournament, "settings/"), {**WHOLE, "profile": profile, "fill": "1"}).context["form"]
    names = (*RULES, "win", "draw", "loss", "floor", "filled", *page.places)
    filled = {name: "" if page[name].value() is None else page[name].value() for name in names}
    policy = stored(olive, tournament, **{**filled, "profile": profile})
    assert policy == replace(PRESETS[profile].policy, bye_games=(2, 0))


def test_a_profile_and_changed_rules_at_once_are_refused_and_kept(olive):
    tournament = event()
    response = olive.post(manage(tournament, "settings/"), {**WHOLE, "profile": "chess", "win": "4"})
    assert "Fill in the chosen rules first" in text_of(response)
    assert '<details class="fold" id="scoring" data-values open>' in response.content.decode()
    form = response.context["form"]
    assert (form["profile"].value(), form["win"].value()) == ("chess", "4")
    tournament.refresh_from_db()
    assert tournament.scoring_policy == standard_policy(3)


def test_another_criterion_can_be_added_and_stored(olive):
    tournament = event()
    response = olive.post(manage(tournament, "settings/"), {**WHOLE, "add_place": "1", "place": "Hall 3"})
    form = response.context["form"]
    assert (len(form.tiebreaker_fields), form["place"].value(), bool(form.errors)) == (5, "Hall 3", False)
    policy = stored(olive, tournament, tiebreaker_5="head_to_head")
    assert policy.tiebreakers == ("match_points", "omw", "gw", "ogw", "head_to_head")


def test_every_rule_can_be_composed(olive):
    rules = {
        "win": "4", "bye": "2", "floor": "1/4", "decimals": "5", "rounding": "down", "points_by": "placing",
        "placing_points": "5 3 2 1\n\n5, 3, 2", "tiebreaker_2": "buchholz", "tiebreaker_3": "", "tiebreaker_4": "lot",
    }  # fmt: skip
    policy = stored(olive, event(), **rules, profile="")
    assert (policy.win, policy.bye, str(policy.floor), policy.decimals) == (4, 2, "1/4", 5)
    assert (policy.rounding, policy.points_by) == (Rounding.DOWN, PointsBy.PLACING)
    assert policy.placing_points == ((5, 3, 2), (5, 3, 2, 1))
    assert policy.tiebreakers == ("match_points", "buchholz", "lot")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"placing_points": "5 3 x"}, "Line 1: use whole numbers"),
        ({"placing_points": "5 3\n4 1"}, "Line 2: one line per table size"),
        ({"placing_points": "0 " * 21}, "Line 1: one line per table size, 2–20"),
        ({"points_by": "placing"}, "Enter the points for each place"),
        ({"tiebreaker_2": "match_points"}, "Already listed above"),
        ({"bye": "101"}, "less than or equal to 100"),
    ],
)
def test_bad_rules_say_why_and_stay_as_typed(olive, changes, words):
    response = olive.post(manage(event(), "settings/"), {**WHOLE, "profile": "", **changes})
    assert words in text_of(response)
    form = response.context["form"]
    assert all(form[name].value() == value for name, value in changes.items())


def test_placing_points_are_read_by_size_of_table():
    assert read_placing("") == ()
    assert read_placing("3 1\n5 3 1") == ((3, 1), (5, 3, 1))


def test_rules_are_frozen_at_the_start_and_told_on_the_event_page(olive):
    tournament = running(4)
    page = olive.get(manage(tournament, "settings/"))
    assert all(page.context["form"].fields[name].disabled for name in page.context["form"].scoring_names)
    assert "Fill in below" not in text_of(page)
    before = tournament.scoring_policy
    assert stored(olive, tournament, profile="chess", win="9", swiss_rounds="3") == before
    told = text_of(olive.get(url(tournament)))
    assert "Match points, then opponents' match-win %, game-win %, opponents' game-win %" in told
    assert "Points: win 3, draw 1, loss 0." in told


def test_api_takes_a_preset_with_other_rules_on_top():
    tournament, olive = event(), caller("olive")
    path = f"/api/v1/events/{tournament.slug}/"
    policy = good(olive.patch(path, {"policy": {"preset": "chess", "win": 4}}))["policy"]
    assert (policy["win"], policy["point_unit"], policy["bye_games"]) == (4, 2, [2, 0])
    assert policy["tiebreakers"] == list(PRESETS["chess"].policy.tiebreakers)
    assert good(olive.patch(path, {"policy": policy}))["policy"] == policy
    assert olive.patch(path, {"policy": {"preset": "none"}}).status_code == 400
    assert ScoringPolicy.from_dict({**policy}).requested_bye == 1


@pytest.mark.parametrize("language", ["de", "fr"])
def test_ready_made_profiles_are_told_in_every_language(language):
    with override(language):
        same = [each.key for each in PRESETS.values() if gettext(each.note) == each.note]
    assert same == []
