"""What staff look for: one field for players, tables, pages and acts, as a page and in the box of `static/find.js`."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.http.access import is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.core.names import name_key
from tournaments.entries.selectors.entries import members_by_entry
from tournaments.models import Entry, Seat, Tournament
from tournaments.web.frame.event_view import event_facts, event_view, render_event
from tournaments.web.frame.navigation import places_of
from tournaments.web.shared.match_rows import published_rounds

MAX_WORDS = 120
MAX_PLAYERS = 8
HIDDEN = (Entry.State.WITHDRAWN, Entry.State.WAITING)
"""Who has no page of a player."""
ACTS = (
    (gettext_lazy("Enter a player"), "manage_entries", "#enter"),
    (gettext_lazy("Paste a list or upload a CSV file"), "manage_entries", "#add"),
    (gettext_lazy("Enter a result"), "desk", ""),
    (gettext_lazy("Draw a deck"), "manage_decks", ""),
    (gettext_lazy("Judge calls"), "floor_calls", ""),
    (gettext_lazy("Print pairings"), "print_pairings", ""),
    (gettext_lazy("Print result slips"), "print_slips", ""),
    (gettext_lazy("Print standings"), "print_standings", ""),
    (gettext_lazy("Invite staff"), "manage_staff", ""),
    (gettext_lazy("Duplicate event"), "copy_event", ""),
    (gettext_lazy("Download everything"), "whole_file", ""),
)
"""What is done on pages, with the page's route and the place on it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found: its words and address, what tells it apart, and what else can be done with it."""

    text: str | Promise
    url: str
    note: str = ""
    more: tuple[tuple[str, str], ...] = ()


@event_view("desk")
def find(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/find/?q=…: what the words fit; nothing typed shows all pages and acts. `part` asks for the list alone."""
    words = request.GET.get("q", "").strip()[:MAX_WORDS]
    finder = Finder(request, tournament, words)
    found = (
        (_("Tables"), finder.tables()),
        (_("Players"), finder.players()),
        (_("Pages"), finder.pages()),
        (_("Actions"), finder.acts()),
    )
    groups = [(title, hits) for title, hits in found if hits]
    context = {"here": "find", "q": words, "groups": groups, "count": sum(len(hits) for _title, hits in groups)}
    if "part" in request.GET:
        return render(request, "shared/find_hits.html", context)
    return render_event(request, tournament, "shared/find.html", context)


class Finder:
    """Looks for words among what one of the staff may open."""

    def __init__(self, request: ActorRequest, tournament: Tournament, words: str) -> None:
        self.request, self.tournament, self.words = request, tournament, words
        self.plain = name_key(words)[0]
        rounds = published_rounds(tournament) if words else []
        seats = Seat.objects.filter(match__round__in=rounds[-1:]).exclude(match__table_number=None)
        self.seats = {seat.entry_id: seat.match for seat in seats.select_related("match")}

    def tables(self) -> list[Hit]:
        """The table of this number in the newest round."""
        names = dict(self.tournament.entries.filter(pk__in=self.seats).values_list("pk", "name"))
        asked = {match for match in self.seats.values() if str(match.table_number) == self.words}
        return [
            Hit(
                _("Table %(number)d") % {"number": match.table_number},
                self.open_to("match", match.pk),
                " – ".join(names[entry] for entry, at in self.seats.items() if at == match),
            )
            for match in asked
        ]

    def players(self) -> list[Hit]:
        """Players by a part of their name or by number, first those whose name begins so."""
        if not self.words:
            return []
        mates = members_by_entry(self.tournament)
        fitting = [
            entry
            for entry in self.tournament.entries.all()
            if any(self._fits(name, str(entry.number)) for name in (entry.name, *mates.get(entry.pk, ())))
        ]
        fitting.sort(key=lambda entry: (not name_key(entry.name)[0].startswith(self.plain), name_key(entry.name)))
        hits = [self._player(entry) for entry in fitting[:MAX_PLAYERS]]
        if (others := len(fitting) - MAX_PLAYERS) > 0:
            hits.append(self._others(others))
        return [hit for hit in hits if hit.url]

    def _others(self, count: int) -> Hit:
        """The list of entries, searched for the same words, for those who fit and are not named."""
        text = ngettext("%(count)d more in the list of entries", "%(count)d more in the list of entries", count)
        entries = self.open_to("manage_entries")
        return Hit(text % {"count": count}, entries and f"{entries}?{urlencode({'q': self.words})}")

    def _player(self, entry: Entry) -> Hit:
        match, of_entry = self.seats.get(entry.pk), self.open_to("manage_entry", entry.number)
        more = [(_("Entry"), of_entry), (_("Penalty"), self.open_to("give_penalty", entry.number))]
        if match is not None:
            table = _("Table %(number)d") % {"number": match.table_number}
            more.insert(0, (table, self.open_to("match", match.pk)))
        url = of_entry if entry.state in HIDDEN else self.open_to("event_player", entry.number)
        note = " · ".join(filter(None, (_("no. %(number)d") % {"number": entry.number}, entry.club)))
        return Hit(entry.name, url, note, tuple((words, address) for words, address in more if address))

    def pages(self) -> list[Hit]:
        """Pages of the event by a part of their name."""
        facts = event_facts(self.request, self.tournament, database_now())
        groups = places_of(self.request.actor, self.tournament, facts).groups
        return [
            Hit(each.label, each.url) for _title, places in groups for each in places if self._fits(str(each.label))
        ]

    def acts(self) -> list[Hit]:
        """What can be done, by a part of its words."""
        asked = ((text, self.open_to(route), at) for text, route, at in ACTS if self._fits(str(text)))
        return [Hit(text, url + at) for text, url, at in asked if url]

    def open_to(self, route: str, *values: int) -> str:
        """The address of a page, by the page's own rule; "" where the viewer may not open it."""
        url = reverse(route, args=[self.tournament.slug, *values])
        rule = getattr(resolve(url).func, "access_rule", "")
        return url if is_allowed(rule, self.request.actor, self.tournament) else ""

    def _fits(self, name: str, *numbers: str) -> bool:
        return self.plain in name_key(name)[0] or self.words in numbers
