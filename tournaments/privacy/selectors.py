"""Everything that is held on one account, as plain values.

What names others, what staff keep to themselves and keys of any kind stay out: LEFT_OUT says why.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Model, Q, QuerySet

from accounts.models import Person, PersonalLink, PushSubscription, TokenNote, User
from decks.models import CardList, Deck, DeckVersion, HouseFormat, Recheck
from journal.models import LedgerEntry
from scoring.models import SheetRevision, SheetSignature
from tournaments.models import (
    Announcement,
    AwardedBye,
    DeckCheck,
    DeckPlacement,
    DoorClaim,
    DoorCode,
    Entry,
    EntryMember,
    GameRating,
    JudgeCall,
    League,
    PairingChange,
    Penalty,
    ReportAct,
    ResultReport,
    Role,
    Round,
    Seat,
    SeatResult,
    StackOrder,
    StaffInvite,
    TableCode,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose data it is: the account, its persons, their places at events, and what the log calls them."""

    user: User
    persons: Sequence[int]
    members: Sequence[int]
    entries: Sequence[int]
    keys: Sequence[str]


def holder_of(user: User) -> Holder:
    """The account with everything that leads to its data."""
    persons = list(Person.objects.filter(user=user).order_by("pk").values_list("pk", flat=True))
    members = EntryMember.objects.filter(person__in=persons).order_by("pk")
    keys = [f"user:{user.pk}", *(f"person:{pk}" for pk in persons)]
    rows = list(members.values_list("pk", "entry"))
    return Holder(user, persons, [pk for pk, _entry in rows], [entry for _pk, entry in rows], keys)


@dataclass(frozen=True, slots=True)
class Part:
    """One list of the export: whose rows, and which of their fields."""

    model: type[Model]
    wanted: Callable[[Holder], Q]
    fields: tuple[str, ...]

    def rows(self, holder: Holder) -> list[dict[str, Any]]:
        """The rows, eldest first."""
        found: QuerySet[Model] = self.model._default_manager.filter(self.wanted(holder))
        return list(found.order_by("pk").values(*self.fields))


def _of_user(field: str = "user") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{field: holder.user.pk})


def _of_persons(field: str = "person") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{f"{field}__in": holder.persons})


def _of_members(field: str = "member") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{f"{field}__in": holder.members})


def _of_entries(field: str = "entry") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{f"{field}__in": holder.entries})


def _by(field: str = "actor") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{f"{field}__in": holder.keys})


def _seated(prefix: str = "") -> Callable[[Holder], Q]:
    """The own seats in rounds that everybody may know of."""
    shown = ~Q(**{f"{prefix}round__state": Round.State.PAIRED})
    return lambda holder: Q(**{f"{prefix}entry__in": holder.entries}) & shown


EVENT, ROUND_EVENT = "tournament__slug", "round__stage__tournament__slug"
MATCH = ("match__round__stage__tournament__slug", "match__round__number", "match__table_number")
PARTS: Mapping[str, Part] = {
    "account": Part(User, lambda holder: Q(pk=holder.user.pk), (
        "username", "name", "first_name", "last_name", "email", "date_joined", "last_login", "is_staff",
        "shows_profile", "is_confirmed")),
    "mail_addresses": Part(EmailAddress, _of_user(), ("email", "verified", "primary")),
    "second_factors": Part(Authenticator, _of_user(), ("type", "created_at", "last_used_at")),
    "api_tokens": Part(TokenNote, _of_user("token__user"), (
        "name", "scope", "event", "ends_with", "token__created", "token__expiry", "last_used_at")),
    "persons": Part(Person, _of_user(), (
        "public_id", "name", "email", "mails_pairings", "language", "created_at", "linked_at", "erased_at")),
    "personal_links": Part(PersonalLink, _of_persons(), ("scope", "created_at", "expires_at", "revoked_at")),
    "links_issued": Part(PersonalLink, _of_user("issued_by"), ("scope", "created_at", "expires_at", "revoked_at")),
    "push_subscriptions": Part(PushSubscription, _of_persons(), ("endpoint", "language", "created_at")),
    "events_created": Part(Tournament, _of_user("created_by"), ("slug", "name", "place", "starts_at", "created_at")),
    "roles": Part(Role, _of_user(), (EVENT, "name", "granted_at")),
    "invitations": Part(StaffInvite, _of_user("accepted_by"), (EVENT, "role", "accepted_at")),
    "table_codes": Part(TableCode, _of_user("issued_by"), (EVENT, "table_number", "valid_from", "revoked_at")),
    "door_codes": Part(DoorCode, _of_user("issued_by"), (EVENT, "created_at", "revoked_at")),
    "leagues": Part(League, _of_user("organisers"), ("slug", "name", "created_at")),
    "entries": Part(Entry, lambda holder: Q(pk__in=holder.entries), (
        EVENT, "number", "name", "club", "team", "fixed_table", "needs", "extra_minutes", "state", "registered_at",
        "checked_in_at", "dropped_after")),
    "places": Part(EntryMember, lambda holder: Q(pk__in=holder.members), (
        EVENT, "entry__number", "person__public_id", "deck_version__public_id", "deck_registered_at",
        "deck_commitment", "deck_salt")),
    "byes": Part(AwardedBye, _of_entries(), ("entry__tournament__slug", "round_number")),
    "claims_at_the_door": Part(DoorClaim, _of_members(), ("created_at", "declined_at", "taken_at")),
    "matches": Part(Seat, _seated(), (ROUND_EVENT, "round__number", "match__table_number", "order", "match__state")),
    "results": Part(SeatResult, _seated("seat__"), (
        "seat__round__stage__tournament__slug", "seat__round__number", "report__number", "report__kind",
        "report__reported_at", "outcome", "games_won", "placing", "score")),
    "reports": Part(ResultReport, _by(), (
        *MATCH, "number", "kind", "games_drawn", "games", "role", "actor_label", "reason", "reported_at")),
    "acts_on_reports": Part(ReportAct, _by(), ("report__number", "name", "role", "actor_label", "reason", "acted_at")),
    "pairing_changes": Part(PairingChange, _by(), (
        ROUND_EVENT, "round__number", "kind", "reason", "actor_label", "made_at")),
    "penalties": Part(Penalty, _of_entries(), (EVENT, "kind", "infraction", "given_at", "taken_back_at")),
    "penalties_given": Part(Penalty, _by(), (
        EVENT, "entry__number", "kind", "infraction", "notes", "actor_label", "given_at", "taken_back_at")),
    "calls": Part(JudgeCall, _of_members(), (*MATCH, "kind", "note", "state", "called_at", "ended_at")),
    "calls_answered": Part(JudgeCall, _of_user("judge"), (*MATCH, "kind", "outcome", "claimed_at", "ended_at")),
    "deck_checks": Part(DeckCheck, _of_members(), (EVENT, "outcome", "checked_at")),
    "deck_checks_made": Part(DeckCheck, _of_user("judge"), (EVENT, "outcome", "notes", "checked_at")),
    "announcements": Part(Announcement, _by(), (EVENT, "text", "is_urgent", "actor_label", "posted_at")),
    "decks": Part(Deck, _of_persons("owner"), ("public_id", "game", "format", "name", "created_at", "hidden_at")),
    "deck_versions": Part(DeckVersion, _of_persons("deck__owner"), (
        "public_id", "deck__public_id", "number", "entries", "source_text", "created_at", "frozen_at")),
    "planned_stacks": Part(StackOrder, _of_members(), ("game", "cards", "saved_at")),
    "placed_decks": Part(DeckPlacement, _by(), (*MATCH, "game", "role", "placed_at")),
    "house_formats": Part(HouseFormat, _of_user("owner"), ("slug", "game", "base", "name", "created_at")),
    "card_lists": Part(CardList, _of_user("announced_by"), ("slug", "game", "format", "name", "announced_at")),
    "rechecks": Part(Recheck, _of_user("requested_by"), ("public_id", "total", "requested_at", "finished_at")),
    "sheets_filed": Part(SheetRevision, _by("filed_by"), ("sheet__key", "number", "filed_label", "filed_at")),
    "sheets_signed": Part(SheetSignature, _by(), ("revision__sheet__key", "place", "actor_label", "signed_at")),
    "ratings": Part(GameRating, _of_persons(), ("game", "mu", "sigma", "matches", "rated_at")),
    "log": Part(LedgerEntry, _by(), ("stream", "sequence", "at", "role", "act", "subjects")),
}  # fmt: skip
"""The lists of the export by name."""
LEFT_OUT: Mapping[str, str] = {
    "admin.LogEntry": "what site admins did; a site admin's own rights end before the account is erased",
    "knox.AuthToken": "keys; api_tokens tells of each",
    "tournaments.KeptApart": "who is kept apart from another player, which judges alone know",
    "tournaments.LeaguePlayer": "an organiser's word that two persons are one",
    "tournaments.Amendment": "moves of the standings; the result that caused one is there",
}
"""Rows that lead to an account and are in no part, by model, and why."""


def held_on(user: User) -> dict[str, list[dict[str, Any]]]:
    """Everything that is held on an account, by part."""
    holder = holder_of(user)
    return {name: part.rows(holder) for name, part in PARTS.items()}


def names_of(holder: Holder, earlier: Iterable[str] = ()) -> frozenset[str]:
    """What the account is or was called anywhere; of a team only its members' names, and of no single letter."""
    found = {holder.user.name, holder.user.username, holder.user.first_name, holder.user.last_name, *earlier}
    found |= set(Person.objects.filter(pk__in=holder.persons).values_list("name", flat=True))
    alone = Entry.objects.filter(pk__in=holder.entries).exclude(members__order__gt=1)
    for name, number in alone.values_list("name", "number"):
        found |= {name, f"{name} #{number}"}
    return frozenset(name for name in found if len(name) > 1)
