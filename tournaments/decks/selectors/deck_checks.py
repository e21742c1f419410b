"""Questions about deck checks: what was checked, how often, who can be drawn, and who read a deck."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, QuerySet
from django.utils.crypto import salted_hmac

from accounts.actors import Actor
from decks.models import DeckVersion
from decks.selectors.rechecks import FallingDeck, results_for
from journal.models import LedgerEntry
from tournaments.core.log import names_in
from tournaments.core.rounds import current_round
from tournaments.decks.selectors.deck_states import DeckState, state_of
from tournaments.decks.selectors.decks import DeckRow, has_deck, is_reopened, judged_on
from tournaments.decks.selectors.drafts import decks_since
from tournaments.decks.selectors.registered import acts_about
from tournaments.models import DeckCheck, Entry, EntryMember, Round, Seat, Tournament

READINGS = ("deck.read", "deck.checked", "deck.shown_to_opponent")
"""Acts in which a person looked at a registered list that not everybody is shown."""
READING_LASTS = timedelta(hours=1)
"""How long a judge who read a list is shown it again with a refused check, without another reading on record."""


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One member's deck as judges see it in the list: verdict, table now, checks so far, whether it is reopened.

    `falling` names the announced lists under which it will not be legal any more on the day of the event.
    """

    member: EntryMember
    legal: bool | None
    table: int | None
    checks: int
    reopened: bool
    falling: tuple[FallingDeck, ...] = ()

    @property
    def deck(self) -> DeckState:
        """How the deck is, in the words of every page."""
        return state_of(self.member, self.legal)


@dataclass(frozen=True, slots=True)
class Reading:
    """A person of the staff, or an opponent, read a deck: when, in which role, and whether cards were checked too."""

    at: datetime
    name: str
    role: str
    checked: bool


def checks_of(tournament: Tournament) -> QuerySet[DeckCheck]:
    """Every check of an event, newest first."""
    checks = DeckCheck.objects.filter(tournament=tournament)
    return checks.select_related("member__entry", "member__person", "version", "round", "judge")


def times_checked(tournament: Tournament, by: str = "member__entry__number") -> dict[int, int]:
    """How often each entry (by number) was checked, or each of its members by "member"; one query."""
    counted = DeckCheck.objects.filter(tournament=tournament).order_by().values_list(by)
    return dict(counted.annotate(times=Count("pk")))


def candidates_of(tournament: Tournament, judge: EntryMember | None = None) -> list[EntryMember]:
    """Who can be drawn for a check: playing, with a deck of now, and not at the table of the judge who plays too."""
    members = EntryMember.objects.filter(
        tournament=tournament, entry__state=Entry.State.REGISTERED, deck_version__isnull=False
    )
    near, since = _at_table_of(tournament, judge) if judge else set(), decks_since(tournament)
    members = members.select_related("entry", "person").order_by("entry__number", "order")
    return [member for member in members if member.entry_id not in near and has_deck(member, since)]


def order_key(tournament: Tournament) -> bytes:
    """The key of the order in which decks are drawn. It follows from the site's key; no log shows it."""
    return salted_hmac("tournaments.deck-checks", tournament.stream, algorithm="sha256").digest()


def drawn_this_round(tournament: Tournament) -> set[int]:
    """Numbers of entries drawn for a check since the round was published; two queries."""
    round_ = current_round(tournament)
    drawn = LedgerEntry.objects.filter(stream=tournament.stream, act="deck.check_drawn")
    if round_ is not None and round_.published_at is not None:
        drawn = drawn.filter(at__gte=round_.published_at)
    return set(drawn.values_list("subjects__entry", flat=True))


def _at_table_of(tournament: Tournament, judge: EntryMember) -> set[int]:
    round_ = current_round(tournament)
    if round_ is None:
        return {judge.entry_id}
    own = Seat.objects.filter(round=round_, entry=judge.entry_id).values("match")
    return {judge.entry_id, *Seat.objects.filter(match__in=own).values_list("entry", flat=True)}


def judge_rows(tournament: Tournament, rows: Iterable[DeckRow], now: datetime) -> list[JudgeRow]:
    """The rows of the deck list with what judges see besides; a constant number of queries."""
    tables, times, rows = tables_now(tournament), times_checked(tournament, "member"), list(rows)
    falling = falling_decks(tournament, [row.member.deck_version_id for row in rows if row.member.deck_version_id], now)
    return [
        JudgeRow(
            row.member,
            row.legal,
            tables.get(row.member.entry_id),
            times.get(row.member.pk, 0),
            is_reopened(row.member, now),
            falling.get(row.member.deck_version_id or 0, ()),
        )
        for row in rows
    ]


def falling_decks(
    tournament: Tournament, versions: Iterable[int], now: datetime
) -> Mapping[int, tuple[FallingDeck, ...]]:
    """By version what coming lists do to it by the day of the event; nothing once the event has pinned its lists."""
    if tournament.pinned_lists is not None:
        return {}
    return results_for(versions, judged_on(tournament), now, tournament.variant)


def tables_now(tournament: Tournament) -> dict[int, int]:
    """The table of each entry, by id, in the round being played; one or two queries."""
    round_ = current_round(tournament)
    if round_ is None or round_.state != Round.State.PUBLISHED:
        return {}
    seats = Seat.objects.filter(round=round_).values_list("entry", "match__table_number")
    return {entry: table for entry, table in seats if table is not None}


def readings_of(tournament: Tournament, member: EntryMember) -> list[Reading]:
    """Who of the staff and the opponents read the member's deck, newest first; a constant number of queries."""
    found = acts_about(tournament, member, READINGS)
    names = names_in(tournament, found)
    return [Reading(act.at, names.actors.get(act.actor, "?"), act.role, act.act == READINGS[1]) for act in found]


def last_read(actor: Actor, tournament: Tournament, member: EntryMember) -> DeckVersion | None:
    """Which list of a member the actor read last, by the log; two queries."""
    acts = acts_about(tournament, member, READINGS[:1])
    read = next((int(act.subjects["version"]) for act in acts if act.actor == actor.key), 0)
    return DeckVersion.objects.filter(pk=read).first()


def is_noted(tournament: Tournament, subjects: Mapping[str, int]) -> bool:
    """Whether the log holds that an opponent was shown a list, with these very subjects; one query."""
    acts = LedgerEntry.objects.filter(stream=tournament.stream, act=READINGS[2])
    return acts.filter(**{f"subjects__{key}": value for key, value in subjects.items()}).exists()


def has_just_read(actor: Actor, tournament: Tournament, version: DeckVersion, now: datetime) -> bool:
    """Whether a reading of this very version by the actor stands in the log and is fresh; one query."""
    return LedgerEntry.objects.filter(
        stream=tournament.stream,
        act=READINGS[0],
        actor=actor.key,
        subjects__version=version.pk,
        at__gt=now - READING_LASTS,
    ).exists()
