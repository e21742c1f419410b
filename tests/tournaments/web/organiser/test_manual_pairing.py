"""Tables changed by hand, as browsers of staff do it: what they are shown, what is stored, who may."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, score, staff, table
from tests.tournaments.manual_pairing.test_manual_pairing import act, late, mark, one, tables
from tests.tournaments.web.organiser.test_organiser import browser, manage, text_of
from tournaments.entries.services.attendance import drop_entry
from tournaments.manual_pairing.forms import find_person
from tournaments.manual_pairing.selectors import round_draft_of
from tournaments.models import Entry, PairingChange, Role
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = pytest.mark.django_db


def paired(players=5, **changes):
    return pair_next_round(account("olive"), running(players, **changes), NOW, seed=1)


def page_of(round_, rest="tables/"):
    return manage(round_.stage.tournament, f"rounds/{round_.pk}/{rest}")


def number(round_, *seat):
    return Entry.objects.get(pk=one(round_, *seat)).number


def seen(response) -> str:
    return re.search(r'name="seen" value="([^"]+)"', response.content.decode()).group(1)


def links(response) -> list[str]:
    return [unescape(each) for each in re.findall(r'href="([^"]+/change/[^"]*)"', response.content.decode())]


def test_swap_is_looked_at_then_stored_with_its_reason():
    round_, olive = paired(), browser("olive")
    before = tables(round_)
    look = f"{page_of(round_, 'change/')}?act=swap&one={number(round_, 1)}&other={number(round_, 2)}"
    shown = olive.get(look)
    text = text_of(shown)
    assert f"Swap {before[1][0]} and {before[2][0]}" in text
    assert "Rematches 0 0 0" in text
    assert "No pairing of these players is better." in text
    assert tables(round_) == before
    assert 'name="reason"' in shown.content.decode()
    stored = olive.post(look, {"reason": "they asked", "seen": seen(shown)})
    assert stored.headers["Location"] == page_of(round_)
    assert tables(round_)[1][0] == before[2][0]
    text = text_of(olive.get(page_of(round_)))
    assert "they asked" in text
    assert f"Table 1: {before[2][0]} – {before[1][1]}" in text


def test_names_are_picked_where_tables_may_change_alone():
    round_, olive = paired(), browser("olive")
    picked, other = number(round_, 1), number(round_, 2)
    assert f'href="?pick={picked}#player-{picked}"' in olive.get(page_of(round_)).content.decode()
    swap = f"{page_of(round_, 'change/')}?act=swap&one={picked}&other="
    found = [each for each in links(olive.get(page_of(round_, f"tables/?pick={picked}"))) if each.startswith(swap)]
    assert f"{swap}{other}" in found
    assert f"{swap}{picked}" not in found
    assert "swaps with" not in text_of(olive.get(page_of(round_, "tables/?pick=99")))
    staff(round_.stage.tournament, "juno", Role.Name.JUDGE)
    seen_by_judge = browser("juno").get(page_of(round_, f"tables/?pick={picked}"))
    assert "swaps with" not in text_of(seen_by_judge)
    assert not [each for each in links(seen_by_judge) if "act=swap" in each]


def test_rematch_is_told_with_its_round():
    tournament = running(4, swiss_rounds=3)
    report_all(next_round(tournament))
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=1)
    first = tables(round_.stage.rounds.get(number=1))
    met = next(names for names in first.values() if tables(round_)[1][0] in names)
    other = next(name for name in met if name != tables(round_)[1][0])
    partner = tables(round_)[1][1]
    look = f"{page_of(round_, 'change/')}?act=swap&one={quote(partner)}&other={quote(other)}"
    text = text_of(browser("olive").get(look))
    assert "met in round 1." in text
    assert "Rematches 0 2 0 worse" in text
    assert "Worse than the best pairing. Rematches: 2 instead of 0" in text


def test_stale_look_is_refused_and_keeps_what_was_typed():
    round_, olive = paired(), browser("olive")
    look = f"{page_of(round_, 'change/')}?act=break&table=1"
    shown = olive.get(look)
    act(round_, Change(Act.LOCK, table=2))
    refused = olive.post(look, {"reason": "a long reason", "seen": seen(shown)})
    assert "the tables have changed" in text_of(refused)
    assert 'value="a long reason"' in refused.content.decode()
    assert round_draft_of(round_).table(1)
    assert seen(refused) != seen(shown)
    assert olive.post(look, {"reason": "a long reason", "seen": seen(refused)}).status_code == 302
    assert len(round_draft_of(round_).unplaced) == 2


def test_change_needs_a_reason_and_a_look():
    round_, olive = paired(), browser("olive")
    look = f"{page_of(round_, 'change/')}?act=break&table=1"
    for body in ({"seen": mark(round_)}, {"reason": "because"}, {"reason": "because", "seen": "1.0.paired.x"}):
        assert olive.post(look, body).status_code == 200
    assert not PairingChange.objects.exists()


def test_late_entry_meets_the_bye_in_two_presses():
    round_, olive = paired(5), browser("olive")
    late(round_)
    shown = olive.get(page_of(round_))
    assert "1 player has no place" in text_of(shown)
    (offer,) = [link for link in links(shown) if "act=make" in link]
    look = olive.get(offer)
    reason = re.search(r'name="reason" value="([^"]+)"', look.content.decode()).group(1)
    assert olive.post(offer, {"reason": reason, "seen": seen(look)}).status_code == 302
    assert tables(round_)[3][0] == "Late Lou"
    assert "has no place" not in text_of(olive.get(page_of(round_)))
    assert "published" in text_of(
        olive.post(manage(round_.stage.tournament, f"rounds/{round_.pk}/publish/"), follow=True)
    )


def test_round_that_is_over_tells_of_nobody_without_a_place():
    round_ = next_round(running(4))
    report_all(round_)
    pair_next_round(account("olive"), round_.stage.tournament, NOW, seed=2)
    late(round_)
    text = text_of(browser("olive").get(page_of(round_)))
    assert "The round is over" in text
    assert "no place" not in text
    assert "started" not in text


def test_publishing_names_who_has_no_place():
    round_, olive = paired(4), browser("olive")
    late(round_)
    text = text_of(olive.post(manage(round_.stage.tournament, f"rounds/{round_.pk}/publish/"), follow=True))
    assert "1 player has no table or bye in round 1: Late Lou (#5). Seat them first." in text
    assert "Give them a place" in text
    (offer,) = [link for link in links(olive.get(page_of(round_))) if "act=bye" in link]
    assert "Give Late Lou the bye" in text_of(olive.get(offer))


def test_published_round_warns_staff_and_tells_that_everybody_sees():
    round_ = next_round(running(5))
    late(round_)
    for name, role in (("juno", Role.Name.JUDGE), ("kit", Role.Name.SCOREKEEPER)):
        staff(round_.stage.tournament, name, role)
        text = text_of(browser(name).get(manage(round_.stage.tournament, "rounds/")))
        assert "1 player has no place in round 1: Late Lou (#6)" in text
    look = f"{page_of(round_, 'change/')}?act=seats&table=1"
    assert "everybody sees the change at once" in text_of(browser("olive").get(look))


def test_pairing_again_shows_the_draw_that_is_stored():
    round_, olive = next_round(running(9)), browser("olive")
    sent = olive.get(f"{page_of(round_, 'change/')}?act=repair")
    look = sent.headers["Location"]
    assert re.search(r"seed=\d+", look)
    shown = olive.get(look)
    pairs = re.findall(
        r"<b>\s*Table (\d+)\s*</b>\s*<span class=\"name\">([^<]+)<", shown.content.decode().split('id="after"')[1]
    )
    assert olive.post(look, {"reason": "wrong list", "seen": seen(shown)}).status_code == 302
    now = {str(key): " – ".join(names) for key, names in tables(round_).items()}
    assert pairs
    assert all(now[key] == names for key, names in pairs)


def test_changes_are_listed_and_undone_backwards():
    round_, olive = paired(), browser("olive")
    start = tables(round_)
    act(round_, Change(Act.SWAP, (one(round_, 1), one(round_, 2))))
    act(round_, Change(Act.LOCK, table=2))
    for wanted in (2, 1):
        shown = olive.get(page_of(round_))
        assert f"Undo change {wanted}" in text_of(shown)
        look = olive.get(f"{page_of(round_, 'change/')}?act=undo")
        assert f"Undo change {wanted}" in text_of(look)
        done = olive.post(f"{page_of(round_, 'change/')}?act=undo", {"reason": "no", "seen": seen(look)}, follow=True)
        assert f"Saved: Undo change {wanted}" in text_of(done)
    assert tables(round_) == start
    assert "There are no manual changes to undo" in text_of(olive.get(f"{page_of(round_, 'change/')}?act=undo"))


def test_every_act_of_a_table_page_can_be_looked_at():
    round_, olive = next_round(running(7)), browser("olive")
    matches = [table(round_, 1), round_.matches.get(kind="bye")]
    found = []
    for match in matches:
        shown = olive.get(page_of(round_, f"tables/{match.pk}/"))
        assert shown.status_code == 200
        for link in links(shown):
            if "?act=" in link:
                found.append(re.search(r"act=(\w+)", link).group(1))
                assert "Save change" in text_of(olive.get(link)), link
    assert sorted(found) == ["break", "break", "bye", "bye", "lock", "lock", "seats"]
    assert "Move table 1 to number 9" in text_of(olive.get(f"{page_of(round_, 'change/')}?act=move&table=1&to=9"))


def test_begun_table_offers_only_the_lock():
    round_, olive = next_round(running(4)), browser("olive")
    report_result(account("olive"), table(round_), score(2, 0), NOW)
    shown = olive.get(page_of(round_, f"tables/{table(round_).pk}/"))
    assert [re.search(r"act=(\w+)", link).group(1) for link in links(shown)] == ["lock"]
    look = olive.get(f"{page_of(round_, 'change/')}?act=break&table=1")
    assert "Table 1 can't change: results, ready decks, a draft or a score sheet are in." in text_of(look)
    assert "Save change" not in text_of(look)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("act=swap&one=Nobody&other=1", "No player “Nobody” in this round."),
        ("act=swap&one=Player&other=1", "Several players match"),
        ("act=swap&one=99&other=1", "No player “99” in this round."),
        ("act=swap&one=1&other=1", "Name two different players."),
        ("act=dance", "Nothing was saved"),
        ("act=move&table=0", "Nothing was saved"),
        ("act=move&table=1&to=10000", "Nothing was saved"),
        ("act=break&table=77", "No such table"),
        ("act=make&one=1&other=2", "Break up both players' tables first"),
    ],
)
def test_what_cannot_be_done_is_said(query, told):
    round_ = next_round(running(14))
    assert told in text_of(browser("olive").get(f"{page_of(round_, 'change/')}?{query}"))


def test_people_are_found_by_number_or_part_of_a_name():
    tournament = event(12)
    entries = list(tournament.entries.order_by("number"))
    assert find_person("3 Cem", entries).name == "Cem"
    assert find_person("#3", entries).name == "Cem"
    assert find_person("ada", entries).name == "Ada"
    assert find_person("han", entries).name == "Hana"


def test_roles_of_the_pages():
    round_ = next_round(running(4))
    tournament = round_.stage.tournament
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    account("mallory")
    changes = ["change/?act=seats&table=1", "change/?act=lock&table=1"]
    allowed = {"mallory": [403] * 4, "kit": [403] * 4, "juno": [200, 200, 200, 403], "olive": [200] * 4}
    for name, statuses in allowed.items():
        found, pages = browser(name), ["tables/", f"tables/{table(round_).pk}/", *changes]
        assert [found.get(page_of(round_, rest)).status_code for rest in pages] == statuses, name
        for rest, status in zip(changes, statuses[2:], strict=True):
            answer = found.post(page_of(round_, rest), {"reason": "x", "seen": mark(round_)})
            assert answer.status_code == (302 if status == 200 else 403), (name, rest)
    visitor = Client()
    assert {visitor.get(page_of(round_, rest)).status_code for rest in pages} == {302}


def test_judge_turns_seats_and_nothing_else():
    round_ = next_round(running(4))
    staff(round_.stage.tournament, "juno", Role.Name.JUDGE)
    juno, before = browser("juno"), tables(round_)
    shown = juno.get(page_of(round_, f"tables/{table(round_).pk}/"))
    assert [re.search(r"act=(\w+)", link).group(1) for link in links(shown)] == ["seats"]
    assert "Undo" not in text_of(juno.get(page_of(round_)))
    look = links(shown)[0]
    assert juno.post(look, {"reason": "wrong side", "seen": seen(juno.get(look))}).status_code == 302
    assert tables(round_)[1] == before[1][::-1]
    assert "swapped seats, round 1, after publishing" in text_of(juno.get(manage(round_.stage.tournament, "log/")))
    assert juno.post(f"{page_of(round_, 'change/')}?act=undo", {"reason": "x", "seen": mark(round_)}).status_code == 403


def test_round_and_table_of_another_event_are_not_found():
    mine, other = next_round(running(4)), next_round(running(4))
    olive = browser("olive")
    assert olive.get(manage(mine.stage.tournament, f"rounds/{other.pk}/tables/")).status_code == 404
    assert olive.get(page_of(mine, f"tables/{table(other).pk}/")).status_code == 404
    assert olive.get(manage(mine.stage.tournament, f"rounds/{other.pk}/change/?act=lock&table=1")).status_code == 404


def test_reading_never_changes():
    round_, olive = paired(), browser("olive")
    before = mark(round_)
    for rest in ("tables/", "change/?act=break&table=1", "change/?act=repair&seed=4", "change/?act=lock&table=1"):
        olive.get(page_of(round_, rest))
    assert mark(round_) == before
    assert olive.post(page_of(round_)).status_code == 405


@pytest.mark.parametrize("rest", ["tables/", "change/?act=seats&table=1", "change/?act=repair&seed=4"])
def test_queries_do_not_grow_with_the_field(rest):
    counts = []
    for players in (10, 60):
        round_ = next_round(running(players))
        client = browser("olive")
        client.get(page_of(round_, rest))
        with CaptureQueriesContext(connection) as caught:
            assert client.get(page_of(round_, rest)).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1]


def test_long_list_has_pages_and_is_searched():
    round_, olive = paired(26), browser("olive")
    name = tables(round_)[13][0]
    assert name in text_of(olive.get(page_of(round_), {"q": "13"}))
    found = text_of(olive.get(page_of(round_), {"q": name})).split("State")[1]
    assert name in found
    assert "No match. Try a number" in text_of(olive.get(page_of(round_), {"q": "zzz"}))


@pytest.mark.parametrize("more", ["&seed=", "&tournament=1&round_=2", "&act=repair&url=x"])
def test_fields_that_do_not_belong_to_a_new_draw_are_passed_over(more):
    round_ = paired()
    sent = browser("olive").get(f"{page_of(round_, 'change/')}?act=repair&reason=late{more}")
    assert sent.status_code == 302
    assert re.fullmatch(r".*\?act=repair&reason=late&seed=\d+", sent.headers["Location"])


def test_undoing_says_who_has_left_since():
    round_, olive = paired(6), browser("olive")
    left = Entry.objects.get(pk=one(round_, 1))
    act(round_, Change(Act.BREAK, table=1))
    drop_entry(account("olive"), left, NOW)
    assert f"{left.name} has left the event." in text_of(olive.get(f"{page_of(round_, 'change/')}?act=undo"))
