"""A room of sixteen at a Doom Pile event: everybody's windows, and what each of them does there."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, expect

from accounts.actors import Actor
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.journeys.shop import LAPTOP, PHONE, WALL, Shop, Windows, press
from tests.tournaments.factories import account
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.management.demo import sample_decklist
from tournaments.models import Entry, EntryMember

PEOPLE = (
    "Ada Lindqvist", "Ben Kowalski", "Cem Aydın", "Dora Petit", "Emil Brandt", "Fay Gunnarsdóttir-Ólafsdóttir",
    "Gus Novák", "Hana Mori", "Ivo Castellanos-Montenegro", "Jon Okafor", "Kaja Nowak", "Lou Martin", "Mia Rossi",
    "Nils Åkesson", "Orla Byrne", "Pia Schäfer",
)  # fmt: skip
CODES = {"1": (2, 0), "2": (2, 1), "3": (1, 1), "4": (1, 2), "5": (0, 2)}
"""What the desk's digits mean, the first seat's games first."""
Games = tuple[int, int]


class Room(Windows):
    """The event at `event` (its path); `played` notes every result apart from the site: (round, names, games)."""

    olive: Page
    juno: Page
    kit: Page
    wall: Page
    visitor: Page

    def __init__(self, browser: Browser, shop: Shop) -> None:
        super().__init__(browser, shop)
        self.event = ""
        self.phones: dict[str, Page] = {}
        self.signs: dict[int, str] = {}
        self.played: list[tuple[int, tuple[str, str], Games]] = []

    @contextmanager
    def open_to_all(self) -> Iterator["Room"]:
        """The windows until the end; where it fails, what all of them show is kept."""
        with self.closing:
            try:
                yield self
            except BaseException:
                for number, page in enumerate(self.windows):
                    if not page.is_closed():
                        self.picture(page, f"failed-{number}", whole=False)
                raise

    # Staff

    def sign_up(self, name: str, size: dict[str, int], address: str = "/", **options: Any) -> Page:
        """Somebody makes an account, without any mail, on the way to a page."""
        page = self.open(size, f"/accounts/signup/?next={address}", **options)
        page.fill("[name=username]", name)
        page.fill("[name=password1]", "a long autumn evening")
        page.locator("main form button[type=submit]").click()
        page.wait_for_url(f"**{address}")
        return page

    def set_up(self) -> None:
        """Olive makes the event on one page, adds a cut to the best four, and opens registration."""
        self.olive = self.sign_up("olive", LAPTOP, "/new/")
        page = self.olive
        page.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
        for title in ("Place and visibility", "Match and clock", "Entries and check-in", "Decklists"):
            page.locator("summary", has_text=title).click()
        page.get_by_role("textbox", name="Venue").first.fill("Lantern Street 9")
        page.get_by_label("Time zone").fill("Europe/Berlin")
        page.get_by_role("spinbutton", name="Swiss rounds").fill("2")
        page.get_by_role("spinbutton", name="Round length (minutes)").fill("50")
        page.get_by_label("Players check in before the start").check()
        page.get_by_label("Require decklists").check()
        self.picture(page, "organiser-new")
        press(page, "Create event")
        self.event = re.sub(r"manage/.*", "", urlsplit(page.url).path)
        page.goto(self.event + "manage/stages/")
        press(page, "Single elimination")
        cut = page.locator("fieldset", has=page.locator("legend", has_text="Stage 2")).first
        cut.get_by_label("Top players by standings").check()
        cut.get_by_label("How many players, or how many points").fill("4")
        cut.get_by_label("A match for third place").check()
        self.picture(page, "organiser-stages")
        press(page, "Save stages")
        page.goto(self.event + "manage/")
        press(page, "Open registration")

    def enter(self) -> None:
        """Sixteen people are pasted, looked at, entered."""
        page = self.olive
        page.goto(self.event + "manage/entries/")
        page.get_by_text("Paste a list or upload a CSV file").click()
        page.get_by_label("Names, one per line").fill("\n".join(PEOPLE))
        press(page, "Preview")
        press(page, f"Enter {len(PEOPLE)} players")
        self.picture(page, "organiser-entries")

    def invite(self, role: str, name: str, size: dict[str, int], **options: Any) -> Page:
        """Somebody with a new account takes an invitation of Olive's."""
        page = self.olive
        page.goto(self.event + "manage/staff/")
        page.get_by_role("radio", name=re.compile(f"^{role}:")).check()
        press(page, "Create link")
        path = urlsplit(page.locator("code.copy").inner_text().strip()).path
        theirs = self.sign_up(name, size, path, **options)
        press(theirs, f"Accept as {name}")
        return theirs

    def make_codes(self) -> None:
        """Signs for eight tables, shown once."""
        page = self.olive
        page.goto(self.event + "manage/tables/")
        page.get_by_label("To table").fill("8")
        press(page, "Create codes")
        self.picture(page, "organiser-signs")
        addresses = page.locator(".sign-address").all_inner_texts()
        assert len(addresses) == 8
        self.signs = {number: urlsplit(address.strip()).path for number, address in enumerate(addresses, 1)}

    def announce(self, text: str, *, is_urgent: bool = False) -> None:
        """Olive tells the room."""
        page = self.olive
        page.goto(self.event + "manage/announcements/")
        page.get_by_label("What everybody should know").fill(text)
        if is_urgent:
            page.get_by_label("Urgent").check()
        press(page, "Post announcement")

    def begin_round(self, number: int, words: str) -> None:
        """Olive pairs a round, looks at it, publishes it and starts the clock."""
        page = self.olive
        page.goto(self.event + "manage/")
        press(page, f"Pair {words}".strip())
        page.goto(self.event + "manage/rounds/")
        assert page.get_by_role("link", name="Why?").count() >= 2
        self.picture(page, f"organiser-round-{number}")
        press(page, "Publish and start the clock")

    def act_on(self, name: str, button: str) -> None:
        """An entry's act in the menu of its line."""
        page = self.olive
        page.goto(self.event + "manage/entries/")
        row = page.locator(f"#entry-{PEOPLE.index(name) + 1}")
        row.locator("summary").click()
        with page.expect_navigation():
            row.get_by_role("button", name=button).click()

    def drop_and_undo(self, name: str) -> None:
        """Olive drops a player, which was a mistake, and undoes it."""
        self.act_on(name, "Drop from the event")
        self.picture(self.olive, "organiser-drop")
        with self.olive.expect_navigation():
            self.olive.locator("button[name=step][value=keep]").click()
        row = self.olive.locator(f"#entry-{PEOPLE.index(name) + 1}")
        expect(row).to_contain_text("dropped")
        self.picture(self.olive, "organiser-undo")
        press(self.olive, "Undo")
        self.olive.goto(self.event + "manage/entries/")
        expect(row).not_to_contain_text("dropped")

    # Players

    def link_of(self, name: str, *, by_page: bool) -> str:
        """The path of a player's personal link, as Olive hands it out; by her page, or by what stands behind it."""
        if by_page:
            self.act_on(name, "Personal link…")
            return urlsplit(self.olive.locator("code.copy").inner_text().strip()).path
        entry = Entry.objects.get(tournament__slug=self.event.split("/")[2], name=name)
        return f"/p/{issue_entry_link(account('olive'), entry, database_now())}/"

    def come(self, name: str) -> None:
        """A player opens the personal link and registers a deck on the phone."""
        is_first = not self.phones
        phone = self.phone(name)
        if is_first:
            self.picture(phone, "player-my-events")
        phone.goto(self.event + "my/deck/")
        phone.locator("textarea[name=text]").fill(decklist(PEOPLE.index(name)))
        press(phone, "Register this deck")
        expect(phone.get_by_role("region", name="Verdict on the deck")).to_contain_text("Legal")
        if is_first:
            self.picture(phone, "player-deck")
        phone.goto("about:blank")

    def come_later(self, name: str) -> None:
        """A player whose deck is registered already, as it would be from a phone, opens the link when needed."""
        member = EntryMember.objects.get(tournament__slug=self.event.split("/")[2], entry__name=name)
        deck = decklist(PEOPLE.index(name))
        register_deck(Actor(None, member.person, "link"), member, "", deck, database_now())

    def phone(self, name: str) -> Page:
        """A player's phone, signed in by the personal link."""
        if name not in self.phones:
            link = self.link_of(name, by_page=not self.phones)
            self.phones[name] = self.open(PHONE, link, has_touch=True)
        return self.phones[name]

    def look(self, name: str) -> Page:
        """A player looks at the own match."""
        phone = self.phone(name)
        phone.goto(self.event + "my/")
        return phone

    def rest(self, names: tuple[str, str]) -> None:
        """Both put their phones away."""
        for name in names:
            self.phones[name].goto("about:blank")

    def place_decks(self, names: tuple[str, str]) -> None:
        """Both put their decks down; then both phones show what was planned."""
        for name in names:
            press(self.look(name), "My deck is stacked and placed")
        for name in names:
            shown = self.look(name).locator("section[aria-labelledby=plans]")
            expect(shown).to_contain_text("revealed")
            for each in names:
                expect(shown).to_contain_text(plan_of(PEOPLE.index(each)))

    def report(self, phone: Page, mine: Games) -> None:
        """On a phone that shows the tiles: the score, then send."""
        report = phone.locator("form", has=phone.locator("fieldset.scores"))
        if not report.first.is_visible():
            phone.locator("summary", has_text=re.compile("report it|That is wrong")).tap()
        report.locator("label", has_text=f"{mine[0]}–{mine[1]}").first.tap()
        with phone.expect_navigation():
            report.get_by_role("button", name="Send the result").tap()

    # Tables

    def tables(self, number: int) -> dict[int, tuple[str, str]]:
        """The published pairings by table, as a visitor reads them."""
        self.visitor.goto(f"{self.event}pairings/?by=table&round={number}")
        rows = self.visitor.locator("table.by-table tbody tr")
        cells = [
            [
                each.strip().removesuffix(" (first)").removesuffix(" won")
                for each in row.locator("th, td").all_inner_texts()
            ]
            for row in rows.all()
        ]
        return {int(row[0]): (row[1], row[2]) for row in cells}

    def note(self, number: int, names: tuple[str, str], games: Games) -> None:
        """Remember a result to compute the standings from."""
        self.played = [each for each in self.played if each[:2] != (number, names)] + [(number, names, games)]

    def type_results(self, results: dict[int, str]) -> int:
        """Kit types results at the desk without waiting between them; how many keys it took."""
        page, pressed = self.kit, 0
        page.goto(self.event + "desk/")
        page.wait_for_selector("#entry[data-ready]")
        for table, code in results.items():
            for key in (*str(table), "Enter", code, "Enter"):
                page.keyboard.press(key)
                pressed += 1
        for group in ("way", "kept", "refused"):
            expect(page.locator(f"#shelf [data-group={group}] [data-count]")).to_have_text("0")
        return pressed

    def open_wall(self) -> None:
        """A television chooses what it shows."""
        self.wall = self.open(WALL, self.event + "wall/")
        press(self.wall, "Open the screen")
        self.wall.keyboard.press(" ")
        stay(self.wall)


def stay(page: Page) -> None:
    """Mark the document that a page shows, to see later that it was not loaded anew."""
    page.evaluate("window.sameDocument = true")


def stayed(page: Page) -> bool:
    """Whether a marked document is still there."""
    return bool(page.evaluate("window.sameDocument === true"))


def decklist(number: int) -> str:
    """A legal list with one of several Master Plans."""
    return sample_decklist(copies=3).rpartition("\n")[0] + "\n" + plan_of(number)


def plan_of(number: int) -> str:
    system = get_system("doom_pile")
    listed = {name for cards in system.get_format("standard").card_lists for name in cards.limits}
    plans = [c.name for c in system.shipped_cards if c.type == "Master Plan" and c.name.casefold() not in listed]
    return plans[number % min(4, len(plans))]


def seconds(clock: Locator) -> int:
    minutes, rest = clock.inner_text().strip().split(":")
    return int(minutes) * 60 + int(rest)
