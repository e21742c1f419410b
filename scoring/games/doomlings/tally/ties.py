"""Who wins a table of Doomlings: the most points, and what becomes of a tie (DL-TIE)."""

from collections.abc import Mapping, Sequence

from rules_engine.messages import Message, gettext_noop
from scoring.games.doomlings.tally.sheet import Draw, Sheet
from scoring.games.doomlings.tally.violation import Violation
from scoring.sheets.tallies.json_reader import bad_sheet


def winners_of(sheet: Sheet, scores: Mapping[str, int]) -> list[str]:
    """The names of the winners in turn order: more than one where a tie is shared, or has not been drawn out yet.

    With the option "ties": "draw" each round of draws keeps those with the highest face; DomainError "bad_sheet" when
    others drew than those who were tied.
    """
    tied, drawn = tied_of(sheet, scores)
    if len(tied) > 1 and drawn < len(sheet.tie_draws) and sheet.options["ties"] == "draw":
        raise bad_sheet(
            gettext_noop("Tie draw %(number)d: one draw each for %(players)s only."),
            number=drawn + 1, players=", ".join(tied),
        )  # fmt: skip
    return tied


def tied_of(sheet: Sheet, scores: Mapping[str, int]) -> tuple[list[str], int]:
    """Who is still tied for the win, and after how many rounds of draws: up to the first one that others drew in."""
    tied = [name for name, score in scores.items() if score == max(scores.values())]
    for number, drawn in enumerate(sheet.tie_draws if sheet.options["ties"] == "draw" else ()):
        if sorted(draw.name for draw in drawn) != sorted(tied):
            return tied, number
        tied = _drawn_out(tied, drawn)
    return tied, len(sheet.tie_draws)


def open_tie(sheet: Sheet, winners: Sequence[str]) -> list[Violation]:
    """The breach of a table that has to draw and has not done so until one player is left."""
    if len(winners) == 1 or sheet.options["ties"] != "draw":
        return []
    template = gettext_noop("Tied: %(players)s. Draw a trait each in turn order; enter the faces.")
    return [Violation("DL-TIE", None, Message(template, {"players": ", ".join(winners)}))]


def _drawn_out(tied: Sequence[str], drawn: Sequence[Draw]) -> list[str]:
    """Those of the tied who drew the highest face; a trait without a printed face is below every number."""
    faces = {draw.name: draw.face for draw in drawn}
    highest = max((face for face in faces.values() if face is not None), default=None)
    return [name for name in tied if faces[name] == highest]
