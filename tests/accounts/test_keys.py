"""What opens an account: a new password ends its API tokens, and only a proved mail address is as good as a name."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client
from knox.models import AuthToken

from accounts.actors import SYSTEM
from accounts.identity import keys
from accounts.identity.selectors import token_id
from accounts.identity.services import issue_reset_link
from accounts.models import User
from journal.clock import database_now
from journal.models import LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
PASSWORD, OTHER = "quite a long one 7", "another long one 8"


@pytest.fixture
def ada(redis_url) -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def browser(user: User) -> Client:
    client = Client()
    assert client.post("/accounts/login/", {"login": user.username, "password": PASSWORD}).status_code == 302
    return client


def token(name: str = "", **fields: str) -> str:
    body = {"username": "ada", "password": PASSWORD, "name": name, **fields}
    answer = Client().post("/api/v1/tokens/", body, "application/json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["token"])


def works(raw: str) -> bool:
    answer = Client().get("/api/v1/events/", headers={"authorization": f"Token {raw}"})
    return answer.status_code == 200


def change(client: Client) -> None:
    fields = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert client.post("/accounts/password/change/", fields).status_code == 302


def reset(user: User) -> None:
    client = Client()
    user.refresh_from_db()
    path = client.get(issue_reset_link(user, SYSTEM, database_now())).headers["Location"]
    assert client.post(path, {"password1": OTHER, "password2": OTHER}).status_code == 302


@pytest.mark.parametrize("way", ["change", "reset"])
def test_a_new_password_ends_tokens_and_other_sessions(ada, way):
    raw, own, other = token(), browser(ada), browser(ada)
    assert works(raw)
    change(own) if way == "change" else reset(ada)
    assert not works(raw)
    assert other.get("/accounts/me/").status_code == 302
    assert Client().login(username="ada", password=OTHER)
    entry = LedgerEntry.objects.get(act="password_set")
    assert (entry.subjects, entry.actor) == (
        {"user": ada.pk, "tokens_ended": 1}, f"user:{ada.pk}" if way == "change" else "anonymous",
    )  # fmt: skip


def test_without_ending_them_tokens_would_go_on(ada, monkeypatch):
    monkeypatch.setattr(keys, "_end_tokens", lambda _user: 0)
    raw = token()
    change(browser(ada))
    assert works(raw)


def test_the_account_lists_its_tokens_and_ends_one(ada):
    first, second = token("score board"), token()
    client = browser(ada)
    page = client.get("/accounts/tokens/").content.decode()
    assert "score board" in page
    assert all(raw[-4:] in page for raw in (first, second))
    assert first not in page
    row = AuthToken.objects.get(note__name="score board")
    assert client.post(f"/accounts/tokens/{token_id(row)}/revoke/").status_code == 302
    assert [works(first), works(second)] == [False, True]
    assert LedgerEntry.objects.filter(act="token_revoked").count() == 1


def test_nobody_ends_or_sees_a_token_of_another_account(ada):
    raw = token("score board")
    User.objects.create_user("mallory", password=PASSWORD)
    mallory = browser(User.objects.get(username="mallory"))
    assert "score board" not in mallory.get("/accounts/tokens/").content.decode()
    for wanted in (token_id(AuthToken.objects.get()), "x"):
        assert mallory.post(f"/accounts/tokens/{wanted}/revoke/").status_code == 404
    assert works(raw)


def test_a_disabled_account_gets_no_token(ada):
    User.objects.update(is_active=False)
    answer = Client().post("/api/v1/tokens/", {"username": "ada", "password": PASSWORD}, "application/json")
    assert answer.status_code == 401
    assert not AuthToken.objects.exists()


def signs_in(login: str, password: str) -> bool:
    return Client().post("/accounts/login/", {"login": login, "password": password}).status_code == 302


def sign_up(name: str, email: str, password: str) -> int:
    fields = {"username": name, "email": email, "password1": password}
    return Client().post("/accounts/signup/", fields).status_code


MAIL = "victim@example.org"


def proof_of(name: str) -> str:
    return f"/accounts/confirm-email/{EmailConfirmationHMAC(EmailAddress.objects.get(user__username=name)).key}/"


def test_a_claimed_address_signs_nobody_in_and_blocks_nobody(redis_url, settings, mailoutbox):
    settings.DOOMDESK_MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "optional"
    assert sign_up("mallory", MAIL, PASSWORD) == 302
    assert "/accounts/confirm-email/" in mailoutbox[-1].body
    assert not signs_in(MAIL, PASSWORD)
    assert sign_up("victim", MAIL, OTHER) == 302
    assert not signs_in(MAIL, OTHER)
    victim = Client()
    victim.force_login(User.objects.get(username="victim"))
    assert victim.post(proof_of("mallory")).status_code == 403
    assert Client().post(proof_of("victim")).headers["Location"].startswith("/accounts/login/")
    assert victim.post(proof_of("victim")).status_code == 302
    assert (signs_in(MAIL, OTHER), signs_in(MAIL.upper(), OTHER), signs_in(MAIL, PASSWORD)) == (True, True, False)


def test_with_every_address_believed_a_claim_would_be_enough(redis_url, settings):
    settings.ACCOUNT_LOGIN_METHODS = {"username", "email"}
    assert sign_up("mallory", MAIL, PASSWORD) == 302
    assert signs_in(MAIL, PASSWORD)


def test_an_address_proved_by_one_is_not_proved_by_another(redis_url):
    EmailAddress.objects.create(user=User.objects.create_user("victim"), email=MAIL, verified=True, primary=True)
    assert sign_up("mallory", MAIL, PASSWORD) == 302
    assert not signs_in(MAIL, PASSWORD)


def test_a_name_cannot_look_like_somebodys_address(redis_url):
    assert sign_up(MAIL, "", PASSWORD) == 200
    assert not User.objects.exists()


def test_a_mail_server_that_is_away_keeps_nobody_from_signing_up(redis_url, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    assert sign_up("ada", "ada@example.org", PASSWORD) == 302
