"""An event that moved away: said on its pages and in the API, changed by nobody, and taken back with a reason."""

import pytest
from django.test import Client

from accounts.models import User
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import (
    NOW,
    account,
    draft,
    entry,
    event,
    next_round,
    report_all,
    running,
    score,
    staff,
    table,
)  # fmt: skip
from tests.tournaments.sheet_acts import doomlings, opened, played
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.core import ledger
from tournaments.decks.services.stack_orders import save_stack_order
from tournaments.entries.services.attendance import check_in_entry, drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.entries.services.pairing_constraints import fix_table
from tournaments.events.services.events import cancel_tournament, finish_tournament, reopen_tournament, start_tournament
from tournaments.events.services.moving import mark_as_moved, take_back_move
from tournaments.events.services.settings import update_settings
from tournaments.events.services.staff import invite_staff
from tournaments.models import JudgeCall, Penalty, Role, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.privacy.services import erase_account
from tournaments.rehearsals.services import rehearse
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.calls import call_judge
from tournaments.room.services.clocks import start_clock
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.sheets.services.writing import save_match_part
from tournaments.web.live.page_cache import forget_pages

pytestmark = pytest.mark.django_db
HALL, THERE = "the club's own site", "https://club.example/e/cup/"


def moved(tournament):
    return mark_as_moved(account("olive"), tournament, f"  {HALL} ", THERE, NOW)


def here_again(tournament):
    return take_back_move(account("olive"), tournament, "it stays here", NOW)


def in_round():
    tournament = running(4, round_minutes=50)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament, next_round(tournament)


ACTS = {
    "report": lambda event, round_: report_result(account("olive"), table(round_), score(2, 0), NOW),
    "drop": lambda event, round_: drop_entry(account("olive"), entry(event, "Ada"), NOW),
    "enter": lambda event, round_: register_walk_ins(account("olive"), event, [EntryDraft("Zed")], NOW),
    "table": lambda event, round_: fix_table(account("olive"), entry(event, "Ada"), 3, NOW),
    "settings": lambda event, round_: update_settings(account("olive"), event, {"place": "Hall 2"}, NOW),
    "staff": lambda event, round_: invite_staff(account("olive"), event, Role.Name.JUDGE, NOW),
    "announce": lambda event, round_: post_announcement(account("olive"), event, "Lunch", NOW),
    "clock": lambda event, round_: start_clock(account("olive"), round_, NOW),
    "judge": lambda event, round_: call_judge(account("juno"), table(round_), JudgeCall.Kind.RULES, "", NOW),
    "penalty": lambda event, round_: give_penalty(
        account("juno"), entry(event, "Ada"), Penalty.Kind.WARNING, "Slow play", NOW
    ),
    "cancel": lambda event, round_: cancel_tournament(account("olive"), event, "rain", NOW),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("name", ACTS)
def test_every_act_on_a_moved_event_is_refused(name):
    tournament, round_ = in_round()
    tournament = moved(tournament)
    entries = LedgerEntry.objects.count()
    with pytest.raises(Conflict) as caught:
        ACTS[name](tournament, round_)
    assert (caught.value.code, HALL in caught.value.message) == ("moved_event", True)
    assert LedgerEntry.objects.count() == entries
    ACTS[name](here_again(tournament), round_)  # the control


def test_before_the_start_nobody_enters_or_starts():
    tournament = event(2, self_sign_up=True, check_in=True)
    acts = (
        lambda: sign_up(account("zoe"), tournament, account("zoe").person, NOW),
        lambda: check_in_entry(account("olive"), entry(tournament, "Ada"), NOW),
        lambda: start_tournament(account("olive"), tournament, NOW),
        lambda: pair_next_round(account("olive"), tournament, NOW, seed=1),
    )
    moved(tournament)
    for act in acts:
        with pytest.raises(Conflict, match="moved"):
            act()
    here_again(tournament)
    sign_up(account("zoe"), tournament, account("zoe").person, NOW)  # the control


def test_what_takes_no_lock_is_refused_too():
    """Lines of a score sheet and a planned stack, which the log does not tell of."""
    match = opened(played(doomlings()))
    moved(match.round.stage.tournament)
    match.refresh_from_db()
    with pytest.raises(Conflict, match="moved"):
        save_match_part(account("olive"), match, 0, {}, 0, NOW)
    member = match.seats.first().entry.members.get()
    with pytest.raises(Conflict, match="moved"):
        save_stack_order(account("olive"), member, None, 1, [], NOW)
    here_again(match.round.stage.tournament)
    with pytest.raises(DomainError) as caught:  # the control: another refusal
        save_stack_order(account("olive"), member, None, 1, [], NOW)
    assert caught.value.code != "moved_event"


def test_mark_is_logged_and_the_chain_holds():
    tournament = here_again(moved(in_round()[0]))
    assert (tournament.state, tournament.moved_at, tournament.moved_to, tournament.moved_url) == (
        Tournament.State.RUNNING, None, "", "",
    )  # fmt: skip
    assert verify_stream(tournament.stream) == []
    log = text_of(page(browser(account("olive")), url(tournament, "manage/log/")))
    assert "marked the event as moved to another site" in log
    assert THERE in log
    assert "took back that the event moved" in log
    assert "it stays here" in log


@pytest.mark.parametrize(
    ("place", "address", "code"),
    [
        (" ", THERE, "place_needed"),
        (HALL, "javascript:alert(1)", "bad_address"),
        (HALL, "ftp://club.example/", "bad_address"),
        (HALL, "club", "bad_address"),
        (HALL, f"https://club.example/{'a' * 300}", "bad_address"),
    ],
)
def test_bad_words_store_nothing(place, address, code):
    tournament = event()
    with pytest.raises(DomainError) as caught:
        mark_as_moved(account("olive"), tournament, place, address, NOW)
    tournament.refresh_from_db()
    assert (caught.value.code, tournament.moved_at) == (code, None)


def test_only_an_event_here_moves_once():
    tournament = event()
    with pytest.raises(Conflict) as caught:
        here_again(tournament)
    assert caught.value.code == "not_moved"
    moved(tournament)
    with pytest.raises(Conflict) as caught:
        moved(tournament)
    assert caught.value.code == "moved_event"
    tried = rehearse(account("olive"), here_again(tournament), 4, 1, NOW)
    with pytest.raises(DomainError) as caught:
        moved(tried)
    assert caught.value.code == "is_rehearsal"


def test_pages_say_so_to_everybody_and_stop_saying_it():
    tournament, _round = in_round()
    visitor, olive = Client(), browser(account("olive"))
    for path in ("", "pairings/"):
        assert HALL not in page(visitor, url(tournament, path))
    answer = olive.post(url(tournament, "manage/move/"), {"to": HALL, "url": "nowhere"})
    assert "isn't an address" in answer.content.decode().replace("&#x27;", "'")
    answer = olive.post(url(tournament, "manage/move/"), {"to": HALL, "url": THERE}, follow=True)
    assert answer.redirect_chain == [(url(tournament, "manage/"), 302)]
    for path in ("", "pairings/", "standings/", "wall/pairings/", "check/"):
        assert "the club&#x27;s own site" in page(visitor, url(tournament, path)), path
    assert f'<a href="{THERE}" rel="noopener nofollow ugc"' in page(visitor, url(tournament))
    assert "manage/move/" not in page(visitor, url(tournament))
    manage = page(olive, url(tournament, "manage/"))
    assert "Continue the event here" in manage
    assert "rounds/pair/" not in manage
    answer = olive.post(url(tournament, "manage/announcements/"), {"text": "Lunch"}, follow=True)
    assert "Nothing can be changed here" in answer.content.decode()
    assert "moved" in text_of(page(visitor, "/"))
    assert "Continue the event here" in page(olive, url(tournament, "manage/move/"))
    olive.post(url(tournament, "manage/move/take-back/"), {"reason": ""})
    assert HALL in text_of(page(visitor, url(tournament))).replace("&#x27;", "'")
    olive.post(url(tournament, "manage/move/take-back/"), {"reason": "the hall is free"})
    assert "Moved to another site" not in page(visitor, url(tournament))


def test_kept_pages_are_built_again(settings):
    """Whoever looked before the mark is shown it at the next look."""
    settings.PAGE_HOLD_SECONDS = 0
    forget_pages()
    tournament, _round = in_round()
    visitor = Client()
    for _ in range(2):
        assert "Moved to another site" not in page(visitor, url(tournament, "standings/"))
    moved(tournament)
    assert "Moved to another site" in page(visitor, url(tournament, "standings/"))


def test_programs_are_told_and_refused():
    tournament, round_ = in_round()
    path, olive = path_of(tournament), caller("olive")
    assert good(olive.post(f"{path}move/", {"to": HALL, "url": "x"}), 422)["code"] == "bad_address"
    assert olive.post(f"{path}move/", {}).status_code == 400
    assert caller("juno").post(f"{path}move/", {"to": HALL}).status_code == 403
    told = good(olive.post(f"{path}move/", {"to": HALL}))
    assert (told["moved_to"], told["moved_url"], told["state"]) == (HALL, "", "running")
    listed = good(caller().get("/api/v1/events/"))["results"]
    assert [each["moved_to"] for each in listed] == [HALL]
    assert good(caller().get(path))["moved_at"] == told["moved_at"] is not None
    refused = olive.post(f"{path}matches/{table(round_).pk}/report/", {"kind": "played", "games_won": [2, 0]})
    assert good(refused, 409)["code"] == "moved_event"
    assert good(olive.post(f"{path}move/take-back/", {"reason": "back"}))["moved_at"] is None
    assert good(olive.post(f"{path}move/take-back/", {"reason": "back"}), 409)["code"] == "not_moved"


def test_an_account_can_be_erased_all_the_same(monkeypatch):
    """What people have a right to does not wait for an event that goes on elsewhere."""
    tournament = event(1, self_sign_up=True)
    zoe = account("Zoe Canary")
    sign_up(zoe, tournament, zoe.person, NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament))
    tournament = moved(finish_tournament(account("olive"), tournament, NOW, early="enough"))
    with monkeypatch.context() as strict:  # the control
        lock = "tournaments.privacy.services.lock_tournament_of"
        strict.setattr(lock, lambda pk, even_moved: ledger.lock_tournament_of(pk))
        with pytest.raises(Conflict):
            erase_account(zoe.user, zoe, NOW)
    erase_account(User.objects.get(pk=zoe.user.pk), zoe, NOW)
    assert not tournament.entries.filter(name__contains="Canary").exists()
    assert verify_stream(tournament.stream) == []
    with pytest.raises(Conflict):
        reopen_tournament(account("olive"), tournament, "again", NOW)


def test_a_new_event_from_a_moved_one_is_not_moved():
    tournament = moved(event())
    response = browser(account("olive")).post(
        url(tournament, "manage/copy/"), {"name": "Next", "starts_at": draft().starts_at.strftime("%Y-%m-%dT%H:%M")}
    )
    assert response.status_code == 302
    assert Tournament.objects.exclude(pk=tournament.pk).get().moved_at is None
