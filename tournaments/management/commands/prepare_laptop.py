"""`prepare_laptop`: on a fresh site, the first organiser and a demo event; on any other, nothing."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand

from accounts.actors import SYSTEM
from accounts.identity.selectors import unclaimed_accounts
from accounts.identity.services import hand_over_account, renew_password
from accounts.models import User
from journal.clock import database_now
from tournaments.management.demo import NAME, create_first_site

USERNAME = "organiser"


class Command(BaseCommand):
    help = "Create the first organiser (the password is printed once and kept nowhere) and a demo event."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Account and demo come together; where nobody was shown the password, the next start prints another."""
        now, password = database_now(), secrets.token_urlsafe(9)
        if not User.objects.exists():
            user = create_first_site(USERNAME, password, now)
        elif (found := unclaimed_accounts().first()) is not None:
            user = renew_password(found, password, SYSTEM, now)
        else:
            return
        self.stdout.write(f"First organiser: {user.username}")
        self.stdout.write(f"Password (shown this once): {password}")
        self.stdout.write(f"Demo event: {NAME}")
        self.stdout.flush()
        hand_over_account(user, SYSTEM, now)
