"""The link of a team: whoever is given it joins that team while registration is open.

It ends when a member is removed: who was removed may have it, and may have passed it on.
"""

from django.core import signing
from django.utils.translation import gettext as _

from journal.models import LedgerEntry
from rules_engine.errors import NotFound
from tournaments.decks.selectors.registered import LEFT
from tournaments.entries.selectors.entries import plays_in_teams, takes_sign_ups
from tournaments.models import Entry, EntryMember, Tournament

SALT = "tournaments.join_team"


def team_token(tournament: Tournament, member: EntryMember | None) -> str:
    """What the link of a member's team ends with; "" where nobody can join one now."""
    if member is None or not (plays_in_teams(tournament) and takes_sign_ups(tournament)):
        return ""
    return signing.dumps([member.entry_id, _removals(tournament, member.entry)], salt=SALT)


def team_of_token(tournament: Tournament, token: str) -> Entry:
    """The team whose link ends with a token; NotFound "unknown_team", also once a member was removed since."""
    try:
        signed = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        signed = None
    number, removals = signed if isinstance(signed, list) else (signed, 0)  # 0.1.0 signed the number alone
    entry = tournament.entries.filter(pk=number).first()
    if entry is None or _removals(tournament, entry) != removals:
        raise NotFound("unknown_team", _("This team link isn't valid any more. Ask a team-mate for a new one."))
    return entry


def _removals(tournament: Tournament, entry: Entry) -> int:
    """How many members were removed from an entry."""
    return LedgerEntry.objects.filter(stream=tournament.stream, act=LEFT, subjects__entry=entry.number).count()
