"""The order in which a player stacks the own deck: that player's alone, in answers that nothing keeps."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.serializers.stack_orders import NewStackOrderSerializer, StackPlanSerializer
from tournaments.api.views.decks import DeckAudience
from tournaments.core.rounds import open_rounds, own_match
from tournaments.decks.selectors.deck_view import own_list
from tournaments.decks.selectors.stack_orders import StackPlan, stack_plan
from tournaments.decks.services.stack_orders import save_stack_order


class OwnStackViewSet(DeckAudience):
    """The order of the caller's own deck for the game that comes next."""

    resource = "my_stack"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "update"), "deck.own")

    @extend_schema(responses=StackPlanSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """The saved order, else that of the last time, else the cards as registered; card 1 is the top of the deck."""
        return self.answer_secret(StackPlanSerializer, self._plan())

    @extend_schema(request=NewStackOrderSerializer, responses=StackPlanSerializer)
    def update(self, request: Request, slug: str) -> Response:
        """Save an order for the game that comes next: every card of the registered deck, copies each once."""
        cards, plan = self.read(NewStackOrderSerializer)["cards"], self._plan()
        save_stack_order(self.actor, self.own_member(), plan.match, plan.game, cards, self.now)
        return self.answer_secret(StackPlanSerializer, self._plan())

    def _plan(self) -> StackPlan:
        member, round_ = self.own_member(), open_rounds(self.event).last()
        match = own_match(round_, member.entry_id) if round_ is not None else None
        return stack_plan(self.actor, member, own_list(self.actor, member), match)
