"""The part of the event form that says what matches are worth and by what the standings rank."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from accounts.http.numbers import read_number
from scoring.standings.presets import PRESETS
from scoring.standings.records import MAX_POINTS, PointsBy, Rounding, ScoringPolicy
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.pairing.pods.contenders import LARGEST, SMALLEST
from tournaments.standings.words import name_of, said_of

MIN_PLACES, MAX_PLACES = 4, 12
OWN, OF_GAME = "", "game"
"""Profiles beside the ready-made ones: what the fields say, and what is usual for the game."""
POINTS_BY = [(PointsBy.OUTCOME, _("win, draw or loss")), (PointsBy.PLACING, _("the place at the table"))]
MORE_POINTS_BY = {PointsBy.GAMES: _("the games won"), PointsBy.SCORE: _("the score of the match")}
ROUNDINGS = [(Rounding.HALF_UP, _("to the nearest")), (Rounding.DOWN, _("down"))]
DIGITS = [(digits + 2, digits) for digits in range(5)]
RULES = ("win", "draw", "loss", "bye", "floor", "decimals", "rounding", "points_by", "placing_points")


class ScoringForm(forms.Form):
    """A ready-made profile to start from, and every rule that can be chosen by itself.

    `filled` names the profile that filled the fields below: what they say counts on top of it.
    """

    profile = forms.ChoiceField(label=_("Scoring rules"), required=False)
    filled = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    win = forms.IntegerField(label=_("Points for a win"), min_value=1, max_value=MAX_POINTS)
    draw = forms.IntegerField(label=_("Points for a draw"), min_value=0, max_value=MAX_POINTS)
    loss = forms.IntegerField(label=_("Points for a loss"), min_value=0, max_value=MAX_POINTS)
    bye = forms.IntegerField(
        label=_("Points for a bye"),
        required=False,
        min_value=0,
        max_value=MAX_POINTS,
        help_text=_("Leave empty to use the points for a win."),
    )
    floor = forms.ChoiceField(
        label=_("Minimum opponent percentage"),
        help_text=_("Minimum for an opponent's match-win and game-win percentage."),
    )
    decimals = forms.TypedChoiceField(
        label=_("Decimal places of percentages"), coerce=int, choices=DIGITS, required=False, empty_value=None
    )
    rounding = forms.ChoiceField(
        label=_("Percentages are rounded"),
        choices=ROUNDINGS,
        required=False,
        help_text=_("Display only: ranks use exact values."),
    )
    points_by = forms.ChoiceField(label=_("Points go by"), choices=POINTS_BY, required=False)
    placing_points = forms.CharField(
        label=_("Points by place"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_(
            "One line per table size, first place first: “5 3 2 1” is a table of four. Ties get the average of "
            "their places, rounded down. Tables of 7 or more without a line use the longest; further places get its "
            "last number."
        ),
    )

    def posted_values(self) -> dict[str, Any]:
        """What was typed, right or wrong, as initial values of the same form shown again."""
        typed = {name: self.data.get(self.add_prefix(name), "") for name in self.fields}
        boxes = [name for name, field in self.fields.items() if isinstance(field, forms.BooleanField)]
        return {**typed, **{name: bool(typed[name]) for name in boxes}, "sheet_data": self.data}

    def offer_scoring(self, policy: ScoringPolicy, *, for_new: bool) -> None:
        """Offer the ready-made profiles, what `policy` and a filled one hold beside the usual, and enough places."""
        own = [(OF_GAME, gettext("as usual for the game"))] if for_new else []
        ready = [(key, f"{gettext(each.name)}: {gettext(each.note)}") for key, each in PRESETS.items()]
        filled = self.data.get(self.add_prefix("filled")) or self.initial.get("filled", "")
        held = [policy, *([PRESETS[filled].policy] if filled in PRESETS else [])]
        choices: dict[str, Any] = {
            "profile": [*own, (OWN, gettext("as chosen below")), *ready],
            "floor": floor_choices(each.floor for each in held),
            "points_by": points_by_choices({each.points_by for each in held}),
            "decimals": digit_choices({each.decimals for each in held}),
        }
        for name, offered in choices.items():
            set_choices(self, name, offered)
        wanted = max(MIN_PLACES, self.initial.get("places", 0), _last_place(self.initial), _last_place(self.data))
        self.places = [f"tiebreaker_{place}" for place in range(1, min(wanted, MAX_PLACES) + 1)]
        for place, name in enumerate(self.places, start=1):
            self.fields[name] = tiebreaker_field(place)

    @property
    def scoring_names(self) -> tuple[str, ...]:
        """The fields that decide results and ranks."""
        return ("profile", *RULES, *self.places)

    @property
    def tiebreaker_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.places]

    @property
    def may_add_place(self) -> bool:
        """Whether there is room for another criterion."""
        return len(self.places) < MAX_PLACES and not self.fields[self.places[0]].disabled

    @property
    def tiebreaker_notes(self) -> list[tuple[str, str]]:
        """Every criterion with what it is."""
        return [(name_of(key), said_of(key)) for key in TIEBREAKERS]

    def clean(self) -> dict[str, Any]:
        """Refuse criteria named twice and points that cannot be read; say from which profile the rules come.

        Afterwards `profile` is the one to start from ("" for the event's own rules), and `composed` tells whether the
        fields count on top of it.
        """
        values: dict[str, Any] = super().clean() or {}
        self._clean_tiebreakers(values)
        self._clean_placing(values)
        self._clean_profile(values)
        return values

    def _clean_tiebreakers(self, values: Mapping[str, Any]) -> None:
        seen: set[str] = set()
        for name in self.places:
            key = values.get(name)
            if key and key in seen:
                self.add_error(name, _("Already listed above: choose another or none."))
            seen.add(key or "")

    def _clean_placing(self, values: dict[str, Any]) -> None:
        try:
            values["placing_points"] = read_placing(values.get("placing_points", ""))
        except ValueError as error:
            self.add_error("placing_points", str(error))
            return
        if values.get("points_by") == PointsBy.PLACING and not values["placing_points"]:
            self.add_error("placing_points", _("Enter the points for each place."))

    def _clean_profile(self, values: dict[str, Any]) -> None:
        chosen, filled = values.get("profile", OWN), values.get("filled", "")
        before = self.initial.get("profile", OWN)
        touched = any(name in self.changed_data for name in (*RULES, *self.places))
        if filled in (OF_GAME, *PRESETS) and chosen in (OWN, filled):
            values["profile"], values["composed"] = filled, True
        elif chosen in (OWN, before):
            values["profile"], values["composed"] = before if before == OF_GAME else OWN, touched
        elif touched:
            self.add_error(
                "profile",
                _("Fill in the chosen rules first, or choose “as chosen below” to keep your changes."),
            )
        else:
            values["composed"] = False


def composed_policy(base: ScoringPolicy, values: Mapping[str, Any]) -> ScoringPolicy:
    """A profile with what the cleaned fields say on top of it."""
    keys = tuple(values[name] for name in chosen_criteria(values) if values[name])
    bye = values.get("bye")
    return replace(
        base,
        win=values["win"],
        draw=values["draw"],
        loss=values["loss"],
        bye=values["win"] if bye is None else bye,
        floor=Fraction(values["floor"]),
        decimals=base.decimals if values.get("decimals") is None else values["decimals"],
        rounding=Rounding(values.get("rounding") or base.rounding),
        points_by=PointsBy(values.get("points_by") or base.points_by),
        placing_points=values.get("placing_points") or base.placing_points,
        tiebreakers=keys,
    )


def scoring_values(policy: ScoringPolicy, profile: str) -> dict[str, Any]:
    keys = {f"tiebreaker_{place}": key for place, key in enumerate(policy.tiebreakers, start=1)}
    return {
        "profile": profile,
        "win": policy.win,
        "draw": policy.draw,
        "loss": policy.loss,
        "bye": None if policy.bye == policy.win else policy.bye,
        "floor": str(policy.floor),
        "decimals": str(policy.decimals),
        "rounding": policy.rounding.value,
        "points_by": policy.points_by.value,
        "placing_points": "\r\n".join(" ".join(map(str, row)) for row in policy.placing_points),
        **keys,
    }


def profile_of(policy: ScoringPolicy, game: str) -> str:
    """The ready-made profile that a policy is, the game's first; games of a bye follow the match length anyway."""
    like = [key for key, each in PRESETS.items() if replace(each.policy, bye_games=policy.bye_games) == policy]
    return game if game in like else next(iter(like), OWN)


def read_placing(text: str) -> tuple[tuple[int, ...], ...]:
    """Points by place, a line for each size of table; ValueError that says which line is at fault."""
    rows: dict[int, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        points = [read_number(word, MAX_POINTS) for word in line.replace(",", " ").split()]
        words = tuple(each for each in points if each is not None)
        if not points:
            continue
        if len(words) < len(points):
            raise ValueError(
                gettext("Line %(line)d: use whole numbers from 0 to %(most)d.") % {"line": number, "most": MAX_POINTS}
            )
        if not SMALLEST <= len(words) <= LARGEST or len(words) in rows:
            raise ValueError(
                gettext("Line %(line)d: one line per table size, %(least)d–%(most)d.")
                % {"line": number, "least": SMALLEST, "most": LARGEST}
            )
        rows[len(words)] = words
    return tuple(rows[size] for size in sorted(rows))


def floor_choices(held: Iterable[Fraction]) -> list[tuple[str, str]]:
    """The floors offered, and those in force if they are others."""
    usual = {Fraction(1, 3): "1/3", Fraction(33, 100): "0.33", Fraction(1, 4): "1/4", Fraction(0): gettext("none")}
    return [(str(floor), text) for floor, text in ({each: str(each) for each in held} | usual).items()]


def points_by_choices(held: Collection[PointsBy]) -> list[tuple[str, Any]]:
    """What points can go by; the ways of special profiles only where they are in force."""
    return [*POINTS_BY, *((each, words) for each, words in MORE_POINTS_BY.items() if each in held)]


def digit_choices(held: Collection[int]) -> list[tuple[int, int]]:
    """How many digits a percentage may have; stored as decimals of a share of 1."""
    return [*DIGITS, *((digits, max(digits - 2, 0)) for digits in sorted(held) if digits not in dict(DIGITS))]


def tiebreaker_field(place: int, *, empty: str = "") -> forms.ChoiceField:
    """One of the ordered criteria; only the first is needed, and none where a word for `empty` is given."""
    names = [(key, name_of(key)) for key in TIEBREAKERS]
    is_needed = place == 1 and not empty
    return forms.ChoiceField(
        label=gettext("Criterion %(place)d") % {"place": place},
        required=is_needed,
        choices=names if is_needed else [("", empty or gettext("no criterion")), *names],
    )


def _last_place(data: Mapping[str, Any]) -> int:
    numbers = [name.partition("_")[2] for name in data if name.startswith("tiebreaker_")]
    return max((int(each) for each in numbers if each.isascii() and each.isdigit() and len(each) < 3), default=0)


def chosen_criteria(values: Mapping[str, Any]) -> list[str]:
    """The names of the fields of criteria among cleaned values, in order."""
    names = [name for name in values if name.startswith("tiebreaker_")]
    return sorted(names, key=lambda name: int(name.partition("_")[2]))
