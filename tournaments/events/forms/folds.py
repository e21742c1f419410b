"""The parts of the event form that a page folds away, each with its present values in its summary."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

FOLDS = (
    (_("Place and visibility"), ("place", "time_zone", "visibility")),
    (_("Match and clock"), (
        "best_of", "deciding_game", "round_minutes", "clock_warnings", "stacking_minutes",
        "no_show_game_minutes", "no_show_match_minutes", "hall_closes_at",
    )),
    (_("Score sheets"), ("score_sheets",)),
    (_("Results and staff"), ("players_report", "table_reports", "scorekeepers_issue", "also_judge", "keeps_contacts")),
    (_("Entries and check-in"), ("self_sign_up", "capacity", "check_in", "check_in_minutes")),
    (_("Tables for private needs"), ("door_tables", "screen_reader_tables", "quiet_tables")),
    (_("Decklists"), ("deck_required", "deck_deadline", "deck_publish")),
)  # fmt: skip
"""Title and fields of each fold, in order; what a form lacks is left out."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a field holds now, in words; a ticked box has its label alone, and nothing is said of what is not set."""

    field: str
    label: str
    text: str = ""
    is_set: bool = True
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """Fields under one title, folded away unless one of them is at fault."""

    title: str
    fields: list[forms.BoundField]
    values: list[Value]

    @property
    def has_errors(self) -> bool:
        """Whether a field of it is at fault, so that the page shows it open."""
        return any(field.errors for field in self.fields)


def folds_of(form: forms.Form, zone: ZoneInfo, options: Iterable[forms.BoundField]) -> list[Fold]:
    """The folds of a form, its times shown in this zone; the `options` of score sheets stand below their field."""
    found = []
    for title, names in FOLDS:
        own = [form[name] for name in names if name in form.fields]
        below = options if "score_sheets" in names else ()
        found.append(Fold(str(title), [*own, *below], [value_of(field, zone) for field in own]))
    return [fold for fold in found if fold.fields]


def value_of(bound: forms.BoundField, zone: ZoneInfo) -> Value:
    """What a field holds now; an empty one holds what its placeholder says."""
    name, label, held = bound.name, str(bound.label), bound.value()
    if isinstance(bound.field, forms.BooleanField):
        return Value(name, label, is_set=bool(held))
    if isinstance(bound.field.widget, forms.widgets.ChoiceWidget):
        chosen = next((str(text) for key, text in bound.field.widget.choices if str(key) == str(held)), "")
        return Value(name, label, chosen, is_set=bool(chosen))
    if isinstance(held, datetime):
        moment = held.astimezone(zone) if held.tzinfo else held
        return Value(name, label, date_format(moment, "SHORT_DATETIME_FORMAT"))
    typed = bound.field.prepare_value(held)
    text = str(bound.field.widget.attrs.get("placeholder", "") if typed is None or typed == "" else typed)
    return Value(name, label, text, is_set=bool(text), is_typed=True)
