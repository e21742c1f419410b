"""From the values of the event form to the draft a service takes, and from an event back to the form's values."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts.actors import Actor
from accounts.http.numbers import read_number
from accounts.http.requests import ActorRequest
from rules_engine.errors import DomainError
from scoring.standings.presets import PRESETS
from scoring.standings.records import ScoringPolicy
from tournaments.events.forms.settings import PAIR, EventForm
from tournaments.events.forms.settings_parts import chosen_play, first_play, is_play, play_value
from tournaments.events.services.event_drafts import (
    EventDraft,
    apply_draft,
    follow_way,
    standard_policy,
    usual_length,
)
from tournaments.models import Tournament
from tournaments.pairing.swiss.contenders import PairingPolicy
from tournaments.sheets.forms import NO, YES
from tournaments.standings.forms.scoring import OF_GAME, OWN, composed_policy, profile_of, scoring_values
from tournaments.structure.services.structures import usual_structure
from tournaments.web.shared.way_words import DifferenceLine, difference_lines, new_contradictions

PLAIN = (
    "name", "place", "starts_at", "time_zone", "visibility", "best_of", "exact_games", "swiss_rounds", "capacity",
    "players_report", "table_reports", "check_in", "check_in_minutes", "self_sign_up", "deck_required", "deck_deadline",
    "deck_publish", "stacking_minutes", "round_minutes", "clock_warnings", "deciding_game", "scorekeepers_issue",
    "keeps_contacts", "door_tables", "screen_reader_tables", "quiet_tables",
    "no_show_game_minutes", "no_show_match_minutes", "hall_closes_at",
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
    game, game_format, way = chosen_play(values["play"])
    stored = tournament if tournament is not None and values["play"] == play_value(tournament) else None
    return EventDraft(
        game=game,
        game_format=game_format,
        variant=stored.variant if stored else way.variant,
        way=stored.way if stored else way.slug,
        policy=policy_of(values, tournament),
        pairing=PairingPolicy.from_dict({name: values[name] for name in PairingPolicy().as_dict()}),
        score_sheets=values["score_sheets"],
        sheet_options=values["sheet_options"],
        scores_as_recorded=tournament is not None and tournament.scores_as_recorded,
        **{name: values[name] for name in PLAIN},
    )


def policy_of(values: Mapping[str, Any], tournament: Tournament | None) -> ScoringPolicy:
    """The rules of scoring that cleaned values mean; a bye is worth as many games as win a match."""
    game, _format, way = chosen_play(values["play"])
    length = values["best_of"] or usual_length(way, game, values["score_sheets"])
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
        "play": play_value(tournament),
        **{name: getattr(tournament, name) for name in PLAIN},
        "exact_games": tournament.exact_games and tournament.best_of != PAIR,
        "score_sheets": YES if tournament.score_sheets else NO,
        "sheet_options": tournament.sheet_options,
        **scoring_values(tournament.scoring_policy, profile_of(tournament.scoring_policy, tournament.game)),
        **tournament.pairing_policy.as_dict(),
    }


def usual_values(actor: Actor, now: datetime, filled_for: str = "") -> dict[str, Any]:
    """What a new event starts from: next Saturday at ten, the game, place and zone of the organiser's last event.

    For a person's first one (`is_first`) the page guesses the zone. `filled_for` is the way to play whose usual
    settings the form showed already.
    """
    last = Tournament.objects.filter(created_by=actor.user).order_by("-created_at").first()
    zone = last.time_zone if last else settings.TIME_ZONE
    today = now.astimezone(ZoneInfo(zone)).date()
    day = today + timedelta(days=(SATURDAY - today.weekday()) % 7 or 7)
    play = play_value(last) if last else first_play()
    return {
        "starts_at": datetime.combine(day, USUAL_START),
        "time_zone": zone,
        "is_first": last is None,
        "place": last.place if last else "",
        "visibility": Tournament.Visibility.PUBLIC,
        "deck_publish": Tournament.DeckPublish.NEVER,
        "players_report": True,
        "table_reports": Tournament.TableReports.STAFF,
        "self_sign_up": True,
        **PairingPolicy().as_dict(),
        **way_values(filled_for if is_play(filled_for) else play),
        "play": play,
    }


def way_values(play: str) -> dict[str, Any]:
    """What a way to play says of an event, as initial values."""
    game, game_format, way = chosen_play(play)
    draft = follow_way(EventDraft("", datetime.min, game, game_format, variant=way.variant, way=way.slug))
    follows = ("best_of", "exact_games", "deciding_game", "sheet_options", "round_minutes", "stacking_minutes")
    return {
        "play": play,
        "shown_play": play,
        **{name: getattr(draft, name) for name in follows},
        "exact_games": draft.exact_games and draft.best_of != PAIR,
        "structure": usual_structure(way),
        "score_sheets": YES if draft.score_sheets else NO,
        **scoring_values(standard_policy(draft.best_of or 1, game), OF_GAME),
    }


def contradictions_of(
    request: ActorRequest, draft: EventDraft, stored: Tournament | None = None
) -> list[DifferenceLine]:
    """What the organiser has to confirm before it is stored: the draft leaves a clause of its way to play."""
    asked = copy(stored) if stored else Tournament()
    try:
        if "differs" not in request.POST:
            apply_draft(asked, follow_way(draft))
    except DomainError:
        return []  # the service says what is wrong
    return new_contradictions(asked, difference_lines(stored) if stored else ())
