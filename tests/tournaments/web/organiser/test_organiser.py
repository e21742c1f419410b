"""Making an event, its settings, what comes next and the changes of its state, as an organiser's browser does it."""

import re
from html import unescape

import pytest
from django.test import Client

from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, draft, entry, event, next_round, report_all, running, staff
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import check_in_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import close_registration, create_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db
State = Tournament.State
VALUES = {
    "name": "Autumn Doom Cup", "place": "Lantern Hall", "starts_at": "2026-11-28T10:00", "time_zone": "Europe/Berlin",
    "visibility": "public", "play": "doom_pile/best-of-3", "best_of": "3", "swiss_rounds": "", "capacity": "",
    "players_report": "on", "self_sign_up": "on", "win": "3", "draw": "1", "loss": "0", "floor": "1/3",
    "deck_publish": "never", "order": "least_squares", "clubs": "ignore", "teams": "ignore", "finish": "lot",
    "last_finish": "lot",
    "tiebreaker_1": "match_points", "tiebreaker_2": "omw", "tiebreaker_3": "gw", "tiebreaker_4": "ogw",
}  # fmt: skip


def browser(name: str) -> Client:
    """Somebody's signed-in browser."""
    client = Client()
    client.force_login(account(name).user)
    return client


def manage(tournament: Tournament, page: str = "") -> str:
    return f"/e/{tournament.slug}/manage/{page}"


def text_of(response) -> str:
    """A page as its reader sees it."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def test_new_event_stores_everything_in_the_zone_typed(olive: Client) -> None:
    response = olive.post("/new/", {**VALUES, "also_judge": "on", "deck_required": "on", "capacity": "64"})
    tournament = Tournament.objects.get()
    assert response.headers["Location"] == manage(tournament)
    assert tournament.starts_at.isoformat() == "2026-11-28T09:00:00+00:00"
    assert (tournament.capacity, tournament.deck_required, tournament.swiss_rounds) == (64, True, None)
    assert set(tournament.roles.values_list("name", flat=True)) == {"organiser", "judge"}
    assert tournament.scoring_policy.bye_games == (2, 0)


def test_new_event_stores_its_rules_of_pairing(olive: Client) -> None:
    chosen = {"order": "top_down", "clubs": "soft", "teams": "hard", "finish": "fewest_floats"}
    olive.post("/new/", {**VALUES, **chosen, "last_finish": "standings"})
    tournament = Tournament.objects.get()
    assert tournament.pairing == {**chosen, "last_finish": "standings"}
    page = text_of(olive.get(manage(tournament, "settings/")))
    assert "Pair for From the top score group down If possible, there's no second bye" in page
    assert "apply from the next pairing" not in page


def test_rules_of_pairing_stay_open_while_the_event_runs(olive: Client) -> None:
    tournament = running(4)
    settings = manage(tournament, "settings/")
    page = olive.get(settings)
    assert "Changes apply from the next pairing." in text_of(page)
    assert not any(field.field.disabled for field in page.context["form"].pairing_fields)
    response = olive.post(settings, {**VALUES, "swiss_rounds": "3", "clubs": "everywhere"})
    assert response.content.decode().count('<details class="fold" data-values open>') == 1
    assert olive.post(settings, {**VALUES, "swiss_rounds": "3", "clubs": "hard"}).status_code == 302
    assert Tournament.objects.get().pairing["clubs"] == "hard"


@pytest.mark.parametrize(("best_of", "games"), [("1", (1, 0)), ("5", (3, 0))])
def test_bye_is_worth_the_games_that_win_a_match(olive: Client, best_of: str, games: tuple[int, int]) -> None:
    olive.post("/new/", {**VALUES, "best_of": best_of, "win": "4"})
    policy = Tournament.objects.get().scoring_policy
    assert (policy.bye_games, policy.bye, policy.win) == (games, 4, 4)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": ""}, "name"),
        ({"time_zone": "Nowhere/Else"}, "time_zone"),
        ({"starts_at": "soon"}, "starts_at"),
        ({"starts_at": "2026-03-29T02:30"}, "starts_at"),  # the hour that Berlin skips
        ({"play": "no_game/standard"}, "play"),
        ({"best_of": "4"}, "best_of"),
        ({"swiss_rounds": "900"}, "swiss_rounds"),
        ({"capacity": "1"}, "capacity"),
        ({"win": "-1"}, "win"),
        ({"tiebreaker_3": "omw"}, "tiebreaker_3"),
        ({"play": "house_game/free", "deck_required": "on"}, "deck_required"),
    ],
)
def test_refused_event_names_the_field_and_keeps_what_was_typed(olive: Client, changed: dict, field: str) -> None:
    formats = re.findall(r'value="(house_game/[a-z_]+)"', olive.get("/new/").content.decode())
    changed = {key: formats[0] if value == "house_game/free" else value for key, value in changed.items()}
    response = olive.post("/new/", {**VALUES, "place": "Lantern Hall", **changed})
    assert response.status_code == 200
    assert list(response.context["form"].errors) == [field]
    assert f'id="id_{field}_error"' in response.content.decode()
    assert 'value="Lantern Hall"' in response.content.decode()
    assert not Tournament.objects.exists()


def test_new_event_needs_an_account(client: Client) -> None:
    assert client.get("/new/").headers["Location"].startswith("/accounts/login/")


def test_settings_show_and_store_times_in_the_zone_of_the_event(olive: Client) -> None:
    tournament = event(time_zone="America/New_York")
    page = olive.get(manage(tournament, "settings/")).content.decode()
    assert 'value="2026-05-10T06:00"' in page
    values = {**VALUES, "time_zone": "America/New_York", "starts_at": "2026-05-10T06:00", "name": "Renamed"}
    assert olive.post(manage(tournament, "settings/"), values).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.starts_at.hour) == ("Renamed", 10)


def test_settings_changed_meanwhile_keep_what_was_typed_and_can_be_stored_after_a_look(olive: Client) -> None:
    tournament = event()
    seen = olive.get(manage(tournament, "settings/")).context["seen"]
    olive.post(manage(tournament, "settings/"), {**VALUES, "place": "Hall 3", "seen": seen})
    response = olive.post(manage(tournament, "settings/"), {**VALUES, "place": "Hall 4", "seen": seen})
    assert "The settings have changed. Check before you save." in text_of(response)
    assert 'value="Hall 4"' in response.content.decode()
    again = response.context["seen"]
    assert olive.post(manage(tournament, "settings/"), {**VALUES, "place": "Hall 4", "seen": again}).status_code == 302


def test_form_that_cannot_be_read_keeps_its_mark(olive: Client) -> None:
    tournament = event()
    response = olive.post(manage(tournament, "settings/"), {**VALUES, "name": "", "seen": "long ago"})
    assert response.context["seen"] == "long ago"


def test_settings_say_that_decks_stay_locked_at_the_field(olive: Client) -> None:
    tournament = event(deck_deadline=NOW)
    values = {**VALUES, "deck_deadline": "2099-01-01T10:00"}
    response = olive.post(manage(tournament, "settings/"), values)
    assert list(response.context["form"].errors) == ["deck_deadline"]
    assert 'value="2099-01-01T10:00"' in response.content.decode()


@pytest.mark.parametrize("field", ["starts_at", "deck_deadline"])
@pytest.mark.parametrize("year", ["0001", "1969", "3001", "9999"])
@pytest.mark.parametrize(("zone", "rest"), [("Pacific/Kiritimati", "01-01T00:00"), ("America/Adak", "12-31T23:59")])
def test_years_no_calendar_shows_are_refused_at_their_field(
    olive: Client, field: str, year: str, zone: str, rest: str
) -> None:
    response = olive.post("/new/", {**VALUES, "time_zone": zone, field: f"{year}-{rest}"})
    assert list(response.context["form"].errors) == [field]
    assert f'value="{year}-{rest}"' in response.content.decode()


def test_one_button_starts_although_decks_are_missing_and_leaves_nobody_out(olive: Client) -> None:
    tournament = event(4, deck_required=True)
    for page in ("", "rounds/"):
        text = text_of(olive.get(manage(tournament, page)))
        assert "All 4 play. A judge can register late decks." in text
        assert "Start anyway: 4 decks are missing See who" in text
        assert "Start now" not in text
    who = text_of(olive.get(manage(tournament, "entries/?show=no_deck")))
    assert all(name in who for name in ("Ada", "Ben", "Cem", "Dora"))
    press_start(olive, tournament)
    assert tournament.state == State.RUNNING
    assert tournament.entries.filter(state="registered").count() == 4


def press_start(olive: Client, tournament: Tournament) -> None:
    """Press the button of the next step, with the fields that stand in its form."""
    page = olive.get(manage(tournament, "")).content.decode()
    form = re.search(r'<form[^>]*action="[^"]*/start/".*?</form>', page, re.DOTALL)
    assert form is not None
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    olive.post(manage(tournament, "start/"), hidden)
    tournament.refresh_from_db()


def test_the_button_counts_the_decks_of_those_who_are_there(olive: Client) -> None:
    tournament = event(4, deck_required=True, check_in=True)
    text = text_of(olive.get(manage(tournament, "")))
    assert "0 players are checked in, 4 not. You need two." in text
    assert "Start" not in text.split("Also to do")[0].split("Next step")[1]
    for name in ("Ada", "Ben"):
        check_in_entry(account("olive"), entry(tournament, name), NOW)
    text = text_of(olive.get(manage(tournament, "")))
    assert "2 are checked in and play; 2 aren't." in text
    assert "Start anyway: 2 decks are missing" in text
    load_catalogues(NOW, [get_system("doom_pile")])
    for name in ("Ada", "Ben"):
        register_deck(account("ada"), entry(tournament, name).members.get(), "", sample_decklist(copies=3), NOW)
    assert "Start now" in text_of(olive.get(manage(tournament, "")))
    press_start(olive, tournament)
    assert tournament.state == State.RUNNING


@pytest.mark.parametrize(("planned", "takes", "rounds"), [(2, True, 4), (2, False, 2), (None, False, 4)])
def test_too_few_rounds_are_said_before_the_start(olive: Client, planned, takes, rounds) -> None:
    tournament = event(9, swiss_rounds=planned)
    text = text_of(olive.get(manage(tournament, "")))
    assert (
        ("4 rounds are recommended; you planned 2. All 9 play." in text)
        == ("Start with 4 rounds" in text)
        == (planned == 2)
    )
    olive.post(manage(tournament, "start/"), {"takes_advice": "1"} if takes else {})
    tournament.refresh_from_db()
    assert (tournament.state, tournament.swiss_rounds) == (State.RUNNING, rounds)


def test_enough_rounds_and_tables_of_several_are_left_as_planned(olive: Client) -> None:
    for tournament in (event(9, swiss_rounds=4), event(9, swiss_rounds=9), event(9, game="doomlings", swiss_rounds=2)):
        assert "rounds are recommended" not in text_of(olive.get(manage(tournament, "")))


def test_a_draft_has_no_start_button_that_can_only_fail(olive: Client) -> None:
    tournament = close_registration(account("olive"), event(1, deck_required=True), NOW)
    assert "Start without opening registration" not in text_of(olive.get(manage(tournament, "")))
    register_walk_ins(account("olive"), tournament, [EntryDraft("Ben")], NOW)
    text = text_of(olive.get(manage(tournament, "")))
    assert "Start anyway: 2 decks are missing" in text
    assert "Start now" not in text
    press_start(olive, tournament)
    assert tournament.state == State.RUNNING


def test_a_deck_that_went_missing_meanwhile_is_told_before_anything_starts(olive: Client) -> None:
    tournament = event(4, deck_required=True)
    assert "4 players have no deck yet." in text_of(olive.post(manage(tournament, "start/"), follow=True))
    tournament.refresh_from_db()
    assert tournament.state == State.REGISTRATION


def test_settings_say_how_many_decks_were_of_another_game(olive: Client) -> None:
    tournament = event(2)
    load_catalogues(NOW, [get_system("doom_pile")])
    register_deck(account("ada"), entry(tournament, "Ada").members.get(), "", sample_decklist(copies=3), NOW)
    values = {**VALUES, "play": "house_game/open", "shown_play": "house_game/open"}
    assert "Change the game or format?" in text_of(olive.post(manage(tournament, "settings/"), values))
    assert tournament.entries.filter(members__deck_version__isnull=False).exists()
    sure = {**values, "confirmed_name": tournament.name}
    response = olive.post(manage(tournament, "settings/"), sure, follow=True)
    assert "1 deck doesn't fit the new format" in text_of(response)
    assert "removed the deck of no. 1 Ada" in text_of(olive.get(manage(tournament, "log/")))


def test_settings_of_a_running_event_keep_what_decides_results(olive: Client) -> None:
    tournament = running(4)
    values = {**VALUES, "best_of": "5", "win": "9", "tiebreaker_2": "ogw", "name": "Renamed", "swiss_rounds": "5"}
    assert olive.post(manage(tournament, "settings/"), values).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.swiss_rounds) == ("Renamed", 5)
    assert (tournament.best_of, tournament.scoring_policy.win) == (3, 3)
    assert tournament.scoring_policy.tiebreakers[1] == "omw"


def test_settings_refuse_fewer_rounds_than_paired(olive: Client) -> None:
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    next_round(tournament)
    response = olive.post(manage(tournament, "settings/"), {**VALUES, "swiss_rounds": "1"})
    assert "swiss_rounds" in response.context["form"].errors


def test_now_leads_from_draft_to_finish(olive: Client) -> None:
    tournament = create_tournament(account("olive"), draft(swiss_rounds=1), NOW)
    told = []

    def press(page: str, **values: str) -> None:
        told.append(text_of(olive.get(manage(tournament))))
        assert olive.post(manage(tournament, page), values).status_code == 302

    press("open/")
    press("entries/add-one/", name="Ada")
    olive.post(manage(tournament, "entries/add-one/"), {"name": "Ben"})
    press("start/")
    press("rounds/pair/", after="0")
    round_ = tournament.stages.get().rounds.get()
    press(f"rounds/{round_.pk}/publish/")
    told.append(text_of(olive.get(manage(tournament))))
    report_all(round_)
    press("finish/")
    told.append(text_of(olive.get(manage(tournament))))
    wanted = ("Open registration", "Enter players", "Start the event", "Pair round 1", "View pairings")
    wanted += ("Start the clock of round 1", "Finish the event", "The event is finished")
    assert [words for words, page in zip(wanted, told, strict=True) if words not in page] == []


def test_now_shows_staff_who_may_not_press(olive: Client) -> None:
    tournament = event(4)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    page = browser("kit").get(manage(tournament)).content.decode()
    assert "The organiser does this." in page
    assert "start/" not in page
    assert "cancel/" not in page


def test_now_names_conflicts_first(olive: Client) -> None:
    tournament = running(8)
    round_ = next_round(tournament)
    round_.matches.filter(table_number=3).update(state="conflict")
    page = text_of(olive.get(manage(tournament)))
    assert page.index("Table 3 two reports") < page.index("Table 1")


def test_refused_button_says_why_and_changes_nothing(olive: Client) -> None:
    tournament = event(1)
    response = olive.post(manage(tournament, "start/"), follow=True)
    assert "needs two players present" in text_of(response)
    tournament.refresh_from_db()
    assert tournament.state == State.REGISTRATION


def test_cancel_needs_the_name_and_a_reason(olive: Client) -> None:
    tournament = event(2, name="<b>Bold</b> Cup")
    response = olive.post(manage(tournament, "cancel/"), {"typed_name": "Other Cup", "reason": "Flood"})
    assert "typed_name" in response.context["cancel_form"].errors
    assert 'value="Flood"' in response.content.decode()
    assert "<b>Bold</b>" not in response.content.decode()
    olive.post(manage(tournament, "cancel/"), {"typed_name": "<B>bold</b>  cup", "reason": "Flood"})
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELLED
    assert "The event is cancelled." in text_of(olive.get(manage(tournament)))


def test_reopen_needs_a_reason(olive: Client) -> None:
    tournament = running(2, swiss_rounds=1)
    report_all(next_round(tournament))
    olive.post(manage(tournament, "finish/"))
    assert olive.post(manage(tournament, "reopen/"), {"reopen-reason": ""}).status_code == 200
    olive.post(manage(tournament, "reopen/"), {"reopen-reason": "Table 1 was wrong"})
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


def test_double_press_with_one_key_happens_once(olive: Client) -> None:
    values = {**VALUES, "idempotency_key": "one-press"}
    first, second = olive.post("/new/", values), olive.post("/new/", values)
    assert first.headers["Location"] == second.headers["Location"]
    assert Tournament.objects.count() == 1
