"""Teams: several members share one seat and one total; mates join by link, and sit opposite each other."""

import re

import pytest

from accounts.models import Person
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from scoring.games.doomtrooper.tally.sheet import read_sheet
from scoring.standings.results import table_result
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, draft, entry, event, next_round, staff, table
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.entries.entry_lists import read_entry_list
from tournaments.entries.selectors.entries import active_entries, around_the_table, members_by_entry
from tournaments.entries.selectors.teams import team_token
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.entries.services.members import add_member, change_member, join_team
from tournaments.events.selectors.undoing import undoable_acts
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.models import Entry, EntryMember, Role, Tournament
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.pairing.pods.sizes import table_sizes
from tournaments.permissions import member_of
from tournaments.results.services.reports import report_result
from tournaments.sheets.selectors.sheets import players_on_sheet
from tournaments.standings.selectors.standings import standing_rows
from tournaments.structure.recommended import recommended_stages
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of
from tournaments.structure.services.stages import set_stages

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
THREE = [
    EntryDraft("Red", members=("Ada", "Ben")),
    EntryDraft("Blue", members=("Cem", "Dora")),
    EntryDraft("Green", members=("Emil", "Fay", "Gus")),
]


def team_event(drafts=(), mode="teams"):
    """A Doomtrooper event of teams, open for registration, at tables of three."""
    olive = account("olive")
    said = draft(game="doomtrooper", game_format="second-edition", best_of=1, sheet_options={"mode": mode})
    tournament = open_registration(olive, create_tournament(olive, said, NOW), NOW)
    set_stages(olive, tournament, [StageDraft("tables", planned_rounds=1, tables=TablePolicy(3, 2, 3))], NOW)
    if drafts:
        register_walk_ins(olive, tournament, drafts, NOW)
    return tournament


def test_the_list_of_a_team_event_is_read_back_with_its_members():
    """The file for the staff is a list that can be imported: a team in it keeps its members."""
    drafts = [EntryDraft("Red", members=("Ada", "Ben")), EntryDraft("Blue", members=("Cem", "Dora"))]
    held = team_event(drafts)
    text = browser(account("olive")).get(f"/e/{held.slug}/manage/entries.csv").content.decode("utf-8-sig")
    read = {each.name: each.members for each in read_entry_list(text).drafts}
    assert read == {"Red": ("Ada", "Ben"), "Blue": ("Cem", "Dora")}


def names_of(team):
    return [member.person.name for member in team.members.order_by("order")]


def test_a_team_is_one_entry_with_everybody_as_a_person():
    tournament = team_event(THREE)
    assert [(each.name, names_of(each)) for each in tournament.entries.all()] == [
        ("Red", ["Ada", "Ben"]), ("Blue", ["Cem", "Dora"]), ("Green", ["Emil", "Fay", "Gus"]),
    ]  # fmt: skip
    assert EntryMember.objects.values("person").distinct().count() == 7


def test_a_line_of_a_list_names_the_members_of_a_team():
    read = read_entry_list("Red; Club;;; Ada + Ben\nCem")
    assert [(each.name, each.members) for each in read.drafts] == [("Red", ("Ada", "Ben")), ("Cem", ())]
    assert [(each.name, each.members) for each in read_entry_list("Red: Ada, Ben\nCem: solo").drafts] == [
        ("Red", ("Ada", "Ben")),
        ("Cem: solo", ()),
    ]
    headed = read_entry_list("name,members\nBlue,Cem + Dora")
    assert headed.drafts[0].members == ("Cem", "Dora")


@pytest.mark.parametrize("members", [("Ada", " "), tuple("ABCDEFG")])
def test_members_that_cannot_be_are_refused(members):
    with pytest.raises(DomainError) as caught:
        team_event([EntryDraft("Red", members=members)])
    assert caught.value.code in ("bad_name", "too_many_members")


def test_mates_sit_opposite_each_other():
    tournament = team_event(THREE)
    sitting = around_the_table(tournament, list(tournament.entries.all()))
    assert [name for name, _team in sitting] == ["Ada", "Cem", "Emil", "Ben", "Dora", "Fay", "Gus"]
    assert around_the_table(team_event(), []) == []


def test_members_are_named_in_events_of_teams_alone():
    assert set(members_by_entry(team_event(THREE)).values()) == {each.members for each in THREE}
    assert members_by_entry(team_event(THREE, mode="free_for_all")) == {}


def test_a_team_has_one_seat_and_one_total():
    tournament = start_tournament(account("olive"), team_event(THREE), NOW)
    match = table(next_round(tournament))
    assert match.seats.count() == 3
    report_result(account("olive"), match, table_result([1, 2, 3]), NOW)
    assert len(standing_rows(tournament)) == 3


def test_every_member_acts_by_the_own_link():
    tournament = team_event(THREE)
    token = issue_entry_link(account("olive"), entry(tournament, "Green"), database_now(), member=3)
    client = browser()
    client.get(f"/p/{token}/")
    assert "Green" in text_of(page(client, url(tournament, "register/")))
    assert refusal(issue_entry_link, account("olive"), entry(tournament, "Red"), NOW, member=3) == "no_member"


def test_staff_add_members_before_the_start():
    tournament = team_event(THREE)
    olive = browser(account("olive"))
    olive.post(url(tournament, "manage/entries/1/members/"), {"name": "Hana"})
    assert names_of(entry(tournament, "Red")) == ["Ada", "Ben", "Hana"]
    assert "Hana" in text_of(page(olive, url(tournament, "manage/entries/1/")))
    start_tournament(account("olive"), tournament, NOW)
    with pytest.raises(DomainError, match="wrong_state"):
        add_member(account("olive"), entry(tournament, "Red"), "Ida", NOW)


def test_a_member_is_corrected_and_keeps_the_personal_link():
    tournament = team_event(THREE)
    token = issue_entry_link(account("olive"), entry(tournament, "Red"), database_now(), member=2)
    start_tournament(account("olive"), tournament, NOW)
    Person.objects.update(mails_pairings=True)
    olive = browser(account("olive"))
    path = url(tournament, "manage/entries/1/members/2/")
    assert path in page(olive, url(tournament, "manage/entries/1/"))
    assert olive.post(path, {"name": " Bengt  Ø. ", "email": "bengt@example.org"}).status_code == 302
    assert names_of(entry(tournament, "Red")) == ["Ada", "Bengt Ø."]
    person = entry(tournament, "Red").members.get(order=2).person
    assert (person.email, person.mails_pairings) == ("bengt@example.org", False)  # nobody confirmed it
    assert olive.post(path, {"name": "Bengt", "email": ""}).status_code == 302
    person.refresh_from_db()
    assert (person.name, person.email) == ("Bengt", "bengt@example.org")
    client = browser()
    client.get(f"/p/{token}/")
    assert "Red" in text_of(page(client, url(tournament, "register/")))
    assert "corrected member 2 of no. 1 Red" in text_of(page(olive, url(tournament, "manage/log/")))
    [act, _later] = LedgerEntry.objects.filter(stream=tournament.stream, act="entry.member_changed").order_by(
        "sequence"
    )
    assert set(act.personal_values.values_list("key", "value")) == {("before", "Ben"), ("name", "Bengt Ø.")}
    assert verify_stream(tournament.stream) == []


@pytest.mark.parametrize(
    ("values", "code"),
    [({"name": "\u200b"}, "bad_name"), ({"order": 3}, "no_member"), ({"user": "ada"}, "has_account"),
     ({"elsewhere": True}, "plays_elsewhere"), ({"finished": True}, "wrong_state")],
)  # fmt: skip
def test_a_member_who_is_not_the_organisers_to_correct_stays(values, code):
    tournament, olive = team_event(THREE), account("olive")
    red = entry(tournament, "Red")
    ada = red.members.get(order=1).person
    if "user" in values:
        Person.objects.filter(pk=ada.pk).update(user=account(values["user"]).user)
    if "elsewhere" in values:
        register_walk_ins(olive, (other := team_event()), [EntryDraft("Ada")], NOW)
        EntryMember.objects.filter(tournament=other).update(person=ada)
    if "finished" in values:
        Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    with pytest.raises(DomainError) as caught:
        change_member(olive, red, values.get("order", 1), NOW, name=values.get("name", "Adda"))
    assert (caught.value.code, names_of(red)) == (code, ["Ada", "Ben"])
    if code in ("bad_name", "plays_elsewhere"):
        sent = browser(olive).post(url(tournament, "manage/entries/1/members/1/"), {"name": values.get("name", "Adda")})
        assert "Nothing was saved" in text_of(sent.content.decode())


def test_who_creates_no_links_does_not_say_where_they_are_mailed():
    tournament = team_event(THREE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    kit = browser(account("kit"))
    assert 'name="email"' not in page(kit, url(tournament, "manage/entries/1/"))
    kit.post(url(tournament, "manage/entries/1/members/1/"), {"name": "Adda", "email": "kit@example.org"})
    person = entry(tournament, "Red").members.get(order=1).person
    assert (person.name, person.email) == ("Adda", "")
    address = f"/api/v1/events/{tournament.slug}/entries/1/members/1/"
    refused = kit.patch(address, {"email": "kit@example.org"}, content_type="application/json")
    assert refused.status_code == 403
    changed = kit.patch(address, {"name": "Ada"}, content_type="application/json")
    assert changed.status_code == 200, changed.content
    person.refresh_from_db()
    assert (person.name, person.email) == ("Ada", "")


def test_mates_join_by_the_link_of_their_team():
    tournament = team_event()
    ada, ben = account("ada"), account("ben")
    team = sign_up(ada, tournament, ada.person, NOW, team="Red Guard")
    assert team.name == "Red Guard"
    shown = page(browser(ada), url(tournament, "register/"))
    path = re.search(r"/e/[^<\s]+/join/[^<\s]+/", shown)[0]
    answer = browser(ben).post(path)
    assert answer.status_code == 302
    assert names_of(team) == ["ada", "ben"]
    again = browser(ben).post(path)
    assert "You are already entered" in text_of(again.content.decode())
    assert browser(account("cem")).post(path[:-3] + "zz/").status_code == 404
    token = path.split("/")[-2]
    update_settings(account("olive"), tournament, {"sheet_options": {"mode": "free_for_all"}}, NOW)
    assert refusal(join_team, account("cem"), tournament, token, account("cem").person, NOW) == "no_teams"


def test_pages_name_members_and_how_they_sit():
    tournament = start_tournament(account("olive"), team_event(THREE), NOW)
    match = table(next_round(tournament))
    assert "Red (Ada, Ben)" in text_of(page(browser(), url(tournament, "pairings/")))
    own = text_of(page(guest_of(tournament, "Ben"), url(tournament, "my/")))
    assert "Around the table in turn order" in own
    assert "Around the table" in text_of(page(browser(account("olive")), url(tournament, f"match/{match.pk}/")))
    assert "Green (Emil, Fay, Gus)" in text_of(page(browser(), url(tournament)))


def test_the_page_of_a_team_is_headed_by_its_name_alone():
    shown = page(browser(), url(start_tournament(account("olive"), team_event(THREE), NOW), "player/3/"))
    assert "<h1>Green</h1>" in shown
    assert "Green Emil, Fay, Gus no. 3" in text_of(shown)


def guest_of(tournament, name):
    """The browser of a member who came by link."""
    member = EntryMember.objects.get(tournament=tournament, person__name=name)
    client = browser()
    client.get(f"/p/{issue_entry_link(account('olive'), member.entry, database_now(), member=member.order)}/")
    return client


@pytest.mark.parametrize(
    ("teams", "on_sheet"),
    [([("Red", "Ada", "Ben"), ("Blue", "Ada", "Cem")], [("Red", "Ada (Red)", "Ben"), ("Blue", "Ada (Blue)", "Cem")]),
     ([("Ada", "Ada", "Ben"), ("Blue", "Cem", "Dora")], [("Ada", "Ada", "Ben"), ("Blue", "Cem", "Dora")]),
     ([("Ada", "Emil", "Ben"), ("Blue", "ada", "Dora")], [("Ada", "Emil", "Ben"), ("Blue", "ada (Blue)", "Dora")]),
     ([("Red", "Ada", "Ada"), ("Blue", "Cem", "Ada (Red)")],
      [("Red", "Ada (Red) (2)", "Ada (Red) (3)"), ("Blue", "Cem", "Ada (Red)")]),
     ([("Red", "A" * 120, "Ada"), ("R" * 120, "A" * 120, "Ben")],
      [("Red", f"{'A' * 60} (Red)", "Ada"), ("R" * 120, f"{'A' * 60} ({'R' * 120})", "Ben")])],
)  # fmt: skip
def test_everybody_has_a_name_of_their_own_on_a_sheet(teams, on_sheet):
    tournament = team_event([EntryDraft(name, members=members) for name, *members in teams])
    match = table(next_round(start_tournament(account("olive"), tournament, NOW)))
    seats = sorted(match.seats.all(), key=lambda seat: seat.entry.number)
    players = players_on_sheet(tournament, seats)
    assert [(player["name"], *player["members"]) for player in players] == on_sheet
    assert len(read_sheet({"players": players}).sides) == 2


def test_a_number_that_somebody_is_called_by_is_not_given_again():
    drafts = [EntryDraft("Ada"), EntryDraft("ada"), EntryDraft("Ada #1")]
    match = table(next_round(start_tournament(account("olive"), team_event(drafts), NOW)))
    players = players_on_sheet(match.round.stage.tournament, list(match.seats.all()))
    assert len({player["name"].casefold() for player in players}) == 3


@pytest.mark.parametrize(
    ("mode", "players", "sizes"),
    [("teams", 2, (2,)), ("teams", 3, (3,)), ("teams", 4, (2, 2)), ("primary_targets", 3, (3,)),
     ("primary_targets", 5, (5,)), ("primary_targets", 6, (3, 3))],
)  # fmt: skip
def test_a_way_to_play_for_several_is_played_at_tables(mode, players, sizes):
    said = draft(game="doomtrooper", game_format="second-edition", best_of=1, sheet_options={"mode": mode})
    tournament = create_tournament(account("olive"), said, NOW)
    (usual,), (recommended, *_later) = stage_drafts_of(tournament), recommended_stages(tournament, players)
    assert (usual.kind, recommended.kind, usual.tables) == ("tables", "tables", recommended.tables)
    assert sorted(table_sizes(players, usual.tables).sizes) == sorted(sizes)
    assert usual.tables.primary_targets == (mode == "primary_targets")
    set_stages(account("olive"), tournament, recommended_stages(tournament, players), NOW)


def test_duels_stay_pairs_and_follow_a_mode_agreed_on_later():
    tournament = event(game="doomtrooper", game_format="second-edition", best_of=1)
    assert [each.kind for each in stage_drafts_of(tournament)] == ["swiss"]
    update_settings(account("olive"), tournament, {"sheet_options": {"mode": "teams"}}, NOW)
    assert [each.kind for each in stage_drafts_of(tournament)] == ["tables"]


def joined(mate, team):
    """An account joins a team by the link that its first member has now."""
    token = team_token(team.tournament, team.members.get(order=1))
    return join_team(mate, team.tournament, token, mate.person, NOW)


def withdrawn_team(*mates):
    """An event whose first team Red, of accounts of these names, has withdrawn, beside Cem's team Blue."""
    tournament, cem, (first, *others) = team_event(), account("cem"), [account(name) for name in mates]
    red = sign_up(first, tournament, first.person, NOW, team="Red")
    for mate in others:
        joined(mate, red)
    sign_up(cem, tournament, cem.person, NOW, team="Blue")
    drop_entry(first, red, NOW)
    return tournament


def playing(tournament):
    """Who plays, by entry."""
    return {each.name: names_of(each) for each in active_entries(tournament)}


@pytest.mark.parametrize("mates", [("ben",), ("ada", "ben")])
def test_who_withdrew_joins_another_team_by_its_link(mates):
    tournament = withdrawn_team(*mates)
    path = team_address_of("cem", tournament)
    assert browser(account("ben")).post(path).status_code == 302
    assert playing(tournament) == {"Blue": ["cem", "ben"]}
    assert member_of(account("ben"), tournament).entry.name == "Blue"
    assert "You are already entered" in text_of(browser(account("ben")).post(path).content.decode())
    assert "entry.withdrawn" not in {each.act for each in undoable_acts(account("olive"), tournament, NOW)}
    red = entry(tournament, "Red")
    refused = browser(account("olive")).post(url(tournament, f"manage/entries/{red.number}/return/"), follow=True)
    assert "ben plays in another entry now" in text_of(refused.content.decode())
    assert playing(tournament) == {"Blue": ["cem", "ben"]}
    drop_entry(account("ben"), entry(tournament, "Blue"), NOW)
    return_entry(account("olive"), red, NOW)
    assert playing(tournament) == {"Red": list(mates)}
    assert verify_stream(tournament.stream) == []


def team_address_of(name, tournament):
    """The address by which mates join the team of the account of this name."""
    return re.search(r"/e/[^<\s]+/join/[^<\s]+/", page(browser(account(name)), url(tournament, "register/")))[0]


def test_a_mate_who_signs_up_again_does_not_bring_the_team_back():
    tournament = withdrawn_team("ada", "ben")
    ben = browser(account("ben"))
    assert "Red has withdrawn. You sign up without the team" in text_of(page(ben, url(tournament, "register/")))
    assert ben.post(url(tournament, "register/"), {"act": "sign_up", "team": "Green"}).status_code == 302
    assert playing(tournament) == {"Blue": ["cem"], "Green": ["ben"]}
    assert entry(tournament, "Red").state == Entry.State.WITHDRAWN
    assert sign_up(account("ada"), tournament, account("ada").person, NOW).name == "ada"
    assert verify_stream(tournament.stream) == []


def test_who_withdrew_alone_comes_back_under_the_new_name_of_the_team():
    tournament = withdrawn_team("ada")
    again = sign_up(account("ada"), tournament, account("ada").person, NOW, team="Green")
    assert (again.number, again.name, playing(tournament)) == (1, "Green", {"Green": ["ada"], "Blue": ["cem"]})


def test_a_page_says_that_a_mate_withdraws_the_whole_team():
    tournament = withdrawn_team("ben")
    assert "Your whole team withdraws" not in page(browser(account("cem")), url(tournament, "register/"))
    browser(account("ben")).post(team_address_of("cem", tournament))
    assert "Your whole team withdraws" in page(browser(account("cem")), url(tournament, "register/"))
