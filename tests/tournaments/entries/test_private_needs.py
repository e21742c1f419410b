"""Private needs: which table, how much time and what size of slip they give, and what officials are told."""

import re

import pytest
from django.test import Client

from journal.models import LedgerEntry, PersonalValue
from tests.refusals import refusal
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, entry, event, next_round, running, staff
from tests.tournaments.web.visitors import text_of
from tournaments.entries.selectors.private_needs import Obstacle, need_lines
from tournaments.entries.services.pairing_constraints import fix_table, note_needs
from tournaments.events.services.events import start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Entry, Match, Role, Round, Stage
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.rounds.selectors.recomputed import Verdict, recompute_round
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round

pytestmark = pytest.mark.django_db
DOOR, QUIET, LARGE = Entry.Need.DOOR, Entry.Need.QUIET, Entry.Need.LARGE_PRINT


def olive():
    return account("olive")


def note(tournament, name, *needs, minutes=0):
    return note_needs(olive(), entry(tournament, name), needs, minutes, NOW)


def mark(tournament, **tables):
    update_settings(olive(), tournament, {f"{need}_tables": text for need, text in tables.items()}, NOW)
    tournament.refresh_from_db()


def table_of(round_, name):
    return Match.objects.get(round=round_, seats__entry__name=name).table_number


def obstacles(round_):
    """What is not met, for whom and why, with who is in the way."""
    return [
        (line.entry.name, unmet.need, unmet.why, [each.name for each in unmet.others])
        for line in need_lines(round_)
        for unmet in line.unmet
    ]


@pytest.mark.parametrize("kind", [Stage.Kind.SWISS, Stage.Kind.ROUND_ROBIN, Stage.Kind.TABLES, "single"])
def test_pairing_seats_who_needs_it_at_such_a_table_and_can_be_recomputed(kind):
    tournament = running(8)
    mark(tournament, door="2", quiet=" 2 – 4,9 ")
    Stage.objects.filter(tournament=tournament).update(kind=kind)
    note(tournament, "Hana", DOOR, QUIET, LARGE)
    round_ = next_round(tournament)
    assert table_of(round_, "Hana") == 2
    assert obstacles(round_) == []
    assert recompute_round(round_).verdict is Verdict.SAME


def test_who_is_in_the_way_is_told_by_name():
    tournament = running(6)
    note(tournament, "Ada", DOOR)
    first = next_round(tournament)
    assert obstacles(first) == [("Ada", DOOR, Obstacle.NONE_MARKED, [])]
    other = first.matches.exclude(seats__entry__name="Ada").first().seats.first().entry.name
    partner = partner_of(first, "Ada")
    mark(tournament, door="3")
    withdraw_round(olive(), first, "again", NOW)
    note(tournament, other, DOOR)
    second = next_round(tournament)
    assert [each[1:3] for each in obstacles(second)] == [(DOOR, Obstacle.TAKEN)]
    assert {obstacles(second)[0][0], *obstacles(second)[0][3]} == {"Ada", other}
    note(tournament, other)
    fix_table(olive(), entry(tournament, partner), 1, NOW)
    withdraw_round(olive(), second, "again", NOW)
    third = next_round(tournament)
    assert obstacles(third) == [("Ada", DOOR, Obstacle.FIXED, [partner])]
    fix_table(olive(), entry(tournament, partner), None, NOW)
    note(tournament, partner, QUIET)
    mark(tournament, quiet="2")
    withdraw_round(olive(), third, "again", NOW)
    fourth = next_round(tournament)
    assert [each[2] for each in obstacles(fourth)] == [Obstacle.TOGETHER]
    assert set(obstacles(fourth)[0][3]) == {"Ada", partner}
    note(tournament, partner)
    note(tournament, "Ada", QUIET)
    mark(tournament, quiet="9")
    assert obstacles(Round.objects.get(pk=fourth.pk)) == [("Ada", QUIET, Obstacle.CHANGED, [])]


def partner_of(round_, name):
    seats = Match.objects.get(round=round_, seats__entry__name=name).seats
    return seats.exclude(entry__name=name).get().entry.name


def test_two_who_meet_take_one_such_table_and_leave_the_other_free():
    tournament = running(8)
    first = next_round(tournament)
    one, other = (seat.entry.name for seat in first.matches.get(table_number=1).seats.all())
    third = first.matches.get(table_number=2).seats.first().entry.name
    for name in (one, other, third):
        note(tournament, name, DOOR)
    mark(tournament, door="3-4")
    withdraw_round(olive(), first, "again", NOW)
    again = next_round(tournament)
    assert (table_of(again, one), table_of(again, other), obstacles(again)) == (3, 3, [])
    assert table_of(again, third) == 4


def test_extra_minutes_come_with_publishing_and_with_a_table_made_later():
    tournament = running(4)
    round_ = pair_next_round(olive(), tournament, NOW, seed=1)
    note(tournament, "Ada", minutes=5)
    note(tournament, "Ben", minutes=10)
    publish_round(olive(), round_, NOW)
    for match in round_.matches.all():
        needed = max(seat.entry.extra_minutes for seat in match.seats.all())
        assert match.extra_seconds == 60 * needed
    round_.refresh_from_db()
    round_.matches.update(extra_seconds=0)
    tables = [match.seats.all()[0].entry_id for match in round_.matches.all()]
    seen = seen_mark(round_, round_draft_of(round_))
    change_round(olive(), round_, Change(Act.SWAP, entries=tuple(tables)), "asked", NOW, seen=seen)
    assert sorted(round_.matches.values_list("extra_seconds", flat=True)) in ([0, 600], [300, 600])
    assert not LedgerEntry.objects.filter(stream=tournament.stream, act="match.extra_time").exists()


def test_paired_again_by_hand_who_needs_a_table_keeps_it():
    tournament = running(6)
    note(tournament, "Ada", DOOR)
    mark(tournament, door="3")
    round_ = next_round(tournament)
    other = round_.matches.get(table_number=1).seats.first().entry_id
    partner = entry(tournament, partner_of(round_, "Ada"))
    for act, entries in ((Act.SWAP, (other, partner.pk)), (Act.PAIR_REST, ())):
        seen = seen_mark(round_, round_draft_of(round_))
        change_round(olive(), round_, Change(act, entries=entries), "asked", NOW, seen=seen)
    assert table_of(round_, "Ada") == 3


def test_the_log_tells_whose_needs_changed_and_never_which():
    tournament = event(2)
    assert note(tournament, "Ada", LARGE, DOOR, minutes=10).needs == [DOOR, LARGE]
    note(tournament, "Ada", DOOR, LARGE, minutes=10)
    entries = LedgerEntry.objects.filter(stream=tournament.stream, act="need.changed")
    assert [each.subjects for each in entries] == [{}]
    assert set(PersonalValue.objects.filter(entry__in=entries).values_list("value", flat=True)) == {"1", "private"}
    for needs, minutes, code in (
        ([DOOR, "sofa"], 0, "bad_need"),
        ([], 61, "bad_extra_time"),
        ([], -1, "bad_extra_time"),
    ):
        assert refusal(note_needs, olive(), entry(tournament, "Ada"), needs, minutes, NOW) == code


@pytest.mark.parametrize("text", ["0", "4-1", "10000", "1-", "door", "-3", "1--4"])
def test_marked_tables_are_numbers(text):
    assert refusal(update_settings, olive(), event(2), {"quiet_tables": text}, NOW) == "bad_event"


def test_programs_of_officials_note_needs_and_alone_read_the_tables():
    tournament = event(2)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    path = path_of(tournament)
    good(caller("olive").patch(path, {"door_tables": "1-4, 9"}))
    juno, private = caller("juno"), f"{path}entries/1/needs/private/"
    told = good(juno.put(private, {"needs": ["door"], "extra_minutes": 5}))
    assert told == {"fixed_table": None, "needs": ["door"], "extra_minutes": 5, "kept_apart": []}
    assert (
        caller("juno").put(f"{path}entries/1/needs/private/", {"needs": ["sofa"], "extra_minutes": 5}).status_code
        == 400
    )
    assert good(caller("juno").get(path))["door_tables"] == "1-4, 9"
    assert {good(caller(name).get(path))["door_tables"] for name in ("kit", "")} == {None}


def browser(name):
    client = Client()
    client.force_login(account(name).user)
    return client


def test_officials_read_needs_beside_the_round_and_scorekeepers_only_print_large():
    tournament = event(4)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    root = f"/e/{tournament.slug}/"
    values = {"needs": ["door", "large_print"], "extra_minutes": "10"}
    assert browser("kit").post(f"{root}manage/entries/1/needs/", values).status_code == 403
    assert browser("olive").post(f"{root}manage/entries/1/needs/", values).status_code == 302
    tournament = start_tournament(olive(), tournament, NOW)
    round_ = next_round(tournament)
    match = Match.objects.get(round=round_, seats__entry__number=1)
    for path in ("desk/", "manage/rounds/", f"match/{match.pk}/", "manage/entries/1/"):
        shown, hidden = (browser(name).get(root + path).content.decode().lower() for name in ("olive", "kit"))
        assert "near the door" in shown, path  # the choices of the form begin with a capital
        assert "near the door" not in hidden
    desk = text_of(browser("olive").get(f"{root}desk/").content.decode())
    assert "Ada, not met: near the door · large-print slips · +10 min" in desk
    assert "No table is marked for this" in browser("olive").get(f"{root}manage/rounds/").content.decode()
    slips = browser("kit").get(f"{root}print/slips/").getvalue().decode()
    assert re.findall(r'<section class="slip( large)?">\s*<div[^>]*>\s*<h2>Table (\d)', slips) == [
        (" large" if number == match.table_number else "", str(number)) for number in (1, 2)
    ]
