"""A phone that opened a personal link forgets it when asked, and opens the next one as somebody else."""

import pytest

from accounts.models import PersonalLink
from tests.tournaments.factories import running
from tests.tournaments.web.visitors import browser, guest, page, text_of, url

pytestmark = pytest.mark.django_db


def test_a_lent_phone_forgets_its_player_and_the_link_still_opens():
    tournament = running(2)
    phone = guest(tournament, "Ada")
    assert "Sign out on this phone" in page(phone, url(tournament))
    left = phone.post("/accounts/leave-phone/", follow=True)
    assert "signed out on this phone" in text_of(left.content.decode())
    assert phone.get("/my/").status_code == 302
    assert PersonalLink.objects.get().revoked_at is None
    guest(tournament, "Ben", phone)
    assert "Ben" in page(phone, url(tournament, "my/"))


def test_who_opened_no_link_has_none_to_leave():
    answer = browser().post("/accounts/leave-phone/")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")
