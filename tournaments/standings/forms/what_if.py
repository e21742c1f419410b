"""Which rules and rounds to suppose for an event."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from scoring.standings.presets import PRESETS
from scoring.standings.records import MAX_POINTS, ScoringPolicy
from tournaments.standings.forms.scoring import MIN_PLACES, chosen_criteria, tiebreaker_field
from tournaments.standings.selectors.what_if import Supposed, supposed_by

MAX_CUT = 10_000
MAX_SUPPOSED = MAX_POINTS // 2
"""So many whole points are allowed where rules count in halves too."""


class WhatIfForm(forms.Form):
    """Which rules and rounds to suppose for an event; an empty field leaves them as they are."""

    rules = forms.ChoiceField(label=_("Scoring rules"), required=False)
    win = forms.IntegerField(label=_("Points for a win"), required=False, min_value=1, max_value=MAX_SUPPOSED)
    draw = forms.IntegerField(label=_("Points for a draw"), required=False, min_value=0, max_value=MAX_SUPPOSED)
    loss = forms.IntegerField(label=_("Points for a loss"), required=False, min_value=0, max_value=MAX_SUPPOSED)
    after = forms.TypedChoiceField(label=_("Rounds counted"), coerce=int, required=False, empty_value=None)
    cut = forms.IntegerField(label=_("How many play on"), required=False, min_value=2, max_value=MAX_CUT)

    def __init__(self, *args: Any, rounds: Iterable[tuple[int, str]], **kwargs: Any) -> None:
        """`rounds` are those that can be the last one counted: number and name."""
        super().__init__(*args, **kwargs)
        ready = [(key, gettext(each.name)) for key, each in PRESETS.items()]
        set_choices(self, "rules", [("", gettext("as in this event")), *ready])
        set_choices(self, "after", [("", gettext("all so far")), *rounds])
        for place in range(1, MIN_PLACES + 1):
            self.fields[f"tiebreaker_{place}"] = tiebreaker_field(place, empty=gettext("as by the rules"))

    @property
    def own_rules(self) -> list[forms.BoundField]:
        """Points and criteria that count instead of those of the rules."""
        return [self[name] for name in self.fields if name not in ("rules", "after", "cut")]

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
        )
