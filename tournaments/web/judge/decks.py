"""The decks of a table side by side: each reading stands in the log, and whoever plays too says why.

See docs/how-it-works/trust.md#access.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from decks.models import DeckVersion
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import DomainError
from tournaments.decks.forms import DeckCheckForm
from tournaments.decks.selectors.deck_states import DeckState, deck_states
from tournaments.decks.selectors.decks import sections_of
from tournaments.decks.services.deck_checks import read_deck
from tournaments.entries.selectors.entries import plays_in_teams
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.web.frame.event_view import event_view
from tournaments.web.judge.floor import render_floor
from tournaments.web.shared.lookups import find_match, floor_match_url
from tournaments.web.shared.match_rows import Names, line_of, seats_of


@dataclass(frozen=True, slots=True)
class TableDeck:
    """A person's registered deck as judges compare it; `version` is None, and `why_not` says so, without one."""

    name: str
    member: EntryMember
    version: DeckVersion | None
    why_not: str
    sections: list[Any]
    state: DeckState
    check_form: DeckCheckForm | None


@event_view("deck.read", "GET", "POST", fresh=True)
def floor_decks(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/floor/table/<match id>/decks/: the lists of everybody at the table; each reading stands in the log.

    GET reads nothing: back to the table.
    """
    line = line_of(find_match(tournament, match_id), Names(tournament))
    if request.method != "POST":
        return redirect(floor_match_url(tournament, line.match))
    own = member_of(request.actor, tournament)
    if own is not None and not request.POST.get("reason", "").strip():
        messages.error(request, _("You play in this event: give a reason to read decks."))
        return redirect(floor_match_url(tournament, line.match))
    members = EntryMember.objects.select_related("entry", "person", "tournament", "deck_version__deck")
    names = dict(zip((seat.entry_id for seat in seats_of(line.match)), line.names, strict=True))
    found = sorted(members.filter(entry__in=names), key=lambda each: (list(names).index(each.entry_id), each.order))
    teams = plays_in_teams(tournament)
    decks = [
        _read(request, tournament, each, each.person.name if teams else names[each.entry_id], own) for each in found
    ]
    context = {"here": "floor", "line": line, "decks": decks, "reason": request.POST.get("reason", "")}
    response = render_floor(request, tournament, "judge/decks.html", context)
    return shown_once(response)


def _read(
    request: ActorRequest, tournament: Tournament, member: EntryMember, name: str, own: EntryMember | None
) -> TableDeck:
    reason = request.POST.get("reason", "")
    state = deck_states(request.actor, tournament, [member])[member.pk]
    try:
        version = read_deck(request.actor, member, database_now(), reason)
    except DomainError as error:
        return TableDeck(name, member, None, error.message, [], state, None)
    form = DeckCheckForm(
        initial={"version": version.number, "reason": reason},
        plays_too=own is not None and own != member,
        auto_id=f"check_{member.pk}_%s",
    )
    return TableDeck(
        name,
        member,
        version,
        "",
        sections_of(version, tournament),
        state,
        form if own != member else None,
    )
