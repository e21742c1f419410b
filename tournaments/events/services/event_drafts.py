"""What an organiser says about an event: what is usual, what is allowed, and put on the event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from decks.selectors.legality import format_at
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from rules_engine.ways import Way
from scoring.sheets.tallies.options import check_options
from scoring.sheets.tallies.registry import has_sheet, options_at_events, tells_one_game
from scoring.standings.presets import PRESETS
from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import compute_standings
from tournaments.core.ways import find_way, has_usual_sheets
from tournaments.models import Tournament
from tournaments.pairing.swiss.contenders import PairingPolicy
from tournaments.timing import MAX_MINUTES, MOST_WARNINGS, are_warnings

FIRST_YEAR, LAST_YEAR = 1970, 2999
MAX_STACKING_MINUTES = 60
YEARS = {"first": FIRST_YEAR, "last": LAST_YEAR}


@dataclass(frozen=True, slots=True)
class EventDraft:
    """What an organiser says about an event.

    `best_of` None means: as long as is usual for the game; `swiss_rounds` None: as many as the attendance recommends;
    `policy` None: what is usual for the game; `pairing` None: the usual rules of pairing; `stacking_minutes` None: as
    many as the game's rules give (it counts in games alone whose decks are stacked), 0: the site asks for no stacking;
    `round_minutes` None: as many as are usual for the way and the length of a match, 0: no clock; `clock_warnings` are
    the minutes left at which it warns, None: as the way has them; the minutes to a no-show's game loss and match loss
    None: judges are proposed none; `variant` "" is the
    first of the format's; `deciding_game` says how roles go in the last game of a best-of-n, "" that they swap always.
    `sheet_options` are those of `scoring.games` that are not as usual for the game. `way` is how the game is played
    (`rules_engine.ways`), "" the first that plays this format; length, sheets and their options follow it if None.
    """

    name: str
    starts_at: datetime
    game: str
    game_format: str
    place: str = ""
    time_zone: str = "UTC"
    visibility: str = Tournament.Visibility.PUBLIC
    best_of: int | None = None
    exact_games: bool = False
    deciding_game: str = ""
    swiss_rounds: int | None = None
    policy: ScoringPolicy | None = None
    pairing: PairingPolicy | None = None
    scores_as_recorded: bool = False
    players_report: bool = True
    table_reports: str = Tournament.TableReports.STAFF
    scorekeepers_issue: bool = False
    keeps_contacts: bool = False
    door_tables: str = ""
    screen_reader_tables: str = ""
    quiet_tables: str = ""
    check_in: bool = False
    check_in_minutes: int | None = None
    self_sign_up: bool = True
    capacity: int | None = None
    deck_required: bool = False
    deck_deadline: datetime | None = None
    deck_publish: str = Tournament.DeckPublish.NEVER
    stacking_minutes: int | None = None
    round_minutes: int | None = None
    clock_warnings: Sequence[int] | None = None
    no_show_game_minutes: int | None = None
    no_show_match_minutes: int | None = None
    hall_closes_at: datetime | None = None
    variant: str = ""
    score_sheets: bool | None = None
    sheet_options: Mapping[str, Any] | None = None
    way: str = ""


def usual_length(way: Way, game: str, score_sheets: bool | None = None) -> int:
    """The games of a match unless the organiser says otherwise: one where a score sheet tells one game.

    `score_sheets` None: as the way has them.
    """
    with_sheets = has_usual_sheets(game, way) if score_sheets is None else score_sheets
    return 1 if with_sheets and tells_one_game(game) else way.best_of


def follow_way(draft: EventDraft) -> EventDraft:
    """The draft with its way named, and with what the way says where the organiser left it open.

    Errors are those of `find_way`.
    """
    way = find_way(draft.game, draft.game_format, draft.variant, draft.way)
    filled: dict[str, Any] = {"way": way.slug, "variant": draft.variant or way.variant}
    if draft.score_sheets is None:
        filled["score_sheets"] = has_usual_sheets(draft.game, way)
    if draft.sheet_options is None:
        filled["sheet_options"] = way.sheet_options
    if draft.best_of is None:
        length = usual_length(way, draft.game, draft.score_sheets)
        filled |= {
            "best_of": length,
            "exact_games": draft.exact_games or (way.exact_games and length == way.best_of),
            "deciding_game": draft.deciding_game or way.deciding_game,
        }
    return replace(draft, **filled)


def standard_policy(best_of: int, game: str = "") -> ScoringPolicy:
    """The usual rules of scoring of a game: a bye counts as many games as win a match of this length."""
    preset = PRESETS.get(game)
    return replace(preset.policy if preset else ScoringPolicy(), bye_games=(best_of // 2 + 1, 0))


def apply_draft(tournament: Tournament, draft: EventDraft) -> None:
    """Put what an organiser says, nothing left open, on an event not saved yet; DomainError naming the `field`."""
    policy = draft.policy or standard_policy(draft.best_of or 1, draft.game)
    for item in fields(draft):
        setattr(tournament, item.name, getattr(draft, item.name))
    tournament.policy = policy.as_dict()
    tournament.pairing = (draft.pairing or PairingPolicy()).as_dict()
    tournament.sheet_options = check_options(options_at_events(draft.game), draft.sheet_options or {})
    _check_play(draft)
    _check_policy(policy)
    _check_stacking(draft.stacking_minutes)
    _check_round_minutes(draft.round_minutes)
    _check_warnings(draft.clock_warnings)
    _check_no_shows(draft.no_show_game_minutes, draft.no_show_match_minutes)
    for name in ("starts_at", "deck_deadline", "hall_closes_at"):
        _check_year(name, getattr(draft, name))
    if draft.hall_closes_at is not None and draft.hall_closes_at <= draft.starts_at:
        raise DomainError("bad_event", _("Choose a time after the start of the event."), field="hall_closes_at")
    try:
        tournament.full_clean(exclude=["slug", "stream"])
    except ValidationError as error:
        raise DomainError("bad_event", " ".join(error.messages), fields=error.message_dict) from error


def _check_play(draft: EventDraft) -> None:
    system = get_system(draft.game)
    if draft.score_sheets and not has_sheet(draft.game):
        raise DomainError("no_sheets", _("This game has no score sheet."), field="score_sheets")
    options = draft.sheet_options or {}
    game_format, choices = format_at(draft.game, draft.game_format), system.match.best_of_choices
    if draft.deck_required and not game_format.checks_decks:
        raise DomainError("no_decks", _("This format has no decklists."))
    if draft.deck_required and any(each.makes_deck and options.get(each.option) for each in system.drafts):
        raise DomainError("no_decks", _("Decks are drafted at the tables here: none is there before the start."))
    if draft.variant and draft.variant not in {variant.slug for variant in game_format.variants}:
        raise DomainError("unknown_variant", _("You can't play this format that way."), field="variant")
    if draft.deciding_game and draft.deciding_game not in system.match.deciding_labels:
        text = _("This game doesn't have that role rule.")
        raise DomainError("bad_event", text, field="deciding_game")
    if not draft.exact_games and draft.best_of not in choices:
        offered = ", ".join(str(count) for count in choices)
        raise DomainError(
            "bad_event", _("This game is played as best of %(offered)s.") % {"offered": offered}, field="best_of"
        )
    if draft.score_sheets and draft.best_of != 1 and tells_one_game(draft.game) and system.match.tables_of is None:
        text = _("Score sheets cover one game here: play best of 1 or without them.")
        raise DomainError("bad_event", text, field="best_of")


def _check_policy(policy: ScoringPolicy) -> None:
    compute_standings((), (), policy)  # refuses tiebreakers nobody knows
    if not policy.tiebreakers or len(set(policy.tiebreakers)) < len(policy.tiebreakers):
        raise DomainError("bad_policy", _("Choose one criterion or more, each once."), field="tiebreakers")


def _check_stacking(minutes: int | None) -> None:
    if minutes is not None and not 0 <= minutes <= MAX_STACKING_MINUTES:
        raise DomainError(
            "bad_event",
            _("Choose up to %(most)d stacking minutes, or 0.") % {"most": MAX_STACKING_MINUTES},
            field="stacking_minutes",
        )


def _check_round_minutes(minutes: int | None) -> None:
    if minutes is not None and not 0 <= minutes <= MAX_MINUTES:
        raise DomainError(
            "bad_event",
            _("Choose up to %(most)d minutes, or 0 for none.") % {"most": MAX_MINUTES},
            field="round_minutes",
        )


def _check_warnings(minutes: Sequence[int] | None) -> None:
    if minutes is not None and not are_warnings(minutes):
        raise DomainError(
            "bad_event",
            _("Choose up to %(most)d different warnings.") % {"most": MOST_WARNINGS},
            field="clock_warnings",
        )


def _check_no_shows(game: int | None, match: int | None) -> None:
    for field, minutes, least in (("no_show_game_minutes", game, 1), ("no_show_match_minutes", match, (game or 0) + 1)):
        if minutes is not None and not least <= minutes <= MAX_MINUTES:
            raise DomainError(
                "bad_event",
                _("Choose %(least)d to %(most)d minutes.") % {"least": least, "most": MAX_MINUTES},
                field=field,
            )


def _check_year(name: str, moment: datetime | None) -> None:
    if moment is not None and not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise DomainError("bad_event", _("Choose a time from %(first)d to %(last)d.") % YEARS, field=name)
