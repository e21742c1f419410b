"""Template tag that draws an address as a QR code."""

import re

import segno
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
QUIET = 2
DARK = re.compile(b"\x01+")


@register.simple_tag
def qr_code(address: str, label: str) -> SafeString:
    """The address as an inline SVG image, dark on light in every theme; `label` is read out in its place."""
    matrix = segno.make(address, error="m", micro=False).matrix
    size = len(matrix) + 2 * QUIET
    return format_html(
        '<svg class="qr" viewBox="0 0 {size} {size}" role="img" aria-label="{label}"><path d="{path}"/></svg>',
        size=size,
        label=label,
        path=_path_of(matrix),
    )


def _path_of(matrix: tuple[bytearray, ...]) -> str:
    """One bar for each run of dark modules in a row."""
    return "".join(
        f"M{run.start() + QUIET} {row + QUIET}h{run.end() - run.start()}v1H{run.start() + QUIET}z"
        for row, modules in enumerate(matrix)
        for run in DARK.finditer(modules)
    )
