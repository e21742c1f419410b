"""A match of two reported by the games that each won: numbers, the single games, and points where they count."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext

from scoring.standings.results import MAX_SCORE, GameResult, MatchResult, ResultKind
from tournaments.results.forms.games import MISMATCH, GameFields, score_of
from tournaments.results.forms.scores import Score


class GamesResultForm(GameFields):
    """A form with numbers of games and, where `offered`, the single games that they follow from.

    Where points count in a match of several games, it takes what each player scored in all of them (`add_points`).
    """

    numbers: tuple[str, ...] = ()
    place = 0
    """Which seat the first number belongs to."""
    _single_games: tuple[GameResult, ...] = ()
    _points: tuple[str, ...] = ()

    def add_points(self, names: Sequence[str]) -> None:
        """A field for the points of each player, in seat order."""
        self._points = tuple(f"points_{seat}" for seat, _name in enumerate(names, 1))
        for field, name in zip(self._points, names, strict=True):
            self.fields[field] = forms.DecimalField(
                label=gettext("Points of %(name)s in all games") % {"name": name},
                min_value=-MAX_SCORE, max_value=MAX_SCORE, max_digits=6, decimal_places=1, required=False,
            )  # fmt: skip

    @property
    def point_fields(self) -> list[forms.BoundField]:
        """The fields of the points, in seat order; none where points do not count."""
        return [self[field] for field in self._points]

    def with_points(self, result: MatchResult) -> MatchResult:
        """A result with the points that were typed; they go with a match that was played."""
        points = [self.cleaned_data.get(field) for field in self._points]
        if result.kind is not ResultKind.PLAYED or not points or None in points:
            return result
        return replace(result, scores=tuple(Fraction(each or 0) for each in points))

    def _check_points(self) -> None:
        points = [self.cleaned_data.get(field) for field in self._points]
        if None in points and any(each is not None for each in points):
            self.add_error(self._points[points.index(None)], gettext("Type everybody's score, or nobody's."))

    def clean(self) -> dict[str, Any]:
        """Games are needed where the match was played; reported one by one they give the score."""
        values = self.cleaned_data
        self._check_points()
        self._single_games = self.read_games()
        if self.errors:
            return values
        if values.get("kind") != "played":
            if self._single_games:
                self.add_error(
                    "kind",
                    gettext(
                        "You entered single games, but not that the match was played. Clear the games, or choose that "
                        "it was played."
                    ),
                )
            return values
        if not self._single_games:
            _need_games(self, *self.numbers)
            return values
        score = score_of(self._single_games)
        score = (score[1], score[0], score[2]) if self.place else score
        typed = tuple(values.get(name) for name in self.numbers)
        if any(number is not None for number in typed) and tuple(number or 0 for number in typed) != score:
            texts = {"games": Score(*score).text, "typed": Score(*(number or 0 for number in typed)).text}
            self.add_error(None, MISMATCH % texts)
        values.update(zip(self.numbers, score, strict=True))
        return values

    def typed(self) -> MatchResult:
        """The numbers as a result, with the single games where they were reported."""
        numbers = Score(*(self.cleaned_data[name] or 0 for name in self.numbers))
        return self.with_points(replace(numbers.as_result(self.place), games=self._single_games))


def _need_games(form: forms.Form, *names: str) -> None:
    if all(form.cleaned_data.get(name) is None for name in names):
        form.add_error(names[0], gettext("Type how many games each of you won."))
