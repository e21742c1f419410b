"""What pages of several audiences look up by their addresses: a match, its desk, the permission to correct it."""

from django.urls import reverse
from django.utils.translation import gettext as _

from rules_engine.errors import NotFound
from tournaments.core.rounds import full_match, rounds_after
from tournaments.models import Match, Round, Tournament


def find_match(tournament: Tournament, match_id: int) -> Match:
    """A match in a round that is out; NotFound "unknown_match"."""
    found = full_match(tournament, match_id)
    if found is None or found.round.state == Round.State.PAIRED:
        raise NotFound("unknown_match", _("There is no such match in this event."))
    return found


def correction_rule(match: Match) -> str:
    """The permission that correcting a match needs: more once its round is closed."""
    return "result.correct_closed" if match.round.state == Round.State.CLOSED else "result.correct"


def desk_of(tournament: Tournament, round_: Round, **query: object) -> str:
    """The address of a round's desk: an earlier round is named, the newest is what the desk shows anyway."""
    is_earlier = rounds_after(round_).exclude(state=Round.State.PAIRED).exists()
    return desk_url(tournament, **({"round": round_.number} if is_earlier else {}), **query)


def desk_url(tournament: Tournament, **query: object) -> str:
    """The address of the desk, with what it is to show."""
    words = "&".join(f"{key}={value}" for key, value in query.items())
    return reverse("desk", args=[tournament.slug]) + (f"?{words}" if words else "")
