"""Every page there is: its address in the world, who looks at it, and for which audience's sheet."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Locator, Response
from playwright.sync_api import Page as Tab

Audience = Literal["organiser", "desk", "judge", "player", "table", "wall", "public", "print", "admin"]
SIZES: Mapping[str, tuple[int, int]] = {
    "organiser": (1280, 800),
    "desk": (1280, 800),
    "judge": (390, 844),
    "player": (390, 844),
    "table": (390, 844),
    "wall": (1920, 1080),
    "public": (1280, 800),
    "print": (794, 1123),
    "admin": (1280, 800),
}
"""The usual screen of an audience in CSS pixels; of print, an A4 sheet."""

UNFOLD = "node => { for (let at = node; at = at.parentElement?.closest('details');) at.open = true }"
WRITE = """(node, text) => { node.type === 'radio' ? node.checked = true : node.value = text;
  node.dispatchEvent(new Event('input', {bubbles: true})); }"""


def unfolded(tab: Tab, selector: str) -> Locator:
    """The first of its kind on a page, shown."""
    found = tab.locator(selector).first
    found.evaluate(UNFOLD)
    return found


@dataclass(frozen=True, slots=True)
class Page:
    """One page: `path` with names of the world's values in braces, `who` a session of the world, "" for a visitor.

    `press` is the button there that leads to the page, where a press alone does; `typed` is written before, each text
    into a field. `status` is what the site answers.
    """

    audience: str
    who: str
    path: str
    note: str = ""
    press: str = ""
    typed: tuple[tuple[str, str], ...] = ()
    status: int = 200

    def address(self, values: Mapping[str, object]) -> str:
        return self.path.format_map(values)

    def show(self, tab: Tab, values: Mapping[str, object]) -> Response | None:
        """Open it in a tab; what the site answered."""
        answer = tab.goto(self.address(values))
        for field, text in self.typed:
            unfolded(tab, field).evaluate(WRITE, text)
        if self.press:
            button = unfolded(tab, self.press)
            button.evaluate("node => node.form.removeAttribute('data-unsent')")  # a script would load no page
            with tab.expect_navigation() as led:
                button.click()
            answer = led.value
        return answer


EVENT_OF_PLAYERS = {
    "player1": "{room}", "player3": "{room}", "player4": "{room}", "player5": "{room}", "opponent3": "{room}",
    "waiting": "{waiting}", "done": "{done}", "long": "{long}", "doomlings": "{doomlings}", "trooper": "{trooper}",
    "dead": "{dead}", "one": "{one}",
}  # fmt: skip
"""Where the players of the world play."""
SIZED = ("none", "one", "many", "long")
"""Events with nobody, one, three hundred, and names that hardly fit: for pages that list."""

SCREENS = ("pairings", "tables", "standings", "clock", "announcements")
"""The kinds of screens in the room."""
ROOM: dict[str, tuple[tuple[str, str], ...]] = {
    "organiser": (
        ("olive", "manage/"), ("olive", "manage/settings/"), ("olive", "manage/stages/"),
        ("olive", "manage/entries/"), ("olive", "manage/entries/1/"),
        ("olive", "manage/announcements/"), ("olive", "manage/tables/"), ("olive", "manage/rounds/"),
        ("olive", "manage/rounds/{round}/tables/"),
        ("olive", "manage/rounds/{round}/tables/{match5}/"), ("olive", "manage/staff/"), ("olive", "manage/decks/"),
        ("olive", "manage/work/"), ("olive", "manage/log/"), ("olive", "manage/copy/"), ("olive", "outlook/"),
        ("olive", "manage/webhooks/"), ("olive", "manage/what-if/?rules=chess&cut=4"),
        ("olive", "manage/plan/?players=24&rounds=5&cut=8"), ("olive", "manage/move/"),
    ),
    "desk": (("kit", "desk/"), ("kit", "match/{match3}/"), ("kit", "match/{match4}/"),
             ("kit", "match/{match3}/client/"), ("kit", "manage/"),
             ("kit", "manage/entries/"), ("kit", "manage/rounds/")),
    "judge": (
        ("juno", "manage/penalties/"), ("juno", "manage/penalties/give/9/"),
        ("juno", "manage/penalties/{penalty}/take-back/"), ("juno", "manage/decks/"), ("juno", "manage/decks/checks/"),
        ("juno", "manage/decks/2/"), ("juno", "match/{match4}/"), ("juno", "floor/"), ("juno", "floor/calls/"),
        ("juno", "match/{match5}/?from=floor"), ("juno", "match/{match6}/?from=floor"),
        ("juno", "floor/table/{match5}/penalty/{seated5}/"),
        ("juno", "call/{match7}/"),
    ),
    "wall": tuple(("", f"wall/{kind}") for kind in ("", *(f"{name}/" for name in SCREENS))),
    "print": (("olive", "print/"), ("olive", "print/pairings/"), ("olive", "print/pairings/?size=large"),
              ("olive", "print/slips/"),
              ("olive", "print/standings/"), ("olive", "print/packet/")),
    "public": (("", ""), ("", "pairings/"), ("", "pairings/?by=table"), ("", "standings/"),
               ("", "player/1/"), ("", "standings/why/?place=1"), ("", "pairings/{match1}/why/"), ("", "decks/")),
}  # fmt: skip
"""Pages of the event in round 3."""

LISTS: dict[str, tuple[tuple[str, str], ...]] = {
    "organiser": (("olive", "manage/"), ("olive", "manage/entries/"), ("olive", "manage/rounds/"),
                  ("olive", "manage/decks/"), ("olive", "manage/log/")),
    "desk": (("olive", "desk/"),),
    "judge": (("olive", "floor/"),),
    "wall": (("olive", "wall/pairings/"), ("olive", "wall/standings/")),
    "print": (("olive", "print/pairings/"), ("olive", "print/slips/"), ("olive", "print/standings/")),
    "public": (("", ""), ("", "pairings/"), ("", "standings/")),
}  # fmt: skip
"""Pages that list, seen with nobody, one, three hundred and long names."""
NEVER_SHOWN = {"none": "public"}
"""A draft is nobody's business but its organiser's."""

CARD = "name,type,subtype,countdown\nBell Ringer,Plot,Bell,3"

OTHERS: tuple[Page, ...] = (
    Page("organiser", "olive", "/my/"),
    Page("organiser", "olive", "/new/"),
    Page("organiser", "olive", "/new/plan/"),
    Page("organiser", "olive", "/bring/"),
    Page("organiser", "olive", "/e/{waiting}/manage/", "before the start"),
    Page("organiser", "olive", "/e/{waiting}/manage/entries/", "with check-in"),
    Page("organiser", "olive", "/e/{waiting}/manage/entries/links/mail/"),
    Page("organiser", "olive", "/e/{waiting}/manage/rehearse/"),
    Page("print", "olive", "/e/{waiting}/manage/door/"),
    Page("player", "", "/d/{door}/"),
    Page("player", "waiting", "/d/{door}/", "inside"),
    Page("player", "", "/d/{door}/claim/{claim}/"),
    Page("table", "", "/d/{door}/kiosk/"),
    Page("table", "", "/d/{door}/kiosk/claim/{claim}/"),
    Page("organiser", "olive", "/e/{paired}/manage/", "a round is not yet published"),
    Page("organiser", "olive", "/e/{paired}/manage/rounds/{paired_round}/tables/"),
    Page("organiser", "olive", "/e/{doomlings}/manage/rounds/{doomlings_round}/tables/?pick=3", "tables of several"),
    Page(
        "organiser", "olive", "/e/{doomlings}/manage/rounds/{doomlings_round}/tables/{doomlings_match}/", "of several"
    ),
    Page("organiser", "olive", "/e/{done}/manage/", "afterwards"),
    Page(
        "organiser", "olive", "/e/{paired}/manage/rounds/{paired_round}/change/?act=lock&table=2", "a change looked at"
    ),
    Page("organiser", "olive", "/e/{cut}/manage/stages/next/"),
    Page("organiser", "olive", "/e/{bracket}/manage/stages/take-back/"),
    Page("organiser", "olive", "/e/{bracket}/manage/", "knock-out"),
    Page("organiser", "olive", "/e/{rehearsal}/manage/", "a rehearsal"),
    Page("organiser", "mallory", "/join/{invite}/"),
    Page("organiser", "olive", "/leagues/new/"),
    Page("organiser", "olive", "/l/{league}/manage/"),
    Page("organiser", "olive", "/l/{league}/manage/settings/"),
    Page("organiser", "olive", "/l/{league}/manage/players/"),
    Page("organiser", "olive", "/l/{empty_league}/manage/", "empty"),
    Page("organiser", "olive", "/accounts/me/"),
    Page("organiser", "olive", "/accounts/tokens/"),
    Page("organiser", "olive", "/my/data/"),
    Page("player", "player1", "/my/data/"),
    Page("player", "pia", "/my/data/", "with a guest"),
    Page("player", "pia", "/my/data/", "a guest given back", press=".list button"),
    Page("organiser", "olive", "/e/{waiting}/manage/check-in/"),
    Page("organiser", "olive", "/accounts/email/"),
    Page("organiser", "olive", "/accounts/password/reset/", "signed in"),
    Page("organiser", "olive", "/accounts/password/change/"),
    Page("organiser", "olive", "/accounts/reauthenticate/"),
    Page("organiser", "olive", "/accounts/2fa/"),
    Page("organiser", "kit", "/accounts/logout/"),
    Page("organiser", "olive", "/formats/"),
    Page("organiser", "olive", "/formats/new/doom_pile/standard/"),
    Page("organiser", "olive", "/formats/{house}/"),
    Page("organiser", "olive", "/formats/{house}/edit/"),
    Page("desk", "kit", "/e/{room}/find/?q=a"),
    Page("desk", "olive", "/e/{doomlings}/desk/", "tables with sheets"),
    Page("desk", "olive", "/e/{doomlings}/desk/sheets/"),
    Page("desk", "olive", "/e/{doomlings}/match/{doomlings_match}/", "a table of several"),
    Page("player", "olive", "/decks/"),
    Page("player", "olive", "/decks/new/?game=doom_pile"),
    Page("player", "olive", "/decks/{deck}/"),
    Page("player", "olive", "/decks/{deck}/history/"),
    Page("player", "olive", "/decks/{deck}/more/"),
    Page("player", "olive", "/decks/{deck}/more/", "asked first", press="form:has([name=act][value=delete]) button"),
    Page("player", "olive", "/decks/{gone_deck}/", "of a format that is no more"),
    Page(
        "player", "olive", "/decks/{deck}/", "no such card", press="[value=save]", typed=(("#id_text", "2 Ash Legder"),)
    ),
    Page("player", "player1", "/e/{room}/my/", "the result is stored"),
    Page("player", "player3", "/e/{room}/my/", "waits for the opponent"),
    Page("player", "opponent3", "/e/{room}/my/", "asked to confirm"),
    Page(
        "player",
        "opponent3",
        "/e/{room}/my/",
        "two values",
        press="#report button",
        typed=(("#report [name=seen]", "0"), ("#report [value='2-0-0']", "")),
    ),
    Page("player", "player4", "/e/{room}/my/", "disputed"),
    Page("player", "player7", "/e/{room}/my/", "decks revealed"),
    Page("judge", "juno", "/e/{room}/match/{match7}/", "decks revealed"),
    Page("player", "player5", "/e/{room}/my/", "stacking, a judge was called"),
    Page("player", "player6", "/e/{room}/my/", "plays"),
    Page("player", "player6", "/e/{room}/my/deck/"),
    Page("player", "player6", "/e/{room}/my/stack/"),
    Page("player", "player6", "/e/{room}/my/drop/"),
    Page("player", "player6", "/e/{room}/pairings/"),
    Page("player", "player6", "/e/{room}/standings/"),
    Page("player", "player6", "/e/{room}/player/1/"),
    Page("player", "player6", "/e/{room}/outlook/"),
    Page("player", "player6", "/e/{room}/"),
    Page("player", "waiting", "/e/{waiting}/my/", "before the start"),
    Page("player", "waiting", "/e/{waiting}/my/deck/", "before the start"),
    Page("public", "", "/e/{waiting}/decks/", "before the start"),
    Page("player", "", "/my/told/mail/{mail}/"),
    Page("player", "done", "/e/{done}/my/", "afterwards"),
    Page("player", "long", "/e/{long}/my/", "long names"),
    Page("player", "long", "/e/{long}/standings/", "long names"),
    Page("player", "long", "/e/{long}/player/1/", "long names"),
    Page("player", "mallory", "/my/", "empty"),
    Page("player", "player5", "/e/{room}/call/{match5}/"),
    Page("player", "mallory", "/e/{waiting}/register/"),
    Page("player", "mallory", "/e/{teams}/join/{team}/"),
    Page("organiser", "olive", "/e/{teams}/manage/entries/1/"),
    Page("player", "linked", "/accounts/link-person/"),
    Page("table", "doomlings", "/e/{doomlings}/my/", "a table of several"),
    Page("table", "doomlings", "/e/{doomlings}/match/{doomlings_match}/sheet/"),
    Page("table", "doomlings", "/e/{doomlings}/match/{doomlings_match}/sheet/parts/1/"),
    Page("table", "trooper", "/e/{trooper}/match/{trooper_match}/sheet/"),
    Page("table", "at_table", "/e/{room}/table/"),
    Page("table", "at_lings", "/e/{doomlings}/table/", "a table of several"),
    Page("table", "speaker", "/e/{doomlings}/table/sheet/"),
    Page("table", "speaker", "/e/{doomlings}/table/sheet/parts/4/"),
    Page("table", "dead", "/e/{dead}/match/{dead_match}/sheet/"),
    Page("table", "", "/scores/"),
    Page("table", "", "/scores/doom_pile/table/"),
    Page("table", "", "/scores/doom_pile/countdown/"),
    Page("table", "", "/scores/dead_or_destroyed/summon/"),
    Page("table", "", "/scores/dead_or_destroyed/attack/"),
    Page("table", "", "/scores/dead_or_destroyed/reveal/"),
    Page("table", "dead", "/e/{dead}/match/{dead_match}/sheet/play/board/"),
    Page("table", "", "/scores/doomtrooper/combat/?tactic=fight&a-name=Sean+Gallagher&d-name=Nepharite+of+Ilian"),
    Page("table", "", "/scores/doomtrooper/opening/?deck=60&warriors=15"),
    Page("table", "", "/scores/doomlings/"),
    Page("table", "", "/scores/doomtrooper/"),
    Page("table", "", "/scores/dead_or_destroyed/"),
    Page("table", "", "/scores/doom_pile/"),
    Page("table", "olive", "/scores/doomlings/{lings}/"),
    Page("table", "olive", "/scores/doomtrooper/{ledger}/"),
    Page("table", "board", "/scores/doomtrooper/{doomtrooper_board}/", "25 entries"),
    Page("table", "board", "/scores/doom_pile/{doom_pile_board}/play/board/", "a game under way"),
    Page("table", "board", "/scores/dead_or_destroyed/{dead_or_destroyed_board}/play/board/", "a game under way"),
    Page("table", "board", "/scores/doomlings/{doomlings_board}/play/board/", "a game under way"),
    Page("table", "hand", "/scores/doomlings/{hand}/play/board/", "an own hand"),
    Page("table", "doomlings", "/e/{doomlings}/match/{doomlings_match}/sheet/parts/2/", "another's", status=403),
    Page("table", "hand", "/scores/doomlings/{hand}/parts/0/"),
    Page("table", "returned", "/scores/doomlings/{returned}/", "returned"),
    Page("table", "games", "/scores/doomtrooper/{games}/", "two games"),
    Page("table", "games", "/scores/doomtrooper/{games}/tally/", "two games"),
    Page("table", "olive", "/scores/doom_pile/{broken}/", "cannot be read"),
    Page("table", "olive", "/e/{doomlings}/match/{unopened_match}/sheet/", "not begun"),
    Page("public", "", "/", "a visitor"),
    Page("public", "olive", "/", "signed in"),
    Page("public", "", "/e/{room}/check/"),
    Page("public", "", "/e/{long}/check/", "long names"),
    Page("public", "", "/e/{room}/statistics/"),
    Page("public", "", "/e/{waiting}/fairness/", "no round"),
    Page("public", "", "/e/{done}/fairness/"),
    Page("public", "", "/e/{many}/fairness/", "300"),
    Page("public", "", "/e/{long}/fairness/", "long names"),
    Page("public", "", "/e/{doomlings}/fairness/", "tables"),
    Page("public", "", "/e/{done}/statistics/", "afterwards"),
    Page("public", "", "/e/{many}/statistics/", "300"),
    Page("public", "", "/e/{one}/statistics/", "one"),
    Page("organiser", "olive", "/e/{room}/embed/"),
    Page("wall", "", "/e/{room}/embed/standings/", "inside another site"),
    Page("wall", "", "/e/{room}/embed/pairings/", "inside another site"),
    Page("wall", "", "/e/{bracket}/embed/bracket/", "inside another site"),
    Page("wall", "", "/e/{room}/embed/clock/", "inside another site"),
    Page("public", "", "/e/{waiting}/", "before the start"),
    Page("public", "", "/e/{done}/", "afterwards"),
    Page("public", "", "/e/{done}/standings/", "final"),
    Page("public", "", "/e/{done}/decks/", "published"),
    Page("public", "", "/e/{done}/decks/1/"),
    Page("public", "", "/e/{bracket}/bracket/"),
    Page("public", "", "/e/{robin}/crosstable/"),
    Page("public", "", "/e/{doomlings}/pairings/", "tables of several"),
    Page("public", "", "/leagues/"),
    Page("public", "", "/l/{league}/"),
    Page("public", "", "/l/{empty_league}/", "empty"),
    Page("public", "", "/players/{profile}/"),
    Page("public", "", "/players/{rated}/", "rated"),
    Page("public", "", "/rules/doom_pile/"),
    Page("public", "", "/rules/doom_pile/{house}/"),
    Page("judge", "juno", "/rules/doom_pile/search/?q=plan"),
    Page("organiser", "olive", "/e/{teams}/manage/", "ready to start"),
    Page(
        "organiser",
        "olive",
        "/e/{paired}/manage/entries/",
        "a personal link",
        press="button[formaction$='/entries/7/link/']",
    ),
    Page(
        "organiser", "olive", "/e/{room}/manage/entries/", "impact", press="button[formaction$='/entries/3/drop/look/']"
    ),
    Page(
        "organiser",
        "olive",
        "/e/{waiting}/manage/entries/",
        "a list",
        press="form[action$='/preview/'] button",
        typed=(("textarea", "1. Ada Lindqvist\nZoë; Red\n"),),
    ),
    Page("print", "olive", "/e/{paired}/manage/tables/", "signs", press="main form .first"),
    Page("player", "", "/d/{door}/", "who of them", press="main form .first", typed=(("#id_name", "Ada Lindqvist"),)),
    Page("player", "withdrawn", "/e/{waiting}/my/", "withdrawn"),
    Page("player", "unchecked", "/e/{waiting}/register/", "to check in"),
    Page("player", "stacking", "/e/{stacking}/my/", "stacking"),
    Page("table", "at_stacking", "/e/{stacking}/table/", "stacking"),
    Page("table", "at_room", "/e/{room}/table/", "to report"),
    Page("table", "at_reported", "/e/{room}/table/", "reported"),
    Page("table", "filed", "/e/{doomlings}/match/{filed_match}/sheet/tally/", "to sign"),
    Page("judge", "juno", "/e/{room}/match/{match5}/?from=floor", "decks", press="form[action$='/decks/'] button"),
    Page("public", "", "/cards/doom_pile/"),
    Page("public", "", "/cards/doom_pile/card/ash-ledger/"),
    Page("public", "", "/accounts/login/"),
    Page("public", "", "/accounts/signup/"),
    Page("public", "", "/accounts/inactive/"),
    Page("public", "", "/accounts/confirm-email/"),
    Page("public", "", "/accounts/confirm-email/unknown/"),
    Page("public", "", "/accounts/password/reset/"),
    Page("public", "", "/accounts/password/reset/done/"),
    Page("public", "", "/accounts/password/reset/key/1-bad/"),
    Page("public", "", "/accounts/password/reset/key/done/"),
    Page("public", "", "/nowhere/", "nothing there", status=404),
    Page("public", "mallory", "/e/{room}/manage/", "refused", status=403),
    *(Page("public", "", f"/errors/{status}/", status=status) for status in (400, 409, 413, 422, 429, 500, 503)),
    Page("wall", "", "/e/{bracket}/wall/bracket/"),
    Page("wall", "", "/e/{doomlings}/wall/pairings/", "tables of several"),
    Page("wall", "", "/e/{room}/wall/pairings/?plain=1", "without scripts"),
    Page("wall", "", "/e/{room}/stream/?table=3", "on stream"),
    Page("wall", "", "/e/{bracket}/stream/?show=names,bracket,clock", "on stream, bracket"),
    Page("wall", "", "/e/{doomlings}/stream/?theme=light", "on stream, tables of several"),
    Page("wall", "", "/e/{long}/stream/", "on stream, long names"),
    Page("print", "", "/sheets/doom_pile/standard/"),
    Page("print", "player6", "/e/{room}/my/deck/sheet/"),
    Page("print", "", "/e/{room}/decks/sheet/"),
    Page("print", "", "/e/{room}/pairings/"),
    Page("print", "", "/e/{room}/standings/"),
    Page("print", "", "/e/{bracket}/bracket/"),
    Page("admin", "root", "/accounts/reset-link/"),
    Page("admin", "root", "/accounts/2fa/totp/activate/"),
    Page("admin", "factor", "/accounts/email/", "with an address"),
    Page("admin", "factor", "/accounts/2fa/", "switched on"),
    Page("admin", "factor", "/accounts/2fa/recovery-codes/"),
    Page("admin", "factor", "/accounts/2fa/recovery-codes/generate/"),
    Page("admin", "factor", "/accounts/2fa/totp/deactivate/"),
    Page("admin", "factor", "/accounts/2fa/reauthenticate/"),
    Page("admin", "root", "/lists/"),
    Page("admin", "root", "/lists/new/doom_pile/standard/"),
    Page("admin", "root", "/lists/{list}/"),
    Page("admin", "root", "/lists/{list}/edit/"),
    Page("admin", "root", "/rechecks/{recheck}/"),
    Page("admin", "root", "/cards/doom_pile/", "with what an administrator may do"),
    Page("admin", "root", "/cards/doom_pile/import/"),
    *(
        Page("admin", "root", "/cards/doom_pile/import/", note, press="[value=check]", typed=(("#id_text", text),))
        for note, text in (("a preview", CARD), ("a problem", CARD.replace("Plot", "Bell")))
    ),
)

NO_PAGE: Mapping[str, str] = {
    **dict.fromkeys(
        ("cards_csv", "card_template", "standings_csv", "entries_csv", "log_csv", "league_csv", "statistics_csv"),
        "a file",
    ),
    **dict.fromkeys(("standings_xlsx", "entries_xlsx", "log_xlsx", "league_xlsx", "statistics_xlsx"), "a file"),
    **dict.fromkeys(
        ("event_file", "whole_file", "verify_program", "site_key", "export_my_data", "client_replay"), "a file"
    ),
    **dict.fromkeys(("event_calendar", "league_calendar"), "for calendars"),
    **dict.fromkeys(("deck_export", "event_deck_export", "event_deck_proof"), "a file"),
    **dict.fromkeys(("card_names", "bracket_svg", "podium_svg", "score_cards"), "a part that pages load"),
    **dict.fromkeys(("live", "clock", "manifest", "service_worker"), "asked by scripts"),
    **dict.fromkeys(("health", "health_ready"), "asked by whatever watches the site"),
    **dict.fromkeys(("match_sheet_file", "match_sheet_sign", "match_sheet_draw"), "take presses alone"),
    **dict.fromkeys(("open_table", "personal_link", "set_language"), "leads on to a page"),
    "floor_decks": "a page after a press, looked at as that",
    **dict.fromkeys(("account_set_password", "account_confirm_login_code"), "lead on: nobody is without a password"),
    **dict.fromkeys(("mfa_authenticate", "mfa_download_recovery_codes"), "in the middle of signing in; a file"),
    **{
        f"table_sheet{page}": "as the sheet of a match at an event"
        for page in ("_tally", "_play", "_file", "_sign", "_draw")
    },
}
"""Names of routes that show no page, and what they are instead; those that take presses alone need no entry."""

NOT_LOOKED_AT: Mapping[str, str] = {
    "api/docs.html": "drawn by Swagger UI",
    "organiser/link_slips.html": "after a press that does so once; printed in tests/tournaments/web/organiser",
    "public/podium.svg": "a picture for other sites",
}
"""Templates that no page of the list renders, and why."""


def all_pages() -> Iterator[Page]:
    """Every page, audience by audience as the lists above give them."""
    for audience, entries in ROOM.items():
        for who, path in entries:
            yield Page(audience, who, f"/e/{{room}}/{path}")
    for audience, entries in LISTS.items():
        for who, path in entries:
            for size in SIZED:
                if NEVER_SHOWN.get(size) != audience:
                    yield Page(audience, who, f"/e/{{{size}}}/{path}", SAID[size])
    yield from OTHERS


SAID = {"none": "nobody", "one": "one", "many": "300", "long": "long names"}
