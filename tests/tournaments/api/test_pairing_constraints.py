"""Clubs and teams, needs and byes by API: what is read and written by whom."""

import pytest

from journal.models import IdempotencyKey
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, entry, event, staff
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.models import Role

pytestmark = pytest.mark.django_db
NOTHING = {"fixed_table": None, "needs": [], "extra_minutes": 0, "kept_apart": []}


def test_club_and_team_are_said_at_the_sign_up_and_changed_by_staff():
    tournament = event()
    ada, path = caller("ada"), path_of(tournament)
    signed = good(ada.post(f"{path}entries/sign-up/", {"club": " Doom  Club", "team": "Red"}), 201)
    assert (signed["club"], signed["team"]) == ("Doom Club", "Red")
    assert good(caller("olive").patch(f"{path}entries/1/", {"team": "Blue"}))["team"] == "Blue"
    assert good(caller("").get(f"{path}entries/1/"))["club"] == "Doom Club"
    assert caller("olive").patch(f"{path}entries/1/", {"club": "x" * 81}).status_code == 400
    assert good(caller("olive").patch(f"{path}entries/1/", {"name": "Ada L."}))["name"] == "Ada L."
    assert caller("olive").patch(f"{path}entries/1/", {"name": "x" * 121}).status_code == 400
    assert ada.patch(f"{path}entries/1/", {"name": "Somebody"}).status_code == 403
    drop_entry(account("ada"), entry(tournament, "Ada L."), NOW)
    again = good(ada.post(f"{path}entries/sign-up/", {"team": "Green"}), 201)
    assert (again["club"], again["team"]) == ("", "Green")


def test_needs_are_written_and_read_by_officials_and_kept_nowhere():
    tournament = event(2)
    staff(tournament, "juno", Role.Name.JUDGE)
    juno, path = caller("juno"), f"{path_of(tournament)}entries/1/needs/"
    once = {"headers": {"Idempotency-Key": "once"}}
    assert good(juno.put(path, {"fixed_table": 4711}, **once)) == NOTHING | {"fixed_table": 4711}
    kept = good(juno.post(f"{path}keep-apart/", {"other": 2, "reason": "family"}), 201)["kept_apart"]
    assert kept == [{"number": 2, "name": "Ben", "reason": "family"}]
    assert good(caller("olive").get(path)) == NOTHING | {"fixed_table": 4711, "kept_apart": kept}
    assert not [row for row in IdempotencyKey.objects.all() if b"4711" in bytes(row.body or b"")]
    assert good(juno.post(f"{path}let-meet/", {"other": 2}))["kept_apart"] == []
    assert good(juno.put(path, {"fixed_table": None}))["fixed_table"] is None
    log = [(row["act"], row["subjects"]) for row in good(juno.get(f"{path_of(tournament)}log/"))["results"]]
    assert log == [("need.changed", {})] * 4


@pytest.mark.parametrize(
    ("act", "body", "status"),
    [
        ("", {"fixed_table": 0}, 400),
        ("", {"fixed_table": 10_000}, 400),
        ("", {}, 400),
        ("keep-apart/", {"other": 1}, 422),
        ("keep-apart/", {"other": 7}, 404),
        ("let-meet/", {"other": 2}, 404),
    ],
)
def test_needs_refuse_what_cannot_be(act, body, status):
    tournament = event(2)
    olive, path = caller("olive"), f"{path_of(tournament)}entries/1/needs/"
    assert getattr(olive, "post" if act else "put")(path + act, body).status_code == status


def test_player_reads_the_own_table_and_byes():
    tournament = event()
    sign_up(account("ada"), tournament, account("ada").person, NOW)
    olive, path = caller("olive"), path_of(tournament)
    good(olive.put(f"{path}entries/1/needs/", {"fixed_table": 12}))
    assert good(olive.post(f"{path}entries/1/byes/", {"rounds": [2, 1]}), 201) == {"rounds": [1, 2]}
    assert good(caller("ada").get(f"{path}my/needs/")) == {"fixed_table": 12, "byes": [1, 2]}
    assert good(olive.post(f"{path}entries/1/byes/take-back/", {"round": 1})) == {"rounds": [2]}
    assert good(olive.get(f"{path}entries/1/byes/")) == {"rounds": [2]}
    assert olive.post(f"{path}entries/1/byes/", {"rounds": [2]}).json()["code"] == "bye_given"
    assert olive.post(f"{path}entries/1/byes/", {"rounds": [100]}).status_code == 400
