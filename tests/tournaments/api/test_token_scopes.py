"""How far an API token reaches: its scope and its event at every operation, and what ends it."""

import pytest
from django.test import Client

from accounts.http import token_scopes
from accounts.identity.keys import issue_api_token, set_account_active, set_password
from accounts.models import TokenNote, TokenScope, User
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.tournaments.api.callers import JsonClient, caller, good, path_of
from tests.tournaments.api.test_permissions import ask, crowd, operations
from tests.tournaments.factories import account, event, staff
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db
COMPUTES = "decks_check tallies_compute"
PUBLIC = "tokens_create tokens_revoke client_results_send"
OF_PLAYERS = """
entries_sign_up entries_join my_entry_check_in
my_entry_drop my_deck_update my_stack_update matches_report matches_confirm matches_dispute
sheets_save sheets_file sheets_sign placements_place placements_begin placements_draft match_call_create
match_call_withdraw client_codes_create sheets_absent
"""
OF_STAFF = """
entries_check_in_several entries_personal_links entries_mail_links entries_revoke_links entries_add_member
entries_change_member entries_remove_member
rounds_report event_decks_register entry_deck_allow announcements_post_again door_open door_close door_answer_claim
entries_create entries_partial_update entries_check_in entries_undo_check_in entries_seen entries_drop entries_return
drop_preview
entries_personal_link entry_needs_fix_table entry_needs_note entry_needs_keep_apart entry_needs_let_meet
entry_deck_update
entry_deck_look entry_deck_check entry_deck_reopen entry_deck_shut deck_checks_draw penalties_create
penalties_take_back matches_correct matches_uphold correction_preview placements_place_for placements_take_back
clock_start clock_pause clock_resume clock_stop clock_change clock_reset clock_extra_time announcements_create
announcements_withdraw sheets_correct calls_claim calls_release calls_escalate calls_resolve outlook_ask outlook_stop
"""
WRITES_OF = {"read": f"{COMPUTES} {PUBLIC}", "report": OF_PLAYERS, "desk": OF_STAFF}
"""What each scope changes that the one before does not; "organise" all else."""


def token(name: str = "olive", **wanted: str) -> JsonClient:
    """A program with a token of that scope and event."""
    client, actor = JsonClient(), account(name)
    _row, raw = issue_api_token(actor.user, actor, database_now(), **wanted)
    client.credentials(HTTP_AUTHORIZATION=f"Token {raw}")
    return client


def refusal(response) -> str:
    """The code by which a token was refused, "" where it was not the token."""
    code = response.json().get("code", "") if response.status_code == 403 else ""
    return code if code.startswith("token_") else ""


@pytest.fixture(scope="module")
def ids(shared_db):
    """An event with everybody in it, where olive is everything."""
    found = crowd()[0]
    tournament = Tournament.objects.get(slug=found["slug"])
    for role in (Role.Name.JUDGE, Role.Name.SCOREKEEPER):
        staff(tournament, "olive", role)
    return found


def refused(ids, scope: str) -> set[str]:
    """The operations that a token of this scope is refused; a read token is asked to read, too."""
    client = token(scope=scope)
    return {
        operation
        for operation, method, path in operations()
        if (method != "get" or scope == "read") and refusal(ask(client, method, path.format(**ids))) == "token_scope"
    }


def test_each_scope_changes_what_it_names_and_no_more(ids):
    rest = {operation for operation, method, _path in operations() if method != "get"}
    for scope in TokenScope.values:
        rest -= set(WRITES_OF.get(scope, "").split())
        assert refused(ids, scope) == (set() if scope == "organise" else rest), scope
    error = ask(token(scope="report"), "post", f"/api/v1/events/{ids['slug']}/start/").json()
    assert (error["code"], error["details"]) == ("token_scope", {"needed": "organise"})
    assert "“report”" in error["detail"]


def test_control_without_ranks_a_read_token_starts_the_event(ids, monkeypatch):
    monkeypatch.setattr(token_scopes, "_rank", lambda _scope: 0)
    assert refused(ids, "read") == set()


def elsewhere(client, ids) -> set[str]:
    """The operations, beside those of the event, that do not refuse the client for its event."""
    return {
        operation
        for operation, method, path in operations()
        if refusal(ask(client, method, path.format(**ids))) != "token_event"
    }


def test_a_token_of_one_event_does_nothing_elsewhere(ids):
    other = event(name="Another cup", visibility="private")
    client = token(event=other.slug)
    assert elsewhere(client, ids) == {"tokens_revoke"}
    assert elsewhere(client, {**ids, "slug": "no-such-event"}) == {"tokens_revoke"}
    assert client.get("/accounts/me/").status_code == 403
    good(client.get(f"{path_of(other)}entries/"))
    assert good(client.get(path_of(other)))["slug"] == other.slug


def test_control_without_its_event_a_token_reads_the_account(ids):
    client = token(event=event(name="Another cup").slug)
    TokenNote.objects.update(event="")
    assert len(elsewhere(client, ids)) == len(operations())


def test_no_token_changes_anything_on_pages(ids):
    client = token()
    for path in ("/accounts/tokens/", "/new/", f"/e/{ids['slug']}/manage/start/"):
        client.cookies["csrftoken"] = "a" * 32
        response = client.post(path, {}, headers={"X-CSRFToken": "a" * 32})
        assert (response.status_code, b"changes nothing on pages" in response.content) == (403, True), path
    assert client.get(f"/e/{ids['slug']}/manage/").status_code == 200


def test_a_token_ends_with_the_password_the_account_and_the_role(ids):
    slug = ids["slug"]
    kit, olive = account("kit"), account("olive")
    client, log = token("kit", scope="desk", event=slug), f"/api/v1/events/{slug}/staff/"
    rows = good(client.get(log))["results"]
    role = next(row["id"] for row in rows if (row["user"], row["role"]) == ("kit", "scorekeeper"))
    good(caller("olive").delete(f"{log}{role}/"), 204)
    answer = client.get(log)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    set_password(kit.user, "another long one 8", kit, database_now())
    assert client.get(log).status_code == 401
    client = token("kit", scope="read")
    good(client.get("/api/v1/tokens/"))
    User.objects.filter(pk=olive.user.pk).update(is_superuser=True, is_staff=True)
    set_account_active(kit.user, account("olive"), database_now(), active=False)
    assert client.get("/api/v1/tokens/").status_code == 401


def test_own_tokens_are_listed_and_revoked_one_by_one(ids):
    client = token(name="olive", event="", scope="organise")
    token(scope="read", event=ids["slug"])
    listed = good(client.get("/api/v1/tokens/"))["results"]
    assert [(each["scope"], each["event"], bool(each["last_used_at"])) for each in listed] == [
        ("read", ids["slug"], False), ("organise", "", True),
    ]  # fmt: skip
    assert token("mallory").delete(f"/api/v1/tokens/{listed[0]['id']}/").status_code == 404
    good(client.delete(f"/api/v1/tokens/{listed[0]['id']}/"), 204)
    assert [each["id"] for each in good(client.get("/api/v1/tokens/"))["results"]] == [listed[1]["id"]]
    assert "token" not in listed[1]


def test_a_page_makes_a_token_for_an_event_and_shows_it_once(ids):
    client, fields = Client(), {"name": "Overlay", "scope": "read", "event": ids["slug"], "days": "30"}
    client.force_login(account("olive").user)
    page = client.post("/accounts/tokens/", {**fields, "idempotency_key": "once"}).content.decode()
    note = TokenNote.objects.get(name="Overlay")
    raw = page.split('<code class="copy">')[1].split("</code>")[0]
    assert raw.endswith(note.ends_with)
    assert raw not in client.get("/accounts/tokens/").content.decode()
    program = JsonClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {raw}")
    good(program.get(f"/api/v1/events/{ids['slug']}/log/"))
    logged = LedgerEntry.objects.filter(act="token_issued").latest("pk").subjects
    assert (logged["scope"], logged["event"], raw in str(logged)) == ("read", ids["slug"], False)
    for wrong in ({"event": "no-such-event"}, {"scope": "all"}, {"days": "9999"}, {"name": ""}):
        assert "Nothing was saved" in client.post("/accounts/tokens/", {**fields, **wrong}).content.decode()
    assert TokenNote.objects.count() == 1
