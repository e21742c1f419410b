"""Who hands out codes of tables, and that the signs are shown once."""

import re

import pytest

from tests.tournaments.factories import account, next_round, running, staff
from tests.tournaments.table_phones import tokens_of
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.models import Role, TableCode, Tournament

pytestmark = pytest.mark.django_db
CODES = "manage/tables/"
TOKEN = re.compile(r"/t/([-\w]{22})/")


@pytest.fixture
def held():
    held = running()
    next_round(held)
    return held


def test_making_codes_answers_signs_that_are_not_kept(held):
    olive = browser(account("olive"))
    body = {"first": 1, "last": 3, "size": "a5", "idempotency_key": "once"}
    first = olive.post(url(held, CODES), body)
    shown = set(TOKEN.findall(first.getvalue().decode()))
    assert len(shown) == 3
    assert "no-store" in first["Cache-Control"]
    again = olive.post(url(held, CODES), body)
    assert "Idempotency-Replayed" not in again
    assert not shown & set(TOKEN.findall(again.getvalue().decode()))
    assert TOKEN.findall(page(olive, url(held, CODES))) == []


def test_new_codes_for_all_come_in_one_press(held):
    tokens_of(held, 2)
    answer = browser(account("olive")).post(url(held, f"{CODES}renew/"), {"size": "a6"})
    assert len(set(TOKEN.findall(answer.getvalue().decode()))) == 2
    assert TableCode.objects.filter(revoked_at=None).count() == 2


def test_new_codes_without_any_are_refused_in_words(held):
    olive = browser(account("olive"))
    answer = olive.post(url(held, f"{CODES}renew/"), follow=True)
    assert "No table has a code yet." in answer.getvalue().decode()


def test_one_code_and_all_codes_are_revoked(held):
    tokens_of(held, 3)
    olive = browser(account("olive"))
    olive.post(url(held, f"{CODES}revoke/"), {"table": 2})
    assert "2 tables have a code" in text_of(page(olive, url(held, CODES)))
    olive.post(url(held, f"{CODES}revoke/"), {"table": "x"})
    assert TableCode.objects.filter(revoked_at=None).count() == 2
    olive.post(url(held, f"{CODES}revoke/"))
    assert not TableCode.objects.filter(revoked_at=None).exists()


def test_what_was_typed_wrongly_stays(held):
    answer = browser(account("olive")).post(url(held, CODES), {"first": 5, "last": 2})
    assert "The last table comes before the first." in answer.getvalue().decode()
    assert 'value="5"' in answer.getvalue().decode()
    assert not TableCode.objects.exists()


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("who", ["olive", "juno", "kit", "mallory", ""])
def test_officials_hand_out_codes_and_scorekeepers_where_the_organiser_lets_them(held, who, allowed):
    staff(held, "juno", Role.Name.JUDGE)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    Tournament.objects.filter(pk=held.pk).update(scorekeepers_issue=allowed)
    client = browser(account(who)) if who else browser()
    denied = {"mallory": 403, "": 302, "kit": 0 if allowed else 403}.get(who)
    answers = [
        client.get(url(held, CODES)),
        client.post(url(held, CODES), {"first": 1, "last": 1}),
        client.post(url(held, f"{CODES}renew/")),
        client.post(url(held, f"{CODES}revoke/")),
    ]
    assert [each.status_code for each in answers] == ([denied] * 4 if denied else [200, 200, 200, 302])


def test_the_list_costs_the_same_with_many_tables(held, django_assert_max_num_queries):
    olive = browser(account("olive"))
    page(olive, url(held, CODES))
    tokens_of(held, 200)
    with django_assert_max_num_queries(24):
        page(olive, url(held, CODES))
