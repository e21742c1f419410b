"""The arithmetic of the ledger, without a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from journal.ledger.chain import Act, compute_digest, compute_hash

ACT = Act(
    "event-1", 7, datetime(2026, 11, 21, 10, 0, 0, 5, UTC), "user:1", "judge", "result", {"match": 3}, {"name": "ab"}
)


@pytest.mark.parametrize(
    "change",
    [
        {"stream": "event-2"},
        {"sequence": 8},
        {"at": ACT.at + timedelta(microseconds=1)},
        {"actor": "user:2"},
        {"role": "player"},
        {"act": "result2"},
        {"subjects": {"match": 4}},
        {"subjects": {"match": "3"}},
        {"digests": {"name": "ac"}},
    ],
)
def test_hash_changes_with_every_field(change):
    assert compute_hash("p", replace(ACT, **change)) != compute_hash("p", ACT)


def test_hash_changes_with_the_entry_before():
    assert compute_hash("p", ACT) != compute_hash("q", ACT)


def test_hash_is_the_same_in_every_time_zone_and_key_order():
    elsewhere = ACT.at.astimezone(timezone(timedelta(hours=9)))
    shuffled = replace(ACT, at=elsewhere, subjects={"b": 1, "a": 2})
    assert compute_hash("p", shuffled) == compute_hash("p", replace(ACT, subjects={"a": 2, "b": 1}))


def test_fields_cannot_be_shifted_into_each_other():
    assert compute_hash("", replace(ACT, actor="a", role="bc")) != compute_hash("", replace(ACT, actor="ab", role="c"))


def test_digest_depends_on_salt_and_value():
    assert len({compute_digest("00", "Ada"), compute_digest("01", "Ada"), compute_digest("00", "Ben")}) == 3
