"""The newcomer's journey of the README in a real browser: from signing up to the podium of sixteen players.

They come in through the code at the door, each on a phone of their own.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from csv import DictReader
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from scoring.standings.records import MatchKind, MatchRecord, Outcome, SeatRecord
from tests.journeys.room import CODES, PEOPLE
from tests.journeys.shop import LAPTOP, PATIENCE, PHONE, press
from tournaments.management.demo import sample_decklist

ROUNDS = ("12453124", "2314512", "5122411")
"""The desk's code for each table of a Swiss round, in which nobody is reported on a phone but Ada in the first."""
DROPPED = "Gus Novák"
ADA, BEN = PEOPLE[:2]
COUNT = """for (const type of ["pointerdown", "change"]) addEventListener(type, (event) => {
  if (event.isTrusted && event.target.type !== "radio") localStorage[type] = 1 + Number(localStorage[type] ?? 0)
}, true)"""
"""Counts the presses and the filled fields of a window, from page to page; a tile is pressed at its label."""


@dataclass
class Tour:
    """One run through the tour on the site at `address`; `pictures` is where screenshots go, if anywhere."""

    browser: Browser
    address: str
    pictures: Path | None = None
    event: str = ""
    records: list[MatchRecord] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)
    standings: list[str] = field(default_factory=list)
    exported: list[dict[str, str]] = field(default_factory=list)
    presses: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def play(self) -> None:
        with self.window(LAPTOP) as page, self.window(PHONE) as ada, self.window(PHONE) as ben:
            self.sign_up(page)
            self.create_event(page)
            self.come_in(page, {ADA: ada, BEN: ben})
            self.register_deck(ada, ADA, 3)
            self.register_deck(ben, BEN, 4)
            self.act(page, "manage/", "Start now")
            for number, codes in enumerate(ROUNDS, start=1):
                self.play_round(page, number, codes, ada)
            self.read_standings(page)
            champion = self.knock_out(page)
            self.finish(page, champion)

    @contextmanager
    def window(self, size: dict[str, int]) -> Iterator[Page]:
        """A browser window of its own, as of another person."""
        context = self.browser.new_context(viewport=size, base_url=self.address, locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(COUNT)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        yield page
        context.close()

    def picture(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Keep what the window shows."""
        if self.pictures:
            page.screenshot(path=self.pictures / f"{name}.png", full_page=whole)

    def act(self, page: Page, path: str, button: str) -> None:
        """Open a page of the event and press one button there."""
        page.goto(self.event + path)
        press(page, button)

    def count(self, page: Page, name: str) -> None:
        """Note how often a window was pressed and how many fields were filled since it was last asked."""
        self.presses[name], self.presses[f"{name}: fields"] = page.evaluate("""() => {
          const fields = Number(localStorage.change ?? 0), presses = Number(localStorage.pointerdown ?? 0)
          localStorage.clear()
          return [presses, fields]
        }""")

    def sign_up(self, page: Page) -> None:
        """Step 1: an account, without any mail."""
        page.goto("/accounts/signup/")
        page.fill("[name=username]", "olive")
        page.fill("[name=password1]", "a long autumn evening")
        page.locator("main form button[type=submit]").click()
        page.wait_for_url("**/")
        self.count(page, "account")

    def create_event(self, page: Page) -> None:
        """Step 2: the event on one page, with a cut to the best four."""
        page.get_by_role("link", name="Create an event").first.click()
        page.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
        page.get_by_role("spinbutton", name="Swiss rounds").fill("3")
        page.locator("label", has_text="top 4").click()
        self.picture(page, "new-event", whole=True)
        press(page, "Create event")
        self.event = re.sub(r"manage/.*", "", page.url)
        press(page, "Open registration")
        self.count(page, "event")

    def come_in(self, page: Page, phones: dict[str, Page]) -> None:
        """Step 3: a poster at the door; sixteen phones scan its code and type a name."""
        page.goto(self.event + "manage/entries/")
        page.get_by_text("Sign-up at the door").click()
        press(page, "Open the door")
        door = urlsplit(page.locator(".sign-address").inner_text().strip()).path
        self.picture(page, "door-poster")
        for name in PEOPLE:
            if name in phones:
                self.enter(phones[name], door, name)
            else:
                with self.window(PHONE) as phone:
                    self.enter(phone, door, name)
        page.goto(self.event + "manage/entries/")
        self.picture(page, "entries")
        self.numbers = {name: number for number, name in enumerate(PEOPLE, start=1)}

    def enter(self, phone: Page, door: str, name: str) -> None:
        """One player comes in."""
        phone.goto(door)
        phone.get_by_label("Your name").fill(name)
        press(phone, "Continue")
        expect(phone.locator("h1")).to_have_text(name)

    def register_deck(self, phone: Page, name: str, copies: int) -> None:
        """Step 4: a player pastes a decklist on the phone; four copies of a card are too many."""
        phone.goto(self.event + "my/deck/")
        phone.locator("textarea[name=text]").fill(sample_decklist(copies=copies))
        press(phone, "Register this deck")
        self.verdicts[name] = phone.locator("main").inner_text()
        self.picture(phone, f"deck-{'legal' if copies == 3 else 'illegal'}")

    def play_round(self, page: Page, number: int, codes: str, ada: Page) -> None:
        """Step 5: pair, publish, report at the desk; in round 1 Ada reports on her phone and the desk confirms."""
        self.act(page, "manage/", f"Pair round {number}")
        self.act(page, "manage/rounds/", "Publish")
        tables = self.read_tables(page, number)
        for table, code in enumerate(codes[: len(tables)], start=1):
            if number == 1 and ADA in tables[table]:
                self.report_on_phone(ada, tables[table].index(ADA) == 0, CODES[code])
                self.act(page, "desk/", f"Confirm table {table}")
            else:
                self.type_result(page, table, code)
            self.record(number, tables[table], CODES[code])
            if (number, table) == (2, 2):
                self.picture(page, "desk")
                page.goto(self.event + "manage/")
                self.picture(page, "now")
        if number == 1:
            page.goto(self.event + "manage/entries/")
            page.get_by_text(f"More for {DROPPED}").locator("xpath=..").click()
            page.locator(f"#entry-{self.numbers[DROPPED]}").get_by_role("button", name="Drop from the event").click()
            page.get_by_role("button", name="Drop the player").first.click()

    def type_result(self, page: Page, table: int, code: str) -> None:
        """Table number, Enter, one digit, Enter."""
        page.goto(self.event + "desk/")
        page.get_by_label("Table", exact=True).fill(str(table))
        page.get_by_label("Result", exact=True).fill(code)
        page.keyboard.press("Enter")
        page.get_by_text("Last saved").wait_for()

    def report_on_phone(self, phone: Page, first: bool, won: tuple[int, int]) -> None:
        """Ada reports her own match: her games first, whichever seat she has."""
        mine, theirs = won if first else (won[1], won[0])
        phone.goto(self.event + "my/")
        self.picture(phone, "my-match")
        phone.locator("summary", has_text="report it").click()
        phone.locator("main label", has_text=f"{mine}–{theirs}").first.click()
        phone.get_by_role("button", name="Send the result").click()
        phone.get_by_text("waiting for").wait_for()

    def read_tables(self, page: Page, number: int) -> dict[int, list[str]]:
        """The published pairings by table number; the bye is recorded at once."""
        page.goto(f"{self.event}pairings/?by=table&round={number}")
        known = sorted(self.numbers, key=len, reverse=True)
        tables: dict[int, list[str]] = {}
        for row in page.locator("main table tbody tr").all():
            text = row.inner_text()
            names = sorted((name for name in known if name in text), key=text.index)
            if len(names) == 2:
                tables[int(re.findall(r"\d+", text)[0])] = names
            elif names and number <= len(ROUNDS):
                seat = SeatRecord(self.numbers[names[0]], Outcome.WIN, 2)
                self.records.append(MatchRecord(number, MatchKind.BYE, (seat,)))
        return tables

    def record(self, number: int, names: list[str], won: tuple[int, int]) -> None:
        """Note a result apart from the site, to compare the standings with."""
        outcomes = [Outcome.DRAW] * 2 if won[0] == won[1] else [Outcome.WIN, Outcome.LOSS]
        if won[0] < won[1]:
            outcomes.reverse()
        seats = zip(names, outcomes, won, strict=True)
        records = tuple(SeatRecord(self.numbers[name], outcome, games) for name, outcome, games in seats)
        self.records.append(MatchRecord(number, MatchKind.PLAYED, records))

    def read_standings(self, page: Page) -> None:
        """The standings after the Swiss rounds, on the page and as a file."""
        page.goto(self.event + "standings/")
        self.picture(page, "standings")
        self.standings = page.locator("main table tbody tr:not(.cut)").all_inner_texts()
        text = page.request.get(self.event + "standings.csv").body().decode("utf-8-sig")
        self.exported = list(DictReader(text.splitlines()))

    def knock_out(self, page: Page) -> str:
        """Step 6: the best four play on, the first seat always wins; answers who wins the final."""
        page.goto(self.event + "manage/")
        page.get_by_role("link", name="Preview who plays on").click()
        press(page, "Start stage")
        winners: set[str] = set()
        while len(winners) != 1:
            number = len(ROUNDS) + 1 + bool(winners)
            self.act(page, "manage/", "Pair")
            self.act(page, "manage/rounds/", "Publish")
            tables = self.read_tables(page, number)
            for table in tables:
                self.type_result(page, table, "1")
            winners = {names[0] for names in tables.values() if not winners or set(names) == winners}
        return winners.pop()

    def finish(self, page: Page, champion: str) -> None:
        """Step 7: the podium; any player's record is two presses away."""
        self.act(page, "manage/", "Finish the event")
        page.goto(self.event)
        expect(page.locator("#podium")).to_have_text(f"{champion} wins")
        expect(page.locator(".podium li")).to_have_count(4)  # who lost a semi-final is third
        self.picture(page, "podium")
        self.count(page, "before")
        page.get_by_role("link", name="Standings", exact=True).first.click()
        page.get_by_role("link", name=DROPPED).first.click()
        expect(page.locator("h1")).to_contain_text(DROPPED)
        self.count(page, "record")
