"""The desk and the judge's map read and render only tables that changed, and say what a fresh page says.

Several people act, in turn, and several look, in their languages; after every act each page is compared with the same
page of a process that kept nothing. The control has every table as it was when it was first read.
"""

import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from django.test import Client

from accounts.actors import Actor
from tests.tournaments.factories import NOW, account, entry, next_round, running, score, staff, table
from tests.tournaments.table_phones import seats_at
from tests.tournaments.web.visitors import browser, url
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import change_entry
from tournaments.entries.services.pairing_constraints import note_needs
from tournaments.models import Entry, JudgeCall, Penalty, Role, Round, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.room.services.calls import call_judge, claim_call
from tournaments.room.services.clocks import give_extra_time, start_clock
from tournaments.web.live import staff_lines
from tournaments.web.live.page_cache import forget_pages
from tournaments.web.shared import kept_lines

pytestmark = pytest.mark.django_db
TOKENS = re.compile(r'name="(?:csrfmiddlewaretoken|idempotency_key)" value="[^"]*"')
TABLES = re.compile(
    r'<script id="desk-data".*?</script>|<ul class="(?:tables|room).*?</ul>|<nav class="floor-filters.*?</nav>',
    re.DOTALL,
)
Look = Callable[[], str]


@pytest.fixture
def held() -> Tournament:
    tournament = running(12)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    return tournament


@pytest.fixture
def round_(held: Tournament) -> Round:
    return next_round(held)


@pytest.fixture
def looks(held: Tournament, round_: Round) -> dict[str, Look]:
    """Pages with tables, by whose they are."""

    def look(who: str, path: str, language: str) -> Look:
        client = browser(account(who))
        client.cookies["django_language"] = language
        return lambda: lists_of(client, url(held, path))

    return {
        "kit's desk": look("kit", "desk/", "en"),
        "olive's desk": look("olive", "desk/", "en"),
        "her desk in German": look("olive", "desk/", "de"),
        "juno's map": look("juno", "floor/", "en"),
        "what is missing there": look("juno", "floor/?show=missing", "fr"),
    }


def lists_of(client: Client, address: str) -> str:
    """The tables on a page, without what is another at each answer."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    found = TABLES.findall(answer.content.decode())
    assert found, address
    return TOKENS.sub("", "".join(found))


def acts_of(held: Tournament, round_: Round) -> Iterator[tuple[str, Callable[[], object]]]:
    """What happens in a round, act by act; each is done when those before are."""
    olive, juno, kit = (account(name) for name in ("olive", "juno", "kit"))
    match = table(round_, 3)
    first, second = seats_at(match)
    one, other = (Actor(None, each.member.person, "link") for each in (first, second))

    def reported():
        return match.reports.latest("number")

    yield "nothing", lambda: None
    yield "a result", lambda: report_result(kit, table(round_, 2), score(2, 1), NOW)
    yield "one player's word", lambda: report_result(one, match, score(2, 0), NOW, seat=first)
    yield "the other's", lambda: confirm_report(other, reported(), NOW, seat=second)
    yield "a correction", lambda: correct_result(juno, table(round_, 2), score(0, 2), "typed wrong", NOW)
    yield "a call", lambda: call_judge(olive, table(round_, 4), JudgeCall.Kind.values[0], "", NOW)
    yield "a judge goes", lambda: claim_call(juno, JudgeCall.objects.get(), NOW)
    yield "the clock", lambda: start_clock(olive, round_, NOW)
    yield "extra time", lambda: give_extra_time(juno, table(round_, 4), 180, "deck check", NOW)
    yield "another name", lambda: change_entry(olive, entry(held, "Ada"), NOW, name="Grace <of> & Co.")
    yield "a need", lambda: note_needs(olive, entry(held, "Ben"), [Entry.Need.values[0]], 5, NOW)
    yield "a penalty", lambda: give_penalty(juno, entry(held, "Cem"), Penalty.Kind.WARNING, "Slow play", NOW)
    yield "one leaves", lambda: drop_entry(olive, entry(held, "Dora"), NOW)
    for number in (1, 4, 5, 6):
        yield f"table {number}", lambda number=number: report_result(kit, table(round_, number), score(2, 0), NOW)


def differing(held: Tournament, round_: Round, looks: dict[str, Look]) -> set[str]:
    """After which acts a page was not what a process shows that kept nothing."""
    found = set()
    for what, act in acts_of(held, round_):
        act()
        kept = {name: look() for name, look in looks.items()}
        forget_pages()
        if kept != {name: look() for name, look in looks.items()}:
            found.add(what)
    return found


def test_pages_of_staff_say_what_fresh_ones_say_after_every_act(held, round_, looks):
    assert differing(held, round_, looks) == set()


def test_control_tables_as_they_were_first_read(held, round_, looks, monkeypatch):
    for module in (kept_lines, staff_lines):
        monkeypatch.setattr(module, "version_of_match", lambda tournament, match: "")
    assert {"a result", "one player's word", "the other's", "a correction", "table 5"} <= differing(held, round_, looks)


def test_one_table_is_read_and_rendered_after_its_result(held, round_, looks, monkeypatch):
    """Another scorekeeper's desk in the same language renders none of them again."""
    get, rendered = kept_lines.get_template, []

    def counted(name: str) -> SimpleNamespace:
        template = get(name)
        return SimpleNamespace(render=lambda context: (rendered.append(name), template.render(context))[1])

    monkeypatch.setattr(kept_lines, "get_template", counted)
    read, lines_of = [], kept_lines.lines_of
    monkeypatch.setattr(kept_lines, "lines_of", lambda *asked: (read.append(len(asked[2])), lines_of(*asked))[1])

    def look(name: str) -> tuple[int, list[int]]:
        rendered.clear()
        read.clear()
        looks[name]()
        return len(rendered), list(read)

    assert look("kit's desk") == (6, [6])
    assert look("olive's desk") == (0, [])
    assert look("juno's map") == (6, [])
    report_result(account("kit"), table(round_, 2), score(2, 1), NOW)
    assert look("juno's map") == (1, [1])
    assert look("olive's desk") == (1, [])
    assert look("kit's desk") == (0, [])


def test_what_stands_on_lines_for_some_alone_is_not_kept(held, round_, looks):
    """Olive sees who needs what, a scorekeeper does not, whoever looked before; forms to confirm have fresh tokens."""
    match = table(round_, 3)
    first, _second = seats_at(match)
    note_needs(account("olive"), first.entry, [Entry.Need.values[0]], 0, NOW)
    report_result(Actor(None, first.member.person, "link"), table(round_, 3), score(2, 0), NOW, seat=first)
    for name, sees in (("olive's desk", True), ("kit's desk", False), ("olive's desk", True)):
        assert ('class="tap need"' in looks[name]()) is sees, name
    client = browser(account("kit"))
    keys = [
        set(re.findall(r'name="idempotency_key" value="([^"]+)"', client.get(url(held, "desk/")).content.decode()))
        for _look in range(2)
    ]
    assert len(keys[0]) > 1
    assert not keys[0] & keys[1]
