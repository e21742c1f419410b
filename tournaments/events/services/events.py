"""The life of a tournament: created, opened, started, finished, cancelled, reopened."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actors import Actor
from accounts.identity.services import limit_personal_links
from accounts.models import User
from decks.services.decks import list_references
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import DomainError, TooMany
from tournaments.core.ledger import expect_state, lock_tournament, log_act, require_reason
from tournaments.core.links import last_of_links
from tournaments.core.rounds import current_round
from tournaments.decks.selectors.decks import judged_on
from tournaments.decks.services.decks import judge_stale_decks
from tournaments.entries.selectors.entries import active_entries
from tournaments.events.selectors.events import is_decided
from tournaments.events.services.event_drafts import EventDraft, apply_draft, follow_way
from tournaments.models import Entry, EntryMember, Role, Round, Tournament
from tournaments.models.event import random_slug
from tournaments.permissions import OVER
from tournaments.rounds.services.closing import close_rounds
from tournaments.structure.selectors.stages import advised_rounds, stages_of
from tournaments.structure.services.stages import store_stages
from tournaments.structure.services.structures import stages_of_structure

State = Tournament.State
TRANSITIONS: dict[str, frozenset[str]] = {
    State.DRAFT: frozenset({State.REGISTRATION, State.RUNNING, State.CANCELLED}),
    State.REGISTRATION: frozenset({State.DRAFT, State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.FINISHED, State.CANCELLED}),
    State.FINISHED: frozenset({State.RUNNING}),
    State.CANCELLED: frozenset(),
}
SHOWN_AT_THE_END = (Tournament.DeckPublish.AFTER_CUT, Tournament.DeckPublish.AFTER_END)


@in_transaction
def create_tournament(
    actor: Actor, draft: EventDraft, now: datetime, *, also_judge: bool = False, structure: str = ""
) -> Tournament:
    """A new event in draft, with the actor as organiser and, if asked, as judge; both are logged.

    `structure` is one of `structures_of` its way to play, "" for the usual one (DomainError "bad_stage").

    Raises NotFound("unknown_game"), DomainError("unknown_format"), DomainError("bad_policy"), DomainError("bad_event"),
    TooMany("too_many_events") for an account that created EVENTS_A_DAY within a day, unless it is a site admin's.
    """
    if actor.user is not None:
        check_events_a_day(actor.user, now)
    tournament = Tournament(slug=random_slug(draft.name), created_by=actor.user, created_at=now)
    apply_draft(tournament, follow_way(draft))
    tournament.save(force_insert=True)
    store_stages(tournament, stages_of_structure(tournament, structure))
    if actor.user is not None:
        names = [Role.Name.ORGANISER, *([Role.Name.JUDGE] if also_judge else [])]
        Role.objects.bulk_create(
            Role(tournament=tournament, user=actor.user, name=name, granted_at=now) for name in names
        )
    log_act(tournament, "event.created", actor, now, {"event": tournament.pk, "also_judge": int(also_judge)})
    return tournament


def check_events_a_day(user: User, now: datetime) -> None:
    """Rehearsals count, deleted ones too: their rows stay. The account is locked, so that none slips past at once."""
    most = settings.EVENTS_A_DAY
    if not most or user.is_staff:
        return
    User.objects.select_for_update().get(pk=user.pk)
    if Tournament.objects.filter(created_by=user, created_at__gt=now - timedelta(days=1)).count() >= most:
        text = _("You can create %(count)d events and rehearsals a day. Wait a day or ask a site admin.")
        raise TooMany("too_many_events", text % {"count": most})


@in_transaction
def open_registration(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    """From draft: the page becomes visible and people may sign up."""
    return _move(actor, lock_tournament(tournament), State.REGISTRATION, now)


@in_transaction
def close_registration(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    """Back to draft; entries stay."""
    return _move(actor, lock_tournament(tournament), State.DRAFT, now)


@in_transaction
def start_tournament(
    actor: Actor, tournament: Tournament, now: datetime, *, without_decks: bool = False, takes_advice: bool = False
) -> Tournament:
    """Freeze the rules and the card lists in force, and start.

    With check-in, whoever is not there is withdrawn; the waiting list is closed.

    Needs two entries (DomainError "too_few_entries") and, where decks are required, the deck of everybody who plays
    (DomainError "decks_missing" with the `count`) unless `without_decks`. Sets the recommended number of rounds where
    none was chosen, or where it `takes_advice`.
    """
    tournament = lock_tournament(tournament)
    expect_state(tournament, State.DRAFT, State.REGISTRATION)
    absent = tournament.entries.filter(state=Entry.State.WAITING)
    if tournament.check_in:
        absent = absent | tournament.entries.filter(state=Entry.State.REGISTERED, checked_in_at=None)
    gone = list(absent.order_by("number").values_list("number", "state"))
    details: dict[str, int | str] = {
        "left_out": " ".join(str(number) for number, state in gone if state == Entry.State.REGISTERED),
        "not_reached": " ".join(str(number) for number, state in gone if state == Entry.State.WAITING),
        "planned": tournament.swiss_rounds or 0,
    }
    if gone:
        absent.update(state=Entry.State.WITHDRAWN)
    playing = active_entries(tournament).count()
    if playing < 2:
        raise DomainError("too_few_entries", _("An event needs two players present."))
    if tournament.deck_required and not without_decks:
        _expect_decks(tournament)
    rounds = None if takes_advice else tournament.swiss_rounds
    if stages_of(tournament)[0].counts_rounds:
        rounds = rounds or advised_rounds(tournament, playing)
    details["rounds"] = rounds or 0
    pinned = list_references(tournament.game, tournament.game_format, judged_on(tournament))
    tournament.pinned_lists = pinned
    judge_stale_decks(tournament, now)
    return _move(
        actor, tournament, State.RUNNING, now, details=details, started_at=now, swiss_rounds=rounds, pinned_lists=pinned
    )


def _expect_decks(tournament: Tournament) -> None:
    missing = EntryMember.objects.filter(entry__in=active_entries(tournament), deck_version=None).count()
    if missing:
        raise DomainError(
            "decks_missing",
            ngettext("%(count)d player has no deck yet.", "%(count)d players have no deck yet.", missing)
            % {"count": missing},
            count=missing,
        )


@in_transaction
def finish_tournament(actor: Actor, tournament: Tournament, now: datetime, *, early: str = "") -> Tournament:
    """Close the rounds and make the standings final; every match must be done (DomainError "missing_results").

    While a bracket is undecided or a stage has not begun, only for a reason: `early` (DomainError "not_decided").
    Where the event shows its decklists at the end, they are published now, for good: reopening hides none again.
    """
    tournament = lock_tournament(tournament)
    close_rounds(actor, tournament, now)
    is_early = tournament.state == State.RUNNING and not is_decided(tournament)
    if is_early and not early:
        raise DomainError(
            "not_decided",
            _("Stages are unfinished: play on, or say why you finish."),
        )
    reason = require_reason(early) if is_early else ""
    published_at = tournament.decks_published_at
    if published_at is None and tournament.deck_publish in SHOWN_AT_THE_END:
        published_at = now
    return _move(actor, tournament, State.FINISHED, now, reason, finished_at=now, decks_published_at=published_at)


@in_transaction
def cancel_tournament(actor: Actor, tournament: Tournament, reason: str, now: datetime) -> Tournament:
    """End an event that does not take place; everything recorded stays. Needs a reason."""
    return _move(actor, lock_tournament(tournament), State.CANCELLED, now, require_reason(reason))


@in_transaction
def reopen_tournament(actor: Actor, tournament: Tournament, reason: str, now: datetime) -> Tournament:
    """Take a finished event back to running, its last round open again. Needs a reason."""
    reason = require_reason(reason)
    tournament = lock_tournament(tournament)
    expect_state(tournament, State.FINISHED)
    tournament = _move(actor, tournament, State.RUNNING, now, reason, finished_at=None)
    last = current_round(tournament)
    if last is not None:
        Round.objects.filter(pk=last.pk).update(state=Round.State.PUBLISHED, closed_at=None)
    return tournament


def _move(
    actor: Actor,
    tournament: Tournament,
    to: str,
    now: datetime,
    reason: str = "",
    details: Mapping[str, int | str] | None = None,
    **values: object,
) -> Tournament:
    """Change a locked tournament's state, `values` with it; `details` are what undoing it needs, kept in the log."""
    if to not in TRANSITIONS[tournament.state]:
        expect_state(tournament, *(state for state, targets in TRANSITIONS.items() if to in targets))
    for name, value in values.items():
        setattr(tournament, name, value)
    was, tournament.state = tournament.state, to
    tournament.save(update_fields=["state", *values])
    if {was, to} & set(OVER):
        limit_personal_links(tournament.stream, last_of_links(tournament, now))
    subjects: dict[str, int | str] = {"from": was, "to": to, **(details or {})}
    if values.get("decks_published_at") == now:
        subjects["decks_published"] = tournament.deck_publish
    log_act(tournament, "event.state_changed", actor, now, subjects, {"reason": reason} if reason else None)
    if State.FINISHED in (was, to) and tournament.rehearsal_of_id is None:
        enqueue("tournaments.rate_game", [tournament.game], now, tournament.stream)
    return tournament
