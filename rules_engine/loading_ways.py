"""Reading the ways to play a game from its rules file, every name in them checked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine.constraints import Clause
from rules_engine.game import GameFormat, MatchFacts
from rules_engine.rulesfile import Table
from rules_engine.ways import USUAL_WARNINGS, Draft, DraftStep, Way, WayFinal, WayTables

SETTINGS = ("best_of", "tables", "score_sheets", "round_minutes", "warnings", "cut_minutes")
"""What a way says of an event, besides the options of its score sheets, for which it can give a clause."""


def read_ways(
    top: Table, formats: Sequence[GameFormat], match: MatchFacts, clauses: Mapping[str, Clause]
) -> tuple[Way, ...]:
    """The ways of a rules file, and one more for every format or variant that they leave out."""
    ways = [_read_way(table, formats, match, clauses) for table in top.tables("ways")]
    ways += _plain_ways(formats, match, {(way.format, way.variant) for way in ways})
    top.each_once("ways", [way.slug for way in ways])
    return tuple(ways)


def read_drafts(top: Table, clauses: Mapping[str, Clause]) -> tuple[Draft, ...]:
    """The drafts of a rules file; every step holds what the step before passed on."""
    return tuple(_read_draft(table, clauses) for table in top.tables("drafts"))


def _read_draft(table: Table, clauses: Mapping[str, Clause]) -> Draft:
    steps = tuple(_read_step(each) for each in table.tables("steps"))
    draft = Draft(table.text("option"), clauses[table.choice("clause", clauses)], table.flag("makes_deck"), steps)
    passed = [step.hold - step.keep for step in steps]
    if not steps or passed[-1] or [step.hold for step in steps[1:]] != passed[:-1]:
        table.fail("steps", "must each hold what the one before passes on, and the last keep all")
    table.finish()
    return draft


def _read_step(table: Table) -> DraftStep:
    hold, keep, minutes = table.integer("hold", 1), table.integer("keep", 1), table.integer("minutes", 1)
    step = DraftStep(hold, keep, table.choice("pass", ("left", "right")) if keep < hold else "", minutes)
    table.finish()
    return step


def usual_tables(match: MatchFacts) -> WayTables | None:
    """How tables of a game are filled unless a way says otherwise: as many as usual, or one more; None for two."""
    if match.tables_of is None:
        return None
    return WayTables(match.tables_of, match.seats_min, min(match.seats_max, match.tables_of + 1))


def _plain_ways(formats: Sequence[GameFormat], match: MatchFacts, named: set[tuple[str, str]]) -> Iterator[Way]:
    for each in formats:
        for variant, name in [(variant.slug, variant.name) for variant in each.variants] or [("", "")]:
            if (each.slug, variant) not in named:
                slug = "-".join(part for part in (each.slug, variant) if part)
                text = f"{each.name} ({name})" if name else each.name
                tables = usual_tables(match)
                yield Way(slug, text, "", each.slug, variant, match.best_of_default, tables=tables)


def _read_way(table: Table, formats: Sequence[GameFormat], match: MatchFacts, clauses: Mapping[str, Clause]) -> Way:
    known = {each.slug: each for each in formats}
    chosen = known[table.choice("format", known)]
    variants = [variant.slug for variant in chosen.variants]
    options = _read_options(table.table("sheet_options")) if table.has("sheet_options") else {}
    way = Way(
        slug=table.text("slug"),
        name=table.text("name"),
        note=table.text("note", ""),
        format=chosen.slug,
        variant=table.choice("variant", variants) if variants else "",
        best_of=table.integer("best_of", 1) if table.has("best_of") else match.best_of_default,
        exact_games=table.flag("exact_games"),
        deciding_game=table.choice("deciding_game", match.deciding_labels) if table.has("deciding_game") else "",
        tables=_read_tables(table, match),
        score_sheets=table.flag("score_sheets") if table.has("score_sheets") else None,
        sheet_options=options,
        preset=table.text("preset", ""),
        round_minutes=table.integer("round_minutes") if table.has("round_minutes") else None,
        warnings=table.integers("warnings") if table.has("warnings") else USUAL_WARNINGS,
        reasons=_read_reasons(table.table("reasons"), options, clauses) if table.has("reasons") else {},
        finals=tuple(_read_final(each) for each in table.tables("finals")),
        cut_minutes=table.integer("cut_minutes") if table.has("cut_minutes") else None,
    )
    if way.best_of not in match.best_of_choices and not way.exact_games:
        table.fail("best_of", "must be one of the match's best_of")
    table.finish()
    return way


def _read_tables(table: Table, match: MatchFacts) -> WayTables | None:
    if table.has("two") and table.flag("two"):
        return None
    if not table.has("tables"):
        return usual_tables(match)
    each = table.table("tables")
    sizes = WayTables(
        each.integer("preferred", 2), each.integer("least", 2), each.integer("most", 2), each.flag("primary_targets")
    )
    if not match.seats_min <= sizes.least <= sizes.preferred <= sizes.most <= match.seats_max:
        each.fail("preferred", "must lie between least and most, and those between seats_min and seats_max")
    each.finish()
    return sizes


def _read_final(table: Table) -> WayFinal:
    minutes = table.integer("round_minutes") if table.has("round_minutes") else None
    options = _read_options(table.table("sheet_options")) if table.has("sheet_options") else {}
    final = WayFinal(table.integer("top", 2), minutes, options)
    table.finish()
    return final


def _read_options(table: Table) -> dict[str, Any]:
    table.asked.update(table.values)  # which options there are is known to the game's score sheet alone
    return dict(table.values)


def _read_reasons(table: Table, options: Mapping[str, Any], clauses: Mapping[str, Clause]) -> dict[str, Clause]:
    for key in table.values:
        if key not in (*SETTINGS, *options):
            table.fail(key, "is nothing that this way says")
    return {key: clauses[table.choice(key, clauses)] for key in table.values}
