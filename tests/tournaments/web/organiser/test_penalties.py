"""Penalties on pages: given in few presses, read by officials, the own ones by the player."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import PersonalLink
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, next_round, running, score, staff, table
from tests.tournaments.table_phones import phone, say, tokens_of
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.models import Match, Penalty, Role
from tournaments.penalties.services import give_penalty, take_back_penalty
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    found = table(next_round(running(4)))
    staff(found.round.stage.tournament, "juno", Role.Name.JUDGE)
    staff(found.round.stage.tournament, "kit", Role.Name.SCOREKEEPER)
    return found


def address(match, rest=""):
    return url(match.round.stage.tournament, f"manage/penalties/{rest}")


def form_of(match):
    entry = match.seats.get(order=1).entry
    return f"{address(match, f'give/{entry.number}/')}?match={match.pk}", entry


def test_judge_gives_a_match_loss_from_the_match(match):
    juno = browser(account("juno"))
    path, entry = form_of(match)
    quick = url(match.round.stage.tournament, f"floor/table/{match.pk}/penalty/{entry.number}/")
    assert quick in page(juno, url(match.round.stage.tournament, f"match/{match.pk}/"))
    assert path in page(juno, quick)
    sent = {"kind": "match_loss", "infraction": "1", "match": match.pk, "version": match.version, "notes": "third time"}
    assert juno.post(path, sent).status_code == 302
    assert Penalty.objects.get().infraction == "Slow play"
    assert Match.objects.get(pk=match.pk).state == Match.State.DONE
    assert "third time" in text_of(page(browser(account("olive")), address(match)))


def test_something_else_needs_words_and_what_was_typed_stays(match):
    path, _entry = form_of(match)
    sent = {"kind": "warning", "infraction": "other", "other": "", "match": match.pk, "notes": "by the door"}
    html = browser(account("juno")).post(path, sent).content.decode()
    assert "Say in a few words" in text_of(html)
    assert "by the door" in html
    assert not Penalty.objects.exists()


def test_match_that_changed_meanwhile_is_shown_before_the_penalty(match):
    path, _entry = form_of(match)
    report_result(account("olive"), match, score(0, 2), NOW)
    sent = {"kind": "match_loss", "infraction": "1", "match": match.pk, "version": match.version}
    html = browser(account("juno")).post(path, sent).content.decode()
    assert "has changed" in text_of(html)
    assert f'name="version" value="{Match.objects.get(pk=match.pk).version}"' in html
    assert not Penalty.objects.exists()


def test_player_reads_the_own_penalty_without_notes(match):
    _path, entry = form_of(match)
    give_penalty(account("juno"), entry, "warning", "Slow play", NOW, notes="third time", match=match)
    Penalty.objects.update(given_at="2126-01-01T00:00Z")
    shown = page(guest(match.round.stage.tournament, entry.name), url(match.round.stage.tournament, "my/"))
    assert "Slow play" in shown
    assert "third time" not in shown


def test_scorekeeper_is_told_of_game_losses_alone(match):
    _path, entry = form_of(match)
    give_penalty(account("juno"), entry, "game_loss", "Slow play", NOW, notes="third time", match=match)
    shown = page(browser(account("kit")), url(match.round.stage.tournament, f"match/{match.pk}/"))
    assert "has a game loss" in shown
    assert "Slow play" not in shown
    assert "third time" not in shown


CONFIRMS = 'name="act" value="confirm"'


def pages_that_report(match):
    """By name: every page on which this match is reported or agreed to, as the second player, by code and by staff."""
    tournament, second = match.round.stage.tournament, match.seats.get(order=2)
    PersonalLink.objects.all().delete()  # a code agrees for a player who has none
    scanned = phone(tokens_of(tournament)[1])
    say(scanned, match, "claim", seat=second.pk)
    by_code = page(scanned, url(tournament, "table/"))
    at_match, juno, kit = f"match/{match.pk}/", browser(account("juno")), browser(account("kit"))
    return {
        "table": by_code,
        "my": page(guest(tournament, second.entry.name), url(tournament, "my/")),
        "judge": page(juno, url(tournament, at_match)),
        "match": page(kit, url(tournament, at_match)),
        "desk": page(kit, url(tournament, "desk/")),
    }


def test_no_page_offers_what_a_game_loss_has_ruled_out():
    tournament = running(4, table_reports="agreed")
    match = table(next_round(tournament))
    for name, role in (("juno", Role.Name.JUDGE), ("kit", Role.Name.SCOREKEEPER)):
        staff(tournament, name, role)
    first = match.seats.get(order=1)
    report_result(account("olive"), match, score(2, 0), NOW, seat=first)
    offered = pages_that_report(match)
    assert [name for name in offered if CONFIRMS in offered[name] or 'value="agree"' in offered[name]] == [*offered]
    assert all('value="2-0-0"' in html for name, html in offered.items() if name != "desk")
    penalty = give_penalty(account("juno"), first.entry, "game_loss", "Slow play", NOW, match=match)
    offered = pages_that_report(match)
    for name, html in offered.items():
        assert CONFIRMS not in html, name
        assert 'value="agree"' not in html, name
        assert "at least one game counts as won by the other side" in text_of(html), name
    lost = {name: ('value="2-0-0"' in html, 'value="0-2-0"' in html) for name, html in offered.items()}
    assert lost == {"my": (True, False), "table": (True, False), "judge": (False, True), "match": (False, True)} | {
        "desk": (False, False)
    }
    take_back_penalty(account("juno"), penalty, "heard wrong", NOW)
    assert all(CONFIRMS in html or 'value="agree"' in html for html in pages_that_report(match).values())


def test_desk_asks_as_much_for_one_report_that_waits_as_for_ten():
    asked = []
    for players in (4, 20):
        tournament = running(players)
        for match in matches_of(next_round(tournament)):
            report_result(account("olive"), match, score(2, 0), NOW, seat=match.seats.first())
        olive = browser(account("olive"))
        page(olive, url(tournament, "desk/"))
        with CaptureQueriesContext(connection) as queries:
            assert page(olive, url(tournament, "desk/")).count(CONFIRMS) == players // 2
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_penalty_is_taken_back_by_a_judge_alone_with_a_reason(match):
    _path, entry = form_of(match)
    penalty = give_penalty(account("juno"), entry, "match_loss", "Slow play", NOW, match=match)
    path = address(match, f"{penalty.pk}/take-back/")
    for name in ("olive", "kit"):
        assert browser(account(name)).get(path).status_code == 403
    juno = browser(account("juno"))
    assert "It changed the match result. Correct that on the next page if needed." in text_of(page(juno, path))
    assert juno.post(path, {"reason": ""}).status_code == 200
    assert juno.post(path, {"reason": "heard wrong"}).status_code == 302
    assert Penalty.objects.get().taken_back_reason == "heard wrong"
    assert juno.get(address(match, "999/take-back/")).status_code == 404


def test_list_finds_by_name_and_kind_with_constant_queries(match):
    _path, entry = form_of(match)
    juno, counts = browser(account("juno")), []
    for number in range(2):
        give_penalty(account("juno"), entry, "warning", f"Thing {number}", NOW, match=match)
        counts.append(count_queries(page, juno, address(match)))
    assert counts[0] == counts[1]
    assert "Thing 1" in page(juno, address(match), q=entry.name.lower(), kind="warning")
    assert "Thing 1" not in page(juno, address(match), kind="disqualification")
    assert "Thing 1" not in page(juno, address(match), q="nobody")
