"""The second factor: /admin/ opens only with it, nothing there is written by hand, every act is in the log."""

import io
import time
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client, RequestFactory

from accounts.http import middleware
from accounts.identity import forms
from accounts.models import User
from journal.models import LedgerEntry

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
PASSWORD = "quite a long one 7"


@pytest.fixture
def root(redis_url) -> User:
    return User.objects.create_superuser("root", password=PASSWORD)


@pytest.fixture(autouse=True)
def moment(monkeypatch) -> None:
    """Codes are of one moment: on a busy machine 30 seconds may end between two of them."""
    now = time.time()
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: now))


def code_of(secret: str, steps: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(auth.time.time()) // 30 + steps))


def with_factor(user: User) -> str:
    """Give an account a factor; answers the key that its phone knows."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def signing_in(user: User, code: str | None = None) -> Client:
    """A browser after the password, and after a code where one is given."""
    client = Client()
    assert client.post("/accounts/login/", {"login": user.username, "password": PASSWORD}).status_code == 302
    if code is not None:
        client.post("/accounts/2fa/authenticate/", {"code": code})
    return client


def is_in(client: Client) -> bool:
    return client.get("/accounts/me/").status_code == 200


def acts() -> list[str]:
    return list(LedgerEntry.objects.order_by("pk").values_list("act", flat=True))


def test_a_site_admin_without_a_factor_is_led_to_set_one_up(root):
    client = signing_in(root)
    assert is_in(client)
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[0][0] == "/accounts/2fa/totp/activate/"
    assert client.post("/accounts/reauthenticate/?next=/accounts/2fa/totp/activate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    assert secret in page.content.decode()
    assert client.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.exists()
    assert client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)}).status_code == 302
    assert acts() == ["second_factor_set", "recovery_codes_made"]
    codes = client.get("/accounts/2fa/recovery-codes/")
    assert all(code in codes.content.decode() for code in codes.context["unused_codes"])
    asked = client.get("/admin/")
    assert asked.headers["Location"] == "/accounts/2fa/reauthenticate/?next=/admin/"
    back = client.post(asked.headers["Location"], {"code": code_of(secret)})
    assert back.headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_the_code_is_asked_for_when_signing_in(root):
    secret = with_factor(root)
    assert not is_in(signing_in(root))
    assert not is_in(signing_in(root, "000000"))
    client = signing_in(root, code_of(secret))
    assert is_in(client)
    assert client.get("/admin/").status_code == 200


def test_a_code_works_once(root):
    code = code_of(with_factor(root))
    assert [is_in(signing_in(root, code)) for _time in range(2)] == [True, False]


def test_a_late_code_works_once_too(root, monkeypatch):
    code = code_of(with_factor(root), -1)
    assert is_in(signing_in(root, code))
    cache.delete(f"allauth.mfa.totp.used?user={root.pk}&code={code}")  # as 30 seconds later
    assert not is_in(signing_in(root, code))
    monkeypatch.setattr(forms, "CODE_SECONDS", 0)
    cache.clear()
    assert is_in(signing_in(root, code))


def test_a_recovery_code_works_once_and_is_logged(root):
    with_factor(root)
    code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    assert [is_in(signing_in(root, code)) for _time in range(2)] == [True, False]
    assert acts()[-1] == "recovery_code_used"
    assert LedgerEntry.objects.order_by("pk").last().actor == f"user:{root.pk}"


def test_codes_cannot_be_guessed(root):
    secret = with_factor(root)
    for number in range(11):
        signing_in(root, f"{number:06}")
    assert not is_in(signing_in(root, code_of(secret)))


def test_without_the_rule_the_password_would_be_enough(root, monkeypatch):
    client = signing_in(root)
    assert client.get("/admin/").status_code == 302
    monkeypatch.setattr(middleware, "_is_proved", lambda request: request.user.is_staff)
    assert client.get("/admin/").status_code == 200


def test_a_session_is_proved_no_longer_once_the_factor_is_gone(root):
    client = signing_in(root, code_of(with_factor(root)))
    Authenticator.objects.all().delete()
    with_factor(root)
    assert client.get("/admin/").headers["Location"].startswith("/accounts/2fa/reauthenticate/")


def test_every_admin_page_asks_for_it(root):
    client = signing_in(root)
    for path in ("/admin/", "/admin/accounts/user/", "/admin/login/", "/admin/jsi18n/", "/admin/logout/", "/admin/x/"):
        assert client.get(path).headers["Location"] == "/accounts/2fa/totp/activate/", path
        assert client.post(path).status_code == 302


def test_an_account_without_rights_is_refused_and_not_led_on(redis_url):
    mallory = User.objects.create_user("mallory", password=PASSWORD)
    client = signing_in(mallory, code_of(with_factor(mallory)))
    assert client.get("/admin/").status_code == 403


def test_an_organiser_is_offered_one_and_runs_events_without(redis_url):
    client = signing_in(User.objects.create_user("olive", password=PASSWORD))
    assert "/accounts/2fa/" in client.get("/accounts/me/").content.decode()
    assert "Set it up" in client.get("/accounts/2fa/").content.decode()
    assert client.get("/new/").status_code == 200


def test_nothing_is_written_by_hand_in_the_admin(root):
    request = RequestFactory().get("/admin/")
    request.user = root
    for model, site in admin.site._registry.items():
        rights = (site.has_add_permission(request), site.has_change_permission(request))
        assert (*rights, site.has_delete_permission(request)) == (False, False, False), model
    names = {model.__name__ for model in admin.site._registry}
    assert names.isdisjoint({"Group", "AuthToken", "EmailAddress", "Authenticator"})


def test_a_password_is_not_set_past_the_ledger(root):
    client = signing_in(root, code_of(with_factor(root)))
    new = "another long one 8"
    fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new, "password1": new, "password2": new}
    assert client.get("/admin/password_change/").headers["Location"] == "/accounts/password/change/"
    for path in ("/admin/password_change/", f"/admin/accounts/user/{root.pk}/password/"):
        client.post(path, fields)
        assert User.objects.get().check_password(PASSWORD), path


@pytest.mark.parametrize(
    ("action", "act", "changed"),
    [
        ("disable", "account_disabled", {"is_active": False}),
        ("confirm", "account_confirmed", {"is_confirmed": True}),
        ("make_site_admin", "site_admin_made", {"is_staff": True, "is_superuser": True}),
        ("reset_factor", "second_factor_reset", {}),
    ],
)
def test_acts_of_the_admin_are_logged(root, action, act, changed):
    ada = User.objects.create_user("ada", password=PASSWORD)
    with_factor(ada)
    client = signing_in(root, code_of(with_factor(root)))
    before = len(acts())
    fields = {"action": action, "_selected_action": [ada.pk]}
    assert client.post("/admin/accounts/user/", fields).status_code == 302
    ada.refresh_from_db()
    assert {name: getattr(ada, name) for name in changed} == changed
    assert acts()[before:] == [act]
    entry = LedgerEntry.objects.get(act=act)
    assert (entry.actor, entry.role, entry.subjects) == (f"user:{root.pk}", "site_admin", {"user": ada.pk})
    assert Authenticator.objects.filter(user=ada).exists() == (action != "reset_factor")


@pytest.mark.parametrize("action", ["confirm", "disable", "end_site_admin", "make_site_admin", "reset_factor"])
def test_a_site_admin_who_is_no_superuser_changes_no_other(redis_url, action):
    boss = User.objects.create_superuser("boss", password=PASSWORD)
    with_factor(boss)
    helper = User.objects.create_user("helper", password=PASSWORD, is_staff=True)
    helper.user_permissions.add(*view_permission())
    client = signing_in(helper, code_of(with_factor(helper)))
    before = acts()
    client.post("/admin/accounts/user/", {"action": action, "_selected_action": [boss.pk]})
    boss.refresh_from_db()
    assert (boss.is_active, boss.is_staff, acts()) == (True, True, before)
    assert Authenticator.objects.filter(user=boss).count() == 2


def view_permission():
    return Permission.objects.filter(codename="view_user")


@pytest.mark.parametrize("action", ["disable", "end_site_admin"])
def test_nobody_shuts_the_own_account_out(root, action):
    client = signing_in(root, code_of(with_factor(root)))
    client.post("/admin/accounts/user/", {"action": action, "_selected_action": [root.pk]})
    root.refresh_from_db()
    assert (root.is_active, root.is_staff) == (True, True)


def test_the_command_resets_a_lost_factor(root):
    with_factor(root)
    out, err = io.StringIO(), io.StringIO()
    call_command("reset_second_factor", "root", stdout=out, stderr=err)
    assert is_in(signing_in(root))
    assert acts()[-1] == "second_factor_reset"
    for name in ("root", "nobody"):
        with pytest.raises(SystemExit) as end:
            call_command("reset_second_factor", name, stdout=out, stderr=err)
        assert end.value.code == 2


def test_switching_it_off_oneself_is_logged(root):
    client = signing_in(root, code_of(with_factor(root)))
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert client.post("/accounts/2fa/totp/deactivate/").status_code == 302
    assert acts()[-1] == "second_factor_removed"
    assert not Authenticator.objects.exists()


def test_the_api_asks_for_the_code_too(root):
    secret = with_factor(root)

    def ask(**code: str) -> tuple[int, str]:
        body = {"username": "root", "password": PASSWORD, **code}
        answer = Client().post("/api/v1/tokens/", body, "application/json")
        return answer.status_code, answer.json().get("code", "")

    assert ask() == (401, "code_needed")
    assert ask(code="000000") == (401, "wrong_code")
    assert ask(code=code_of(secret)) == (201, "")
    assert ask(code=code_of(secret)) == (401, "wrong_code")
    for _time in range(10):
        last = ask(code="000000")
    assert last == (429, "too_many")


def test_the_api_without_asking_would_go_around_it(root, monkeypatch):
    with_factor(root)
    monkeypatch.setattr("accounts.identity.tokens_api.has_factor", lambda _user: False)
    body = {"username": "root", "password": PASSWORD}
    assert Client().post("/api/v1/tokens/", body, "application/json").status_code == 201
