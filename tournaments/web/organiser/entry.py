"""The page of one entry for staff: matches, name, club and team, byes given; for officials what the player needs."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import is_allowed
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from accounts.http.stored_forms import StoredForm
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from tournaments.core.ledger import lock_tournament
from tournaments.decks.selectors.deck_states import deck_states
from tournaments.decks.selectors.decks import checks_decks
from tournaments.entries.forms import (
    ApartForm,
    ByesForm,
    ChangeMemberForm,
    EntryForm,
    FixedTableForm,
    MemberForm,
    NeedsForm,
)
from tournaments.entries.selectors.entries import find_member, plays_in_teams
from tournaments.entries.selectors.pairing_constraints import byes_of, kept_apart_from
from tournaments.entries.services.attendance import next_round_number
from tournaments.entries.services.entries import change_entry
from tournaments.entries.services.members import add_member, change_member, remove_member
from tournaments.entries.services.pairing_constraints import (
    PLAYING,
    award_byes,
    fix_table,
    keep_apart,
    let_meet,
    note_needs,
    take_bye_back,
)
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.penalties.selectors import penalties_of
from tournaments.structure.selectors.stages import current_stage
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.entries import list_context
from tournaments.web.shared.entry_record import record_lines
from tournaments.web.shared.lookups import find_entry
from tournaments.web.shared.match_rows import Names
from tournaments.web.shared.need_words import needs_in_words
from tournaments.web.shared.penalty_words import PenaltyLine, effect_of, may_give_penalties


@event_view("entries.manage", fresh=True)
def manage_entry(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET …/entries/<number>/: one entry."""
    return _show(request, tournament, find_entry(tournament, number))


def _show(request: ActorRequest, tournament: Tournament, entry: Entry, **forms: BaseForm) -> HttpResponse:
    has_decks = checks_decks(tournament)
    byes, members = byes_of(entry), list(entry.members.select_related("person"))
    decks = deck_states(request.actor, tournament, members) if has_decks else {}
    coming = next_round_number(tournament)
    context: dict[str, Any] = {
        **list_context(request.actor, tournament),
        "entry": entry,
        "lines": record_lines(entry, Names(tournament)),
        "members": members,
        "seated": [
            (each, _change_form(request, tournament, each, forms.get("changed_member")), decks.get(each.pk))
            for each in members
        ],
        "deck": decks.get(members[0].pk) if len(members) == 1 else None,
        "member_form": MemberForm(),
        "byes": [(number, number >= coming) for number in byes],
        "plays": entry.state in PLAYING,
        "has_byes": current_stage(tournament).counts_rounds,
        "entry_form": _entry_form(entry),
    }
    if is_allowed("entry.byes", request.actor, tournament):
        context["byes_form"] = ByesForm()
    if is_allowed("entry.needs", request.actor, tournament):
        context |= _needs_of(tournament, entry)
    if is_allowed("penalty.read", request.actor, tournament):
        given = penalties_of(tournament).filter(entry=entry)
        context["penalties"] = [PenaltyLine(each, entry.name, effect_of(each)) for each in given]
        context["may_take_back"] = may_give_penalties(request.actor, tournament)
    return render_event(request, tournament, "organiser/entry.html", {**context, **forms})


def _change_form(
    request: ActorRequest, tournament: Tournament, member: EntryMember, sent: BaseForm | None = None
) -> ChangeMemberForm:
    """The form of one member: as it was sent, or fresh."""
    if isinstance(sent, ChangeMemberForm) and sent.member == member:
        return sent
    return _form_of(request, tournament, member)


def _form_of(
    request: ActorRequest, tournament: Tournament, member: EntryMember, data: QueryDict | None = None
) -> ChangeMemberForm:
    """What of a member the viewer may change here; the name of who plays alone is that of the entry."""
    is_one_of_several = plays_in_teams(tournament) or member.entry.members.count() > 1
    may_mail = is_allowed("entries.links", request.actor, tournament)
    return ChangeMemberForm(data, member=member, takes_name=is_one_of_several, takes_email=may_mail)


def _entry_form(entry: Entry, data: QueryDict | None = None) -> EntryForm:
    return EntryForm(data, stored=lambda: {"name": entry.name, "club": entry.club, "team": entry.team})


def _table_form(entry: Entry, data: QueryDict | None = None) -> FixedTableForm:
    return FixedTableForm(data, stored=lambda: {"fixed_table": entry.fixed_table})


def _needs_form(entry: Entry, data: QueryDict | None = None) -> NeedsForm:
    return NeedsForm(data, stored=lambda: {"needs": entry.needs, "extra_minutes": entry.extra_minutes or None})


def _needs_of(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    """What officials alone are shown."""
    return {
        "table_form": _table_form(entry),
        "needs_form": _needs_form(entry),
        "needs": needs_in_words(entry),
        "apart_form": ApartForm(tournament=tournament),
        "apart": kept_apart_from(entry),
        "others": tournament.entries.exclude(pk=entry.pk).filter(state__in=PLAYING),
    }


def _address(tournament: Tournament, entry: Entry, part: str) -> str:
    return reverse("manage_entry", args=[tournament.slug, entry.number]) + f"#{part}"


def _send(
    request: ActorRequest, entry: Entry, name: str, form: BaseForm, act: Callable[[], object], done: str, part: str
) -> HttpResponse:
    """Do what the form `name` of the page asks; a refusal comes back in it. Nothing shown here is kept for a repeat."""
    if form.is_valid() and _store(entry, form, act) is not None:
        messages.success(request, done)
        return redirect(_address(entry.tournament, entry, part))
    entry.refresh_from_db()
    response = _show(request, entry.tournament, entry, **{name: form})
    return shown_once(response)


def _store(entry: Entry, form: BaseForm, act: Callable[[], object]) -> object | None:
    """Call the service of a form, of stored values under the lock of the event."""

    def lock() -> None:
        lock_tournament(entry.tournament)
        entry.refresh_from_db()

    return form.store(lock, act) if isinstance(form, StoredForm) else call_service(form, act)


@event_view("entries.manage", "POST")
def change_entry_facts(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/change/: the name corrected, another club or team."""
    entry, now = find_entry(tournament, number), database_now()
    form = _entry_form(entry, request.POST)

    def act() -> object:
        return change_entry(request.actor, entry, now, **form.cleaned_data)

    return _send(request, entry, "entry_form", form, act, _("Saved."), "entry")


@event_view("entries.manage", "POST")
def add_entry_member(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/members/: one more member of a team."""
    entry, form, now = find_entry(tournament, number), MemberForm(request.POST), database_now()

    def act() -> object:
        return add_member(request.actor, entry, form.cleaned_data["name"], now)

    done = _("Member added to %(name)s.") % {"name": entry.name}
    return _send(request, entry, "member_form", form, act, done, "members")


@event_view("entries.manage", "POST")
def change_entry_member(request: ActorRequest, tournament: Tournament, number: int, place: int) -> HttpResponse:
    """POST …/entries/<number>/members/<place>/: a member's name corrected, or another email."""
    entry, now = find_entry(tournament, number), database_now()
    form = _form_of(request, tournament, find_member(entry, place), request.POST)

    def act() -> object:
        return change_member(request.actor, entry, place, now, **form.values)

    part = "members" if "name" in form.fields else "entry"
    return _send(request, entry, "changed_member", form, act, _("Saved."), part)


@event_view("entries.manage", "POST")
def remove_entry_member(request: ActorRequest, tournament: Tournament, number: int, place: int) -> HttpResponse:
    """POST …/entries/<number>/members/<place>/remove/: a member taken out of a team, once their name is typed."""
    entry, now = find_entry(tournament, number), database_now()
    member, back = find_member(entry, place), _address(tournament, entry, "members")
    name, facts = member.person.name, {"name": member.person.name, "team": entry.name}
    lost = [_("Their place in %(team)s and their personal link to this event.") % facts]
    if member.deck_version_id is not None:
        lost.append(_("Their registered deck."))
    asked = require_typed_name(
        request, title=_("Remove %(name)s from %(team)s?") % facts, lost=lost, name=name,
        label=_("Remove from the team"), back=back,
    )  # fmt: skip
    done = _("%(name)s is no longer in %(team)s.") % facts
    return asked or run_action(request, lambda: remove_member(request.actor, entry, place, name, now), done, back)


@event_view("entry.needs", "POST")
def fix_entry_table(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/fixed-table/: the table that a player needs, or none any more."""
    entry, now = find_entry(tournament, number), database_now()
    form = _table_form(entry, request.POST)

    def act() -> object:
        return fix_table(request.actor, entry, form.cleaned_data["fixed_table"], now)

    return _send(request, entry, "table_form", form, act, _("Saved. Only staff and the player see it."), "needs")


@event_view("entry.needs", "POST")
def note_entry_needs(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/needs/: what a player needs of the place, the slips and the clock."""
    entry, now = find_entry(tournament, number), database_now()
    form = _needs_form(entry, request.POST)

    def act() -> object:
        return note_needs(request.actor, entry, now=now, **form.cleaned_data)

    return _send(request, entry, "needs_form", form, act, _("Saved. The players don't see it."), "needs")


@event_view("entry.needs", "POST")
def keep_entry_apart(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/apart/: never pair two players."""
    entry, form, now = find_entry(tournament, number), ApartForm(request.POST, tournament=tournament), database_now()

    def act() -> object:
        return keep_apart(request.actor, entry, form.cleaned_data["other"], form.cleaned_data["reason"], now)

    return _send(request, entry, "apart_form", form, act, _("Saved. The players don't see it."), "needs")


@event_view("entry.needs", "POST")
def let_entry_meet(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/apart/remove/: the two may meet again."""
    entry, now = find_entry(tournament, number), database_now()
    other = find_entry(tournament, posted_number(request, "other") or 0)
    done, back = _("These two can meet again."), _address(tournament, entry, "needs")
    return run_action(request, lambda: let_meet(request.actor, entry, other, now), done, back)


@event_view("entry.byes", "POST")
def award_entry_byes(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/byes/: byes in rounds to come."""
    entry, form, now = find_entry(tournament, number), ByesForm(request.POST), database_now()
    done = _("Byes of %(name)s saved.") % {"name": entry.name}

    def act() -> object:
        return award_byes(request.actor, entry, form.cleaned_data["rounds"], now)

    return _send(request, entry, "byes_form", form, act, done, "byes")


@event_view("entry.byes", "POST")
def take_entry_bye_back(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/entries/<number>/byes/remove/: no bye in that round after all."""
    entry, round_number, now = find_entry(tournament, number), posted_number(request, "round") or 0, database_now()
    done = _("%(name)s has no bye in round %(number)d.") % {"name": entry.name, "number": round_number}
    back = _address(tournament, entry, "byes")
    return run_action(request, lambda: take_bye_back(request.actor, entry, round_number, now), done, back)
