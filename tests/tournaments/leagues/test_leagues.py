"""Leagues: which events count, who is shown, who may say so; the same number of queries however many events."""

from datetime import timedelta
from itertools import permutations

import pytest

from accounts.identity.services import set_profile_shown
from accounts.models import Person
from rules_engine.errors import NotFound
from tests.queries import count_queries
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, draft, entry, next_round, report_all
from tests.tournaments.structure.test_structure import SINGLE, cut, held, play_stage, swiss
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import create_tournament, finish_tournament, open_registration, start_tournament
from tournaments.leagues.selectors import (
    events_to_add,
    find_league,
    hidden_events,
    league_table,
    listed_leagues,
)
from tournaments.leagues.services import (
    LeagueDraft,
    add_league_event,
    change_league,
    create_league,
    finish_league,
    join_players,
    remove_league_event,
    reopen_league,
    tell_player_apart,
)
from tournaments.models import Entry, LeagueEvent, Role, Tournament
from tournaments.statistics.services import rate_game

pytestmark = pytest.mark.django_db
Visibility = Tournament.Visibility
POINTS = (10, 8, 6, 5)


def played(*guests, accounts=(), days=0, finish=True, **changes):
    """Olive's event of one round, the first of each table winning; over, unless told otherwise."""
    olive = account("olive")
    settings = draft(swiss_rounds=1, starts_at=NOW + timedelta(days=days), **changes)
    tournament = open_registration(olive, create_tournament(olive, settings, NOW), NOW)
    for name in accounts:
        sign_up(account(name), tournament, account(name).person, NOW)
    if guests:
        register_walk_ins(olive, tournament, [EntryDraft(name) for name in guests], NOW)
    tournament = start_tournament(olive, tournament, NOW)
    report_all(next_round(tournament))
    return finish_tournament(olive, tournament, NOW) if finish else tournament


def league_of(*tournaments, **changes):
    made = create_league(account("olive"), LeagueDraft(**{"name": "Winter", "points": POINTS, **changes}), NOW)
    for each in tournaments:
        add_league_event(account("olive"), made, each, NOW)
    return made


def points(league):
    return {line.name: line.standing.points for line in league_table(league).lines}


def test_points_add_up_over_finished_events():
    first, second = played("Ada", "Ben"), played("Ada", "Ben", days=7)
    league = league_of(first, second, played("Ada", "Ben", days=14, finish=False))
    table = league_table(league)
    assert sum(line.standing.points for line in table.lines) == 2 * (10 + 8)
    assert [each.counts for each in table.events] == [True, True, False]
    assert [each.players for each in table.events] == [2, 2, 0]


def test_weight_counts_and_can_be_changed():
    event = played("Ada", "Ben")
    league = league_of(event)
    add_league_event(account("olive"), league, event, NOW, weight=3)
    assert sorted(points(league).values()) == [24, 30]
    Role.objects.filter(tournament=event, user=account("olive").user).delete()
    add_league_event(account("olive"), league, event, NOW, weight=2)  # who runs the league weighs its events
    assert sorted(points(league).values()) == [16, 20]


def test_whoever_never_played_gets_nothing():
    event = played("Ada", "Ben", finish=False)
    register_walk_ins(account("olive"), event, [EntryDraft("Late Lou")], NOW)
    finish_tournament(account("olive"), event, NOW)
    assert "Late Lou" not in points(league_of(event))


def test_every_kind_of_stage_brings_points():
    """An elimination, and a second part in which points start again and nothing was played: ranks count, not wins."""
    bracket = held(4, SINGLE)
    play_stage(bracket)
    parts = held(6, swiss(2), swiss(2, qualify="top", qualify_value=4))
    play_stage(parts)
    cut(parts)
    for event, early in ((bracket, ""), (parts, "the hall closes")):
        finish_tournament(account("olive"), event, NOW, early=early)
    assert sorted(points(league_of(bracket)).values()) == [6, 6, 8, 10]
    table = league_table(league_of(parts))
    assert [each.players for each in table.events] == [6]
    assert table.lines[0].standing.points == 10


def test_a_seed_with_a_bye_counts_by_its_rank_where_the_event_ends_before_its_first_match():
    bracket = held(3, SINGLE)
    report_all(next_round(bracket), 2, 0)
    finish_tournament(account("olive"), bracket, NOW, early="the hall closes")
    assert sorted(points(league_of(bracket)).values()) == [6, 10, 10]  # two are to play the final: both first


def test_disqualified_has_no_line():
    event = played("Ada", "Ben")
    Entry.objects.filter(tournament=event, name="Ben").update(state="disqualified", dropped_after=1)
    league = league_of(event)
    assert [line.name for line in league_table(league).lines] == ["Ada"]


@pytest.mark.parametrize(
    ("of_league", "of_event", "taken"),
    [
        ("public", "public", True), ("public", "unlisted", False), ("public", "private", False),
        ("unlisted", "unlisted", True), ("unlisted", "private", False), ("private", "private", True),
    ],
)  # fmt: skip
def test_league_takes_no_event_that_fewer_people_may_see(of_league, of_event, taken):
    event, league = played("Ada", "Ben", visibility=of_event), league_of(visibility=of_league)
    assert (event in events_to_add(account("olive"), league)) is taken
    if taken:
        assert add_league_event(account("olive"), league, event, NOW)
        return
    assert refusal(add_league_event, account("olive"), league, event, NOW) == "event_hidden"


@pytest.mark.parametrize("values", [{"visibility": "private"}, {"visibility": "unlisted"}, {"state": "draft"}])
def test_event_hidden_later_is_neither_shown_nor_counted(values):
    event = played("Ada", "Ben")
    league = league_of(event)
    Tournament.objects.filter(pk=event.pk).update(**values)
    table = league_table(league)
    assert (table.events, table.lines) == ((), ())
    assert [each.tournament_id for each in hidden_events(league)] == [event.pk]


def test_league_opened_wider_than_its_events_leaves_them_out():
    league = league_of(played("Ada", "Ben", visibility="unlisted"), visibility="unlisted")
    assert points(league)
    change_league(account("olive"), league, LeagueDraft("Winter", POINTS), NOW)
    league.refresh_from_db()
    assert points(league) == {}


def test_rehearsal_counts_nowhere():
    event = played("Ada", "Ben")
    league = league_of(event, visibility="private")
    Tournament.objects.filter(pk=event.pk).update(rehearsal_of=played("Cem", "Dora"))
    assert points(league) == {}
    event.refresh_from_db()
    assert refusal(add_league_event, account("olive"), league, event, NOW) == "is_rehearsal"


def test_event_of_others_cannot_be_added():
    event, league = played("Ada", "Ben"), create_league(account("mallory"), LeagueDraft("Mine", POINTS), NOW)
    with pytest.raises(NotFound):
        add_league_event(account("mallory"), league, event, NOW)
    assert not events_to_add(account("mallory"), league).exists()


@pytest.mark.parametrize(
    ("name", "seen"), [("public", {"olive", "mallory"}), ("unlisted", {"olive", "mallory"}), ("private", {"olive"})]
)
def test_hidden_league_is_found_by_its_organisers_alone(name, seen):
    league = league_of(visibility=name)
    for who in ("olive", "mallory"):
        listed = league in listed_leagues(account(who))
        assert listed is (who == "olive" or name == "public")
        if who in seen:
            assert find_league(account(who), league.slug) == league
        else:
            assert refusal(find_league, account(who), league.slug) == "unknown_league"


def test_account_is_one_player_whatever_the_name():
    first, second = played("Ben", accounts=["ada"]), played("Ben", accounts=["ada"], days=7)
    entry(second, "ada").members.update()
    Entry.objects.filter(tournament=second, name="ada").update(name="Ada the Great")
    assert set(points(league_of(first, second))) == {"Ada the Great", "Ben"}


def test_organiser_joins_and_parts_guests():
    first, second = played("Ada", "Ben"), played("Ada L.", "Ben", days=7)
    league, olive = league_of(first, second), account("olive")
    assert set(points(league)) == {"Ada", "Ada L.", "Ben"}
    ada, other = (entry(event, name).members.get().person for event, name in ((first, "Ada"), (second, "Ada L.")))
    join_players(olive, league, other, ada, NOW)
    assert set(points(league)) == {"Ada L.", "Ben"}
    tell_player_apart(olive, league, other, NOW)
    ben = entry(second, "Ben").members.get().person
    tell_player_apart(olive, league, ben, NOW)
    assert [line.name for line in league_table(league).lines].count("Ben") == 2


def test_two_who_met_cannot_be_joined():
    event = played("Ada", "Ben")
    league = league_of(event)
    ada, ben = (entry(event, name).members.get().person for name in ("Ada", "Ben"))
    assert refusal(join_players, account("olive"), league, ada, ben, NOW) == "same_event"
    stranger = account("mallory").person
    with pytest.raises(NotFound):
        tell_player_apart(account("olive"), league, stranger, NOW)


def test_two_cannot_be_joined_whose_other_selves_met():
    first, second, third = played("Ada", "Ben"), played("Ada", "Cem", days=7), played("Ann", "Dora", days=14)
    fourth = played("Ann", "Ada L.", days=21)
    league, olive = league_of(first, second, third, fourth), account("olive")
    ada, ann = entry(first, "Ada").members.get().person, entry(third, "Ann").members.get().person
    later = entry(fourth, "Ada L.").members.get().person
    join_players(olive, league, later, ada, NOW)
    assert refusal(join_players, olive, league, ada, ann, NOW) == "same_event"
    join_players(olive, league, later, ada, NOW)  # said again, it is so already


def three():
    """A league in which Ada played under three names, with the persons of these."""
    names = ("Ada", "Ada L.", "A. Lovelace")
    events = [played(name, "Ben", days=7 * week) for week, name in enumerate(names)]
    persons = [entry(event, name).members.get().person for event, name in zip(events, names, strict=True)]
    return league_of(*events), persons


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_third_name_joins_both_others(order):
    league, persons = three()
    one, two, three_ = (persons[each] for each in order)
    join_players(account("olive"), league, one, two, NOW)
    join_players(account("olive"), league, one, three_, NOW)
    assert len(points(league)) == 2
    join_players(account("olive"), league, two, one, NOW)  # said again, it is so already
    assert len(points(league)) == 2


@pytest.mark.parametrize("apart", range(3))
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_of_three_is_told_apart_and_the_others_stay_together(order, apart):
    league, persons = three()
    one, two, three_ = (persons[each] for each in order)
    join_players(account("olive"), league, one, two, NOW)
    join_players(account("olive"), league, three_, two, NOW)
    tell_player_apart(account("olive"), league, persons[apart], NOW)
    groups = groups_of(league)
    rest = frozenset(each.pk for each in persons if each != persons[apart])
    assert {rest, frozenset({persons[apart].pk})} <= groups


def groups_of(league):
    return {frozenset(each.person for each in line.persons) for line in league_table(league).lines}


def show(person, visibility):
    Tournament.objects.filter(entries__members__person=person).update(visibility=visibility)


@pytest.mark.parametrize("apart", [1, 2])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_parting_two_loses_nothing_of_whom_a_hidden_event_holds(order, apart):
    league, persons = three()
    hidden, *seen = (persons[each] for each in order)
    for other in seen:
        join_players(account("olive"), league, hidden, other, NOW)
    show(hidden, Visibility.PRIVATE)
    assert {each.pk for each in seen} in groups_of(league)
    tell_player_apart(account("olive"), league, persons[order[apart]], NOW)
    assert {frozenset({each.pk}) for each in seen} <= groups_of(league)
    show(hidden, Visibility.PUBLIC)
    assert any(hidden.pk in each and len(each) == 2 for each in groups_of(league))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_joining_two_loses_nothing_of_whom_a_hidden_event_holds(order):
    league, persons = three()
    hidden, one, two = (persons[each] for each in order)
    join_players(account("olive"), league, hidden, one, NOW)
    show(hidden, Visibility.PRIVATE)
    join_players(account("olive"), league, one, two, NOW)
    show(hidden, Visibility.PUBLIC)
    assert frozenset(each.pk for each in persons) in groups_of(league)


def test_erased_person_is_shown_by_a_pseudonym():
    event = played("Ada", "Ben", accounts=["cem", "dora"])
    set_profile_shown(account("cem").user, account("cem"), NOW, shown=True)
    league = league_of(event)
    Person.objects.filter(pk__in=[account("cem").person.pk, entry(event, "Ada").members.get().person_id]).update(
        erased_at=NOW
    )
    lines = league_table(league).lines
    assert {"Ada", "cem"}.isdisjoint(line.name for line in lines)
    assert sum(line.name.startswith("Erased player") for line in lines) == 2
    assert not any(line.profile for line in lines)


def test_profile_and_rating_are_shown_of_those_alone_who_want_it():
    event = played("Ben", "Cem", accounts=["ada", "dora"])
    rate_game("doom_pile", NOW)
    set_profile_shown(account("ada").user, account("ada"), NOW, shown=True)
    shown = {line.name: (bool(line.profile), line.rating is not None) for line in league_table(league_of(event)).lines}
    assert shown == {"ada": (True, True), "dora": (False, False), "Ben": (False, False), "Cem": (False, False)}


def test_finished_league_changes_no_more_until_it_is_opened():
    event, olive = played("Ada", "Ben"), account("olive")
    league = league_of(event)
    finish_league(olive, league, NOW)
    for act in (
        lambda: add_league_event(olive, league, event, NOW),
        lambda: remove_league_event(olive, league, event, NOW),
        lambda: change_league(olive, league, LeagueDraft("Other", POINTS), NOW),
    ):
        assert refusal(act) == "league_finished"
    reopen_league(olive, league, NOW)
    remove_league_event(olive, league, event, NOW)
    assert not LeagueEvent.objects.filter(league=league).exists()


@pytest.mark.parametrize(
    "changes",
    [{"points": (1, 5)}, {"points": ()}, {"name": " "}, {"best_of_events": 0}, {"visibility": "secret"}],
)
def test_league_that_makes_no_sense_is_refused(changes):
    assert refusal(league_of, **changes) == "bad_league"


def test_other_game_and_odd_weights_are_refused():
    event, olive = played("Ada", "Ben"), account("olive")
    for league, weight, code in ((league_of(game="doomlings"), 1, "other_game"), (league_of(), 10, "bad_weight")):
        assert refusal(add_league_event, olive, league, event, NOW, weight=weight) == code


def test_table_takes_the_same_number_of_queries():
    few = league_of(played("Ada", "Ben"))
    many = league_of(*(played(*[f"P{number}" for number in range(8)], days=day) for day in range(5)))
    counts = []
    for league in (few, many):
        league_table(league)  # as workers leave it: standings in the cache
        counts.append(count_queries(league_table, league))
    assert counts[0] == counts[1] <= 7
