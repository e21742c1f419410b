"""How an event pairs its rounds, as its page says it."""

import itertools

import pytest

from tests.tournaments.factories import event
from tests.tournaments.web.visitors import page, text_of, url
from tournaments.pairing.swiss.contenders import Apart, Finish, Order, PairingPolicy
from tournaments.web.shared.policy_words import pairing_sentence


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (
            PairingPolicy(),
            "No rematches if avoidable; scores as close as possible; the draw decides the rest.",
        ),
        (
            PairingPolicy(Order.TOP_DOWN, Apart.SOFT, Apart.HARD, Finish.LOT, Finish.STANDINGS),
            (
                "No rematches if avoidable; from the top, score groups play among themselves; players of one team are "
                "kept apart; club-mates are kept apart unless it costs a rematch; the draw decides the rest; last "
                "round: neighbours in the standings meet."
            ),
        ),
        (
            PairingPolicy(clubs=Apart.HARD, teams=Apart.HARD, finish=Finish.STANDINGS, last_finish=Finish.STANDINGS),
            (
                "No rematches if avoidable; scores as close as possible; players of one club or team are kept apart; "
                "among equals, neighbours in the standings meet."
            ),
        ),
    ],
)
def test_sentence_says_how_rounds_are_paired(policy, words):
    assert pairing_sentence(policy) == words


def test_no_two_policies_read_alike():
    policies = [PairingPolicy(*each) for each in itertools.product(Order, Apart, Apart, Finish, Finish)]
    assert len({pairing_sentence(policy) for policy in policies}) == len(policies) == 162


@pytest.mark.django_db
def test_event_page_says_how_rounds_are_paired(client):
    held = event(2, pairing=PairingPolicy(clubs=Apart.SOFT))
    assert pairing_sentence(held.pairing_policy) in text_of(page(client, url(held)))
