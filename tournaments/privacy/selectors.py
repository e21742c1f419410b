"""Everything that is held on one account, or on a player without one, as plain values.

What names others, what staff keep to themselves and keys of any kind stay out: LEFT_OUT says why.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import F, Model, Q, QuerySet
from django.utils.translation import gettext as _
from rules import test_rule

from accounts.actors import Actor
from accounts.identity.selectors import masked
from accounts.models import Person, PersonalLink, PushSubscription, TokenNote, User
from decks.models import CardList, Deck, DeckVersion, HouseFormat, Recheck
from decks.permissions import RIVALS_LINK, decks_of, may_see_version
from journal.models import LedgerEntry
from rules_engine.errors import NotAllowed
from scoring.models import SheetRevision, SheetSignature
from tournaments.decks.selectors.registered import LEFT
from tournaments.models import (
    Announcement,
    AwardedBye,
    ClientCode,
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
    """Whose data it is: an account, or None for a guest; its persons, their places at events, what the log calls them.

    Of decks only what the reader may open: `decks` and `versions` by id, and what is no older than the personal link
    that reads it, made at `since`.
    """

    user: User | None
    persons: Sequence[int]
    members: Sequence[int]
    entries: Sequence[int]
    keys: Sequence[str]
    decks: Sequence[int] = ()
    versions: Sequence[int] = ()
    since: datetime | None = None


def holder_of(user: User) -> Holder:
    """The account with everything that leads to its data, but for decks."""
    persons = list(Person.objects.filter(user=user).order_by("pk").values_list("pk", flat=True))
    return _holder(user, persons)


def holder_of_guest(person: Person) -> Holder:
    """The same of a player without an account."""
    return _holder(None, [person.pk])


def _holder(user: User | None, persons: list[int]) -> Holder:
    members = EntryMember.objects.filter(person__in=persons).order_by("pk")
    keys = [f"user:{user.pk}"] if user is not None else []
    rows = list(members.values_list("pk", "entry"))
    entries = [entry for _pk, entry in rows]
    return Holder(user, persons, [pk for pk, _entry in rows], entries, [*keys, *(f"person:{pk}" for pk in persons)])


def events_of(holder: Holder) -> set[int]:
    """The events where the holder played, was in a team or helped; those that came in as a file never change."""
    left = LedgerEntry.objects.filter(act=LEFT, subjects__person__in=holder.persons).values("stream")
    own = Q(entries__in=holder.entries) | Q(stream__in=left)
    if holder.user is not None:
        own |= Q(roles__user=holder.user) | Q(created_by=holder.user)
    return set(Tournament.objects.filter(own, is_brought=False).values_list("pk", flat=True))


def check_link(actor: Actor) -> None:
    """Pass for accounts, and for a link that speaks for its person whole; NotAllowed "issuer_plays", "other_event".

    Who made a link could act by it, and an opponent is to read and to erase nothing.
    """
    if test_rule(RIVALS_LINK, actor):
        raise NotAllowed(
            "issuer_plays", _("The person who created your personal link plays too. Sign in with an account for this.")
        )
    places = EntryMember.objects.filter(person=actor.person)
    if actor.link_scope and places.exclude(tournament__stream=actor.link_scope).exists():
        text = _("Your link is for one event, and you played in others too. Sign in with an account for this.")
        raise NotAllowed("other_event", text)


def _reader(actor: Actor) -> Holder:
    """The actor as the holder of what they may read."""
    if actor.user is not None:
        holder = holder_of(actor.user)
    elif actor.person is not None:
        check_link(actor)
        holder = replace(holder_of_guest(actor.person), since=actor.link_issued_at)
    else:
        raise NotAllowed("sign_in", _("Please sign in first."))
    decks = decks_of(actor, even_hidden=True)
    versions = DeckVersion.objects.filter(deck__in=decks).defer("entries", "source_text").select_related("deck__owner")
    own = [each.pk for each in versions if may_see_version(actor, each)]
    return replace(holder, decks=[each.pk for each in decks], versions=own)


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


NOTHING = Q(pk__in=())


def _of_user(field: str = "user") -> Callable[[Holder], Q]:
    """Rows of the account; a guest has none, and a row without an account is not theirs."""
    return lambda holder: NOTHING if holder.user is None else Q(**{field: holder.user.pk})


def _of_persons(field: str = "person") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{f"{field}__in": holder.persons})


def _of_members(holder: Holder) -> Q:
    return Q(member__in=holder.members)


def _of_decks(field: str) -> Callable[[Holder], Q]:
    """Rows about the decks of places at events, no older than the link, or the taking over, by which they are read."""

    def wanted(holder: Holder) -> Q:
        own = Q(member__in=holder.members)
        if holder.since is not None:
            return own & Q(**{f"{field}__gte": holder.since})
        linked = "member__person__linked_at"
        return own & (Q(**{linked: None}) | Q(**{f"{field}__gte": F(linked)}))

    return wanted


def _of_entries(holder: Holder) -> Q:
    return Q(entry__in=holder.entries)


def _by(field: str = "actor") -> Callable[[Holder], Q]:
    return lambda holder: Q(**{f"{field}__in": holder.keys})


def _seated(prefix: str = "") -> Callable[[Holder], Q]:
    """The person's seats in rounds that everybody may know of."""
    shown = ~Q(**{f"{prefix}round__state": Round.State.PAIRED})
    return lambda holder: Q(**{f"{prefix}entry__in": holder.entries}) & shown


EVENT, ROUND_EVENT = "tournament__slug", "round__stage__tournament__slug"
MATCH = ("match__round__stage__tournament__slug", "match__round__number", "match__table_number")
PARTS: Mapping[str, Part] = {
    "account": Part(User, _of_user("pk"), (
        "username", "name", "first_name", "last_name", "email", "date_joined", "last_login", "is_staff",
        "shows_profile", "is_confirmed")),
    "mail_addresses": Part(EmailAddress, _of_user(), ("email", "verified", "primary")),
    "second_factors": Part(Authenticator, _of_user(), ("type", "created_at", "last_used_at")),
    "api_tokens": Part(TokenNote, _of_user("token__user"), (
        "name", "scope", "event", "ends_with", "token__created", "token__expiry", "last_used_at")),
    "persons": Part(Person, _of_persons("pk"), (
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
        "deck_commitment")),
    "deck_salts": Part(EntryMember, lambda holder: Q(pk__in=holder.members, deck_version__in=holder.versions), (
        EVENT, "entry__number", "deck_salt")),
    "byes": Part(AwardedBye, _of_entries, ("entry__tournament__slug", "round_number")),
    "claims_at_the_door": Part(DoorClaim, _of_members, ("created_at", "declined_at", "taken_at")),
    "matches": Part(Seat, _seated(), (ROUND_EVENT, "round__number", "match__table_number", "order", "match__state")),
    "results": Part(SeatResult, _seated("seat__"), (
        "seat__round__stage__tournament__slug", "seat__round__number", "report__number", "report__kind",
        "report__reported_at", "outcome", "games_won", "placing", "score")),
    "reports": Part(ResultReport, _by(), (
        *MATCH, "number", "kind", "games_drawn", "games", "role", "actor_label", "reason", "reported_at")),
    "acts_on_reports": Part(ReportAct, _by(), ("report__number", "name", "role", "actor_label", "reason", "acted_at")),
    "client_codes": Part(ClientCode, lambda holder: _of_user()(holder) | _of_persons("link__person")(holder), (
        *MATCH, "created_at", "used_at", "replay_name", "replay_bytes")),
    "pairing_changes": Part(PairingChange, _by(), (
        ROUND_EVENT, "round__number", "kind", "reason", "actor_label", "made_at")),
    "penalties": Part(Penalty, _of_entries, (EVENT, "kind", "infraction", "given_at", "taken_back_at")),
    "penalties_given": Part(Penalty, _by(), (
        EVENT, "entry__number", "kind", "infraction", "notes", "actor_label", "given_at", "taken_back_at")),
    "calls": Part(JudgeCall, _of_members, (*MATCH, "kind", "note", "state", "called_at", "ended_at")),
    "calls_answered": Part(JudgeCall, _of_user("judge"), (*MATCH, "kind", "outcome", "claimed_at", "ended_at")),
    "deck_checks": Part(DeckCheck, _of_decks("checked_at"), (EVENT, "outcome", "checked_at")),
    "deck_checks_made": Part(DeckCheck, _of_user("judge"), (EVENT, "outcome", "notes", "checked_at")),
    "announcements": Part(Announcement, _by(), (EVENT, "text", "is_urgent", "actor_label", "posted_at")),
    "decks": Part(Deck, lambda holder: Q(pk__in=holder.decks), (
        "public_id", "game", "format", "name", "created_at", "hidden_at")),
    "deck_versions": Part(DeckVersion, lambda holder: Q(pk__in=holder.versions), (
        "public_id", "deck__public_id", "number", "entries", "source_text", "created_at", "frozen_at")),
    "planned_stacks": Part(StackOrder, _of_decks("saved_at"), ("game", "cards", "saved_at")),
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


BY_LINK = "whole mail addresses, browsers that are notified, and decks older than the link: who made it could open it"


def held_on(actor: Actor) -> dict[str, Any]:
    """Everything that is held on who acts, by part, and under `left_out` what is not there and why.

    Raises NotAllowed as `check_link` does.
    """
    holder = _reader(actor)
    held: dict[str, Any] = {name: part.rows(holder) for name, part in PARTS.items()}
    if actor.user is not None:
        return {**held, "left_out": LEFT_OUT}
    for row in held["persons"]:
        row["email"] = masked(row["email"]) if row["email"] else ""
    for row in held["push_subscriptions"]:
        del row["endpoint"]
    return {**held, "left_out": {**LEFT_OUT, "personal link": BY_LINK}}
