"""What staff find with words: players, tables, pages and acts, and never a link that they may not open."""

import re

import pytest
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from tests.tournaments.factories import account, entry, event, next_round, running, staff
from tests.tournaments.web.visitors import browser, page, url
from tournaments.models import Entry, Role

pytestmark = pytest.mark.django_db
LINK = re.compile(r'<a(?: class="also")? href="([^"]+)">\s*([^<]+?)\s*<')


@pytest.fixture(scope="module")
def held(shared_db):
    tournament = event(6)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    return tournament


def found(client, tournament, words):
    """The links of the list, by their words."""
    return [(words, address) for address, words in LINK.findall(page(client, url(tournament, f"find/?part&q={words}")))]


def test_every_link_opens_for_whoever_is_shown_it(held):
    shown = {}
    for name in ("olive", "juno", "kit"):
        somebody = browser(account(name))
        links = [link for words in ("", "ada", "2") for link in found(somebody, held, words)]
        for words, address in dict.fromkeys(links):
            assert somebody.get(address.partition("#")[0], follow=True).status_code == 200, (name, words)
        shown[name] = {words for words, _address in links}
    assert shown["olive"] >= {"Settings", "Invite staff", "Ada", "Entry", "Log", "Enter a player"}
    assert shown["juno"] >= {"Penalty", "Judge calls", "Floor"}
    assert shown["juno"].isdisjoint({"Settings", "Invite staff"})
    assert "Entry" in shown["kit"]
    assert shown["kit"].isdisjoint({"Settings", "Invite staff", "Log", "Penalty"})
    assert browser().get(url(held, "find/")).status_code == 302
    assert browser(account("mallory")).get(url(held, "find/")).status_code == 403


def test_players_come_by_number_and_name_with_their_table(held):
    tournament = running(6)
    round_ = next_round(tournament)
    olive, cem = browser(account("olive")), entry(tournament, "Cem")
    match = round_.matches.get(seats__entry=cem)
    assert found(olive, tournament, "cém")[:2] == [
        ("Cem", url(tournament, f"player/{cem.number}/")),
        (f"Table {match.table_number}", url(tournament, f"match/{match.pk}/")),
    ]
    by_number = found(olive, tournament, "1")
    assert by_number[0] == ("Table 1", url(tournament, f"match/{round_.matches.get(table_number=1).pk}/"))
    assert by_number[1][0] == entry(tournament, "Ada").name
    assert found(olive, tournament, "nobody") == []
    assert "Nothing is called “nobody”" in page(olive, url(tournament, "find/?q=nobody"))


def test_who_fits_beyond_the_first_eight_is_counted_and_one_press_away():
    tournament = event(11)
    tournament.entries.update(name=Concat(Value("Kim "), Cast("number", CharField())))
    links = found(browser(account("olive")), tournament, "kim")
    assert len(links) == 8 * 2 + 1  # each with its entry; nobody of them plays yet
    assert links[-1] == ("3 more in the list of entries", url(tournament, "manage/entries/?q=kim"))


def test_who_has_no_page_is_found_with_the_entry(held):
    Entry.objects.filter(tournament=held, name="Dora").update(state="withdrawn")
    dora = entry(held, "Dora")
    assert found(browser(account("kit")), held, "dora")[0] == ("Dora", url(held, f"manage/entries/{dora.number}/"))
