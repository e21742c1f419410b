"""Who takes part: walk-ins, sign-up, clubs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from unicodedata import normalize

from django.db.models import Max, Q
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import create_people
from accounts.models import Person
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.entries.selectors.entries import free_places, plays_in_teams
from tournaments.entries.services.attendance import (
    OPEN_STATES,
    check_field_is_open,
    lock_entry,
    next_round_number,
    take_back,
)
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import check_scope

State = Entry.State
MAX_AT_ONCE = 5000
MAX_MEMBERS = 6
MAX_LETTERS = Entry._meta.get_field("name").max_length or 0
MAX_OF_MATES = Entry._meta.get_field("club").max_length or 0
JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))
"""Invisible, yet part of how Persian and Indic names are spelt."""
SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """One person to enter, or a team with the names of its `members`, who then share one seat and one total.

    Whoever writes the same `club` or `team` are mates. The `email` is the first member's.
    """

    name: str
    club: str = ""
    email: str = ""
    team: str = ""
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Newcomer:
    name: str
    people: tuple[Person, ...]
    club: str = ""
    team: str = ""


@in_transaction
def register_walk_ins(actor: Actor, tournament: Tournament, drafts: Sequence[EntryDraft], now: datetime) -> list[Entry]:
    """Enter people and teams typed or imported by staff, everybody a new person, in the order given.

    Above the capacity they go on the waiting list. While the event runs they enter from the next round on.
    """
    if not 1 <= len(drafts) <= MAX_AT_ONCE:
        raise DomainError("bad_count", _("Enter between 1 and %(most)d people at once.") % {"most": MAX_AT_ONCE})
    named = [(clean_name(draft.name), _clean_members(draft.members)) for draft in drafts]
    tournament = _open_for_entries(tournament)
    seated = [members or (name,) for name, members in named]
    mails = (
        (name, draft.email if place == 0 else "")
        for draft, names in zip(drafts, seated, strict=True)
        for place, name in enumerate(names)
    )
    people = iter(create_people(mails, now=now))  # in few statements: an event's lock, on SQLite everybody's, is held
    newcomers = [
        _Newcomer(name, tuple(islice(people, len(names))), draft.club, draft.team)
        for draft, (name, _members), names in zip(drafts, named, seated, strict=True)
    ]
    return _enter(actor, tournament, newcomers, now)


def _clean_members(names: Sequence[str]) -> tuple[str, ...]:
    """The names of a team's members as stored; DomainError "bad_name", "too_many_members"."""
    if len(names) > MAX_MEMBERS:
        raise DomainError("too_many_members", _("A team has at most %(most)d members.") % {"most": MAX_MEMBERS})
    return tuple(clean_name(name) for name in names)


@in_transaction
def sign_up(
    actor: Actor,
    tournament: Tournament,
    person: Person,
    now: datetime,
    *,
    club: str = "",
    team: str = "",
    at_door: bool = False,
) -> Entry:
    """Enter oneself while registration is open; again after withdrawing (Conflict "entered_already" otherwise).

    An entry that was the player's only comes back; a withdrawn team does not, the player gets an entry of their own.
    `at_door` by the code that staff hung up there, also where players do not sign up from home.
    """
    check_scope(actor, tournament)
    tournament = lock_tournament(tournament)
    if tournament.state != Tournament.State.REGISTRATION or not (tournament.self_sign_up or at_door):
        raise DomainError("registration_closed", _("Registration for this event isn't open."))
    former = [entry for entry in former_entries(tournament, person) if entry.members.count() == 1]
    called = mates_name(team) if plays_in_teams(tournament) else ""
    if not former:
        name = called or person.name
        return _enter(actor, tournament, [_Newcomer(name, (person,), club, team)], now)[0]
    former[0].registered_at = now
    former[0].club, former[0].team = mates_name(club), mates_name(team)
    former[0].save(update_fields=["club", "team"])
    if called and called != former[0].name:
        rename_entry(actor, tournament, former[0], called, now)
    return take_back(actor, tournament, former[0], _free_states(tournament, 1)[0], now)


def former_entries(tournament: Tournament, person: Person) -> list[Entry]:
    """What `entries_of_account` finds where all of it has withdrawn; Conflict "entered_already" otherwise."""
    former = entries_of_account(tournament, person)
    if any(entry.state != State.WITHDRAWN for entry in former):
        raise Conflict("entered_already", _("You are already entered."))
    return former


def entries_of_account(tournament: Tournament, person: Person) -> list[Entry]:
    """Entries of a person and of everybody else who is the same account (walk-ins it took over), theirs first."""
    same = Q(members__person=person)
    if person.user_id is not None:
        same |= Q(members__person__user=person.user_id)
    own = set(EntryMember.objects.filter(tournament=tournament, person=person).values_list("entry", flat=True))
    return sorted(tournament.entries.filter(same).distinct(), key=lambda entry: (entry.pk not in own, entry.number))


def clean_name(name: str) -> str:
    """A name as stored: single spaces, nothing unprintable, 1 to 120 characters; DomainError "bad_name" otherwise.

    Soft hyphens are dropped; the zero-width joiners of Persian and Indic spelling stay.
    """
    tidy = " ".join(name.replace(SOFT_HYPHEN, "").split())
    visible = tidy.translate(JOINERS)
    if not visible.strip() or len(tidy) > MAX_LETTERS or not visible.isprintable():
        shown = "".join(letter for letter in tidy[:40] if letter.isprintable())
        raise DomainError("bad_name", _("“%(name)s”: use 1 to 120 printable characters.") % {"name": shown})
    return tidy


def fitting(text: str, most: int) -> str:
    """Any text as single spaces and printable letters, cut to `most` with an ellipsis; it may come out empty."""
    kept = " ".join(text.split())
    kept = "".join(letter for letter in kept if letter.isprintable() or ord(letter) in JOINERS).strip()
    return kept if len(kept) <= most else f"{kept[: most - 1].rstrip()}…"


def mates_name(text: str) -> str:
    """A club or team as stored: composed letters, single spaces, printable, at most 80; it may come out empty."""
    return fitting(normalize("NFC", text), MAX_OF_MATES)


@in_transaction
def change_entry(
    actor: Actor, entry: Entry, now: datetime, *, name: str | None = None, club: str | None = None,
    team: str | None = None,
) -> Entry:  # fmt: skip
    """Correct the name of an entry, change its club or team; None leaves each as it is.

    The name changes everywhere at once, club and team count from the next round paired. Raises DomainError "bad_name",
    "wrong_state".
    """
    tournament, entry = lock_entry(entry, *OPEN_STATES)
    if name is not None and (name := clean_name(name)) != entry.name:
        rename_entry(actor, tournament, entry, name, now)
    wanted = {"club": club, "team": team}
    changed = {name: mates_name(text) for name, text in wanted.items() if text is not None}
    changed = {name: text for name, text in changed.items() if text != getattr(entry, name)}
    for name, text in changed.items():
        setattr(entry, name, text)
    if changed:
        entry.save(update_fields=list(changed))
        log_act(tournament, "entry.mates_changed", actor, now, {"entry": entry.number}, changed)
    return entry


def rename_entry(actor: Actor, tournament: Tournament, entry: Entry, name: str, now: datetime) -> None:
    """The log keeps both names; a person of this entry alone is called by the new one too."""
    before, entry.name = entry.name, name
    entry.save(update_fields=["name"])
    elsewhere = EntryMember.objects.exclude(entry=entry).values("person")
    own = Person.objects.filter(memberships__entry=entry, name=before, user=None).exclude(pk__in=elsewhere)
    own.update(name=name)
    log_act(tournament, "entry.renamed", actor, now, {"entry": entry.number}, {"before": before, "name": name})


def _open_for_entries(tournament: Tournament) -> Tournament:
    tournament = lock_tournament(tournament)
    if tournament.state not in OPEN_STATES:
        raise DomainError(
            "wrong_state",
            _("Entry is closed: the event is “%(state)s”.") % {"state": tournament.get_state_display()},
        )
    check_field_is_open(tournament)
    return tournament


def _free_states(tournament: Tournament, wanted: int) -> list[str]:
    """The state each of `wanted` new entries gets: registered while there is room and nobody waits, then waiting."""
    queued = tournament.entries.filter(state=State.WAITING).exists()
    room = 0 if queued else free_places(tournament)
    return [State.REGISTERED if room is None or place < room else State.WAITING for place in range(wanted)]


def _enter(actor: Actor, tournament: Tournament, newcomers: Sequence[_Newcomer], now: datetime) -> list[Entry]:
    highest = tournament.entries.aggregate(highest=Max("number"))["highest"] or 0
    states, first_round = _free_states(tournament, len(newcomers)), next_round_number(tournament)
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament, number=highest + place,
            name=fitting(newcomer.name, MAX_LETTERS) or _("someone"),
            club=mates_name(newcomer.club), team=mates_name(newcomer.team),
            state=state, registered_at=now, entered_round=first_round,
        )
        for place, (newcomer, state) in enumerate(zip(newcomers, states, strict=True), start=1)
    )  # fmt: skip
    EntryMember.objects.bulk_create(
        EntryMember(entry=entry, tournament=tournament, person=person, order=order)
        for entry, newcomer in zip(entries, newcomers, strict=True)
        for order, person in enumerate(newcomer.people, start=1)
    )
    subjects = {"first_entry": entries[0].number, "last_entry": entries[-1].number, "count": len(entries)}
    log_act(
        tournament, "entry.registered", actor, now, subjects, {f"name_{entry.number}": entry.name for entry in entries}
    )
    return entries
