"""The structure of a new event is one choice: its stages are made with it, and only what the way allows is offered."""

import pytest

from rules_engine.errors import DomainError
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import NOW, account, draft
from tests.tournaments.web.organiser.test_sheet_options import sent
from tests.tournaments.web.organiser.test_ways import choose
from tournaments.events.services.events import create_tournament
from tournaments.models import Stage, Tournament

pytestmark = pytest.mark.django_db
Kind = Stage.Kind


def kinds():
    return list(Tournament.objects.get().stages.order_by("number").values_list("kind", "qualify_value"))


@pytest.mark.parametrize(
    ("structure", "stages"),
    [
        ("rounds", [(Kind.SWISS, None)]),
        ("", [(Kind.SWISS, None)]),
        ("top-4", [(Kind.SWISS, None), (Kind.SINGLE_ELIMINATION, 4)]),
        ("top-8", [(Kind.SWISS, None), (Kind.SINGLE_ELIMINATION, 8)]),
        ("round_robin", [(Kind.ROUND_ROBIN, None)]),
        ("single", [(Kind.SINGLE_ELIMINATION, None)]),
        ("double", [(Kind.DOUBLE_ELIMINATION, None)]),
    ],
)
def test_structure_makes_the_stages(olive, structure, stages):
    assert sent(olive, "/new/", play="doom_pile/best-of-3", structure=structure).status_code == 302
    assert kinds() == stages


@pytest.mark.parametrize("left", ["5", "many"])
def test_number_left_in_a_hidden_field_stops_no_structure_without_swiss_rounds(olive, left):
    answer = sent(olive, "/new/", play="doom_pile/best-of-3", structure="single", swiss_rounds=left)
    assert answer.status_code == 302
    assert kinds() == [(Kind.SINGLE_ELIMINATION, None)]
    assert sent(olive, "/new/", play="doom_pile/best-of-3", structure="top-4", swiss_rounds="many").status_code == 200


def test_structure_survives_an_error_and_follows_another_way(olive):
    answer = sent(olive, "/new/", play="doom_pile/best-of-3", structure="top-8", name="")
    assert answer.context["form"]["structure"].value() == "top-8"
    form = choose(olive, "/new/", "doomtrooper/tournament-1997-multi-player", structure="rounds")
    assert form["structure"].value() == next(key for key, _ in form.fields["structure"].choices if "top-" in key)
    assert "structure" not in choose(olive, "/new/", "doomlings/tables").fields
    assert not Tournament.objects.exists()


def test_tables_of_several_take_no_knock_out():
    with pytest.raises(DomainError, match="kinds offered"):
        create_tournament(account("olive"), draft(game="doomlings", way="tables"), NOW, structure="single")


def test_program_takes_the_same_choice_and_hears_what_is_not_offered():
    body = {"name": "Cup", "starts_at": "2026-11-28T10:00:00Z", "game": "doom_pile", "game_format": "standard"}
    olive = caller("olive")
    assert olive.post("/api/v1/events/", {**body, "structure": "top-5"}).status_code == 422
    assert not Tournament.objects.exists()
    good(olive.post("/api/v1/events/", {**body, "structure": "top-4"}), 201)
    assert kinds() == [(Kind.SWISS, None), (Kind.SINGLE_ELIMINATION, 4)]
