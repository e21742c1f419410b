"""Forms for the result of a table of several players: a row for each seat with its place, its score, or both."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from scoring.standings.results import MAX_SCORE, MatchLength, MatchResult, ResultKind, intentional_draw, table_result
from tournaments.results.forms.corrections import ReasonedCorrection

KINDS = [("played", _("Played")), ("intentional_draw", _("Intentional draw"))]
STAFF_KINDS = [*KINDS, ("double_loss", _("Loss for everybody (penalty)"))]


class TableResultForm(forms.Form):
    """Places and scores in seat order. Empty places share the next one; without any place the scores decide.

    Where the event `counts_scores`, places alone are stored only once `without_scores` is ticked.
    """

    without_scores = forms.BooleanField(label=_("Save the places without scores"), required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    kind = forms.ChoiceField(label=_("What happened"), initial="played", widget=forms.RadioSelect, choices=STAFF_KINDS)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        names: Sequence[str],
        length: MatchLength,
        counts_scores: bool = False,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """`names` are everybody at the table in seat order."""
        super().__init__(data, initial={"kind": "played", **(initial or {})})
        self.names, self._length, self._counts_scores = tuple(names), length, counts_scores
        for seat, name in enumerate(self.names, 1):
            self.fields[f"place_{seat}"] = _place(name, len(self.names))
            self.fields[f"score_{seat}"] = _score(name)
            self.fields[f"absent_{seat}"] = _absent(name)
        self.order_fields([name for name in self.fields if name not in ("seen", "why", "reason")])

    warns = False
    """Whether places came without the scores that count: then the page asks whether to store them so."""

    @property
    def seat_rows(self) -> list[tuple[str, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """For each seat the name with its fields: place, score, absence."""
        return [
            (name, self[f"place_{seat}"], self[f"score_{seat}"], self[f"absent_{seat}"])
            for seat, name in enumerate(self.names, 1)
        ]

    def clean(self) -> dict[str, Any]:
        """A person's place, or everybody's score, is needed where the match was played."""
        values = self.cleaned_data
        if self.errors or values.get("kind") != "played":
            return values
        absent, places, scores = self._absent(), self._column("place"), self._column("score")
        if len(absent) == len(self.names):
            return values
        present = [seat for seat in range(len(self.names)) if seat not in absent]
        if all(places[seat] is None for seat in present) and any(scores[seat] is None for seat in present):
            self.add_error("place_1", gettext("Type the winner's place at least, or everybody's score."))
        elif any(scores[seat] is None for seat in present) and any(scores[seat] is not None for seat in present):
            self.add_error("score_1", gettext("Type everybody's score, or nobody's."))
        elif self._counts_scores and all(scores[seat] is None for seat in present) and not values["without_scores"]:
            self.warns = True
            self.add_error("score_1", gettext("The standings of this event count scores. Type everybody's score."))
        return values

    def result(self, place: int = 0) -> MatchResult:
        """What was typed; the same from whichever `place` it is reported."""
        seats = len(self.names)
        if self.cleaned_data["kind"] == "intentional_draw":
            return intentional_draw(self._length, seats)
        if self.cleaned_data["kind"] == "double_loss":
            return MatchResult(ResultKind.DOUBLE_LOSS, (0,) * seats)
        absent, scores = self._absent(), self._column("score")
        if len(absent) == seats:
            return MatchResult(ResultKind.NO_SHOW, (0,) * seats, absent=absent)
        exact = [Fraction(score or 0) for score in scores] if any(score is not None for score in scores) else []
        places = filled_places(self._column("place"), absent, exact)
        return table_result(places, exact, absent)

    def _absent(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.names)) if self.cleaned_data.get(f"absent_{seat + 1}"))

    def _column(self, name: str) -> list[Any]:
        return [self.cleaned_data.get(f"{name}_{seat}") for seat in range(1, len(self.names) + 1)]


def filled_places(places: Sequence[int | None], absent: Sequence[int], scores: Sequence[Fraction]) -> tuple[int, ...]:
    """Everybody's place: those given, else by score; who has none shares the next, who was absent the last."""
    present = [seat for seat in range(len(places)) if seat not in absent]
    given = {seat: place for seat in present if (place := places[seat]) is not None}
    if not given and scores:
        given = {seat: 1 + sum(scores[other] > scores[seat] for other in present) for seat in present}
    return tuple(len(present) + 1 if seat in absent else given.get(seat, len(given) + 1) for seat in range(len(places)))


def table_values(result: MatchResult) -> dict[str, Any]:
    """A stored result as the values of the form that would store it."""
    is_typed = result.kind in (ResultKind.INTENTIONAL_DRAW, ResultKind.DOUBLE_LOSS)
    values: dict[str, Any] = {"kind": result.kind.value if is_typed else "played"}
    scores = dict(enumerate(f"{float(score):g}" for score in result.scores))
    for seat in range(len(result.games_won)):
        is_absent = seat in result.absent
        placing = result.placings[seat] if result.placings and not is_absent else None
        values |= {f"place_{seat + 1}": placing, f"score_{seat + 1}": scores.get(seat)}
        values[f"absent_{seat + 1}"] = is_absent
    return values


class TableCorrectionForm(ReasonedCorrection, TableResultForm):
    """The same in place of a result that counts."""


class TableReportForm(TableResultForm):
    """The same reported by a player of the table; `match` names the match the page showed."""

    match = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        match: int,
        names: Sequence[str],
        length: MatchLength,
        counts_scores: bool = False,
    ) -> None:
        """Nobody but staff has everybody lose."""
        super().__init__(data, names=names, length=length, counts_scores=counts_scores, initial={"match": match})
        set_choices(self, "kind", KINDS)


def _place(name: str, seats: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    label = gettext("Place of %(name)s") % {"name": name}
    return forms.IntegerField(label=label, min_value=1, max_value=seats, required=False, widget=widget)


def _score(name: str) -> forms.DecimalField:
    label = gettext("Score of %(name)s") % {"name": name}
    return forms.DecimalField(
        label=label, min_value=-MAX_SCORE, max_value=MAX_SCORE, max_digits=6, decimal_places=1, required=False
    )


def _absent(name: str) -> forms.BooleanField:
    return forms.BooleanField(label=gettext("%(name)s did not come") % {"name": name}, required=False)
