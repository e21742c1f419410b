"""The README's tour in a real browser: a new user runs nine players through three rounds."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from scoring.standings.records import MatchKind, MatchRecord, Outcome, SeatRecord
from tournaments.management.demo import PEOPLE, sample_decklist

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
CODES = {"1": (2, 0), "2": (2, 1), "3": (1, 1), "4": (1, 2), "5": (0, 2)}
"""What the desk's result codes of a best of three mean."""
ROUNDS = (("1", "2", "4", "5"), ("2", "3", "1", "4"), ("5", "1", "2", "2"))
DROPPED = "Gus Novák"


@dataclass
class Tour:
    """One run through the tour on the site at `address`; `pictures` is where screenshots go, if anywhere."""

    browser: Browser
    address: str
    pictures: Path | None = None
    organiser: str = "olive"
    event: str = ""
    records: list[MatchRecord] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)
    standings: list[list[str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def play(self) -> None:
        """All steps in order."""
        with self.window(LAPTOP) as page:
            self.sign_up(page)
            self.create_event(page)
            self.enter_players(page)
            links = {name: self.personal_link(page, name) for name, _club in PEOPLE[:2]}
            for (name, link), copies in zip(links.items(), (3, 4), strict=True):
                with self.window(PHONE) as phone:
                    self.register_deck(phone, name, link, copies)
            self.press(page, "manage/", "Start now")
            for number, codes in enumerate(ROUNDS, start=1):
                self.play_round(page, number, codes, links["Ada Lindqvist"])
            self.finish(page)

    @contextmanager
    def window(self, size: dict[str, int]) -> Iterator[Page]:
        """A browser window of its own, as of another person."""
        context = self.browser.new_context(viewport=size, base_url=self.address, locale="en-GB")
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        yield page
        context.close()

    def picture(self, page: Page, name: str, *, whole: bool = False) -> None:
        """Keep what the window shows."""
        if self.pictures:
            page.screenshot(path=self.pictures / f"{name}.png", full_page=whole)

    def press(self, page: Page, path: str, button: str) -> None:
        """Open a page of the event and press one button there."""
        page.goto(self.event + path)
        page.get_by_role("button", name=button, exact=True).first.click()

    def sign_up(self, page: Page) -> None:
        """Step 1: an account, without any mail."""
        page.goto("/accounts/signup/")
        page.fill("[name=username]", self.organiser)
        page.fill("[name=password1]", "a long autumn evening")
        page.locator("main form button[type=submit]").click()
        page.wait_for_url("**/")

    def create_event(self, page: Page) -> None:
        """Step 2: the event; Olive judges too."""
        page.get_by_role("link", name="Create an event").first.click()
        page.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
        page.get_by_role("spinbutton", name="Swiss rounds").fill("3")
        folds = [page.locator("summary", has_text=title) for title in ("Place and visibility", "Results and staff")]
        for fold in folds:
            fold.click()
        page.get_by_role("textbox", name="Venue", exact=False).first.fill("Lantern Street 9")
        page.get_by_label("Time zone").fill("Europe/Berlin")
        page.get_by_label("I also judge").check()
        for fold in folds:
            fold.click()
        self.picture(page, "new-event", whole=True)
        page.get_by_role("button", name="Create event").click()
        self.event = re.sub(r"manage/.*", "", page.url)
        self.press(page, "manage/", "Open registration")

    def enter_players(self, page: Page) -> None:
        """Step 3: nine people pasted, looked at, entered."""
        page.goto(self.event + "manage/entries/")
        page.get_by_text("Paste a list or upload a CSV file").click()
        page.locator("textarea[name=text]").fill("\n".join(f"{name}; {club}" for name, club in PEOPLE))
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name="Enter 9 players").click()
        self.picture(page, "entries")
        self.numbers = {name: number for number, (name, _club) in enumerate(PEOPLE, start=1)}

    def personal_link(self, page: Page, name: str) -> str:
        """A link for somebody without an account."""
        page.goto(self.event + "manage/entries/")
        page.get_by_text(f"More for {name}").locator("xpath=..").click()
        row = page.locator(f"#entry-{self.numbers[name]}")
        row.get_by_role("button", name="Personal link…").click()
        return self.address + urlsplit(page.locator("code.copy").inner_text().strip()).path

    def register_deck(self, phone: Page, name: str, link: str, copies: int) -> None:
        """Step 4: a player pastes a decklist on the phone; four copies of a card are too many."""
        phone.goto(link)
        phone.goto(self.event + "my/deck/")
        phone.locator("textarea[name=text]").fill(sample_decklist(copies=copies))
        phone.get_by_role("button", name="Register this deck").click()
        self.verdicts[name] = phone.locator("main").inner_text()
        self.picture(phone, f"deck-{'legal' if copies == 3 else 'illegal'}")

    def play_round(self, page: Page, number: int, codes: tuple[str, ...], link: str) -> None:
        """Step 5: pair, publish, report at the desk; in round 1 Ada reports on her phone and the desk confirms."""
        self.press(page, "manage/", f"Pair round {number}")
        self.press(page, "manage/rounds/", f"Publish round {number}")
        tables = self.read_tables(page, number)
        for table, code in enumerate(codes[: len(tables)], start=1):
            if number == 1 and "Ada Lindqvist" in tables[table]:
                self.report_on_phone(link, tables[table].index("Ada Lindqvist") == 0, CODES[code])
                page.goto(self.event + "desk/")
                page.get_by_role("button", name=f"Confirm table {table}").click()
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
            page.get_by_role("button", name="Drop the player", exact=True).or_(
                page.get_by_role("button", name="Drop the player and keep the pairings")
            ).click()

    def type_result(self, page: Page, table: int, code: str) -> None:
        """Table number, Enter, one digit, Enter."""
        page.goto(self.event + "desk/")
        page.get_by_label("Table", exact=True).fill(str(table))
        page.get_by_label("Result", exact=True).fill(code)
        page.keyboard.press("Enter")
        page.get_by_text("Stored last").wait_for()

    def report_on_phone(self, link: str, first: bool, won: tuple[int, int]) -> None:
        """Ada reports her own match: her games first, whichever seat she has."""
        mine, theirs = won if first else (won[1], won[0])
        with self.window(PHONE) as phone:
            phone.goto(link)
            phone.goto(self.event + "my/")
            self.picture(phone, "my-match")
            phone.locator("summary", has_text="report it").click()
            phone.locator("main label", has_text=f"{mine}–{theirs}").first.click()
            phone.get_by_role("button", name="Send the result").click()
            phone.get_by_text("waiting for").wait_for()

    def read_tables(self, page: Page, number: int) -> dict[int, list[str]]:
        """The published pairings by table number; the bye is recorded at once."""
        page.goto(self.event + "pairings/?by=table")
        known = sorted(self.numbers, key=len, reverse=True)
        tables: dict[int, list[str]] = {}
        for row in page.locator("main table tbody tr").all():
            text = row.inner_text()
            names = sorted((name for name in known if name in text), key=text.index)
            if len(names) == 2:
                tables[int(re.findall(r"\d+", text)[0])] = names
            elif names:
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

    def finish(self, page: Page) -> None:
        """Step 6: the final standings."""
        self.press(page, "manage/", "Finish the event")
        page.goto(self.event + "standings/")
        self.picture(page, "standings")
        rows = page.locator("main table tbody tr").all()
        self.standings = [[cell.strip() for cell in row.locator("td, th").all_inner_texts()] for row in rows]
