"""Questions about tournaments: which there are, for whom, and what comes next."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.db.models import Case, Count, DateTimeField, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When

from accounts.actors import Actor
from accounts.identity.selectors import persons_of
from tournaments.core.rounds import current_round, missing_matches
from tournaments.decks.selectors.drafts import makes_decks_at_tables
from tournaments.models import Entry, Match, Round, Stage, Tournament
from tournaments.structure.selectors.brackets import is_complete
from tournaments.structure.selectors.stages import current_stage, next_stage

State = Tournament.State


def listed_events() -> QuerySet[Tournament]:
    """Public events out of draft, newest first, with the number of players as `playing`.

    With LISTS_CONFIRMED_ONLY those that confirmed accounts, site admins and the site itself created.
    """
    listed = Tournament.objects.filter(visibility=Tournament.Visibility.PUBLIC).exclude(state=State.DRAFT)
    return with_attendance(listed.filter(_of_confirmed()))


def awaits_confirmation(tournament: Tournament) -> bool:
    """Whether a public event is not listed because no site admin agreed to the account that created it."""
    if not settings.LISTS_CONFIRMED_ONLY or tournament.visibility != Tournament.Visibility.PUBLIC:
        return False
    return not Tournament.objects.filter(_of_confirmed(), pk=tournament.pk).exists()


def _of_confirmed() -> Q:
    if not settings.LISTS_CONFIRMED_ONLY:
        return Q()
    return Q(created_by__is_confirmed=True) | Q(created_by__is_staff=True) | Q(created_by=None)


def events_of(actor: Actor) -> QuerySet[Tournament]:
    """Events the actor runs or plays in, newest first; a rehearsal is found from the event it rehearses."""
    mine = Q(entries__members__person__in=persons_of(actor))
    if actor.link_scope:
        mine &= Q(stream=actor.link_scope)
    if actor.user is not None:
        mine |= Q(roles__user=actor.user)
    mine &= Q(rehearsal_of=None)
    return with_attendance(Tournament.objects.filter(pk__in=Tournament.objects.filter(mine).values("pk")))


def by_nearness(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Running ones, then the next to come, then the last to end, each with `round_now`: the newest published round."""
    rank = Case(
        When(state=State.RUNNING, then=Value(0)),
        When(state__in=[State.DRAFT, State.REGISTRATION], then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    coming = Case(
        When(state__in=[State.DRAFT, State.REGISTRATION], then=F("starts_at")),
        default=None,
        output_field=DateTimeField(),
    )
    shown = Round.objects.filter(stage__tournament=OuterRef("pk"), superseded_at=None)
    newest = shown.exclude(state=Round.State.PAIRED).order_by("-number").values("number")[:1]
    nearest = events.annotate(rank=rank, coming=coming, round_now=Subquery(newest))
    return nearest.order_by("rank", F("coming").asc(nulls_last=True), "-starts_at", "-pk")


def own_event_names(actor: Actor) -> dict[str, str]:
    """The names by slug of the events the actor runs or plays in, newest first."""
    return dict(events_of(actor).values_list("slug", "name"))


def with_attendance(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add `playing`: entries registered or dropped."""
    playing = Count("entries", filter=Q(entries__state__in=[Entry.State.REGISTERED, Entry.State.DROPPED]))
    return events.annotate(playing=playing)


def deck_deadline_of(tournament: Tournament) -> datetime | None:
    """When decks lock: at the deadline set or at the start, whichever is earlier.

    None while neither is known, and where each table locks its own.
    """
    if makes_decks_at_tables(tournament):
        return None
    known = [moment for moment in (tournament.deck_deadline, tournament.started_at) if moment is not None]
    return min(known, default=None)


class Step(StrEnum):
    """What an organiser does next."""

    OPEN_REGISTRATION = "open_registration"
    START = "start"
    PAIR = "pair"
    PUBLISH = "publish"
    COLLECT = "collect"
    BEGIN_STAGE = "begin_stage"
    FINISH = "finish"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step with what it needs to know: the current round, and the matches of all rounds without a result.

    `rounds_left` says whether another round of the stage being played is to be paired after the current one, and
    `next_stage` is the stage that begins when none is.
    """

    step: Step
    round: Round | None = None
    missing: tuple[Match, ...] = ()
    rounds_left: bool = True
    next_stage: Stage | None = None

    @property
    def conflicts(self) -> tuple[Match, ...]:
        """Those that have two different reports."""
        return tuple(match for match in self.missing if match.state == Match.State.CONFLICT)

    @property
    def earlier(self) -> tuple[Match, ...]:
        """Those of rounds before the current one."""
        return tuple(match for match in self.missing if self.round is not None and match.round_id != self.round.pk)


def next_step(tournament: Tournament) -> NextStep:
    """What comes next for the organiser of an event."""
    if tournament.state == State.DRAFT:
        return NextStep(Step.OPEN_REGISTRATION)
    if tournament.state == State.REGISTRATION:
        return NextStep(Step.START)
    if tournament.state != State.RUNNING:
        return NextStep(Step.NOTHING)
    current = current_round(tournament)
    following = next_stage(tournament)
    if current is None:
        return NextStep(Step.PAIR, next_stage=following)
    missing = tuple(missing_matches(tournament))
    rounds_left = not is_complete(current_stage(tournament))
    if current.state == Round.State.PAIRED:
        return NextStep(Step.PUBLISH, current, missing, rounds_left, following)
    if missing:
        return NextStep(Step.COLLECT, current, missing, rounds_left, following)
    ending = Step.FINISH if following is None else Step.BEGIN_STAGE
    return NextStep(Step.PAIR if rounds_left else ending, current, (), rounds_left, following)


def is_decided(tournament: Tournament) -> bool:
    """Whether no stage is to come and no bracket waits for results; rounds that points decide may be left out."""
    current = current_stage(tournament)
    return next_stage(tournament) is None and (not current.is_bracket or is_complete(current))
