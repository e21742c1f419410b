"""Pages of leagues and profiles: who gets which, what they show, what they refuse."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from accounts.identity.services import set_profile_shown
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, entry, staff
from tests.tournaments.leagues.test_leagues import league_of, played
from tests.tournaments.web.organiser.test_organiser import browser, text_of
from tournaments.models import League, LeagueEvent, Role, Tournament
from tournaments.web.leagues.urls import manage as routes
from tournaments.web.public import profiles

pytestmark = pytest.mark.django_db
PRESSES = ("organisers/", "players/1/apart/", "events/1/weight/", "events/1/remove/", "finish/", "reopen/")
PAGES = ("", "settings/", "players/")
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
FORM = {"name": "Winter", "visibility": "public", "preset": "eight"}


def test_every_page_of_a_leagues_organiser_is_in_these_lists():
    plain = {re.sub(r"<int:\w+>", "1", str(route.pattern)) for route in routes}
    assert plain == {*PAGES, *PRESSES}


@pytest.mark.parametrize("page", [*PAGES, *PRESSES])
def test_pages_of_the_organiser_are_the_organisers(page):
    path = f"/l/{league_of(played('Ada', 'Ben')).slug}/manage/{page}"
    ask = "get" if page in PAGES else "post"
    account("mallory")
    assert getattr(Client(), ask)(path).status_code == 302
    assert getattr(browser("mallory"), ask)(path).status_code == 403
    assert getattr(browser("olive"), ask)(path).status_code in (200, 302, 404)


def test_private_league_answers_like_an_unknown_one():
    league = league_of(visibility="private")
    account("mallory")
    for client in (Client(), browser("mallory")):
        for page in ("", "standings.csv", "standings.xlsx", "manage/"):
            here, nowhere = (client.get(f"/l/{slug}/{page}") for slug in (league.slug, "no-such-league"))
            assert here.status_code == nowhere.status_code == 404
            told, nothing = (TOKEN.sub(b"", each.content) for each in (here, nowhere))
            assert told.replace(league.slug.encode(), b"no-such-league") == nothing


def test_league_is_made_filled_and_finished():
    event = played("Ada", "Ben")
    olive = browser("olive")
    answer = olive.post("/leagues/new/", FORM)
    league = League.objects.get()
    assert answer.headers["Location"] == f"/l/{league.slug}/manage/"
    olive.post(f"/l/{league.slug}/manage/", {"event": event.slug, "weight": 2})
    page = olive.get(f"/l/{league.slug}/").content.decode()
    assert "counts 2 times" in page
    assert "Sum: 20" in page
    assert "Winter" in Client().get("/leagues/").content.decode()
    olive.post(f"/l/{league.slug}/manage/finish/")
    assert olive.post(f"/l/{league.slug}/manage/events/{event.pk}/remove/").status_code == 302
    assert league.events.exists()


def test_an_old_tab_is_told_that_the_league_is_finished():
    league = league_of(played("Ada", "Ben"))
    olive = browser("olive")
    olive.post(f"/l/{league.slug}/manage/finish/")
    League.objects.update(name="Spring")
    for seen in ({}, {"seen": "old"}):
        answer = olive.post(f"/l/{league.slug}/manage/settings/", {**FORM, **seen})
        assert text_of(answer).count("The league is finished. Reopen it to change it.") == 1
        assert "Save again" not in text_of(answer), "it can't be saved"
    league.refresh_from_db()
    assert league.name == "Spring"


def test_an_old_tab_stores_no_settings_over_what_another_organiser_saved():
    league = league_of(played("Ada", "Ben"))
    olive, path = browser("olive"), f"/l/{league.slug}/manage/settings/"
    tab = mark_of(olive.get(path))
    assert olive.post(path, {**FORM, "seen": tab}).status_code == 302
    refused = olive.post(path, {**FORM, "name": "Spring", "best_of_events": "3", "seen": tab})
    assert "Not saved: another person has changed this since you opened the page." in text_of(refused)
    assert "Stored now: Winter, Public" in text_of(refused)
    assert 'value="Spring"' in refused.content.decode(), "what was typed stays"
    league.refresh_from_db()
    assert (league.name, league.best_of_events) == ("Winter", None)
    assert olive.post(path, {**FORM, "name": "Spring", "seen": mark_of(refused)}).status_code == 302
    league.refresh_from_db()
    assert league.name == "Spring"


def mark_of(answer):
    """The mark that an open page of settings sends along."""
    return re.search(r'name="seen" value="(\w+)"', answer.content.decode())[1]


def test_the_day_of_an_event_is_that_of_its_place():
    late = played("Ada", "Ben")
    Tournament.objects.filter(pk=late.pk).update(
        starts_at=datetime(2026, 11, 27, 11, 30, tzinfo=UTC), time_zone="Pacific/Auckland"
    )  # half past midnight there
    league, olive = league_of(late), browser("olive")
    assert "28 November 2026" in Client().get(f"/l/{league.slug}/").content.decode()
    assert "28 Nov 2026" in olive.get(f"/l/{league.slug}/manage/").content.decode()
    other = league_of()
    assert "2026-11-28" in olive.get(f"/l/{other.slug}/manage/").content.decode()


def test_weight_is_changed_where_it_stands():
    event = played("Ada", "Ben")
    league, olive = league_of(event), browser("olive")
    path = f"/l/{league.slug}/manage/"
    assert "<option selected>1</option>" in olive.get(path).content.decode()
    for weight, stored in (("3", 3), ("10", 3), ("", 3), ("9", 9)):
        olive.post(f"{path}events/{event.pk}/weight/", {"weight": weight})
        assert league.events.get().weight == stored
    assert "<option selected>9</option>" in olive.get(path).content.decode()


def test_an_event_of_others_leaves_the_league_only_once_its_name_is_typed():
    event = played("Ada", "Ben")
    league, olive = league_of(event), browser("olive")
    Role.objects.filter(tournament=event, user=account("olive").user).delete()
    path = f"/l/{league.slug}/manage/events/{event.pk}/remove/"
    assert "Only who organises the event can add it again" in olive.post(path).content.decode()
    assert league.events.exists()
    olive.post(path, {"confirmed_name": event.name})
    assert not league.events.exists()


def test_a_cancelled_event_does_not_count_for_good():
    event = played("Ada", "Ben", finish=False)
    league = league_of(event)
    page = f"/l/{league.slug}/"
    assert "does not count yet" in Client().get(page).content.decode()
    Tournament.objects.filter(pk=event.pk).update(state="cancelled")
    told = Client().get(page).content.decode()
    assert "does not count" in told
    assert "does not count yet" not in told


def test_what_is_wrong_with_points_is_told_in_the_language_of_the_page():
    account("olive")
    page = browser("olive").post(
        "/leagues/new/", {**FORM, "preset": "own", "points": "5 7"}, headers={"accept-language": "de"}
    )
    assert "cannot be worth less" not in page.content.decode()
    assert "darf nicht weniger" in page.content.decode()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"preset": "own", "points": ""}, "Write the points"),
        ({"preset": "own", "points": "5 seven"}, "Write whole numbers"),
        ({"preset": "own", "points": "5 7"}, "cannot be worth less"),
        ({"name": ""}, "This field is required"),
        ({"visibility": "secret"}, "Select a valid choice"),
    ],
)
def test_bad_league_keeps_what_was_typed(typed, told):
    account("olive")
    page = browser("olive").post("/leagues/new/", {**FORM, "best_of_events": "7", **typed}).content.decode()
    assert told in page
    assert 'value="7"' in page
    assert not League.objects.exists()


def test_staff_of_its_events_run_a_league_too_and_one_always_stays():
    event = played("Ada", "Ben")
    league = league_of(event, visibility="private")
    path = f"/l/{league.slug}/manage/"
    olive, mallory, juno = browser("olive"), account("mallory"), staff(event, "juno", "judge")
    for name in (mallory.user.username, "nobody at all"):
        refused = olive.post(f"{path}organisers/", {"username": name}).content.decode()
        assert "This user isn&#x27;t staff of any event" in refused
        assert f'value="{name}"' in refused
    assert browser("juno").get(path).status_code == 404
    olive.post(f"{path}organisers/", {"username": juno.user.username})
    assert "juno" in olive.get(f"{path}settings/").content.decode()
    assert browser("juno").get(path).status_code == 200
    browser("juno").post(f"{path}organisers/", {"remove": "olive"})
    assert olive.get(path).status_code == 404
    browser("juno").post(f"{path}organisers/", {"remove": "juno"})
    assert list(league.organisers.values_list("username", flat=True)) == ["juno"]


def test_own_points_are_read_and_shown_again():
    league = league_of()
    olive = browser("olive")
    olive.post(f"/l/{league.slug}/manage/settings/", {**FORM, "preset": "own", "points": "12, 9 – 7"})
    league.refresh_from_db()
    assert (league.points, league.points_for_playing) == ([12, 9, 7], 0)
    assert 'value="12 9 7"' in olive.get(f"/l/{league.slug}/manage/settings/").content.decode()


def test_players_are_joined_and_parted():
    first, second = played("Ada", "Ben"), played("Ada L.", "Ben", days=7)
    league, olive = league_of(first, second), browser("olive")
    ada, other, ben = (
        entry(event, name).members.get().person_id
        for event, name in ((first, "Ada"), (second, "Ada L."), (second, "Ben"))
    )
    path = f"/l/{league.slug}/manage/players/"
    joined = olive.post(path, {"person": other, "other": ada}, follow=True)
    assert "They count as one player." in joined.content.decode()
    assert olive.get(f"/l/{league.slug}/").content.decode().count('scope="row"') == 2
    olive.post(f"{path}{ben}/apart/")
    assert olive.get(f"/l/{league.slug}/").content.decode().count('scope="row"') == 3
    refused = olive.post(path, {"person": ben, "other": other}).content.decode()
    assert "two people" in refused or "valid choice" in refused


def test_csv_guards_names_and_counts_events():
    league = league_of(played("=Ada", "Ben", name="+Cup"))
    text = Client().get(f"/l/{league.slug}/standings.csv").content.decode("utf-8-sig")
    assert text.startswith("rank,player,points,events,'+Cup: rank")
    assert "'=Ada" in text
    assert "counts" in text


def test_event_of_others_is_not_offered():
    event = played("Ada", "Ben")
    account("mallory")
    mallory = browser("mallory")
    mallory.post("/leagues/new/", FORM)
    league = League.objects.get()
    page = mallory.post(f"/l/{league.slug}/manage/", {"event": event.slug, "weight": 1}).content.decode()
    assert "Select a valid choice" in page
    assert not league.events.exists()


def test_pages_take_the_same_number_of_queries():
    olive, counts = browser("olive"), []
    for size in (1, 4):
        league = league_of(*(played(*[f"P{number}" for number in range(2 * size)], days=day) for day in range(size)))
        found = []
        for page in ("", "standings.csv", "manage/", "manage/players/"):
            olive.get(f"/l/{league.slug}/{page}")
            found.append(count_queries(olive.get, f"/l/{league.slug}/{page}"))
        counts.append(found)
    assert counts[0] == counts[1]


def test_the_age_of_a_leagues_pages_is_in_the_time_zone_of_its_events():
    league = league_of()
    assert '+00:00"' in page_of(league)
    LeagueEvent.objects.create(league=league, tournament=played("Ada", "Ben", time_zone="Asia/Kolkata"), added_at=NOW)
    assert '+05:30"' in page_of(league)


def test_the_month_in_the_list_of_leagues_is_in_the_time_zone_of_their_events():
    league = league_of(played("Ada", "Ben", time_zone="Asia/Kolkata"))
    League.objects.filter(pk=league.pk).update(created_at=datetime(2026, 10, 31, 20, tzinfo=UTC))
    assert "November 2026" in text_of(Client().get("/leagues/"))
    LeagueEvent.objects.create(league=league, tournament=played("Ada", "Ben", days=1), added_at=NOW)
    assert "October 2026" in text_of(Client().get("/leagues/"))
    LeagueEvent.objects.all().delete()
    assert "October 2026" in text_of(Client().get("/leagues/"))


def page_of(league):
    return Client().get(f"/l/{league.slug}/").content.decode()


def test_opponents_of_a_profile_are_paged(monkeypatch):
    monkeypatch.setattr(profiles, "MEETINGS_A_PAGE", 1)
    ada = account("ada")
    set_profile_shown(ada.user, ada, NOW, shown=True)
    played("Ben", accounts=["ada"])
    played("Cem", accounts=["ada"], days=7)
    address = f"/players/{ada.person.public_id}/"
    first = page_lines(address)
    assert "Page 1 of 2" in first
    assert ("Ben" in first, "Cem" in first) == (True, False)
    html = Client().get(address).content.decode()
    path, anchor = re.search(r'href="(\?[^"]*page=2)#([^"]+)"', html).groups()
    assert f'id="{anchor}"' in html, "the next page opens at its opponents"
    second = page_lines(address + path.replace("&amp;", "&"))
    assert ("Ben" in second, "Cem" in second) == (False, True)


def page_lines(address):
    return text_of(Client().get(address))


def test_profile_is_switched_on_and_off_by_its_owner():
    played(accounts=["ada", "dora"])
    ada, path = browser("ada"), f"/players/{account('ada').person.public_id}/"
    unknown = Client().get("/players/nobody-at-all/")
    off = Client().get(path)
    assert (off.status_code, off.content) == (404, unknown.content)
    assert ada.post("/my/profile/", {"shown": "1"}).headers["Location"] == path
    page = Client().get(path).content.decode()
    assert "dora" in page
    assert "of 2" in page
    ada.post("/my/profile/")
    assert Client().get(path).status_code == 404
    assert Client().post("/my/profile/", {"shown": "1"}).status_code == 302
    assert Client().get(path).status_code == 404


def test_own_account_offers_the_profile():
    account("ada")
    ada = browser("ada")
    assert "switched off" in ada.get("/accounts/me/").content.decode()
    set_profile_shown(account("ada").user, account("ada"), NOW, shown=True)
    assert account("ada").person.public_id in ada.get("/accounts/me/").content.decode()
