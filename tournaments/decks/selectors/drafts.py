"""How far a table drafts its cards before a game, and what that says of decks made there (`rules_engine.ways.Draft`).

`Match.draft_step` counts: 0 before the draft, then one for each pass; after the last pass the decks made are registered
(DECKS), and once the game begins they are locked (PLAYS).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from decks.selectors.legality import format_at
from rules_engine.systems import get_system
from rules_engine.ways import Draft, DraftStep
from tournaments.decks.selectors.deck_ready import in_order, is_played
from tournaments.models import EntryMember, Match, Round, Seat, Tournament


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table's draft: `step` as in `Match.draft_step`, begun at `since`; `seats` in order round the table."""

    draft: Draft
    step: int
    since: datetime | None
    seats: tuple[Seat, ...]

    @property
    def running(self) -> DraftStep | None:
        """The pass under way; None before the first and after the last."""
        return self.draft.steps[self.step - 1] if 1 <= self.step <= len(self.draft.steps) else None

    @property
    def left(self) -> tuple[DraftStep, ...]:
        return self.draft.steps[self.step :]

    @property
    def until(self) -> datetime | None:
        """When the time of the pass is over; nothing happens by itself then."""
        running = self.running
        return None if running is None or self.since is None else self.since + timedelta(minutes=running.minutes)

    @property
    def last(self) -> int:
        """The step after which nothing comes: the decks are locked, or everybody holds the cards drafted."""
        return len(self.draft.steps) + (2 if self.draft.makes_deck else 1)

    @property
    def is_over(self) -> bool:
        return self.step >= self.last

    @property
    def registers(self) -> bool:
        """Whether all cards are drafted and the decks made are registered now."""
        return self.draft.makes_deck and self.step == self.last - 1

    def next_to(self, seat: Seat) -> Seat | None:
        """Who gets the cards that a seat passes on; the next seat is the one on the left. None in no such pass."""
        if self.running is None or not self.running.towards:
            return None
        step = 1 if self.running.towards == "left" else -1
        return self.seats[(self.seats.index(seat) + step) % len(self.seats)]


def draft_of(tournament: Tournament) -> Draft | None:
    """The draft before each game of an event, by the options of its score sheets; None where cards are not drafted."""
    drafts = get_system(tournament.game).drafts
    return next((draft for draft in drafts if tournament.sheet_options.get(draft.option)), None)


def makes_decks_at_tables(tournament: Tournament) -> bool:
    """Whether each round's decks are drafted at its tables, so that a deck is one round's alone."""
    draft = draft_of(tournament)
    is_checked = format_at(tournament.game, tournament.game_format).checks_decks
    return draft is not None and draft.makes_deck and is_checked


def table_draft(tournament: Tournament, match: Match) -> TableDraft | None:
    """How far the table of a match being played drafts; None where it drafts nothing."""
    draft = draft_of(tournament)
    if draft is None or not is_played(tournament, match):
        return None
    return TableDraft(draft, match.draft_step, match.draft_since, tuple(in_order(match.seats.all())))


def is_deck_open(tournament: Tournament, member: EntryMember) -> bool:
    """Whether a member can register the deck drafted for the round; one query.

    Until the player's table begins its game, or reports how it ended.
    """
    match = _match_of_now(tournament, member)
    found = table_draft(tournament, match) if match is not None and match.state == Match.State.OPEN else None
    return found is not None and not found.is_over


def decks_since(tournament: Tournament) -> datetime | None:
    """Decks registered before this moment were made for an earlier round; None where a deck is the event's; one query.

    Kept on the event: pages ask for every player.
    """
    if not makes_decks_at_tables(tournament):
        return None
    known: dict[str, datetime | None] = tournament.__dict__.setdefault("_decks_since", {})
    if "newest" not in known:
        rounds = Round.objects.filter(stage__tournament=tournament, superseded_at=None, published_at__isnull=False)
        known["newest"] = rounds.order_by("-published_at").values_list("published_at", flat=True).first()
    return known["newest"]


def _match_of_now(tournament: Tournament, member: EntryMember) -> Match | None:
    open_ = Match.objects.filter(
        seats__entry=member.entry_id,
        round__stage__tournament=tournament,
        round__state=Round.State.PUBLISHED,
        round__superseded_at=None,
    )
    return open_.select_related("round").order_by("-round__number").first()
