"""Persons, links and accounts: each service, one test for every way out."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.actors import ANONYMOUS, SYSTEM, Actor
from accounts.identity.selectors import persons_of
from accounts.identity.services import (
    create_account,
    create_person,
    find_personal_link,
    issue_personal_link,
    issue_reset_link,
    link_person_to_user,
    person_of,
    revoke_personal_links,
)
from accounts.models import Person, PersonalLink, User
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import NotAllowed, NotFound
from tests.races import race
from tests.refusals import refusal

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def now():
    return database_now()


@pytest.fixture
def ada(now) -> Person:
    return create_person("Ada", now=now)


def user(name: str, **rights: bool) -> User:
    return User.objects.create_user(name, password="long enough 1", **rights)


def acts() -> list[str]:
    return list(LedgerEntry.objects.order_by("pk").values_list("act", flat=True))


def test_namesakes_stay_apart(now):
    ids = {create_person("Ada", now=now).public_id for _twice in range(2)}
    assert len(ids) == 2
    assert all(len(public_id) == 16 for public_id in ids)


def test_a_name_is_tidied(now):
    assert create_person("  Ada \t Lovelace ", now=now).name == "Ada Lovelace"


@pytest.mark.parametrize(("name", "code"), [("", "no_name"), (" \n ", "no_name"), ("x" * 201, "name_too_long")])
def test_a_person_needs_a_usable_name(now, name, code):
    assert refusal(create_person, name, now=now) == code


def test_an_account_gets_its_person_when_first_needed(now):
    olive = user("olive")
    assert person_of(olive, now) == person_of(olive, now)
    assert person_of(olive, now).name == "olive"


@pytest.mark.django_db(transaction=True)
def test_two_tabs_make_one_person(now):
    olive = user("olive")
    assert len(set(race(lambda number: person_of(olive, now).pk, 4))) == 1


def test_a_link_opens_its_person_and_keeps_no_token(now, ada):
    token = issue_personal_link(ada, SYSTEM, now)
    assert find_personal_link(token, now).person == ada
    assert len(token) >= 22
    assert token not in str(list(PersonalLink.objects.values())) + str(list(LedgerEntry.objects.values()))


def test_links_that_do_not_work_look_the_same(now, ada):
    expired = issue_personal_link(ada, SYSTEM, now, expires_at=now - timedelta(seconds=1))
    revoked = issue_personal_link(ada, SYSTEM, now)
    revoke_personal_links(ada, SYSTEM, now)
    erased = issue_personal_link(create_person("Ben", now=now), SYSTEM, now)
    Person.objects.filter(name="Ben").update(erased_at=now)
    told = set()
    for token in (expired, revoked, erased, "unknown", "", "\ud800"):
        with pytest.raises(NotFound) as caught:
            find_personal_link(token, now)
        told.add(str(caught.value))
    assert len(told) == 1


def test_a_link_ends_at_its_time(now, ada):
    token = issue_personal_link(ada, SYSTEM, now, expires_at=now + timedelta(hours=1))
    assert find_personal_link(token, now).person == ada
    with pytest.raises(NotFound):
        find_personal_link(token, now + timedelta(hours=1))


def test_revoking_counts_and_is_logged_once(now, ada):
    issue_personal_link(ada, SYSTEM, now)
    issue_personal_link(ada, SYSTEM, now)
    assert revoke_personal_links(ada, SYSTEM, now) == 1
    assert revoke_personal_links(ada, SYSTEM, now) == 0
    assert acts() == ["link_issued", "link_issued", "links_revoked"]
    assert verify_stream(f"person:{ada.public_id}") == []


def test_revoking_one_scope_leaves_the_others(now, ada):
    here, there = (issue_personal_link(ada, SYSTEM, now, scope=scope) for scope in ("here", "there"))
    assert revoke_personal_links(ada, SYSTEM, now, scope="here") == 1
    assert find_personal_link(there, now).person == ada
    with pytest.raises(NotFound):
        find_personal_link(here, now)


def test_a_person_is_taken_into_an_account(now, ada):
    ben = user("ben")
    actor = Actor(ben, None, "session")
    for _twice in range(2):
        assert link_person_to_user(ada, ben, actor, now).user == ben
    assert list(persons_of(actor)) == [ada]
    assert acts() == ["person_linked"]


def test_a_person_of_another_account_is_not_taken(now, ada):
    link_person_to_user(ada, user("ada"), SYSTEM, now)
    assert refusal(link_person_to_user, ada, user("mallory"), SYSTEM, now) == "person_has_account"


def test_taking_a_person_into_an_account_kills_its_links(now, ada):
    token = issue_personal_link(ada, SYSTEM, now)
    link_person_to_user(ada, user("ben"), SYSTEM, now)
    assert PersonalLink.objects.get().revoked_at == now
    assert acts() == ["link_issued", "person_linked", "links_revoked"]
    with pytest.raises(NotFound):
        find_personal_link(token, now)


def test_a_link_gives_nothing_for_a_person_with_an_account(now, ada):
    token = issue_personal_link(ada, SYSTEM, now)
    Person.objects.filter(pk=ada.pk).update(user=user("ben"))
    assert list(persons_of(Actor(None, ada, "link"))) == []
    with pytest.raises(NotFound):
        find_personal_link(token, now)


def test_persons_of_a_link_and_of_nobody(ada):
    assert list(persons_of(Actor(None, ada, "link"))) == [ada]
    assert list(persons_of(ANONYMOUS)) == []


@pytest.mark.parametrize(
    ("holder", "asker", "refused"),
    [
        ({}, {"is_staff": True}, None),
        ({}, {}, "not_site_admin"),
        ({"is_staff": True}, {"is_staff": True}, "of_site_admin"),
        ({"is_superuser": True}, {"is_staff": True}, "of_site_admin"),
        ({"is_staff": True}, {"is_staff": True, "is_superuser": True}, None),
        ({"is_active": False}, {"is_staff": True, "is_superuser": True}, "account_disabled"),
    ],
)
def test_who_hands_out_links_for_a_new_password(now, holder, asker, refused):
    actor = Actor(user("asker", **asker), None, "session")
    kit = user("kit", **holder)
    if refused is None:
        assert issue_reset_link(kit, actor, now).startswith("/accounts/password/reset/key/")
        assert acts() == ["reset_link_issued"]
        return
    with pytest.raises(NotAllowed) as caught:
        issue_reset_link(kit, actor, now)
    assert (caught.value.code, acts()) == (refused, [])


def test_a_command_hands_out_a_link_for_anybody_active(now):
    assert issue_reset_link(user("root", is_superuser=True), SYSTEM, now)


def test_nobody_and_a_personal_link_hand_out_nothing(now, ada):
    for actor in (ANONYMOUS, Actor(None, ada, "link")):
        with pytest.raises(NotAllowed):
            issue_reset_link(user(f"kit{actor.via}"), actor, now)


def test_a_reset_link_sets_a_password_once(now):
    kit = user("kit")
    path = issue_reset_link(kit, SYSTEM, now)
    form = Client().get(path)["Location"]
    client = Client()
    client.get(path)
    fields = {"password1": "another one 22", "password2": "another one 22"}
    assert client.post(form, fields).status_code == 302
    assert Client().login(username="kit", password="another one 22")
    assert b"password1" not in Client().get(path, follow=True).content


def test_an_account_is_made_and_logged(now):
    made = create_account("olive", "long enough 1", SYSTEM, now)
    assert (made.is_staff, made.check_password("long enough 1"), acts()) == (False, True, ["account_created"])


@pytest.mark.parametrize(("name", "code"), [("Olive", "name_taken"), ("- .", "bad_name"), ("", "bad_name")])
def test_an_account_needs_a_name_of_its_own(now, name, code):
    user("olive")
    assert refusal(create_account, name, "long enough 1", SYSTEM, now) == code
