"""The list of entries, and what staff do in it."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import is_allowed
from accounts.http.addresses import shared_address
from accounts.http.downloads import Kind, table_download
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from tournaments.core.names import name_key
from tournaments.decks.selectors.deck_states import DeckState, deck_states
from tournaments.decks.selectors.decks import checks_decks, has_deck
from tournaments.decks.selectors.drafts import decks_since
from tournaments.entries.forms import EntryListForm, OneEntryForm
from tournaments.entries.selectors.door import OPEN_STATES as DOOR_STATES
from tournaments.entries.selectors.door import door_of
from tournaments.entries.selectors.entries import (
    entries_of,
    members_by_entry,
    members_without_a_way_in,
    plays_in_teams,
    shared_names,
)
from tournaments.entries.selectors.pairing_constraints import byes_by_entry
from tournaments.entries.services.attendance import OPEN_STATES, check_in_entry, drop_entry, return_entry
from tournaments.entries.services.desk_entries import BEFORE_START, check_in_all, issue_entry_link, revoke_entry_links
from tournaments.entries.services.link_mails import can_mail_links
from tournaments.events.exports import entries_table
from tournaments.events.selectors.overview import entry_counts
from tournaments.models import Entry, Tournament
from tournaments.structure.selectors.stages import current_stage, field_of
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.lookups import back_to_list, find_entry
from tournaments.web.shared.sorting import Columns, sort_rows

ENTRIES_A_PAGE = 200
State = Entry.State
NO_DECKS = (None, False)
LACKING = (DeckState.MISSING, DeckState.ILLEGAL, DeckState.UNCHECKED, DeckState.REGISTERED, DeckState.LEGAL)
"""How decks can be, first what most has to be seen to."""
EntryAct = Callable[[Actor, Entry, datetime], object]

SHOWN: dict[str, Callable[[Entry], bool]] = {
    "": lambda entry: True,
    "absent": lambda entry: entry.state == State.REGISTERED and entry.checked_in_at is None,
    "waiting": lambda entry: entry.state == State.WAITING,
    "no_deck": lambda entry: (
        entry.state == State.REGISTERED
        and not all(has_deck(member, decks_since(entry.tournament)) for member in entry.members.all())
    ),
    "gone": lambda entry: entry.state in (State.DROPPED, State.WITHDRAWN, State.DISQUALIFIED),
}
"""The parts of the list one can look at, by the value of ?show=."""


@event_view("entries.manage")
def manage_entries(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/entries/?q=…&show=…&sort=…&page=…: everybody entered, and the form to enter more."""
    return show_entries(request, tournament, EntryListForm())


def show_entries(
    request: ActorRequest, tournament: Tournament, form: EntryListForm, one: OneEntryForm | None = None
) -> HttpResponse:
    """The page of entries around forms that may hold what was typed and what is wrong with it."""
    words, show = request.GET.get("q", "").strip(), request.GET.get("show", "")
    show = show if show in SHOWN else ""
    every = entries_of(tournament)
    found = [entry for entry in every if SHOWN[show](entry) and matches(entry, words)]
    if show == "waiting":
        found.sort(key=lambda entry: (entry.registered_at, entry.number))
    columns, usual = _columns(request, tournament, found), "" if show == "waiting" else "name"
    found, heads = sort_rows(request, found, columns, usual, reverse("manage_entries", args=[tournament.slug]))
    page = Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    shows_decks = checks_decks(tournament)
    byes, decks = byes_by_entry(tournament), _decks_of(request, tournament, page.object_list if shows_decks else ())
    context = {
        **list_context(request.actor, tournament),
        "form": form,
        "one": one or OneEntryForm(),
        "page": page,
        "heads": heads,
        "sort": request.GET.get("sort", ""),
        "rows": [(entry, byes.get(entry.pk, ()), *decks.get(entry.pk, NO_DECKS)) for entry in page.object_list],
        "words": words,
        "show": show,
        "total": len(every),
        "can_mail": can_mail_links(tournament),
        "linkless": members_without_a_way_in(tournament).count() if tournament.state in OPEN_STATES else 0,
        "no_deck": sum(SHOWN["no_deck"](entry) for entry in every) if shows_decks else 0,
    }
    return render_event(request, tournament, "organiser/entries.html", context)


def _columns(request: ActorRequest, tournament: Tournament, found: Sequence[Entry]) -> Columns[Entry]:
    """What the list can be sorted by; the decks of all are looked up only where it is by them."""
    decks = cache(lambda: _decks_of(request, tournament, found))
    return {
        "number": (_("No."), lambda entry: entry.number),
        "name": (_("Player"), lambda entry: name_key(entry.name)),
        "club": (_("Club"), lambda entry: (not entry.club, name_key(entry.club), name_key(entry.team))),
        "state": (_("State"), lambda entry: (entry.state, entry.checked_in_at is None)),
        "deck": (_("Deck"), lambda entry: decks()[entry.pk][0]),
    }


def _decks_of(
    request: ActorRequest, tournament: Tournament, entries: Iterable[Entry]
) -> dict[int, tuple[DeckState, bool]]:
    """How each entry's deck is, of a team the one that lacks most, and whether a judge allowed it; by id of the entry.

    As far as the viewer may see.
    """
    found = list(entries)
    states = deck_states(request.actor, tournament, (member for entry in found for member in entry.members.all()))
    decks = {
        entry.pk: [(states[member.pk], member.deck_allowed_at is not None) for member in entry.members.all()]
        for entry in found
    }
    return {pk: min(each, key=lambda deck: (LACKING.index(deck[0]), deck[1])) for pk, each in decks.items()}


@event_view("entries.check_in")
def manage_check_in(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/check-in/?q=…&page=…: who plays and whether they are here; nothing else of them."""
    words = request.GET.get("q", "").strip()
    playing = [entry for entry in entries_of(tournament) if entry.state == State.REGISTERED]
    found = sorted((entry for entry in playing if matches(entry, words)), key=lambda entry: name_key(entry.name))
    context = {
        "here": "check_in",
        "page": Paginator(found, ENTRIES_A_PAGE).get_page(request.GET.get("page")),
        "words": words,
        "counts": entry_counts(tournament),
        "before_start": tournament.state in BEFORE_START,
    }
    return render_event(request, tournament, "organiser/check_in.html", context)


@event_view("entries.manage")
def entries_file(request: ActorRequest, tournament: Tournament, kind: Kind) -> HttpResponse:
    """GET …/manage/entries.csv, .xlsx: everybody entered, with club, team and members."""
    table = entries_table(entries_of(tournament), byes_by_entry(tournament), members_by_entry(tournament))
    return table_download(f"{tournament.slug}-entries", table, kind)


def list_context(actor: Actor, tournament: Tournament) -> dict[str, Any]:
    """What a list of entries needs to know about its event."""
    return {
        "here": "entries",
        "counts": entry_counts(tournament),
        "shared": shared_names(tournament),
        "shows_decks": checks_decks(tournament),
        "teams": plays_in_teams(tournament),
        "can_change": tournament.state in OPEN_STATES,
        "before_start": tournament.state in BEFORE_START,
        "may_issue": is_allowed("entries.links", actor, tournament) and not tournament.is_brought,
        "door": door_of(tournament),
        "door_opens": tournament.state in DOOR_STATES,
    }


def matches(entry: Entry, words: str) -> bool:
    """Whether name, club, team or the name of a member contain the words, or the number is meant."""
    mates = [member.person.name for member in entry.members.all()]
    texts, asked = (entry.name, entry.club, entry.team, *(mates if len(mates) > 1 else ())), name_key(words)[0]
    return any(asked in name_key(text)[0] for text in texts) or words == str(entry.number)


def _button(
    service: EntryAct, done: Callable[[], str], rule: str = "entries.manage"
) -> Callable[..., HttpResponseBase]:
    """A view that applies one act to one entry; `done` has %(name)s for the entry's name."""

    @event_view(rule, "POST")
    def view(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
        entry, now = find_entry(tournament, number), database_now()
        back = _back(request, tournament, number)
        return run_action(request, lambda: service(request.actor, entry, now), done() % {"name": entry.name}, back)

    return view


def _undo_check_in(actor: Actor, entry: Entry, now: datetime) -> Entry:
    return check_in_entry(actor, entry, now, present=False)


def _back(request: ActorRequest, tournament: Tournament, number: int | None = None) -> str:
    """The list that was looked at: that of entries, or for helpers who may not open it, the one of the check-in."""
    if request.POST.get("list") != "check_in":
        return back_to_list(request, tournament, number)
    words = request.POST.get("q", "")
    address = reverse("manage_check_in", args=[tournament.slug]) + (f"?{urlencode({'q': words})}" if words else "")
    return f"{address}#entry-{number}" if number is not None else address


check_in = _button(check_in_entry, lambda: _("%(name)s is checked in."), "entries.check_in")
undo_check_in = _button(_undo_check_in, lambda: _("%(name)s is no longer checked in."), "entries.check_in")
drop = _button(drop_entry, lambda: _("%(name)s is out. You can undo this below."))


@event_view("entries.links", "POST")
def revoke_links(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/revoke-links/: end the personal links of an entry, or say that there is none."""
    entry, now = find_entry(tournament, number), database_now()
    counts: list[int] = []

    def tell(request: HttpRequest, done: str) -> None:
        if any(counts):
            messages.success(request, done)
        else:
            messages.info(request, _("%(name)s has no personal link.") % {"name": entry.name})

    def act() -> None:
        counts.append(revoke_entry_links(request.actor, entry, now))

    done = _("The personal link of %(name)s is revoked.") % {"name": entry.name}
    return run_action(request, act, done, _back(request, tournament, number), tell=tell)


@event_view("entries.manage", "POST")
def take_back(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/return/: let a person in again who left."""
    entry, stage, now = find_entry(tournament, number), current_stage(tournament), database_now()
    plays = stage.seeds is None or entry.pk in field_of(stage)
    back_only = _("%(name)s is back, but not among this stage's players.")
    done = _("%(name)s plays from the next pairing.") if plays else back_only
    back = _back(request, tournament, number)
    return run_action(request, lambda: return_entry(request.actor, entry, now), done % {"name": entry.name}, back)


@event_view("entries.check_in", "POST")
def check_in_everybody(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/entries/check-in-all/: everybody registered is there."""
    now = database_now()
    done = _("All registered players are checked in.")
    back = _back(request, tournament)
    return run_action(request, lambda: check_in_all(request.actor, tournament, now), done, back)


@event_view("entries.links", "POST", fresh=True)
def personal_link(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/link/: make a personal link for a `member`, the first by default; shown this once."""
    entry = find_entry(tournament, number)
    order = posted_number(request, "member") or 1
    token = issue_entry_link(request.actor, entry, database_now(), member=order)
    address = shared_address(request, reverse("personal_link", args=[token]))
    name = entry.members.select_related("person").get(order=order).person.name
    context = {**list_context(request.actor, tournament), "entry": entry, "address": address, "name": name}
    response = render_event(request, tournament, "organiser/personal_link.html", context)
    return shown_once(response)
