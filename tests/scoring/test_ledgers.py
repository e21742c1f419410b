"""Entries of a ledger: added with growing ids, struck out once, never lost."""

from datetime import UTC, datetime

import pytest

from rules_engine.errors import Conflict
from scoring.sheets.ledgers import live_acts, struck_acts, with_act, without_act

NOW = datetime(2026, 5, 9, 10, tzinfo=UTC)


def written(*kinds: str) -> dict[str, object]:
    content: dict[str, object] = {"clock": None}
    for kind in kinds:
        content = with_act(content, {"act": kind}, "Ada", NOW)
    return content


def ids(acts: list[dict[str, object]]) -> list[object]:
    return [act["id"] for act in acts]


def test_entries_keep_their_order_and_their_writer():
    content = written("kill", "turn")
    assert [(act["id"], act["act"], act["by"]) for act in live_acts(content)] == [
        (1, "kill", "Ada"),
        (2, "turn", "Ada"),
    ]


def test_struck_entries_stay_and_their_numbers_are_never_used_again():
    content = without_act(written("kill", "turn"), 2, "Ben", NOW)
    content = with_act(content, {"act": "meditate"}, "Ada", NOW)
    assert ids(live_acts(content)) == [1, 3]
    assert [(act["id"], act["struck_by"]) for act in struck_acts(content)] == [(2, "Ben")]
    assert content["clock"] is None, "what else stands in the part stays"


def test_an_entry_is_struck_once():
    content = without_act(written("kill"), 1, "Ben", NOW)
    with pytest.raises(Conflict, match="act_gone"):
        without_act(content, 1, "Ada", NOW)


def test_another_name_for_the_entries():
    content = with_act({}, {"winner": "Ada"}, "", NOW, "games")
    assert ids(live_acts(content, "games")) == [1]
    assert live_acts(without_act(content, 1, "", NOW, "games"), "games") == []


def test_entries_that_a_program_stored_without_ids_are_struck_like_others():
    content = {"acts": [{"act": "kill"}, {"act": "turn", "id": 4, "by": 7}, {"act": "spend", "id": 4}], "struck": 3}
    assert [(act["id"], act["by"]) for act in live_acts(content)] == [(5, ""), (4, ""), (6, "")]
    content = without_act(content, 5, "Ben", NOW)
    assert [(act["act"], act["id"]) for act in live_acts(content)] == [("turn", 4), ("spend", 6)]
    assert ids(live_acts(with_act(content, {"act": "win"}, "", NOW))) == [4, 6, 7]


@pytest.mark.parametrize("value", [None, 5, "acts", [5, "x"], {"id": 1}])
def test_what_is_no_ledger_is_read_as_an_empty_one(value):
    assert live_acts({"acts": value}) == []
