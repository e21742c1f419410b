"""Tables changed by hand in a real browser without scripts: a phone, fingers, the keyboard alone."""

import pytest
from playwright.sync_api import Page

from tests.tournaments.factories import NOW, account, next_round, report_all, running
from tests.tournaments.manual_pairing.test_manual_pairing import act, late, one, tables
from tests.tournaments.manual_pairing.test_manual_tables import pods
from tests.tournaments.web.organiser.test_manual_pairing import page_of
from tests.tournaments.web.organiser.test_manual_tables import small_and_full
from tests.tournaments.web.organiser.test_organiser_browser import LONG, SMALL
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_pages_fit_a_phone_and_its_fingers(phone: Page) -> None:
    tournament = running(5, swiss_rounds=3)
    tournament.entries.filter(number__in=(1, 2)).update(name=LONG)
    report_all(next_round(tournament))
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=2)
    late(round_, LONG)
    act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))
    match = round_.matches.get(table_number=1)
    for rest in ("tables/", f"tables/{match.pk}/", "change/?act=repair&seed=3", "change/?act=break&table=1"):
        phone.goto(page_of(round_, rest))
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, rest
        assert phone.evaluate(SMALL) == [], rest


def test_two_names_and_a_reason_are_a_swap(phone: Page) -> None:
    round_ = pair_next_round(account("olive"), running(6), NOW, seed=1)
    before = tables(round_)
    phone.goto(page_of(round_))
    phone.get_by_role("link", name=before[1][0]).click()
    phone.get_by_text(f"{before[1][0]} swaps with").wait_for()
    assert phone.evaluate(SMALL) == []
    phone.get_by_role("link", name=before[2][0]).click()
    phone.get_by_label("Reason").fill("They asked")
    phone.get_by_role("button", name="Save change").click()
    phone.get_by_text("Saved:").wait_for()
    assert tables(round_)[1][0] == before[2][0]


def test_swap_is_made_with_the_keyboard_alone(phone: Page) -> None:
    round_ = pair_next_round(account("olive"), running(6), NOW, seed=1)
    before = tables(round_)
    phone.goto(page_of(round_))
    phone.get_by_text("Swap by number or name").focus()
    phone.keyboard.press("Enter")
    phone.get_by_label("Player", exact=True).focus()
    phone.keyboard.type(before[1][0])
    phone.keyboard.press("Tab")
    phone.keyboard.type(before[2][0])
    phone.keyboard.press("Enter")
    phone.get_by_label("Reason").focus()
    phone.keyboard.type("They asked")
    phone.keyboard.press("Enter")
    phone.get_by_text("Saved:").wait_for()
    assert tables(round_)[1][0] == before[2][0]


def test_late_entry_meets_the_bye_in_two_presses(phone: Page) -> None:
    round_ = pair_next_round(account("olive"), running(5), NOW, seed=1)
    late(round_)
    phone.goto(page_of(round_))
    phone.get_by_role("link", name="Pair Late Lou with").click()
    phone.get_by_role("button", name="Save change").click()
    assert tables(round_)[3][0] == "Late Lou"


def test_pages_of_tables_of_several_fit_a_phone_and_its_fingers(phone: Page) -> None:
    tournament = pods()
    tournament.entries.filter(number__in=(1, 2)).update(name=LONG)
    report_all(next_round(tournament))
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=2)
    lou = late(round_, LONG)
    match, free = round_.matches.get(table_number=1), small_and_full(round_)[0]
    for rest in (
        "tables/", f"tables/?pick={lou.number}", f"tables/{match.pk}/", "change/?act=repair&seed=3",
        f"change/?act=seat&one={lou.number}&table={free}",
    ):  # fmt: skip
        phone.goto(page_of(round_, rest))
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, rest
        assert phone.evaluate(SMALL) == [], rest


def test_a_latecomer_is_seated_with_the_keyboard_alone(phone: Page) -> None:
    round_ = pair_next_round(account("olive"), pods(), NOW, seed=1)
    late(round_)
    free = small_and_full(round_)[0]
    phone.goto(page_of(round_))
    phone.get_by_role("link", name="Choose a table").focus()
    phone.keyboard.press("Enter")
    phone.get_by_text("Late Lou: choose a name to swap with, or a table with room.").wait_for()
    phone.get_by_role("link", name=f"Seat here table {free}").focus()
    phone.keyboard.press("Enter")
    phone.get_by_label("Reason").focus()
    phone.keyboard.type("Came late")
    phone.keyboard.press("Enter")
    phone.get_by_text("Saved:").wait_for()
    assert tables(round_)[free][-1] == "Late Lou"


def test_a_player_is_taken_off_on_the_page_of_the_table(phone: Page) -> None:
    round_ = pair_next_round(account("olive"), pods(), NOW, seed=1)
    full = small_and_full(round_)[1]
    name = tables(round_)[full][2]
    phone.goto(page_of(round_, f"tables/{round_.matches.get(table_number=full).pk}/"))
    section = phone.get_by_role("region", name="Take a player off")
    section.get_by_label("Player of this table").select_option(label=name)
    section.get_by_role("button", name="Take off the table").click()
    phone.get_by_label("Reason").fill("Went home")
    phone.get_by_role("button", name="Save change").click()
    phone.get_by_text("Saved:").wait_for()
    assert name not in tables(round_)[full]
