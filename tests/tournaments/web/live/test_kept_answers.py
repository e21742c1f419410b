"""What is asked of an event once for all readers of its pages: kept while no act changes it, and nobody's own."""

import re
from time import monotonic
from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from tests.tournaments.factories import NOW, account, entry, name_of, next_round, running, score, staff, table
from tests.tournaments.web.visitors import browser, guest, url
from tournaments import kept_answers, permissions
from tournaments.core.events import find_event_head
from tournaments.core.parts import Part
from tournaments.core.rounds import shown_rounds, with_all
from tournaments.core.versions import versions_of
from tournaments.kept_answers import QUESTIONS, for_reader, keep_answers
from tournaments.models import Announcement, Match, ResultReport, Role, Tournament
from tournaments.permissions import JUDGE, roles_of
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.room.selectors.announcements import announcements_of
from tournaments.room.selectors.clocks import timed_round
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.web.live import page_cache
from tournaments.web.live.page_cache import forget_pages
from tournaments.web.live.shelf import Kept
from tournaments.web.player import kept_forms, my_match
from tournaments.web.public import pairing_rows
from tournaments.web.shared import kept_lines, match_rows

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
TOKEN = re.compile(
    r'(name="(?:csrfmiddlewaretoken|idempotency_key)" value=")[^"]*|<time[^>]*>[^<]*|data-etag="[^"]*"|\d\d:\d\d:\d\d'
)
NASTY = '<b>Bob & "Co"</b>\''


@pytest.fixture(autouse=True)
def nothing_kept():
    """Pages as a fresh process finds them."""
    forget_pages()
    yield
    forget_pages()


def kept_and_found(held: Tournament, actor: Actor) -> tuple[Tournament, Tournament]:
    return keep_answers(Tournament.objects.get(pk=held.pk)), find_event_head(actor, held.slug)


def page(client: Client, held: Tournament) -> str:
    answer = client.get(url(held, "my/"))
    assert answer.status_code == 200
    return TOKEN.sub(r"\1", answer.content.decode())


def test_a_page_of_staff_asks_each_question_once_and_the_next_one_asks_anew():
    """What was announced in between is there, and so it is in the answer to what staff send."""
    held, olive = running(4), account("olive")
    next_round(held)
    client = browser(olive)
    client.get(url(held, "manage/"))
    with CaptureQueriesContext(connection) as asked:
        assert "Lunch" not in client.get(url(held, "manage/")).content.decode()
    assert sum('FROM "tournaments_stage"' in each["sql"] for each in asked) == 1
    post_announcement(olive, held, "Lunch is served.", NOW)
    assert "Lunch is served." in client.get(url(held, "manage/")).content.decode()
    sent = client.post(url(held, "manage/announcements/"), {"text": ""})
    assert "Lunch is served." in sent.content.decode()


def test_names_of_questions_are_keys():
    names = [each.__name__ for each in (*QUESTIONS, timed_round)]
    assert len(set(names)) == len(names)


def test_an_answer_is_asked_once_and_services_ask_each_time():
    held = running(4)
    next_round(held)
    kept, found = kept_and_found(held, account("olive"))
    first, second = for_reader(kept, found), for_reader(kept, found)
    with CaptureQueriesContext(connection) as asked:
        assert shown_rounds(first) == shown_rounds(second)
    assert len(asked) == 1
    with CaptureQueriesContext(connection) as asked:
        assert shown_rounds(held) == shown_rounds(held)
    assert len(asked) == 2


def test_roles_are_nobodys_but_the_readers(monkeypatch):
    """Roles that ended are gone at the next request, also where they are asked of what a kept answer points at."""
    held, juno = running(4), account("juno")
    staff(held, "juno", Role.Name.JUDGE)
    next_round(held)

    def seen() -> bool:
        forget_pages()
        kept, found = kept_and_found(held, juno)
        assert JUDGE in roles_of(juno, shown_rounds(for_reader(kept, found))[0].stage.tournament)
        held_roles = list(Role.objects.filter(user=juno.user))
        Role.objects.filter(user=juno.user).delete()
        later = for_reader(kept, find_event_head(juno, held.slug))
        still = JUDGE in roles_of(juno, later) or JUDGE in roles_of(juno, shown_rounds(later)[0].stage.tournament)
        Role.objects.bulk_create(held_roles)
        return still

    assert not seen()
    monkeypatch.setattr(kept_answers, "_Forgotten", dict)
    assert seen(), "the control: roles remembered with what all share outlive their end"


def test_nothing_set_for_one_request_reaches_another():
    held = running(2)
    kept, found = kept_and_found(held, account("olive"))
    for_reader(kept, found).name = "Mine"
    assert for_reader(kept, found).name == held.name


def test_an_act_is_seen_at_once_and_a_result_keeps_the_answers():
    held = running(4)
    match = table(next_round(held), 2)
    ada = guest(held, name_of(0))
    assert "Lunch" not in page(ada, held)
    with_lunch = post_announcement(account("olive"), held, "Lunch at one", NOW)
    assert "Lunch at one" in page(ada, held)
    report_result(account("olive"), match, score(2, 0), NOW)
    with CaptureQueriesContext(connection) as asked:
        assert "Lunch at one" in page(ada, held)
    assert not any(Announcement._meta.db_table in each["sql"] for each in asked)
    withdraw_announcement(account("olive"), with_lunch, NOW)
    assert "Lunch at one" not in page(ada, held)
    assert announcements_of(held) == []


@pytest.mark.parametrize("name", ["Ben", NASTY])
def test_the_forms_of_the_own_match_are_the_same_kept_or_not(name, monkeypatch):
    held = running(4)
    entry(held, name_of(1)).__class__.objects.filter(tournament=held, name=name_of(1)).update(name=name)
    next_round(held)
    pages, clients = {}, {number: guest(held, name_of(number)) for number in (0, 2, 3)}
    for kept in (True, False):
        if not kept:
            monkeypatch.setattr(kept_forms, "keeps_answers", lambda tournament: False)
        forget_pages()
        for number, client in clients.items():
            pages[kept, number] = page(client, held)
    for number in clients:
        assert "".join(pages[True, number].split()) == "".join(pages[False, number].split())
    assert name == "Ben" or not any(NASTY in each for each in pages.values())


def test_one_players_forms_are_not_anothers(monkeypatch):
    """With its control: were one name put in for all, it would be everybody's opponent."""
    held = running(4)
    next_round(held)
    clients = [guest(held, name_of(number)) for number in range(4)]

    def strangers() -> bool:
        forget_pages()
        found = [page(client, held) for client in clients]
        opponents = [{*re.findall(r'<option value="[01]">([^<]*)</option>', each)} - {"You"} for each in found]
        assert all(len(each) == 1 for each in opponents)
        return len({each.pop() for each in opponents}) < 4

    assert not strangers()
    monkeypatch.setattr(kept_forms, "escape", lambda value: "Ada")
    assert strangers()


def test_the_own_match_asks_few_questions():
    held = running(8)
    next_round(held)
    page(guest(held, name_of(0)), held)
    second = guest(held, name_of(1))
    with CaptureQueriesContext(connection) as asked:
        page(second, held)
    assert len(asked) <= 12, [each["sql"][:90] for each in asked]


def test_whoever_made_a_link_and_plays_is_known():
    """Asked of all accounts at once; an account that plays elsewhere has no place here."""
    held = running(4)
    kept, found = kept_and_found(held, account("olive"))
    mine = for_reader(kept, found)
    member = entry(held, name_of(0)).members.get()
    member.person.user = account("olive").user
    member.person.save()
    assert permissions._has_place(account("olive").user.pk, mine)
    assert not permissions._has_place(account("juno").user.pk, mine)


def test_the_page_knows_the_forms():
    """The names that the test above takes away are those that the page uses."""
    assert my_match.report_forms is kept_forms.report_forms


def test_of_a_list_only_the_matches_that_changed_are_read_again(monkeypatch):
    """With its control: with nothing known, all are read; either way the list is the same."""
    held = running(8)
    round_ = next_round(held)
    ada, tables = guest(held, name_of(0)), []
    read = kept_lines.lines_of
    monkeypatch.setattr(kept_lines, "lines_of", lambda *args: (tables.append(len(args[2])), read(*args))[1])

    def look(number: int) -> list[int]:
        tables.clear()
        page_cache._pages.clear()
        report_result(account("olive"), table(round_, number), score(2, number % 2), NOW)
        html = ada.get(url(held, "pairings/?by=table")).content.decode()
        assert ("2–1" if number % 2 else "2–0") in html
        return list(tables)

    assert look(1) == [4]
    assert look(2) == [1]
    correct_result(account("olive"), table(round_, 1), score(0, 2), "typed wrong", NOW)
    assert "0–2" in ada.get(url(held, "pairings/?by=table")).content.decode()
    monkeypatch.setattr(kept_lines, "keeps_answers", lambda tournament: False)
    assert look(3) == [4, 1], "the list, and the own line"


def test_a_line_is_rendered_again_only_when_its_match_changed(monkeypatch):
    """With its control: were every match as it was when the event was read, the list would show no result."""
    held = running(8)
    round_ = next_round(held)
    ada, rendered = guest(held, name_of(0)), []
    get = kept_lines.get_template

    def counted(name: str) -> SimpleNamespace:
        template = get(name)
        return SimpleNamespace(render=lambda context: (rendered.append(name), template.render(context))[1])

    monkeypatch.setattr(kept_lines, "get_template", counted)

    def look() -> tuple[int, str]:
        rendered.clear()
        page_cache._pages.clear()
        html = ada.get(url(held, "pairings/")).content.decode()
        return len(rendered), html

    assert look()[0] == 8
    report_result(account("olive"), table(round_, 2), score(2, 1), NOW)
    count, html = look()
    assert (count, "2–1" in html, "1–2" in html) == (2, True, True)
    correct_result(account("olive"), table(round_, 2), score(0, 2), "typed wrong", NOW)
    assert "0–2" in look()[1]
    for module in (kept_lines, pairing_rows):
        monkeypatch.setattr(module, "version_of_match", lambda tournament, match: "")
    forget_pages()
    assert look()[0] == 8
    report_result(account("olive"), table(round_, 3), score(1, 2), NOW)
    assert (look()[0], "1–2" in look()[1]) == (0, False)


def test_the_own_match_that_is_kept_shows_what_was_told_of_it_since():
    """Also a word that changes nothing of the match itself; the other table's result leaves it as it was read."""
    held = running(4)
    round_ = next_round(held)
    match, other = table(round_, 1), table(round_, 2)
    mine = next(seat.entry for seat in match.seats.order_by("order"))

    def seen(read: list[int]) -> set[int]:
        tournament = find_event_head(account("olive"), held.slug)
        position = versions_of(tournament)
        kept = page_cache._events.find(
            held.pk, position.of((Part.OTHERS,)), lambda old: False,
            lambda: Kept(
                keep_answers(Tournament.objects.get(pk=held.pk)), position.of((Part.OTHERS,)), 0, monotonic()
            ),
        )  # fmt: skip
        assert kept is not None
        reader = for_reader(kept.what, tournament, position.of_match)
        with CaptureQueriesContext(connection) as asked:
            found = kept_lines.own_match_again(reader, shown_rounds(reader)[-1], mine.pk)
        assert found is not None
        found.round.stage.tournament = reader
        read.append(sum(ResultReport._meta.db_table in each["sql"] for each in asked))
        return {report.number for report in found.reports.all()}

    read: list[int] = []
    assert seen(read) == set()
    report_result(account("olive"), match, score(2, 0), NOW)
    assert seen(read) == {1}
    report_result(account("olive"), match, score(0, 2), NOW)
    assert seen(read) == {1, 2}
    report_result(account("olive"), other, score(2, 0), NOW)
    assert seen(read) == {1, 2}
    assert [bool(each) for each in read] == [True, True, True, False]


def test_kept_lines_hold_neither_queries_nor_reasons(monkeypatch):
    """With its control. What lists never read would be a third of what they hold of each match."""
    held = running(4)
    round_ = next_round(held)
    matches = list(round_.matches.values_list("pk", flat=True))

    def held_by_lines() -> tuple[int, int]:
        kept, found = kept_and_found(held, account("olive"))
        lines = kept_lines.lines_again(for_reader(kept, found), round_, matches)
        caches = [line.match.__dict__["_prefetched_objects_cache"].values() for line in lines]
        queries = sum(isinstance(found, QuerySet) for cache in caches for found in cache)
        reasons = sum("explanation" in line.match.__dict__ for line in lines)
        assert all(line.match.explanation == Match.objects.get(pk=line.match.pk).explanation for line in lines)
        return queries, reasons

    assert held_by_lines() == (0, 0)
    monkeypatch.setattr(match_rows, "matches_of", lambda round_, matches, but: with_all(round_.matches.all()))
    assert held_by_lines() == (4, 2)


def test_of_a_kept_match_each_reader_has_a_copy():
    """Nothing that one request hangs on the own match, its roles above all, reaches another."""
    held = running(4)
    round_ = next_round(held)
    mine = table(round_, 1).seats.first()
    kept, found = kept_and_found(held, account("olive"))
    first, second = (for_reader(kept, found, lambda match: "same") for _reader in range(2))
    matches = []
    for reader in (first, second):
        match = kept_lines.own_match_again(reader, shown_rounds(reader)[-1], mine.entry_id)
        match.round.stage.tournament = reader
        matches.append(match)
    assert matches[0].round.stage.tournament is first
    assert matches[1].round.stage.tournament is second
    shared = matches[0].seats.all()[0].match.round.stage.tournament
    assert shared is not first
    assert shared is not second
    assert type(shared.__dict__[kept_answers.ROLES]) is kept_answers._Forgotten
