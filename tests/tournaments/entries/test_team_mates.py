"""Mates of a team at its table: each has the rights of a player there, and none that staff lose at their own table."""

import csv

import pytest

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from scoring.standings.results import table_result
from tests.refusals import refusal
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.entries.test_teams import joined, team_event
from tests.tournaments.factories import NOW, account, next_round, staff, table
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.decks.selectors.deck_checks import readings_of
from tournaments.decks.selectors.deck_view import may_see_deck
from tournaments.decks.services.deck_checks import allow_deck, draw_check, record_check
from tournaments.decks.services.decks import register_deck
from tournaments.decks.services.shown_decks import read_shown_deck
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import EntryDraft, sign_up
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.models import DeckCheck, EntryMember, JudgeCall, Role, Tournament
from tournaments.penalties.selectors import found_penalties
from tournaments.penalties.services import give_penalty
from tournaments.permissions import require_staff_reporter
from tournaments.results.services.reports import report_result
from tournaments.room.selectors.no_shows import no_show_at
from tournaments.room.services.calls import call_judge, claim_call, withdraw_call
from tournaments.statistics.selectors.profiles import profile_of
from tournaments.statistics.selectors.ratings import rated_history
from tournaments.statistics.selectors.statistics import compute_statistics

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
TEAMS = {"Red": ("ada", "ben"), "Blue": ("cem", "dora")}


def teams_of_accounts(teams=TEAMS):
    """An event of these teams, whose members all have accounts."""
    tournament = team_event()
    for team, (first, *mates) in teams.items():
        entered = sign_up(account(first), tournament, account(first).person, NOW, team=team)
        for mate in mates:
            joined(account(mate), entered)
    return tournament


def with_decks(tournament):
    """The same event in which everybody has a deck, each of other cards."""
    load_catalogues(NOW, [get_system("doomtrooper")])
    names = sorted(card.name for card in get_system("doomtrooper").shipped_cards)
    for first, member in enumerate(EntryMember.objects.filter(tournament=tournament)):
        text = "\n".join(f"5 {name}" for name in names[first * 12 : first * 12 + 12])
        register_deck(account("olive"), member, f"Deck of {member}", text, NOW)
    return tournament


def started(tournament):
    """The table of the first round of a team event, begun."""
    return table(next_round(start_tournament(account("olive"), tournament, NOW)))


def member_named(tournament, name):
    members = EntryMember.objects.select_related("entry", "person", "tournament", "deck_version")
    return members.get(tournament=tournament, person__name=name)


@pytest.fixture
def held():
    return teams_of_accounts()


def test_a_mate_calls_a_judge_to_the_table_of_the_team(held):
    match = started(held)
    assert "Call a judge" in text_of(page(browser(account("ben")), url(held, "my/")))
    assert call_judge(account("ben"), match, "rules", "", NOW).member.person.name == "ben"


def test_a_judge_does_not_go_to_the_table_of_a_mate(held):
    match, ben = started(held), staff(held, "ben", Role.Name.JUDGE)
    assert refusal(claim_call, ben, call_judge(account("cem"), match, "rules", "", NOW), NOW) == "own_table"


def test_a_scorekeeper_does_not_enter_the_result_of_a_mate_for_the_staff(held):
    match, ben = started(held), staff(held, "ben", Role.Name.SCOREKEEPER)
    assert refusal(require_staff_reporter, ben, held, match) == "own_match"


def test_a_team_whose_mate_called_is_not_the_one_that_is_missing(held):
    Tournament.objects.filter(pk=held.pk).update(no_show_match_minutes=0)
    held.refresh_from_db()
    match = started(held)
    call = call_judge(account("ben"), match, JudgeCall.Kind.MISSING, "", NOW)
    [missing] = no_show_at(match, call, NOW).absent
    assert sorted(match.seats.all(), key=lambda seat: seat.order)[missing].entry.name == "Blue"


def test_opponents_are_shown_the_decks_of_all_mates_who_see_none_of_each_other(held):
    Tournament.objects.filter(pk=held.pk).update(deck_publish=Tournament.DeckPublish.TO_OPPONENT)
    held.refresh_from_db()
    held = started(with_decks(held)).round.stage.tournament
    for reader in ("ada", "ben"):
        seen = {
            name
            for name in ("ada", "ben", "cem", "dora")
            if may_see_deck(account(reader), held, member_named(held, name), NOW)
        }
        assert seen == {reader, "cem", "dora"}
    dora = member_named(held, "dora")
    read_shown_deck(account("ben"), held, dora.entry.number, NOW, dora.order)
    assert [reading.name for reading in readings_of(held, dora)] == ["ben"]


def test_the_draw_takes_the_decks_of_all_members_in_turn(held):
    with_decks(held)
    staff(held, "juno", Role.Name.JUDGE)
    juno = account("juno")
    drawn = []
    for _deck in range(4):
        member = draw_check(juno, held, NOW).member
        record_check(juno, member, DeckCheck.Outcome.OK, "", NOW)
        drawn.append(member.person.name)
    assert sorted(drawn) == ["ada", "ben", "cem", "dora"]
    assert {name in TEAMS["Red"] for name in drawn[:2]} == {True, False}
    client, asked = browser(juno), f"{path_of(held)}deck-checks/"
    checks = good(caller("juno").get(asked))["results"]
    assert sorted((each["player"], each["member"]) for each in checks) == [
        ("Blue", 1),
        ("Blue", 2),
        ("Red", 1),
        ("Red", 2),
    ]
    dora = member_named(held, "dora")
    shown = page(client, url(held, f"manage/decks/?drawn={dora.entry.number}&member=2"))
    assert f"{url(held, f'manage/decks/{dora.entry.number}/read/')}?member=2" in shown
    assert "Blue (no. 2) dora" in text_of(shown)
    assert "Checked 1 time so far" in text_of(shown)
    assert "checked the deck of no. 2 Blue, member 2" in text_of(page(client, url(held, "manage/log/")))


def test_nobody_draws_or_settles_the_deck_of_a_mate(held):
    started(with_decks(held))
    ben, ada = staff(held, "ben", Role.Name.JUDGE), member_named(held, "ada")
    assert refusal(draw_check, ben, held, NOW) == "nobody_to_check"
    assert refusal(record_check, ben, ada, DeckCheck.Outcome.OK, "", NOW, reason="alone") == "own_deck"
    assert refusal(allow_deck, ben, ada, "alone", NOW) == "own_deck"


def test_the_page_of_a_match_lists_every_deck_at_the_table(held):
    match, _juno = started(with_decks(held)), staff(held, "juno", Role.Name.JUDGE)
    told = text_of(page(browser(account("juno")), url(held, f"match/{match.pk}/")))
    assert all(f"{name} legal" in told or f"{name} not legal" in told for name in ("ada", "ben", "cem", "dora"))


def test_every_deck_of_a_team_counts_in_the_statistics(held):
    match = started(with_decks(held))
    report_result(account("olive"), match, table_result([1, 2]), NOW)
    decks = compute_statistics(held, shows_decks=True).decks
    assert sum(share.count for share in decks.shares) == 4
    assert sum(rate.played for rate in decks.rates) + 4 * decks.mirrors == 4


def test_the_standings_as_a_file_name_the_members_of_teams(held):
    match = started(held)
    report_result(account("olive"), match, table_result([1, 2]), NOW)
    for client, path in ((browser(), url(held, "standings.csv")), (caller("olive"), f"{path_of(held)}standings.csv")):
        rows = csv.DictReader(client.get(path).content.decode("utf-8-sig").splitlines())
        assert {row["player"]: row["members"] for row in rows} == {"Red": "ada + ben", "Blue": "cem + dora"}


def test_results_of_a_team_are_nobodys_rating_and_nobodys_opponents():
    held = teams_of_accounts()
    report_result(account("olive"), started(held), table_result([1, 2]), NOW)
    Tournament.objects.filter(pk=held.pk).update(visibility="public")
    held.refresh_from_db()
    finish_tournament(account("olive"), held, NOW)
    assert rated_history("doomtrooper") == []
    for name in ("ada", "ben"):
        [game] = profile_of(account(name).person).games
        assert (len(game.events), game.meetings) == (1, ())


def test_a_team_is_found_by_the_name_of_a_mate(held):
    started(held)
    olive = browser(account("olive"))
    for path in ("manage/entries/?q=dora", "manage/check-in/?q=dora", "find/?q=dora", "standings/?q=dora"):
        told = text_of(page(olive, url(held, path)))
        assert "Blue" in told, path
        assert "ben" not in told, path


def test_staff_see_the_deck_of_each_mate_and_in_the_list_the_one_that_lacks_most(held):
    with_decks(held)
    EntryMember.objects.filter(tournament=held, person__name="dora").update(deck_version=None, deck_registered_at=None)
    staff(held, "juno", Role.Name.JUDGE)
    olive, blue = browser(account("olive")), member_named(held, "dora").entry
    told = text_of(page(olive, url(held, "manage/entries/?q=Blue")))
    assert "missing" in told
    told = text_of(page(olive, url(held, f"manage/entries/{blue.number}/")))
    assert "dora Deck: missing" in told
    assert "cem Deck: registered" in told
    sheet = browser(account("juno")).post(
        url(held, f"manage/decks/{member_named(held, 'ben').entry.number}/sheet/?member=2")
    )
    assert "ben" in text_of(sheet.content.decode())


def test_the_api_and_the_penalties_find_a_team_by_the_name_of_a_mate(held):
    match, path = started(held), f"{path_of(held)}entries/?q=dora"
    assert [each["name"] for each in caller("olive").get(path).json()["results"]] == ["Blue"]
    give_penalty(account("olive"), member_named(held, "dora").entry, "warning", "Slow", NOW, match=match)
    assert [each.entry.name for each in found_penalties(held, "DORA")] == ["Blue"]
    assert list(found_penalties(held, "ben")) == []


def test_the_lists_of_two_mates_are_files_of_two_names(held):
    started(with_decks(held))
    Tournament.objects.filter(pk=held.pk).update(decks_published_at=NOW)
    path = url(held, f"decks/{member_named(held, 'cem').entry.number}/")
    for page_of in ("export/text/", "proof.txt"):
        files = [browser().get(f"{path}{page_of}{query}")["Content-Disposition"] for query in ("", "?member=2")]
        assert len(set(files)) == 2, files


def test_a_mate_takes_a_call_back_that_the_other_made(held):
    match = started(held)
    call = call_judge(account("ada"), match, "rules", "", NOW)
    assert refusal(withdraw_call, account("cem"), call, NOW) == "not_your_call"
    assert "Cancel the call" in text_of(page(browser(account("ben")), url(held, "my/")))
    assert withdraw_call(account("ben"), call, NOW).state == "withdrawn"


def test_a_mate_reads_who_the_team_is(held):
    assert "Members ada, ben" in text_of(page(browser(account("ben")), url(held, "register/")))


def test_my_match_leads_to_the_list_of_every_opponent_who_shows_it(held):
    Tournament.objects.filter(pk=held.pk).update(deck_publish=Tournament.DeckPublish.TO_OPPONENT)
    started(with_decks(Tournament.objects.get(pk=held.pk)))
    told = text_of(page(browser(account("ben")), url(held, "my/")))
    assert "Your opponent's list · cem Your opponent's list · dora" in told


def test_the_page_of_a_team_leads_to_every_list_that_is_shown(held):
    started(with_decks(held))
    blue = member_named(held, "cem").entry
    EntryMember.objects.filter(entry=blue, order=1).update(deck_version=None)
    Tournament.objects.filter(pk=held.pk).update(decks_published_at=NOW)
    shown = page(browser(), url(held, f"player/{blue.number}/"))
    assert "Decklist · dora" in text_of(shown)
    assert f'"{url(held, f"decks/{blue.number}/")}?member=2"' in shown
    assert f'"{url(held, f"decks/{blue.number}/")}"' not in shown


def test_a_mate_reads_that_the_whole_team_drops_out(held):
    started(held)
    assert "Your whole team drops out." in text_of(page(browser(account("ben")), url(held, "my/drop/")))


def test_the_log_says_for_whom_of_a_team_a_link_was_created():
    held = team_event([EntryDraft("Red", members=("Ada", "Ben"))])
    issue_entry_link(account("olive"), held.entries.get(), database_now(), member=2)
    log = text_of(page(browser(account("olive")), url(held, "manage/log/")))
    assert "created a personal link for no. 1 Red, member 2" in log
