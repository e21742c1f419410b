"""The deck editor without scripts: every button posts the text along, and nothing typed is lost."""

import html
import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from decks.models import CardList, DeckVersion, Recheck, RecheckResult
from decks.services.decks import write_decklist
from journal.clock import database_now
from rules_engine.systems import extra_games
from tests.decks.owners import begun, browser_of, saved
from tests.decks.test_decks_pages import text_of
from tests.queries import count_queries
from tests.rules_engine.test_loading import GAMES

TROOPER = ("doomtrooper", "tournament-1997")
TYPOS = """5 AGENT NICK MICHAELS
3 AH/UH-19 GRAPESHOT GUARDIEN
2 THAT WITCH IS NOT TO BE NAMED
4 PRESIDENT CHARLS W. COLDING"""


class Editor:
    """The editor of one deck in somebody's browser: presses its buttons as the page offers them."""

    def __init__(self, deck, name="ada"):
        self.deck, self.client = deck, browser_of(name)
        self.address = f"/decks/{deck.public_id}/"
        self.page = text_of(self.client.get(self.address))

    @property
    def text(self):
        written = re.search(r"<textarea[^>]*>(.*?)</textarea>", self.page, re.DOTALL)[1]
        return html.unescape(written).removeprefix("\n").replace("\r\n", "\n")

    @property
    def buttons(self):
        return [html.unescape(each) for each in re.findall(r'name="act"\s+value="([^"]*)"', self.page)]

    def press(self, act, text=None, follow=False, **more):
        """Send the form with what it holds, or with another text."""
        values = {"act": act, "text": self.text if text is None else text, **more}
        self.page = text_of(self.client.post(self.address, values, follow=follow))
        return self.page


@pytest.fixture
def editor(catalogue):
    return Editor(begun("ada"))


@pytest.fixture
def trooper(catalogue):
    return Editor(begun("ada", game=TROOPER))


def test_empty_editor_says_what_to_do(editor):
    assert "Paste a list" in editor.page
    assert "Not legal" not in editor.page


def test_empty_list_is_no_first_version_and_later_gets_its_verdict(editor, legal_text):
    assert "There is no card in it yet." in editor.press("save", "")
    assert not DeckVersion.objects.exists()
    editor.press("save", legal_text, follow=True)
    editor.press("save", "", follow=True)
    assert "Saved as version 2." in editor.page
    assert "Not legal" in editor.page
    assert "Paste a list" not in editor.page


def test_three_typos_are_corrected_from_the_suggestions(trooper):
    page = trooper.press("check", TYPOS)
    assert "3 lines were not understood" in page
    for _ in range(3):
        trooper.press(next(each for each in trooper.buttons if each.startswith("replace ")))
    assert "not understood" not in trooper.page
    assert trooper.text == TYPOS.replace("GUARDIEN", "GUARDIAN").replace("WITCH", "WHICH").replace("CHARLS", "CHARLES")
    assert not DeckVersion.objects.exists()


def test_unread_line_is_not_saved_and_stays(trooper):
    page = trooper.press("save", TYPOS)
    assert "Not saved: correct the lines below first." in page
    assert "Not saved: correct" not in trooper.press("check")
    assert trooper.text == TYPOS
    assert not DeckVersion.objects.exists()


def test_saving_makes_a_version_when_the_cards_differ(editor, legal_text):
    assert "Saved as version 1." in editor.press("save", legal_text, follow=True)
    assert "saved, version 1" in editor.page
    editor.press("save", "// again\n" + legal_text, follow=True)
    assert DeckVersion.objects.count() == 1
    editor.press("save", legal_text.replace("3x Ash Ledger", "2x Ash Ledger"), follow=True)
    assert [each.number for each in DeckVersion.objects.order_by("number")] == [1, 2]
    assert "29 of 30" in editor.page


@pytest.mark.sqlite
def test_cards_are_found_added_and_taken_out(editor):
    editor.press("find", "2 Ash Ledger", q="glass wid")
    assert "change 1 main Glass Widow" in editor.buttons
    editor.press("change 1 main Glass Widow", q="glass wid")
    assert editor.text == "2 Ash Ledger\n1 Glass Widow\n"
    assert 'value="glass wid"' in editor.page
    editor.press("change -1 main Ash Ledger")
    assert editor.text == "1 Ash Ledger\n1 Glass Widow\n"


def test_plus_is_shut_at_the_limit_with_the_reason(editor):
    page = editor.press("check", "3 Ash Ledger\n2 Glass Widow\n1 Borrowed Apocalypse")
    states = dict(re.findall(r'id="more-main-([a-z-]+)"[^>]*?( disabled)?>', page))
    assert {name for name, shut in states.items() if shut} == {"ash-ledger", "borrowed-apocalypse"}
    assert "all 3 allowed" in page
    assert "not allowed · DP-BANNED" in " ".join(page.split())


def test_limit_counts_over_deck_and_side_bar(trooper):
    page = trooper.press("check", "3 NARROW ESCAPE!\n\nSide Bar:\n2 NARROW ESCAPE!")
    assert len(re.findall(r'id="more-[a-z_]+-narrow-escape"[^>]* disabled', page)) == 2


def test_variant_chooses_the_limits_and_the_verdict(trooper):
    banned = trooper.press("check", "1 BOGGED DOWN", variant="head-to-head")
    assert "DT97-BANNED" in banned
    assert "DT97-BANNED" not in trooper.press("check", "1 BOGGED DOWN", variant="multi-player")
    assert '<option value="multi-player" selected' in trooper.page
    assert trooper.client.get(f"{trooper.address}?variant=none").status_code == 404


def test_repair_is_done_one_by_one_or_all_at_once(editor, legal_text):
    text = legal_text.replace("3x Ash Ledger", "5x Ash Ledger").replace("3x Glass Widow", "4x Glass Widow")
    editor.press("check", text)
    assert "change -2 main Ash Ledger" in editor.buttons
    editor.press("change -2 main Ash Ledger")
    assert "repair" not in editor.buttons
    editor.press("repair", text)
    assert editor.text == legal_text + "\n"
    assert "Legal" in editor.page


def test_c10_master_plan_below_the_heading_of_the_main_deck_is_moved_by_the_repair(editor, legal_text):
    cards = legal_text.partition("\n\n")[2]
    page = editor.press("check", f"Main deck:\n{cards}\n1 Winter Without End")
    assert "add the heading “Master Plan” above it in the list." in page
    assert "DP-PLAN" not in page
    assert "DP-SIZE" not in page
    editor.press("repair")
    assert "Legal" in editor.page
    assert editor.text.rstrip().endswith("Master Plan:\n1 Winter Without End")


@pytest.mark.parametrize(
    "act",
    [
        *("change x main Ash Ledger", "change 1 nowhere Ash Ledger", "change 1 main Nobody", "change", "repair"),
        *(
            "replace 0 Ash Ledger",
            "replace 99 Ash Ledger",
            "replace",
            "",
            "dance",
            "change 9999999999999 main Ash Ledger",
        ),
    ],
)
def test_strange_button_changes_nothing(editor, act):
    editor.press(act, "1 Glas Widow\n2 Ash Ledger")
    assert editor.text.strip() == "1 Glas Widow\n2 Ash Ledger"


@pytest.mark.parametrize("key", ["cockatrice", "octgn", "csv", "json"])
def test_file_becomes_lines_of_text(editor, legal_text, key):
    version = saved("ada", legal_text, "Other")
    (extension,) = {"cockatrice": ["cod"], "octgn": ["o8d"]}.get(key, [key])
    content = write_decklist(version.decklist, key, "doom_pile", "standard")
    editor.press("import", file=SimpleUploadedFile(f"deck.{extension}", content.encode()))
    assert "3 Ash Ledger\n" in editor.text
    assert "Read as" not in editor.page
    assert "not saved" in editor.page
    assert "Saved as version 1." in editor.press("save", follow=True)


def test_file_with_a_typo_is_corrected_in_place_and_then_written_as_lines(editor):
    content = (
        '<?xml version="1.0"?><cockatrice_deck version="1"><zone name="main">\n<card number="3" name="Glas Widow"/>\n'
    )
    content += '<card number="2" name="Ash Ledger"/>\n</zone></cockatrice_deck>'
    page = editor.press("import", file=SimpleUploadedFile("deck.cod", content.encode()))
    assert "Read as: Cockatrice file." in page
    editor.press(next(each for each in editor.buttons if each.startswith("replace ")))
    assert editor.text == "Main deck:\n2 Ash Ledger\n3 Glass Widow\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("deck.zip", b"PK\x03\x04", "not allowed"),
        ("deck.txt", b"PK\x03\x04abc", "not a text file"),
        ("deck.txt", b"a\x00b", "not a text file"),
        ("deck.txt", b"x" * (256 * 1024 + 1), "at most 256 KiB"),
        ("deck.txt", b"", "empty"),
    ],
)
def test_file_that_is_no_list_is_refused_and_the_saved_text_stays(catalogue, legal_text, name, content, said):
    editor = Editor(saved("ada", legal_text).deck)
    page = editor.press("import", file=SimpleUploadedFile(name, content))
    assert said in page.split('id="id_text"')[0]
    assert editor.text == legal_text


def test_file_is_missing(editor):
    assert "This field is required" in editor.press("import")


def test_text_beyond_the_limit_is_refused(editor):
    assert "at most" in editor.press("save", "x" * (256 * 1024 + 1))
    assert not DeckVersion.objects.exists()


def test_forty_unread_lines_are_all_shown_and_escaped(editor):
    page = editor.press("check", "\n".join(f"{number} <b>Nobody {number}" for number in range(1, 41)))
    assert "40 lines were not understood" in page
    assert "<b>Nobody" not in page


def test_beyond_ten_unread_lines_the_rest_is_folded_with_its_buttons(trooper):
    few = trooper.press("check", "\n".join(["1 AGENT NICK MICHAEL"] * 10))
    assert "more line" not in few
    many = trooper.press("check", "\n".join(["1 AGENT NICK MICHAEL"] * 12))
    shown, folded = many.split("2 more lines")
    assert 'id="line-10"' in shown
    assert 'id="line-11"' not in shown
    assert 'value="replace 12 ' in folded


def test_queries_do_not_grow_with_the_deck(catalogue, legal_text):
    editor, counts = Editor(begun("ada")), []
    for text in ("1 Ash Ledger", legal_text):
        counts.append(count_queries(editor.press, "find", text, q="a"))
    assert counts[0] == counts[1]


def test_fifth_game_has_its_editor_and_figures(catalogue, db):
    with extra_games(GAMES):
        editor = Editor(begun("ada", game=("toy_skirmish", "duel")))
        assert "TS-SIZE" in editor.press("check", "2 Pawn")


def test_page_asks_for_no_inline_script_and_shuts_eval(editor):
    assert '"allowEval":false' in editor.page
    assert '"includeIndicatorStyles":false' in editor.page
    assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=", editor.page)


def falling(version, name="Coming list", days=9, repair=({"card": "Ash Ledger", "section": "main", "change": -3},)):
    """A list announced for a day to come, and what its re-check found about a version that is legal until then."""
    now = database_now()
    coming = CardList.objects.create(
        game=version.deck.game, format=version.deck.format, slug=f"list-{days}", name=name,
        valid_from=now.date() + timedelta(days=days), state=CardList.State.ANNOUNCED, announced_at=now,
    )  # fmt: skip
    recheck = Recheck.objects.create(card_list=coming, requested_at=now, total=1)
    RecheckResult.objects.create(
        recheck=recheck, version=version, variant="", legal_before=True, legal_after=False, report={},
        repair=None if repair is None else list(repair),
    )  # fmt: skip


def test_a_list_to_come_is_told_with_its_cure_and_mended_for(catalogue, legal_text):
    version = saved("ada", legal_text)
    words = "Saved version 1 is legal until this list takes effect."
    assert words not in Editor(version.deck).page
    falling(version)
    editor = Editor(version.deck)
    assert words in editor.page
    assert "Coming list" in editor.page
    assert "change -3 main Ash Ledger" in editor.buttons
    assert words in editor.press("change -3 main Ash Ledger")
    assert "Ash Ledger" not in editor.text
    assert words not in editor.press("save", follow=True)
    assert words not in Editor(saved("ada", legal_text, deck="Another").deck).page


def test_a_list_to_come_without_a_cure_says_so(catalogue, legal_text):
    version = saved("ada", legal_text)
    falling(version, repair=None)
    assert "No change with known cards makes this deck legal then" in Editor(version.deck).page


def test_every_list_to_come_is_told(catalogue, legal_text):
    version = saved("ada", legal_text)
    for days in (3, 9):
        falling(version, f"List of day {days}", days)
    page = Editor(version.deck).page
    assert page.index("List of day 3") < page.index("List of day 9")
