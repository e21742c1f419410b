"""Questions about the decks registered for an event. Who may read a list is asked at the edge, before this."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from decks.models import DeckVersion, LegalityCheck
from decks.selectors.legality import format_at
from rules_engine.decklist import DeckEntry
from tournaments.decks.selectors.drafts import decks_since, is_deck_open, makes_decks_at_tables
from tournaments.models import Entry, EntryMember, Tournament

OPEN_STATES = (Tournament.State.DRAFT, Tournament.State.REGISTRATION, Tournament.State.RUNNING)
Publish = Tournament.DeckPublish
SHOWING_LESS = frozenset({(Publish.AFTER_CUT, Publish.AFTER_END), *((each, Publish.NEVER) for each in Publish)})
"""Changes of the publish policy that show no list to anybody earlier than before.

See docs/how-it-works/trust.md#access.
"""
PLAYING = (Entry.State.REGISTERED, Entry.State.DROPPED, Entry.State.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class DeckRow:
    """One member's deck as staff see it: no list, and whether it is legal only where the page may show it."""

    member: EntryMember
    legal: bool | None
    is_registered: bool

    @property
    def lacks_deck(self) -> bool:
        """Whether a player who still plays has no deck registered, or one of an earlier round."""
        return not self.is_registered and self.member.entry.state == Entry.State.REGISTERED

    @property
    def is_open(self) -> bool:
        """Whether a judge has yet to settle this deck, which is not legal, of a player who still plays."""
        is_settled = self.member.deck_allowed_at is not None or self.member.entry.state != Entry.State.REGISTERED
        return self.legal is False and not is_settled


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """How many decks an event has and lacks.

    Of those, `without` are missing and `unsettled` not legal, and allowed by no judge, of players who still play.
    """

    registered: int
    legal: int
    illegal: int
    missing: int
    without: int
    unsettled: int


def judged_on(tournament: Tournament) -> date:
    """The date whose card lists decide: the day of the event where it takes place."""
    return tournament.starts_at.astimezone(ZoneInfo(tournament.time_zone)).date()


def decks_are_locked(tournament: Tournament, now: datetime) -> bool:
    """Whether players can register no more: the event has started (whatever `now` says, which may have been read
    before a start that came first) or is over, or its own deadline has come at `now`. Decks made at tables are locked
    one by one (`is_locked_for`).
    """
    if tournament.state not in OPEN_STATES:
        return True
    if makes_decks_at_tables(tournament):
        return False
    if tournament.started_at is not None:
        return True
    return tournament.deck_deadline is not None and now >= tournament.deck_deadline


def is_locked_for(tournament: Tournament, member: EntryMember, now: datetime) -> bool:
    """Whether this member's deck is locked, a judge's reopening aside: with all others, or with their table."""
    if decks_are_locked(tournament, now):
        return True
    return makes_decks_at_tables(tournament) and not is_deck_open(tournament, member)


def is_reopened(member: EntryMember, now: datetime) -> bool:
    """Whether a judge has opened this member's deck again, for one registration."""
    return member.deck_reopened_until is not None and now < member.deck_reopened_until


def reopened_until(tournament: Tournament, member: EntryMember | None, now: datetime) -> datetime | None:
    """Until when a judge has this member's deck open again; None where the event is over or nothing is reopened."""
    if member is None or tournament.state not in OPEN_STATES or not is_reopened(member, now):
        return None
    return member.deck_reopened_until


def may_register(tournament: Tournament, member: EntryMember, now: datetime) -> bool:
    """Whether this member can register a deck at `now`."""
    return reopened_until(tournament, member, now) is not None or not is_locked_for(tournament, member, now)


def open_policies(tournament: Tournament) -> frozenset[str]:
    """The publish policies that can be chosen: from the first registered deck on those that show less; one query."""
    has_decks = EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False).exists()
    now = tournament.deck_publish
    return frozenset(each for each in Publish if not has_decks or each == now or (now, each) in SHOWING_LESS)


def members_with_decks(tournament: Tournament) -> QuerySet[EntryMember]:
    """Who plays or played with a registered deck, by entry number; one query."""
    members = EntryMember.objects.filter(tournament=tournament, entry__state__in=PLAYING, deck_version__isnull=False)
    return members.select_related("entry", "person", "deck_version__deck").order_by("entry__number", "order")


def deck_rows(tournament: Tournament) -> list[DeckRow]:
    """Every playing member with the newest verdict on the registered deck; two queries, three for drafted decks."""
    members = EntryMember.objects.filter(tournament=tournament, entry__state__in=PLAYING)
    members = members.select_related("entry", "person").order_by("entry__number", "order")
    verdicts = newest_verdicts([member.deck_version_id for member in members if member.deck_version_id])
    since = decks_since(tournament)
    return [
        DeckRow(member, verdicts.get(member.deck_version_id or 0) if has_deck(member, since) else None,
                has_deck(member, since))
        for member in members
    ]  # fmt: skip


def deck_counts(rows: list[DeckRow]) -> DeckCounts:
    """The rows counted: all that staff without a judge's role may know."""
    registered = [row for row in rows if row.is_registered]
    legal = sum(row.legal is True for row in registered)
    illegal = sum(row.legal is False for row in registered)
    without = sum(row.lacks_deck for row in rows)
    unsettled = sum(row.is_open for row in rows)
    return DeckCounts(len(registered), legal, illegal, len(rows) - len(registered), without, unsettled)


def has_deck(member: EntryMember, since: datetime | None) -> bool:
    """Whether a member has a deck registered, and no earlier than `since` (`decks_since`), if that is said."""
    registered_at = member.deck_registered_at
    return member.deck_version_id is not None and (
        since is None or (registered_at is not None and registered_at >= since)
    )


def newest_verdicts(versions: list[int]) -> dict[int, bool | None]:
    checks = LegalityCheck.objects.filter(version_id__in=versions).order_by("checked_at", "id")
    return dict(checks.values_list("version_id", "legal"))


def newest_check(member: EntryMember) -> LegalityCheck | None:
    """The newest check of a member's registered deck."""
    return LegalityCheck.objects.filter(version=member.deck_version_id).order_by("checked_at", "id").last()


def sections_of(version: DeckVersion, tournament: Tournament) -> list[tuple[str, int, list[DeckEntry]]]:
    """The cards of a deck by section: title, number of cards, cards by name."""
    rules = format_at(tournament.game, tournament.game_format).sections
    titles = {section.key: section.title for section in rules}
    keys = dict.fromkeys([*titles, *(entry.section for entry in version.decklist.entries)])
    found = []
    for key in keys:
        cards = [entry for entry in version.decklist.entries if entry.section == key]
        if cards:
            found.append((titles.get(key, str(key)), sum(card.count for card in cards), cards))
    return found


def checks_decks(tournament: Tournament) -> bool:
    """Whether the event's format has decklists to check."""
    return format_at(tournament.game, tournament.game_format).checks_decks
