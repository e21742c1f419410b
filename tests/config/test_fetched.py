"""What a script is told of the form it sent."""

import pytest

from tests.tournaments.factories import next_round, running
from tests.tournaments.web.visitors import browser, guest, paired, url

pytestmark = pytest.mark.django_db
BY_SCRIPT = {"X-Unsent": "1"}


@pytest.fixture
def sent():
    tournament = running(2, game="house_game", game_format="open")
    match, first, second = paired(next_round(tournament))
    fields = {"act": "report", "match": match.pk, "score": "2-1-0", "idempotency_key": "k1", "seen": "0"}
    return url(tournament, "my/"), fields, guest(tournament, first.entry.name), guest(tournament, second.entry.name)


def test_what_was_stored_is_told_by_its_next_address_and_a_repeat_too(sent):
    address, fields, one, _other = sent
    for replayed in (None, "true"):
        answer = one.post(address, fields, headers=BY_SCRIPT)
        assert (answer.status_code, answer["X-Location"]) == (200, address)
        assert answer.get("Idempotency-Replayed") == replayed
        assert "Location" not in answer


def test_a_form_shown_again_is_marked(sent):
    address, fields, one, _other = sent
    answer = one.post(address, {**fields, "score": "9"}, headers=BY_SCRIPT)
    assert (answer.status_code, answer["X-Shown"]) == (200, "1")
    assert "X-Location" not in answer


def test_two_values_are_asked_about_and_nothing_is_stored(sent):
    address, fields, one, other = sent
    other.post(address, {**fields, "score": "2-0-0", "idempotency_key": "k2"})
    answer = one.post(address, fields, headers=BY_SCRIPT)
    assert answer["X-Asked"] == "1"
    text = answer.content.decode()
    assert "You lost 0–2" in text
    assert "You won 2–1" in text
    assert one.post(address, fields, headers=BY_SCRIPT)["X-Asked"] == "1"
    assert "not agreed" not in one.get(address).content.decode()


def test_who_is_not_signed_in_any_more_is_told_so(sent):
    address, fields, _one, _other = sent
    answer = browser().post(address, fields, headers=BY_SCRIPT)
    assert answer.status_code == 403
    assert "You&#x27;re signed out" in answer.content.decode()


def test_another_match_is_refused_so_that_the_entry_is_kept(sent):
    address, fields, one, _other = sent
    assert one.post(address, {**fields, "match": 0}, headers=BY_SCRIPT).status_code == 409


def test_forms_without_a_script_are_redirected(sent):
    address, fields, one, _other = sent
    answer = one.post(address, fields)
    assert (answer.status_code, answer["Location"]) == (302, address)
