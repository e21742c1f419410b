"""What is agreed on for score sheets, on the event form and on the public page."""

import pytest

from rules_engine.errors import DomainError
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import NOW, account, event, running
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.events.services import event_drafts
from tournaments.events.services.event_templates import copy_tournament
from tournaments.models import Tournament
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db
DOOMLINGS = {"game": "doomlings", "game_format": "standard", "best_of": 1}
CHOSEN = {
    "doomlings-ties": "draw", "doomlings-check_limits": "on", "doomlings-stunted_growth": "on",
    "doomlings-prosperous_world": "none", "doomlings-second_dominant": "added", "doomlings-signatures": "one",
}  # fmt: skip


def shown(form):
    """What a browser sends of the form as it is shown."""
    options = form.sheet_form or ()
    values = {field.html_name: field.value() for field in (*form, *options)}
    return {name: value for name, value in values.items() if value not in (None, "") and value is not False}


def sent(olive, address, **changes):
    """The form of a page sent with these changes, after another way to play was chosen where they name one."""
    form = olive.get(address).context["form"]
    starts = {"starts_at": "2026-11-28T10:00", "name": "Cup"}
    if changes.get("play", form["play"].value()) != form["play"].value():
        form = olive.post(address, {**shown(form), **starts, "play": changes["play"]}).context["form"]
    return olive.post(address, {**shown(form), **starts, **changes})


def test_new_event_stores_what_was_agreed_on():
    olive = browser(account("olive"))
    assert sent(olive, "/new/", play="doomlings/tables", best_of="1", **CHOSEN).status_code == 302
    made = Tournament.objects.get()
    assert made.score_sheets
    assert made.sheet_options == {"ties": "draw", "stunted_growth": True, "signatures": "one"}


@pytest.mark.parametrize(("said", "stored"), [("", True), ("yes", True), ("no", False)])
def test_new_event_of_doomlings_has_sheets_unless_told_otherwise(said, stored):
    sent(browser(account("olive")), "/new/", play="doomlings/tables", best_of="1", score_sheets=said)
    assert Tournament.objects.get().score_sheets is stored


def test_settings_keep_what_is_not_sent_and_show_what_is_stored():
    olive = browser(account("olive"))
    tournament = event(**DOOMLINGS, sheet_options={"ties": "draw"})
    address = url(tournament, "manage/settings/")
    options = olive.get(address).context["form"].sheet_form
    assert options["ties"].value() == "draw"
    assert sent(olive, address).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.score_sheets, tournament.sheet_options) == (True, {"ties": "draw"})


def test_what_cannot_be_comes_back_with_what_was_typed():
    olive = browser(account("olive"))
    tournament = event(game="doomtrooper", game_format="second-edition", best_of=1)
    agreed = {"mode": "teams", "target": "0", "sabotage": "on", "team_pool": "destiny", "signatures": "all"}
    answer = sent(
        olive, url(tournament, "manage/settings/"), **{f"doomtrooper-{key}": value for key, value in agreed.items()}
    )
    assert answer.status_code == 200
    assert "Check the sheet options below" in text_of(answer.content.decode())
    form = answer.context["form"].sheet_form
    assert (form["mode"].value(), form["target"].value(), list(form.errors)) == ("teams", "0", ["target"])


def test_filling_in_a_profile_keeps_what_was_agreed_on():
    olive = browser(account("olive"))
    address = url(event(**DOOMLINGS), "manage/settings/")
    form = sent(olive, address, fill="1", profile="total_score", **CHOSEN).context["form"]
    options = form.sheet_form
    assert (options["ties"].value(), bool(options["stunted_growth"].value())) == ("draw", True)


def test_options_but_who_signs_are_frozen_on_the_form_of_a_running_event():
    olive, tournament = browser(account("olive")), running(4, **DOOMLINGS, sheet_options={"ties": "draw"})
    answer = sent(olive, url(tournament, "manage/settings/"), **{**CHOSEN, "doomlings-ties": "shared"})
    assert answer.status_code == 302
    tournament.refresh_from_db()
    assert tournament.sheet_options == {"ties": "draw", "signatures": "one"}


def test_public_page_says_what_was_agreed_on():
    tournament = event(**DOOMLINGS, sheet_options={"ties": "draw", "prosperous_world": "3x4"})
    told = text_of(page(browser(), url(tournament)))
    assert "Tied players draw in turn order" in told
    assert "3 piles of 4 ages" in told
    assert browser().get(url(event())).context["sheets"] == []


def test_copies_agree_on_the_same():
    tournament = event(**DOOMLINGS, sheet_options={"ties": "draw"}, score_sheets=False)
    made = copy_tournament(account("olive"), tournament, {"name": "Again"}, NOW)
    assert (made.score_sheets, made.sheet_options) == (False, {"ties": "draw"})


def test_b9_ledgers_go_with_best_of_3_in_pages_and_api():
    olive = browser(account("olive"))
    assert sent(olive, "/new/", play="doomtrooper/head-to-head", score_sheets="yes", best_of="3").status_code == 302
    made = Tournament.objects.get()
    assert (made.best_of, made.score_sheets) == (3, True)
    set_stages(account("olive"), made, [StageDraft("swiss", best_of=3)], NOW)
    asked = {
        "name": "Luna",
        "game": "doomtrooper",
        "game_format": "second-edition",
        "starts_at": "2026-11-28T10:00:00Z",
    }
    answer = good(caller("olive").post("/api/v1/events/", {**asked, "best_of": 3, "score_sheets": True}), 201)
    assert (answer["best_of"], answer["score_sheets"]) == (3, True)


def test_event_whose_sheet_tells_one_game_is_best_of_one(monkeypatch):
    """As the sheet of a game of its own may be that no tables of several play."""
    monkeypatch.setattr(event_drafts, "tells_one_game", lambda game: True)
    with pytest.raises(DomainError, match="cover one game"):
        event(game="doomtrooper", game_format="second-edition", best_of=3, score_sheets=True)


def test_sheets_of_a_match_in_games_go_with_any_length_and_tables_with_one_game_anyhow():
    assert event(game="dead_or_destroyed", best_of=3, score_sheets=True).score_sheets
    tournament = event(game="doomlings", best_of=3)
    assert tournament.score_sheets
    with pytest.raises(DomainError, match="tells one game"):
        set_stages(account("olive"), tournament, [StageDraft("swiss")], NOW)


@pytest.mark.parametrize(
    ("play", "sheets", "length"),
    [("doomlings/tables", "yes", 1), ("doomtrooper/head-to-head", "yes", 1), ("doom_pile/best-of-3", "", 3)],
)
def test_new_event_has_matches_as_long_as_is_usual_for_the_way_chosen(play, sheets, length):
    assert sent(browser(account("olive")), "/new/", play=play, best_of="", score_sheets=sheets).status_code == 302
    made = Tournament.objects.get()
    assert (made.best_of, made.scoring_policy.bye_games) == (length, (length // 2 + 1, 0))


def test_a_choice_of_nothing_names_what_there_is_none_of():
    """For languages in which "none" has a gender."""
    form = browser(account("olive")).get(url(event(**DOOMLINGS), "manage/settings/")).context["form"]
    assert dict(form.fields["score_sheets"].choices)["no"] == "no sheets"
    assert dict(form.fields["tiebreaker_2"].choices)[""] == "no criterion"
