"""The pages of a score sheet, whatever frame they stand in: without an event, or as a match of one.

A frame says who looks and what they may do; the views here do everything else, and know neither accounts nor events:

- `overview`  GET: who is ready, who is missing, the buttons
- `part`      GET, POST: the form of one place (0: the table)
- `file`      POST: file the sheet (with `anyway=1` although a person is missing)
- `tally`     GET: the newest revision: waiting, returned with a reason, or the tally with every line
- `sign`      POST: `place` signs the tally of `revision`
- `draw`      POST: a round of draws among tied winners, filed as a new revision
- `play`      the pages that only this game has (`scoring.sheets.web.own_pages`)

Whoever embeds them makes a `SheetFrame` for each request and gives each route of `SHEET_PAGES` an address below
`frame.root`:

    *(path(f"{root}{route}", in_frame(view), name=…) for route, view in SHEET_PAGES.items())

where `in_frame(view)` is a Django view that checks permissions, builds the frame and answers `view(request, frame, …)`.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from rules_engine.errors import BadInput, Conflict, NotAllowed, NotFound, TooMany, needed
from scoring.models import SheetRevision
from scoring.sheets.forms.sheets import DrawForm, PartForm, Tie, filed_content, part_form, sheet_pages
from scoring.sheets.selectors import newest_revision, outcome_of
from scoring.sheets.web.frames import Progress, SheetFrame, progress_of, seen_parts, show, title_of
from scoring.sheets.web.own_pages import own_pages
from scoring.sheets.web.tallies import read_tally


@never_cache
@require_safe
def overview(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>: how far everybody is, and what comes next; a game may have a page of its own here."""
    if "" in (pages := own_pages(frame.sheet.game)):
        return pages[""](request, frame)
    progress = progress_of(frame)
    mine = next((line for line in progress.lines if line.place and line.is_own and not line.state.is_ready), None)
    table = next((line for line in progress.lines if not line.place and line.is_open), None)
    todo = mine or (table if table and not table.state.is_ready else None)
    changed = progress.revision is not None and progress.revision.content != filed_content(frame.sheet)
    tie = _tie_of(frame, progress.revision) if progress.revision and progress.returned and not changed else None
    has_board = "board" in pages
    return show(frame, "overview", progress=progress, todo=todo, changed=changed, tie=tie, has_board=has_board)


@never_cache
@require_http_methods(["GET", "POST"])
def part(request: ActorRequest, frame: SheetFrame, place: int) -> HttpResponse:
    """GET, POST <root>parts/<place>/: the form of one place; any button but "save" only changes the form."""
    title = title_of(frame.sheet, place)
    if "" in own_pages(frame.sheet.game):
        return HttpResponseRedirect(frame.root)
    if place not in frame.places:
        if frame.pick:
            return HttpResponseRedirect(frame.root)
        return show(frame, "not_yours", title=title, status=HTTPStatus.FORBIDDEN)
    seen = seen_parts(frame, newest_revision(frame.sheet))
    form = part_form(frame.sheet, place, request.POST if request.method == "POST" else None, seen)
    if form.is_bound and form.act != "save":
        form = form.pressed()
    elif form.is_bound and form.is_valid() and _save(frame, form):
        return HttpResponseRedirect(_next_address(frame, form))
    after = _next_place(frame, place)
    return show(frame, "part", form=form, place=place, title=title, after=after and title_of(frame.sheet, after))


def _save(frame: SheetFrame, form: PartForm) -> bool:
    """Whether it was stored; a refusal becomes an error of the form, and a second POST stores over what changed."""
    version = form.cleaned_data.get("version") or 0
    if call_service(form, lambda: frame.save(form.place, form.content(), version)) is None:
        form.renew_version()
        return False
    return True


def _next_place(frame: SheetFrame, place: int) -> int | None:
    """The place that comes after this one on a phone that writes for several; None where none does."""
    return place + 1 if frame.writes_for_all and place + 1 in frame.places else None


def _next_address(frame: SheetFrame, form: PartForm) -> str:
    """Where a saved part leads: to what the saved cards ask besides, to the next place, or to the overview."""
    if form.asks_more():
        return f"{frame.part_root}{form.place}/#asked"
    after = _next_place(frame, form.place)
    return f"{frame.part_root}{after}/" if after else frame.root


@require_POST
def file(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>file/: file the sheet; with `anyway` although a person is not ready.

    NotAllowed "no_filing" where the frame does not let the viewer.
    """
    if not frame.may_file:
        raise NotAllowed("no_filing", frame.note or _("You can't file this sheet."))
    missing = progress_of(frame).missing
    if missing and not request.POST.get("anyway"):
        messages.warning(request, _("Not filed: %(names)s is missing.") % {"names": ", ".join(missing)})
        return HttpResponseRedirect(frame.root)
    return filed(request, frame, filed_content(frame.sheet))


def filed(request: HttpRequest, frame: SheetFrame, content: Mapping[str, Any]) -> HttpResponse:
    """File what is written and lead to its tally; where it was filed too often, say so: what was typed stays."""
    try:
        frame.file(content)
    except TooMany as refusal:
        messages.warning(request, refusal.message)
        return HttpResponseRedirect(frame.root)
    return HttpResponseRedirect(f"{frame.root}tally/")


@never_cache
@require_safe
def tally(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>tally/: what the newest revision adds up to, why it came back, or that it waits."""
    progress = progress_of(frame)
    if progress.revision is None:
        return HttpResponseRedirect(frame.root)
    return _show_tally(frame, progress, None)


def _show_tally(frame: SheetFrame, progress: Progress, draw_form: DrawForm | None) -> HttpResponse:
    revision = progress.revision
    outcome = outcome_of(revision) if revision else None
    if revision is None or outcome is None:
        return show(frame, "tally", progress=progress, revision=revision)
    tie = _tie_of(frame, revision)
    signed = {each.place for each in revision.signatures.all()}
    mine = frame.own - signed - {0} if not frame.signs_elsewhere else ()
    to_sign = {place: title_of(frame.sheet, place) for place in sorted(mine)}
    return show(
        frame, "tally", progress=progress, revision=revision, signed=signed, to_sign=to_sign,
        tally_view=read_tally(frame.sheet, revision, outcome.tally) if outcome.tally else None,
        draw_form=draw_form or (DrawForm(None, tie) if tie else None),
        is_complete=len(signed) == len(frame.sheet.players),
        own_place=next(iter(frame.own - {0}), None) if len(frame.own - {0}) == 1 else None,
        pages=sheet_pages(frame.sheet.game),
    )  # fmt: skip


def _tie_of(frame: SheetFrame, revision: SheetRevision) -> Tie | None:
    return sheet_pages(frame.sheet.game).tie(revision.content)


@require_POST
def sign(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>sign/ (revision, place): a signature under the tally of a revision.

    NotAllowed "not_your_place" for a place that is not the viewer's.
    """
    place, number = _number(request, "place"), _number(request, "revision")
    if place not in frame.own - {0}:
        raise NotAllowed("not_your_place", _("Everybody signs for themselves."))
    revision = frame.sheet.revisions.filter(number=number).first()
    if revision is None:
        raise NotFound("no_revision", _("This version of the sheet doesn't exist."))
    frame.sign(revision, place)
    return HttpResponseRedirect(f"{frame.root}tally/")


@require_POST
def draw(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>draw/ (round, face_1 … of the tied in turn order): a round of draws, filed as a new revision.

    NotAllowed "no_filing"; Conflict "no_tie" where no such round is due.
    """
    if not frame.may_file:
        raise NotAllowed("no_filing", frame.note or _("You can't file this sheet."))
    progress = progress_of(frame)
    tie = _tie_of(frame, progress.revision) if progress.revision else None
    if tie is None or tie.round != _number(request, "round"):
        raise Conflict("no_tie", _("There's no tie, or this draw is entered."))
    form = DrawForm(request.POST, tie)
    if not form.is_valid():
        return _show_tally(frame, progress, form)
    frame.change(0, lambda content: {**content, "tie_draws": [*tie.drawn, form.drawn]})
    return filed(request, frame, filed_content(frame.sheet))


@never_cache
def play(request: HttpRequest, frame: SheetFrame, page: str) -> HttpResponse:
    """GET, POST <root>play/<page>/: a page that only this game has; NotFound "no_page"."""
    view = needed(own_pages(frame.sheet.game).get(page), NotFound("no_page", _("There is nothing here.")))
    return view(request, frame)


def _number(request: HttpRequest, name: str) -> int:
    return needed(posted_number(request, name, 99_999), BadInput("bad_number", _("Enter the missing number.")))


SHEET_PAGES: dict[str, Callable[..., HttpResponse]] = {
    "": overview,
    "parts/<int:place>/": part,
    "file/": file,
    "tally/": tally,
    "sign/": sign,
    "draw/": draw,
    "play/<slug:page>/": play,
}
"""Every page of a sheet by its route below the root."""
