"""Leagues: made, changed, filled with events, finished; and who is who in them."""

from dataclasses import dataclass, fields
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import Person
from journal.ledger.services import record
from journal.marks import mark_of
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound, needed
from rules_engine.systems import get_system
from scoring.standings.league_points import LeagueRules
from tournaments.leagues.selectors import AS_OPEN_AS, league_table, may_organise_too
from tournaments.models import EntryMember, League, LeagueEvent, LeaguePlayer, Tournament
from tournaments.permissions import is_organiser

MAX_WEIGHT, MAX_EVENTS = 9, 200


@dataclass(frozen=True, slots=True)
class LeagueDraft:
    """What an organiser says about a league. `game` "" takes events of every game."""

    name: str
    points: tuple[int, ...]
    points_for_playing: int = 0
    best_of_events: int | None = None
    visibility: str = Tournament.Visibility.PUBLIC
    game: str = ""


@in_transaction
def create_league(actor: Actor, draft: LeagueDraft, now: datetime) -> League:
    """A new league without events; the actor, who needs an account, is its organiser. DomainError "bad_league"."""
    if actor.user is None:
        raise NotAllowed("sign_in", _("Please sign in first."))
    league = League(slug=League.new_slug(draft.name), created_at=now)
    _apply(league, draft)
    league.save(force_insert=True)
    league.organisers.add(actor.user)
    _log(league, "league.created", actor, now)
    return league


def league_mark(league: League) -> str:
    """A short mark of all settings: another one means that a person changed them."""
    return mark_of([getattr(league, item.name) for item in fields(LeagueDraft)])


@in_transaction
def change_league(
    actor: Actor, league: League, draft: LeagueDraft, now: datetime, *, seen: str | None = None
) -> League:
    """Store other settings; the standings follow at once. DomainError "bad_league", "league_finished".

    `seen` is the `league_mark` that the organiser looked at: Conflict "settings_changed" when it is another by now.
    """
    league = lock_open_league(league)
    if seen is not None and seen != league_mark(league):
        raise Conflict("settings_changed", _("The settings have changed. Check before you save."))
    _apply(league, draft)
    league.save()
    _log(league, "league.changed", actor, now)
    return league


def _apply(league: League, draft: LeagueDraft) -> None:
    rules = LeagueRules(draft.points, draft.points_for_playing, draft.best_of_events)
    if draft.game:
        get_system(draft.game)
    league.name, league.game, league.visibility = " ".join(draft.name.split()), draft.game, draft.visibility
    league.points, league.points_for_playing = list(rules.points), rules.points_for_playing
    league.best_of_events = rules.best_of
    try:
        league.full_clean(exclude=["slug", "stream"])
    except ValidationError as error:
        raise DomainError("bad_league", " ".join(error.messages), fields=error.message_dict) from error


@in_transaction
def add_league_event(
    actor: Actor, league: League, tournament: Tournament, now: datetime, *, weight: int = 1
) -> LeagueEvent:
    """Let an event count, which the actor must organise too; one that counts already gets another weight.

    NotFound "unknown_event" for an event of others; DomainError "event_hidden" for one that fewer people may see than
    the league, "other_game", "bad_weight", "is_rehearsal", "too_many_events", "league_finished".
    """
    league = lock_open_league(league)
    _check_event(actor, league, tournament)
    if not 1 <= weight <= MAX_WEIGHT:
        raise DomainError(
            "bad_weight", _("A weight lies between 1 and %(most)d.") % {"most": MAX_WEIGHT}, field="weight"
        )
    if league.events.exclude(tournament=tournament).count() >= MAX_EVENTS:
        raise DomainError("too_many_events", _("A league has at most %(most)d events.") % {"most": MAX_EVENTS})
    held, _new = LeagueEvent.objects.update_or_create(
        league=league, tournament=tournament, defaults={"weight": weight}, create_defaults={
            "weight": weight, "added_at": now,
        },
    )  # fmt: skip
    _log(league, "league.event_added", actor, now, event=tournament.pk, weight=weight)
    return held


def _check_event(actor: Actor, league: League, tournament: Tournament) -> None:
    if not (is_organiser(actor, tournament) or league.events.filter(tournament=tournament).exists()):
        raise NotFound("unknown_event", _("You organise no such event."))
    if tournament.rehearsal_of_id is not None:
        raise DomainError("is_rehearsal", _("A rehearsal can't count in a league. Add another event."))
    if tournament.visibility not in AS_OPEN_AS[league.visibility]:
        raise DomainError(
            "event_hidden",
            _("This event is less public than the league. Change the “Visibility” of the event or the league first."),
            field="event",
        )
    if league.game and league.game != tournament.game:
        raise DomainError("other_game", _("This league is for another game."), field="event")


@in_transaction
def remove_league_event(actor: Actor, league: League, tournament: Tournament, now: datetime) -> None:
    """Let an event count no more; the event itself stays as it is. NotFound "unknown_event"."""
    league = lock_open_league(league)
    gone, _by_model = LeagueEvent.objects.filter(league=league, tournament=tournament).delete()
    if not gone:
        raise NotFound("unknown_event", _("This event is not in the league."))
    _log(league, "league.event_removed", actor, now, event=tournament.pk)


@in_transaction
def finish_league(actor: Actor, league: League, now: datetime) -> League:
    """Close the season: from now on neither its rules nor its events change. DomainError "league_finished"."""
    league = lock_open_league(league)
    return _set_finished(actor, league, now, now)


@in_transaction
def reopen_league(actor: Actor, league: League, now: datetime) -> League:
    """Open a finished league again."""
    return _set_finished(actor, lock_league(league), None, now)


def _set_finished(actor: Actor, league: League, at: datetime | None, now: datetime) -> League:
    league.finished_at = at
    league.save(update_fields=["finished_at"])
    _log(league, "league.reopened" if at is None else "league.finished", actor, now)
    return league


@in_transaction
def add_league_organiser(actor: Actor, league: League, username: str, now: datetime) -> None:
    """Let another person run the league too: an account that is staff of one of its events.

    DomainError "not_staff" for any other name, so that nobody learns here which accounts there are.
    """
    league = lock_league(league)
    role = may_organise_too(league).filter(user__username=username).first()
    if role is None:
        raise DomainError("not_staff", _("This user isn't staff of any event in this league."))
    league.organisers.add(role.user_id)
    _log(league, "league.organiser_added", actor, now, user=role.user_id)


@in_transaction
def remove_league_organiser(actor: Actor, league: League, username: str, now: datetime) -> None:
    """Let an organiser run the league no more; oneself too. DomainError "last_organiser", "not_organiser"."""
    league = lock_league(league)
    gone = league.organisers.filter(username=username).first()
    if gone is None:
        raise DomainError("not_organiser", _("Nobody of that user name runs this league."))
    if not league.organisers.filter(is_active=True).exclude(pk=gone.pk).exists():
        raise DomainError("last_organiser", _("A league needs an organiser: add another one first."))
    league.organisers.remove(gone)
    _log(league, "league.organiser_removed", actor, now, user=gone.pk)


@in_transaction
def join_players(actor: Actor, league: League, person: Person, other: Person, now: datetime) -> None:
    """Say that two people of the league's events are one player, and so is everybody who counts as one of them.

    NotFound "unknown_player"; Conflict "same_event" when both played at one event, as two persons do, or anybody who
    counts as one of them with anybody who counts as the other.
    """
    league = lock_open_league(league)
    events = [_events_of(league, each) for each in (person, other)]
    one, two = _counted_as(league, person), _counted_as(league, other)
    if person == other or events[0] & events[1] or (one != two and _have_met(league, one, two)):
        raise Conflict("same_event", _("Both were at the same event: they are two people."))
    _say_one(actor, league, _with_hidden(league, one | two), now)


@in_transaction
def tell_player_apart(actor: Actor, league: League, person: Person, now: datetime) -> None:
    """Say that a person of the league's events is nobody else, whatever the name; the others stay one player.

    Who counts as this person at events that are hidden now still does. NotFound "unknown_player".
    """
    league = lock_open_league(league)
    _events_of(league, person)
    others = _counted_as(league, person) - {person.pk}
    league.players.filter(counts_as=person, person__in=others).delete()
    _say(actor, league, person.pk, person.pk, now)
    _say_one(actor, league, _with_hidden(league, others) - {person.pk}, now)


def _counted_as(league: League, person: Person) -> set[int]:
    """Everybody who counts as the same player by now, the person among them."""
    players = [{each.person for each in line.persons} for line in league_table(league).lines]
    return next((each for each in players if person.pk in each), {person.pk})


def _with_hidden(league: League, persons: set[int]) -> set[int]:
    """The persons with those whom they count as, who may only have played at events that are hidden now."""
    counts_as = dict(league.players.values_list("person", "counts_as"))
    while more := {counts_as[each] for each in persons if each in counts_as} - persons:
        persons = persons | more
    return persons


def _say_one(actor: Actor, league: League, persons: set[int], now: datetime) -> None:
    """Let each of them count as one: as whoever stands apart from namesakes, who would come along else."""
    apart = league.players.filter(person__in=persons, counts_as=F("person")).order_by("person").first()
    stands_for = apart.person_id if apart else min(persons, default=0)
    for each in sorted(persons - {stands_for}):
        _say(actor, league, each, stands_for, now)


def _say(actor: Actor, league: League, person: int, counts_as: int, now: datetime) -> None:
    LeaguePlayer.objects.update_or_create(league=league, person_id=person, defaults={"counts_as_id": counts_as})
    _log(league, "league.player_told", actor, now, person=person, counts_as=counts_as)


def _events_of(league: League, person: Person) -> set[int]:
    """The league's events at which a person was, by id; NotFound "unknown_player" where there is none."""
    members = EntryMember.objects.filter(person=person, tournament__league_events__league=league)
    if not (events := set(members.values_list("tournament", flat=True))):
        raise NotFound("unknown_player", _("Nobody like that played in this league."))
    return events


def _have_met(league: League, one: set[int], other: set[int]) -> bool:
    """Whether two players were at one event, under whatever name."""
    at_events = EntryMember.objects.filter(tournament__league_events__league=league)
    theirs = at_events.filter(person__in=other).values("tournament")
    return at_events.filter(person__in=one, tournament__in=theirs).exists()


def lock_league(league: League) -> League:
    """The league's row, locked until the transaction ends; NotFound "unknown_league"."""
    found = League.objects.select_for_update().filter(pk=league.pk).first()
    return needed(found, NotFound("unknown_league", _("This league does not exist any more.")))


def lock_open_league(league: League) -> League:
    """Lock a league that changes still: DomainError "league_finished"."""
    league = lock_league(league)
    if league.finished_at is not None:
        raise DomainError("league_finished", _("The league is finished. Reopen it to change it."))
    return league


def _log(league: League, act: str, actor: Actor, now: datetime, **subjects: int) -> None:
    record(league.stream, act, actor.key, "organiser", now, {"league": league.pk, **subjects})
