"""Figures of an event as tables with bars drawn beside the numbers, and as CSV."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import TypeVar

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from decks.selectors.legality import format_at
from rules_engine.systems import get_system
from rules_engine.tables import Table
from scoring.standings.results import GAME_LOSS
from tournaments.core.round_names import round_name
from tournaments.core.rounds import rounds_of
from tournaments.models import Tournament
from tournaments.statistics.figures import SMALL, Bin, Rate, Share, Spread
from tournaments.statistics.selectors.statistics import MIXED, DeckStatistics, EventStatistics, Named, statistics_of
from tournaments.web.shared.log_words import role_in_words

Figure = TypeVar("Figure", Share, Rate)
WIDE = 1000
"""The width of a bar's drawing: 100 %."""
HEADER = ("figure", "label", "value", "low", "high", "count")


@dataclass(frozen=True, slots=True)
class Row:
    """A bar with its words, for rates with the interval too: `value` as text, `bar` its length of 1000.

    `span` are the ends of the interval on the same scale, `ends` the same in words, `exact` is the value for programs.
    `players` stand in the place of the label, each as a link.
    """

    label: str
    value: str
    bar: int
    count: int
    exact: str
    span: tuple[int, int] | None = None
    ends: str = ""
    players: tuple[Named, ...] = ()

    @property
    def span_width(self) -> int:
        """How long the interval is drawn."""
        return self.span[1] - self.span[0] if self.span else 0


@dataclass(frozen=True, slots=True)
class Chart:
    """One figure: its title and heads, a row for each bar, a note, and whether it rests on few matches."""

    key: str
    title: str
    label: str
    value: str
    rows: tuple[Row, ...]
    note: str = ""
    is_small: bool = False
    counts: str = ""

    @property
    def has_spans(self) -> bool:
        """Whether rows have intervals: rates do."""
        return any(row.span for row in self.rows)


def statistics_table(tournament: Tournament, now: datetime) -> Table:
    """The figures of the page, with their words in the reader's language."""
    charts = charts_of(tournament, statistics_of(tournament, now))
    rows = (
        [
            chart.key,
            row.label,
            row.exact,
            *(each / WIDE for each in row.span or ()),
            *([] if row.span else ["", ""]),
            row.count,
        ]
        for chart in charts
        for row in chart.rows
    )
    return Table(HEADER, rows)


def charts_of(tournament: Tournament, found: EventStatistics) -> list[Chart]:
    """The figures that have something to show, what the game is about first; who reported where that differs."""
    system = get_system(tournament.game)
    roles = {key: _(label) for key, label in system.match.role_labels.items()}
    kinds = {key: _(label) for key, label in system.match.win_kind_labels.items()} | {
        GAME_LOSS: _("game loss (penalty)")
    }
    charts = [
        *(_of_decks(tournament, found.decks) if found.decks else ()),
        _rates("roles", _("Games won by role"), _("Role"), [_named(rate, roles) for rate in found.roles], _("Games")),
        _shares("kinds", _("How games were won"), _("Kind of win"), [_named(each, kinds) for each in found.kinds]),
        _bins(found.scores),
        _spread(found.margins),
        _closest(found),
        _rates(
            "seats", _("Matches won by place at the table"), _("Place"), found.seats, _("Matches"),
            _("Place 1 is listed first in the pairings."),
        ),
        _runs(found),
        _rounds(tournament, found),
        _shares(
            "reporters", _("Who reported"), _("Role"),
            [
                replace(each, label=role_in_words(each.label))
                for each in found.reporters
                if each.count < each.total
            ],
            _("By the report that counts."),
        ),
    ]  # fmt: skip
    return [chart for chart in charts if chart is not None and chart.rows]


def _of_decks(tournament: Tournament, decks: DeckStatistics) -> Iterable[Chart | None]:
    rules = format_at(tournament.game, tournament.game_format)
    label = next((_(each.title) for each in rules.sections if each.key == rules.secret_section), _("Affiliation"))
    words = {MIXED: _("no side ahead")}
    note = "" if rules.secret_section else _("By the side with the most copies in a deck.")
    mirrors = ngettext(
        "%(count)d match between equals is left out.", "%(count)d matches between equals are left out.", decks.mirrors
    )
    yield _shares(
        "decks",
        _("What was played: %(what)s") % {"what": label},
        label,
        [_named(e, words) for e in decks.shares],
        note,
    )
    yield _rates(
        "deck_wins", _("Matches won: %(what)s") % {"what": label}, label, [_named(e, words) for e in decks.rates],
        _("Matches"), mirrors % {"count": decks.mirrors} if decks.mirrors else "",
    )  # fmt: skip


def _named(figure: Figure, words: dict[str, str]) -> Figure:
    return replace(figure, label=words.get(figure.label, figure.label))


def _shares(key: str, title: str, label: str, shares: Sequence[Share], note: str = "") -> Chart:
    rows = tuple(
        Row(
            each.label,
            _percent(each.count / each.total),
            _bar(each.count, each.total),
            each.count,
            f"{each.count / each.total:.4f}",
        )
        for each in shares
    )
    return Chart(key, title, label, _("Share"), rows, note, counts=_("Count"))


def _rates(key: str, title: str, label: str, rates: Sequence[Rate], counts: str, note: str = "") -> Chart:
    rows = tuple(
        Row(
            each.label, _percent(each.value), round(each.value * WIDE), each.played, f"{each.value:.4f}",
            (round(each.interval[0] * WIDE), round(each.interval[1] * WIDE)), _span(each),
        )
        for each in rates
    )  # fmt: skip
    is_small = bool(rates) and min(each.played for each in rates) < SMALL
    return Chart(key, title, label, _("Won"), rows, note, is_small, counts)


def _bins(bins: Sequence[Bin]) -> Chart:
    most = max((each.count for each in bins), default=1)
    rows = tuple(
        Row(_range(each), str(each.count), _bar(each.count, most), each.count, str(each.count)) for each in bins
    )
    return Chart("scores", _("Scores"), _("Points"), _("Players"), rows, _("Everybody's score at every table."))


def _range(each: Bin) -> str:
    return str(each.low) if each.low == each.high else _("%(low)d to %(high)d") % {"low": each.low, "high": each.high}


def _spread(spread: Spread | None) -> Chart | None:
    if spread is None:
        return None
    values = ((_("smallest"), spread.least), (_("in the middle"), spread.middle), (_("largest"), spread.most))
    rows = tuple(
        Row(name, _number(value), _bar(value, spread.most), spread.count, _exact(value)) for name, value in values
    )
    note = ngettext("From %(count)d table.", "From %(count)d tables.", spread.count) % {"count": spread.count}
    return Chart("margins", _("Lead of the best over the second"), _("Lead"), _("Points"), rows, note)


def _closest(found: EventStatistics) -> Chart:
    most = found.margins.most if found.margins else 0
    rows = tuple(
        Row(
            " – ".join(player.name for player in each.who), "–".join(_number(score) for score in each.scores),
            _bar(lead, most), 1, _exact(lead), players=each.who,
        )
        for each in found.closest
        for lead in (each.scores[0] - each.scores[1],)
    )  # fmt: skip
    return Chart("closest", _("Closest matches"), _("The best two"), _("Points"), rows, _("The bar is the lead."))


def _rounds(tournament: Tournament, found: EventStatistics) -> Chart:
    timed = rounds_of(tournament).filter(number__in=[each.number for each in found.rounds])
    names = {each.number: round_name(each) for each in timed.select_related("stage")}
    most = max((each.minutes for each in found.rounds), default=1)
    rows = tuple(
        Row(
            names[each.number],
            ngettext("%(count)d minute", "%(count)d minutes", each.minutes) % {"count": each.minutes},
            _bar(each.minutes, most), each.matches, str(each.minutes),
        )
        for each in found.rounds
    )  # fmt: skip
    note = _("From published pairings to the last table's first report.")
    return Chart("rounds", _("How long rounds took"), _("Round"), _("Time"), rows, note, counts=_("Matches"))


def _runs(found: EventStatistics) -> Chart:
    most = max((wins for _who, wins in found.runs), default=1)
    rows = tuple(
        Row(who.name, str(wins), _bar(wins, most), wins, str(wins), players=(who,)) for who, wins in found.runs
    )
    return Chart("runs", _("Longest winning runs"), _("Player"), _("Matches won in a row"), rows)


def _bar(part: int | Fraction, whole: int | Fraction) -> int:
    return round(WIDE * part / whole) if whole else 0


def _percent(part: float) -> str:
    return _("%(number)s %%") % {"number": round(100 * part)}


def _span(rate: Rate) -> str:
    low, high = (round(100 * end) for end in rate.interval)
    return _("%(number)s %%") % {"number": f"{low}–{high}"}


def _number(value: Fraction) -> str:
    return str(number_format(float(value), 1 if value.denominator > 1 else 0))


def _exact(value: Fraction) -> str:
    return f"{float(value):g}"
