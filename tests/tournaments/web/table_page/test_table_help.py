"""Ledgers and helpers of games at events: written by those at the table alone, tallied to the match's result."""

import re

import pytest

from tests.tournaments.factories import NOW, account, next_round, running
from tests.tournaments.sheet_acts import fresh, held, opened, played, state, work
from tests.tournaments.web.visitors import browser, guest, names_at, page, url
from tournaments.models import Match, Tournament
from tournaments.sheets.selectors.sheet_lines import SheetState
from tournaments.sheets.services.writing import save_match_part

pytestmark = pytest.mark.django_db

DUEL = {"game": "dead_or_destroyed", "game_format": "standard", "best_of": 3}
TROOP = {"game": "doomtrooper", "game_format": "second-edition", "best_of": 1}


def match_of(**changes: object) -> Match:
    """The first table of an event with score sheets, its sheet open."""
    tournament = running(4, score_sheets=True, deck_required=False, **changes)
    next_round(tournament)
    return opened(played(tournament))


def event_of(match: Match) -> Tournament:
    return match.round.stage.tournament


def address(match: Match, rest: str = "") -> str:
    return url(event_of(match), f"match/{match.pk}/sheet/{rest}")


def sign_all(match: Match) -> None:
    for place, name in enumerate(names_at(match), 1):
        guest(event_of(match), name).post(address(match, "sign/"), {"revision": "1", "place": str(place)})


def test_games_told_at_the_table_become_the_result_with_roles():
    match = match_of(**DUEL, sheet_options={"summon_reading": "example"}, deciding_game="lot")
    first, second = names_at(match)
    phone = guest(event_of(match), first)
    told = page(phone, address(match))
    assert "?reading=example" in told
    assert "In the deciding game: By lot." in told
    for necromancer, outcome in ((first, "necromancer"), (second, "paladin")):
        phone.post(address(match, "play/add/"), {"necromancer": necromancer, "outcome": outcome})
    over = page(phone, address(match))
    assert "The match is over" in over
    assert "Game 3" not in over
    third = phone.post(address(match, "play/add/"), {"necromancer": first, "outcome": "paladin"})
    assert "File the sheet, or strike out a wrong game." in third.content.decode()
    assert len(held(match).sheet.parts.get(place=0).content["games"]) == 2
    phone.post(address(match, "file/"))
    work()
    sign_all(match)
    report = fresh(match).accepted_report
    assert [(game["winner"], game["win_kind"]) for game in report.games] == [(0, "necromancer"), (0, "paladin")]
    assert report.games[1]["roles"] == ["paladin", "necromancer"]
    late = guest(event_of(match), second).post(
        address(match, "play/add/"), {"necromancer": first, "outcome": "paladin"}
    )
    assert late.status_code == 403, "a result that counts is not written over"
    assert len(held(match).sheet.parts.get(place=0).content["games"]) == 2


def test_ledger_of_a_match_is_written_by_its_table_and_staff_alone():
    match = match_of(**TROOP, sheet_options={"sabotage": "on", "target": 25})
    first, second = names_at(match)
    act = {"act": "kill", "player": first, "other": second, "value": "30"}
    stranger = next(each.name for each in event_of(match).entries.all() if each.name not in (first, second))
    for client in (browser(), browser(account("mallory")), guest(event_of(match), stranger)):
        assert client.get(address(match)).status_code in (302, 403, 404)
        assert client.post(address(match, "play/move/"), act).status_code in (302, 403, 404)
    assert held(match).sheet.parts.get(place=0).content == {}
    told = page(guest(event_of(match), second), address(match))
    assert "25 Promotion Points win." in told
    assert 'value="sabotage"' in told
    guest(event_of(match), second).post(address(match, "play/move/"), act)
    assert re.search(rf"{first} has won", page(browser(account("olive")), address(match)))
    guest(event_of(match), first).post(address(match, "play/file/"))
    work()
    assert state(match).state is SheetState.SIGNING
    sign_all(match)
    assert [row.games_won for row in fresh(match).accepted_report.seat_results.order_by("seat__order")] == [1, 0]


@pytest.mark.parametrize(
    ("changes", "links"),
    [({"game": "doom_pile"},
      ["/scores/doom_pile/?name=Ada", "/scores/doom_pile/table/?name=", "/scores/doom_pile/countdown/"]),
     (DUEL, ["/scores/dead_or_destroyed/summon/?reading=example", "/scores/dead_or_destroyed/attack/"]),
     (TROOP, ["/scores/doomtrooper/"])],
)  # fmt: skip
def test_own_match_leads_to_help_at_the_table(changes, links):
    tournament = running(2, **changes)
    next_round(tournament)
    text = page(guest(tournament, "Ada"), url(tournament, "my/"))
    assert [link for link in links if link not in text] == []


def stored(match: Match, **content: object) -> None:
    """What a program stored as the table's part."""
    part = held(match).sheet.parts.get(place=0)
    save_match_part(account("olive"), match, 0, content, part.version, NOW)


NONSENSE = {"struck": [{"act": "fly"}, {"winner": "Zed"}, 5], "clock": {"until": "soon", "minutes": []}}


def test_acts_that_a_program_stored_bare_are_shown_and_struck():
    match = match_of(**TROOP)
    first, second = names_at(match)
    act = {"act": "kill", "player": first, "victim": second, "value": 8}
    stored(match, acts=[act, {**act, "value": 3}], **NONSENSE)
    phone = guest(event_of(match), first)
    assert "Value 8" in page(phone, address(match))
    phone.post(address(match, "play/unmove/"), {"act": "1"})
    assert [each["value"] for each in held(match).sheet.parts.get(place=0).content["acts"]] == [3]


def test_games_that_a_program_stored_bare_are_shown_and_struck():
    match = match_of(**DUEL)
    first, second = names_at(match)
    stored(match, games=[{"winner": first}, {"winner": second, "won_by": "paladin"}, {}], **NONSENSE)
    phone = guest(event_of(match), first)
    told = page(phone, address(match))
    assert f"{second} won" in told
    assert '<b class="score push">1–1</b>' in told
    phone.post(address(match, "play/strike/"), {"act": "1"})
    assert "0–1" in page(phone, address(match))


@pytest.mark.parametrize(("kind", "content"), [(DUEL, {"games": [5]}), (DUEL, {"games": 5}), (TROOP, {"acts": [5]})])
def test_ledger_that_cannot_be_read_says_so(kind, content):
    match = match_of(**kind)
    stored(match, **content)
    assert "can't be read" in page(guest(event_of(match), names_at(match)[0]), address(match))


def test_tally_of_games_tells_who_won_what_and_is_signed_on_its_page():
    match = match_of(**DUEL)
    first, second = names_at(match)
    phones = [guest(event_of(match), name) for name in (first, second)]
    for necromancer, outcome in ((first, "paladin"), (second, "concession0"), (second, "necromancer")):
        phones[0].post(address(match, "play/add/"), {"necromancer": necromancer, "outcome": outcome})
    phones[0].post(address(match, "file/"))
    work()
    for place, phone in enumerate(phones, 1):
        told = page(phone, address(match, "tally/"))
        assert f'<p class="outcome">{second}</p>' in told
        ranks = re.findall(r'(\d)\.</span>\s*<span class="grow">\s*(\w+)', told)
        assert ranks == [("1", second), ("2", first)]
        assert re.search(rf"{second}.*?Necromancer: the Deck could not pay.*?Paladin: no zombie left", told, re.DOTALL)
        assert f'name="place" value="{place}"' in told
        phone.post(address(match, "sign/"), {"revision": "1", "place": str(place)})
    report = fresh(match).accepted_report
    assert [(game["winner"], game["win_kind"]) for game in report.games] == [
        (1, "paladin"), (0, "concession"), (1, "necromancer"),
    ]  # fmt: skip
    assert [row.games_won for row in report.seat_results.order_by("seat__order")] == [1, 2]
    assert "signed" in page(phones[0], address(match, "tally/"))
