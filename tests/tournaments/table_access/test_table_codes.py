"""Codes of tables: what is kept, how long they work, and that new ones make the old ones worthless."""

from datetime import UTC, datetime, timedelta

import pytest

from journal.models import LedgerEntry
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, event, running
from tests.tournaments.table_phones import tokens_of
from tournaments.events.services.settings import update_settings
from tournaments.models import TableCode, Tournament
from tournaments.table_access.selectors import code_of_token, codes_of, last_moment
from tournaments.table_access.services import issue_codes, renew_codes, revoke_codes

pytestmark = pytest.mark.django_db
OLIVE = "olive"


def test_issued_codes_have_128_bits_and_only_their_hashes_are_kept():
    tournament = event()
    tokens = tokens_of(tournament, 3)
    assert sorted(tokens) == [1, 2, 3]
    assert {len(token) for token in tokens.values()} == {22}
    stored = TableCode.objects.filter(tournament=tournament).values_list("token_hash", flat=True)
    assert not set(stored) & set(tokens.values())
    assert {len(each) for each in stored} == {64}


def test_new_codes_make_the_old_ones_worthless():
    tournament = event()
    old = tokens_of(tournament)
    new = tokens_of(tournament, 1)
    assert code_of_token(old[1]) is None
    assert code_of_token(old[2]).table_number == 2
    assert code_of_token(new[1]).table_number == 1


def test_renewing_replaces_every_code_in_one_act():
    tournament = event()
    old = tokens_of(tournament, 3)
    issued = renew_codes(account(OLIVE), tournament, datetime.now(UTC))
    assert [each.code.table_number for each in issued] == [1, 2, 3]
    assert [code_of_token(token) for token in old.values()] == [None] * 3
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="table_codes.renewed").count() == 1


def test_revoking_one_leaves_the_others():
    tournament = event()
    tokens = tokens_of(tournament)
    assert revoke_codes(account(OLIVE), tournament, datetime.now(UTC), table=1) == 1
    assert code_of_token(tokens[1]) is None
    assert code_of_token(tokens[2]) is not None
    assert revoke_codes(account(OLIVE), tournament, datetime.now(UTC)) == 1
    assert codes_of(tournament) == []


def test_codes_end_on_the_morning_after_the_events_day_in_its_own_zone():
    tournament = event(time_zone="Europe/Berlin", starts_at=datetime(2026, 7, 4, 8, tzinfo=UTC))
    before = datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert last_moment(tournament, before) == datetime(2026, 7, 5, 4, tzinfo=UTC)
    later = datetime(2026, 7, 6, 12, tzinfo=UTC)
    assert last_moment(tournament, later) == datetime(2026, 7, 7, 4, tzinfo=UTC)


def test_codes_to_the_end_of_the_day_follow_the_event_to_another_day():
    tournament = event()
    short = NOW + timedelta(hours=30)
    issue_codes(account(OLIVE), tournament, 1, 2, NOW)
    issue_codes(account(OLIVE), tournament, 3, 3, NOW, expires_at=short)
    for days, now in ((9, NOW), (40, NOW + timedelta(days=30))):
        update_settings(account(OLIVE), tournament, {"starts_at": NOW + timedelta(days=days)}, now)
        tournament.refresh_from_db()
        ends = [code.expires_at for code in tournament.table_codes.order_by("table_number")]
        assert ends == [*[last_moment(tournament, now)] * 2, short]


def test_codes_past_the_events_day_are_refused():
    tournament = event()
    beyond = last_moment(tournament, NOW) + timedelta(seconds=1)
    late = {"expires_at": beyond}
    assert refusal(lambda: issue_codes(account(OLIVE), tournament, 1, 2, NOW, **late)) == "bad_time"
    gone = {"expires_at": NOW - timedelta(minutes=1)}
    assert refusal(lambda: issue_codes(account(OLIVE), tournament, 1, 2, NOW, **gone)) == "bad_time"


@pytest.mark.parametrize(("first", "last"), [(0, 3), (3, 2), (1, 301), (9999, 10000)])
def test_impossible_tables_are_refused(first, last):
    assert refusal(lambda: issue_codes(account(OLIVE), event(), first, last, NOW)) == "bad_tables"


@pytest.mark.parametrize("state", ["finished", "cancelled"])
def test_no_code_opens_once_the_event_is_over(state):
    tournament = running()
    tokens = tokens_of(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(state=state)
    assert code_of_token(tokens[1]) is None
    assert refusal(lambda: issue_codes(account(OLIVE), tournament, 1, 2, NOW)) == "event_over"


def test_a_code_opens_only_in_its_time():
    tournament = event()
    tokens = tokens_of(tournament)
    codes, now = TableCode.objects.filter(tournament=tournament), datetime.now(UTC)
    codes.update(valid_from=now + timedelta(minutes=5))
    assert code_of_token(tokens[1]) is None
    codes.update(valid_from=now - timedelta(minutes=5), expires_at=now - timedelta(seconds=1))
    assert code_of_token(tokens[1]) is None
    codes.update(expires_at=now + timedelta(minutes=5))
    assert code_of_token(tokens[1]) is not None
