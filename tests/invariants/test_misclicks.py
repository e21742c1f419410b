"""No misclick is a disaster: every act that destroys can be undone for ten minutes, or asks for a name to be typed.

The tables below name every unsafe route of the site. A route in none of them turns the first test red.
"""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.forms.models import model_to_dict
from django.test import Client

from accounts.models import PersonalLink, User
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from rules_engine.systems import get_system
from tests.routes import walk_routes
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, staff
from tests.tournaments.web.organiser.test_organiser import VALUES, browser
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.door import open_door
from tournaments.entries.services.pairing_constraints import award_byes, keep_apart
from tournaments.events.selectors.undoing import OPEN_FOR, RULES
from tournaments.events.services.events import start_tournament
from tournaments.events.services.staff import invite_staff
from tournaments.events.services.undoing import UNDOERS, undo_act
from tournaments.leagues.services import LeagueDraft, add_league_event, create_league
from tournaments.models import (
    Announcement,
    AwardedBye,
    DoorCode,
    Entry,
    EntryMember,
    KeptApart,
    League,
    LeagueEvent,
    Penalty,
    Role,
    Round,
    StaffInvite,
    TableCode,
    Tournament,
)
from tournaments.penalties.services import give_penalty
from tournaments.rehearsals.services import rehearse
from tournaments.room.services.announcements import post_announcement
from tournaments.table_access.services import issue_codes
from tournaments.web.frame.undo_words import FRESH_FOR, fresh_undo_offers, undo_offers

pytestmark = pytest.mark.django_db

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})

HARMLESS = {
    # Adds something; nothing that was there is lost.
    "bring_event": "adds",
    "new_event": "adds", "copy_event": "adds", "rehearse_event": "adds", "new_league": "adds", "new_deck": "adds",
    "register": "adds; withdrawing is an act of its own", "join_team": "adds", "join_staff": "adds",
    "add_one": "adds", "add_entries": "adds", "preview_entries": "stores nothing", "add_entry_member": "adds",
    "change_entry_member": "the log keeps the old name",
    "door": "adds", "kiosk": "adds", "door_claim": "staff confirmed it", "kiosk_claim": "staff confirmed it",
    "answer_door_claim": "a new claim is one press; links can be revoked",
    "my_check_in": "the desk undoes it", "note_seen": "adds a line to the log",
    "entry_link": "the next is a press away", "link_slips": "adds", "match_client": "the next is a press away",
    "link_mails": "adds; ends links that were in use only if asked to, and each gets the next by mail",
    "manage_staff": "adds an invitation", "announcements": "adds",
    "new_card_list": "adds", "new_house_format": "adds", "import_cards": "shows the change and asks, then stores it",
    "start_sheet": "adds", "pick_place": "a choice of this device", "open_match_sheet": "adds",
    "call_judge": "adds a call; taking it back is an act of its own", "withdraw_call": "a new call is one press",
    "answer_call": "a call that was resolved can be made again",
    "floor_decks": "reads, with a line in the log", "give_extra_time": "adds, with a line in the log",
    "recheck_card_list": "judges anew", "link_person": "adds",
    # Reads, computes, asks.
    "look_at_drop": "shows what a drop would do", "ask_outlook": "computes", "stop_outlook": "can be asked again",
    "start_plan_run": "computes", "end_plan_run": "can be asked again",
    "recompute_round": "computes", "read_deck": "reads, with a line in the log", "deck_sheet": "reads",
    "draw_check": "draws whom to check", "check_deck": "adds a line to the history of checks",
    "try_work_again": "repeats work that can be repeated", "doom_pile_table": "stores nothing",
    # Keeps every version: what is replaced stays, and comes back from the history of its page.
    "deck": "versions stay", "deck_history": "versions stay", "my_deck": "versions stay", "my_stack": "saved again",
    "change_deck": "versions stay", "allow_deck": "reopening it asks again",
    "edit_house_format": "versions stay", "score_sheet_part": "lines of a draft", "score_sheet_file": "revisions stay",
    "score_sheet_sign": "signs one revision; a new one is signed anew", "score_sheet_draw": "stays with its sheet",
    "score_sheet_play": "lines of a draft", "match_sheet": "lines of a draft", "match_sheet_part": "lines of a draft",
    "match_sheet_file": "revisions stay", "match_sheet_tally": "computes", "match_sheet_sign": "signs one revision",
    "match_sheet_draw": "stays with its sheet", "match_sheet_play": "lines of a draft",
    "begin_table_sheet": "adds", "table_sheet_part": "lines of a draft", "table_sheet_play": "lines of a draft",
    "table_sheet": "lines of a draft", "table_sheet_file": "revisions stay", "table_sheet_tally": "computes",
    "table_sheet_sign": "signs one revision", "table_sheet_draw": "stays with its sheet",
    "desk": "what counts is never overwritten: a different result is kept beside it",
    "match": "every report stays; a correction asks for a reason, shows what moves, and can be corrected",
    "my_match": "every report stays", "table": "every report stays, and needs somebody who agrees",
    "confirm_unsigned": "every report stays; asks for a reason", "correct_by_sheet": "every report stays",
    "dispute_sheet": "every report stays; staff settle it", "change_tables": "each change has its undo on the page",
    # Fields of a form that is shown again with what was stored.
    "manage_stages": "a form, before the stage is played", "recommend_stages": "fills the form, before the start",
    "change_entry": "a form", "fix_entry_table": "a form", "note_entry_needs": "a form", "league_settings": "a form",
    "edit_card_list": "a form",
    "ask_one_signature": "a switch, under Settings too",
    "push_on": "a switch", "push_off": "a switch", "told_mails": "a switch", "mail_link": "a switch",
    "show_profile": "a switch", "switch_samples": "a switch", "set_language": "a choice of this device",
    "mark_absent": "a switch", "act_on_clock": "pause and go on; minutes are added and taken by the same buttons",
    # The round shows and hides itself; who was told stays told, and the page says so.
    "pair_round": "hidden until published; taken back on the same page, and kept",
    "publish_round": "taken back on the same page until a result comes in",
    "mark_deck_ready": "a judge has it stacked again", "mark_deck_ready_for": "a judge has it stacked again",
    "move_draft": "a step back on the same page", "begin_stacking": "tells minutes, nothing ends with them",
    "undo": "undoes; the act itself can be done again",
    # Only in rehearsals, which nobody else sees.
    "play_round": "a rehearsal", "play_on": "a rehearsal",
    # Accounts: they ask for the password, or are of this device alone.
    "account_login": "this device", "account_logout": "this device", "account_signup": "adds",
    "account_reauthenticate": "this device", "account_email": "asks for the password",
    "account_email_verification_sent": "a page", "account_change_password": "asks for the old password",
    "account_set_password": "adds", "account_reset_password": "sends a mail",
    "account_confirm_login_code": "this device", "account_confirm_email": "adds",
    "account_reset_password_from_key": "asks for a new one twice", "reset_link": "adds a link",
    "rename_account": "the old name is typed again",
    "leave_phone": "the personal link is opened again",
    "weigh_league_event": "the old weight is chosen in the same place",
    "manage_webhooks": "adds", "resend_webhook": "sends what is owed",
    "delete_webhook": "made again on the same page; a program asks for what it missed by number",
    "my_tokens": "adds", "revoke_token": "a new token is made on the same page",
    "mfa_authenticate": "this device", "mfa_reauthenticate": "this device", "mfa_activate_totp": "asks for a code",
    "mfa_deactivate_totp": "asks for the password; set up again on the same page",
    "mfa_generate_recovery_codes": "asks for the password; shows the new ones", "mfa_index": "a page",
    "mfa_view_recovery_codes": "a page", "mfa_download_recovery_codes": "a page",
}  # fmt: skip
"""Unsafe routes that destroy nothing, by name, each with why."""

UNDOABLE = {
    "drop": "entry.dropped", "my_drop": "entry.dropped", "undo_check_in": "entry.check_in_undone",
    "check_in_everybody": "entry.all_checked_in", "revoke_links": "entry.links_revoked",
    "take_entry_bye_back": "entry.bye_taken_back", "let_entry_meet": "need.changed",
    "take_back_penalty": "penalty.taken_back", "remove_staff": "staff.removed",
    "revoke_staff_invite": "staff.invite_revoked", "withdraw_announcement": "announcement.withdrawn",
    "table_codes": "table_codes.issued", "renew_table_codes": "table_codes.renewed",
    "revoke_table_codes": "table_codes.revoked", "open_door": "door.renewed", "close_door": "door.closed",
    "open_event": "event.state_changed",
    "close_event": "event.state_changed", "start_event": "event.state_changed", "finish_event": "event.state_changed",
}  # fmt: skip
"""Routes whose act carries an Undo for ten minutes, by the act in the log that it undoes."""

OPPOSITE = {
    "check_in": "undo_check_in", "take_back": "drop", "keep_entry_apart": "let_entry_meet",
    "award_entry_byes": "take_entry_bye_back", "give_penalty": "take_back_penalty",
    "floor_penalty": "take_back_penalty", "reopen_event": "finish_event",
    "next_stage": "take_back_stage", "post_again": "withdraw_announcement", "show_outlook": "hide_outlook",
    "hide_outlook": "show_outlook", "reopen_deck": "shut_deck", "shut_deck": "reopen_deck",
    "finish_league": "reopen_league", "reopen_league": "finish_league", "remove_league_event": "manage_league",
    "manage_league": "remove_league_event", "league_players": "tell_apart", "tell_apart": "league_players",
    "move_event": "take_back_move", "take_back_move": "move_event",
    "cancel_recheck": "resume_recheck", "resume_recheck": "cancel_recheck",
}  # fmt: skip
"""Routes whose opposite is a button of the same page, for as long as the other stands, by its name."""

CONFIRMED = {
    "cancel_event": "name of the event and reason", "discard_rehearsal": "name of the rehearsal",
    "manage_settings": "name of the event, where decks would be taken off", "delete_card_list": "name of the draft",
    "remove_card_set": "name of the set", "deck_more": "name of the deck",
    "erase_my_data": "name of the account, or of the player", "give_guest_back": "name of the guest",
    "league_organisers": "own name; somebody else is appointed again by the same form",
    "remove_entry_member": "name of the member",
    "take_back_round": "a reason, below what cannot be undone; the round is kept",
    "take_back_stage": "a reason; the cut can be made again", "take_back_deck": "a reason, at one table and game",
    "announce_card_list": "the digest of the page that shows what changes, and its date lies ahead",
}  # fmt: skip
"""Routes that ask for typed words beside what is lost, before anything happens."""

OF_PROGRAMS = "api/"
"""A program names what it does to what, so nothing there is pressed by mistake; `…/undo/` is there for people."""


def unsafe_methods(callback: Callable[..., Any]) -> frozenset[str]:
    """The methods beside reading that a view takes; a function that names none takes them all."""
    view_class = getattr(callback, "view_class", None)
    if view_class is not None:
        return frozenset(name for name in UNSAFE if hasattr(view_class, name.lower()))
    allowed = [set(each) for each in _closures(callback) if isinstance(each, list | tuple) and {*each} & {*each, "GET"}]
    named = [each for each in allowed if each and all(isinstance(name, str) and name.isupper() for name in each)]
    return UNSAFE.intersection(*named) if named else UNSAFE


def _closures(function: Any) -> Iterator[Any]:
    while function is not None:
        for cell in getattr(function, "__closure__", None) or ():
            yield cell.cell_contents
        function = getattr(function, "__wrapped__", None)


def unsafe_routes() -> set[str]:
    """The names of all pages that take more than reading; the API and the admin's own pages apart."""
    pages = (route for route in walk_routes() if not route.path.startswith((OF_PROGRAMS, "admin/")))
    return {route.name for route in pages if unsafe_methods(route.callback)}


def test_every_unsafe_route_has_a_class() -> None:
    classed = [*HARMLESS, *UNDOABLE, *OPPOSITE, *CONFIRMED]
    assert sorted(unsafe_routes() - set(classed)) == []
    assert len(classed) == len(set(classed))


def test_no_class_names_a_route_that_is_gone() -> None:
    names = {route.name for route in walk_routes()}
    assert {*HARMLESS, *UNDOABLE, *OPPOSITE, *OPPOSITE.values(), *CONFIRMED} - names == set()


def test_every_undoable_act_has_its_undoing_and_a_case() -> None:
    assert set(UNDOERS) == set(RULES)
    assert set(UNDOABLE.values()) <= set(RULES)
    assert {act for _name, act, _arrange in CASES} == set(RULES)


def state_of(tournament: Tournament) -> dict[str, Any]:
    """Everything about an event that an act undone must leave as it was."""
    fields = ("state", "started_at", "swiss_rounds", "pinned_lists", "finished_at")
    rows: dict[str, Any] = {"event": Tournament.objects.filter(pk=tournament.pk).values_list(*fields).get()}
    rows["roles"] = set(tournament.roles.values_list("user__username", "name"))
    rows["links"] = list(PersonalLink.objects.order_by("pk").values_list("pk", "revoked_at"))
    rows["byes"] = set(AwardedBye.objects.values_list("entry", "round_number"))
    rows["apart"] = set(KeptApart.objects.values_list("one", "other", "reason"))
    rows["door"] = list(DoorCode.objects.filter(revoked_at=None).values_list("pk", flat=True))
    rows["codes"] = set(TableCode.objects.filter(revoked_at=None).values_list("table_number", "token_hash"))
    for model in (Entry, StaffInvite, Announcement, Penalty, Round):
        rows[model.__name__] = [model_to_dict(row) | _hidden(row) for row in model.objects.order_by("pk")]
    return rows


def _hidden(row: Any) -> dict[str, Any]:
    """The fields of a row that no form may change."""
    return {field.name: getattr(row, field.attname) for field in row._meta.fields if not field.editable}


Case = tuple[str, str, Callable[[], tuple[Tournament, Callable[[], object]]]]


def pressed(tournament: Tournament, path: str, who: str = "olive", **values: object) -> Callable[[], object]:
    """A press of a button by somebody's browser."""

    def press() -> object:
        answer = browser(who).post(f"/e/{tournament.slug}/{path}", values)
        assert answer.status_code in (200, 302), answer.content
        return answer

    return press


def _dropped() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(4)
    start_tournament(account("olive"), tournament, database_now())
    tournament.refresh_from_db()
    report_all(next_round(tournament))
    return tournament, pressed(tournament, "manage/entries/2/drop/")


def _withdrawn() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(3)
    Entry.objects.filter(tournament=tournament, number=2).update(checked_in_at=database_now())
    return tournament, pressed(tournament, "manage/entries/2/drop/")


def _left_the_queue() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(4, capacity=2)
    return tournament, pressed(tournament, "manage/entries/3/drop/")


def _checked_out() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2)
    Entry.objects.filter(tournament=tournament).update(checked_in_at=database_now())
    return tournament, pressed(tournament, "manage/entries/1/undo-check-in/")


def _all_checked_in() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(3)
    Entry.objects.filter(tournament=tournament, number=1).update(checked_in_at=database_now())
    return tournament, pressed(tournament, "manage/entries/check-in-all/")


def _links_revoked() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2)
    issue_entry_link(account("olive"), entry(tournament, "Ada"), database_now())
    return tournament, pressed(tournament, "manage/entries/1/revoke-links/")


def _bye_taken_back() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(3, swiss_rounds=3)
    award_byes(account("olive"), entry(tournament, "Ada"), [1, 2], database_now())
    return tournament, pressed(tournament, "manage/entries/1/byes/remove/", round="2")


def _let_meet() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(3)
    keep_apart(account("olive"), entry(tournament, "Ada"), entry(tournament, "Cem"), "they said why", database_now())
    return tournament, pressed(tournament, "manage/entries/3/apart/remove/", other="1")


def _penalty_taken_back() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2, also_judge=True)
    given = give_penalty(account("olive"), entry(tournament, "Ada"), "disqualification", "cheating", database_now())
    return tournament, pressed(tournament, f"manage/penalties/{given.pk}/take-back/", reason="the wrong Ada")


def _staff_removed() -> tuple[Tournament, Callable[[], object]]:
    tournament = event()
    staff(tournament, "juno", Role.Name.JUDGE)
    role = tournament.roles.get(name=Role.Name.JUDGE)
    return tournament, pressed(tournament, f"manage/staff/{role.pk}/remove/")


def _invite_revoked() -> tuple[Tournament, Callable[[], object]]:
    tournament = event()
    invite_staff(account("olive"), tournament, Role.Name.JUDGE, database_now())
    invite_staff(account("olive"), tournament, Role.Name.JUDGE, database_now())
    invite = tournament.invites.latest("pk")
    return tournament, pressed(tournament, f"manage/staff/invites/{invite.pk}/revoke/")


def _announcement_withdrawn() -> tuple[Tournament, Callable[[], object]]:
    tournament = event()
    posted = post_announcement(account("olive"), tournament, "Food is here.", database_now())
    return tournament, pressed(tournament, f"manage/announcements/{posted.pk}/withdraw/")


def _with_codes(path: str, **values: object) -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2)
    now = database_now()
    starts = {"starts_at": now}
    Tournament.objects.filter(pk=tournament.pk).update(**starts)
    tournament.refresh_from_db()
    issue_codes(account("olive"), tournament, first=1, last=3, now=now)
    return tournament, pressed(tournament, path, **values)


def _with_door(act: str, *, is_open: bool = True) -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2)
    if is_open:
        open_door(account("olive"), tournament, database_now())
    return tournament, pressed(tournament, f"manage/door/{act}/")


def _closed() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2)
    return tournament, pressed(tournament, "manage/close/")


def _opened() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2)
    pressed(tournament, "manage/close/")()
    return tournament, pressed(tournament, "manage/open/")


def _started() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(5, check_in=True, capacity=4)
    Entry.objects.filter(tournament=tournament, number__lte=2).update(checked_in_at=database_now())
    return tournament, pressed(tournament, "manage/start/")


def _finished() -> tuple[Tournament, Callable[[], object]]:
    tournament = event(2, swiss_rounds=1)
    start_tournament(account("olive"), tournament, database_now())
    tournament.refresh_from_db()
    report_all(next_round(tournament))
    return tournament, pressed(tournament, "manage/finish/")


CASES: tuple[Case, ...] = (
    ("drop", "entry.dropped", _dropped),
    ("drop before the start", "entry.withdrawn", _withdrawn),
    ("drop from the queue", "entry.withdrawn", _left_the_queue),
    ("undo_check_in", "entry.check_in_undone", _checked_out),
    ("check_in_everybody", "entry.all_checked_in", _all_checked_in),
    ("revoke_links", "entry.links_revoked", _links_revoked),
    ("take_entry_bye_back", "entry.bye_taken_back", _bye_taken_back),
    ("let_entry_meet", "need.changed", _let_meet),
    ("take_back_penalty", "penalty.taken_back", _penalty_taken_back),
    ("remove_staff", "staff.removed", _staff_removed),
    ("revoke_staff_invite", "staff.invite_revoked", _invite_revoked),
    ("withdraw_announcement", "announcement.withdrawn", _announcement_withdrawn),
    ("renew_table_codes", "table_codes.renewed", lambda: _with_codes("manage/tables/renew/")),
    ("revoke_table_codes", "table_codes.revoked", lambda: _with_codes("manage/tables/revoke/")),
    ("revoke one code", "table_codes.revoked_one", lambda: _with_codes("manage/tables/revoke/", table="2")),
    ("table_codes", "table_codes.issued", lambda: _with_codes("manage/tables/", first="2", last="4")),
    ("open_door", "door.opened", lambda: _with_door("open", is_open=False)),
    ("renew the code of the door", "door.renewed", lambda: _with_door("open")),
    ("close_door", "door.closed", lambda: _with_door("close")),
    ("close_event", "event.state_changed", _closed),
    ("open_event", "event.state_changed", _opened),
    ("start_event", "event.state_changed", _started),
    ("finish_event", "event.state_changed", _finished),
)  # fmt: skip
"""Each act that can be undone, and a world in which somebody presses it by mistake."""


def offered(tournament: Tournament, who: str = "olive") -> list[str]:
    """The numbers of the acts that a page of the event offers to undo."""
    page = browser(who).get(f"/e/{tournament.slug}/manage/").content.decode()
    return re.findall(r'name="act" value="(\d+)"', page)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("act", "arrange"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_undoing_leaves_everything_as_before(act: str, arrange: Callable[[], Any]) -> None:
    tournament, press = arrange()
    before = state_of(tournament)
    press()
    assert state_of(tournament) != before
    number = offered(tournament)[0]
    assert LedgerEntry.objects.get(stream=tournament.stream, sequence=number).act == act
    browser("olive").post(f"/e/{tournament.slug}/undo/", {"act": number})
    after = state_of(tournament)
    changed = {key for key in before if before[key] != after[key]}
    if act == "table_codes.issued":
        changed -= {"codes"} if {each[0] for each in after["codes"]} == {1, 2, 3} else set()
    if act == "entry.check_in_undone":
        changed -= {"Entry"} if entry(tournament, "Ada").checked_in_at is not None else set()
    if _reopens(tournament, act):
        changed -= {"Round"}
    assert changed == set()
    assert number not in offered(tournament)


def _reopens(tournament: Tournament, act: str) -> bool:
    """Whether a finish was undone: the last round is open again, closed by the next finish."""
    return act == "event.state_changed" and Round.objects.filter(stage__tournament=tournament).exists()


def dropped() -> tuple[Tournament, int]:
    """An event whose second player was withdrawn just now, and the number of that act."""
    tournament, press = _withdrawn()
    press()
    return tournament, int(offered(tournament)[0])


def test_undo_is_open_for_ten_minutes() -> None:
    tournament, number = dropped()
    at = LedgerEntry.objects.get(stream=tournament.stream, sequence=number).at
    with pytest.raises(DomainError, match="ten minutes"):
        undo_act(account("olive"), tournament, number, at + OPEN_FOR + timedelta(seconds=1))
    undo_act(account("olive"), tournament, number, at + OPEN_FOR)
    assert entry(tournament, "Ben").state == Entry.State.REGISTERED


def test_undo_twice_is_told_so_and_does_nothing() -> None:
    tournament, number = dropped()
    undo_act(account("olive"), tournament, number, database_now())
    drop_entry(account("olive"), entry(tournament, "Ben"), database_now())
    with pytest.raises(Conflict, match="already undone"):
        undo_act(account("olive"), tournament, number, database_now())
    assert entry(tournament, "Ben").state == Entry.State.WITHDRAWN


def test_undo_is_refused_once_the_event_moved_on() -> None:
    tournament, number = dropped()
    start_tournament(account("olive"), tournament, database_now())
    answer = browser("olive").post(f"/e/{tournament.slug}/undo/", {"act": number}, follow=True)
    assert "undo this after later changes" in answer.content.decode()
    assert entry(tournament, "Ben").state == Entry.State.WITHDRAWN


def test_start_is_not_undone_once_a_round_is_paired() -> None:
    tournament, press = _started()
    press()
    number = offered(tournament)[0]
    next_round(tournament)
    assert offered(tournament) == []
    with pytest.raises(Conflict):
        undo_act(account("olive"), tournament, int(number), database_now())


@pytest.mark.parametrize("who", ["mallory", "kit"])
def test_undo_takes_the_permission_of_the_act(who: str) -> None:
    tournament, press = _staff_removed()
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    press()
    number = offered(tournament)[0]
    assert browser(who).post(f"/e/{tournament.slug}/undo/", {"act": number}).status_code == 403
    assert not tournament.roles.filter(name=Role.Name.JUDGE).exists()
    assert Client().post(f"/e/{tournament.slug}/undo/", {"act": number}).status_code == 302


def test_strip_of_the_staff_goes_after_twenty_seconds_and_now_keeps_the_list() -> None:
    tournament, number = dropped()
    olive, now = account("olive"), database_now()
    assert [each.act for each in fresh_undo_offers(olive, tournament, now)] == [int(number)]
    later = now + FRESH_FOR + timedelta(seconds=1)
    assert fresh_undo_offers(olive, tournament, later) == []
    assert [each.act for each in undo_offers(olive, tournament, later)] == [int(number)]
    desk = browser("olive").get(f"/e/{tournament.slug}/desk/").content.decode()
    assert desk.count('name="act" value=') == 1
    now_page = browser("olive").get(f"/e/{tournament.slug}/manage/").content.decode()
    assert now_page.count(f'name="act" value="{number}"') == 1
    assert 'class="undo' not in now_page


def test_players_have_no_list_so_their_strip_stays_for_the_ten_minutes() -> None:
    tournament = event(3)
    ada = account("ada")
    EntryMember.objects.filter(tournament=tournament, entry__number=1).update(person=ada.user.persons.get())
    start_tournament(account("olive"), tournament, database_now())
    tournament.refresh_from_db()
    drop_entry(ada, entry(tournament, "Ada"), database_now())
    later = database_now() + FRESH_FOR + timedelta(seconds=1)
    assert len(fresh_undo_offers(ada, tournament, later)) == 1


def test_player_undoes_the_own_drop_and_no_other() -> None:
    tournament = event(3)
    ada = account("ada")
    EntryMember.objects.filter(tournament=tournament, entry__number=1).update(person=ada.user.persons.get())
    start_tournament(account("olive"), tournament, database_now())
    tournament.refresh_from_db()
    report_all(next_round(tournament))
    drop_entry(account("olive"), entry(tournament, "Ben"), database_now())
    drop_entry(ada, entry(tournament, "Ada"), database_now())
    numbers = LedgerEntry.objects.filter(stream=tournament.stream, act="entry.dropped").order_by("sequence")
    others, own = numbers.values_list("sequence", flat=True)
    assert browser("ada").post(f"/e/{tournament.slug}/undo/", {"act": others}).status_code == 403
    assert browser("ada").post(f"/e/{tournament.slug}/undo/", {"act": own}).status_code == 302
    assert [entry(tournament, name).state for name in ("Ada", "Ben")] == ["registered", "dropped"]


def test_player_does_not_undo_what_staff_did_after_the_own_drop() -> None:
    tournament = event(3)
    ada = account("ada")
    EntryMember.objects.filter(tournament=tournament, entry__number=1).update(person=ada.user.persons.get())
    start_tournament(account("olive"), tournament, database_now())
    drop_entry(ada, entry(tournament, "Ada"), database_now())
    own = LedgerEntry.objects.get(stream=tournament.stream, act="entry.dropped").sequence
    return_entry(account("olive"), entry(tournament, "Ada"), database_now())
    drop_entry(account("olive"), entry(tournament, "Ada"), database_now())
    with pytest.raises(Conflict, match="undo this after later changes"):
        undo_act(ada, tournament, own, database_now())
    assert entry(tournament, "Ada").state == Entry.State.DROPPED


def test_act_of_another_event_is_not_found() -> None:
    tournament, number = dropped()
    other = event(2)
    assert browser("olive").post(f"/e/{other.slug}/undo/", {"act": number + 50}).status_code == 404
    assert browser("olive").post(f"/e/{other.slug}/undo/", {"act": "x"}).status_code == 404
    assert entry(tournament, "Ben").state == Entry.State.WITHDRAWN


def test_undo_leads_back_to_a_page_of_this_site_alone() -> None:
    for back, there in (("/e/x/manage/entries/?q=a", "/e/x/manage/entries/?q=a"), ("//evil.example/", None)):
        tournament, number = dropped()
        answer = browser("olive").post(f"/e/{tournament.slug}/undo/", {"act": number, "back": back})
        assert answer.headers["Location"] == (there or f"/e/{tournament.slug}/")


def test_offers_cost_the_same_few_queries(django_assert_max_num_queries) -> None:
    tournament = event(40)
    for number in range(12):
        drop_entry(account("olive"), Entry.objects.get(tournament=tournament, number=number + 1), database_now())
    olive = account("olive")
    with django_assert_max_num_queries(10):
        assert len(undo_offers(olive, tournament, database_now())) == 3


def test_cancelling_needs_the_name_of_the_event() -> None:
    tournament = event(2)
    for words in ({}, {"reason": "rain"}, {"reason": "rain", "typed_name": "Some other cup"}):
        browser("olive").post(f"/e/{tournament.slug}/manage/cancel/", words)
        tournament.refresh_from_db()
        assert tournament.state == Tournament.State.REGISTRATION


def assert_typed_name_is_needed(
    client: Client, path: str, name: str, is_there: Callable[[], bool], /, **values: str
) -> None:
    """The press does nothing without the words or with wrong ones, and says what is lost; with them it happens."""
    first = client.post(path, values)
    assert first.status_code == 200
    assert "What is lost" in first.content.decode()
    assert is_there()
    wrong = client.post(path, {**values, "confirmed_name": f"{name} not"})
    assert wrong.status_code == 422
    assert is_there()
    client.post(path, {**values, "confirmed_name": name.upper()})
    assert not is_there()


def test_rehearsal_is_deleted_by_its_name_alone() -> None:
    made = rehearse(account("olive"), event(2), 4, 1, database_now())
    path = f"/e/{made.slug}/manage/rehearsal/delete/"
    assert_typed_name_is_needed(browser("olive"), path, made.name, lambda: made.roles.exists())


def with_deck(**changes: object) -> Tournament:
    """An event whose first player registered a deck."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(2, swiss_rounds=1, **changes)
    member = EntryMember.objects.get(tournament=tournament, entry__number=1)
    register_deck(account("olive"), member, "Secret plan", "3 Ash Ledger", database_now())
    return tournament


def test_decklists_are_published_by_the_name_of_the_event_alone() -> None:
    tournament = with_deck(deck_publish="after_end")
    start_tournament(account("olive"), tournament, database_now())
    tournament.refresh_from_db()
    report_all(next_round(tournament))
    path = f"/e/{tournament.slug}/manage/finish/"
    running = Tournament.objects.filter(pk=tournament.pk, decks_published_at=None, state="running")
    assert_typed_name_is_needed(browser("olive"), path, tournament.name, running.exists)


def test_decks_are_taken_off_by_the_name_of_the_event_alone() -> None:
    tournament = with_deck()
    registered = EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False)
    values = {**VALUES, "play": "doomtrooper/head-to-head", "best_of": "1"}
    path = f"/e/{tournament.slug}/manage/settings/"
    assert_typed_name_is_needed(browser("olive"), path, tournament.name, registered.exists, **values)


def test_own_role_is_given_up_by_the_own_name_alone() -> None:
    tournament = event(also_judge=True)
    role = tournament.roles.get(name=Role.Name.JUDGE)
    path = f"/e/{tournament.slug}/manage/staff/{role.pk}/remove/"
    assert_typed_name_is_needed(browser("olive"), path, "olive", lambda: Role.objects.filter(pk=role.pk).exists())


def test_an_account_is_erased_by_its_name_alone() -> None:
    there = User.objects.filter(username="ada")
    assert_typed_name_is_needed(browser("ada"), "/my/data/erase/", "ada", there.exists)


def test_own_league_is_given_up_by_the_own_name_alone() -> None:
    league = create_league(account("olive"), LeagueDraft("Winter", (10, 5)), database_now())
    league.organisers.add(account("mallory").user)
    path = f"/l/{league.slug}/manage/organisers/"
    assert_typed_name_is_needed(
        browser("olive"), path, "olive", lambda: league.organisers.filter(username="olive").exists(), remove="olive"
    )


def test_event_removed_from_a_league_comes_back_with_its_weight() -> None:
    league = create_league(account("olive"), LeagueDraft("Winter", (10, 5)), database_now())
    tournament = event(2)
    add_league_event(account("olive"), league, tournament, database_now(), weight=3)
    olive = browser("olive")
    olive.post(f"/l/{league.slug}/manage/events/{tournament.pk}/remove/")
    assert not league.events.exists()
    olive.post(f"/l/{league.slug}/manage/", {"event": tournament.slug, "weight": 3})
    assert LeagueEvent.objects.get(league=league).weight == 3


def test_finished_league_is_open_again() -> None:
    league = create_league(account("olive"), LeagueDraft("Winter", (10, 5)), database_now())
    for press, is_over in (("finish", True), ("reopen", False)):
        browser("olive").post(f"/l/{league.slug}/manage/{press}/")
        assert (League.objects.get().finished_at is not None) == is_over


def test_messages_of_failure_stay_until_they_are_closed() -> None:
    tournament = event(1)
    page = browser("olive").post(f"/e/{tournament.slug}/manage/start/", follow=True).content.decode()
    message = re.search(r'<div\s+class="notice wrong" role="alert"\s*>.*?</div>', page, re.DOTALL)
    assert message is not None
    assert "dismiss" in message[0]
    assert "http-equiv" not in page
