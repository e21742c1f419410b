"""Members of teams: added by staff, joined by the team's link, corrected, taken out."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import create_person, revoke_personal_links
from accounts.models import Person, PushSubscription
from decks.services.own_decks import delete_deck
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.decks.selectors.registered import LEFT, about_member
from tournaments.entries.selectors.entries import find_member, plays_in_teams, takes_sign_ups
from tournaments.entries.selectors.teams import team_of_token
from tournaments.entries.services.attendance import OPEN_STATES, expect_entry_state, lock_entry
from tournaments.entries.services.desk_entries import BEFORE_START, check_opponents, linkable_person
from tournaments.entries.services.entries import MAX_MEMBERS, clean_name, former_entries, rename_entry
from tournaments.models import DeckCheck, Entry, EntryMember, JudgeCall, Tournament
from tournaments.permissions import acting_role, check_scope

State = Entry.State


@in_transaction
def add_member(actor: Actor, entry: Entry, name: str, now: datetime) -> EntryMember:
    """One more member of an entry, typed by staff before the start: a new person, last in order.

    Raises DomainError "bad_name", "too_many_members", "wrong_state".
    """
    tournament, entry = lock_entry(entry, *BEFORE_START)
    return _add_member(actor, tournament, entry, create_person(clean_name(name), now=now), now)


@in_transaction
def join_team(actor: Actor, tournament: Tournament, token: str, person: Person, now: datetime) -> EntryMember:
    """Join the team of a player who gave you its link, while registration is open; also after withdrawing.

    Raises NotFound "unknown_team" as `team_of_token` does, Conflict "entered_already", DomainError
    "registration_closed", "no_teams", "too_many_members".
    """
    check_scope(actor, tournament)
    lock_tournament(tournament)  # first, as a member who is removed at this moment ends the link
    tournament, entry = lock_entry(team_of_token(tournament, token), *OPEN_STATES)
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
    log_act(tournament, "entry.member_changed", actor, now, _about(entry, order, person), names)
    return person


@in_transaction
def remove_member(actor: Actor, entry: Entry, order: int, name: str, now: datetime) -> Entry:
    """Take the member of this place and `name` out of an entry before the start; those behind move up by one.

    The leaver's links to the event end, so does the team's link, and of a guest without another event neither contact
    data nor decks stay. A team that bears the leaver's name, and chose none, is called as its first member now. Raises
    DomainError "wrong_state", NotFound "no_member"; Conflict "other_member" where another one has this place by now,
    "last_member", "entry_paired", "entry_on_record".
    """
    tournament, entry = lock_entry(entry, *BEFORE_START)
    member = find_member(entry, order)
    person = member.person
    if person.name != name:
        text = _("%(name)s has this place in the team now. Look at the members again.")
        raise Conflict("other_member", text % {"name": person.name})
    _expect_removable(entry)
    member.delete()
    moved = list(entry.members.select_related("entry", "person").filter(order__gt=order).order_by("order"))
    for each in moved:
        each.order -= 1
        each.save(update_fields=["order"])
    revoke_personal_links(person, actor, now, scope=tournament.stream)
    _forget_guest(actor, tournament, person, now)
    _name_after_first(actor, tournament, entry, name, now)
    log_act(tournament, LEFT, actor, now, _about(entry, order, person), {"name": name})
    for each in moved:
        _log_deck_of_new_place(actor, tournament, each, now)
    return entry


def _about(entry: Entry, place: int, person: Person) -> dict[str, int | str]:
    """The subjects of an act about a member; with the person, whose erasure finds the names beside it."""
    return {"entry": entry.number, "place": place, "person": person.pk}


def _expect_removable(entry: Entry) -> None:
    if entry.members.count() == 1:
        raise Conflict("last_member", _("This is the only member. Withdraw the entry instead."))
    about = {"name": entry.name}
    if entry.seats.exists():
        raise Conflict("entry_paired", _("%(name)s has been paired, so its members stay.") % about)
    checked, called = DeckCheck.objects.filter(member__entry=entry), JudgeCall.objects.filter(member__entry=entry)
    if checked.exists() or called.exists() or entry.penalties.exists():
        text = _("%(name)s has a deck check, a judge call or a penalty on record, so its members stay.")
        raise Conflict("entry_on_record", text % about)


def _forget_guest(actor: Actor, tournament: Tournament, person: Person, now: datetime) -> None:
    """Keep of a guest who is in no event any more only the name, by which the log says who acted.

    No link leads to their decks, and they have no event whose end would remove their contact data (`remove_contacts`).
    """
    if person.user_id is not None or person.memberships.exists():
        return
    PushSubscription.objects.filter(person=person).delete()
    person.email, person.mails_pairings, person.language = "", False, ""
    person.save(update_fields=["email", "mails_pairings", "language"])
    for deck in person.decks.all():
        delete_deck(actor, deck, now, even_registered=True, role=acting_role(actor, tournament))


def _name_after_first(actor: Actor, tournament: Tournament, entry: Entry, leaver: str, now: datetime) -> None:
    """Whoever signs up without a name for the team gives it their own; with them it goes."""
    names = list(entry.members.order_by("order").values_list("person__name", flat=True))
    if entry.name == leaver != entry.team and leaver not in names:
        rename_entry(actor, tournament, entry, names[0], now)


def _log_deck_of_new_place(actor: Actor, tournament: Tournament, member: EntryMember, now: datetime) -> None:
    """Log the deck under the place it has now: a log is read by the last act of each place."""
    if member.deck_version_id is None:
        return
    subjects: dict[str, int | str] = {**about_member(member), "version": member.deck_version_id}
    if member.deck_commitment:
        subjects["commitment"] = member.deck_commitment
    log_act(tournament, "deck.registered", actor, now, {**subjects, "was": member.order + 1})
