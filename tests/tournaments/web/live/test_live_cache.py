"""Pages from memory: they stop being handed out with the next act, belong to one viewer, and hold no tokens."""

import re

import pytest
from django.utils.html import escape

from accounts.actors import ANONYMOUS
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, entry, next_round, report_all, running, score, staff, table
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.events.services.settings import update_settings
from tournaments.events.services.staff import remove_role
from tournaments.models import Role
from tournaments.permissions import annotate_roles, remember_roles, roles_of
from tournaments.results.services.reports import report_result
from tournaments.web.live import page_cache

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

KEPT = ("", "pairings/", "pairings/?by=table", "standings/", "bracket/", "wall/?show=pairings,standings")


def queries(client, address: str) -> int:
    """How many queries an answer asks."""
    return count_queries(page, client, address)


@pytest.mark.parametrize("path", KEPT)
def test_a_page_asks_one_question_again_and_all_after_an_act(path):
    tournament = running(4)
    match = table(next_round(tournament))
    visitor, address = browser(), url(tournament, path)
    first = queries(visitor, address)
    assert queries(visitor, address) == 1 < first
    report_result(account("olive"), match, score(2, 0), NOW)
    assert queries(visitor, address) > 1


def test_a_result_shows_at_the_next_request():
    tournament = running(4)
    match, visitor = table(next_round(tournament)), browser()
    assert "2–0" not in page(visitor, url(tournament, "pairings/"))
    report_result(account("olive"), match, score(2, 0), NOW)
    assert "2–0" in page(visitor, url(tournament, "pairings/"))


def test_everybody_has_pages_of_their_own():
    tournament = running(4)
    next_round(tournament)
    ada, ben, visitor = guest(tournament, "Ada"), guest(tournament, "Ben"), browser()
    for path in ("pairings/", "standings/"):
        seen = [page(each, url(tournament, path)) for each in (ada, ben, visitor, ada, ben, visitor)]
        assert [bool(re.search(r"Ada</span>\s*</summary>", each)) for each in seen] == [True, False, False] * 2
        assert [bool(re.search(r"Ben</span>\s*</summary>", each)) for each in seen] == [False, True, False] * 2


def test_my_match_is_kept_for_its_player_alone():
    tournament = running(4)
    next_round(tournament)
    ada, ben, address = guest(tournament, "Ada"), guest(tournament, "Ben"), url(tournament, "my/")
    page(ada, address), page(ben, address)
    again = queries(ada, address)
    assert again <= 3
    assert page(ada, address) != page(ben, address)


def test_a_role_taken_away_is_gone_from_kept_pages_at_the_next_request():
    tournament = running(4)
    next_round(tournament)
    juno, address = staff(tournament, "juno", "judge"), url(tournament, "pairings/")
    client = browser(juno)
    for _time in range(2):
        assert "/match/" in page(client, address)
    remove_role(account("olive"), Role.objects.get(tournament=tournament, user=juno.user), NOW)
    assert "/match/" not in page(client, address)


def test_a_role_that_left_no_trace_is_gone_too():
    tournament = running(4)
    next_round(tournament)
    juno, address = staff(tournament, "juno", "judge"), url(tournament, "pairings/")
    client = browser(juno)
    page(client, address)
    Role.objects.filter(tournament=tournament, user=juno.user).delete()
    assert "/match/" not in page(client, address)


def test_a_hidden_event_is_hidden_at_the_next_request():
    tournament, visitor = running(4), browser()
    page(visitor, url(tournament))
    update_settings(account("olive"), tournament, {"visibility": "private"}, NOW)
    assert visitor.get(url(tournament)).status_code == 404


def test_languages_are_kept_apart():
    tournament, visitor = running(4), browser()
    for language in ("en", "ar", "en"):
        answer = visitor.get(url(tournament, "standings/"), HTTP_ACCEPT_LANGUAGE=language)
        assert f'lang="{answer.headers["Content-Language"]}"' in answer.content.decode()


def tokens(text: str) -> list[str]:
    return re.findall(r'name="(?:csrfmiddlewaretoken|idempotency_key)" value="([^"]+)"', text)


def test_tokens_are_new_in_every_answer_and_work():
    tournament = running(4)
    next_round(tournament)
    ada = guest(tournament, "Ada")
    ada.handler.enforce_csrf_checks = True
    first, second = (tokens(page(ada, url(tournament, "my/"))) for _time in range(2))
    assert len(first) == len(second) > 1
    assert not set(first) & set(second)


def test_nothing_secret_lies_in_memory(settings):
    tournament = running(4)
    next_round(tournament)
    ada = guest(tournament, "Ada")
    page_cache.forget_pages()
    seen = tokens(page(ada, url(tournament, "my/")))
    kept = [piece for each in page_cache._pages._kept.values() for piece in each.what.page.pieces]
    assert kept
    assert not [token for token in seen if token in str(kept)]


def test_a_page_with_a_message_is_neither_kept_nor_answered_from_memory():
    tournament = running(4)
    next_round(tournament)
    olive = browser(account("olive"))
    address = url(tournament, "pairings/")
    page(olive, address)
    page_cache.forget_pages()
    assert olive.post(url(tournament, "manage/announcements/"), {"text": "Lunch"}).status_code == 302
    assert "Posted to all pages" in text_of(page(olive, address))
    assert "Posted to all pages" not in text_of(page(olive, address))


def test_an_unchanged_page_costs_a_script_no_body_and_a_browser_gets_it_whole():
    tournament, visitor = running(4), browser()
    next_round(tournament)
    address = url(tournament, "pairings/")
    etag = visitor.get(address).headers["ETag"]
    page_cache.forget_pages()
    assert visitor.get(address, headers={"X-Live": "1", "If-None-Match": etag}).status_code == 304
    assert visitor.get(address, headers={"If-None-Match": etag}).status_code == 200
    report_all(tournament.stages.get().rounds.get())
    assert visitor.get(address, headers={"X-Live": "1", "If-None-Match": etag}).status_code == 200


def test_a_page_tells_its_script_what_it_is():
    tournament, visitor = running(4), browser()
    for _time in range(2):
        answer = visitor.get(url(tournament))
        assert f'data-etag="{escape(answer.headers["ETag"])}"' in answer.content.decode()


def test_kept_pages_say_that_they_depend_on_the_cookie():
    tournament, visitor = running(4), browser()
    for _time in range(2):
        answer = visitor.get(url(tournament))
        assert {"Cookie", "Accept-Language"} <= {each.strip() for each in answer.headers["Vary"].split(",")}
        assert answer.headers["Cache-Control"] == "private, no-cache"


def test_roles_found_in_one_query_are_those_asked_for():
    tournament = running(4)
    staff(tournament, "kit", "scorekeeper")
    staff(tournament, "juno", "judge")
    member = entry(tournament, "Ada").members.get()
    member.person.user = account("kit").user
    member.person.save()
    for actor in (account("olive"), account("kit"), account("juno"), account("mallory"), ANONYMOUS):
        few = type(tournament).objects.filter(pk=tournament.pk)
        assert roles_of(actor, remember_roles(actor, annotate_roles(actor, few).get())) == roles_of(actor, few.get())
