"""The page of a player or team in an event: who they met, how it went, the rank and what it is made of."""

from typing import Any

from django.http import HttpResponse

from accounts.http.access import is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.core.parts import RANKING, Part
from tournaments.decks.selectors.deck_view import deck_view
from tournaments.decks.selectors.decks import checks_decks
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.rounds.selectors.histories import profiles_of
from tournaments.standings.selectors.standings import standings_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page
from tournaments.web.shared.entry_record import record_lines
from tournaments.web.shared.lookups import find_shown_entry
from tournaments.web.shared.match_rows import Names, published_rounds
from tournaments.web.shared.standing_lines import cells_of, columns_of


@event_view("event.see")
@cached_page(*RANKING, Part.DECKS)
def player(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET …/player/<number>/: what an entry played, and its line of the standings; NotFound "unknown_entry"."""
    entry, names, member = find_shown_entry(tournament, number), Names(tournament), member_of(request.actor, tournament)
    members = list(entry.members.select_related("person", "entry"))
    context: dict[str, Any] = {
        "here": "standings",
        "entry": entry,
        "name": names.without_members(entry),
        "members": names.members(entry),
        "lines": record_lines(entry, names),
        "is_own": member is not None and member.entry_id == entry.pk,
        "may_manage": is_allowed("entries.manage", request.actor, tournament),
        "profiles": _profiles(members),
        "decks": _shown_decks(request, tournament, members) if checks_decks(tournament) else [],
        **_standing_of(tournament, entry),
    }
    return render_event(request, tournament, "public/player.html", context)


def _standing_of(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    """The line of the standings with its tiebreakers; nothing before the first round, or for who has none."""
    lines = standings_of(tournament) if published_rounds(tournament) else ()
    standing = next((line for line in lines if line.contender == entry.pk), None)
    if standing is None:
        return {}
    policy = tournament.scoring_policy
    return {
        "standing": standing,
        "total": len(lines),
        "why": "above" if standing == lines[0] else "below",
        "cells": list(zip(columns_of(policy), cells_of(standing, policy), strict=True)),
    }


def _profiles(members: list[EntryMember]) -> list[tuple[str, str]]:
    """Name and public id of the members who show a profile."""
    shown = profiles_of(member.person.user_id for member in members if member.person.user_id)
    found = [(member.person.name, shown.get(member.person.user_id)) for member in members]
    return [(name, person.public_id) for name, person in found if person is not None]


def _shown_decks(
    request: ActorRequest, tournament: Tournament, members: list[EntryMember]
) -> list[tuple[EntryMember, str]]:
    """The members whose list the viewer is shown, with the name of one of several."""
    view = deck_view(request.actor, tournament, database_now())
    return [(each, each.person.name if len(members) > 1 else "") for each in members if view.shows(each)]
