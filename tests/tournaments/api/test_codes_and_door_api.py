"""Codes on tables and the door by API: shown once, revoked at once, the same as on the pages."""

import pytest
from django.test import Client

from accounts.actors import ANONYMOUS
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import entry, event, next_round, running, staff
from tests.tournaments.table_phones import phone
from tournaments.entries.services.door import claim_entry
from tournaments.models import DoorClaim, DoorCode, Role, TableCode

pytestmark = pytest.mark.django_db


def opens(path: str) -> bool:
    """Whether a table's code opens its page."""
    slug = TableCode.objects.latest("pk").tournament.slug
    return phone(path.split("/")[2]).get(f"/e/{slug}/table/").status_code == 200


def test_codes_are_issued_renewed_and_revoked():
    tournament = running(4)
    next_round(tournament)
    olive, path = caller("olive"), f"{path_of(tournament)}table-codes/"
    issued = good(olive.post(path, {"first": 1, "last": 2}), 201)["codes"]
    assert [each["table"] for each in issued] == [1, 2]
    listed = good(olive.get(path))["results"]
    assert [(each["table"], each["state"], each["issued_by"]) for each in listed] == [
        (1, "live", "olive"), (2, "live", "olive"),
    ]  # fmt: skip
    assert issued[0]["path"].split("/")[2] not in str(listed)
    assert opens(issued[0]["path"])
    renewed = good(olive.post(f"{path}renew/"), 201)["codes"]
    assert (opens(issued[0]["path"]), opens(renewed[0]["path"])) == (False, True)
    assert good(olive.post(f"{path}revoke/", {"table": 1})) == {"revoked": 1}
    assert good(olive.post(f"{path}revoke/", {})) == {"revoked": 1}
    assert not opens(renewed[1]["path"])
    assert olive.post(f"{path}renew/").json()["code"] == "no_codes"


def test_an_answer_with_codes_is_not_kept_for_a_repeat():
    tournament = running(4)
    olive, path, key = caller("olive"), f"{path_of(tournament)}table-codes/", {"Idempotency-Key": "once"}
    first, second = (olive.post(path, {"first": 1, "last": 1}, headers=key).json() for _try in range(2))
    assert first != second
    assert TableCode.objects.filter(revoked_at=None).count() == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"first": 0, "last": 1}, 400),
        ({"first": 1, "last": 10_000}, 400),
        ({"first": 2, "last": 1}, 422),
        ({"first": 1, "last": 301}, 422),
        ({"first": 1, "last": 2, "expires_at": "2026-01-01T00:00:00Z"}, 422),
        ({"first": 1, "last": 2, "expires_at": "9999-01-01T00:00:00Z"}, 400),
    ],
)
def test_codes_refuse_what_names_no_tables(body, status):
    assert caller("olive").post(f"{path_of(running(4))}table-codes/", body).status_code == status
    assert not TableCode.objects.exists()


def test_scorekeepers_issue_where_the_organiser_lets_them():
    for allowed, status in ((False, 403), (True, 201)):
        tournament = running(4, name=f"Cup {status}", scorekeepers_issue=allowed)
        staff(tournament, "kit", Role.Name.SCOREKEEPER)
        answer = caller("kit").post(f"{path_of(tournament)}table-codes/", {"first": 1, "last": 1})
        assert answer.status_code == status


def test_the_door_opens_is_shown_and_closes():
    tournament = event(2)
    olive, path = caller("olive"), f"{path_of(tournament)}door/"
    closed = good(olive.get(path))
    assert (closed["is_open"], closed["path"], closed["opened_at"]) == (False, "", None)
    opened = good(olive.post(f"{path}open/", {"free_claims": True}))
    assert good(olive.get(path)) == opened
    assert (opened["is_open"], opened["free_claims"], opened["uses"]) == (True, True, 0)
    for each in ("path", "kiosk_path"):
        assert Client().get(opened[each]).status_code == 200
    renewed = good(olive.post(f"{path}open/", {}))
    assert (renewed["free_claims"], renewed["path"] == opened["path"]) == (False, False)
    assert good(olive.post(f"{path}close/"))["is_open"] is False
    assert Client().get(renewed["path"]).status_code == 404
    acts = LedgerEntry.objects.filter(act__startswith="door.").order_by("sequence")
    assert list(acts.values_list("act", flat=True)) == ["door.opened", "door.renewed", "door.closed"]


def test_claims_are_listed_and_answered_once():
    tournament, other = event(2), event(1, name="Another cup")
    olive, path = caller("olive"), f"{path_of(tournament)}door/"
    good(olive.post(f"{path}open/", {}))
    code = DoorCode.objects.get()
    for name in ("Ada", "Ben"):
        claim_entry(ANONYMOUS, code, entry(tournament, name).members.get(), database_now())
    one, two = good(olive.get(f"{path}claims/"))["results"]
    assert [(each["entry"], each["name"]) for each in (one, two)] == [(1, "Ada"), (2, "Ben")]
    assert olive.post(f"{path_of(other)}door/claims/{one['id']}/", {"confirmed": True}).status_code == 404
    assert olive.post(f"{path}claims/{one['id']}/", {}).status_code == 400
    good(olive.post(f"{path}claims/{one['id']}/", {"confirmed": True}), 204)
    good(olive.post(f"{path}claims/{two['id']}/", {"confirmed": False}), 204)
    assert olive.post(f"{path}claims/{two['id']}/", {"confirmed": True}).json()["code"] == "claim_over"
    assert good(olive.get(f"{path}claims/"))["results"] == []
    ada, ben = DoorClaim.objects.order_by("pk")
    assert (bool(ada.confirmed_by), ben.declined_at is not None) == (True, True)
