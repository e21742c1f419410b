"""An event of sixteen from set-up to final standings, on the pages of everybody in the room, on a real server."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from tests.journeys.room import CODES, PEOPLE, Room, seconds, stay, stayed
from tests.journeys.shop import LAPTOP, PHONE, Shop, open_shop, press
from tests.journeys.sums import final_ranks, swiss_lines

PLANS = 4
"""So many decks differ; one player with each registers it on the phone."""
FOLLOWER = "Ada Lindqvist"
"""Who keeps the own page open while the first round is published."""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.timeout(900),  # two dozen windows one after the other: 300 s are too few where other tests run beside
]


@pytest.fixture
def shop(transactional_db: None) -> Iterator[Shop]:
    """All processes on the database of the tests."""
    with open_shop("broker", "relay", "worker1", "web") as shop:
        yield shop


@pytest.mark.full
def test_room_of_sixteen_from_set_up_to_final_standings(browser: Browser, shop: Shop) -> None:
    with Room(browser, shop).open_to_all() as room:
        set_up(room)
        first_round(room)
        second_round(room)
        knock_out = bracket(room)
        end(room, knock_out)
        assert room.errors == []


def set_up(room: Room) -> None:
    """Until the event starts: pages of the organiser, invitations, signs, personal links, decks, check-in."""
    load_catalogues(database_now())
    room.set_up()
    room.enter()
    room.juno = room.invite("Judge", "juno", PHONE, has_touch=True, color_scheme="dark")
    room.kit = room.invite("Scorekeeper", "kit", LAPTOP)
    room.make_codes()
    for name in PEOPLE[:PLANS]:
        room.come(name)
    for name in PEOPLE[PLANS:]:
        room.come_later(name)
    room.kit.goto(room.event + "manage/entries/")
    press(room.kit, "Check in Ada")
    press(room.kit, "Check in all")
    room.visitor = room.open(LAPTOP, room.event)
    room.picture(room.visitor, "public-before")
    room.open_wall()
    room.olive.goto(room.event + "manage/")
    room.picture(room.olive, "organiser-start")
    press(room.olive, "Start now")


def first_round(room: Room) -> None:
    """Results come on every way; what is said is seen where nobody touched the page."""
    ada = room.look(FOLLOWER)
    stay(ada)
    room.begin_round(1, "round 1")
    tables = room.tables(1)
    assert sorted(name for names in tables.values() for name in names) == sorted(PEOPLE)
    follow(room, ada, tables)
    two_phones(room, tables[1])
    table_code(room, tables[2], room.signs[2])
    floor(room, tables[3])
    conflict(room, tables[4])
    call(room, tables[5])
    desk(room, 1, {5: "4", 6: "1", 7: "5", 8: "2"}, tables)
    correct(room, tables[6])


def follow(room: Room, ada: Page, tables: dict[int, tuple[str, str]]) -> None:
    """Wall and phone show the round without being touched, and tell the same time."""
    table = next(number for number, names in tables.items() if FOLLOWER in names)
    expect(ada.locator(".place .big")).to_have_text(str(table))
    names = room.wall.locator("#screen-pairings .wall-list li > span")
    expect(names).to_have_count(16)
    assert sorted(names.all_inner_texts()) == sorted(PEOPLE)
    size = "each => [parseFloat(getComputedStyle(each).fontSize), each.getBoundingClientRect().bottom]"
    for font, bottom in (each.evaluate(size) for each in names.all()):
        assert font >= 54
        assert bottom <= 1080
    clocks = [page.locator("[data-clock-left]").first for page in (room.wall, ada)]
    expect(clocks[0]).to_have_text(re.compile(r"\d+:\d\d"))
    expect(clocks[1]).to_have_text(re.compile(r"\d+:\d\d"))
    assert abs(seconds(clocks[0]) - seconds(clocks[1])) <= 1
    room.picture(room.wall, "wall-pairings", whole=False)
    room.picture(ada, "player-paired")
    room.announce("The kitchen closes at nine.", is_urgent=True)
    for page, where in ((room.wall, ".wall-news"), (ada, "body")):
        expect(page.locator(where)).to_contain_text("The kitchen closes at nine.")
        assert stayed(page)
    room.picture(room.wall, "wall-urgent", whole=False)


def two_phones(room: Room, names: tuple[str, str]) -> None:
    """Decks are placed, plans revealed; one reports, the other confirms with one press."""
    room.place_decks(names)
    one, other = (room.phones[name] for name in names)
    room.picture(one, "player-plans")
    room.report(one, (2, 0))
    expect(one.get_by_text(f"waiting for {names[1]}")).to_be_visible()
    room.look(names[1])
    room.picture(other, "player-confirm")
    press(other, "Yes, I lost")
    expect(one.locator(".state", has_text="final")).to_be_visible()
    room.rest(names)
    room.note(1, names, (2, 0))


def table_code(room: Room, names: tuple[str, str], sign: str) -> None:
    """Two phones scan the sign and one tells; the other, whose player has a link, cannot agree: a judge does."""
    one, other = (room.open(PHONE, sign, has_touch=True) for _name in names)
    juno = room.juno
    room.picture(one, "table-open")
    press(one, f"I am {names[0]}")
    room.report(one, (2, 1))
    room.picture(one, "table-sent")
    other.reload()
    press(other, f"I am {names[1]}")
    expect(other.get_by_role("button", name=re.compile("this is right"))).to_have_count(0)
    juno.goto(room.event + "floor/")
    tap(juno, ".tile >> nth=1")
    press(juno, "Accept 2–1")
    other.reload()
    expect(other.locator(".state", has_text="final")).to_be_visible()
    room.picture(other, "table-done")
    one.context.close()
    other.context.close()
    room.note(1, names, (2, 1))


def floor(room: Room, names: tuple[str, str]) -> None:
    """Two taps from the map of tables."""
    juno = room.juno
    juno.goto(room.event + "floor/")
    room.picture(juno, "judge-floor")
    tap(juno, ".tile >> nth=2")
    tap(juno, "button[value='1-2-0']")
    room.note(1, names, (1, 2))


def conflict(room: Room, names: tuple[str, str]) -> None:
    """Both phones say otherwise; the judge lets the second report count."""
    room.look(names[0])
    room.report(room.phones[names[0]], (2, 0))
    room.look(names[1])
    room.report(room.phones[names[1]], (2, 1))
    expect(room.phones[names[1]].locator(".state.wrong").first).to_have_text("not agreed")
    room.picture(room.phones[names[1]], "player-conflict")
    juno = room.juno
    juno.goto(room.event + "floor/")
    tap(juno, ".tile >> nth=3")
    room.picture(juno, "judge-conflict")
    press(juno, "Accept 1–2")
    room.rest(names)
    room.note(1, names, (1, 2))


def call(room: Room, names: tuple[str, str]) -> None:
    """A phone calls a judge, who comes, resolves it with extra time and gives a penalty."""
    phone, other, juno = room.look(names[0]), room.look(names[1]), room.juno
    sign = room.open(PHONE, room.signs[5])
    juno.goto(room.event + "floor/calls/")
    stay(juno)
    phone.locator("summary", has_text="Call a judge").tap()
    press(phone, "Call a judge to table 5")
    expect(juno.locator(".call-card")).to_contain_text("Table 5")
    assert stayed(juno)
    for page in (phone, other, sign):
        stay(page)
    press(juno, "I'm on my way")
    for page, where in ((phone, "#my-call"), (other, "#my-call"), (sign, "#table-call")):
        expect(page.locator(where)).to_contain_text("juno is on the way", timeout=8_000)
        assert stayed(page)
    sign.context.close()
    room.picture(juno, "judge-call")
    juno.locator(".call-card .tap-row button[name=outcome]").first.tap()
    expect(juno.get_by_text("Nobody waits for a judge.")).to_be_visible()
    juno.goto(room.event + "floor/")
    tap(juno, ".tile >> nth=4")
    press(juno, "+3 min")
    tap(juno, f"a:has-text('Penalty: {names[1]}')")
    juno.locator("label", has_text="Slow play").first.tap()
    press(juno, "Give the penalty")
    expect(juno.locator("main")).to_contain_text("Slow play")
    room.picture(juno, "judge-table")
    expect(room.look(names[1]).locator("main")).to_contain_text("Slow play")
    expect(room.look(names[0]).locator("main")).not_to_contain_text("Slow play")
    room.rest(names)


def desk(room: Room, number: int, results: dict[int, str], tables: dict[int, tuple[str, str]]) -> None:
    """Kit types the rest: after a table's number and Enter two keys are a result."""
    pressed = room.type_results(results)
    assert pressed == sum(len(str(table)) + 1 + 2 for table in results)
    room.picture(room.kit, f"desk-{number}")
    room.kit.goto("about:blank")  # the desk loads itself anew when the next round comes, which would cut short a goto
    for table, code in results.items():
        room.note(number, tables[table], CODES[code])


def correct(room: Room, names: tuple[str, str]) -> None:
    """A result was told wrongly: the judge corrects it with a reason, at the table."""
    juno = room.juno
    juno.goto(room.event + "floor/")
    tap(juno, ".tile >> nth=5")
    juno.get_by_label("Other reason").fill("A game was forgotten.")
    room.picture(juno, "judge-correct")
    tap(juno, "button[value='2-1-0']")
    press(juno, "Correct it")
    room.note(1, names, (2, 1))


def second_round(room: Room) -> None:
    """A drop is taken back, the packet for a dead network lies ready, the desk types everything."""
    room.drop_and_undo("Gus Novák")
    room.begin_round(2, "round 2")
    tables = room.tables(2)
    room.olive.goto(room.event + "print/packet/?round=2")
    assert room.olive.locator(".slip").count() == 8
    room.picture(room.olive, "print-packet")
    room.picture(room.wall, "wall-round-2", whole=False)
    desk(room, 2, dict(zip(range(1, 9), "12545213", strict=True)), tables)
    room.visitor.goto(room.event + "standings/")
    room.picture(room.visitor, "public-standings")
    with room.visitor.expect_navigation():
        room.visitor.get_by_role("link", name=re.compile(r"^Why\?")).last.click()
    expect(room.visitor.locator("h1")).to_contain_text(re.compile("above|share rank"))
    room.picture(room.visitor, "public-why")


def bracket(room: Room) -> dict[str, int]:
    """The best four: semi-finals, final and the match for third place; the ranks that they give."""
    room.olive.goto(room.event + "manage/")
    with room.olive.expect_navigation():
        room.olive.get_by_role("link", name="Preview who plays on").click()
    room.picture(room.olive, "organiser-cut")
    press(room.olive, "Start stage")
    lines = swiss_lines(room.played)
    room.begin_round(3, "")
    semis = room.tables(3)
    for names in semis.values():
        assert all(sum(line > lines[name] for line in lines.values()) < 4 for name in names)
    desk(room, 3, {1: "2", 2: "5"}, semis)
    room.visitor.goto(room.event + "bracket/")
    stay(room.visitor)
    room.begin_round(4, "")
    expect(room.visitor.locator("#bouts")).to_contain_text("table 1")
    assert stayed(room.visitor)
    finals = room.tables(4)
    winners = {semis[1][0], semis[2][1]}
    of_final = next(table for table, names in finals.items() if set(names) == winners)
    desk(room, 4, {1: "1", 2: "4"}, finals)
    room.picture(room.visitor, "public-bracket")
    ranks: dict[str, int] = {}
    for table, names in finals.items():
        best = names if table == 1 else names[::-1]
        first = 1 if table == of_final else 3
        ranks |= {best[0]: first, best[1]: first + 1}
    return ranks


def end(room: Room, knock_out: dict[str, int]) -> None:
    """The event is finished: standings everywhere as computed apart, statistics, the frame for other sites."""
    room.olive.goto(room.event + "manage/")
    press(room.olive, "Finish the event")
    room.olive.goto(room.event + "manage/")
    room.picture(room.olive, "organiser-end")
    expected = final_ranks([each for each in room.played if each[0] <= 2], knock_out)
    visitor = room.visitor
    visitor.goto(room.event + "standings/")
    expect(visitor.locator("h1")).to_have_text("Final standings")
    assert ranks_on(visitor, ".called") == expected
    room.picture(visitor, "public-final")
    phone = room.look(FOLLOWER)
    expect(phone.locator("#my-card .big")).to_have_text(str(expected[FOLLOWER]))
    room.picture(phone, "player-end")
    visitor.goto(room.event + "statistics/")
    expect(visitor.locator("#charts section")).not_to_have_count(0)
    room.picture(visitor, "public-statistics")
    framed = visitor.goto(room.event + "embed/standings/")
    assert framed is not None
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    expect(visitor.locator("caption")).to_have_text("Final standings")
    room.picture(visitor, "public-embed")


def ranks_on(page: Page, name: str) -> dict[str, int]:
    """Everybody's rank as the page of standings shows it."""
    rows = page.locator("table.ranks tbody tr").all()
    return {row.locator(name).inner_text(): int(row.locator(".rank b").inner_text()) for row in rows}


def tap(page: Page, css: str) -> None:
    """One tap that leads on."""
    with page.expect_navigation():
        page.locator(css).first.tap()
