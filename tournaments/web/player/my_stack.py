"""The page on which a player plans in which order to stack their deck; only they see it."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.numbers import asked_number, posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.decks.forms import StackOrderForm
from tournaments.decks.selectors.deck_view import own_list
from tournaments.decks.selectors.stack_orders import StackPlan, fitted, stack_plan, stacks_decks
from tournaments.decks.services.stack_orders import save_stack_order
from tournaments.models import EntryMember, Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.player.own_match import own_member, table_of


@event_view("deck.own", "GET", "POST", fresh=True)
def my_stack(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/stack/: the order of your deck for the next game; `?from=<id>` begins with an earlier one.

    A POST saves the order sent ("save") or that of the last time ("same"). NotFound "no_stacking" where decks are not
    stacked, and as `own_list`.
    """
    if not stacks_decks(tournament):
        raise NotFound("no_stacking", _("In this game decks are not stacked."))
    member = own_member(request, tournament)
    version = own_list(request.actor, member)
    table = table_of(request, tournament, member.entry)
    plan = stack_plan(request.actor, member, version, table.match if table else None)
    act, sent = request.POST.get("act", ""), request.POST if request.method == "POST" else None
    begun = next((each for each in plan.earlier if each.pk == asked_number(request, "from")), None)
    form = StackOrderForm(sent, cards=fitted(plan.cards, begun.cards) if begun else plan.cards)
    if form.is_bound and form.is_valid():
        order = fitted(plan.cards, plan.last.cards) if act == "same" and plan.last else form.cleaned_data["order"]
        if _save(request, form, member, plan, order):
            return redirect("my_stack", tournament.slug)
    context = {"here": "my", "plan": plan, "form": form, "begun": begun}
    return render_event(request, tournament, "player/stack.html", context)


def _save(
    request: ActorRequest, form: StackOrderForm, member: EntryMember, plan: StackPlan, order: Sequence[str]
) -> bool:
    """Save an order for the game it was sent for; what was sent stays on the page where that is another one now."""
    meant = posted_number(request, "match"), posted_number(request, "game")
    if meant != (plan.match.pk if plan.match else None, plan.game):
        form.add_error(None, _("Not saved: another game comes next now. Check the order and save it again."))
        return False
    kept = call_service(
        form, lambda: save_stack_order(request.actor, member, plan.match, plan.game, order, database_now())
    )
    if kept is not None:
        messages.success(request, _("Your order is saved. Only you can see it."))
    return kept is not None
