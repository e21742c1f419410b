"""The site's part of the benchmark of a round's end: the event before it, and what is stored after it."""

import json
from pathlib import Path
from typing import Any

from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection

from accounts.http.middleware import LINK_IN_SESSION
from accounts.identity.keys import issue_api_token
from accounts.identity.services import issue_personal_link
from accounts.models import Person, PersonalLink
from journal.clock import database_now
from tests.tournaments.factories import account, event, report_all
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Penalty, Seat, SeatResult, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.rounds.services.rounds import pair_next_round, publish_round

WARNED = 10
"""One player in so many has a warning, whose words nobody else's page may show."""


def set_up(players: int, seed: int, file: str) -> None:
    """Round 2 of an event, all tables being played, every phone opened by its personal link; described as JSON."""
    olive, now = account("olive"), database_now()
    tournament = start_tournament(olive, event(players, name="The Round End Cup"), now)
    for number in (1, 2):
        round_ = publish_round(olive, pair_next_round(olive, tournament, now, seed=seed + number), now)
        if number == 1:
            report_all(round_)
    assert olive.user is not None
    token = issue_api_token(olive.user, olive, now)[1]
    phones = [_phone(tournament, seat) for match in matches_of(round_) for seat in match.seats.order_by("order")]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    room = {"slug": tournament.slug, "token": token, "phones": phones}
    Path(file).write_text(json.dumps(room))


def _phone(tournament: Tournament, seat: Seat) -> dict[str, Any]:
    """A player's phone: whose it is, where that player sits, and what it alone may show."""
    member = seat.entry.members.select_related("person").get()
    session = _session(member.person)
    word = f"-zw{seat.entry_id}q-" if seat.entry_id % WARNED == 0 else ""
    if word:  # given after the link was made: a link does not tell of penalties before it
        give_penalty(account("olive"), seat.entry, Penalty.Kind.WARNING, f"late {word}", database_now())
    return {
        "session": session, "name": seat.entry.name, "match": seat.match_id, "seat": seat.order,
        "table": seat.match.table_number, "word": word,
    }  # fmt: skip


def _session(person: Person) -> str:
    issue_personal_link(person, account("olive"), database_now())
    session = SessionStore()
    session[LINK_IN_SESSION] = PersonalLink.objects.get(person=person, revoked_at=None).pk
    session.save()
    return str(session.session_key)


def look_after(file: str) -> None:
    """What is stored of every match of the last round, as JSON; ends with an error where the ledger does not verify."""
    found = {}
    for match in Match.objects.filter(round__number=2).prefetch_related("reports", "seats"):
        won = SeatResult.objects.filter(report=match.accepted_report_id).order_by("seat__order")
        found[match.pk] = {
            "state": match.state,
            "won": list(won.values_list("games_won", flat=True)),
            "reports": match.reports.count(),
        }
    call_command("verify_ledger")
    Path(file).write_text(json.dumps(found))
