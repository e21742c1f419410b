"""Pages around pairing on missing results: the organiser's fold, notes on rounds, desks of two rounds, late reports."""

import re
from datetime import timedelta

import pytest

from tests.tournaments.factories import NOW, account, afresh, next_round, report_all, running, score, staff, table
from tests.tournaments.web.desk.test_desk import games, type_in
from tests.tournaments.web.visitors import browser, guest, names_at, page, text_of, url
from tournaments.core.rounds import missing_matches
from tournaments.entries.services.attendance import drop_entry
from tournaments.models import Match, ResultReport, Role, Round, Tournament
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.room.services.clocks import start_clock
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.web.organiser import missing

pytestmark = pytest.mark.django_db

BUTTON = "Pair round 2 without"


@pytest.fixture(scope="module")
def stored_held(shared_db) -> Tournament:
    return running(8, swiss_rounds=4)


@pytest.fixture
def held(stored_held, db) -> Tournament:
    return afresh(stored_held)


@pytest.fixture
def olive(held):
    return browser(account("olive"))


@pytest.fixture
def kit(held):
    return browser(staff(held, "kit", Role.Name.SCOREKEEPER))


@pytest.fixture
def first(held) -> Round:
    """Round 1 without a result at table 1."""
    round_ = next_round(held)
    for number in (2, 3, 4):
        store(table(round_, number))
    return round_


@pytest.fixture
def second(held, first) -> Round:
    """Round 2, published, paired without table 1 of round 1."""
    return publish_round(account("olive"), paired_without(held), NOW)


def paired_without(held) -> Round:
    ids = [match.pk for match in missing_matches(held)]
    return pair_next_round(account("olive"), held, NOW, seed=1, without=ids, reason="they play on")


def store(match, *won):
    report_result(account("olive"), match, score(*(won or (2, 0))), NOW)


def hidden(html: str, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]*)"', html)[1]


def pair(olive, held, without: str, reason="they play on", after="1"):
    values = {"after": after, "without": without, "reason": reason}
    return olive.post(url(held, "manage/rounds/pair/"), values, follow=True)


# The fold


@pytest.mark.parametrize("where", ["manage/", "manage/rounds/"])
def test_fold_names_every_missing_match_and_its_press_pairs(held, first, olive, where):
    match = table(first)
    html = page(olive, url(held, where))
    assert hidden(html, "without") == str(match.pk)
    text = text_of(html)
    assert f"1 1 {' · '.join(names_at(match))} playing" in text
    assert "these matches count only as met" in text
    assert "Hidden until you publish it" in text_of(pair(olive, held, str(match.pk)).content.decode())
    assert Round.objects.get(number=2).paired_without == [match.pk]


@pytest.mark.parametrize("reports", [[(2, 0)], [(2, 0), (0, 2)]])
def test_fold_says_how_far_each_match_is(held, first, olive, reports):
    match = table(first)
    for seat, won in zip(match.seats.all(), reports, strict=False):
        report_result(account(f"x{seat.order}"), match, score(*won), NOW, seat=seat)
    fold = text_of(page(olive, url(held, "manage/"))).split(BUTTON)[1]
    assert ("one report" in fold, "two reports" in fold) == (len(reports) == 1, len(reports) == 2)


@pytest.mark.parametrize("role", [Role.Name.SCOREKEEPER, Role.Name.JUDGE])
def test_fold_and_its_press_are_the_organisers(held, first, role):
    client = browser(staff(held, "somebody", role))
    assert BUTTON not in page(client, url(held, "manage/"))
    assert pair(client, held, str(table(first).pk)).status_code == 403
    assert Round.objects.count() == 1


def test_fold_without_a_reason_is_refused_and_lists_again(held, first, olive):
    html = pair(olive, held, str(table(first).pk), reason=" ").content.decode()
    assert "<details" in html
    assert "reason" in re.search(r'id="without" open>(.*?)</details>', html, re.DOTALL)[1]
    assert Round.objects.count() == 1


def test_more_missing_than_was_listed_is_refused_with_the_reason_kept(held, olive):
    round_ = next_round(held)
    store(table(round_, 3))
    store(table(round_, 4))
    html = pair(olive, held, str(table(round_, 2).pk), reason="we go on").content.decode()
    assert "Results missing in round 1: tables 1." in text_of(html)
    assert 'value="we go on"' in html
    assert hidden(html, "without") == f"{table(round_, 1).pk},{table(round_, 2).pk}"
    assert Round.objects.count() == 1


def test_second_press_of_the_fold_pairs_once_and_says_so(held, first, olive):
    for _press in range(2):
        html = pair(olive, held, str(table(first).pk)).content.decode()
    assert "Round 2 is paired already." in text_of(html)
    assert Round.objects.count() == 2


@pytest.mark.parametrize("without", ["", "x", "1e3", "٣", ",,", "9" * 400])
def test_absurd_ids_name_nothing(held, first, olive, without):
    assert "Results missing in round 1: tables 1" in text_of(pair(olive, held, without).content.decode())
    assert Round.objects.count() == 1


def test_many_missing_matches_are_listed_when_asked(held, first, olive, monkeypatch):
    monkeypatch.setattr(missing, "MAX_FOLDED", 0)
    html = page(olive, url(held, "manage/"))
    assert 'name="without"' not in html
    assert "?without=all#without" in html
    assert hidden(page(olive, url(held, "manage/rounds/"), without="all"), "without") == str(table(first).pk)


def test_no_fold_where_no_round_is_left_and_the_step_says_what_waits():
    tournament = running(4, swiss_rounds=2)
    olive, first = browser(account("olive")), next_round(tournament)
    store(table(first, 2))
    second = publish_round(account("olive"), paired_without(tournament), NOW)
    start_clock(account("olive"), second, NOW)
    assert "Last round. Once all results are in" in text_of(page(olive, url(tournament, "manage/")))
    report_all(second)
    html = page(olive, url(tournament, "manage/"))
    assert "You can finish once earlier results are in." in text_of(html)
    assert "Round 1, table 1" in text_of(html)
    assert f'href="{url(tournament, "desk/")}?round=1"' in html
    assert 'name="without"' not in html
    store(table(first))
    assert "Finish the event" in text_of(page(olive, url(tournament, "manage/")))


# Notes on rounds


def test_round_says_for_good_what_it_was_paired_without(held, second, first, olive):
    html = page(olive, url(held, "manage/rounds/"))
    note = html[html.index("Without the result of round 1") :]
    assert f"/match/{table(first).pk}/" in note[: note.index("</p>")]
    store(table(first))
    html = page(olive, url(held, "manage/rounds/"))
    note = html[html.index("Without the result of round 1") :]
    assert text_of(note[: note.index("</p>")]).endswith("table 1.")
    assert "<a" not in note[: note.index("</p>")]


def test_changed_results_are_told_and_only_an_untouched_round_can_be_taken_back(held, second, first, olive):
    correct_result(account("olive"), table(first, 2), score(0, 2), "misread", NOW + timedelta(hours=4, minutes=5))
    told, advice = "Earlier results changed (14:05)", ": keep the round, or take it back."
    text = text_of(page(olive, url(held, "manage/rounds/")))
    assert told + advice in text
    store(table(second))
    text = text_of(page(olive, url(held, "manage/rounds/")))
    assert f"{told}." in text
    assert advice not in text


def test_log_tells_of_missing_and_changed_results(held, second, first, olive):
    correct_result(account("olive"), table(first, 2), score(0, 2), "misread", NOW)
    store(table(first))
    text = text_of(page(olive, url(held, "manage/log/")))
    assert "paired round 2 without 1 results" in text
    assert "round/table: 1/1" in text
    assert "they play on" in text
    assert "round 1, table 2 (paired since: 2)" in text
    assert "closed round 1 with its last result" in text


# The desk


def test_each_open_round_has_its_desk_and_the_newest_comes_first(held, first, second, kit):
    html = page(kit, url(held, "desk/"))
    assert hidden(html, "round") == hidden(html, "newest") == str(second.pk)
    assert "Round 1 still waits for 1 table." in text_of(html)
    assert "0 of 4 tables" in text_of(html)
    older = page(kit, url(held, "desk/"), round="1")
    assert (hidden(older, "round"), hidden(older, "newest")) == (str(first.pk), str(second.pk))
    assert "Results typed here go to round 1, an earlier round." in text_of(older)
    assert "3 of 4 tables" in text_of(older)
    assert "?round=1&amp;table=1" in older


def test_one_open_round_has_no_tabs(held, first, kit):
    html = page(kit, url(held, "desk/"))
    assert 'class="tabs" aria-label="Rounds"' not in html
    assert "?table=1" in html


@pytest.mark.parametrize("older", [True, False])
def test_a_typed_result_goes_to_the_round_that_the_desk_showed(held, first, second, kit, older):
    meant, other = (first, second) if older else (second, first)
    response = type_in(kit, held, meant, 1, "1", newest=second.pk)
    assert games(table(meant)) == (2, 0, 0)
    assert games(table(other)) is None
    assert ("round=1" in response.url) is older


@pytest.mark.parametrize("values", [(), ("newest",)])
def test_a_desk_open_since_before_the_newest_round_stores_nothing_in_either(held, first, second, kit, values):
    response = type_in(kit, held, first, 1, "1", **dict.fromkeys(values, first.pk))
    assert "Not saved: that was an earlier round" in text_of(kit.get(response.url).content.decode())
    assert not ResultReport.objects.filter(match__in=[table(first), table(second)]).exists()


def test_the_desk_of_an_earlier_round_stays_until_that_round_is_complete(held, kit):
    round_ = next_round(held)
    store(table(round_, 3))
    store(table(round_, 4))
    second = publish_round(account("olive"), paired_without(held), NOW)
    found = type_in(kit, held, round_, 2, "", newest=second.pk)
    assert found.url == url(held, "desk/?round=1&table=2")
    html = kit.get(type_in(kit, held, round_, 2, "1", newest=second.pk).url).content.decode()
    assert "Last saved Table 2" in text_of(html)
    assert hidden(html, "round") == str(round_.pk)
    html = kit.get(type_in(kit, held, round_, 1, "1", newest=second.pk).url).content.decode()
    assert "Round 1 has all its results. This is the desk of round 2." in text_of(html)
    assert hidden(html, "round") == str(second.pk)


def test_reports_of_an_earlier_round_are_confirmed_at_its_desk(held, first, second, kit):
    match = table(first)
    report = report_result(account("x"), match, score(2, 1), NOW, seat=match.seats.first()).report
    kit.post(url(held, "desk/"), {"act": "confirm", "report": report.pk})
    assert games(match) == (2, 1, 0)
    assert Round.objects.get(pk=first.pk).state == Round.State.CLOSED


def test_the_match_page_leads_back_to_the_desk_of_its_round(held, kit):
    round_ = next_round(held)
    store(table(round_, 4))
    publish_round(account("olive"), paired_without(held), NOW)
    values = {"act": "report", "kind": "played", "first": "2", "second": "1"}
    response = kit.post(url(held, f"match/{table(round_).pk}/"), values)
    assert response.url == url(held, f"desk/?round=1&last={table(round_).pk}")


# Players


def test_player_is_told_of_the_earlier_match_and_reports_it_there(held, first, second):
    match = table(first)
    one, other = names_at(match)
    ada, ben = guest(held, one), guest(held, other)
    text = text_of(page(ada, url(held, "my/")))
    assert "No result yet: Round 1, table 1. Report it" in text
    html = page(ada, url(held, "my/"), round="1")
    assert hidden(html, "match") == str(match.pk)
    assert "Go to your match of round 2" in text_of(html)
    assert "has no result yet" not in text_of(html)
    sent = ada.post(url(held, "my/?round=1"), {"act": "report", "match": match.pk, "score": "2-0-0"})
    assert sent.url == url(held, "my/?round=1")
    assert f"waiting for {other}" in text_of(page(ada, sent.url))
    assert "Go to that match" in text_of(page(ada, url(held, "my/")))
    assert "See your opponent's report" in text_of(page(ben, url(held, "my/")))
    report = ResultReport.objects.get(match=match)
    ben.post(url(held, "my/?round=1"), {"act": "confirm", "match": match.pk, "report": report.pk})
    assert games(match) == (2, 0, 0)
    assert "has no result yet" not in page(ben, url(held, "my/"), round="1")
    assert games(own(second, one)) is None


def own(round_: Round, name: str) -> Match:
    return round_.matches.get(seats__entry__name=name)


def test_newest_match_is_reported_as_ever_beside_an_open_one(held, first, second):
    name = names_at(table(first))[0]
    ada, match = guest(held, name), own(second, name)
    sent = ada.post(url(held, "my/"), {"act": "report", "match": match.pk, "score": "2-0-0"})
    assert sent.url == url(held, "my/")
    assert ResultReport.objects.get(by_seat__isnull=False).match == match


def test_nobody_reports_an_earlier_match_of_others(held, first, second):
    stranger = guest(held, names_at(table(first, 2))[0])
    assert "has no result yet" not in page(stranger, url(held, "my/"), round="1")
    values = {"act": "report", "match": table(first).pk, "score": "2-0-0"}
    response = stranger.post(url(held, "my/?round=1"), values)
    assert "another match" in text_of(page(stranger, response.url))
    assert games(table(first)) is None


def test_who_dropped_still_reports_the_earlier_match(held, first, second):
    entry = table(first).seats.first().entry
    drop_entry(account("olive"), entry, NOW)
    ada = guest(held, entry.name)
    assert "No result yet" in page(ada, url(held, "my/"))
    ada.post(url(held, "my/?round=1"), {"act": "report", "match": table(first).pk, "score": "2-0-0"})
    assert ResultReport.objects.get(by_seat__isnull=False).match == table(first)
