"""At a Doom Pile table: who goes first by lot, the minutes to stack decks, a player's own cards in countdown.

Everything stands in the address of the page and nothing is kept here: the server draws the lot and signs it, and says
when time is up; the cards in countdown are on the player's own phone alone.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from secrets import randbelow
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.addresses import shared_address
from accounts.http.numbers import posted_number, read_number
from accounts.http.wording import worded
from journal.clock import database_now
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from scoring.games.doom_pile.forms import GAME, LotForm, PlayForm, countdowns
from scoring.games.doom_pile.tally import WIN_CLAUSES
from scoring.games.doom_pile.tally.countdown import (
    MAX_CARDS,
    Countdown,
    first_player,
    read_countdown,
    wins_with_empty_deck,
)
from scoring.sheets.helpers import Helper
from scoring.sheets.web.clock import Clock

LOT = "doom-pile-lot"
MINUTES = (5, 7, 10)
SEEDS = 1_000_000
LAST_MOMENT = 10**11 - 1
"""In seconds since 1970; far beyond any clock, and still a date."""


@page_view("public", "GET", "POST", fresh=True)
def table(request: HttpRequest) -> HttpResponse:
    """GET, POST /scores/doom_pile/table/: draw who goes first (act=lot, names), begin to stack (act=stack, minutes).

    Both lead to the address that tells it, so that it can be opened on every phone.
    """
    form = LotForm(request.POST if request.POST.get("act") == "lot" else None)
    given = {key: request.GET[key] for key in ("lot", "until") if key in request.GET}
    now = database_now()
    if form.is_bound and form.is_valid():
        drawn = {"names": form.cleaned_data["names"], "seed": randbelow(SEEDS), "at": int(now.timestamp())}
        return _again(given | {"lot": signing.dumps(drawn, salt=LOT, compress=True)}, "#first")
    if request.POST.get("act") == "stack" and (minutes := posted_number(request, "minutes", 60)):
        return _again(given | {"until": str(int((now + timedelta(minutes=minutes)).timestamp()))}, "#stacking")
    lot = _lot(given.get("lot", ""))
    if not form.is_bound:
        form = LotForm(initial={"names": "\n".join(lot["names"] if lot else request.GET.getlist("name")[:6])})
    context = {
        "system": get_system(GAME),
        "form": form,
        "lot": lot,
        "clock": _clock(given.get("until", ""), now),
        "minutes": MINUTES,
        "share": shared_address(request, request.get_full_path()) if given else "",
        "clauses": _clauses("DP-FIRST", "DP-STACK"),
        "wins": _clauses(*WIN_CLAUSES.values()),
    }
    return render(request, "scores/doom_pile/table.html", context)


def _again(query: dict[str, str], anchor: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('doom_pile_table')}?{urlencode(query)}{anchor}")


def _lot(signed: str) -> dict[str, Any] | None:
    """What was drawn, with who goes "first"; None for an address that this site did not make."""
    try:
        drawn: dict[str, Any] = signing.loads(signed, salt=LOT)
    except signing.BadSignature:
        return None
    drawn_at = datetime.fromtimestamp(drawn["at"], UTC)
    return {**drawn, "first": first_player(drawn["names"], drawn["seed"]), "drawn_at": drawn_at}


def _clock(until: str, now: datetime) -> Clock | None:
    moment = read_number(until, LAST_MOMENT)
    if moment is None:
        return None
    ends = datetime.fromtimestamp(moment, UTC)
    return Clock(ends, 60, max(round((ends - now).total_seconds()), 0))


def _clauses(*wanted: str) -> list[Any]:
    return [get_system(GAME).find_clause(each) for each in wanted]


@page_view("public", fresh=True)
def countdown(request: HttpRequest) -> HttpResponse:
    """GET /scores/doom_pile/countdown/?c=<left>.<start>.<name>&…&deck=…: your cards in countdown.

    `do` is the act of a button: "turn", "play" (name, start), "less <n>", "more <n>", "resolve <n>", "remove <n>",
    "deck"; it leads to the address that holds what came of it. The browser's way back takes it back.
    """
    held, act = _held(request.GET), request.GET.get("do", "")
    form = PlayForm(request.GET if act == "play" else None)
    refused = ""
    if act and (act != "play" or form.is_valid()):
        try:
            changed = _done(held, act, form)
            return HttpResponseRedirect(_address(changed, request.GET.get("deck", "")))
        except DomainError as error:
            refused = worded(error.wording)
    deck = request.GET.get("deck", "")
    deck_left = read_number(deck, 999)
    context = {
        "system": get_system(GAME),
        "held": held,
        "rows": [(place, card, _word(card)) for place, card in enumerate(held.cards)],
        "form": form,
        "refused": refused,
        "deck": deck if deck_left is not None else "",
        "wins": deck_left is not None and wins_with_empty_deck(deck_left, held),
        "known": countdowns().values(),
        "is_full": len(held.cards) >= MAX_CARDS,
        "clauses": _clauses("DP-WIN-EMPTY"),
    }
    return render(request, "scores/doom_pile/countdown.html", context)


def _held(query: QueryDict) -> Countdown:
    """The cards that stand in an address; whatever cannot be read is left out."""
    cards = [_read(text) for text in query.getlist("c")[:MAX_CARDS]]
    try:
        return read_countdown([card for card in cards if card])
    except DomainError:
        return Countdown()


def _read(text: str) -> dict[str, Any] | None:
    left, _dot, rest = text.partition(".")
    start, _dot, name = rest.partition(".")
    remaining, began = read_number(left, 999), read_number(start, 999)
    return None if remaining is None or began is None else {"name": name, "start": began, "remaining": remaining}


def _word(card: Any) -> str:
    """A card as it stands in the address."""
    return f"{card.remaining}.{card.start}.{card.name}"


def _done(held: Countdown, act: str, form: PlayForm) -> Countdown:
    """The countdown after an act; an unknown one changes nothing. DomainError as `Countdown` says."""
    verb, _space, rest = act.partition(" ")
    number = read_number(rest, 999)
    place = -1 if number is None else number
    if verb == "turn":
        return held.begin_turn()
    if verb == "play" and len(held.cards) < MAX_CARDS:
        return held.play(form.cleaned_data["name"], form.cleaned_data["start"])
    steps = {"less": -1, "more": 1}
    if verb in steps:
        return held.adjust(place, steps[verb])
    if verb in ("resolve", "remove"):
        return held.resolve(place) if verb == "resolve" else held.remove(place)
    return held


def _address(held: Countdown, deck: str) -> str:
    words: Sequence[tuple[str, str]] = [("c", _word(card)) for card in held.cards]
    query = urlencode([*words, *([("deck", deck)] if deck else [])])
    return f"{reverse('doom_pile_countdown')}{'?' if query else ''}{query}"


def helpers(names: Sequence[str], options: Mapping[str, Any], keeps_sheet: bool) -> list[Helper]:
    """What helps at a table of these players (`scoring.sheets.helpers`)."""
    lot = reverse("doom_pile_table") + (f"?{urlencode([('name', name) for name in names])}" if names else "")
    return [Helper(_("Who goes first"), lot), Helper(_("My cards in countdown"), reverse("doom_pile_countdown"))]
