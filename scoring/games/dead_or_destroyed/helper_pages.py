"""Calculators for a game of Dead or Destroyed: what summons cost, what an attack does, what a reveal brings.

All of them answer from their address alone and keep nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.wording import worded
from rules_engine.messages import Message
from scoring.games.dead_or_destroyed.forms import MAX_CARDS, AttackForm, PaladinForm, RankForm, SummonForm
from scoring.games.dead_or_destroyed.tally.options import SUMMON_READING
from scoring.games.dead_or_destroyed.tally.rules import (
    REASONS,
    REVEALS,
    SummonCost,
    attack_outcome,
    check_summons,
    paladin_wins,
    raised_rank,
    summon_cost,
    summons_lose,
)
from scoring.sheets.helpers import Helper
from scoring.sheets.web.helpers import show_helper

GAME = "dead_or_destroyed"
EXAMPLES = (
    "card1=other&from1=below&to1=battlefield&card2=other&card3=other",
    "card1=minor&card2=other&card3=other&from3=below&to3=battlefield",
)
"""The book's worked examples: the bottom card to the Battlefield, then two from the top; a 3, the next, one from the
middle to the Battlefield."""


@page_view("public")
def summon(request: HttpRequest) -> HttpResponse:
    """GET /scores/dead_or_destroyed/summon/?card1=…&reading=…: what the summons of a turn cost, by both readings."""
    form = SummonForm(request.GET if "card1" in request.GET else None)
    asked = request.GET.get("reading")
    reading = str(asked if SUMMON_READING.takes(asked) else SUMMON_READING.usual)
    context: dict[str, Any] = {"form": form, "reading": reading, "examples": EXAMPLES}
    if form.is_bound and form.is_valid() and (summons := form.summons()):
        cost, values = summon_cost(summons), form.cleaned_data
        graveyard, battlefield = (
            MAX_CARDS if values[name] is None else values[name] for name in ("graveyard", "battlefield")
        )  # unknown: enough
        context |= {
            "cost": cost,
            "steps": _steps(cost, len(summons)),
            "agreed": cost.by(reading),
            "loses": summons_lose(summons, battlefield, graveyard, reading),
            "may_lose": values["battlefield"] is None and summons_lose(summons, 0, graveyard, reading),
            "against": [worded(each) for each in check_summons(summons, values["crypt"] or 0, graveyard, reading)],
        }
    return show_helper(request, GAME, "summon", ("DD-SUMMON", "DD-MINOR"), **context)


def _steps(cost: SummonCost, summons: int) -> list[tuple[int, list[tuple[str, bool]]]]:
    """For each summon the reasons for a card, each with whether the second example leaves it out."""
    return [
        (
            number,
            [(worded(Message(REASONS[each.reason])), each.in_example) for each in cost.costs if each.number == number],
        )
        for number in range(1, summons + 1)
    ]


@page_view("public")
def attack(request: HttpRequest) -> HttpResponse:
    """GET /scores/dead_or_destroyed/attack/?zombies=…&deck=…: cards to move, and whether the Deck pays; the paladin's
    win by ?battlefield=…&graveyard=…."""
    form = AttackForm(request.GET if "zombies" in request.GET else None)
    paladin = PaladinForm(request.GET if "battlefield" in request.GET else None)
    context: dict[str, Any] = {"form": form, "paladin": paladin}
    if form.is_bound and form.is_valid() and form.cleaned_data["deck"] is not None:
        context["outcome"] = attack_outcome(form.cleaned_data["zombies"], form.cleaned_data["deck"])
    if paladin.is_bound and paladin.is_valid():
        context["paladin_wins"] = paladin_wins(**paladin.cleaned_data)
        context["paladin_asked"] = True
    return show_helper(request, GAME, "attack", ("DD-WIN-NECRO", "DD-WIN-PALADIN"), **context)


@page_view("public")
def reveal(request: HttpRequest) -> HttpResponse:
    """GET /scores/dead_or_destroyed/reveal/?rank=…&revealed=…: the seven effects, and what a card then counts."""
    form = RankForm(request.GET if "rank" in request.GET else None)
    context: dict[str, Any] = {
        "form": form,
        "effects": [(number, worded(Message(text))) for number, text in REVEALS.items()],
    }
    if form.is_bound and form.is_valid():
        context["asked"] = form.cleaned_data["rank"]
        context["raised"] = raised_rank(form.cleaned_data["rank"], int(form.cleaned_data["revealed"]))
    return show_helper(request, GAME, "reveal", ("DD-REVEAL", "DD-REVEAL-STEP"), **context)


def helpers(names: Sequence[str], options: Mapping[str, Any], keeps_sheet: bool) -> list[Helper]:
    """What helps at a table of these players (`scoring.sheets.helpers`)."""
    asked = options.get(SUMMON_READING.key)
    reading = str(asked if SUMMON_READING.takes(asked) else SUMMON_READING.usual)
    return [
        Helper(_("Cost of summons"), reverse("dod_summon") + f"?reading={reading}"),
        Helper(_("Attack and win"), reverse("dod_attack")),
        Helper(_("Reveals"), reverse("dod_reveal")),
    ]
