"""Who takes part: each way out of each service, and lists of people."""

from datetime import timedelta

import pytest

from accounts.models import Person
from journal.models import LedgerEntry, PersonalValue
from rules_engine.errors import DomainError
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tournaments.entries.entry_lists import decode_upload, read_entry_list
from tournaments.entries.selectors.entries import active_entries, shared_names
from tournaments.entries.services.attendance import check_in_entry, drop_entry, return_entry
from tournaments.entries.services.entries import EntryDraft, clean_name, register_walk_ins, sign_up
from tournaments.models import Entry, Tournament

db = pytest.mark.django_db


@db
def test_two_people_of_one_name_stay_apart():
    tournament = event()
    entries = register_walk_ins(account("olive"), tournament, [EntryDraft("Alex Kim"), EntryDraft("Alex  Kim ")], NOW)
    assert [one.name for one in entries] == ["Alex Kim", "Alex Kim"]
    assert [one.number for one in entries] == [1, 2]
    assert Person.objects.filter(name="Alex Kim").count() == 2
    assert shared_names(tournament) == {"alex kim"}


@db
def test_names_stand_in_the_ledger_only_as_digests():
    tournament = event(1)
    written = LedgerEntry.objects.get(stream=tournament.stream, act="entry.registered")
    assert "Ada" not in str(written.subjects) + str(written.digests)
    assert PersonalValue.objects.get(entry=written).value == "Ada"


@db
@pytest.mark.parametrize("name", ["", "  ", "x" * 121, "Ada\x00", "Ada\u202e"])
def test_names_that_cannot_be_are_refused_and_nobody_is_entered(name):
    tournament = event()
    with pytest.raises(DomainError) as caught:
        register_walk_ins(account("olive"), tournament, [EntryDraft("Ben"), EntryDraft(name)], NOW)
    assert caught.value.code == "bad_name"
    assert not tournament.entries.exists()


@db
def test_above_capacity_people_wait_and_move_up_when_somebody_leaves():
    tournament = event(3, capacity=2)
    assert entry(tournament, "Cem").state == Entry.State.WAITING
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert entry(tournament, "Ada").state == Entry.State.WITHDRAWN
    assert entry(tournament, "Cem").state == Entry.State.REGISTERED


@db
def test_leaving_the_waiting_list_moves_nobody_up():
    tournament = event(4, capacity=2)
    drop_entry(account("olive"), entry(tournament, "Cem"), NOW)
    assert entry(tournament, "Dora").state == Entry.State.WAITING


@db
def test_sign_up_once_and_again_after_withdrawing():
    tournament, ada = event(), account("ada")
    own = sign_up(ada, tournament, ada.person, NOW)
    assert refusal(sign_up, ada, tournament, ada.person, NOW) == "entered_already"
    drop_entry(ada, own, NOW)
    assert sign_up(ada, tournament, ada.person, NOW) == own
    assert tournament.entries.count() == 1


@db
@pytest.mark.parametrize("changes", [{"self_sign_up": False}, {}])
def test_sign_up_is_refused_while_registration_is_closed(changes):
    tournament = event(**changes)
    if not changes:
        Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.DRAFT)
    assert refusal(sign_up, account("ada"), tournament, account("ada").person, NOW) == "registration_closed"


@db
def test_check_in_can_be_taken_back_and_ends_with_the_start():
    tournament = event(2)
    ada = check_in_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert ada.checked_in_at == NOW
    assert check_in_entry(account("olive"), ada, NOW, present=False).checked_in_at is None
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.RUNNING)
    assert refusal(check_in_entry, account("olive"), ada, NOW) == "wrong_state"


@db
def test_drop_keeps_results_and_return_pairs_again():
    tournament = running(5, swiss_rounds=4)
    report_all(next_round(tournament))
    ada = drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert (ada.state, ada.dropped_after) == (Entry.State.DROPPED, 1)
    assert refusal(drop_entry, account("olive"), ada, NOW) == "wrong_entry_state"
    second = next_round(tournament, 2)
    assert not second.matches.filter(seats__entry=ada).exists()
    report_all(second)
    assert return_entry(account("olive"), ada, NOW).dropped_after is None
    assert next_round(tournament, 3).matches.filter(seats__entry=ada).exists()


@db
def test_late_entry_plays_from_the_next_round_on():
    tournament = running(4)
    round_ = next_round(tournament)
    late = register_walk_ins(account("olive"), tournament, [EntryDraft("Zoe")], NOW + timedelta(minutes=5))[0]
    assert late.entered_round == 2
    report_all(round_)
    assert next_round(tournament, 2).matches.filter(seats__entry=late).exists()
    assert active_entries(tournament).count() == 5


@db
def test_nobody_enters_a_finished_event():
    tournament = event(2)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    assert refusal(register_walk_ins, account("olive"), tournament, [EntryDraft("Zoe")], NOW) == "wrong_state"


@pytest.mark.parametrize(
    ("text", "mates"),
    [
        ("Ada; Red Club;; Foxes", [("Red Club", "Foxes")]),
        ("name,team\nAda,Foxes", [("", "Foxes")]),
        ("name;club;team\nAda;Red;Foxes", [("Red", "Foxes")]),
        ("name,club,team\nAda,Wu\u0308rfel," + "x" * 90, [("Würfel", "x" * 79 + "…")]),
    ],
)
def test_clubs_and_teams_are_read_from_lists(text, mates):
    assert [(draft.club, draft.team) for draft in read_entry_list(text).drafts] == mates


@pytest.mark.parametrize(
    ("text", "drafts"),
    [
        ("Ada Lindqvist\n\n  Ben   Kowalski \n", [("Ada Lindqvist", ""), ("Ben Kowalski", "")]),
        ("Ada; Red Club\nBen", [("Ada", "Red Club"), ("Ben", "")]),
        ("Lindqvist, Ada\nKowalski, Ben", [("Lindqvist, Ada", ""), ("Kowalski, Ben", "")]),
        ('name,club\n"Lindqvist, Ada",Red\nBen,', [("Lindqvist, Ada", "Red"), ("Ben", "")]),
        ("Verein;Name\nRot;Ada\n;Ben", [("Ada", "Rot"), ("Ben", "")]),
        ("Ada\tRed\nBen\tBlue", [("Ada", "Red"), ("Ben", "Blue")]),
        ("name\n'=cmd()", [("=cmd()", "")]),
        ("O'Hara\n'Quoted'", [("O'Hara", ""), ("'Quoted'", "")]),
        ("", []),
    ],
)
def test_lists_of_people_are_read(text, drafts):
    reading = read_entry_list(text)
    assert [(draft.name, draft.club) for draft in reading.drafts] == drafts
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("text", "drafts"),
    [
        ("Ada,Red,ada@example.org\nBen,,b@c", [("Ada", "Red", "ada@example.org"), ("Ben", "", "b@c")]),
        ('"Lindqvist, Ada",Red,\nBen,Blue,', [("Lindqvist, Ada", "Red", ""), ("Ben", "Blue", "")]),
        ("Ada,ada@example.org\nBen,ben@example.org", [("Ada", "", "ada@example.org"), ("Ben", "", "ben@example.org")]),
        ("Ada; ada@example.org\nBen", [("Ada", "", "ada@example.org"), ("Ben", "", "")]),
        ("Red: Ada, Ben, Cem", [("Red", "", "")]),
        ("Lindqvist, Ada\nBen", [("Lindqvist, Ada", "", ""), ("Ben", "", "")]),
    ],
)
def test_a_list_without_a_heading_has_its_columns_in_the_usual_order(text, drafts):
    reading = read_entry_list(text)
    assert [(draft.name, draft.club, draft.email) for draft in reading.drafts] == drafts
    assert reading.problems == ()


def test_every_bad_line_is_shown_with_its_number():
    reading = read_entry_list(
        'name,email\nAda,ada@example.org\n,x@example.org\nBen,no mail\n"Cem,c@example.org\n' + "x" * 130 + ","
    )
    assert [draft.name for draft in reading.drafts] == ["Ada"]
    assert [problem.number for problem in reading.problems] == [3, 4, 5, 6]


def test_names_that_stand_twice_are_told():
    assert read_entry_list("Ada\nBen\nada\nAda").repeated == ("ada",)


def test_too_long_a_list_is_refused_as_a_whole():
    with pytest.raises(DomainError, match="9999 lines"):
        read_entry_list("Ada\n" * 9999)


def test_file_in_no_known_encoding_is_refused_with_the_line():
    with pytest.raises(DomainError) as caught:
        decode_upload(b"Ada\nJos\x81\n")
    assert (caught.value.code, caught.value.details["line"]) == ("not_utf8", 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_as_programs_save_them_are_read(encoding):
    text, found = decode_upload("Ada\nJosé Ünlü\n".encode(encoding))
    assert text == "Ada\nJosé Ünlü\n"
    assert found == {"utf-8": "utf-8-sig"}.get(encoding, encoding)


@pytest.mark.parametrize(
    ("text", "names", "unmarked"),
    [
        ("9. Ines\n10) Jonas\n- Katarzyna\nLea", ["Ines", "Jonas", "Katarzyna", "Lea"], 3),
        ("1 Ada\n2 Ben", ["Ada", "Ben"], 2),
        ("1\tAda\tRed\n2\tBen\tBlue", ["Ada", "Ben"], 2),
        ("• Ada\n* Ben", ["Ada", "Ben"], 2),
        ("1. FC Köln\n1. FC Nürnberg", ["1. FC Köln", "1. FC Nürnberg"], 0),
        ("1. FC Köln", ["1. FC Köln"], 0),
        ("2 Fast\n4 You", ["2 Fast", "4 You"], 0),
        ("Jean-Luc\nAda", ["Jean-Luc", "Ada"], 0),
        ("name\n1. Ada\n2. Ben", ["1. Ada", "2. Ben"], 0),
    ],
)
def test_bullets_and_numbers_that_count_the_lines_are_left_out(text, names, unmarked):
    reading = read_entry_list(text)
    assert ([draft.name for draft in reading.drafts], reading.unmarked) == (names, unmarked)


def test_each_line_has_its_own_separator():
    reading = read_entry_list("Ada\tRed\nBen Okafor; Dice & Co\nCem")
    assert [(draft.name, draft.club) for draft in reading.drafts] == [
        ("Ada", "Red"),
        ("Ben Okafor", "Dice & Co"),
        ("Cem", ""),
    ]


@pytest.mark.parametrize("line", ["{}, {}, {}", "{};{};{}", "{}\t{}\t{}"])
def test_a_first_name_that_can_be_a_club_is_asked_about(line):
    people = [("Lindqvist", "Ada", "ada@example.org"), ("van Dyk", "Ben", "ben@example.org"), ("Öz", "Cem", "c@d.org")]
    text = "\n".join(line.format(*each) for each in people)
    reading = read_entry_list(text)
    assert [(each.name, each.club) for each in reading.drafts] == [(name, first) for name, first, _mail in people]
    assert reading.surnames_first
    turned = read_entry_list(text, turns=True)
    assert [(each.name, each.club, each.email) for each in turned.drafts] == [
        (f"{first} {name}", "", mail) for name, first, mail in people
    ]


@pytest.mark.parametrize(
    "text",
    [
        "name,club,email\nLindqvist,Ada,a@b.org",
        "Ada Lindqvist, Lantern, a@b.org\nBen Dyk, Lantern, b@c.org\nCem, Lantern, c@d.org",
        "Lindqvist, Ada, 7\nDyk, Ben, 8",
    ],
    ids=["heading", "full names", "no address"],
)
def test_a_club_that_is_one_is_not_asked_about(text):
    assert not read_entry_list(text).surnames_first


def test_a_heading_leaves_the_club_a_club():
    assert read_entry_list("name,club,email\nLindqvist,Ada,a@b.org", turns=True).drafts[0].club == "Ada"


def test_surnames_first_are_noticed_and_turned_when_asked():
    reading = read_entry_list("Lindqvist, Ada; Red\nvan Dyk, Ben\nCem")
    assert reading.surnames_first
    turned = read_entry_list("Lindqvist, Ada; Red\nvan Dyk, Ben\nCem\nA, b, c", turns=True)
    assert [draft.name for draft in turned.drafts] == ["Ada Lindqvist", "Ben van Dyk", "Cem", "A, b, c"]
    assert not read_entry_list("Ada\nBen").surnames_first


def test_byte_order_mark_is_dropped_and_large_files_are_refused():
    assert decode_upload(b"\xef\xbb\xbfAda")[0] == "Ada"
    with pytest.raises(DomainError, match="1024 KiB"):
        decode_upload(b"x" * (1024 * 1024 + 1))


@db
def test_account_that_took_over_a_walk_in_is_entered_once():
    tournament, ada = event(2, capacity=8), account("ada")
    walk_in = entry(tournament, "Ada")
    Person.objects.filter(memberships__entry=walk_in).update(user=ada.user)
    assert refusal(sign_up, ada, tournament, ada.person, NOW) == "entered_already"
    drop_entry(account("olive"), walk_in, NOW)
    assert sign_up(ada, tournament, ada.person, NOW) == walk_in
    assert tournament.entries.count() == 2


@db
@pytest.mark.parametrize(
    ("name", "stored"),
    [("x" * 150, "x" * 119 + "…"), ("Ada\u202e  B", "Ada B"), ("\u200b", "someone"), ("می\u200cنا", "می\u200cنا")],
)
def test_sign_up_makes_any_account_name_fit(name, stored):
    tournament, ada = event(), account("ada")
    ada.person.name = name
    ada.person.save()
    assert sign_up(ada, tournament, ada.person, NOW, club="Red\x00" + "y" * 90).name == stored
    assert len(tournament.entries.get().club) == 80


@db
def test_whoever_comes_while_others_wait_waits_behind_them():
    tournament, ada = event(4, capacity=2), account("ada")
    Tournament.objects.filter(pk=tournament.pk).update(capacity=3)
    assert sign_up(ada, tournament, ada.person, NOW).state == Entry.State.WAITING
    late = register_walk_ins(account("olive"), tournament, [EntryDraft("Zoe")], NOW)[0]
    assert late.state == Entry.State.WAITING


@db
def test_signing_up_again_starts_at_the_end_of_the_queue_and_unchecked():
    tournament, ada = event(capacity=2), account("ada")
    own = sign_up(ada, tournament, ada.person, NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Ben"), EntryDraft("Cem"), EntryDraft("Dora")], NOW)
    check_in_entry(account("olive"), own, NOW)
    drop_entry(ada, own, NOW)
    again = sign_up(ada, tournament, ada.person, NOW + timedelta(hours=1))
    assert (again.state, again.registered_at, again.checked_in_at) == ("waiting", NOW + timedelta(hours=1), None)
    drop_entry(account("olive"), entry(tournament, "Ben"), NOW)
    assert entry(tournament, "Dora").state == Entry.State.REGISTERED


@db
def test_entry_taken_back_before_the_start_checks_in_anew():
    tournament = event(2)
    ada = check_in_entry(account("olive"), entry(tournament, "Ada"), NOW)
    drop_entry(account("olive"), ada, NOW)
    assert return_entry(account("olive"), ada, NOW).checked_in_at is None


@db
def test_leaving_the_queue_of_a_running_event_is_no_drop():
    tournament = running(4, capacity=4)
    zoe, yan = register_walk_ins(account("olive"), tournament, [EntryDraft("Zoe"), EntryDraft("Yan")], NOW)
    assert drop_entry(account("olive"), zoe, NOW).state == Entry.State.WITHDRAWN
    drop_entry(account("olive"), return_entry(account("olive"), yan, NOW), NOW)
    assert (entry(tournament, "Yan").state, entry(tournament, "Yan").dropped_after) == ("dropped", 0)


@db
def test_return_without_a_seat_before_enters_with_the_next_round():
    tournament = running(5)
    olive = account("olive")
    never, once = entry(tournament, "Ada"), entry(tournament, "Ben")
    drop_entry(olive, never, NOW)
    report_all(next_round(tournament))
    drop_entry(olive, once, NOW)
    assert return_entry(olive, never, NOW).entered_round == 2
    assert return_entry(olive, once, NOW).entered_round == 1


@pytest.mark.parametrize(
    ("name", "stored"),
    [("می\u200cنا", "می\u200cنا"), ("क्\u200dष", "क्\u200dष"), ("Ma\u00adria  Li", "Maria Li")],
)
def test_names_keep_their_joiners_and_lose_soft_hyphens(name, stored):
    assert clean_name(name) == stored


@pytest.mark.parametrize(
    "name",
    ["\u200c", "\u00ad", "A\x07", "A\x00", "A\ud800", "A\u0378", *(f"A{chr(code)}" for code in range(0x202A, 0x202F))]
    + [f"A{chr(code)}" for code in range(0x2066, 0x206A)],
)
def test_names_with_what_nobody_sees_are_refused(name):
    with pytest.raises(DomainError) as caught:
        clean_name(name)
    assert caught.value.code == "bad_name"
    assert caught.value.message.encode()


def test_five_thousand_names_are_not_too_many():
    assert len(read_entry_list("name\n" + "Ada\n" * 5000).drafts) == 5000
    with pytest.raises(DomainError, match="5001 lines"):
        read_entry_list("Ada\u2028" * 5001)
