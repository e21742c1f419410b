"""Standings as pages: lines, ties, marks, earlier rounds, pages of long lists, and what each costs."""

import csv
import io
import re
from datetime import timedelta

import pytest

from tests.queries import count_queries
from tests.rules_engine.test_tables import workbook_of
from tests.tournaments.factories import (
    NOW,
    account,
    entry,
    event,
    next_round,
    report_all,
    running,
    score,
    table,
)
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import start_tournament
from tournaments.models import Amendment, Entry, Stage, Tournament
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.web.public import standings

pytestmark = pytest.mark.django_db


def test_standings_show_ties_percentages_and_dropped_players():
    held = running(4, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    drop_entry(account("olive"), entry(held, "Ada"), NOW)
    html = page(browser(), url(held, "standings/"))
    assert html.count("> shared<") == 4
    assert len(re.findall(r">\s*dropped\s*<", html)) == 1
    assert 'title="Opponents&#x27; match-win %: 1/3 = 33.333333 %">33.33<' in html
    assert "<b>3</b>" in html


def test_standings_columns_are_the_tiebreakers_in_their_order(client):
    held = event(2)
    policy = held.scoring_policy.as_dict() | {"tiebreakers": ["match_points", "ogw", "omw"]}
    Tournament.objects.filter(pk=held.pk).update(policy=policy, state="running")
    next_round(Tournament.objects.get(pk=held.pk))
    html = page(client, url(held, "standings/"))
    assert html.index(">OGW%<") < html.index(">OMW%<")
    assert ">GW%<" not in html
    assert "Standings: match points, then opponents' game-win %, opponents' match-win %." in text_of(html).replace(
        "&#x27;", "'"
    )


def test_whoever_is_disqualified_is_not_listed(client):
    held = running(4)
    report_all(next_round(held), 2, 0)
    Entry.objects.filter(tournament=held, name="Ada").update(state=Entry.State.DISQUALIFIED, dropped_after=1)
    assert "Ada" not in text_of(page(client, url(held, "standings/")))
    assert "Ada" not in client.get(url(held, "standings.csv")).content.decode()


def test_standings_csv_holds_every_line_and_every_tiebreaker(client):
    held = running(4)
    report_all(next_round(held), 2, 0)
    response = client.get(url(held, "standings.csv"))
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert response["Content-Type"].startswith("text/csv")
    assert {row["player"] for row in rows} == {"Ada", "Ben", "Cem", "Dora"}
    assert sorted(row["points"] for row in rows) == ["0", "0", "3", "3"]
    assert [*rows[0]] == ["rank", "number", "player", "points", "wins", "draws", "losses", "omw", "gw", "ogw", "state"]
    assert rows[0]["gw"] == "1.0000"
    sheet = workbook_of(client.get(url(held, "standings.xlsx")).content)
    assert [value for _kind, value in sheet[0]] == [*rows[0]]
    assert [line[2] for line in sheet[1:]] == [("s", row["player"]) for row in rows]
    assert [line[8] for line in sheet[1:]] == [("n", row["gw"]) for row in rows]


def test_long_standings_come_in_pages_with_a_way_to_ones_own_line(monkeypatch):
    monkeypatch.setattr(standings, "LINES_A_PAGE", 4)
    held = running(10)
    report_all(next_round(held), 2, 0)
    everybody = [name for number in (1, 2, 3) for name in names_on(held, page=str(number))]
    assert len(everybody) == len(set(everybody)) == 10
    last = everybody[-1]
    own = page(guest(held, last), url(held, "standings/"))
    assert 'href="?page=mine#me"' in own
    assert 'id="me"' not in own
    assert 'id="me"' in page(guest(held, last), url(held, "standings/"), page="mine")


def names_on(tournament, **query):
    """The names on a page of standings, in order."""
    html = page(browser(), url(tournament, "standings/"), **query)
    return re.findall(r'<a class="called"[^>]*>([^<]+)</a>', html)


@pytest.mark.sqlite
def test_a_name_or_number_is_found_and_keeps_its_rank():
    held = running(6)
    report_all(next_round(held), 2, 0)
    assert names_on(held, q="EMI") == ["Emil"]
    assert names_on(held, q="#2") == ["Ben"]
    assert "No player here is called “&lt;zz&gt;”" in page(browser(), url(held, "standings/"), q="<zz>")


def test_earlier_standings_count_the_results_up_to_that_round_alone():
    held = running(4, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    then = names_on(held)
    report_all(next_round(held), 0, 2)
    assert names_on(held, after="1") == then
    html = page(browser(), url(held, "standings/"), after="1")
    assert "Standings after round 1" in text_of(html)
    assert "with later corrections" in html
    assert "Download as CSV" not in html
    for number in ("3", "0", "x"):
        assert browser().get(url(held, "standings/"), {"after": number}).status_code == 404


def test_whoever_dropped_or_came_later_is_as_he_was_in_earlier_standings():
    held = running(4, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    drop_entry(account("olive"), entry(held, "Ada"), NOW)
    register_walk_ins(account("olive"), held, [EntryDraft("Late")], NOW)
    report_all(next_round(held), 2, 0)
    assert "Late" in names_on(held)
    assert sorted(names_on(held, after="1")) == ["Ada", "Ben", "Cem", "Dora"]


def corrected(tournament):
    """The result of table 1 of round 1 turned round; the amendment that says so."""
    first = table(tournament.stages.get().rounds.get(number=1))
    correct_result(account("olive"), first, score(0, 2), "scores swapped <b>", NOW + timedelta(hours=1))
    return Amendment.objects.filter(tournament=tournament).first()


def test_lines_corrected_back_lose_their_mark_also_with_results_in_between():
    held = running(6, swiss_rounds=3)
    round_ = next_round(held)
    report_all(round_, 2, 0)
    following = next_round(held)
    first = table(round_)
    correct_result(account("olive"), first, score(0, 2), "scores swapped", NOW)
    report_result(account("olive"), table(following), score(2, 1), NOW)
    assert "amended" in page(browser(), url(held, "standings/"))
    correct_result(account("olive"), first, score(2, 1), "a game forgotten", NOW)
    assert "#amended-" in page(browser(), url(held, "standings/")), "not yet as it was"
    correct_result(account("olive"), first, score(2, 0), "it was right", NOW)
    html = page(browser(), url(held, "standings/"))
    assert "#amended-" not in html
    assert html.count("Result changed: table 1") == 3, "what was done is still told"


def test_one_who_left_and_came_back_moves_no_line():
    held = running(4, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    correct_result(account("olive"), table(held.stages.get().rounds.get()), score(0, 2), "swapped", NOW)
    marks = page(browser(), url(held, "standings/")).count('href="#amended-')
    ada = drop_entry(account("olive"), entry(held, "Ada"), NOW)
    return_entry(account("olive"), ada, NOW)
    assert page(browser(), url(held, "standings/")).count('href="#amended-') == marks == 2


def test_amended_lines_are_marked_with_reason_and_time_until_the_next_round():
    held = running(4, swiss_rounds=3, time_zone="Europe/Berlin")
    report_all(next_round(held), 2, 0)
    amendment = corrected(held)
    html = page(browser(), url(held, "standings/"))
    assert html.count(f'class="state wait" href="#amended-{amendment.pk}"') == len(amendment.lines) == 2
    assert "13:00 Result changed: table 1, Round 1: scores swapped &lt;b&gt; (2 lines)" in text_of(html)
    assert "was 1" in html
    next_round(held)
    assert "amended" not in page(browser(), url(held, "standings/"))
    assert "amended" not in page(browser(), url(held, "standings/"), after="1")


def test_a_penalty_is_told_by_what_it_changed_alone():
    held = running(4)
    report_all(next_round(held), 2, 0)
    ada = entry(held, "Ada")
    Amendment.objects.create(
        tournament=held, kind="penalty", entry=ada, after_round=1, lines=[[ada.pk, 1, None, []]], made_at=NOW
    )
    told = text_of(page(browser(), url(held, "standings/")))
    assert "Ruling of the judges" in told
    assert "enalty" not in told


def test_whoever_plays_on_is_marked():
    held = running(4)
    report_all(next_round(held), 2, 0)
    ids = list(held.entries.values_list("pk", flat=True)[:2])
    held.stages.create(number=2, kind="single", qualify="top", qualify_value=2, seeds=ids, started_at=NOW)
    html = page(browser(), url(held, "standings/"))
    assert text_of(html).count("top 2") == 2
    assert names_on(held)[:2] == ["Ada", "Ben"]


@pytest.mark.parametrize("rest", ["standings/", "standings/?q=player&page=1", "standings/?after=1", "standings/why/"])
def test_pages_take_a_constant_number_of_queries(rest):
    counts = []
    for players in (12, 120):
        held = running(players, name=f"With {players}")
        report_all(next_round(held), 2, 0)
        next_round(held)
        client = browser(account("olive"))
        client.get(url(held, rest))
        counts.append(count_queries(page, client, url(held, rest)))
    assert counts[0] == counts[1] <= 30


def with_top_two() -> Tournament:
    """Four players in their first of two rounds before a final of two; 2–0 at both tables."""
    held = event(4, swiss_rounds=2)
    final = StageDraft(Stage.Kind.SINGLE_ELIMINATION, qualify=Stage.Qualify.TOP, qualify_value=2)
    set_stages(account("olive"), held, [StageDraft(planned_rounds=2), final], NOW)
    held = start_tournament(account("olive"), held, NOW)
    report_all(next_round(held), 2, 0)
    return held


def names_above_the_cut(html: str) -> list[str]:
    """Who stands above the line of the cut."""
    above, line, _below = html.partition("Cut line: top 2")
    assert line
    return re.findall(r"/player/\d+/\">\s*(\w+)", above.partition("<tbody>")[2])


def test_the_line_of_the_cut_counts_who_still_plays(client):
    held = with_top_two()
    first = names_above_the_cut(page(client, url(held, "standings/")))
    assert len(first) == 2
    drop_entry(account("olive"), entry(held, first[0]), NOW)
    assert len(names_above_the_cut(page(client, url(held, "standings/")))) == 3
    assert "Cut line" not in page(client, url(held, "standings/?q=Ada"))
    assert "Cut line: top 2" in page(browser(account("olive")), url(held, "print/standings/"))


def test_without_a_cut_to_come_there_is_no_line(client):
    held = running(4, swiss_rounds=2)
    report_all(next_round(held), 2, 0)
    assert "Cut line" not in page(client, url(held, "standings/"))
