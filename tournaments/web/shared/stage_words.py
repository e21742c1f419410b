"""The stages of an event in words: what one is called, and the whole structure as players read it."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from decks.templatetags.decks import in_words
from rules_engine.messages import Message
from scoring.sheets.tallies.registry import options_of_stages
from tournaments.core.round_names import THIRD_PLACE, level_name
from tournaments.entries.services.desk_entries import BEFORE_START
from tournaments.events.selectors.events import NextStep, Step
from tournaments.events.selectors.starting import start_of
from tournaments.models import Stage, Tournament
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.results.services.corrections import cut_changed_at
from tournaments.room.selectors.clocks import Clock, awaits_start
from tournaments.structure.selectors.brackets import bracket_of
from tournaments.structure.selectors.stages import current_stage, rounds_in
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.web.shared.capitals import inside_sentence

Kind, Qualify = Stage.Kind, Stage.Qualify


def kind_name(kind: str) -> str:
    """A kind of stage as a heading."""
    return {
        Kind.SWISS: _("Swiss rounds"),
        Kind.ROUND_ROBIN: _("Round robin"),
        Kind.TABLES: _("Tables of several players"),
        Kind.SINGLE_ELIMINATION: _("Single elimination"),
        Kind.DOUBLE_ELIMINATION: _("Double elimination"),
    }[Kind(kind)]


def stage_title(stage: Stage | StageDraft) -> str:
    """What a stage is called: its own name, else its kind, with the cut before it."""
    if stage.name:
        return stage.name
    if stage.qualify == Qualify.TOP:
        return _("Top %(count)s, %(kind)s") % {
            "count": stage.qualify_value,
            "kind": inside_sentence(kind_name(stage.kind)),
        }
    return kind_name(stage.kind)


def next_context(tournament: Tournament, step: NextStep, clock: Clock | None) -> dict[str, Any]:
    """What `parts/next.html` calls the next round, the stage that begins, the one that just has; the start.

    `clock_waits` where the clock of the round is to be started first: nothing of an earlier round or in dispute waits.
    """
    following, current = step.next_stage, current_stage(tournament)
    fresh = step.step is Step.PAIR and current.number > 1 and not rounds_in(current).exists()
    return {
        "start": start_of(tournament) if tournament.state in BEFORE_START else None,
        "next_round": next_round_words(tournament, step.round.number + 1 if step.round else 1),
        "next_stage_title": stage_title(following) if following else "",
        "begun_title": stage_title(current) if fresh else "",
        "cut_changed_at": cut_changed_at(current) if fresh else None,
        "clock_waits": step.step is Step.COLLECT and not (step.conflicts or step.earlier) and awaits_start(clock),
    }


def next_round_words(tournament: Tournament, number: int) -> str:
    """The round that is paired next, inside a sentence: round 3, “Semi-finals”."""
    bracket = bracket_of(current_stage(tournament))
    levels = dict.fromkeys(each.match.level for each in bracket.waiting) if bracket else ()
    if bracket is None or not levels:
        return _("round %(number)d") % {"number": number}
    stage = current_stage(tournament)
    named = [level for level in levels if level != THIRD_PLACE] or list(levels)
    return _("“%(name)s”") % {"name": " · ".join(level_name(stage, level) for level in named)}


def structure_words(game: str, drafts: Sequence[StageDraft]) -> list[str]:
    """Each stage of an event of a game as a sentence, or several, the first to the last."""
    known = {option.key: option for option in options_of_stages(game)}
    words = []
    for number, draft in enumerate(drafts, 1):
        agreed = [Message(known[key].said, {"value": value}) for key, value in draft.sheet_options.items()]
        words.append(" ".join([_sentence(number, draft), *(in_words(each) for each in agreed)]))
    return words


def _sentence(number: int, draft: StageDraft) -> str:
    text = ", ".join([_play(draft), *_details(draft)])
    if number > 1:
        text = _("%(who)s: %(play)s") % {"who": _who(draft), "play": text}
    return f"{text[:1].upper()}{text[1:]}."


def _who(draft: StageDraft) -> str:
    if draft.qualify == Qualify.TOP:
        return _("then a cut to the top %(count)s") % {"count": draft.qualify_value}
    if draft.qualify == Qualify.POINTS:
        return _("then everybody with %(points)s points or more") % {"points": draft.qualify_value}
    return _("then all players still in")


def _play(draft: StageDraft) -> str:
    rounds = draft.planned_rounds
    if draft.kind == Kind.SWISS:
        if rounds is None:
            return _("Swiss rounds, by attendance")
        return ngettext("%(rounds)d Swiss round", "%(rounds)d Swiss rounds", rounds) % {"rounds": rounds}
    if draft.kind == Kind.TABLES:
        seats = _seats(draft.tables)
        if rounds is None:
            return _("rounds at tables of %(seats)s, by attendance") % {"seats": seats}
        words = ngettext("%(rounds)d round at tables of %(seats)s", "%(rounds)d rounds at tables of %(seats)s", rounds)
        return words % {"rounds": rounds, "seats": seats}
    if draft.kind == Kind.ROUND_ROBIN:
        return _("everybody plays everybody twice") if draft.return_leg else _("everybody plays everybody")
    if draft.kind == Kind.SINGLE_ELIMINATION:
        return _("single elimination")
    return _("double elimination")


def _seats(tables: TablePolicy) -> str:
    """The size of a table: 4, or 4 (3 to 5) where others may be."""
    if tables.least == tables.most:
        return str(tables.preferred)
    sizes = {"seats": tables.preferred, "least": tables.least, "most": tables.most}
    return _("%(seats)d (%(least)d to %(most)d)") % sizes


def _details(draft: StageDraft) -> list[str]:
    said = [
        (draft.best_of is not None, _("best of %(games)s") % {"games": draft.best_of}),
        (draft.round_minutes == 0, _("without a clock")),
        (bool(draft.round_minutes), _("%(minutes)s minutes a round") % {"minutes": draft.round_minutes}),
        (
            bool(draft.clock_warnings),
            _("the clock warns at %(minutes)s minutes") % {"minutes": ", ".join(map(str, draft.clock_warnings or ()))},
        ),
        (draft.third_place, _("with a match for third place")),
        (
            draft.kind == Kind.DOUBLE_ELIMINATION and not draft.bracket_reset,
            _("the grand final is played once"),
        ),
        (draft.carries_points, _("points so far count on")),
    ]
    return [text for is_so, text in said if is_so]
