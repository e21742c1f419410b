"""A stranger's program agrees with this site on what happens between the usual acts; on real events: `test_replay`."""

import pytest

from tests.tournaments.bundles.test_event_files import assert_right, taken, verify
from tests.tournaments.factories import NOW, account, entry, next_round, report_all, running, score, table
from tests.tournaments.structure.test_structure import play
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.entries.services.pairing_constraints import award_byes, keep_apart
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Penalty
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.penalties.services import give_penalty
from tournaments.rehearsals.simulation import simulate_event
from tournaments.results.services.corrections import correct_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("players", [2, 3, 40, 151])
def test_simulated_event_is_right(players, seed):
    assert_right(simulate_event(players, min(6, players - 1), seed % 1000).tournament)


def test_byes_drops_late_entries_corrections_penalties_and_changes_by_hand():
    olive, tournament = account("olive"), running(9, also_judge=True)
    award_byes(olive, entry(tournament, "Ada"), [2], NOW)
    keep_apart(olive, entry(tournament, "Ben"), entry(tournament, "Cem"), "family", NOW)
    first = next_round(tournament)
    report_all(first)
    loser = table(first).seats.first().entry
    give_penalty(olive, loser, Penalty.Kind.MATCH_LOSS, "Slow play", NOW, match=table(first))
    assert_right(tournament)
    register_walk_ins(olive, tournament, [EntryDraft("Late")], NOW)
    drop_entry(olive, entry(tournament, "Dora"), NOW)
    second = pair_next_round(olive, tournament, NOW, seed=3)
    withdraw_round(olive, second, "again", NOW)
    second = pair_next_round(olive, tournament, NOW, seed=4)
    one, other = (table(second, number).seats.first().entry_id for number in (1, 2))
    swap = Change(Act.SWAP, (one, other))
    change_round(olive, second, swap, "asked", NOW, seen=seen_mark(second, round_draft_of(second)))
    second.refresh_from_db()
    publish_round(olive, second, NOW)
    assert_right(tournament)
    report_all(second)
    correct_result(olive, table(first, 2), score(0, 2), "typed wrong", NOW)
    assert_right(tournament)
    out = table(second, 3).seats.first().entry
    give_penalty(olive, out, Penalty.Kind.DISQUALIFICATION, "Marked cards", NOW, match=table(second, 3))
    play(tournament)
    assert_right(tournament)


def test_event_without_players_or_rounds_is_right():
    tournament = running(2)
    for scope in Scope:
        assert verify(taken(tournament, scope), public_key()).ok
