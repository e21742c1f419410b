"""The page that says why two meet: to whom it is shown, what it says, and what stays with the staff."""

import pytest

from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, staff, table
from tests.tournaments.manual_pairing.test_manual_pairing import act
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.entries.services.pairing_constraints import keep_apart
from tournaments.events.services.events import start_tournament
from tournaments.models import Entry, Match, Role
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.rounds.services.rounds import (
    ManualPairing,
    enter_pairings,
    pair_next_round,
    publish_round,
    withdraw_round,
)

pytestmark = pytest.mark.django_db


def why(match: Match) -> str:
    return url(match.round.stage.tournament, f"pairings/{match.pk}/why/")


def test_everybody_reads_why_two_meet(client):
    held = running(4, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    first = table(next_round(held), 1)
    text = text_of(page(client, why(first)))
    names = [seat.entry.name for seat in first.seats.all()]
    assert all(name in text for name in names)
    assert "Only these two have 3 points." in text
    assert "Proved: no pairing keeps the rules better." in text


def test_the_bye_is_explained(client):
    held = running(3)
    bye = next_round(held).matches.get(kind="bye")
    text = text_of(page(client, why(bye)))
    name = bye.seats.get().entry.name
    assert f"{name} is one of 3 with the lowest score for a bye (0 points)." in text


@pytest.mark.parametrize(
    ("who", "status"),
    [("nobody", 404), ("mallory", 404), ("ada", 404), ("kit", 404), ("juno", 200), ("olive", 200)],
)
def test_before_publishing_officials_alone_read_reasons(who, status):
    held = running(4)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    staff(held, "juno", Role.Name.JUDGE)
    hidden = table(pair_next_round(account("olive"), held, NOW, seed=1))
    asking = {"nobody": lambda: browser(), "ada": lambda: guest(held, "Ada")}.get(who, lambda: browser(account(who)))
    assert asking().get(why(hidden)).status_code == status


def test_matches_of_another_event_or_a_round_taken_back_are_not_found():
    held, other = running(4), running(4, name="Elsewhere")
    match = table(next_round(held))
    olive = browser(account("olive"))
    assert olive.get(url(other, f"pairings/{match.pk}/why/")).status_code == 404
    withdraw_round(account("olive"), match.round, "somebody came late", NOW)
    assert olive.get(why(match)).status_code == 404


def test_a_private_event_keeps_its_reasons():
    held = running(4, visibility="private")
    match = table(next_round(held))
    assert browser(account("mallory")).get(why(match)).status_code == 404
    assert guest(held, "Ada").get(why(match)).status_code == 200


def test_seed_and_input_hash_stay_with_officials():
    """With both, anybody could try out whose table is fixed or who is kept apart."""
    held = running(4)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    staff(held, "juno", Role.Name.JUDGE)
    round_ = next_round(held, seed=987654321)
    for address in (why(table(round_)), url(held, "pairings/")):
        for client in (browser(), guest(held, "Ada"), browser(account("kit"))):
            html = page(client, address)
            assert "How this round was paired" in html
            assert not any(secret in html for secret in ("987654321", round_.input_hash, round_.pairing_hash))
        for name in ("juno", "olive"):
            html = page(browser(account(name)), address)
            assert all(told in html for told in ("987654321", round_.input_hash, round_.pairing_hash))


def test_a_round_by_hand_says_so(client):
    held = running(2)
    ada, ben = entry(held, "Ada"), entry(held, "Ben")
    olive = account("olive")
    round_ = publish_round(olive, enter_pairings(olive, held, [ManualPairing(ada, ben)], NOW), NOW)
    text = text_of(page(client, why(table(round_))))
    assert "Staff set this table by hand." in text
    assert "By hand: the staff entered the pairings." in text


@pytest.mark.parametrize("stored", [[], [{"code": "of_a_later_version", "params": {"who": 1}}]])
def test_a_match_without_known_reasons_says_so(client, stored):
    held = running(2)
    match = table(next_round(held))
    Match.objects.filter(pk=match.pk).update(explanation=stored)
    assert "There are no reasons for this pairing." in text_of(page(client, why(match)))


def test_names_are_text_and_numbered_where_shared(client):
    held = event(1)
    register_walk_ins(account("olive"), held, [EntryDraft("Ada"), EntryDraft("<b>%(who)s</b>")], NOW)
    held = start_tournament(account("olive"), held, NOW)
    match = table(next_round(held))
    ids = tuple(Entry.objects.filter(tournament=held).order_by("number").values_list("pk", flat=True))
    reason = {
        "code": "met_in_group",
        "params": {"who": ids[0], "points": 3, "others": 4, "ids": [*ids[1:], 0], "count": 4},
    }
    Match.objects.filter(pk=match.pk).update(explanation=[reason])
    html = page(client, why(match))
    told = "Ada #1 met Ada #2, &lt;b&gt;%(who)s&lt;/b&gt;, someone and 1 other"
    assert told in html
    assert "<b>%(who)s" not in html


@pytest.mark.parametrize("by", ["name", "table"])
def test_every_pairing_leads_to_its_reasons(client, by):
    held = running(5)
    round_ = next_round(held)
    html = page(client, url(held, "pairings/"), by=by)
    for match in round_.matches.all():
        assert html.count(f'href="{why(match)}"') == (match.seats.count() if by == "name" else 1)


def test_my_match_leads_to_its_reasons():
    held = running(2)
    match = table(next_round(held))
    assert f'href="{why(match)}"' in page(guest(held, "Ada"), url(held, "my/"))


def test_the_api_tells_the_same_reasons(client):
    held = running(4, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    round_ = next_round(held)
    match = table(round_)
    for path in (f"rounds/{round_.number}/matches/", f"matches/{match.pk}/"):
        answer = caller().get(f"/api/v1/events/{held.slug}/{path}").json()
        told = next(each for each in answer.get("results", [answer]) if each["id"] == match.pk)["explanation"]
        assert told[0] == {"code": "same_score", "text": "Only these two have 3 points."}
    assert "Only these two have 3 points." in text_of(page(client, why(match)))


def test_reasons_take_few_queries(client, django_assert_max_num_queries):
    held = running(60)
    match = table(next_round(held), 30)
    page(client, why(match))
    with django_assert_max_num_queries(20):
        page(client, why(match))


def test_after_changes_by_hand_officials_alone_read_how_the_round_compares():
    """Whether it is the best would tell that two at a table by hand ought never to meet."""
    held = running(4)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    round_ = pair_next_round(account("olive"), held, NOW, seed=1)
    two = [table(round_, number).seats.get(order=1).entry for number in (1, 2)]
    keep_apart(account("olive"), *two, "family", NOW)
    act(round_, Change(Act.SWAP, (table(round_, 1).seats.get(order=2).entry_id, two[1].pk)))
    publish_round(account("olive"), round_, NOW)
    api = f"/api/v1/events/{held.slug}/rounds/"
    for name in ("", "mallory", "kit"):
        told = caller(name).get(f"{api}1/").json()
        assert (told["bound"], told["proved"], told["pairing_hash"]) == (None, None, "")
        assert caller(name).get(api).json()["results"] == [told]
    assert caller("olive").get(f"{api}1/").json()["proved"] is False
    addresses = (why(table(round_)), url(held, "pairings/"))
    readers = (browser(), guest(held, "Ada"), browser(account("kit")))
    texts = [text_of(page(each, address)) for each in readers for address in addresses]
    texts.append(text_of(page(readers[-1], url(held, "manage/rounds/"))))
    assert not any(told in text for text in texts for told in ("roved", "better pairing", round_.pairing_hash))
    assert "A better pairing may exist" in text_of(page(browser(account("olive")), addresses[0]))


def test_scorekeepers_read_nothing_of_a_round_that_is_not_published():
    held = running(5)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    staff(held, "juno", Role.Name.JUDGE)
    round_ = pair_next_round(account("olive"), held, NOW, seed=1)
    act(round_, Change(Act.BREAK, table=1))
    texts = {name: text_of(page(browser(account(name)), url(held, "manage/rounds/"))) for name in ("kit", "juno")}
    assert "2 players have no place in round 1" in texts["juno"]
    assert "1 bye" in texts["juno"]
    assert not any(told in texts["kit"] for told in ("no place in", "no rematch", "1 bye", "roved"))


def test_teams_are_named_without_their_members_above_the_reasons(client):
    held = event(game="doomtrooper", game_format="second-edition", best_of=1, sheet_options={"mode": "teams"})
    teams = [EntryDraft("Red", members=("Ada", "Ben")), EntryDraft("Blue", members=("Cem", "Dora"))]
    register_walk_ins(account("olive"), held, teams, NOW)
    match = table(next_round(start_tournament(account("olive"), held, NOW)), 1)
    html = page(client, why(match))
    title = html[html.index("<h1>") : html.index("</h1>")]
    assert "Red" in title
    assert "Ada" not in title
