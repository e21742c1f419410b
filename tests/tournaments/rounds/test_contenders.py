"""Contenders: everything the pairing core is told about the active entries, read in a constant number of queries."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.standings.records import MatchKind
from tests.tournaments.factories import NOW, account, entry, name_of, next_round, report_all, running, score, table
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.models import AwardedBye, Entry, KeptApart, Match, Tournament
from tournaments.pairing.swiss.contenders import Contender, Finish, PairingPolicy
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.contenders import contenders_of, round_input_of
from tournaments.rounds.services.rounds import ManualPairing, enter_pairings, publish_round, withdraw_round

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def named(tournament: Tournament, number: int, **options: bool) -> dict[str, Contender]:
    """The contenders before a round, by name."""
    names = dict(tournament.entries.values_list("pk", "name"))
    return {names[each.id]: each for each in contenders_of(tournament, number, **options)}


def change(tournament: Tournament, name: str, **values: object) -> None:
    Entry.objects.filter(tournament=tournament, name=name).update(**values)


def play(tournament: Tournament, *pairs: str, won: tuple[int, int] = (2, 0)) -> None:
    """A round of pairs such as "Ada Ben", the first seat first (a single name has a bye); every match ends `won`."""
    olive = account("olive")
    places = [[entry(tournament, name) for name in pair.split()] for pair in pairs]
    pairings = [
        ManualPairing(*place) if len(place) > 1 else ManualPairing(place[0], None, MatchKind.BYE) for place in places
    ]
    report_all(publish_round(olive, enter_pairings(olive, tournament, pairings, NOW), NOW), *won)


def test_newcomers_are_as_usual_but_for_their_place():
    tournament = running(3)
    assert [each.place for each in contenders_of(tournament, 1)] == [1, 1, 1]
    assert contenders_of(tournament, 1)[0] == Contender(entry(tournament, "Ada").pk, 0, place=1)


def test_score_opponents_bye_place_and_seats_come_from_the_rounds_so_far():
    tournament = running(5)
    play(tournament, "Ada Ben", "Cem Dora", "Emil")
    play(tournament, "Cem Ada", "Emil Ben", "Dora")
    ids = {name: entry(tournament, name).pk for name in ("Ada", "Ben", "Cem", "Dora", "Emil")}
    found = named(tournament, 3)
    ada, emil, dora = found["Ada"], found["Emil"], found["Dora"]
    assert (ada.score, ada.opponents) == (3, tuple(sorted((ids["Ben"], ids["Cem"]))))
    assert (ada.firsts, ada.seconds, ada.last_seat, ada.had_bye) == (1, 1, 2, False)
    assert (emil.score, emil.opponents, emil.had_bye) == (6, (ids["Ben"],), True)
    assert (emil.firsts, emil.seconds, emil.last_seat) == (1, 0, 1)
    assert (dora.had_bye, dora.last_seat, dora.opponents) == (True, 2, (ids["Cem"],))
    assert {name for name, each in found.items() if each.place <= 2} == {"Cem", "Emil"}


def test_repeated_opponent_is_listed_again():
    tournament = running(2)
    play(tournament, "Ada Ben")
    play(tournament, "Ben Ada")
    assert named(tournament, 3)["Ada"].opponents == (entry(tournament, "Ben").pk,) * 2


def test_mates_are_told_by_the_lowest_id_among_them_whatever_the_case():
    tournament = running(5)
    for name, club, team in (("Ada", "Doom  Club", "Reds"), ("Cem", "doom club", ""), ("Dora", "Other", "reds")):
        change(tournament, name, club=club, team=team)
    found = named(tournament, 1)
    ada = str(entry(tournament, "Ada").pk)
    assert {name: each.club for name, each in found.items()} == {
        "Ada": ada, "Ben": None, "Cem": ada, "Dora": None, "Emil": None,
    }  # fmt: skip
    assert [name for name, each in found.items() if each.team == ada] == ["Ada", "Dora"]
    assert "doom" not in json.dumps(round_input_of(tournament, 1, 1).as_dict()).casefold()


def test_kept_apart_fixed_table_and_awarded_bye_are_told():
    tournament = running(4)
    ada, ben = entry(tournament, "Ada"), entry(tournament, "Ben")
    KeptApart.objects.create(one=ada, other=ben)
    change(tournament, "Cem", fixed_table=7)
    AwardedBye.objects.create(entry=entry(tournament, "Dora"), round_number=2)
    found = named(tournament, 2)
    assert (found["Ada"].apart, found["Ben"].apart, found["Cem"].apart) == ((ben.pk,), (ada.pk,), ())
    assert [name for name, each in found.items() if each.awarded_bye] == ["Dora"]
    assert (found["Cem"].fixed_table, found["Ada"].fixed_table) == (7, None)
    assert not any(each.awarded_bye for each in contenders_of(tournament, 1))


def test_awarded_bye_counts_like_a_bye_afterwards():
    tournament = running(4)
    for name in ("Ada", "Ben"):
        AwardedBye.objects.create(entry=entry(tournament, name), round_number=1)
    report_all(next_round(tournament))
    found = named(tournament, 2)
    assert [(found[name].had_bye, found[name].score) for name in ("Ada", "Ben")] == [(True, 3)] * 2
    assert not found["Cem"].had_bye


def test_floats_are_counted_by_the_points_before_each_round():
    tournament = running(4)
    play(tournament, "Ada Ben", "Cem Dora")
    play(tournament, "Ada Dora", "Cem Ben")
    play(tournament, "Ada Cem", "Ben Dora")
    floats = {name: (each.downfloats, each.upfloats) for name, each in named(tournament, 4, with_floats=True).items()}
    assert floats == {"Ada": (1, 0), "Ben": (0, 1), "Cem": (1, 0), "Dora": (0, 1)}
    assert {(each.downfloats, each.upfloats) for each in contenders_of(tournament, 4)} == {(0, 0)}


def test_floats_are_read_only_where_the_finish_of_this_round_needs_them():
    tournament = running(4, swiss_rounds=3)
    tournament.pairing = PairingPolicy(last_finish=Finish.FEWEST_FLOATS).as_dict()
    play(tournament, "Ada Ben", "Cem Dora")
    play(tournament, "Ada Dora", "Cem Ben")
    assert not any(each.downfloats for each in round_input_of(tournament, 4, 1).contenders)
    given = round_input_of(tournament, 3, 1)
    assert given.policy.finish is Finish.FEWEST_FLOATS
    assert sum(each.downfloats for each in given.contenders) == 2


def test_match_without_a_result_counts_as_met_and_for_nothing_else():
    tournament = running(4)
    round_ = next_round(tournament)
    report_result(account("olive"), table(round_, 1), score(2, 0), NOW)
    open_match = table(round_, 2)
    assert open_match.state == Match.State.OPEN
    first, second = (seat.entry_id for seat in open_match.seats.all())
    found = {each.id: each for each in contenders_of(tournament, 2)}
    assert (found[first].opponents, found[second].opponents) == ((second,), (first,))
    assert (found[first].score, found[first].firsts, found[second].seconds) == (0, 1, 1)


def test_only_rounds_before_this_one_count():
    tournament = running(5)
    play(tournament, "Ada Ben", "Cem Dora", "Emil")
    assert contenders_of(tournament, 1) == [Contender(each.id, 0, place=1) for each in contenders_of(tournament, 2)]


def test_round_taken_back_does_not_count():
    tournament = running(5)
    before = contenders_of(tournament, 2)
    withdraw_round(account("olive"), next_round(tournament), "late", NOW)
    assert contenders_of(tournament, 2) == before


def test_who_dropped_is_left_out_and_who_came_late_is_in():
    tournament = running(4)
    play(tournament, "Ada Ben", "Cem Dora")
    drop_entry(account("olive"), entry(tournament, "Dora"), NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Late")], NOW)
    found = named(tournament, 2)
    assert list(found) == ["Ada", "Ben", "Cem", "Late"]
    assert (found["Late"].score, found["Late"].opponents) == (0, ())
    assert found["Cem"].opponents == (entry(tournament, "Dora").pk,)


def test_absence_without_an_opponent_is_no_bye():
    tournament = running(3)
    olive = account("olive")
    places = [
        ManualPairing(entry(tournament, "Ada"), entry(tournament, "Ben")),
        ManualPairing(entry(tournament, "Cem"), None, MatchKind.NO_SHOW),
    ]
    report_all(publish_round(olive, enter_pairings(olive, tournament, places, NOW), NOW))
    cem = named(tournament, 2)["Cem"]
    assert (cem.had_bye, cem.score, cem.opponents, cem.last_seat) == (False, 0, (), 0)


@pytest.mark.parametrize("players", [10, 60])
def test_queries_do_not_grow_with_the_field(players):
    tournament = running(players)
    report_all(next_round(tournament))
    next_round(tournament)
    change(tournament, name_of(0), club="Doom", team="Reds")
    with CaptureQueriesContext(connection) as asked:
        assert len(contenders_of(tournament, 3, with_floats=True)) == players
    assert len(asked) == 7
