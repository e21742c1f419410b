"""The part of a result form in which a match is reported game by game: who won, how, and who played which role."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from rules_engine.game import MatchFacts
from scoring.standings.result_checks import check_game_facts
from scoring.standings.results import GAME_LOSS, GameResult, MatchLength

NOBODY = "none"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GameRow:
    """The fields of one game; `role` is None where both sides of the game are alike."""

    number: int
    winner: forms.BoundField
    kind: forms.BoundField
    role: forms.BoundField | None


@dataclass(frozen=True, slots=True)
class GamesOffered:
    """What a form of single games has to know: the game system's facts, the length of the match, how roles go.

    `deciding` is the organiser's rule for the roles of the last game of a best-of-n, "" where they swap as always.
    """

    facts: MatchFacts
    length: MatchLength
    deciding: str = ""

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(self.facts.role_labels)

    def swaps_into(self, number: int) -> bool:
        """Whether the roles of this game follow from those of the one before."""
        decides = number == self.length.games and not self.length.exactly
        return number > 1 and not (decides and self.deciding)


class GameFields(forms.Form):
    """Mixed into a form of a match of two seats; rows nobody filled in are no games."""

    offered: GamesOffered | None = None
    _usual = 0

    def add_games(self, offered: GamesOffered, names: Sequence[str]) -> None:
        """A row for each game the match may have; `names` are the two players in seat order."""
        self.offered, self._usual = offered, offered.length.games
        players = [(str(place), name) for place, name in enumerate(names)]
        kinds = [(key, gettext(label)) for key, label in offered.facts.win_kind_labels.items() if key != UNKNOWN]
        for number in range(1, offered.length.most_games + 1):
            self.fields[f"game{number}_winner"] = _choice(
                gettext("Game %(number)d: who won"), number,
                [("", gettext("not given")), *players, (NOBODY, gettext("nobody: drawn or unfinished"))],
            )  # fmt: skip
            self.fields[f"game{number}_kind"] = _choice(
                gettext("Game %(number)d: how"), number,
                [("", gettext("not recorded")), *kinds, (GAME_LOSS, gettext("Game loss (penalty)"))],
            )  # fmt: skip
            if offered.roles:
                label = gettext(offered.facts.role_labels[offered.roles[0]])
                usual = gettext("the other one now") if offered.swaps_into(number) else gettext("not recorded")
                self.fields[f"game{number}_role"] = _choice(
                    gettext("Game %(number)d: {role}").replace("{role}", label), number, [("", usual), *players]
                )

    @property
    def game_rows(self) -> list[GameRow]:
        """The rows that a match of this length usually needs."""
        return self._rows(1, self._usual)

    @property
    def more_game_rows(self) -> list[GameRow]:
        """Rows for matches with drawn games beyond that."""
        return self._rows(self._usual + 1, self.offered.length.most_games) if self.offered else []

    @property
    def first_role(self) -> str:
        """What the first role is called: whoever does not play it plays the other."""
        return gettext(self.offered.facts.role_labels[self.offered.roles[0]]) if self.offered else ""

    @property
    def deciding_rule(self) -> str:
        """How roles go in the deciding game, where the organiser chose a rule."""
        return (
            gettext(self.offered.facts.deciding_labels.get(self.offered.deciding, ""))
            if self.offered and self.offered.deciding
            else ""
        )

    @property
    def tells_games(self) -> bool:
        """Whether something stands in the rows, so that the page shows them."""
        rows = [*self.game_rows, *self.more_game_rows]
        return any(field.value() for row in rows for field in (row.winner, row.kind, row.role) if field is not None)

    @property
    def tells_more_games(self) -> bool:
        """The same for the rows beyond the usual ones."""
        return any(row.winner.value() for row in self.more_game_rows)

    def _rows(self, first: int, last: int) -> list[GameRow]:
        has_roles = self.offered is not None and bool(self.offered.roles)
        return [
            GameRow(
                number,
                self[f"game{number}_winner"],
                self[f"game{number}_kind"],
                self[f"game{number}_role"] if has_roles else None,
            )
            for number in range(first, last + 1)
        ]

    def read_games(self) -> tuple[GameResult, ...]:
        """The games that were filled in, in order; what cannot be is said at its row and nothing comes back."""
        if self.offered is None:
            return ()
        games: list[GameResult] = []
        before: int | None = None
        for number in range(1, self.offered.length.most_games + 1):
            winner, kind, role = (
                self.cleaned_data.get(f"game{number}_{part}") or "" for part in ("winner", "kind", "role")
            )
            if not winner:
                if kind or role:
                    self.add_error(f"game{number}_winner", gettext("Say who won this game, too."))
                continue
            if len(games) < number - 1:
                self.add_error(f"game{number}_winner", gettext("A game before this one is missing."))
                continue
            holder = self._holder(number, role, winner, kind, before)
            games.append(self._game(number, winner, kind, holder))
            before = holder
        return () if self.errors else tuple(games)

    def _holder(self, number: int, role: str, winner: str, kind: str, before: int | None) -> int | None:
        """The place of whoever played the first role: as written, as the win says, or by the swap of roles."""
        roles = self.offered.roles if self.offered else ()
        if not roles:
            return None
        if role:
            return int(role)
        if kind in roles and winner != NOBODY:
            return int(winner) if kind == roles[0] else 1 - int(winner)
        return 1 - before if self.offered and self.offered.swaps_into(number) and before is not None else None

    def _game(self, number: int, winner: str, kind: str, holder: int | None) -> GameResult:
        offered = self.offered
        roles = offered.roles if offered else ()
        held = () if holder is None else (roles if holder == 0 else roles[::-1])
        game = GameResult(None if winner == NOBODY else int(winner), kind, held)
        try:
            if offered is not None:
                check_game_facts([game], offered.facts.win_kinds, roles)
        except DomainError as error:
            self.add_error(f"game{number}_kind", self._said(error, game))
        return game

    def _said(self, error: DomainError, game: GameResult) -> str:
        if game.winner is None:
            return gettext("Nobody won this game: leave out how.")
        if game.roles and self.offered is not None:
            label = gettext(self.offered.facts.role_labels[game.roles[game.winner]])
            return gettext("Who won this game played the other role: %(role)s.") % {"role": label}
        return worded(error.wording)


def _choice(label: str, number: int, choices: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label % {"number": number}, choices=choices, required=False)


def score_of(games: Sequence[GameResult]) -> tuple[int, int, int]:
    """Games won by the first and the second seat, and drawn."""
    winners = [game.winner for game in games]
    return winners.count(0), winners.count(1), winners.count(None)


def games_as_initial(games: Sequence[dict[str, Any]], offered: GamesOffered) -> dict[str, Any]:
    """Stored games as the values of the fields that would store them."""
    initial: dict[str, Any] = {}
    for number, game in enumerate(games, start=1):
        kind = game.get("win_kind", "")
        initial[f"game{number}_winner"] = NOBODY if game["winner"] is None else str(game["winner"])
        initial[f"game{number}_kind"] = "" if kind == UNKNOWN else kind
        if game.get("roles") and offered.roles:
            initial[f"game{number}_role"] = str(list(game["roles"]).index(offered.roles[0]))
    return initial


MISMATCH = _("The games below add up to %(games)s, but you typed %(typed)s. Correct one of the two, or leave one out.")
