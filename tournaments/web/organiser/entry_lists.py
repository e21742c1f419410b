"""Entering people from a list: first a preview of every line, then exactly what it showed."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from journal.idempotency.responses import with_effect
from tournaments.core.rounds import current_round
from tournaments.entries.entry_lists import OLD_EXCEL, EntryList
from tournaments.entries.forms import EntryListForm, OneEntryForm
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.models import Entry, Round, Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.entries import list_context, show_entries
from tournaments.web.shared.lookups import back_to_list

ONLY_NEW = "new"


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A person to enter, the entries that bear the name already, and whether the name stood above in the list."""

    draft: EntryDraft
    known: tuple[Entry, ...]
    repeated: bool

    @property
    def is_new(self) -> bool:
        """Nobody of this name is entered or stands above."""
        return not self.known and not self.repeated


@event_view("entries.manage", "POST")
def add_one(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/entries/add-one/: enter a person at the door; a namesake is shown in the preview first."""
    one = OneEntryForm(request.POST)
    form = EntryListForm({"text": one.text if one.is_valid() else ""})
    if one.is_valid() and not (form.is_valid() and form.read.drafts):
        one.add_error("name", _("Use 1 to 120 printable characters."))
    if not one.is_valid():
        return show_entries(request, tournament, EntryListForm(), one)
    rows = preview_rows(tournament, form.read)
    if not rows[0].is_new:
        return _show_preview(request, tournament, form)
    entered = call_service(one, lambda: register_walk_ins(request.actor, tournament, form.read.drafts, database_now()))
    if entered is None:
        return show_entries(request, tournament, EntryListForm(), one)
    return _after_adding(request, tournament, entered, form)


@event_view("entries.manage", "POST")
def preview_entries(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/entries/preview/: show what a list would enter; nothing is stored."""
    form = EntryListForm(request.POST, request.FILES)
    if not form.is_valid():
        return show_entries(request, tournament, form)
    return _show_preview(request, tournament, form)


@event_view("entries.manage", "POST")
def add_entries(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/entries/add/: enter what the preview showed; lines that are no person come back to be corrected."""
    form = EntryListForm(request.POST)
    if not form.is_valid():
        return show_entries(request, tournament, form)
    rows = preview_rows(tournament, form.read)
    wanted = [row.draft for row in rows if row.is_new or request.POST.get("only") != ONLY_NEW]
    if request.POST.get("shown") != fingerprint(rows):
        form.add_error(None, _("Entries have changed. Check the list again."))
        return _show_preview(request, tournament, form)
    entered = call_service(form, lambda: register_walk_ins(request.actor, tournament, wanted, database_now()))
    if entered is None:
        return _show_preview(request, tournament, form)
    return _after_adding(request, tournament, entered, form)


def _after_adding(
    request: ActorRequest, tournament: Tournament, entered: Sequence[Entry], form: EntryListForm
) -> HttpResponse:
    waiting = sum(entry.state == Entry.State.WAITING for entry in entered)
    first, count = entered[0], len(entered)
    one = _("%(name)s entered as no. %(number)d.") % {"name": first.name, "number": first.number}
    said = one if count == 1 else _("%(count)d players entered.") % {"count": count}
    if tournament.state == Tournament.State.RUNNING and waiting < len(entered):
        said += " " + _when_paired(tournament, first)
    messages.success(request, said)
    if waiting:
        text = ngettext("%(count)d is on the waiting list.", "%(count)d are on the waiting list.", waiting)
        messages.warning(request, text % {"count": waiting})
    if not form.read.problems:
        return redirect(back_to_list(request, tournament))
    left = EntryListForm(initial={"text": left_over(form.text_read, form.read)})
    response = show_entries(request, tournament, left)
    return with_effect(response)


def _when_paired(tournament: Tournament, entry: Entry) -> str:
    """From which round on a person plays who came after the start."""
    last = current_round(tournament)
    if last is not None and last.state == Round.State.PAIRED and last.stage.counts_rounds:
        text = _("Round %(round)d isn't published: you can place them on the rounds page.")
        return text % {"round": last.number}
    return _("Paired from round %(round)d.") % {"round": entry.entered_round}


def preview_rows(tournament: Tournament, read: EntryList) -> list[PreviewRow]:
    """The people of a list beside the entries of the same name; one query."""
    known: dict[str, list[Entry]] = defaultdict(list)
    for entry in tournament.entries.all():
        known[entry.name.casefold()].append(entry)
    rows: list[PreviewRow] = []
    seen: set[str] = set()
    for draft in read.drafts:
        key = draft.name.casefold()
        rows.append(PreviewRow(draft, tuple(known[key]), key in seen))
        seen.add(key)
    return rows


def fingerprint(rows: Sequence[PreviewRow]) -> str:
    """What was shown, in short: who is there and who of them is new."""
    shown = "\n".join(f"{row.is_new} {row.draft.name}" for row in rows)
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()


def left_over(text: str, read: EntryList) -> str:
    """The lines that are no person, whole, below the heading if the list had one."""
    lines = text.splitlines()
    filled = [number for number, line in enumerate(lines, start=1) if line.strip()]
    headed = len(filled) > len(read.drafts) + len(read.problems)
    numbers = [*filled[:1], *(bad.number for bad in read.problems)] if headed else [bad.number for bad in read.problems]
    return "\n".join(lines[number - 1] for number in numbers)


def _show_preview(request: ActorRequest, tournament: Tournament, form: EntryListForm) -> HttpResponse:
    rows = preview_rows(tournament, form.read)
    new = sum(row.is_new for row in rows)
    context = {
        **list_context(request.actor, tournament),
        "form": form,
        "rows": rows,
        "new": new,
        "known": len(rows) - new,
        "shown": fingerprint(rows),
        "problems": form.read.problems,
        "text": form.text_read,
        "unmarked": form.read.unmarked,
        "is_guessed": form.encoding == OLD_EXCEL,
        "turns": form.turns,
        "may_turn": form.read.surnames_first,
        "parted": form.read.parted,
    }
    return render_event(request, tournament, "organiser/list_preview.html", context)
