"""What pages of several audiences look up by their addresses: a match, its desk, the permission to correct it."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from rules_engine.errors import NotFound, needed
from tournaments.core.rounds import full_match, rounds_after
from tournaments.decks.selectors.decks import checks_decks
from tournaments.models import Entry, Match, Round, Tournament
from tournaments.pairing.manual.round_draft import RoundDraft
from tournaments.web.shared.match_rows import Names


def find_match(tournament: Tournament, match_id: int) -> Match:
    """A match in a round that is out; NotFound "unknown_match"."""
    found = full_match(tournament, match_id)
    if found is None or found.round.state == Round.State.PAIRED:
        raise NotFound("unknown_match", _("This event has no such match."))
    return found


FROM_FLOOR = "?from=floor"
"""The query by which the page of a match knows that a judge came from the map of tables."""


def floor_match_url(tournament: Tournament, match: Match) -> str:
    """The address of a match's page for whoever comes from the map of tables."""
    return reverse("match", args=[tournament.slug, match.pk]) + FROM_FLOOR


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


def wanted_round(rounds: Sequence[Round], number: str) -> Round | None:
    """The round of these that is asked for by number, else the last; NotFound "unknown_round"."""
    found = [each for each in rounds if number in ("", str(each.number))]
    if number and not found:
        raise NotFound("unknown_round", _("This round doesn't exist or isn't published yet."))
    return found[-1] if found else None


def find_entry(tournament: Tournament, number: int) -> Entry:
    """An entry of this event by its number; NotFound "unknown_entry"."""
    entry = tournament.entries.filter(number=number).first()
    return needed(entry, NotFound("unknown_entry", _("This event has no such entry.")))


def find_shown_entry(tournament: Tournament, number: int) -> Entry:
    """The same for everybody: whoever withdrew before the start, or waits for a place, is not shown."""
    entry = find_entry(tournament, number)
    if entry.state in (Entry.State.WITHDRAWN, Entry.State.WAITING):
        raise NotFound("unknown_entry", _("This event has no such entry."))
    return entry


def back_to_list(request: ActorRequest, tournament: Tournament, number: int | None = None) -> str:
    """The address of the list as it was looked at, at the row that was pressed."""
    kept = {name: value for name in ("q", "show", "sort", "page") if (value := request.POST.get(name, ""))}
    address = reverse("manage_entries", args=[tournament.slug]) + (f"?{urlencode(kept)}" if kept else "")
    return f"{address}#entry-{number}" if number is not None else address


class People:
    """The entries of an event by id, called by name as everywhere."""

    def __init__(self, tournament: Tournament) -> None:
        """Two queries."""
        names = Names(tournament)
        self.entries = {entry.pk: entry for entry in tournament.entries.order_by("number")}
        self._names = {pk: names(entry) for pk, entry in self.entries.items()}

    def __call__(self, entry: int) -> str:
        """The name of an entry by id."""
        return self._names.get(entry, "?")

    def number(self, entry: int) -> int:
        """The number of an entry by id."""
        return self.entries[entry].number

    def within(self, draft: RoundDraft) -> list[Entry]:
        """Who is in a round, by number."""
        return [entry for pk, entry in self.entries.items() if pk in draft.ids]


def need_decklists(tournament: Tournament) -> None:
    """Refuse games that are played without decklists: NotFound "no_decklists"."""
    if not checks_decks(tournament):
        raise NotFound("no_decklists", _("This game is played here without decklists."))
