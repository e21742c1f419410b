"""The life of a tournament: created, opened, started, finished, cancelled, reopened."""

from dataclasses import dataclass, field, fields
from datetime import datetime

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from scoring.records import ScoringPolicy
from scoring.standings import compute_standings
from tournaments.models import Entry, Match, Role, Round, Stage, Tournament
from tournaments.models.event import random_slug
from tournaments.pairing.swiss import recommended_rounds
from tournaments.selectors.entries import active_entries
from tournaments.selectors.rounds import current_round
from tournaments.services.acts import lock_tournament, log_act, needed_reason

State = Tournament.State
TRANSITIONS: dict[str, frozenset[str]] = {
    State.DRAFT: frozenset({State.REGISTRATION, State.RUNNING, State.CANCELLED}),
    State.REGISTRATION: frozenset({State.DRAFT, State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.FINISHED, State.CANCELLED}),
    State.FINISHED: frozenset({State.RUNNING}),
    State.CANCELLED: frozenset(),
}
FIRST_YEAR, LAST_YEAR = 1970, 2999
YEARS = {"first": FIRST_YEAR, "last": LAST_YEAR}
FROZEN_AT_START = frozenset({"game", "game_format", "best_of", "exact_games", "policy", "scores_as_recorded"})


@dataclass(frozen=True, slots=True)
class EventDraft:
    """What an organiser says about an event. `swiss_rounds` None means: as many as the attendance recommends."""

    name: str
    starts_at: datetime
    game: str
    game_format: str
    place: str = ""
    time_zone: str = "UTC"
    visibility: str = Tournament.Visibility.PUBLIC
    best_of: int = 3
    exact_games: bool = False
    swiss_rounds: int | None = None
    policy: ScoringPolicy = field(default_factory=ScoringPolicy)
    scores_as_recorded: bool = False
    players_report: bool = True
    check_in: bool = False
    self_sign_up: bool = True
    capacity: int | None = None
    deck_required: bool = False
    deck_deadline: datetime | None = None


@in_transaction
def create_tournament(actor: Actor, draft: EventDraft, now: datetime, *, also_judge: bool = False) -> Tournament:
    """A new event in draft, with the actor as organiser and, if asked, as judge; both are logged.

    Raises NotFound("unknown_game"), DomainError("unknown_format"), DomainError("bad_policy"), DomainError("bad_event").
    """
    tournament = Tournament(slug=random_slug(draft.name), created_by=actor.user, created_at=now)
    _apply(tournament, draft)
    tournament.save(force_insert=True)
    Stage.objects.create(tournament=tournament)
    if actor.user is not None:
        names = [Role.Name.ORGANISER, *([Role.Name.JUDGE] if also_judge else [])]
        Role.objects.bulk_create(
            Role(tournament=tournament, user=actor.user, name=name, granted_at=now) for name in names
        )
    log_act(tournament, "event.created", actor, now, {"event": tournament.pk, "also_judge": int(also_judge)})
    return tournament


@in_transaction
def update_settings(actor: Actor, tournament: Tournament, draft: EventDraft, now: datetime) -> Tournament:
    """Store changed settings; rules that decide results are frozen once the event runs (DomainError "rules_frozen")."""
    tournament = lock_tournament(tournament)
    _expect(tournament, State.DRAFT, State.REGISTRATION, State.RUNNING)
    before = {item.name: getattr(tournament, item.name) for item in fields(draft)}
    _apply(tournament, draft)
    changed = sorted(name for name, value in before.items() if getattr(tournament, name) != value)
    if tournament.state == State.RUNNING:
        _check_frozen(tournament, changed)
    tournament.save()
    log_act(tournament, "event.settings_changed", actor, now, {"changed": " ".join(changed)})
    return tournament


def _check_frozen(tournament: Tournament, changed: list[str]) -> None:
    if frozen := sorted(FROZEN_AT_START.intersection(changed)):
        raise DomainError(
            "rules_frozen",
            _("The event is running: game, format, match length and scoring stay as they were."),
            fields=frozen,
        )
    paired = Round.objects.filter(stage__tournament=tournament, superseded_at=None).count()
    if tournament.swiss_rounds is None or tournament.swiss_rounds < paired:
        raise DomainError("too_few_rounds", _("%(count)d rounds are paired already.") % {"count": paired})


def _apply(tournament: Tournament, draft: EventDraft) -> None:
    for item in fields(draft):
        setattr(tournament, item.name, getattr(draft, item.name))
    tournament.policy = draft.policy.as_dict()
    compute_standings((), (), draft.policy)  # refuses tiebreakers nobody knows
    game_format = get_system(draft.game).get_format(draft.game_format)
    if draft.deck_required and not game_format.checks_decks:
        raise DomainError("no_decks", _("This format has no decklists to require."))
    if not FIRST_YEAR <= draft.starts_at.year <= LAST_YEAR:
        raise DomainError("bad_event", _("An event starts between the years %(first)d and %(last)d.") % YEARS)
    if not draft.exact_games and draft.best_of % 2 == 0:
        raise DomainError(
            "bad_event", _("A best of %(count)d has no winner: choose 1, 3 or 5 games.") % {"count": draft.best_of}
        )
    try:
        tournament.full_clean(exclude=["slug", "stream"])
    except ValidationError as error:
        raise DomainError("bad_event", " ".join(error.messages), fields=error.message_dict) from error


@in_transaction
def open_registration(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    """From draft: the page becomes visible and people may sign up."""
    return _move(actor, tournament, State.REGISTRATION, now)


@in_transaction
def close_registration(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    """Back to draft; entries stay."""
    return _move(actor, tournament, State.DRAFT, now)


@in_transaction
def start_tournament(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    """Freeze the rules and start: with check-in, whoever is not there is withdrawn; the waiting list is closed.

    Needs two entries (DomainError "too_few_entries"). Sets the recommended number of rounds where none was chosen.
    """
    tournament = lock_tournament(tournament)
    _expect(tournament, State.DRAFT, State.REGISTRATION)
    absent = tournament.entries.filter(state=Entry.State.WAITING)
    if tournament.check_in:
        absent = absent | tournament.entries.filter(state=Entry.State.REGISTERED, checked_in_at=None)
    absent.update(state=Entry.State.WITHDRAWN)
    playing = active_entries(tournament).count()
    if playing < 2:
        raise DomainError("too_few_entries", _("An event needs at least two players who are there."))
    tournament.started_at = now
    if tournament.swiss_rounds is None:
        tournament.swiss_rounds = recommended_rounds(playing)
    return _move(actor, tournament, State.RUNNING, now)


@in_transaction
def finish_tournament(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    """Close the last round and make the standings final; every match must be done (DomainError "missing_results")."""
    tournament = lock_tournament(tournament)
    last = current_round(tournament)
    if last is not None:
        close_round(last, now)
    tournament.finished_at = now
    return _move(actor, tournament, State.FINISHED, now)


@in_transaction
def cancel_tournament(actor: Actor, tournament: Tournament, reason: str, now: datetime) -> Tournament:
    """End an event that does not take place; everything recorded stays. Needs a reason."""
    return _move(actor, tournament, State.CANCELLED, now, needed_reason(reason))


@in_transaction
def reopen_tournament(actor: Actor, tournament: Tournament, reason: str, now: datetime) -> Tournament:
    """Take a finished event back to running, its last round open again. Needs a reason."""
    reason = needed_reason(reason)
    _expect(lock_tournament(tournament), State.FINISHED)
    tournament = _move(actor, tournament, State.RUNNING, now, reason)
    last = current_round(tournament)
    if last is not None:
        Round.objects.filter(pk=last.pk).update(state=Round.State.PUBLISHED, closed_at=None)
    return tournament


def close_round(last: Round, now: datetime) -> None:
    """End a round; refused while it is unpublished or a match is not done, naming the tables."""
    if last.state == Round.State.CLOSED:
        return
    if last.state == Round.State.PAIRED:
        raise DomainError("not_published", _("Round %(number)d is paired but not published.") % {"number": last.number})
    missing = list(
        last.matches.exclude(state=Match.State.DONE).order_by("table_number").values_list("table_number", flat=True)
    )
    if missing:
        tables = ", ".join(str(table) for table in missing[:20])
        raise DomainError(
            "missing_results",
            _("Round %(number)d still waits for tables %(tables)s.") % {"number": last.number, "tables": tables},
            tables=missing,
        )
    last.state, last.closed_at = Round.State.CLOSED, now
    last.save(update_fields=["state", "closed_at"])


def _expect(tournament: Tournament, *states: str) -> None:
    if tournament.state not in states:
        raise DomainError(
            "wrong_state",
            _("This cannot be done while the event is “%(state)s”.") % {"state": tournament.get_state_display()},
            state=tournament.state,
        )


def _move(actor: Actor, tournament: Tournament, to: str, now: datetime, reason: str = "") -> Tournament:
    """The only place that changes a tournament's state."""
    pending = {name: getattr(tournament, name) for name in ("started_at", "finished_at", "swiss_rounds")}
    tournament = lock_tournament(tournament)
    if to not in TRANSITIONS[tournament.state]:
        _expect(tournament, *(state for state, targets in TRANSITIONS.items() if to in targets))
    for name, value in pending.items():
        setattr(tournament, name, value)
    was, tournament.state = tournament.state, to
    tournament.save(update_fields=["state", *pending])
    log_act(
        tournament, "event.state_changed", actor, now, {"from": was, "to": to}, {"reason": reason} if reason else None
    )
    return tournament
