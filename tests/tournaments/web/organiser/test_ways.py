"""The event form is about one way to play: another choice fills it again; what leaves a rule is asked first."""

import pytest

from decks.services.house_formats import make_house_format
from journal.clock import database_now
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import account, event, running
from tests.tournaments.web.organiser.test_sheet_options import sent, shown
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.models import Stage, Tournament
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
PAIR = {"game": "dead_or_destroyed", "way": "pair", "best_of": 2, "exact_games": True}
BODY = {"name": "Cup", "starts_at": "2026-11-28T10:00:00Z", "game": "doomlings", "game_format": "intelligent-design"}


def choose(olive, address, play, **typed):
    """The form after another way to play was chosen in it."""
    values = {**shown(olive.get(address).context["form"]), **typed, "play": play}
    answer = olive.post(address, values)
    assert answer.status_code == 200
    return answer.context["form"]


def test_another_way_fills_the_form_and_keeps_what_was_typed(olive):
    form = choose(olive, "/new/", "dead_or_destroyed/pair", name="Graveyard Cup", place="Crypt", check_in="on")
    assert [form[name].value() for name in ("name", "place", "check_in")] == ["Graveyard Cup", "Crypt", True]
    assert [form[name].value() for name in ("best_of", "shown_play")] == [2, "dead_or_destroyed/pair"]
    assert not Tournament.objects.exists()


def test_form_asks_only_what_its_game_has(olive):
    assert "stacking_minutes" in choose(olive, "/new/", "doom_pile/best-of-1").fields
    form = choose(olive, "/new/", "house_game/open")
    assert not {"stacking_minutes", "deciding_game", "score_sheets"} & form.fields.keys()
    assert form.sheet_form is None


def test_what_leaves_a_rule_is_asked_before_it_is_stored(olive):
    answer = sent(olive, "/new/", play="dead_or_destroyed/pair", best_of="1")
    assert answer.status_code == 200
    assert "best of 1 (usual: 2 games, all played) · DD-ROLES" in text_of(answer.content.decode())
    assert not Tournament.objects.exists()
    sure = {**shown(answer.context["form"]), "differs": "1"}
    assert olive.post("/new/", sure).status_code == 302
    assert Tournament.objects.get().best_of == 1


def test_settings_ask_once_for_what_leaves_a_rule(olive):
    tournament = event(**PAIR)
    address = url(tournament, "manage/settings/")
    assert "DD-ROLES" in sent(olive, address, best_of="3").content.decode()
    assert sent(olive, address, best_of="3", differs="1").status_code == 302
    assert sent(olive, address, name="Other").status_code == 302
    tournament.refresh_from_db()
    assert (tournament.best_of, tournament.name) == (3, "Other")


def test_event_page_names_the_way_and_what_is_not_as_usual():
    usual = text_of(page(browser(), url(event(**PAIR))))
    assert "Pair of games" in usual
    assert "Not as usual" not in usual
    other = event(**{**PAIR, "best_of": 3, "exact_games": False, "deciding_game": "lot"})
    said = text_of(page(browser(), url(other)))
    assert "Match best of 3 usual: 2 games, all played · DD-ROLES" in said
    assert "Not as usual Roles in the deciding game: By lot" in said


def test_event_page_says_a_match_length_once_that_is_not_as_usual():
    said = text_of(page(browser(), url(event(way="best-of-3", best_of=1)))).lower()
    assert "match best of 1 usual: best of 3" in said
    assert (said.count("best of 1"), said.count("best of 3")) == (1, 1)
    assert "not as usual" not in said


def test_stages_say_what_is_not_as_usual(olive):
    tournament = event(game="doomlings", game_format="intelligent-design", best_of=1)
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.SWISS)], database_now())
    assert "Seats: two a match (usual: tables of 2 to 4)" in text_of(page(olive, url(tournament, "manage/stages/")))


@pytest.mark.parametrize(
    ("play", "stage", "clause"),
    [
        ({"game": "doomlings", "game_format": "intelligent-design", "best_of": 1}, {"kind": "swiss"}, "DL-V-DESIGN"),
        (PAIR, {"kind": "swiss", "best_of": "3"}, "DD-ROLES"),
    ],
)
def test_a_stage_that_leaves_a_rule_is_asked_before_it_is_stored(olive, play, stage, clause):
    tournament = event(**play)
    address, values = url(tournament, "manage/stages/"), {f"stage-1-{name}": value for name, value in stage.items()}
    asked = olive.post(address, values)
    assert f"· {clause}" in text_of(asked.content.decode())
    assert "Not as usual" not in text_of(page(browser(), url(tournament)))
    assert olive.post(address, {**values, "differs": "1"}).status_code == 302
    assert "Not as usual" in text_of(page(browser(), url(tournament)))
    assert olive.post(address, values).status_code == 302


def test_target_of_a_stage_is_set_beside_its_minutes(olive):
    tournament = event(game="doomtrooper", game_format="second-edition", best_of=1, score_sheets=True)
    address = url(tournament, "manage/stages/")
    values = {"stage-1-kind": "swiss", "stage-1-option_target": "25", "stage-1-round_minutes": "45"}
    assert olive.post(address, values).status_code == 302
    stage = tournament.stages.get()
    assert (stage.sheet_options, stage.round_minutes) == ({"target": 25}, 45)
    assert "45 minutes a round. Target: 25 Promotion Points." in text_of(page(olive, address))
    assert olive.post(address, {**values, "stage-1-option_target": "0"}).status_code == 200
    assert olive.post(address, {"stage-1-kind": "swiss"}).status_code == 302
    stage.refresh_from_db()
    assert (stage.sheet_options, stage.round_minutes) == ({}, None)


@pytest.mark.parametrize(("typed", "kept"), [("15, 5", [15, 5]), ("2 10 ; 5", [10, 5, 2]), ("", None)])
def test_a_stage_says_when_its_clock_warns(olive, typed, kept):
    tournament = event()
    address = url(tournament, "manage/stages/")
    assert olive.post(address, {"stage-1-kind": "swiss", "stage-1-clock_warnings": typed}).status_code == 302
    assert tournament.stages.get().clock_warnings == kept
    shown = page(olive, address)
    assert (f'value="{", ".join(map(str, kept))}"' in shown) if kept else "the clock warns" not in text_of(shown)


@pytest.mark.parametrize("typed", ["soon", "0", "601", "1 2 3 4 5 6", "-3"])
def test_warnings_that_cannot_be_stay_typed(olive, typed):
    tournament = event()
    answer = olive.post(url(tournament, "manage/stages/"), {"stage-1-kind": "swiss", "stage-1-clock_warnings": typed})
    assert "numbers from 1 to 600" in answer.content.decode()
    assert f'value="{typed}"' in answer.content.decode()


def test_settings_of_a_running_event_show_its_way_and_keep_it(olive):
    tournament = running(4, **PAIR)
    form = olive.get(url(tournament, "manage/settings/")).context["form"]
    assert (form["play"].value(), form.fields["play"].disabled) == ("dead_or_destroyed/pair", True)
    sent(olive, url(tournament, "manage/settings/"), name="Other")
    tournament.refresh_from_db()
    assert tournament.way == "pair"


def test_house_format_of_somebody_else_fills_no_form(olive):
    now = database_now()
    foreign = make_house_format(account("mallory"), "doom_pile", "standard", "Secret", {}, now.date(), now)
    values = {**shown(olive.get("/new/").context["form"]), "name": "Cup", "play": f"doom_pile/best-of-1/{foreign.slug}"}
    answer = olive.post("/new/", values)
    assert answer.context["form"].errors["play"]
    assert "Secret" not in answer.content.decode()


def test_api_follows_the_way_and_names_it():
    olive = caller("olive")
    body = good(olive.post("/api/v1/events/", BODY), 201)
    assert (body["way"], body["sheet_options"], body["score_sheets"]) == (
        "intelligent-design", {"intelligent_design": True}, True,
    )  # fmt: skip
    tournament = Tournament.objects.get()
    body = good(olive.patch(path_of(tournament), {"game_format": "standard", "way": "duels"}))
    assert (body["way"], body["sheet_options"]) == ("duels", {})
    assert tournament.stages.get().kind == Stage.Kind.SWISS
    assert olive.patch(path_of(tournament), {"way": "nonsuch"}).status_code == 404
    assert olive.patch(path_of(tournament), {"way": "intelligent-design"}).status_code == 422
