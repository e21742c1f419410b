"""Codes of tables that are revoked while phones report. See docs/how-it-works/trust.md#t3."""

import pytest

from journal.clock import database_now
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.races import race
from tests.tournaments.factories import account, next_round, running, score, table
from tests.tournaments.table_phones import seats_at, table_actor, tokens_of
from tournaments.models import Tournament
from tournaments.table_access.services import report_from_table, revoke_codes


@pytest.mark.django_db(transaction=True)
def test_revoking_races_reports_and_none_is_stored_after_it(many):
    """T3: processes report while one revokes: whatever is stored stood in the log before the revoking did."""
    for _turn in range(many(60, 1)):
        held = running(8)
        round_ = next_round(held)
        tokens_of(held, 4)
        plays = [(table_actor(held, number, "one"), seats_at(table(round_, number))[0]) for number in (1, 2, 3, 4)]

        def act(number, plays=plays, held=held):
            if number == len(plays):
                return revoke_codes(account("olive"), held, database_now())
            actor, seat = plays[number]
            try:
                report_from_table(actor, seat, score(2, 0), database_now())
            except DomainError as error:
                return error.code
            return "stored"

        race(act, len(plays) + 1)
        assert not late_reports(held)


def late_reports(held: Tournament) -> list[int]:
    """Reports of tables that the log holds after the codes were revoked."""
    entries = LedgerEntry.objects.filter(stream=held.stream).order_by("sequence")
    revoked = next(each.sequence for each in entries if each.act == "table_codes.revoked")
    return [each.sequence for each in entries if each.role == "table" and each.sequence > revoked]
