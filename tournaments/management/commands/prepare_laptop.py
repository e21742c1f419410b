"""`prepare_laptop`: on a fresh site, the first organiser and a demo event; on any other, nothing."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand

from accounts.actors import SYSTEM, Actor
from accounts.models import User
from accounts.services import create_account, person_of
from journal.clock import database_now
from tournaments.demo import create_demo

USERNAME = "organiser"


class Command(BaseCommand):
    help = "Create the first organiser (the password is printed once and kept nowhere) and a demo event."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if User.objects.exists():
            return
        now, password = database_now(), secrets.token_urlsafe(9)
        user = create_account(USERNAME, password, SYSTEM, now, site_admin=True)
        tournament = create_demo(Actor(user, person_of(user, now), "command"), now)
        self.stdout.write(f"First organiser: {USERNAME}")
        self.stdout.write(f"Password (shown this once): {password}")
        self.stdout.write(f"Demo event: {tournament.name}")
