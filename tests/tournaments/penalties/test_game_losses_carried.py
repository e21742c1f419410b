"""Game losses of tables that are paired again: each goes with its player to the new match of the same round."""

import pytest

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tests.tournaments.penalties.test_penalties import seated
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round, undo_change
from tournaments.models import Match, Penalty
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.penalties.services import give_penalty, take_back_penalty
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round

pytestmark = pytest.mark.django_db


def lose_a_game(match):
    """A game loss for the first seat."""
    return give_penalty(account("juno"), seated(match), Penalty.Kind.GAME_LOSS, "Slow play", NOW, match=match)


def mark(round_):
    round_.refresh_from_db()
    return seen_mark(round_, round_draft_of(round_))


def moves_of(tournament):
    """The entries whose penalties the log says were moved, and to which match."""
    moved = LedgerEntry.objects.filter(stream=tournament.stream, act="penalty.carried").order_by("sequence")
    return [(act.subjects["entry"], act.subjects["match"]) for act in moved]


def match_of(entry):
    return Match.objects.get(seats__entry=entry, round__superseded_at=None)


def asks_for_the_game_loss(match, loser):
    """Whether a result is refused in which this entry won every game and lost none."""
    won = (0, 2) if seated(match, 1) == loser else (2, 0)
    with pytest.raises(DomainError) as caught:
        report_result(account("olive"), match, score(*won), NOW)
    return caught.value.code == "penalty_missing" and loser.name in caught.value.message


@pytest.mark.parametrize("act", [Act.SWAP, Act.SEATS])
def test_a_game_loss_goes_with_its_player_to_a_table_changed_by_hand(match, act):
    round_, tournament = match.round, match.round.stage.tournament
    loser, other = seated(match), seated(table(round_, 2))
    lose_a_game(match)
    change = Change(act, (loser.pk, other.pk)) if act is Act.SWAP else Change(act, table=1)
    query = {"act": act.value, **({"one": loser.number, "other": other.number} if act is Act.SWAP else {"table": 1})}
    olive, address = browser(account("olive")), url(tournament, f"manage/rounds/{round_.pk}/change/")
    shown = text_of(olive.get(address, query).content.decode())
    assert f"The game loss of {loser.name} counts at the new table." in shown
    change_round(account("olive"), round_, change, "mixed up", NOW, seen=mark(round_))
    new = match_of(loser)
    assert (new.pk != match.pk, moves_of(tournament)) == (True, [(loser.number, new.pk)])
    assert f"moved a penalty of no. {loser.number} {loser.name} to the new table {new.table_number}: game loss" in (
        text_of(page(olive, url(tournament, "manage/log/")))
    )
    undo_change(account("olive"), round_, "was right", NOW, seen=mark(round_))
    assert asks_for_the_game_loss(match_of(loser), loser)
    assert verify_stream(tournament.stream) == []


def test_a_game_loss_goes_with_its_player_to_the_round_paired_again(match):
    tournament, loser = match.round.stage.tournament, seated(match)
    lose_a_game(match)
    withdraw_round(account("olive"), match.round, "paired too early", NOW)
    again = pair_next_round(account("olive"), tournament, NOW, seed=2)
    olive = browser(account("olive"))
    note = f"The game loss of {loser.name} counts at the new table."
    assert note in text_of(page(olive, url(tournament, "manage/rounds/")))
    publish_round(account("olive"), again, NOW)
    assert note not in text_of(page(olive, url(tournament, "manage/rounds/")))
    assert moves_of(tournament) == [(loser.number, match_of(loser).pk)]
    assert asks_for_the_game_loss(match_of(loser), loser)
    assert Penalty.objects.get().round == again
    assert verify_stream(tournament.stream) == []


def test_a_game_loss_of_a_player_with_a_bye_waits_for_a_match_of_the_round():
    round_ = next_round(running(5))
    match, tournament = table(round_), round_.stage.tournament
    loser = seated(match)
    lose_a_game(match)
    olive, address = browser(account("olive")), url(tournament, f"manage/rounds/{round_.pk}/change/")
    shown = text_of(olive.get(address, {"act": "bye", "one": loser.number}).content.decode())
    assert f"{loser.name} has a game loss but no match in this round then" in shown
    bye = Change(Act.BYE, (loser.pk,))
    change_round(account("olive"), round_, bye, "mixed up", NOW, seen=mark(round_))
    assert moves_of(tournament) == []
    undo_change(account("olive"), round_, "was right", NOW, seen=mark(round_))
    assert moves_of(tournament) == [(loser.number, match_of(loser).pk)]
    assert asks_for_the_game_loss(match_of(loser), loser)


def test_a_game_loss_taken_back_goes_nowhere(match):
    tournament = match.round.stage.tournament
    take_back_penalty(account("juno"), lose_a_game(match), "wrong player", NOW)
    withdraw_round(account("olive"), match.round, "paired too early", NOW)
    next_round(tournament, seed=2)
    assert moves_of(tournament) == []
