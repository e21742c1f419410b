"""Template tag that draws a figure of a deck on the server: bars in a table, or columns as inline SVG."""

from dataclasses import dataclass

from django import template

from decks.statistics import Chart

register = template.Library()

COLUMN, HEIGHT, TOP, FOOT = 30, 96, 18, 20


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a curve in the units of its drawing: left edge and middle, top edge and height."""

    label: str
    count: int
    left: int
    middle: int
    top: int
    height: int


@register.inclusion_tag("decks/chart.html")
def chart(chart: Chart) -> dict[str, object]:
    """A figure with every value in words."""
    columns = [_column(number, bar.label, bar.count, chart.highest) for number, bar in enumerate(chart.bars)]
    return {
        "chart": chart,
        "columns": columns,
        "width": COLUMN * len(columns),
        "height": TOP + HEIGHT + FOOT,
        "base": TOP + HEIGHT,
        "foot": TOP + HEIGHT + FOOT - 5,
        "average": None if chart.average is None else float(chart.average),
    }


def _column(number: int, label: str, count: int, highest: int) -> Column:
    height = round(HEIGHT * count / highest) if highest else 0
    left = COLUMN * number
    return Column(label, count, left + 4, left + COLUMN // 2, TOP + HEIGHT - height, height)
