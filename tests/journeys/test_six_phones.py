"""A table of six phones plays a Doomlings table and three teams a Doomtrooper one, on a real server with a worker.

`DOOMDESK_PICTURES=folder ./test tests/journeys/test_six_phones.py` keeps what the phones show.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page

from journal.clock import database_now
from scoring.models import SheetRevision
from scoring.standings.presets import PRESETS
from tests.invariants.processes import wait_until
from tests.journeys.shop import PHONE, Shop, Windows, open_shop, press
from tests.tournaments.factories import NOW, account, draft, next_round, table
from tournaments.core.first_players import first_place
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.models import EntryMember, Match, MatchSheet, Tournament
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

PROCESSES = ("broker", "relay", "worker1", "web")
PILES = {
    "Ada": ("Adorable", "Retractable Claws", "Blubber"),
    "Ben": ("Morality", "Brute Strength", "Delicious"),
    "Cem": ("Antlers", "Appealing", "Scutes"),
    "Dora": ("Fire Skin", "Flatulence", "Bark"),
    "Emil": ("Flight", "Hot Temper", "Just"),
    "Fay Gunnarsdóttir-Ólafsdóttir": ("Bad", "Clever", "Fangs"),
}
"""Faces 13, 13, 9, 8, 6 and 3; the Ice Age takes 1 for each red trait: Ada 12, Ben 12, Cem 8, Dora 7, Emil 5, Fay 1."""
PLACES = dict(zip(PILES, ((2, 12), (1, 12), (3, 8), (4, 7), (5, 5), (6, 1)), strict=True))
"""Ada and Ben are tied, and Ben draws the higher face."""
FORGOTTEN = "Scutes"
"""What Cem forgets at first."""
TEAMS = {"Red": ("Ada", "Ben"), "Blue": ("Cem", "Dora"), "Green": ("Emil", "Fay")}


@pytest.fixture(scope="module")
def shop(django_db_setup: None) -> Iterator[Shop]:
    """A broker, the relay, a worker and a web server on the database of the tests."""
    with open_shop(*PROCESSES) as shop:
        yield shop


def seated(game: str, drafts: list[EntryDraft], size: int, **changes: object) -> tuple[Tournament, Match]:
    """A running event whose first round has everybody at one table."""
    olive = account("olive")
    said = draft(game=game, best_of=1, score_sheets=True, name="Six Phones", **changes)
    tournament = open_registration(olive, create_tournament(olive, said, NOW), NOW)
    set_stages(olive, tournament, [StageDraft("tables", planned_rounds=1, tables=TablePolicy(size, 2, size))], NOW)
    register_walk_ins(olive, tournament, drafts, NOW)
    return tournament, table(next_round(start_tournament(olive, tournament, NOW)))


class Phones(Windows):
    """A phone for each player, who came by personal link."""

    def __init__(self, browser: Browser, shop: Shop, tournament: Tournament, match: Match) -> None:
        super().__init__(browser, shop)
        self.tournament, self.match = tournament, match
        self.order = [seat.entry.name for seat in match.seats.order_by("order")]
        self.pages: dict[str, Page] = {}

    @contextmanager
    def out(self) -> Iterator["Phones"]:
        """Everybody opens the own link."""
        with self.closing:
            members = EntryMember.objects.filter(tournament=self.tournament).select_related("entry", "person")
            for member in members.order_by("entry__number", "order"):
                token = issue_entry_link(account("olive"), member.entry, database_now(), member=member.order)
                self.pages[member.person.name] = self.open(PHONE, f"/p/{token}/", has_touch=True)
            yield self

    def event(self, path: str = "") -> str:
        return f"/e/{self.tournament.slug}/{path}"

    def sheet(self, path: str = "") -> str:
        return self.event(f"match/{self.match.pk}/sheet/{path}")


def write_pile(phones: Phones, name: str, place: int, cards: tuple[str, ...]) -> None:
    """A player types the names of cards into the own pile and saves."""
    page = phones.pages[name]
    page.goto(phones.sheet(f"parts/{place}/"))
    adding = page.locator("#id_traits_add")
    for card in cards:
        adding.fill(card)
        adding.press("Enter")
    phones.picture(page, f"pile-{place}")
    press(page, "Save")


def draw(phones: Phones, page: Page, faces: dict[str, int]) -> None:
    """Write down what the tied drew, in turn order."""
    page.goto(phones.sheet("tally/"))
    fields = page.locator("section[aria-labelledby=draw]")
    shown = fields.locator("label").all_inner_texts()
    assert [label.split(" (")[0] for label in shown] == [name for name in phones.order if name in faces]
    for name, face in faces.items():
        fields.get_by_label(re.compile(rf"^\s*{name}")).fill(str(face))
    phones.picture(page, "draw")
    press(page, "File the draw")


def tallied(phones: Phones, number: int) -> SheetRevision:
    """The revision of this number once the worker has tallied it."""
    sheet = MatchSheet.objects.get(match=phones.match).sheet
    assert wait_until(lambda: sheet.revisions.filter(number=number, outcome__isnull=False), 20), "nobody tallied it"
    return sheet.revisions.get(number=number)


def sign(phones: Phones, names: list[str]) -> None:
    """These sign the tally, one phone after the other."""
    for name in names:
        phones.pages[name].goto(phones.sheet("tally/"))
        press(phones.pages[name], "Sign for")


def places(match: Match) -> dict[str, tuple[int, int]]:
    """What counts: everybody's place and score."""
    match.refresh_from_db()
    rows = match.accepted_report.seat_results.select_related("seat__entry")
    return {row.seat.entry.name: (row.placing, int(row.score)) for row in rows}


@pytest.mark.full
def test_six_phones_fill_in_draw_correct_and_sign_a_sheet(browser: Browser, shop: Shop) -> None:
    drafts = [EntryDraft(name) for name in PILES]
    tournament, match = seated("doomlings", drafts, 6, game_format="standard", sheet_options={"ties": "draw"})
    with Phones(browser, shop, tournament, match).out() as phones:
        order, first = phones.order, phones.pages[phones.order[0]]
        first.goto(phones.event("my/"))
        phones.picture(first, "my-match")
        first.goto(phones.sheet())
        press(first, "Begin the sheet")
        first.goto(phones.sheet("parts/0/"))
        first.get_by_label("The third catastrophe").select_option("Ice Age")
        phones.picture(first, "table")
        press(first, "Save")
        for place, name in enumerate(order, 1):
            write_pile(phones, name, place, tuple(card for card in PILES[name] if card != FORGOTTEN))
        first.goto(phones.sheet())
        phones.picture(first, "overview")
        press(first, "File the sheet")
        tallied(phones, 1)
        first.goto(phones.sheet("tally/"))
        phones.picture(first, "tie")
        draw(phones, first, {"Ada": 2, "Ben": 5})
        tallied(phones, 2)
        sign(phones, order[:3])
        phones.picture(phones.pages[order[3]], "half-signed")
        write_pile(phones, "Cem", order.index("Cem") + 1, (FORGOTTEN,))
        cem = phones.pages["Cem"]
        cem.goto(phones.sheet())
        phones.picture(cem, "changed")
        press(cem, "File the sheet")
        revision = tallied(phones, 3)
        assert not revision.signatures.exists()
        sign(phones, order)
        phones.picture(phones.pages[order[5]], "signed")
        assert places(match) == PLACES
        assert standings(phones, "Ada")[:2] == ["Ben", "Ada"]
        assert phones.errors == []


def standings(phones: Phones, name: str) -> list[str]:
    """Everybody on the public page of standings, the best first, as one phone shows it."""
    page = phones.pages[name]
    page.goto(phones.event("standings/"))
    phones.picture(page, f"standings-{phones.tournament.game}")
    rows = page.locator("tbody tr").all_inner_texts()
    known = [seat.entry.name for seat in phones.match.seats.all()]
    return [next(each for each in known if each in row) for row in rows]


@pytest.mark.full
def test_three_teams_keep_a_ledger_and_sign_it(browser: Browser, shop: Shop) -> None:
    drafts = [EntryDraft(team, members=members) for team, members in TEAMS.items()]
    agreed = {"mode": "teams", "target": 10, "signatures": "one"}
    said = {"game_format": "second-edition", "sheet_options": agreed, "policy": PRESETS["total_score"].policy}
    tournament, match = seated("doomtrooper", drafts, 3, **said)
    with Phones(browser, shop, tournament, match).out() as phones:
        seated_teams = [seat.entry.name for seat in match.seats.order_by("order")]
        drawn = first_place(tournament, match, 3) or 0
        one, *others = [*seated_teams[drawn:], *seated_teams[:drawn]]
        page = phones.pages[TEAMS[one][0]]
        page.goto(phones.event("my/"))
        phones.picture(page, "teams-my-match")
        sitting = page.locator("section[aria-labelledby=around] li .name").all_inner_texts()
        assert [name.split(". ")[1] for name in sitting] == [
            TEAMS[each][row] for row in (0, 1) for each in phones.order
        ]
        page.goto(phones.sheet())
        press(page, "Begin the sheet")
        press(page, f"Turn of {TEAMS[one][0]}")
        page.locator("#fold-kill > summary").click()
        page.locator("#kill_other").select_option(others[0])
        page.locator("#kill_value").fill("12")
        page.locator("#kill_destiny").fill("2")
        phones.picture(page, "teams-act")
        page.get_by_role("button", name="Kill", exact=True).click()
        phones.picture(page, "teams-ledger")
        press(page, "File the sheet")
        tallied(phones, 1)
        sign(phones, [TEAMS[others[0]][1]])
        assert places(match)[one] == (1, 10)
        assert standings(phones, TEAMS[one][1])[0] == one
        assert phones.errors == []
