"""The page that checks an event file in the browser says line by line what the program says, and sends nothing."""

import base64
import random
from dataclasses import replace
from itertools import islice

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.tournaments.bundles.test_event_files import (
    FORGERIES,
    TEAM_EDITS,
    by_losers,
    each_moment,
    edited,
    finished,
    first_round,
    forged,
    of_a_team,
    taken,
    verify,
    wrong,
)
from tests.tournaments.events.test_replay import EVENTS, replayed
from tests.tournaments.factories import running
from tests.tournaments.manual_pairing.test_manual_tables import changed_event
from tests.tournaments.structure.test_structure import DOUBLE, cut, held, play_stage, swiss, top
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.models import Tournament
from tournaments.rehearsals.simulation import simulate_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PROGRAM = settings.BASE_DIR / "static/verify_event.js"
AT_ONCE = 20
RUN = """async ([program, files]) => {
    const { verify } = await import(program), found = [];
    for (const [data, key] of files) {
        const lines = [];
        for await (const line of verify(Uint8Array.from(atob(data), each => each.charCodeAt(0)), key)) lines.push(line);
        found.push(lines);
    }
    return found;
}"""
OWN_WORDS = ("its parts do not fit together", "the archive is damaged", "cannot be read")
"""After these each program quotes the error of its own language."""


def of_three_rounds():
    """An event with a cut, over."""
    tournament = held(8, swiss(2), top(2))
    play_stage(tournament)
    cut(tournament)
    play_stage(tournament)
    return finished(tournament)


def by_browser(page, live_server, files):
    """What the page's program says of files, each with a key or ""."""
    sent = [[base64.b64encode(data).decode(), key] for data, key in files]
    return page.evaluate(RUN, [f"{live_server.url}/static/verify_event.js", sent])


def plain(lines):
    """Lines without what is in the words of the language that a program is written in."""
    return [
        {**line, "detail": ""} if any(words in line["detail"] for words in OWN_WORDS) else dict(line) for line in lines
    ]


def some_files(seed, edits):
    """Files of a real event, of simulated and of running ones, and of all kinds of edits, each with a key or "".

    Among those that run is a double elimination before its first round and after every result.
    """
    over, rng = of_three_rounds(), random.Random(seed)
    real = Tournament.objects.get(slug=replayed(EVENTS / "topdeck-premodern-2025-01-25-016.json")["tournament"])
    simulated = simulate_event(17, 4, seed % 1000).tournament
    by_hand = changed_event()
    right = [
        (taken(each, scope), public_key()) for each in (over, real, simulated, running(4), by_hand) for scope in Scope
    ]
    double = held(4, replace(DOUBLE, bracket_reset=True))
    right += [(taken(each, Scope.PUBLIC), public_key()) for each in each_moment(double, by_losers)]
    data = taken(over)
    changed = [(edited(data, rng), rng.choice(("", public_key()))) for _ in range(edits)]
    changed += [(forged(data, part or first_round(data), change), "") for part, change, _ in FORGERIES.values()]
    team = taken(of_a_team())
    right += [(team, public_key()), (taken(of_a_team(leaves="Red Z")), public_key())]
    changed += [(forged(team, "decks.json", edit), "") for edit in TEAM_EDITS]
    changed.append((forged(data, "event.json", lambda facts: facts.update(name="Łódź 🂡")), public_key()))
    return right, changed


def test_browser_says_line_by_line_what_the_program_says(browser, live_server, seed, many):
    right, changed = some_files(seed, many(500, 60))
    page = browser.new_page()
    page.goto(f"{live_server.url}/verify/key.json")
    for (data, key), lines in zip([*right, *changed], by_browser(page, live_server, [*right, *changed]), strict=True):
        assert plain(lines) == plain(verify(data, key or None).lines)
        assert all(line["result"] in ("right", "open") for line in lines) == ((data, key) in right)
    page.close()


def many_events(seed):
    """Every real event that is kept, and 500 simulated ones of a few players or more."""
    rng = random.Random(seed)
    for path in sorted(EVENTS.glob("*.json")):
        yield Tournament.objects.get(slug=replayed(path)["tournament"])
    for number in range(500):
        players = rng.randrange(2, 21)
        yield simulate_event(players, min(4, players - 1), seed % 1000 + number).tournament


@pytest.mark.long
def test_both_find_all_real_and_many_simulated_events_right(browser, live_server, seed):
    page = browser.new_page()
    page.goto(f"{live_server.url}/verify/key.json")
    for events in batched(many_events(seed), AT_ONCE):
        files = [(taken(each, Scope.PUBLIC), public_key()) for each in events]
        for (data, key), lines in zip(files, by_browser(page, live_server, files), strict=True):
            assert plain(lines) == plain(verify(data, key).lines)
            assert all(line["result"] in ("right", "open") for line in lines)
    page.close()


def batched(items, size):
    """Items in lists of a size, the last one shorter."""
    items = iter(items)
    while some := list(islice(items, size)):
        yield some


def test_without_its_digest_an_edit_would_pass(browser, live_server):
    """The control: a byte that nothing else covers is found by the digest at the file's end alone."""
    data = taken(of_three_rounds(), Scope.PUBLIC)
    place = data.index(b"PK\x01\x02") + 38
    flipped = data[:place] + b"\x01" + data[place + 1 :]
    page, guard = browser.new_page(), "sha256(bytes.subarray(0, -SEAL)) !== comment[1]"
    source = PROGRAM.read_text()
    assert guard in source
    page.goto(f"{live_server.url}/verify/key.json")
    careless = source.replace(guard, "false")
    page.route("**/careless.js", lambda route: route.fulfill(body=careless, content_type="text/javascript"))
    sent = [base64.b64encode(flipped).decode(), public_key()]
    for program, is_found in (("static/verify_event.js", True), ("careless.js", False)):
        (lines,) = page.evaluate(RUN, [f"{live_server.url}/{program}", [sent]])
        assert any(line["result"] == "wrong" for line in lines) == is_found
    page.close()


def test_page_checks_the_event_and_an_opened_file_without_sending_it(browser, live_server, tmp_path, seed):
    over = of_three_rounds()
    data = taken(over)
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(window, 'crypto', { value: undefined })")  # as on plain HTTP
    page.goto(f"{live_server.url}/e/{over.slug}/check/")
    page.get_by_role("button", name="Check the event as it is now").click()
    expect(page.get_by_text("Everything that can be checked here is right.")).to_be_visible()
    expect(page.locator(".checks .state.done").first).to_have_text("right")
    asked = []
    page.on("request", lambda request: asked.append((request.method, request.url, request.post_data)))
    for content, is_right in ((data, True), (edited(data, random.Random(seed)), False), (b"", False)):
        path = tmp_path / "event.zip"
        path.write_bytes(content)
        page.locator("#file").set_input_files(path)
        words = "Everything that can be checked here is right." if is_right else "Something is not right."
        expect(page.get_by_text(words)).to_be_visible()
        if not is_right:
            found = wrong(content, public_key())[0]
            expect(page.locator("[data-first]")).to_have_text(f"{found['check']}: {found['detail']}")
            expect(page.locator(".checks .state.wrong")).to_have_count(1)
        page.locator("#file").set_input_files([])
    followed = (page.url, f"{live_server.url}/e/{over.slug}/live/")
    assert [each for each in asked if each[0] != "GET" or each[2] or each[1] not in followed] == []
    page.close()
