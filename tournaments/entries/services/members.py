"""Members of teams: added by staff, joined by the team's link, corrected."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import create_person
from accounts.models import Person
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import log_act
from tournaments.entries.selectors.entries import plays_in_teams, takes_sign_ups
from tournaments.entries.services.attendance import OPEN_STATES, expect_entry_state, lock_entry
from tournaments.entries.services.desk_entries import check_opponents, linkable_person
from tournaments.entries.services.entries import MAX_MEMBERS, clean_name, former_entries
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import check_scope

State = Entry.State


@in_transaction
def add_member(actor: Actor, entry: Entry, name: str, now: datetime) -> EntryMember:
    """One more member of an entry, typed by staff before the start: a new person, last in order.

    Raises DomainError "bad_name", "too_many_members", "wrong_state".
    """
    tournament, entry = lock_entry(entry, Tournament.State.DRAFT, Tournament.State.REGISTRATION)
    return _add_member(actor, tournament, entry, create_person(clean_name(name), now=now), now)


@in_transaction
def join_team(actor: Actor, entry: Entry, person: Person, now: datetime) -> EntryMember:
    """Join the team of a player who gave you its link, while registration is open; also after withdrawing.

    Raises Conflict "entered_already", DomainError "registration_closed", "no_teams", "too_many_members".
    """
    check_scope(actor, entry.tournament)
    tournament, entry = lock_entry(entry, *OPEN_STATES)
    if not takes_sign_ups(tournament):
        raise DomainError("registration_closed", _("Registration for this event isn't open."))
    if not plays_in_teams(tournament):
        raise DomainError("no_teams", _("This event is not played in teams."))
    expect_entry_state(entry, State.REGISTERED, State.WAITING)
    former_entries(tournament, person)
    return _add_member(actor, tournament, entry, person, now)


def _add_member(actor: Actor, tournament: Tournament, entry: Entry, person: Person, now: datetime) -> EntryMember:
    held = entry.members.count()
    if held >= MAX_MEMBERS:
        raise DomainError("too_many_members", _("A team has at most %(most)d members.") % {"most": MAX_MEMBERS})
    member = EntryMember.objects.create(entry=entry, tournament=tournament, person=person, order=held + 1)
    subjects: dict[str, int | str] = {"entry": entry.number, "members": held + 1}
    log_act(tournament, "entry.member_added", actor, now, subjects, {"name": person.name})
    return member


@in_transaction
def change_member(
    actor: Actor, entry: Entry, order: int, now: datetime, *, name: str | None = None, email: str | None = None
) -> Person:
    """Correct the name or the email of an entry's member in this place; None leaves each as it is.

    The member keeps their deck and their personal link. Mails of rounds end: nobody confirmed the new address. Where
    links are mailed is refused as a link itself is, see `issue_entry_link`. NotFound "no_member"; DomainError
    "bad_name", "wrong_state", "has_account", "erased"; Conflict "plays_elsewhere" for a person of other events too;
    NotAllowed "own_opponent".
    """
    tournament, entry = lock_entry(entry, *OPEN_STATES)
    person = Person.objects.select_for_update().get(pk=linkable_person(entry, order).pk)
    before = {"name": person.name, "email": person.email}
    wanted = {"name": name if name is None else clean_name(name), "email": email}
    changed = {key: value for key, value in wanted.items() if value is not None and value != before[key]}
    if not changed:
        return person
    if person.memberships.exclude(tournament=tournament).exists():
        text = _("%(name)s plays in other events too and can't be changed here.") % {"name": person.name}
        raise Conflict("plays_elsewhere", text)
    if "email" in changed:
        check_opponents(actor, tournament, entry)
        person.mails_pairings = False  # nobody confirmed the new address
    person.name, person.email = changed.get("name", person.name), changed.get("email", person.email)
    person.save(update_fields=["name", "email", "mails_pairings"])
    names = {"before": before["name"], "name": person.name} if "name" in changed else {}
    log_act(tournament, "entry.member_changed", actor, now, {"entry": entry.number, "place": order}, names)
    return person
