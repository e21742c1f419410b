"""Erases an account, or a player without one: a pseudonym stands wherever the names stood.

No result, standing or log changes.

What the ledger commits to holds no name, so that its chain and the digests of contents stay whole.
See docs/how-it-works/trust.md#g2.
"""

import re
import secrets
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import partial

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q
from django.utils.translation import gettext as _
from django.utils.translation import override
from knox.models import AuthToken

from accounts.actors import Actor
from accounts.identity.selectors import STREAM
from accounts.models import Person, PersonalLink, PushSubscription, User
from decks.models import Deck
from decks.services.own_decks import delete_deck
from journal.ledger.contents import Row
from journal.ledger.erasing import erasing
from journal.ledger.services import erase_personal_values, record
from journal.models import IdempotencyKey, PersonalValue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotAllowed, NotFound
from scoring.models import SheetRevision, SheetSignature
from scoring.sheets.erasing import erase_names
from tournaments.core.contents import rows_of
from tournaments.core.ledger import lock_tournament_of
from tournaments.entries.services.entries import MAX_LETTERS, MAX_OF_MATES
from tournaments.events.services.staff import remove_role
from tournaments.models import (
    Amendment,
    Announcement,
    ClientCode,
    DeckCheck,
    Entry,
    JudgeCall,
    KeptApart,
    League,
    MatchSheet,
    PairingChange,
    Penalty,
    ReportAct,
    ResultReport,
    Role,
    StackOrder,
    Tournament,
)  # fmt: skip
from tournaments.permissions import OVER
from tournaments.privacy.erasure_notes import note_erasure
from tournaments.privacy.kept_by import what_to_leave
from tournaments.privacy.names import names_of
from tournaments.privacy.selectors import Holder, check_link, events_of, holder_of, holder_of_guest
from tournaments.rounds.selectors.histories import pseudonym

ERASED = "person.erased"
ERASED_NAME = "erased-"
"""What the name to sign in with begins with, once an account is erased."""
NAMES_OF_TEAM = {"name": MAX_LETTERS, "club": MAX_OF_MATES, "team": MAX_OF_MATES}
OF_MATCH, OF_ROUND = "match__round__stage__tournament", "round__stage__tournament"
LABELS: tuple[tuple[type[Model], str, str, str], ...] = (
    (ResultReport, OF_MATCH, "actor", "actor_label"),
    (ReportAct, f"report__{OF_MATCH}", "actor", "actor_label"),
    (PairingChange, OF_ROUND, "actor", "actor_label"),
    (Penalty, "tournament", "actor", "actor_label"),
    (Announcement, "tournament", "actor", "actor_label"),
)
"""Rows that say by name who acted: how they lead to their event, the key of the actor, and the name."""
TEXTS: tuple[tuple[type[Model], str, str], ...] = (
    (ResultReport, OF_MATCH, "reason"),
    (ReportAct, f"report__{OF_MATCH}", "reason"),
    (PairingChange, OF_ROUND, "reason"),
    (Penalty, "tournament", "notes"),
    (Penalty, "tournament", "taken_back_reason"),
    (DeckCheck, "tournament", "notes"),
    (JudgeCall, "tournament", "note"),
    (JudgeCall, "tournament", "outcome"),
    (KeptApart, "one__tournament", "reason"),
    (Amendment, "tournament", "reason"),
    (MatchSheet, OF_MATCH, "reason"),
    (Announcement, "tournament", "text"),
)
"""What people wrote, in which a name may stand."""


@in_transaction
def erase_account(user: User, actor: Actor, now: datetime) -> None:
    """Erase an account, its persons, contact data, keys and decks; its results stay under a pseudonym.

    Conflict "event_not_over" for who still plays in or organises an event that is not over, or alone runs a league
    that others could run; "site_admin" for a site admin, whose rights another one takes away first.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_staff or user.is_superuser:
        raise Conflict("site_admin", _("You are a site admin. Ask another site admin to remove that role first."))
    list(League.objects.select_for_update().filter(organisers=user).order_by("pk"))  # so that one organiser stays
    holder = holder_of(user)
    alias = _erase(holder, actor, now)
    for role in Role.objects.filter(user=user, tournament__moved_at=None).exclude(tournament__state__in=OVER):
        remove_role(actor, role, now)
    _erase_user(user, alias)
    record(STREAM, "person_erased", actor.key, _role_of(actor), now, {"user": user.pk})
    transaction.on_commit(partial(note_erasure, user.pk, user.date_joined, now))


@in_transaction
def erase_guest(person: Person, actor: Actor, now: datetime) -> None:
    """Erase a player without an account in the same way, with every personal link of theirs.

    Conflict "event_not_over" as for accounts; NotAllowed as `check_link` says; NotFound "unknown_link" for who was
    erased or got an account in the meantime.
    """
    check_link(actor)
    _erase(holder_of_guest(person), actor, now)
    record(STREAM, "person_erased", actor.key, _role_of(actor), now, {"person": person.pk, **actor.came_by})
    transaction.on_commit(partial(note_erasure, person.pk, person.created_at, now, of="person"))


def own_name(actor: Actor) -> str:
    """What who acts types to be erased: the name to sign in with, without an account the name they play under."""
    if actor.user is not None:
        return actor.user.get_username()
    return actor.person.name if actor.person is not None else ""


def erase_own(actor: Actor, now: datetime) -> None:
    """Erase who acts; raises what the two above raise, and NotAllowed "sign_in"."""
    if actor.user is not None:
        erase_account(actor.user, actor, now)
    elif actor.person is not None:
        erase_guest(actor.person, actor, now)
    else:
        raise NotAllowed("sign_in", _("Please sign in first."))


def _erase(holder: Holder, actor: Actor, now: datetime) -> str:
    """Erase everything but an account itself; answers the pseudonym."""
    if text := what_to_leave(holder):
        raise Conflict("event_not_over", text)
    events = events_of(holder)
    held = [lock_tournament_of(pk, even_moved=True) for pk in sorted(events)]
    locked = list(Person.objects.select_for_update().filter(pk__in=holder.persons).order_by("pk"))
    if holder.user is None and any(each.user_id or each.erased_at for each in locked):
        raise NotFound("unknown_link", _("This link isn't valid. Ask the organiser for a new one."))
    names, alias = names_of(holder), _alias_of(holder)
    with erasing(now):
        again = _erase_in_sheets(holder, names, alias)
        _erase_labels(holder, events, names, alias)
        _erase_in_texts(events, names, alias)
    _erase_entries(holder, names, alias)
    _erase_decks(holder, actor, alias, now)
    _erase_replays(holder)
    _forget_in_log(holder, held, names)
    _erase_people(holder, now)
    IdempotencyKey.objects.filter(scope__in=holder.keys).delete()
    for tournament in held:
        _log(tournament, holder, actor, again.get(tournament.pk, ()), now)
    return alias


def _role_of(actor: Actor) -> str:
    return "system" if actor.via == "command" else "self"


def _alias_of(holder: Holder) -> str:
    person = Person.objects.filter(pk__in=holder.persons).order_by("created_at", "pk").first()
    with override(settings.LANGUAGE_CODE):
        return pseudonym(person or Person())


def _erase_in_sheets(holder: Holder, names: Collection[str], alias: str) -> Mapping[int, list[Row]]:
    """By event, the rows of sheets that the ledger is to commit to again."""
    found: dict[int, list[Row]] = {}
    sheets = MatchSheet.objects.filter(match__seats__entry__in=holder.entries).select_related("sheet").distinct()
    for each in sheets.order_by("pk"):
        rows = erase_names(each.sheet, names, alias)
        found.setdefault(each.match.round.stage.tournament_id, []).extend(rows)
    SheetRevision.objects.filter(filed_by__in=holder.keys).update(filed_label=alias)
    SheetSignature.objects.filter(actor__in=holder.keys).update(actor_label=alias)
    return found


def _erase_labels(holder: Holder, events: Collection[int], names: Collection[str], alias: str) -> None:
    for model, way, key, label in LABELS:
        own = Q(**{f"{key}__in": holder.keys}) | Q(**{f"{way}__in": events, f"{label}__in": names})
        ids = list(model._default_manager.filter(own).values_list("pk", flat=True))
        model._default_manager.filter(pk__in=ids).update(**{label: alias})


def _words_of(names: Collection[str]) -> re.Pattern[str]:
    """Any of the names as whole words."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first) or '(?!)'})(?!\w)", re.IGNORECASE)  # of no name: nothing


def _erase_in_texts(events: Collection[int], names: Collection[str], alias: str) -> None:
    pattern = _words_of(names)
    for model, way, field in TEXTS:
        rows = model._default_manager.filter(**{f"{way}__in": events}).exclude(**{field: ""})
        for pk, text in rows.values_list("pk", field):
            if pattern.search(text):
                model._default_manager.filter(pk=pk).update(**{field: pattern.sub(alias, text)})


def _erase_entries(holder: Holder, names: Collection[str], alias: str) -> None:
    """Name the person's entries by the pseudonym; a team's name keeps all but the name of the holder."""
    entries = Entry.objects.filter(pk__in=holder.entries, tournament__is_brought=False)
    teams = list(entries.filter(members__order__gt=1).values_list("pk", flat=True))
    pattern = _words_of(names)
    for team in Entry.objects.filter(pk__in=teams):
        for field, most in NAMES_OF_TEAM.items():
            setattr(team, field, pattern.sub(alias, getattr(team, field))[:most])
        team.save(update_fields=[*NAMES_OF_TEAM])
    private = {"needs": [], "extra_minutes": 0, "fixed_table": None, "fixed_table_set_at": None}
    entries = entries.exclude(pk__in=teams)
    for stream, number in entries.values_list("tournament__stream", "number"):
        about = {"entry__act": "entry.mates_changed", "entry__subjects__entry": number}
        PersonalValue.objects.filter(entry__stream=stream, **about).delete()
    entries.update(name=alias, club="", team="", **private)


def _erase_decks(holder: Holder, actor: Actor, alias: str, now: datetime) -> None:
    """Delete the decks; one that was registered for an event stays there without its name."""
    for deck in Deck.objects.filter(owner__in=holder.persons).order_by("pk"):
        delete_deck(actor, deck, now, role=_role_of(actor))
        Deck.objects.filter(pk=deck.pk).update(name=alias)
    StackOrder.objects.filter(member__in=holder.members).delete()


def _forget_in_log(holder: Holder, events: Iterable[Tournament], names: Collection[str]) -> None:
    """Delete the personal values beside the ledger that name the holder; its entries keep their digests.

    A guest's name in the log of the accounts is another's.
    """
    pattern = _words_of(names)
    streams = [*([STREAM] if holder.user is not None else ()), *(each.stream for each in events)]
    named = Q(*(Q(value__icontains=name) for name in sorted(names)), _connector=Q.OR)
    values = PersonalValue.objects.filter(named, entry__stream__in=streams).values_list("pk", "value")
    gone = [pk for pk, value in values.iterator() if pattern.search(value)]
    PersonalValue.objects.filter(pk__in=gone).delete()
    if holder.user is not None:
        erase_personal_values("user", holder.user.pk)
    for person in holder.persons:
        erase_personal_values("person", person)


def _erase_replays(holder: Holder) -> None:
    """Delete the codes for game clients, and the replays of the person's matches, which may name everybody in them."""
    own = Q(link__person__in=holder.persons) | Q(match__seats__entry__in=holder.entries)
    if holder.user is not None:
        own |= Q(user=holder.user)
    ClientCode.objects.filter(pk__in=ClientCode.objects.filter(own).values("pk")).delete()


def _erase_people(holder: Holder, now: datetime) -> None:
    PersonalLink.objects.filter(person__in=holder.persons).delete()
    PushSubscription.objects.filter(person__in=holder.persons).delete()
    for person in Person.objects.filter(pk__in=holder.persons):
        with override(settings.LANGUAGE_CODE):
            person.name = pseudonym(person)
        person.email, person.mails_pairings, person.language, person.erased_at = "", False, "", now
        person.save(update_fields=["name", "email", "mails_pairings", "language", "erased_at"])


def _erase_user(user: User, alias: str) -> None:
    """Nobody can sign in as it any more: no password, no second factor, no token, and every session ends."""
    for model in (EmailAddress, Authenticator, AuthToken):
        model.objects.filter(user=user).delete()
    user.username, user.name = f"{ERASED_NAME}{secrets.token_hex(8)}", alias
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.shows_profile = False
    user.set_unusable_password()
    user.save()
    user.leagues.clear()


def _log(tournament: Tournament, holder: Holder, actor: Actor, again: Iterable[Row], now: datetime) -> None:
    """One entry in the event's log, which commits again to what the erasure touched."""
    own = tournament.entries.filter(pk__in=holder.entries).order_by("number")
    for subjects in [{"entry": number} for number in own.values_list("number", flat=True)] or [{}]:
        rows = [*rows_of(tournament, ERASED, subjects), *again]
        all_subjects = {**subjects, **actor.came_by}
        record(tournament.stream, ERASED, actor.key, _role_of(actor), now, all_subjects, ear="room", rows=rows)
