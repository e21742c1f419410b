"""Own decks by API: list, begin, read, save, history, export; foreign ones are not found."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from decks.models import Deck
from decks.services.decks import freeze_version, read_decklist
from journal.models import IdempotencyKey
from tests.decks.conftest import NOW
from tests.decks.owners import GAME, begun, resaved, saved
from tests.tournaments.api.callers import caller, good

pytestmark = pytest.mark.sqlite

DECKS = "/api/v1/decks/"


def new(text=None, **changes):
    values = {"game": "doom_pile", "game_format": "standard", "name": "Winter", **changes}
    return values if text is None else {**values, "text": text}


def test_deck_is_begun_read_saved_and_deleted(catalogue, legal_text):
    ada = caller("ada")
    line = good(ada.post(DECKS, new(legal_text)), 201)
    assert (line["version"], line["legal"], line["name"]) == (1, True, "Winter")
    address = f"{DECKS}{line['id']}/"
    deck = good(ada.get(address))
    assert (deck["text"], deck["verdict"]["legal"], deck["repair"]) == (legal_text, True, [])
    assert {"name": "Ash Ledger", "count": 3, "section": "main"} in deck["cards"]
    deck = good(ada.put(address, {"name": "Summer", "text": legal_text.replace("3x Ash Ledger", "4x Ash Ledger")}))
    assert (deck["name"], deck["version"], deck["verdict"]["legal"]) == ("Summer", 2, False)
    assert deck["repair"] == [{"card": "Ash Ledger", "section": "main", "change": -1}]
    assert ada.delete(address).status_code == 204
    assert ada.get(address).status_code == 404


def test_empty_deck_has_no_list_and_no_verdict(catalogue):
    ada = caller("ada")
    line = good(ada.post(DECKS, new()), 201)
    assert (line["version"], line["legal"]) == (None, None)
    deck = good(ada.get(f"{DECKS}{line['id']}/"))
    assert [deck[key] for key in ("version", "text", "cards", "verdict", "repair")] == [None] * 5


@pytest.mark.parametrize(
    ("values", "status", "code"),
    [
        (new("3 Glas Widow"), 422, "unread_lines"),
        (new(game="chess"), 404, "unknown_game"),
        (new(game_format="blitz"), 404, "unknown_format"),
        (new(game="house_game", game_format="open"), 422, "no_decklists"),
        (new(name="Taken"), 409, "deck_name_taken"),
        ({}, 400, "invalid"),
        (new("x" * (256 * 1024 + 1)), 400, "invalid"),
    ],
)
def test_refused_deck_stores_nothing(catalogue, values, status, code):
    begun("ada", "Taken")
    assert good(caller("ada").post(DECKS, values), status)["code"] == code
    assert Deck.objects.count() == 1


def test_refused_change_changes_nothing(catalogue, legal_text):
    deck = saved("ada", legal_text).deck
    answer = caller("ada").put(f"{DECKS}{deck.public_id}/", {"name": "Summer", "text": "3 Glas Widow"})
    assert good(answer, 422)["details"] == {"lines": [1]}
    deck.refresh_from_db()
    assert deck.name == "Winter"


def test_repeat_with_the_same_key_begins_one_deck(catalogue, legal_text):
    ada = caller("ada")
    answers = [ada.post(DECKS, new(legal_text), HTTP_IDEMPOTENCY_KEY="once") for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert Deck.objects.count() == 1


def test_answer_with_a_list_is_not_kept_for_repeats(catalogue, legal_text):
    deck = saved("ada", legal_text).deck
    ada, address = caller("ada"), f"{DECKS}{deck.public_id}/"
    for _ in range(2):
        answer = ada.put(address, {"text": "3 Ash Ledger"}, HTTP_IDEMPOTENCY_KEY="once")
        assert good(answer)["version"] == 2
        assert not answer.has_header("Idempotency-Replayed")


def test_checked_list_is_not_kept_for_repeats(catalogue, legal_text):
    ada, body = caller("ada"), {"game": "doom_pile", "game_format": "standard", "text": legal_text}
    for _ in range(2):
        answer = ada.post(f"{DECKS}check/", body, HTTP_IDEMPOTENCY_KEY="once")
        assert good(answer)["verdict"]["legal"] is True
        assert not answer.has_header("Idempotency-Replayed")
    assert "Ash Ledger" not in str([row.__dict__ for row in IdempotencyKey.objects.all()])


def test_history_and_export_of_each_version(catalogue, legal_text):
    version = freeze_version(saved("ada", legal_text), NOW)
    resaved("ada", version.deck, legal_text.replace("3x Brass Hound", "3x Bog Notary"))
    ada, address = caller("ada"), f"{DECKS}{version.deck.public_id}/versions/"
    second, first = good(ada.get(address))["results"]
    assert [each["name"] for each in second["changes"]] == ["Bog Notary", "Brass Hound"]
    assert (first["frozen_at"] is None, second["frozen_at"]) == (False, None)
    export = good(ada.get(f"{address}1/export/?format=csv"))
    assert (export["media_type"], export["extension"]) == ("text/csv", "csv")
    assert read_decklist(export["text"], *GAME, "x.csv").decklist == version.decklist
    assert good(ada.get(f"{address}1/export/"))["format"] == "text"
    assert ada.get(f"{address}1/export/?format=pdf").status_code == 400
    for missing in ("3/export/", f"{10**30}/export/"):
        assert ada.get(f"{address}{missing}").status_code == 404


def test_foreign_deck_answers_like_none(catalogue, legal_text):
    deck, mallory = saved("ada", legal_text).deck, caller("mallory")
    for method, rest in (("get", ""), ("put", ""), ("delete", ""), ("get", "versions/"), ("get", "versions/1/export/")):
        here, nowhere = (
            getattr(mallory, method)(f"{DECKS}{public_id}/{rest}") for public_id in (deck.public_id, "A" * 16)
        )
        assert (here.status_code, here.content) == (404, nowhere.content)
        assert getattr(caller(), method)(f"{DECKS}{deck.public_id}/{rest}").status_code == 401
    assert good(mallory.get(DECKS))["results"] == []
    assert caller().get(DECKS).status_code == 401


def test_list_costs_the_same_for_many(catalogue, legal_text):
    ada, counts = caller("ada"), []
    saved("ada", legal_text)
    ada.get(DECKS)
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            good(ada.get(DECKS))
        counts.append(len(queries))
        for number in range(30):
            saved("ada", legal_text, f"Deck {number}")
    assert counts[0] == counts[1]
    assert good(ada.get(f"{DECKS}?limit=5"))["count"] == 31
