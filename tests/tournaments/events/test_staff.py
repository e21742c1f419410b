"""Staff: invitations for one person and seven days, roles that are gone at the next request."""

from datetime import timedelta

import pytest

from accounts.actors import ANONYMOUS, SYSTEM
from accounts.models import User
from journal.models import LedgerEntry
from rules_engine.errors import DomainError, NotFound
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, event, next_round, running, staff, table
from tournaments.events.services.staff import accept_invite, find_invite, invite_staff, remove_role, revoke_invite
from tournaments.models import Role, StaffInvite, Tournament
from tournaments.permissions import acting_role, roles_of
from tournaments.room.services.calls import call_judge, claim_call

pytestmark = pytest.mark.django_db


def fresh(tournament):
    """The tournament as the next request loads it."""
    return Tournament.objects.get(pk=tournament.pk)


def test_invitation_gives_one_role_to_one_person():
    tournament = event()
    token = invite_staff(account("olive"), tournament, Role.Name.JUDGE, NOW)
    accept_invite(account("juno"), token, NOW)
    assert roles_of(account("juno"), fresh(tournament)) == {Role.Name.JUDGE}
    with pytest.raises(NotFound):
        accept_invite(account("mallory"), token, NOW)
    assert roles_of(account("mallory"), fresh(tournament)) == frozenset()


def test_only_the_hash_of_a_token_is_stored():
    token = invite_staff(account("olive"), event(), Role.Name.JUDGE, NOW)
    stored = StaffInvite.objects.get()
    assert token not in str(stored.__dict__)
    assert len(token) >= 32


@pytest.mark.parametrize("end", ["expired", "revoked", "unknown"])
def test_dead_invitations_all_look_the_same(end):
    tournament = event()
    token = invite_staff(account("olive"), tournament, Role.Name.SCOREKEEPER, NOW)
    if end == "revoked":
        revoke_invite(account("olive"), StaffInvite.objects.get(), NOW)
    later = NOW + timedelta(days=7) if end == "expired" else NOW
    assert refusal(find_invite, token + ("x" if end == "unknown" else ""), later) == "unknown_invite"
    assert find_invite(token, NOW) if end == "expired" else True


def test_invitation_needs_an_account_and_a_role_that_exists():
    tournament = event()
    token = invite_staff(account("olive"), tournament, Role.Name.JUDGE, NOW)
    assert refusal(accept_invite, ANONYMOUS, token, NOW) == "account_needed"
    assert refusal(invite_staff, account("olive"), tournament, "king", NOW) == "unknown_role"


def test_removed_role_is_gone_at_the_next_request():
    tournament = event()
    kit = staff(tournament, "kit", Role.Name.SCOREKEEPER)
    assert roles_of(kit, fresh(tournament)) == {Role.Name.SCOREKEEPER}
    remove_role(account("olive"), Role.objects.get(name=Role.Name.SCOREKEEPER), NOW)
    assert roles_of(kit, fresh(tournament)) == frozenset()


def test_calls_of_a_judge_who_is_none_any_more_wait_again():
    tournament = running(4)
    match = table(next_round(tournament))
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    accept_invite(juno, invite_staff(account("olive"), tournament, Role.Name.HEAD_JUDGE, NOW), NOW)
    call = claim_call(juno, call_judge(account("olive"), match, "rules", "", NOW), NOW)
    told = []
    for name in (Role.Name.JUDGE, Role.Name.HEAD_JUDGE):
        remove_role(account("olive"), Role.objects.get(user=juno.user, name=name), NOW)
        call.refresh_from_db()
        told.append((call.state, call.judge))
    assert told == [("claimed", juno.user), ("open", None)]
    assert LedgerEntry.objects.latest("pk").act == "call.released"


def test_last_organiser_stays():
    tournament = event()
    assert refusal(remove_role, account("olive"), Role.objects.get(), NOW) == "last_organiser"
    otto = staff(tournament, "otto", Role.Name.ORGANISER)
    User.objects.filter(pk=otto.user.pk).update(is_active=False)
    with pytest.raises(DomainError, match="Add another organiser"):
        remove_role(account("olive"), Role.objects.get(user=account("olive").user), NOW)
    User.objects.filter(pk=otto.user.pk).update(is_active=True)
    remove_role(account("otto"), Role.objects.get(user=account("olive").user), NOW)
    assert roles_of(account("olive"), fresh(tournament)) == frozenset()


def test_a_role_in_one_event_gives_nothing_in_another():
    mine, other = event(), event(name="Winter Doom Cup")
    kit = staff(mine, "kit", Role.Name.JUDGE)
    assert roles_of(kit, fresh(other)) == frozenset()
    assert acting_role(kit, fresh(other)) == "guest"
    assert acting_role(SYSTEM, fresh(other)) == "system"
