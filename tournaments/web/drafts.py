"""From the values of the event form to the draft a service takes, and from an event back to the form's values."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts.actors import Actor
from rules_engine.systems import list_systems
from scoring.records import ScoringPolicy
from tournaments.forms.settings import play_value
from tournaments.models import Tournament
from tournaments.pairing.contenders import PairingPolicy
from tournaments.services.events import EventDraft, standard_policy

PLAIN = (
    "name", "place", "starts_at", "time_zone", "visibility", "best_of", "exact_games", "swiss_rounds", "capacity",
    "players_report", "check_in", "self_sign_up", "deck_required", "deck_deadline", "deck_publish",
    "stacking_minutes",
)  # fmt: skip
"""What form, draft and event call by the same name."""
SATURDAY = 5
USUAL_START = time(10)
FIELD_OF_CODE = {
    "no_decks": "deck_required",
    "too_few_rounds": "swiss_rounds",
    "unknown_game": "play",
    "unknown_variant": "play",
}
"""The form field that a refusal of the services belongs to."""


def draft_of(values: Mapping[str, Any], tournament: Tournament | None = None) -> EventDraft:
    """The draft that cleaned values mean; what the form does not ask stays as it is in `tournament`."""
    game, game_format, *variant = values["play"].split("/")
    return EventDraft(
        game=game,
        game_format=game_format,
        variant="".join(variant),
        policy=policy_of(values, tournament),
        pairing=PairingPolicy.from_dict({name: values[name] for name in PairingPolicy().as_dict()}),
        scores_as_recorded=tournament is not None and tournament.scores_as_recorded,
        **{name: values[name] for name in PLAIN},
    )


def policy_of(values: Mapping[str, Any], tournament: Tournament | None) -> ScoringPolicy:
    """The rules profile that cleaned values mean: a bye is worth a win, and as many games as win a match."""
    before = tournament.scoring_policy if tournament else standard_policy(values["best_of"])
    same_length = tournament is not None and tournament.best_of == values["best_of"]
    keys = [values[name] for name in sorted(values) if name.startswith("tiebreaker_")]
    return replace(
        before,
        win=values["win"],
        draw=values["draw"],
        loss=values["loss"],
        bye=values["win"] if before.bye == before.win else before.bye,
        bye_games=before.bye_games if same_length else standard_policy(values["best_of"]).bye_games,
        floor=Fraction(values["floor"]),
        tiebreakers=tuple(key for key in keys if key),
    )


def values_of(tournament: Tournament) -> dict[str, Any]:
    """An event as the form's initial values."""
    return {
        "play": play_value(tournament.game, tournament.game_format, tournament.variant),
        **{name: getattr(tournament, name) for name in PLAIN},
        **policy_values(tournament.scoring_policy),
        **tournament.pairing_policy.as_dict(),
    }


def usual_values(actor: Actor, now: datetime) -> dict[str, Any]:
    """What a new event starts from: next Saturday at ten, the game, place and zone of the organiser's last event."""
    last = Tournament.objects.filter(created_by=actor.user).order_by("-created_at").first()
    zone = last.time_zone if last else settings.TIME_ZONE
    today = now.astimezone(ZoneInfo(zone)).date()
    day = today + timedelta(days=(SATURDAY - today.weekday()) % 7 or 7)
    systems = list_systems()
    first = next((system for system in systems if system.formats[0].checks_decks), systems[0])
    return {
        "starts_at": datetime.combine(day, USUAL_START),
        "time_zone": zone,
        "place": last.place if last else "",
        "visibility": Tournament.Visibility.PUBLIC,
        "play": play_value(last.game, last.game_format, last.variant)
        if last
        else play_value(first.slug, first.formats[0].slug),
        "best_of": last.best_of if last else first.match.best_of_default,
        "deck_publish": Tournament.DeckPublish.NEVER,
        "players_report": True,
        "self_sign_up": True,
        **policy_values(ScoringPolicy()),
        **PairingPolicy().as_dict(),
    }


def policy_values(policy: ScoringPolicy) -> dict[str, Any]:
    """A rules profile as the form's initial values."""
    keys = {f"tiebreaker_{place}": key for place, key in enumerate(policy.tiebreakers, start=1)}
    return {"win": policy.win, "draw": policy.draw, "loss": policy.loss, "floor": str(policy.floor), **keys}
