"""The form of an event's stages: a part for each, that adds, removes and keeps what was typed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from accounts.http.numbers import NumbersField
from rules_engine.game import MatchFacts
from scoring.sheets.forms.options import field_of
from scoring.sheets.tallies.options import Option
from tournaments.models import Stage
from tournaments.pairing.pods.contenders import LARGEST, SMALLEST, Remainder, TablePolicy
from tournaments.rounds.forms import APART
from tournaments.structure.services.stage_drafts import (
    BRACKETS,
    COUNTED,
    LONGEST_NAME,
    MAX_POINTS,
    MAX_ROUNDS,
    MAX_STAGES,
    StageDraft,
)
from tournaments.timing import MAX_MINUTES, MOST_WARNINGS

Kind, Qualify = Stage.Kind, Stage.Qualify
CUTS = [
    (Qualify.EVERYBODY, _("Everybody who still plays")),
    (Qualify.TOP, _("Top players by standings")),
    (Qualify.POINTS, _("Everyone with at least this many match points")),
]
REMAINDERS = [
    (Remainder.SMALLER, _("some tables are smaller")),
    (Remainder.LARGER, _("some tables are larger")),
    (Remainder.BYES, _("some players sit out with a bye")),
]
OPTION = "option_"
"""Begins the name of a field for an option of the score sheets."""
SIZES = {"preferred", "least", "most"}
OF_PLAY = (
    "planned_rounds", "best_of", "round_minutes", "clock_warnings", "third_place", "bracket_reset", "return_leg",
    "name",
)  # fmt: skip
OF_TABLES = ("preferred", "least", "most", "remainder", "balance", "primary_targets", "clubs", "teams")


def _seats(label: Any, most: int = LARGEST) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=SMALLEST, max_value=most)


class StageForm(forms.Form):
    """One stage; only the fields that its kind and place have. A stage that has begun keeps all but name and rounds."""

    kind = forms.ChoiceField(choices=Kind, widget=forms.HiddenInput)
    name = forms.CharField(
        label=_("Stage name"), max_length=LONGEST_NAME, required=False, help_text=_("Such as “Day two”.")
    )
    qualify = forms.ChoiceField(label=_("Who plays on"), choices=CUTS, widget=forms.RadioSelect)
    qualify_value = forms.IntegerField(
        label=_("How many players, or how many points"), required=False, min_value=0, max_value=MAX_POINTS
    )
    replaces_dropped = forms.BooleanField(
        label=_("The next in the standings move up for those who left"), required=False
    )
    carries_points = forms.BooleanField(label=_("Carry over points from earlier stages"), required=False)
    planned_rounds = forms.IntegerField(
        label=_("Rounds"),
        required=False,
        min_value=1,
        max_value=MAX_ROUNDS,
        help_text=_("Leave empty to set it by attendance."),
    )
    best_of = forms.TypedChoiceField(label=_("Match length"), required=False, coerce=int, empty_value=None)
    round_minutes = forms.IntegerField(
        label=_("Round length (minutes)"),
        required=False,
        min_value=0,
        max_value=MAX_MINUTES,
        help_text=_("Leave empty to use the event's setting. 0: no clock."),
    )
    clock_warnings = NumbersField(
        label=_("Clock warns at (minutes left)"),
        required=False,
        most=MAX_MINUTES,
        many=MOST_WARNINGS,
        help_text=_("Leave empty to use the event's setting."),
    )
    third_place = forms.BooleanField(label=_("A match for third place"), required=False)
    bracket_reset = forms.BooleanField(
        label=_("The grand final is played again when its first match is the first loss"), required=False
    )
    return_leg = forms.BooleanField(label=_("Everybody meets everybody twice"), required=False)
    preferred = _seats(_("Players at a table"))
    least = _seats(_("At least"))
    most = _seats(_("At most"))
    remainder = forms.ChoiceField(label=_("If the tables don't come out even"), choices=REMAINDERS)
    balance = forms.BooleanField(label=_("Players of like scores sit together"), required=False)
    primary_targets = forms.BooleanField(
        label=_("Who sits next in turn order changes from round to round"), required=False
    )
    clubs = forms.ChoiceField(label=_("Players of one club"), choices=APART)
    teams = forms.ChoiceField(label=_("Players of one team"), choices=APART)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        number: int,
        kind: str,
        facts: MatchFacts,
        options: Sequence[Option] = (),
        begun: StageDraft | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Stage `number` of an event whose game has these match facts; `begun` is what is stored of one that has begun.

        `options` are those of the score sheets that a stage may have otherwise than the event. `initial` is as
        `initial_of` gives it.
        """
        super().__init__(data, prefix=f"stage-{number}", initial={**(initial or {}), "kind": kind})
        self.number, self.stage_kind, self.has_begun = number, kind, begun is not None
        self._stored = begun or StageDraft()
        self._options = {f"{OPTION}{option.key}": option for option in options}
        for name, option in self._options.items():
            self.fields[name] = field_of(option)
            self.fields[name].required = False
            self.fields[name].help_text = gettext("Leave empty to use the event's setting.")
        for name in [name for name in self.fields if not _has_field(name, number, kind)]:
            del self.fields[name]
        if facts.seats_max > SMALLEST:  # where only two can play the service says so of the whole stage
            for name in SIZES & self.fields.keys():
                self.fields[name] = _seats(self.fields[name].label, facts.seats_max)
        if "best_of" in self.fields:
            lengths = [(count, gettext("best of %(count)d") % {"count": count}) for count in facts.best_of_choices]
            given = self.initial.get("best_of")
            if given and str(given) not in {str(count) for count, _text in lengths}:
                lengths.append((given, gettext("best of %(count)d") % {"count": int(given)}))
            set_choices(self, "best_of", [("", gettext("Same as the event")), *lengths])
        if begun is not None:
            for name in self.fields.keys() - {"name", "planned_rounds"}:
                self.fields[name].disabled = True

    @property
    def cut_fields(self) -> list[forms.BoundField]:
        """Who plays in it."""
        return self._bound("qualify", "qualify_value", "replaces_dropped", "carries_points")

    @property
    def play_fields(self) -> list[forms.BoundField]:
        """How it is played."""
        return self._bound(*OF_PLAY, *self._options)

    @property
    def table_fields(self) -> list[forms.BoundField]:
        """How its tables are filled."""
        return self._bound(*OF_TABLES)

    def _bound(self, *names: str) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """A cut needs its number, everybody has none; sizes of tables stand in order."""
        values = self.cleaned_data
        if values.get("qualify") == Qualify.EVERYBODY:
            values["qualify_value"] = None
        elif "qualify" in values and "qualify_value" in values and values["qualify_value"] is None:
            self.add_error("qualify_value", gettext("Say how many play on, or how many points it takes."))
        sizes: list[Any] = [values.get(name) for name in ("least", "preferred", "most")]
        if self.stage_kind == Kind.TABLES and None not in sizes and sizes != sorted(sizes):
            self.add_error("preferred", gettext("Enter a number between “At least” and “At most”."))
        return values

    def draft(self) -> StageDraft:
        """The stage as it was typed; call it on a valid form."""
        values = {name: value for name, value in self.cleaned_data.items() if name in StageForm.base_fields}
        values = {name: value for name, value in values.items() if name not in OF_TABLES}
        if self._options:
            chosen = {option.key: self.cleaned_data[name] for name, option in self._options.items()}
            values["sheet_options"] = {key: value for key, value in chosen.items() if value is not None}
        if self.stage_kind == Kind.TABLES:
            values["tables"] = TablePolicy.from_dict({name: self.cleaned_data[name] for name in OF_TABLES})
        return replace(self._stored, **values)


def _has_field(name: str, number: int, kind: str) -> bool:
    if name in OF_TABLES:
        return kind == Kind.TABLES
    has = {
        "qualify": number > 1,
        "qualify_value": number > 1,
        "replaces_dropped": number > 1 and kind in BRACKETS,
        "carries_points": number > 1 and kind not in BRACKETS,
        "planned_rounds": kind in COUNTED,
        "best_of": kind != Kind.TABLES,
        "third_place": kind == Kind.SINGLE_ELIMINATION,
        "bracket_reset": kind == Kind.DOUBLE_ELIMINATION,
        "return_leg": kind == Kind.ROUND_ROBIN,
    }
    return has.get(name, True)


def initial_of(draft: StageDraft) -> dict[str, Any]:
    values = {name: getattr(draft, name) for name in StageForm.base_fields if name not in OF_TABLES}
    options = {f"{OPTION}{key}": value for key, value in draft.sheet_options.items()}
    return values | draft.tables.as_dict() | options


class StagesForm:
    """All stages of an event, first to last: those given, or as many as `data` holds.

    Those in `begun` have begun: they come first and keep what is stored.
    """

    def __init__(
        self,
        drafts: Sequence[StageDraft],
        facts: MatchFacts,
        *,
        options: Sequence[Option] = (),
        begun: Sequence[StageDraft] = (),
        data: QueryDict | None = None,
    ) -> None:
        """Bound to `data` where it is given."""
        self._facts, self._options, self._begun = facts, options, begun
        self.errors: list[str] = []
        self.forms: list[StageForm] = []
        kinds = [draft.kind for draft in drafts] if data is None else _kinds_in(data, [each.kind for each in begun])
        given = drafts if data is None else begun
        self._show(
            [(kind, initial_of(given[place]) if place < len(given) else {}) for place, kind in enumerate(kinds)], data
        )

    def _show(self, stages: Sequence[tuple[str, Mapping[str, Any]]], data: QueryDict | None = None) -> None:
        begun = [*self._begun, *[None] * len(stages)]
        self.forms = [
            StageForm(
                data, number=number, kind=kind, facts=self._facts, options=self._options, begun=begun[number - 1],
                initial=values,
            )
            for number, (kind, values) in enumerate(stages, 1)
        ]  # fmt: skip

    @property
    def can_grow(self) -> bool:
        """Whether another stage may be added."""
        return len(self.forms) < MAX_STAGES

    @property
    def faults(self) -> list[tuple[StageForm, forms.BoundField | None, str]]:
        """Everything that is wrong: the stage, its field, and what."""
        return [
            (form, form[name] if name in form.fields else None, str(text))
            for form in self.forms
            for name, texts in form.errors.items()
            for text in texts
        ]

    def is_valid(self) -> bool:
        """Whether every stage is; all are looked at."""
        found = [form.is_valid() for form in self.forms]
        return all(found)

    def drafts(self) -> list[StageDraft]:
        """What was typed; call it on a valid form."""
        return [form.draft() for form in self.forms]

    def add(self, draft: StageDraft) -> None:
        """One stage more at the end; what was typed stays, unchecked."""
        self._show([*self._typed(), (draft.kind, initial_of(draft))])

    def remove(self, number: int) -> None:
        """One stage less; what was typed in the others stays, unchecked."""
        self._show([values for place, values in enumerate(self._typed(), 1) if place != number])

    def refuse(self, text: str, number: int | None, name: str) -> None:
        """Put an error at a field of a stage, or above all."""
        if number is None or number > len(self.forms):
            self.errors.append(text)
            return
        form = self.forms[number - 1]
        field = {"tables": "preferred"}.get(name, name)
        form.add_error(field if field in form.fields and field != "kind" else None, text)

    def _typed(self) -> list[tuple[str, dict[str, Any]]]:
        """What every field shows, as initial values of unbound forms."""
        return [(form.stage_kind, {name: form[name].value() for name in form.fields}) for form in self.forms]


def _kinds_in(data: QueryDict, begun: Sequence[str]) -> list[str]:
    """The kinds of the stages sent, one after the other; the stored ones of those that have begun."""
    kinds = list(begun)
    while len(kinds) < MAX_STAGES and data.get(f"stage-{len(kinds) + 1}-kind") in Kind.values:
        kinds.append(str(data[f"stage-{len(kinds) + 1}-kind"]))
    return kinds
