"""Forms in which results are typed: by a player for their match, at the desk, and by staff for any match."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from scoring.standings.results import (
    MAX_GAMES,
    MatchLength,
    MatchResult,
    ResultKind,
    intentional_draw,
    match_loss,
    no_show,
)
from tournaments.results.forms.corrections import ReasonedCorrection
from tournaments.results.forms.games import GamesOffered
from tournaments.results.forms.games_won import GamesResultForm
from tournaments.results.forms.scores import Score, score_tiles

IsOffered = Callable[[Score], bool]
"""Whether a match can end with a score, as the form sees it: the service refuses others, as after a game loss."""
FIELD_FOR_ERROR = {"bad_score": "score"}


def _games(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MAX_GAMES, required=False)


class ReportForm(forms.Form):
    """The usual scores as tiles, seen by the player who reports; `match` names the match the page showed."""

    match = forms.IntegerField(widget=forms.HiddenInput)
    score = forms.ChoiceField(label=_("How did it end for you?"), widget=forms.RadioSelect)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        match: int,
        length: MatchLength,
        needs_winner: bool = False,
        is_offered: IsOffered = lambda _score: True,
    ) -> None:
        """Offer the scores of a match of `length`."""
        super().__init__(data, initial={"match": match})
        self._is_offered = is_offered
        self._scores = score_tiles(length, needs_winner=needs_winner)
        set_choices(self, "score", [(key, score.text) for key, score in self._scores.items()])

    @property
    def tiles(self) -> list[tuple[Any, Score]]:
        """Each radio button with the score it stands for."""
        tiles = zip(self["score"].subwidgets, self._scores.values(), strict=True)
        return [(radio, score) for radio, score in tiles if self._is_offered(score)]

    def result(self, place: int) -> MatchResult:
        """What was chosen, for a reporter sitting at `place`."""
        return self._scores[self.cleaned_data["score"]].as_result(place)


class OtherReportForm(GamesResultForm):
    """What the tiles do not offer: games typed as numbers, a draw agreed on, an opponent who did not come."""

    KINDS = [
        ("played", _("We played")),
        ("intentional_draw", _("We agreed on a draw")),
        ("absent", _("My opponent did not come")),
    ]
    match = forms.IntegerField(widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=_("What happened"), choices=KINDS, initial="played", widget=forms.RadioSelect)
    won = _games(_("Games you won"))
    lost = _games(_("Games you lost"))
    drawn = _games(_("Games drawn"))

    numbers = ("won", "lost", "drawn")

    def __init__(
        self,
        data: QueryDict | None,
        *,
        match: int,
        length: MatchLength,
        place: int = 0,
        names: tuple[str, str] = ("", ""),
        offered: GamesOffered | None = None,
        counts_scores: bool = False,
    ) -> None:
        """Ids of its own, for it shares a page with the tiles; `names` are both players as the reporter calls them."""
        super().__init__(data, initial={"match": match}, auto_id="other_%s")
        self._length, self.place = length, place
        if counts_scores and length.games > 1:
            self.add_points(names)
        if offered is not None:
            self.add_games(offered, names)

    def result(self, place: int) -> MatchResult:
        """What was typed, for a reporter sitting at `place`."""
        if self.cleaned_data["kind"] == "intentional_draw":
            return intentional_draw(self._length)
        if self.cleaned_data["kind"] == "absent":
            return no_show(2, (1 - place,), self._length)
        return self.typed()


class DeskForm(forms.Form):
    """Table and result typed at the desk; `round` is the id of the round the page showed, `newest` of the newest one.

    Without `newest` the round shown is meant.
    """

    round = forms.IntegerField(widget=forms.HiddenInput)
    newest = forms.IntegerField(widget=forms.HiddenInput, required=False)
    table = forms.CharField(
        label=_("Table"),
        max_length=30,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "class": "table-number"}),
    )
    result = forms.CharField(
        label=_("Result"),
        max_length=50,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off", "class": "table-number"}),
    )

    def focus_on(self, name: str) -> None:
        """Put the cursor into a field."""
        self.fields[name].widget.attrs["autofocus"] = True

    def clean_table(self) -> int:
        text = self.cleaned_data["table"].strip()
        if not (text.isascii() and text.isdigit()) or len(text) > 9 or not int(text):
            raise forms.ValidationError(gettext("“%(text)s” is no table number."), params={"text": text})
        return int(text)


class StaffResultForm(GamesResultForm):
    """Any result of a match of two seats, reported by staff in seat order: a tile that was tapped, else what was typed.

    `version` is the match's as the page showed it.
    """

    numbers = ("first", "second", "drawn")

    score = forms.ChoiceField(required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=_("What happened"), initial="played", widget=forms.RadioSelect)
    first = _games("")
    second = _games("")
    drawn = _games(_("Games drawn"))
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        names: tuple[str, str],
        length: MatchLength,
        needs_winner: bool = False,
        is_offered: IsOffered = lambda _score: True,
        offered: GamesOffered | None = None,
        counts_scores: bool = False,
        initial: dict[str, Any] | None = None,
    ) -> None:
        """`names` are the two players in seat order; the single games are asked for where `offered`.

        So are the points of several games where the standings `counts_scores`.
        """
        super().__init__(data, initial=initial)
        self._length, self._names, self._is_offered = length, names, is_offered
        self._scores = score_tiles(length, needs_winner=needs_winner)
        set_choices(self, "score", [(key, score.text) for key, score in self._scores.items()])
        set_choices(self, "kind", _kinds(names))
        self.fields["kind"].required = not self["score"].value()
        for field, name in zip(("first", "second"), names, strict=True):
            self.fields[field].label = gettext("Games won by %(name)s") % {"name": name}
        if counts_scores and length.games > 1:
            self.add_points(names)
        if offered is not None:
            self.add_games(offered, names)

    @property
    def tiles(self) -> list[tuple[Score, str]]:
        """Each usual score with who wins by it."""
        return [(score, self._winner(score)) for score in self._scores.values() if self._is_offered(score)]

    def swapped(self, counts: MatchResult) -> tuple[Score, str] | None:
        """The tile by which the other one wins what counts; None where nobody won or the score is unusual."""
        if counts.kind is not ResultKind.PLAYED or counts.games_won[0] == counts.games_won[-1]:
            return None
        score = self._scores.get(Score(counts.games_won[-1], counts.games_won[0], counts.games_drawn).key)
        return None if score is None or not self._is_offered(score) else (score, self._winner(score))

    def _winner(self, score: Score) -> str:
        return gettext("draw") if score.won == score.lost else self._names[score.won < score.lost]

    def clean(self) -> dict[str, Any]:
        """A tile says everything; the numbers of games beside it are left alone."""
        if not self.cleaned_data.get("score"):
            return super().clean()
        self._check_points()
        return self.cleaned_data

    def result(self) -> MatchResult:
        if self.cleaned_data["score"]:
            return self.with_points(self._scores[self.cleaned_data["score"]].as_result())
        kind = self.cleaned_data["kind"]
        if kind == "intentional_draw":
            return intentional_draw(self._length)
        if kind == "double_loss":
            return MatchResult(ResultKind.DOUBLE_LOSS, (0, 0))
        if kind in PENALISED:
            return match_loss(PENALISED[kind], self._length)
        if kind in ABSENT:
            return no_show(2, ABSENT[kind], self._length)
        return self.typed()


ABSENT: dict[str, tuple[int, ...]] = {"absent_first": (0,), "absent_second": (1,), "absent_both": (0, 1)}
PENALISED = {"penalised_first": 0, "penalised_second": 1}


def _kinds(names: tuple[str, str]) -> list[tuple[str, str]]:
    absent = [gettext("%(name)s did not come") % {"name": name} for name in names]
    return [
        ("played", gettext("Played")),
        ("intentional_draw", gettext("Intentional draw")),
        ("absent_first", absent[0]),
        ("absent_second", absent[1]),
        ("absent_both", gettext("Nobody came")),
        *zip(PENALISED, (gettext("%(name)s loses by a penalty") % {"name": name} for name in names), strict=True),
        ("double_loss", gettext("Loss for both (penalty)")),
    ]


def pair_values(result: MatchResult) -> dict[str, Any]:
    """A stored result as the values of the form that would store it."""
    if result.kind is ResultKind.NO_SHOW:
        return {"kind": next((kind for kind, absent in ABSENT.items() if absent == result.absent), "played")}
    if result.kind is ResultKind.MATCH_LOSS:
        return {"kind": next(kind for kind, place in PENALISED.items() if result.penalised == (place,))}
    if result.kind is not ResultKind.PLAYED:
        return {"kind": result.kind.value}
    first, second = result.games_won
    points = {f"points_{seat}": f"{float(score):g}" for seat, score in enumerate(result.scores, 1)}
    return {"kind": "played", "first": first, "second": second, "drawn": result.games_drawn, **points}


class CorrectionForm(ReasonedCorrection, StaffResultForm):
    """The same in place of a result that counts."""
