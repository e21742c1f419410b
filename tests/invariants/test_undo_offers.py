"""Undo is offered where it works and nowhere else, whatever happened since the act."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction

from journal.clock import database_now
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.invariants.test_misclicks import CASES, browser
from tests.tournaments.factories import account, entry, event, staff
from tournaments.entries.services.attendance import check_in_entry, drop_entry, return_entry
from tournaments.events.selectors import undo_limits, undoing
from tournaments.events.selectors.undoing import can_be_undone, undoable_acts
from tournaments.events.services.events import cancel_tournament, start_tournament
from tournaments.events.services.undoing import undo_act
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db


def _nothing(tournament: Tournament) -> None:
    pass


def _start(tournament: Tournament) -> None:
    start_tournament(account("olive"), tournament, database_now())


def _cancel(tournament: Tournament) -> None:
    cancel_tournament(account("olive"), tournament, "no light in the hall", database_now())


def _drop(tournament: Tournament) -> None:
    for each in tournament.entries.filter(number__lte=2):
        drop_entry(account("olive"), each, database_now())


def _return(tournament: Tournament) -> None:
    for each in tournament.entries.filter(number__lte=2):
        return_entry(account("olive"), each, database_now())


MOVES = (_nothing, _start, _cancel, _drop, _return)


def works(tournament: Tournament, act: LedgerEntry) -> bool:
    """Whether undoing an act is accepted now; nothing is kept of it."""
    try:
        with transaction.atomic():
            undo_act(account("olive"), tournament, act.sequence, database_now())
            transaction.set_rollback(True)
    except DomainError:
        return False
    return True


def promises(tournament: Tournament) -> tuple[set[int], set[int]]:
    """The acts that olive is offered to undo, and those of hers that can be undone."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    offered = {each.sequence for each in undoable_acts(account("olive"), tournament, database_now())}
    acts = LedgerEntry.objects.filter(stream=tournament.stream, actor=account("olive").key)
    tried = [each for each in acts.prefetch_related("personal_values") if can_be_undone(each)]
    return offered, {each.sequence for each in tried if works(tournament, each)}


@pytest.fixture(autouse=True)
def _all_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undoing, "MAX_OFFERED", 100)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("arrange", [case[2] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_offered_works_and_what_works_is_offered(arrange: Callable[[], Any]) -> None:
    """Whatever happened since the act: each move starts from there."""
    tournament, press = arrange()
    press()
    for move in MOVES:
        with transaction.atomic():
            with suppress(DomainError), transaction.atomic():
                move(Tournament.objects.get(pk=tournament.pk))
            offered, working = promises(tournament)
            assert offered == working, move.__name__
            transaction.set_rollback(True)


def test_without_the_limits_it_offers_what_must_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = checked_out()
    _start(tournament)
    offered, working = promises(tournament)
    assert offered == working
    monkeypatch.setattr(undoing, "still_holds", lambda *of: True)
    offered, working = promises(tournament)
    assert offered - working


def test_every_act_that_can_be_undone_has_its_limit() -> None:
    assert {*undo_limits.HOLDS} == {*undoing.RULES}


def checked_out() -> Tournament:
    """An event in which Olive has just taken a check-in back."""
    tournament = event(3)
    now = database_now()
    check_in_entry(account("olive"), entry(tournament, "Ada"), now)
    check_in_entry(account("olive"), entry(tournament, "Ada"), now, present=False)
    return tournament


def test_a_check_in_of_before_the_start_is_offered_no_more_after_it() -> None:
    tournament = checked_out()
    page = f"/e/{tournament.slug}/manage/"
    assert "You undid the check-in of" in browser("olive").get(page).content.decode()
    _start(tournament)
    assert "You undid the check-in of" not in browser("olive").get(page).content.decode()


def test_the_strip_is_one_line_with_the_others_behind_it() -> None:
    tournament = event(4)
    staff(tournament, "juno", Role.Name.JUDGE)
    for name in ("Ada", "Ben", "Cem"):
        drop_entry(account("juno"), entry(tournament, name), database_now())
    html = browser("juno").get(f"/e/{tournament.slug}/floor/").content.decode()
    strip = html.split('class="undo goes"')[1].split("</section>")[0]
    assert strip.split("<details")[0].count("<form") == 1
    assert "2 more" in strip
    assert strip.count("<form") == 3
