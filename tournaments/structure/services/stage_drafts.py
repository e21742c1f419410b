"""What an organiser says about the stages of an event: what is usual, and what can be played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from rules_engine.ways import WayTables
from scoring.sheets.tallies.options import most_players
from scoring.sheets.tallies.registry import options_at_events, options_of_stages, tells_one_game
from tournaments.core.ways import way_of
from tournaments.entries.selectors.entries import TEAMS as TEAMS_MODE
from tournaments.models import Stage, Tournament
from tournaments.pairing.brackets.elimination import MAX_ENTRANTS
from tournaments.pairing.pods.contenders import LARGEST, Remainder, TablePolicy
from tournaments.structure.selectors.stages import stages_of
from tournaments.timing import MAX_MINUTES, are_warnings

Kind, Qualify = Stage.Kind, Stage.Qualify
BRACKETS = (Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION)
COUNTED = (Kind.SWISS, Kind.TABLES)
"""Kinds whose number of rounds the organiser chooses."""
MAX_STAGES, MAX_ROUNDS, MAX_GAMES, LONGEST_NAME, MAX_POINTS = 8, 99, 9, 60, 9999
USUAL_CUT = 8
MODE, TEAMS = TEAMS_MODE
TABLES_OF_MODE = {
    TEAMS: TablePolicy(preferred=3, least=2, most=3),
    "primary_targets": TablePolicy(preferred=4, least=2, most=5, remainder=Remainder.LARGER, primary_targets=True),
}
"""Tables of the ways to play (`scoring.games`) that make sense for several sides at a table."""


@dataclass(frozen=True, slots=True)
class StageDraft:
    """What an organiser says about one stage; the fields of `Stage`.

    `planned_rounds` None: as many as the field recommends; of the first stage they are `Tournament.swiss_rounds`.
    `best_of`, `round_minutes` and `clock_warnings` None: as the event, 0 minutes: no clock. `sheet_options` are those
    that are not as the event's, among those that may differ from stage to stage.
    """

    kind: str = Kind.SWISS
    name: str = ""
    planned_rounds: int | None = None
    qualify: str = Qualify.EVERYBODY
    qualify_value: int | None = None
    replaces_dropped: bool = True
    carries_points: bool = False
    best_of: int | None = None
    third_place: bool = False
    bracket_reset: bool = True
    return_leg: bool = False
    tables: TablePolicy = field(default_factory=TablePolicy)
    round_minutes: int | None = None
    clock_warnings: Sequence[int] | None = None
    sheet_options: Mapping[str, Any] = field(default_factory=dict)


NAMES = tuple(item.name for item in fields(StageDraft))


def usual_stages(tournament: Tournament) -> list[StageDraft]:
    """The stages a new event has: tables of several players or Swiss rounds, and the finals of its way to play."""
    tables, rounds = tables_at(tournament), tournament.swiss_rounds
    first = StageDraft(planned_rounds=rounds)
    if tables is not None:
        first = StageDraft(Kind.TABLES, planned_rounds=rounds, tables=tables)
    finals = (
        StageDraft(
            Kind.SINGLE_ELIMINATION,
            qualify=Qualify.TOP,
            qualify_value=final.top,
            round_minutes=final.round_minutes,
            sheet_options=dict(final.sheet_options),
        )
        for final in way_of(tournament).finals
    )
    return [first, *finals]


def usual_cut(tournament: Tournament, kind: str = Kind.SINGLE_ELIMINATION) -> StageDraft:
    """An elimination after a cut: the final of the way to play, else the top 8 with its minutes for cuts."""
    minutes = way_of(tournament).cut_minutes
    plain = StageDraft(qualify=Qualify.TOP, qualify_value=USUAL_CUT, round_minutes=minutes)
    return replace([*usual_stages(tournament)[1:], plain][0], kind=kind)


def tables_at(tournament: Tournament) -> TablePolicy | None:
    """How tables of an event are usually filled; None where its players usually meet in pairs.

    Several sit at a table where the game is played so, and where a mode was agreed on that is made for several.
    """
    way, mode = way_of(tournament), tournament.sheet_options.get(MODE)
    if mode != way.sheet_options.get(MODE) and mode in TABLES_OF_MODE:
        return TABLES_OF_MODE[mode]
    return None if way.tables is None else _policy_of(way.tables, most_at_table(tournament))


def _policy_of(tables: WayTables, most: int | None) -> TablePolicy:
    largest = min(tables.most, most or LARGEST)
    preferred = min(tables.preferred, largest)
    return TablePolicy(
        preferred,
        min(tables.least, preferred),
        largest,
        Remainder.LARGER,
        primary_targets=tables.primary_targets,
    )


def usual_tables(tournament: Tournament) -> TablePolicy:
    """How tables are filled where an organiser chooses to play at tables: as the way says, else four or one more."""
    seats = get_system(tournament.game).match
    usual = TablePolicy().preferred
    plain = WayTables(min(usual, seats.seats_max), seats.seats_min, min(usual + 1, seats.seats_max))
    return tables_at(tournament) or _policy_of(plain, most_at_table(tournament))


def most_at_table(tournament: Tournament) -> int | None:
    """The most players with whom everything agreed on for the score sheets can be played; None for any number."""
    known = options_at_events(tournament.game) if tournament.score_sheets else ()
    return most_players(known, tournament.sheet_options)


def stage_drafts_of(tournament: Tournament) -> list[StageDraft]:
    """The stages of an event as an organiser would say them; `set_stages` of another event takes them."""
    drafts = []
    for stage in stages_of(tournament):
        values = {name: getattr(stage, name) for name in NAMES} | {"tables": stage.table_policy}
        if stage.number == 1:
            values["planned_rounds"] = tournament.swiss_rounds if stage.kind in COUNTED else None
        drafts.append(StageDraft(**values))
    return drafts


def stages_for_game(tournament: Tournament, *, were_usual: bool) -> list[StageDraft]:
    """The stages of an event whose settings changed and are not saved yet; `were_usual`: they were `usual_stages`.

    The stages that were usual become those that are usual now, any others stay: DomainError "bad_stage" if they cannot.
    """
    if were_usual:
        return usual_stages(tournament)
    drafts = stage_drafts_of(tournament)
    check_stages(tournament, drafts)
    return drafts


def check_stages(tournament: Tournament, drafts: Sequence[StageDraft]) -> None:
    """Refuse a list of stages that cannot be played: DomainError "bad_stage" with `stage` and `field`."""
    if not 1 <= len(drafts) <= MAX_STAGES:
        raise DomainError("bad_stage", _("An event has 1 to %(most)d stages.") % {"most": MAX_STAGES})
    for number, draft in enumerate(drafts, start=1):
        for name, is_right, text in _rules(tournament, number, draft, is_last=number == len(drafts)):
            if not is_right:
                raise stage_fault(number, name, text)


def stage_fault(number: int, name: str, text: str, code: str = "bad_stage") -> DomainError:
    """The error that names a stage by its number and the field at fault."""
    return DomainError(
        code, _("Stage %(number)d: %(fault)s") % {"number": number, "fault": text}, stage=number, field=name
    )


def _rules(tournament: Tournament, number: int, draft: StageDraft, *, is_last: bool) -> list[tuple[str, bool, str]]:
    """What a stage must keep: the field, whether it does, and what is wrong if not."""
    return [
        ("kind", draft.kind in Kind.values, _("choose one of the kinds offered.")),
        ("kind", is_last or draft.kind not in BRACKETS, _("nothing can come after an elimination.")),
        ("name", len(draft.name) <= LONGEST_NAME, _("a name has 60 letters at most.")),
        *_cut_rules(number, draft),
        *_play_rules(tournament, draft),
    ]  # fmt: skip


def _cut_rules(number: int, draft: StageDraft) -> list[tuple[str, bool, str]]:
    cuts, value = draft.qualify != Qualify.EVERYBODY, draft.qualify_value
    most = MAX_ENTRANTS if draft.kind in BRACKETS else MAX_POINTS
    return [
        ("qualify", draft.qualify in Qualify.values, _("choose who plays on.")),
        ("qualify", number > 1 or not cuts, _("everybody plays in the first stage.")),
        ("qualify_value", cuts or value is None, _("everybody plays on, so no number belongs here.")),
        ("qualify_value", not cuts or value is not None, _("say how many play on, or how many points it takes.")),
        (
            "qualify_value",
            draft.qualify != Qualify.TOP or 2 <= (value or 0) <= most,
            _("from 2 to %(most)d can play on.") % {"most": most},
        ),
        (
            "qualify_value",
            draft.qualify != Qualify.POINTS or 0 <= (value or 0) <= MAX_POINTS,
            _("give match points from 0 up."),
        ),
        ("carries_points", number > 1 or not draft.carries_points, _("there are no points before the first stage.")),
        (
            "carries_points",
            draft.kind not in BRACKETS or not draft.carries_points,
            _("points do not count in an elimination."),
        ),
    ]  # fmt: skip


def _play_rules(tournament: Tournament, draft: StageDraft) -> list[tuple[str, bool, str]]:
    rounds = draft.planned_rounds
    return [
        *_table_rules(tournament, draft),
        (
            "planned_rounds",
            rounds is None or draft.kind in COUNTED,
            _("the number of players decides the rounds: leave this empty."),
        ),
        ("planned_rounds", rounds is None or 1 <= rounds <= MAX_ROUNDS, _("give 1 to 99 rounds.")),
        *_length_rules(tournament, draft),
        ("round_minutes", 0 <= (draft.round_minutes or 0) <= MAX_MINUTES, _("give 0 to 600 minutes.")),
        ("clock_warnings", are_warnings(draft.clock_warnings or ()), _("give up to 5 different numbers of minutes.")),
        (
            "sheet_options",
            _are_of_stage(tournament.game, draft.sheet_options),
            _("these options do not belong to a stage."),
        ),
        (
            "third_place",
            draft.kind == Kind.SINGLE_ELIMINATION or not draft.third_place,
            _("only a single elimination has a match for third place."),
        ),
        (
            "return_leg",
            draft.kind == Kind.ROUND_ROBIN or not draft.return_leg,
            _("only in a round robin everybody meets twice."),
        ),
    ]  # fmt: skip


def _are_of_stage(game: str, options: Mapping[str, Any]) -> bool:
    known = {option.key: option for option in options_of_stages(game)}
    return all(key in known and known[key].takes(value) for key, value in options.items())


def _table_rules(tournament: Tournament, draft: StageDraft) -> list[tuple[str, bool, str]]:
    facts, most = get_system(tournament.game).match, most_at_table(tournament)
    seats = f"{facts.seats_min}–{facts.seats_max}"
    return [
        (
            "kind",
            draft.kind != Kind.TABLES or facts.seats_max > 2,
            _("this game is played by two, not at tables of several players."),
        ),
        (
            "tables",
            draft.kind != Kind.TABLES or draft.tables.most <= facts.seats_max,
            _("a table of this game seats %(seats)s players.") % {"seats": seats},
        ),
        (
            "tables",
            draft.kind != Kind.TABLES or most is None or draft.tables.most <= most,
            _("the score sheet options allow at most %(most)s players at a table.") % {"most": most},
        ),
    ]  # fmt: skip


def _length_rules(tournament: Tournament, draft: StageDraft) -> list[tuple[str, bool, str]]:
    choices = get_system(tournament.game).match.best_of_choices
    best_of = draft.best_of if draft.best_of is not None else tournament.best_of
    offered = ", ".join(map(str, choices))
    return [
        (
            "best_of",
            draft.best_of is None
            or draft.best_of in choices
            or (tournament.exact_games and 1 <= draft.best_of <= MAX_GAMES),
            _("this game is played as best of %(offered)s.") % {"offered": offered},
        ),
        (
            "best_of",
            draft.kind == Kind.TABLES
            or best_of == 1
            or not (tournament.score_sheets and tells_one_game(tournament.game)),
            _("a score sheet of this game tells one game: play best of 1, or without score sheets."),
        ),
        (
            "best_of",
            draft.kind not in BRACKETS or not tournament.exact_games or best_of % 2 == 1,
            _("a match that needs a winner has an odd number of games."),
        ),
    ]  # fmt: skip
