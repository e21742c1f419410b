"""The link of a team: whoever is given it joins that team while registration is open."""

from django.core import signing
from django.utils.translation import gettext as _

from rules_engine.errors import NotFound
from tournaments.entries.selectors.entries import plays_in_teams, takes_sign_ups
from tournaments.models import Entry, EntryMember, Tournament

SALT = "tournaments.join_team"


def team_token(tournament: Tournament, member: EntryMember | None) -> str:
    """What the link of a member's team ends with; "" where nobody can join one now."""
    if member is None or not (plays_in_teams(tournament) and takes_sign_ups(tournament)):
        return ""
    return signing.dumps(member.entry_id, salt=SALT)


def team_of_token(tournament: Tournament, token: str) -> Entry:
    """The team whose link ends with a token; NotFound "unknown_team"."""
    try:
        number = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        number = None
    entry = tournament.entries.filter(pk=number).first()
    if entry is None:
        raise NotFound("unknown_team", _("This team link isn't valid any more. Ask a team-mate for a new one."))
    return entry
