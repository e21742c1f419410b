"""The page of a player in an event: every match with its points, the rank, and who sees what of it."""

import re

import pytest

from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.entries.services.attendance import drop_entry
from tournaments.models import Entry
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.standings.selectors.standings import standings_of

pytestmark = pytest.mark.django_db


def record(held, name="Ada", client=None, **query):
    return page(client or browser(), url(held, f"player/{entry(held, name).number}/"), **query)


def rows(html):
    """The matches of a page, each as round, table, opponents, result, points."""
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [tuple(" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row[:5]) for row in cells]


def played(rounds=2, players=4):
    held = running(players, swiss_rounds=rounds)
    for _round in range(rounds):
        report_all(next_round(held), 2, 0)
    return held


def test_every_match_with_opponent_result_and_the_points_after_it():
    held = played(3)
    for each in Entry.objects.filter(tournament=held):
        found = rows(record(held, each.name))
        assert [row[0] for row in found] == ["Round 1", "Round 2", "Round 3"]
        points = 0
        for _round, _table, other, result, after in found:
            assert other != each.name
            points += 3 if result == "2–0 won" else 0
            assert (result in ("2–0 won", "0–2 lost"), after) == (True, str(points))
        last = next(line for line in standings_of(held) if line.contender == each.pk)
        assert last.match_points == points
        assert f"{last.wins}–{last.losses}–{last.draws}" in text_of(record(held, each.name))


def test_a_round_being_played_has_no_result_and_one_that_is_only_paired_is_not_shown():
    held = played(1)
    held.swiss_rounds = 3
    held.save()
    next_round(held)
    assert [row[3:] for row in rows(record(held))][1:] == [("playing", "–")]
    report_all(held.stages.get().rounds.get(number=2), 2, 0)
    pair_next_round(account("olive"), held, NOW)
    assert len(rows(record(held))) == 2


def test_a_bye_has_no_opponent_and_brings_its_points():
    held = played(1, players=3)
    [resting] = [match for match in matches_of(held.stages.get().rounds.get()) if match.table_number is None]
    assert rows(record(held, resting.seats.get().entry.name)) == [("Round 1", "–", "–", "bye", "3")]


def test_names_everywhere_lead_to_the_page_and_its_rank_to_the_reasons():
    held = played(2)
    number = entry(held, "Ada").number
    link = f'<a class="called" href="/e/{held.slug}/player/{number}/">Ada</a>'
    addresses = ["", "standings/", "pairings/?by=name", "pairings/?by=table", "player/2/", "player/3/", "player/4/"]
    found = [address for address in addresses if link in browser().get(url(held, "") + address).content.decode()]
    assert found[:4] == addresses[:4]
    assert len(found) == 6, "two of the three others met Ada"
    html = record(held)
    assert re.search(r"standings/why/\?(above|below)=1\"", html)


def test_the_page_of_a_table_of_several_names_everybody_there_and_the_place():
    held = running(5, game="doomlings", game_format="standard", best_of=1, swiss_rounds=2)
    report_all(next_round(held))
    [(_round, _table, others, result, _points)] = rows(record(held))
    assert len(others.split("·")) == 4
    assert re.match(r"\d(st|nd|rd|th)", result)


def test_who_withdrew_or_waits_has_no_page_and_who_dropped_keeps_it():
    held = event(3)
    for state in (Entry.State.WITHDRAWN, Entry.State.WAITING):
        Entry.objects.filter(pk=entry(held, "Ben").pk).update(state=state)
        assert browser().get(url(held, "player/2/")).status_code == 404
    assert browser().get(url(held, "player/99/")).status_code == 404
    gone = played(1)
    drop_entry(account("olive"), entry(gone, "Ada"), NOW)
    assert "dropped" in text_of(record(gone))


def test_a_hidden_event_shows_no_player():
    held = event(2, visibility="private")
    assert browser().get(url(held, "player/1/")).status_code == 404


def test_staff_find_the_matches_on_the_page_of_the_entry_and_players_from_their_match():
    held = played(1)
    html = page(browser(account("olive")), url(held, "manage/entries/1/"))
    assert rows(html) == rows(record(held))
    assert "Change the entry" in record(held, client=browser(account("olive")))
    assert "Change the entry" not in record(held)
    assert f'href="/e/{held.slug}/player/1/">My matches<' in page(guest(held, "Ada"), url(held, "my/"))


def test_as_many_queries_after_five_rounds_as_after_one():
    few, many = played(1, 6), played(5, 6)
    counted = []
    for held in (few, many):
        record(held)
        counted.append(count_queries(browser().get, url(held, "player/1/"), {"again": "1"}))
    assert counted[1] <= counted[0]
