"""Rehearsals: a private copy of an event with made-up players, whose results are made up too, round by round."""

from dataclasses import replace
from datetime import datetime
from itertools import product
from random import Random

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.ledger.selectors import head_of
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import DomainError
from scoring.standings.simulated import simulated_result
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.core.rounds import missing_matches, with_all
from tournaments.entries.services.entries import MAX_LETTERS, EntryDraft, fitting, register_walk_ins
from tournaments.events.selectors.events import NextStep, Step, next_step
from tournaments.events.services.events import create_tournament, finish_tournament, start_tournament
from tournaments.events.services.settings import draft_of_event
from tournaments.models import Match, StaffInvite, Tournament
from tournaments.rehearsals.selectors import rehearsals_of
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.structure.services.stage_drafts import stage_drafts_of
from tournaments.structure.services.stages import begin_next_stage, store_stages

MIN_PLAYERS, MAX_PLAYERS, MAX_REHEARSALS = 4, 256, 5
MATCHES_A_STEP = 32
PLAY = "tournaments.play_rehearsal"
FIRST_NAMES = (
    "Abena", "Bruno", "Chidi", "Dilan", "Edda", "Farid", "Greta", "Hiro", "Inês", "Jonas", "Kaya", "Leila", "Mateo",
    "Noor", "Oskar", "Priya", "Rosa", "Sami", "Tove", "Wanda",
)  # fmt: skip
LAST_NAMES = (
    "Albrecht", "Bianchi", "Castellanos-Montenegro", "Diallo", "Eriksen", "Fontaine", "Gruber", "Haddad", "Ivanova",
    "Jansen", "Kimura", "Lund", "Moreau", "Novák", "O'Brien", "Petrov", "Quispe", "Rossi", "Silva", "Yıldız",
)  # fmt: skip
CLUBS = ("North Pier", "Lantern Street", "", "")


@in_transaction
def rehearse(actor: Actor, tournament: Tournament, players: int, seed: int, now: datetime) -> Tournament:
    """A private copy of an event, started, with so many made-up players; the actor organises and judges it.

    The same seed gives the same people, as strong as before. DomainError "bad_count", "too_many_rehearsals",
    "is_rehearsal", and what creating and starting raise.
    """
    tournament = lock_tournament(tournament)
    if tournament.rehearsal_of_id is not None:
        raise DomainError("is_rehearsal", _("This is already a rehearsal."))
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise DomainError(
            "bad_count",
            _("Rehearse with %(least)d to %(most)d players.") % {"least": MIN_PLAYERS, "most": MAX_PLAYERS},
            field="players",
        )
    if rehearsals_of(actor, tournament).count() >= MAX_REHEARSALS:
        raise DomainError(
            "too_many_rehearsals",
            _("You already have %(most)d rehearsals. Delete one first.") % {"most": MAX_REHEARSALS},
        )
    copy = _private_copy(actor, tournament, now)
    register_walk_ins(actor, copy, made_up_players(players, seed), now)
    log_act(copy, "event.rehearsed", actor, now, {"of": tournament.pk, "players": players, "seed": str(seed)})
    return start_tournament(actor, copy, now, without_decks=True)


def _private_copy(actor: Actor, tournament: Tournament, now: datetime) -> Tournament:
    draft = replace(
        draft_of_event(tournament),
        name=fitting(_("Rehearsal: %(name)s") % {"name": tournament.name}, MAX_LETTERS),
        visibility=Tournament.Visibility.PRIVATE,
        starts_at=now, deck_deadline=None, hall_closes_at=None, capacity=None, check_in=False, self_sign_up=False,
    )  # fmt: skip
    copy = create_tournament(actor, draft, now, also_judge=True)
    copy.rehearsal_of = tournament
    copy.save(update_fields=["rehearsal_of"])
    store_stages(copy, stage_drafts_of(tournament))
    return copy


def made_up_players(players: int, seed: int) -> list[EntryDraft]:
    """People who do not exist, no two of one name; the same for the same seed."""
    chance = Random(seed)  # noqa: S311 - reproducible on purpose
    names = chance.sample([f"{first} {last}" for first, last in product(FIRST_NAMES, LAST_NAMES)], players)
    return [EntryDraft(name, chance.choice(CLUBS)) for name in names]


@in_transaction
def play_open_matches(actor: Actor, tournament: Tournament, now: datetime, most: int | None = None) -> int:
    """Report made-up results for the matches of open rounds that have none, `most` of them; answers how many.

    DomainError "not_a_rehearsal" for a real event.
    """
    tournament = expect_rehearsal(lock_tournament(tournament))
    missing = missing_matches(tournament).filter(kind=Match.Kind.PLAYED).values_list("pk", flat=True)[:most]
    matches = with_all(Match.objects.filter(pk__in=list(missing)))
    for match in matches:
        _play(actor, match, now)
    return len(matches)


def expect_rehearsal(tournament: Tournament) -> Tournament:
    """Refuse a real event: DomainError "not_a_rehearsal"."""
    if tournament.rehearsal_of_id is None:
        raise DomainError("not_a_rehearsal", _("Test results only work in rehearsals."))
    return tournament


def _play(actor: Actor, match: Match, now: datetime) -> None:
    names = [seat.entry.name for seat in match.seats.all()]
    stage = match.round.stage
    chance = Random(f"{match.round.number} {names}")  # noqa: S311 - reproducible on purpose
    strengths = [Random(name).gauss(0, 1) for name in names]  # noqa: S311
    result = simulated_result(strengths, stage.match_length, chance, needs_winner=stage.needs_winner)
    report_result(actor, match, result, now)


@in_transaction
def play_to_the_end(actor: Actor, tournament: Tournament, now: datetime) -> None:
    """Have the workers play on, step by step, until the rehearsal is finished or a person does anything in it."""
    tournament = expect_rehearsal(lock_tournament(tournament))
    if tournament.state == Tournament.State.RUNNING:
        enqueue(PLAY, [tournament.pk, head_of(tournament.stream).sequence], now, tournament.stream)


@in_transaction
def play_step(actor: Actor, tournament: Tournament, sequence: int, now: datetime) -> None:
    """Do what comes next in a rehearsal and ask for the step after it.

    Nothing happens when its log is past `sequence`: this step was done before, or a person took over or discarded it.
    """
    tournament = expect_rehearsal(lock_tournament(tournament))
    if head_of(tournament.stream).sequence != sequence:
        return
    _do(actor, tournament, next_step(tournament), now)
    tournament.refresh_from_db()
    if tournament.state == Tournament.State.RUNNING and head_of(tournament.stream).sequence > sequence:
        enqueue(PLAY, [tournament.pk, head_of(tournament.stream).sequence], now, tournament.stream)


def _do(actor: Actor, tournament: Tournament, step: NextStep, now: datetime) -> None:
    if step.step is Step.PAIR:
        publish_round(actor, pair_next_round(actor, tournament, now), now)
    elif step.step is Step.PUBLISH and step.round is not None:
        publish_round(actor, step.round, now)
    elif step.step is Step.COLLECT:
        play_open_matches(actor, tournament, now, MATCHES_A_STEP)
    elif step.step is Step.BEGIN_STAGE:
        begin_next_stage(actor, tournament, now)
    elif step.step is Step.FINISH:
        finish_tournament(actor, tournament, now)


@in_transaction
def discard_rehearsal(actor: Actor, tournament: Tournament, now: datetime) -> None:
    """Throw a rehearsal away: nobody can open it any more, as if it had never been.

    Its log stays in the database like every other, without a way to it.
    """
    tournament = expect_rehearsal(lock_tournament(tournament))
    log_act(tournament, "event.discarded", actor, now)
    StaffInvite.objects.filter(tournament=tournament).delete()
    tournament.roles.all().delete()
