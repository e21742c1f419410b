"""The roles beside organiser, judge and scorekeeper: head judge, helper at the check-in, stream."""

import pytest

from accounts.identity.selectors import actor_of_link
from accounts.identity.services import issue_personal_link
from accounts.models import PersonalLink
from rules_engine.errors import NotAllowed
from tests.tournaments.factories import NOW, account, entry, event, next_round, running, staff, table
from tests.tournaments.web.visitors import browser
from tournaments.core.rounds import full_match
from tournaments.decks.services.deck_ready import check_at_match
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Role, Tournament
from tournaments.permissions import acting_role, issuer_plays, roles_of

pytestmark = pytest.mark.django_db


def fresh(tournament):
    return Tournament.objects.get(pk=tournament.pk)


def test_the_stream_sees_a_private_event_and_nothing_of_staff():
    tournament = running(4, visibility="private")
    next_round(tournament)
    assert browser(account("sten")).get(f"/e/{tournament.slug}/stream/").status_code == 404
    staff(tournament, "sten", Role.Name.STREAM)
    client = browser(account("sten"))
    for path in ("", "stream/", "wall/", "pairings/", "standings/"):
        assert client.get(f"/e/{tournament.slug}/{path}").status_code == 200, path
    assert "Screens" in client.get(f"/e/{tournament.slug}/").content.decode()
    for path in ("desk/", "manage/", "manage/entries/", "manage/check-in/", "floor/", "print/"):
        assert client.get(f"/e/{tournament.slug}/{path}").status_code == 403, path


@pytest.mark.parametrize("role", [Role.Name.STREAM, Role.Name.CHECK_IN])
def test_helpers_do_nothing_at_the_match_of_others_and_play_as_players(role):
    tournament = running(4)
    match = table(next_round(tournament))
    staff(tournament, "sten", role)
    with pytest.raises(NotAllowed):
        check_at_match(account("sten"), fresh(tournament), match)
    own = match.seats.first().member.person
    own.user = account("sten").user
    own.save()
    check_at_match(account("sten"), fresh(tournament), match)
    assert acting_role(account("sten"), fresh(tournament)) == "player"


def test_a_helper_checks_in_and_comes_back_to_the_own_list():
    tournament = event(2)
    staff(tournament, "cora", Role.Name.CHECK_IN)
    client, base = browser(account("cora")), f"/e/{tournament.slug}/manage/"
    assert "Ada" in client.get(f"{base}check-in/?q=ada").content.decode()
    assert "Ben" not in client.get(f"{base}check-in/?q=ada").content.decode()
    answer = client.post(f"{base}entries/1/check-in/", {"list": "check_in", "q": "ada"})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{base}check-in/?q=ada#entry-1")
    assert entry(tournament, "Ada").checked_in_at is not None
    assert client.post(f"{base}entries/1/drop/").status_code == 403


def test_an_invitation_gives_each_role():
    tournament = event(0)
    for role in Role.Name.values:
        staff(tournament, f"helper {role}", role)
        assert role in roles_of(account(f"helper {role}"), fresh(tournament))
    text = browser(account("olive")).get(f"/e/{tournament.slug}/manage/staff/").content.decode()
    assert text.count('name="role"') == len(Role.Name.values)


def test_whether_the_maker_of_a_link_plays_is_asked_of_each_match():
    """Also of one loaded event, which remembers what it was told of an actor."""
    tournament, kit = event(3), account("kit")
    sign_up(kit, tournament, kit.person, NOW)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    own, others = sorted((table(round_, 1), table(round_, 2)), key=lambda match: "kit" not in names_at(match))
    opponent = next(seat.member.person for seat in own.seats.all() if seat.entry.name != "kit")
    issue_personal_link(opponent, kit, NOW, scope=tournament.stream)
    by_link = actor_of_link(PersonalLink.objects.get())
    held = fresh(tournament)
    asked = [issuer_plays(by_link, full_match(held, match.pk)) for match in (others, own, others)]
    assert asked == [False, True, False]


def names_at(match):
    return {seat.entry.name for seat in match.seats.all()}
