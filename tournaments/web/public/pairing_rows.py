"""The lines of a round's pairings as text: each rendered once, and again when its match changed."""

from typing import Any

from tournaments.kept_answers import version_of_match
from tournaments.models import EntryMember, Round, Tournament
from tournaments.web.public.pairing_pages import ListPage
from tournaments.web.shared.kept_lines import lines_again, matches_by_entry, texts_again
from tournaments.web.shared.match_rows import MatchRow, PlayerLine, player_lines


def pairing_rows(tournament: Tournament, round_: Round, by: str, page: ListPage, *, is_staff: bool) -> dict[str, Any]:
    """What `pairing_lines.html` shows of a page: its tables, or by name each player of them who is on it, as `rows`."""
    lines = lines_again(tournament, round_, page.matches)
    called: list[tuple[int, MatchRow, MatchRow | PlayerLine]]
    if by == "name":
        template, name = "public/parts/pairing_of_player.html", "each"
        called = [(each.entry, each.line, each) for each in player_lines(lines) if each.entry in page.entries]
    else:
        template, name = "public/parts/pairing_of_table.html", "line"
        called = [(line.match.pk, line, line) for line in lines]
    shown = [
        (
            key,
            version_of_match(tournament, line.match.pk),
            lambda each=each: {"event": tournament, "is_staff": is_staff, name: each},
        )
        for key, line, each in called
    ]
    rows = texts_again(tournament, template, (round_.pk, is_staff), shown)
    return {"by": by, "has_tables": any(line.is_table for line in lines[:1]), "rows": rows}


def own_line(tournament: Tournament, round_: Round, member: EntryMember | None) -> PlayerLine | None:
    """Where a player sits in a round; None for anybody else, and for players without a place in it."""
    match = matches_by_entry(tournament, round_).get(member.entry_id) if member else None
    if match is None or member is None:
        return None
    lines = player_lines(lines_again(tournament, round_, [match]))
    return next((line for line in lines if line.entry == member.entry_id), None)
