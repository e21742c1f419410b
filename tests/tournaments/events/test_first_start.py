"""O10: a first start that was killed before its password was read still hands one over, and the demo with it."""

from datetime import datetime
from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from accounts.actors import SYSTEM, Actor
from accounts.identity.services import create_account, person_of
from accounts.models import User
from tournaments.management import demo
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.usefixtures("pile_cards")]


class Killed(BaseException):
    """The process ends here."""


class Dying(StringIO):
    """A terminal on which nothing arrives any more."""

    def write(self, text: str) -> int:
        raise Killed


def start(out: StringIO) -> str:
    """What a start prints as the password, "" where it prints none."""
    call_command("prepare_laptop", stdout=out)
    lines = [line for line in out.getvalue().splitlines() if "Password" in line]
    return lines[0].rpartition(" ")[2] if lines else ""


def test_a_first_start_prints_a_password_once():
    password = start(StringIO())
    assert authenticate(username="organiser", password=password) == User.objects.get()
    assert Tournament.objects.count() == 1
    assert start(StringIO()) == ""


def test_a_start_killed_before_printing_is_made_good_by_the_next():
    for _time in range(2):
        with pytest.raises(Killed):
            start(Dying())
    password = start(StringIO())
    assert authenticate(username="organiser", password=password) == User.objects.get()
    assert Tournament.objects.count() == 1
    assert start(StringIO()) == ""


def test_a_start_killed_before_the_demo_leaves_no_account(monkeypatch):
    def die(*_args: object) -> None:
        raise Killed

    monkeypatch.setattr("tournaments.management.demo.create_demo", die)
    with pytest.raises(Killed):
        start(StringIO())
    assert not User.objects.exists()
    monkeypatch.undo()
    assert start(StringIO())


def test_control_without_the_note_of_who_holds_it_nobody_is_ever_shown_the_password(monkeypatch):
    """As long as account and password were two steps, and an account alone counted as handed over."""
    monkeypatch.setattr("tournaments.management.demo.hold_account", lambda user, actor, now: None)
    with pytest.raises(Killed):
        start(Dying())
    assert User.objects.exists()
    assert start(StringIO()) == ""


def test_control_in_two_transactions_a_killed_start_leaves_an_account_without_a_demo(monkeypatch):
    def die(*_args: object) -> None:
        raise Killed

    monkeypatch.setattr("tournaments.management.commands.prepare_laptop.create_first_site", in_two_steps)
    monkeypatch.setattr("tournaments.management.demo.create_demo", die)
    with pytest.raises(Killed):
        start(StringIO())
    monkeypatch.undo()
    assert User.objects.exists()
    assert start(StringIO()) == ""
    assert not Tournament.objects.exists()


def in_two_steps(name: str, password: str, now: datetime) -> User:
    """The account committed on its own, as it was before."""
    user = create_account(name, password, SYSTEM, now, site_admin=True)
    demo.create_demo(Actor(user, person_of(user, now), "command"), now)
    return user


def test_no_start_touches_an_account_that_somebody_has():
    User.objects.create_user("ada", password="quite a long one 7")
    assert start(StringIO()) == ""
    assert authenticate(username="ada", password="quite a long one 7")
