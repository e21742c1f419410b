"""Calculators for a game of Doomtrooper: what a combat comes to, and how often an opening hand lacks a warrior.

Both answer from their address and keep nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from scoring.games.doomtrooper.forms import GAME
from scoring.games.doomtrooper.helper_forms import TACTICS, CombatantForm, OpeningForm, printed_ratings
from scoring.games.doomtrooper.tally.combat import Fate, Status, combat, odds_with_gift, opening_odds
from scoring.sheets.helpers import Helper
from scoring.sheets.web.helpers import show_helper

COMBAT = ("DT-HIT", "DT-STRIKE", "DT-KILL", "DT-OWNKILL", "DT-FREELANCER", "DT-COVER")
OPENING = ("DT-START", "DT-GIFT", "DT-NOWARRIOR")


@page_view("public")
def combat_page(request: HttpRequest) -> HttpResponse:
    """GET /scores/doomtrooper/combat/?tactic=…&a-name=…&d-name=…: both warriors' fate, and the points of a kill.

    With `attacker`, `attacker_wounded`, `defender`, `wounded` and `cover` instead the forms begin with these warriors.
    """
    tactic = request.GET.get("tactic", "fight")
    tactic = tactic if tactic in TACTICS else "fight"
    data = request.GET if "tactic" in request.GET else None
    begun = {"name": request.GET.get("attacker", ""), "wounded": request.GET.get("attacker_wounded") == "True"}
    heading = _("Attacker: please correct this")
    attacker = CombatantForm(data, tactic=tactic, may_hide=False, error_heading=heading, prefix="a", initial=begun)
    begun = {
        "name": request.GET.get("defender", ""),
        "wounded": request.GET.get("wounded") == "True",
        "cover": request.GET.get("cover") == "True",
    }
    heading = _("Defender: please correct this")
    defender = CombatantForm(data, tactic=tactic, may_hide=True, error_heading=heading, prefix="d", initial=begun)
    context: dict[str, Any] = {
        "attacker": attacker,
        "defender": defender,
        "tactic": tactic,
        "tactics": TACTICS.items(),
        "one_player": bool(request.GET.get("own")),
        "warriors": [name for name, _ratings in printed_ratings().values()],
    }
    if data is not None and attacker.is_valid() and defender.is_valid():
        fates = combat(attacker.combatant(), defender.combatant(), one_player=context["one_player"])
        names = (attacker.cleaned_data["name"] or _("Attacker"), defender.cleaned_data["name"] or _("Defender"))
        sides = zip(names, fates, (attacker.combatant(), defender.combatant()), strict=True)
        context["fates"] = [(name, fate, warrior, *_outcome(fate)) for name, fate, warrior in sides]
    return show_helper(request, GAME, "combat", COMBAT, **context)


def _outcome(fate: Fate) -> tuple[str, str]:
    """How a warrior comes out: the look of the mark, and the words."""
    return {
        Status.UNHARMED: ("done", _("unharmed")),
        Status.WOUNDED: ("wait", _("wounded")),
        Status.KILLED: ("wrong", _("killed")),
    }[fate.status]


@page_view("public")
def opening_page(request: HttpRequest) -> HttpResponse:
    """GET /scores/doomtrooper/opening/?deck=…&warriors=…: how likely an opening hand holds how many warriors."""
    form = OpeningForm(request.GET if "deck" in request.GET else None)
    context: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        deck, warriors = form.cleaned_data["deck"], form.cleaned_data["warriors"]
        odds = opening_odds(deck, warriors)
        context |= {
            "without": 100 * float(odds[0]),
            "with_gift": 100 * float(odds_with_gift(deck, warriors)),
            "odds": [(held, 100 * float(chance)) for held, chance in enumerate(odds) if chance],
        }
    return show_helper(request, GAME, "opening", OPENING, **context)


def helpers(names: Sequence[str], options: Mapping[str, Any], keeps_sheet: bool) -> list[Helper]:
    """What helps at a table of these players (`scoring.sheets.helpers`)."""
    return [
        Helper(_("Combat calculator"), reverse("doomtrooper_combat")),
        Helper(_("Opening hand odds"), reverse("doomtrooper_opening")),
    ]
