"""From the values of the event form to the draft a service takes, and from an event back to the form's values."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts.actors import Actor
from accounts.http.numbers import read_number
from rules_engine.systems import list_systems
from scoring.standings.presets import PRESETS
from scoring.standings.records import ScoringPolicy
from tournaments.events.forms.play import play_value
from tournaments.events.forms.settings import EventForm
from tournaments.events.services.event_drafts import EventDraft, standard_policy, usual_length
from tournaments.models import Tournament
from tournaments.pairing.swiss.contenders import PairingPolicy
from tournaments.sheets.forms import NO, USUAL, YES
from tournaments.standings.forms import OF_GAME, OWN, composed_policy, profile_of, scoring_values

PLAIN = (
    "name", "place", "starts_at", "time_zone", "visibility", "best_of", "exact_games", "swiss_rounds", "capacity",
    "players_report", "table_reports", "check_in", "self_sign_up", "deck_required", "deck_deadline", "deck_publish",
    "stacking_minutes", "round_minutes", "deciding_game", "scorekeepers_issue",
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

MAX_GAMES = 9


def draft_of(values: Mapping[str, Any], tournament: Tournament | None = None) -> EventDraft:
    """The draft that cleaned values mean; what the form does not ask stays as it is in `tournament`."""
    game, game_format, *variant = values["play"].split("/")
    return EventDraft(
        game=game,
        game_format=game_format,
        variant="".join(variant),
        policy=policy_of(values, tournament),
        pairing=PairingPolicy.from_dict({name: values[name] for name in PairingPolicy().as_dict()}),
        score_sheets=values["score_sheets"],
        sheet_options=values["sheet_options"],
        scores_as_recorded=tournament is not None and tournament.scores_as_recorded,
        **{name: values[name] for name in PLAIN},
    )


def policy_of(values: Mapping[str, Any], tournament: Tournament | None) -> ScoringPolicy:
    """The rules of scoring that cleaned values mean; a bye is worth as many games as win a match."""
    game = values["play"].partition("/")[0]
    length = values["best_of"] or usual_length(game, values["score_sheets"])
    before = tournament.scoring_policy if tournament else standard_policy(length, game)
    base = before if values["profile"] == OWN else profile_policy(values["profile"], game, length)
    policy = composed_policy(base, values) if values["composed"] else base
    stays = tournament is not None and tournament.best_of == length and values["profile"] == OWN
    return policy if stays else replace(policy, bye_games=standard_policy(length).bye_games)


def profile_policy(profile: str, game: str, best_of: int) -> ScoringPolicy:
    """The rules of a ready-made profile, or those usual for the game."""
    return PRESETS[profile].policy if profile in PRESETS else standard_policy(best_of, game)


def filled_values(form: EventForm) -> dict[str, Any]:
    """What was typed into the form, with the rules of the profile chosen in it filled in."""
    typed = form.posted_values()
    game, length = str(typed["play"]).partition("/")[0], read_number(str(typed["best_of"] or ""), MAX_GAMES) or 1
    policy = profile_policy(typed["profile"], game, length)
    rest = {name: value for name, value in typed.items() if not name.startswith("tiebreaker_")}
    return {**rest, **scoring_values(policy, typed["profile"]), "filled": typed["profile"]}


def values_of(tournament: Tournament) -> dict[str, Any]:
    """An event as the form's initial values."""
    return {
        "play": play_value(tournament.game, tournament.game_format, tournament.variant),
        **{name: getattr(tournament, name) for name in PLAIN},
        "score_sheets": YES if tournament.score_sheets else NO,
        "sheet_options": tournament.sheet_options,
        **scoring_values(tournament.scoring_policy, profile_of(tournament.scoring_policy, tournament.game)),
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
        "deck_publish": Tournament.DeckPublish.NEVER,
        "players_report": True,
        "table_reports": Tournament.TableReports.STAFF,
        "self_sign_up": True,
        "score_sheets": USUAL,
        **scoring_values(standard_policy(1, last.game if last else first.slug), OF_GAME),
        **PairingPolicy().as_dict(),
    }
