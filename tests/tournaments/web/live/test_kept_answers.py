"""What is asked of an event once for all readers of its pages: kept while no act changes it, and nobody's own."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from tests.tournaments.factories import NOW, account, entry, name_of, next_round, running, score, staff, table
from tests.tournaments.web.visitors import guest, url
from tournaments import kept_answers, permissions
from tournaments.core.events import find_event_head
from tournaments.core.rounds import shown_rounds
from tournaments.kept_answers import for_reader, keep_answers
from tournaments.models import Announcement, Role, Tournament
from tournaments.permissions import JUDGE, roles_of
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.room.selectors.announcements import announcements_of
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.web.live import page_cache
from tournaments.web.live.page_cache import forget_pages
from tournaments.web.player import kept_forms, my_match
from tournaments.web.public import events
from tournaments.web.shared import match_rows

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
    read = match_rows.lines_of
    monkeypatch.setattr(match_rows, "lines_of", lambda *args: (tables.append(len(args[2])), read(*args))[1])

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
    monkeypatch.setattr(events, "keeps_answers", lambda tournament: False)
    assert look(3) == [4]
