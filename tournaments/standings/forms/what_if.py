"""Which rules and rounds to suppose for an event."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from rules_engine.errors import DomainError
from scoring.standings.presets import PRESETS
from scoring.standings.records import MAX_POINTS, MatchRecord, ScoringPolicy
from tournaments.models import Tournament
from tournaments.standings.forms.scoring import MIN_PLACES, chosen_criteria, tiebreaker_field
from tournaments.standings.forms.supposed_results import read_supposed
from tournaments.standings.selectors.what_if import Supposed, supposed_by

MAX_CUT = 10_000
MAX_SUPPOSED = MAX_POINTS // 2
"""So many whole points are allowed where rules count in halves too."""
OTHER_RESULT = ("in_round", "at_table", "result")


class WhatIfForm(forms.Form):
    """Which rules and rounds to suppose for an event; an empty field leaves them as they are."""

    rules = forms.ChoiceField(label=_("Scoring rules"), required=False)
    win = forms.IntegerField(label=_("Points for a win"), required=False, min_value=1, max_value=MAX_SUPPOSED)
    draw = forms.IntegerField(label=_("Points for a draw"), required=False, min_value=0, max_value=MAX_SUPPOSED)
    loss = forms.IntegerField(label=_("Points for a loss"), required=False, min_value=0, max_value=MAX_SUPPOSED)
    after = forms.TypedChoiceField(label=_("Rounds counted"), coerce=int, required=False, empty_value=None)
    cut = forms.IntegerField(label=_("How many play on"), required=False, min_value=2, max_value=MAX_CUT)
    in_round = forms.TypedChoiceField(label=_("Round of the match"), coerce=int, required=False, empty_value=None)
    at_table = forms.IntegerField(label=_("Table"), required=False, min_value=1, max_value=MAX_CUT)
    result = forms.CharField(
        label=_("Result instead"),
        required=False,
        max_length=50,
        help_text=_("As at the desk: a code, or games such as 2-1; at larger tables places such as 1 3 2 4."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        rounds: Iterable[tuple[int, str]],
        played: Iterable[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        """`rounds` are those that can be the last one counted, `played` those with matches: number and name."""
        super().__init__(*args, **kwargs)
        self._tournament = tournament
        self._results: dict[int, MatchRecord] = {}
        set_choices(self, "in_round", [("", gettext("choose a round")), *played])
        ready = [(key, gettext(each.name)) for key, each in PRESETS.items()]
        set_choices(self, "rules", [("", gettext("as in this event")), *ready])
        set_choices(self, "after", [("", gettext("all so far")), *rounds])
        for place in range(1, MIN_PLACES + 1):
            self.fields[f"tiebreaker_{place}"] = tiebreaker_field(place, empty=gettext("as by the rules"))

    @property
    def own_rules(self) -> list[forms.BoundField]:
        """Points and criteria that count instead of those of the rules."""
        return [self[name] for name in self.fields if name not in ("rules", "after", "cut", *OTHER_RESULT)]

    @property
    def other_result(self) -> list[forms.BoundField]:
        """Which match has which other result."""
        return [self[name] for name in OTHER_RESULT]

    @property
    def has_other_result(self) -> bool:
        """Whether any of them was typed, right or wrong."""
        return any(field.value() for field in self.other_result)

    def clean(self) -> dict[str, Any]:
        """Round, table and result go together; the result must be one that the match can have."""
        values = self.cleaned_data
        given = [values.get(name) for name in OTHER_RESULT]
        if self.errors or not any(given):
            return values
        if not all(given):
            raise forms.ValidationError(gettext("Another result needs the round, the table and the result."))
        try:
            self._results = read_supposed(
                self._tournament, values["in_round"], values["at_table"], values["result"], values["after"]
            )
        except DomainError as error:
            field = "at_table" if error.code == "unknown_table" else "result"
            self.add_error(field, str(error))
        return values

    @property
    def has_own_rules(self) -> bool:
        """Whether any of them was typed, right or wrong."""
        return any(field.value() for field in self.own_rules)

    def supposed(self, policy: ScoringPolicy) -> Supposed:
        """What was asked for of an event that plays by `policy`; call it once the form is valid."""
        values = self.cleaned_data
        return supposed_by(
            policy,
            rules=values["rules"],
            points={name: values[name] for name in ("win", "draw", "loss")},
            tiebreakers=[values[name] for name in chosen_criteria(values) if values[name]],
            after=values["after"],
            cut=values["cut"],
            results=self._results,
        )
