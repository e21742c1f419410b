"""The stages of an event set by its organiser without JavaScript, and the cut looked at before it is made."""

import pytest

from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, staff
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.entries.services.attendance import drop_entry
from tournaments.models import Role, Stage, Tournament
from tournaments.structure.recommended import first_draft, recommended_stages
from tournaments.structure.services.stage_drafts import StageDraft, check_stages, stage_drafts_of
from tournaments.structure.services.stages import begin_next_stage, set_stages, stages_mark
from tournaments.web.organiser import stages
from tournaments.web.shared.stage_words import structure_words

pytestmark = pytest.mark.django_db
Kind, Qualify = Stage.Kind, Stage.Qualify
CUP = StageDraft(Kind.SINGLE_ELIMINATION, qualify=Qualify.TOP, qualify_value=2, best_of=5, third_place=True)


def olive():
    return browser(account("olive"))


def stages_url(tournament, rest=""):
    return url(tournament, f"manage/stages/{rest}")


def send(tournament, **fields):
    data = {"seen": stages_mark(tournament), "stage-1-kind": "swiss", "stage-1-planned_rounds": "2", **fields}
    return olive().post(stages_url(tournament), data)


def cup_fields(**changes):
    fields = {"kind": "single", "qualify": "top", "qualify_value": "4", "replaces_dropped": "on", "best_of": "5"}
    return {f"stage-2-{name}": value for name, value in {**fields, **changes}.items()}


def with_cup(players=4, cup=CUP):
    """A running event of one Swiss round, all reported, before a cut to two."""
    tournament = running(players, swiss_rounds=1)
    report_all(next_round(tournament))
    set_stages(account("olive"), tournament, [StageDraft(planned_rounds=1), cup], NOW)
    return tournament


def stored(tournament):
    tournament.refresh_from_db()
    return stage_drafts_of(tournament)


def test_stages_are_stored_as_typed():
    tournament = event(9)
    assert send(tournament, **cup_fields(third_place="on")).status_code == 302
    assert stored(tournament) == [
        StageDraft(planned_rounds=2),
        StageDraft(Kind.SINGLE_ELIMINATION, qualify=Qualify.TOP, qualify_value=4, best_of=5, third_place=True),
    ]


@pytest.mark.parametrize("kind", ["swiss", "round_robin", "single", "double"])
def test_adding_a_stage_stores_nothing_and_keeps_what_was_typed(kind):
    tournament = event(9)
    shown = send(tournament, **{"stage-1-name": "Saturday", "stage-1-planned_rounds": "x", "add": kind})
    html = shown.content.decode()
    assert shown.status_code == 200
    assert "Stage 2" in html
    assert 'value="Saturday"' in html
    assert 'value="x"' in html
    assert len(stored(tournament)) == 1


def test_removing_a_stage_closes_the_ranks():
    tournament = event(9)
    shown = send(tournament, **cup_fields(name="Cup"), remove="1")
    html = shown.content.decode()
    assert 'name="stage-1-name" value="Cup"' in html
    assert "Stage 2" not in html


@pytest.mark.parametrize(("variant", "top"), [("head-to-head", 8), ("two-team", 8), ("multi-player", 4)])
def test_dt97_time_a_cut_added_to_a_way_of_1997_has_no_clock(variant, top):
    tournament = event(9, game="doomtrooper", game_format="tournament-1997", variant=variant, best_of=1)
    cut = first_draft(Kind.SINGLE_ELIMINATION, tournament)
    assert (cut.qualify, cut.qualify_value, cut.round_minutes) == (Qualify.TOP, top, 0)
    assert cut.sheet_options == ({"target": 40} if variant == "multi-player" else {})
    form = send(tournament, add="double").context["form"].forms[1]
    assert (form["round_minutes"].value(), form["qualify_value"].value()) == (0, top)
    assert first_draft(Kind.SWISS, tournament).round_minutes is None
    assert {draft.round_minutes for draft in recommended_stages(tournament, 16)[1:]} == {0}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (cup_fields(qualify_value=""), "Say how many play on"),
        (cup_fields(qualify_value="999"), "from 2 to 128 can play on"),
        (cup_fields(best_of="4"), "Select a valid choice"),
        ({"stage-1-planned_rounds": "0"}, "greater than or equal to 1"),
        ({**cup_fields(), "stage-3-kind": "swiss", "stage-3-qualify": "everybody"}, "nothing can come after"),
    ],
)
def test_bad_input_is_said_and_kept(fields, said):
    tournament = event(9)
    shown = send(tournament, **fields)
    assert shown.status_code == 200
    assert said in text_of(shown.content.decode())
    assert "Nothing was saved" in shown.content.decode()
    assert len(stored(tournament)) == 1


def test_stages_changed_meanwhile_are_not_overwritten():
    tournament = event(9)
    mark = stages_mark(tournament)
    set_stages(account("olive"), tournament, [StageDraft(planned_rounds=4)], NOW)
    shown = send(tournament, seen=mark)
    assert "The stages have changed" in shown.content.decode()
    assert stored(tournament)[0].planned_rounds == 4


def test_what_has_begun_stays_but_for_its_rounds():
    tournament = running(4)
    shown = page(olive(), stages_url(tournament))
    assert "The stage has started: its play is fixed." in shown
    send(tournament, **{"stage-1-kind": "round_robin", "stage-1-best_of": "5", "stage-1-planned_rounds": "3"})
    tournament.refresh_from_db()
    assert [draft.kind for draft in stored(tournament)] == ["swiss"]
    assert tournament.swiss_rounds == 3
    assert tournament.stages.get().best_of is None


def test_recommended_structure_is_taken_in_one_press():
    tournament = event(9)
    shown = page(olive(), stages_url(tournament))
    assert "Recommended for 9 players" in shown
    olive().post(stages_url(tournament, "recommended/"), {"seen": stages_mark(tournament)})
    assert stored(tournament) == recommended_stages(tournament, 9)
    assert "Recommended for" not in page(olive(), stages_url(tournament))


@pytest.mark.parametrize("game", ["doom_pile", "doomlings", "doomtrooper", "dead_or_destroyed", "house_game"])
def test_what_is_recommended_can_be_stored(game):
    tournament = Tournament(game=game, game_format=get_system(game).formats[0].slug, best_of=1)
    for players in (2, 4, 5, 8, 9, 12, 16, 17, 64, 300, 5000):
        check_stages(tournament, recommended_stages(tournament, players))


def test_structure_is_told_on_the_page_of_the_event(client):
    tournament = event(9)
    set_stages(account("olive"), tournament, [StageDraft(planned_rounds=5), CUP], NOW)
    assert (
        "5 Swiss rounds. Then a cut to the top 2: single elimination, best of 5, with a match for third place."
        in text_of(page(client, url(tournament)))
    )


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (StageDraft(), "Swiss rounds, by attendance."),
        (StageDraft(planned_rounds=1), "1 Swiss round."),
        (StageDraft(Kind.ROUND_ROBIN), "Everybody plays everybody."),
        (StageDraft(Kind.ROUND_ROBIN, return_leg=True), "Everybody plays everybody twice."),
        (StageDraft(Kind.TABLES, planned_rounds=3), "3 rounds at tables of 4 (3 to 5)."),
        (
            StageDraft(Kind.DOUBLE_ELIMINATION, bracket_reset=False),
            "Double elimination, the grand final is played once.",
        ),
        (
            StageDraft(Kind.SINGLE_ELIMINATION, round_minutes=0, sheet_options={"target": 40}),
            "Single elimination, without a clock. Target: 40 Promotion Points.",
        ),
        (StageDraft(round_minutes=30), "Swiss rounds, by attendance, 30 minutes a round."),
    ],
)
def test_each_kind_of_stage_has_its_words(draft, words):
    assert structure_words("doomtrooper", [draft]) == [words]


def test_cut_shows_who_plays_on_and_by_what_others_missed_it():
    tournament = with_cup(4)
    html = page(olive(), stages_url(tournament, "next/"))
    for entry in tournament.entries.all():
        assert f'<a class="called" href="{url(tournament, f"player/{entry.number}/")}">{entry.name}</a>' in html
    text = text_of(html)
    assert "2 players play on" in text
    assert "Who missed it" in text
    assert "Match points: 0 vs. 3" in text


def test_cut_names_who_left_and_who_moves_up():
    tournament = with_cup(4)
    first = next(iter(tournament.entries.filter(seats__results__outcome="win").order_by("pk")))
    drop_entry(account("olive"), first, NOW)
    text = text_of(page(olive(), stages_url(tournament, "next/")))
    assert f"{first.name} qualified and dropped" in text
    assert "moves up" in text


def test_pressing_begin_stores_the_seeds_that_were_shown():
    tournament = with_cup(4)
    html = page(olive(), stages_url(tournament, "next/"))
    mark = html.split('name="seen" value="')[1].split('"')[0]
    assert olive().post(stages_url(tournament, "next/"), {"seen": mark}).status_code == 302
    assert len(tournament.stages.get(number=2).seeds) == 2


def test_cut_that_changed_meanwhile_is_shown_again():
    tournament = with_cup(4)
    shown = olive().post(stages_url(tournament, "next/"), {"seen": "0123456789abcdef"})
    assert "The standings changed since you looked" in shown.content.decode()
    assert tournament.stages.get(number=2).seeds is None


def test_tie_at_the_line_may_be_decided_with_a_reason():
    tournament = with_cup(8, StageDraft(Kind.SINGLE_ELIMINATION, qualify=Qualify.TOP, qualify_value=2))
    html = page(olive(), stages_url(tournament, "next/"))
    assert "Rank 1 is tied at the cut" in html
    mark = html.split('name="seen" value="')[1].split('"')[0]
    winners = list(tournament.entries.filter(seats__results__outcome="win").values_list("pk", flat=True))[-2:]
    shown = olive().post(stages_url(tournament, "next/"), {"seen": mark, "chosen": winners})
    assert "Give a reason; it is logged." in shown.content.decode()
    olive().post(stages_url(tournament, "next/"), {"seen": mark, "chosen": winners, "reason": "Played it out"})
    assert set(tournament.stages.get(number=2).seeds) == set(winners)


def test_cut_is_taken_back_with_a_reason():
    tournament = with_cup(4)
    olive().post(stages_url(tournament, "next/"), {"seen": ""})
    html = page(olive(), stages_url(tournament, "next/"))
    mark = html.split('name="seen" value="')[1].split('"')[0]
    olive().post(stages_url(tournament, "next/"), {"seen": mark})
    assert "Undo the cut" in page(olive(), url(tournament, "manage/"))
    assert olive().post(stages_url(tournament, "take-back/"), {"reason": ""}).status_code == 200
    olive().post(stages_url(tournament, "take-back/"), {"reason": "A result was wrong"})
    assert tournament.stages.get(number=2).seeds is None


def test_next_stage_of_an_event_without_one_leads_to_the_stages():
    assert olive().get(stages_url(running(4), "next/")).headers["Location"].endswith("/manage/stages/")


@pytest.mark.parametrize("moment", ["preview_next_stage", "begin_next_stage"])
def test_cut_begun_by_another_press_meanwhile_leads_to_the_stages(moment, monkeypatch):
    """The other's is stored just before this request looks at the cut, or just before it begins."""
    tournament = with_cup(4)
    path = stages_url(tournament, "next/")
    mark = page(olive(), path).split('name="seen" value="')[1].split('"')[0]
    go_on = getattr(stages, moment)

    def after_the_other(*args, **kwargs):
        monkeypatch.undo()
        begin_next_stage(account("olive"), tournament, NOW)
        return go_on(*args, **kwargs)

    monkeypatch.setattr(stages, moment, after_the_other)
    assert olive().post(path, {"seen": mark}).headers["Location"].endswith("/manage/stages/")


@pytest.mark.parametrize("name", ["juno", "kit", "mallory", ""])
def test_cut_is_the_organisers_alone(name):
    tournament = with_cup(4)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    other = browser(account(name)) if name else browser()
    for ask in (other.get, other.post):
        assert ask(stages_url(tournament, "next/")).status_code in (302, 403)
    assert tournament.stages.get(number=2).seeds is None
