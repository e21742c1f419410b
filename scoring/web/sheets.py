"""The pages of a score sheet, whatever frame they stand in: without an event, or as a match of one.

A frame says who looks and what they may do; the views here do everything else, and know neither accounts nor events:

- `overview`  GET: who is ready, who is missing, the buttons
- `part`      GET, POST: the form of one place (0: the table)
- `file`      POST: file the sheet (with `anyway=1` although somebody is missing)
- `tally`     GET: the newest revision: waiting, returned with a reason, or the tally with every line
- `sign`      POST: `place` signs the tally of `revision`
- `draw`      POST: a round of draws among tied winners, filed as a new revision

Whoever embeds them makes a `SheetFrame` for each request and gives each route of `SHEET_PAGES` an address below
`frame.root`:

    *(path(f"{root}{route}", in_frame(view), name=…) for route, view in SHEET_PAGES.items())

where `in_frame(view)` is a Django view that checks permissions, builds the frame and answers `view(request, frame, …)`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from scoring.models import ScoreSheet, SheetRevision, SheetSignature

Render = Callable[[str, dict[str, Any]], HttpResponse]


@dataclass(frozen=True, slots=True)
class SheetFrame:
    """A sheet as one viewer has it before the eyes.

    `root` is the address of the overview, all others stand below it. `render(template, context)` answers a page whose
    template extends `base`; the frame adds `frame` to the context itself. `places` are the parts that the viewer may
    read and write now (0: the table), `own` the places the viewer signs for. `file(content)` and `sign(revision,
    place)` are services bound to the actor; `may_file` tells whether to offer filing, `note` why it cannot be done.
    `pick` is the address that says which place this phone writes for ("" where the frame knows), `share` the address
    for the other phones ("" for none), `back` where the way out of the sheet leads with its words.
    """

    sheet: ScoreSheet
    root: str
    base: str
    render: Render
    file: Callable[[Mapping[str, Any]], SheetRevision]
    sign: Callable[[SheetRevision, int], SheetSignature]
    places: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()
    may_file: bool = False
    note: str = ""
    pick: str = ""
    share: str = ""
    back: tuple[str, str] | None = None


def overview(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>: how far everybody is, and what comes next."""
    raise NotImplementedError


def part(request: HttpRequest, frame: SheetFrame, place: int) -> HttpResponse:
    """GET, POST <root>parts/<place>/: the form of one place."""
    raise NotImplementedError


def file(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>file/: file the sheet."""
    raise NotImplementedError


def tally(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>tally/: what the newest revision adds up to."""
    raise NotImplementedError


def sign(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>sign/: a signature under the tally of a revision."""
    raise NotImplementedError


def draw(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>draw/: what tied players drew, filed as a new revision."""
    raise NotImplementedError


SHEET_PAGES: dict[str, Callable[..., HttpResponse]] = {
    "": overview,
    "parts/<int:place>/": part,
    "file/": file,
    "tally/": tally,
    "sign/": sign,
    "draw/": draw,
}
"""Every page of a sheet by its route below the root."""
