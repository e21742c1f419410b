"""What staff do for many entries at once, or for a player who stands before them: check in all, hand out links."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import issue_personal_link, revoke_personal_links
from accounts.models import Person
from journal.transactions import in_transaction
from rules_engine.errors import DomainError, NotAllowed
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.core.links import last_of_links
from tournaments.core.names import name_key
from tournaments.entries.selectors.entries import entries_numbered, find_member, members_without_a_way_in
from tournaments.entries.services.attendance import expect_entry_state
from tournaments.models import Entry, EntryMember, Match, Tournament
from tournaments.permissions import is_staff_reporter, member_of

BEFORE_START = (Tournament.State.DRAFT, Tournament.State.REGISTRATION)


@in_transaction
def check_in_all(actor: Actor, tournament: Tournament, now: datetime, *, numbers: Collection[int] | None = None) -> int:
    """Check in every registered entry that is not, or those of some `numbers`; answers how many.

    DomainError "wrong_state" after the start. Of `numbers`, NotFound "unknown_entry" and Conflict "wrong_entry_state"
    name the one that cannot be checked in; then none is.
    """
    tournament = lock_tournament(tournament)
    if tournament.state not in BEFORE_START:
        raise DomainError("wrong_state", _("Players check in before the event starts."))
    absent = tournament.entries.filter(state=Entry.State.REGISTERED, checked_in_at=None)
    named: dict[str, int | str] = {}
    if numbers is not None:
        for entry in entries_numbered(tournament, numbers):
            expect_entry_state(entry, Entry.State.REGISTERED)
        absent = absent.filter(number__in=numbers)
        named["entries"] = " ".join(map(str, absent.order_by("number").values_list("number", flat=True)))
    count = absent.update(checked_in_at=now)
    if count:
        log_act(tournament, "entry.all_checked_in", actor, now, {"count": count, **named})
    return count


@in_transaction
def issue_entry_link(actor: Actor, entry: Entry, now: datetime, *, member: int = 1) -> str:
    """The raw token of a personal link for a member of an entry, the first one by default, to be handed over.

    It stands in the event's log: with it one acts as the player, in this event alone, until some days after its end; a
    link the member had has ended. Also where the event moved away, for players to see and erase their data. DomainError
    "has_account" for a person who signs in, NotAllowed "own_opponent" for a scorekeeper who is or was paired with them.
    """
    tournament, person = lock_tournament(entry.tournament, even_moved=True), linkable_person(entry, member)
    check_opponents(actor, tournament, entry)
    token = issue_personal_link(person, actor, now, last_of_links(tournament, now), tournament.stream)
    about = {"entry": entry.number} | ({} if member == 1 else {"member": member})
    log_act(tournament, "entry.link_issued", actor, now, about)
    return token


@in_transaction
def issue_missing_links(
    actor: Actor, tournament: Tournament, now: datetime, *, numbers: Collection[int] | None = None
) -> list[tuple[EntryMember, str]]:
    """Raw tokens of new personal links for everybody who plays and has neither one nor an account, by name.

    As `issue_entry_link` for each, but a scorekeeper's own opponents are left out. One line of the log counts them.
    With `numbers` for these entries only, NotFound "unknown_entry" for one that the event has not.
    """
    tournament, linkless = lock_tournament(tournament), members_without_a_way_in(tournament)
    if numbers is not None:
        linkless = linkless.filter(entry__in=entries_numbered(tournament, numbers))
    members = without_opponents(actor, tournament, sorted(linkless, key=lambda each: name_key(each.person.name)))
    last, scope = last_of_links(tournament, now), tournament.stream
    issued = [(member, issue_personal_link(member.person, actor, now, last, scope)) for member in members]
    if issued:
        log_act(tournament, "entry.links_issued", actor, now, {"count": len(issued)})
    return issued


def without_opponents(actor: Actor, tournament: Tournament, members: Iterable[EntryMember]) -> list[EntryMember]:
    """The members whose links the actor may issue: not those whom a scorekeeper is or was paired with."""
    if is_staff_reporter(actor, tournament, plays=True):
        return list(members)
    return [member for member in members if not _have_met(actor, tournament, member.entry)]


def check_opponents(actor: Actor, tournament: Tournament, entry: Entry) -> None:
    """Refuse a scorekeeper who is or was paired with the entry: NotAllowed "own_opponent"."""
    if not is_staff_reporter(actor, tournament, plays=True) and _have_met(actor, tournament, entry):
        raise NotAllowed("own_opponent", _("You play them: ask other staff for this link."))


def _have_met(actor: Actor, tournament: Tournament, entry: Entry) -> bool:
    """Whether the actor sits or sat at a table with the entry, in a round that is not published yet too."""
    member = member_of(actor, tournament)
    matches = Match.objects.filter(round__stage__tournament=tournament, round__superseded_at=None, seats__entry=entry)
    return member is not None and matches.filter(seats__entry=member.entry_id).exists()


@in_transaction
def revoke_entry_links(actor: Actor, entry: Entry, now: datetime) -> int:
    """Make every personal link of an entry's people to this event worthless; answers how many there were.

    Also of a player who has an account by now, or whose data has been erased.
    """
    tournament = lock_tournament(entry.tournament)
    people = [member.person for member in entry.members.select_related("person")]
    count = sum(revoke_personal_links(person, actor, now, scope=tournament.stream) for person in people)
    if count:
        log_act(tournament, "entry.links_revoked", actor, now, {"entry": entry.number, "count": count})
    return count


def linkable_person(entry: Entry, order: int = 1) -> Person:
    """A member of an entry who may act by link; NotFound "no_member", DomainError "has_account", "erased"."""
    person = find_member(entry, order).person
    if person.user_id is not None:
        raise DomainError("has_account", _("%(name)s signs in with an account.") % {"name": person.name})
    if person.erased_at is not None:
        raise DomainError("erased", _("This player's data has been erased."))
    return person
