"""Decks on paper: the sheet of a registered list, and an empty one for the event."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from decks.models import DeckVersion
from decks.selectors.legality import format_at
from decks.web.sheets import Fact, SheetSection, blank_sections
from rules_engine.systems import get_system
from tournaments.decks.selectors.decks import sections_of
from tournaments.entries.selectors.entries import player_named
from tournaments.models import EntryMember, Tournament
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.event_lines import variant_name
from tournaments.web.shared.lookups import need_decklists


@event_view("event.see")
def event_sheet(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/decks/sheet/: an empty registration sheet for this event."""
    need_decklists(tournament)
    sections = blank_sections(format_at(tournament.game, tournament.game_format))
    return render(request, "decks/sheet.html", _sheet(tournament, sections, "", "", ""))


def filled_sheet(tournament: Tournament, member: EntryMember, version: DeckVersion) -> dict[str, Any]:
    """What the sheet of a registered list shows."""
    sections = [SheetSection(title, count, tuple(cards), 0) for title, count, cards in sections_of(version, tournament)]
    at = member.deck_registered_at
    sheet = _sheet(tournament, sections, player_named(member), str(member.entry.number), version.deck.name)
    return sheet | {
        "commitment": member.deck_commitment,
        "version": version.number,
        "registered": _local(tournament, at, "j F Y, H:i:s") if at else "",
    }


def _sheet(tournament: Tournament, sections: list[SheetSection], player: str, number: str, deck: str) -> dict[str, Any]:
    game_format = format_at(tournament.game, tournament.game_format)
    played = (get_system(tournament.game).name, game_format.name, variant_name(tournament))
    facts = (
        Fact(_("Event"), tournament.name, wide=True),
        Fact(_("Date"), _local(tournament, tournament.starts_at, "j F Y")),
        Fact(_("Player"), player, wide=True),
        Fact(_("Number"), number),
        Fact(_("Deck"), deck, wide=True),
        Fact(_("Format"), ", ".join(_(name) for name in played if name), wide=bool(played[2])),
    )
    return {"facts": facts, "sections": sections, "title": tournament.name, "empty": not player}


def _local(tournament: Tournament, at: datetime, pattern: str) -> str:
    return formats.date_format(timezone.localtime(at, ZoneInfo(tournament.time_zone)), pattern)
