"""Rounds changed by hand: how they stand, what a change would cost, the change, and what was changed."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.access import check_access
from rules_engine.errors import NotFound
from tournaments.api.serializers.manual_pairing import (
    UNDO,
    PairingChangeSerializer,
    PreviewSerializer,
    RoundDraftSerializer,
    StoredChangeSerializer,
    TableChangeSerializer,
)
from tournaments.api.views.rounds import RoundAudience
from tournaments.manual_pairing.selectors import (
    Preview,
    changes_of,
    meetings_of,
    moved_game_losses,
    round_draft_of,
    seen_mark,
)
from tournaments.manual_pairing.services import (
    change_round,
    cost_as_dict,
    look_at_change,
    look_at_undo,
    rule_of,
    undo_change,
)
from tournaments.models import Entry, Round
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Seating, difference
from tournaments.rounds.services.rounds import SEED_BITS


class ManualPairingViewSet(RoundAudience):
    """The places of one round. Judges may look, and turn the seats of a table; all else is the organiser's."""

    resource = "arrangement"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "changes", "preview", "change"), "round.preview")
    pages: ClassVar = frozenset({"changes"})

    @extend_schema(responses=RoundDraftSerializer)
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """How the places of a round stand; its tables are the matches of the round."""
        round_ = self.find_round()
        draft, numbers = round_draft_of(round_), self._numbers()
        value = {
            "seen": seen_mark(round_, draft),
            "unplaced": [numbers[each] for each in draft.unplaced],
            "locked": [each.number for each in draft.seatings if each.locked and each.number],
            "begun": [each.number for each in draft.seatings if each.begun and each.number],
        }
        return self.answer(RoundDraftSerializer, value)

    @extend_schema(responses=PairingChangeSerializer(many=True))
    def changes(self, request: Request, slug: str, number: int) -> Response:
        """What was changed by hand, the latest first."""
        return self.answer_page(PairingChangeSerializer, changes_of(self.find_round()))

    @extend_schema(request=TableChangeSerializer, responses=PreviewSerializer)
    def preview(self, request: Request, slug: str, number: int) -> Response:
        """What a change would lead to and cost; nothing is stored."""
        values, round_ = self.read(TableChangeSerializer), self.find_round()
        check_access(rule_of(values["act"]), self.actor, self.event)
        change = self._change(values)
        preview = look_at_undo(round_) if change is None else look_at_change(round_, change)
        return self.answer(PreviewSerializer, self._preview_as_dict(round_, preview, change))

    @extend_schema(request=StoredChangeSerializer, responses={201: PairingChangeSerializer})
    def change(self, request: Request, slug: str, number: int) -> Response:
        """Change the places of a round that is not closed; where it is published, everybody sees it at once."""
        values, round_ = self.read(StoredChangeSerializer), self.find_round()
        check_access(rule_of(values["act"]), self.actor, self.event)
        change, reason, seen = self._change(values), values["reason"], values["seen"]
        if change is None:
            return self.answer(
                PairingChangeSerializer, undo_change(self.actor, round_, reason, self.now, seen=seen), 201
            )
        stored = change_round(self.actor, round_, change, reason, self.now, seen=seen)
        return self.answer(PairingChangeSerializer, stored, 201)

    def _numbers(self) -> dict[int, int]:
        return dict(Entry.objects.filter(tournament=self.event).values_list("pk", "number"))

    def _change(self, values: Mapping[str, Any]) -> Change | None:
        """The change that a body describes, None for an undo; NotFound "unknown_entry"."""
        if values["act"] == UNDO:
            return None
        ids = {number: pk for pk, number in self._numbers().items()}
        wanted = values.get("entries", ())
        if not ids.keys() >= set(wanted):
            raise NotFound("unknown_entry", _("This event has no such entry."))
        seed = values.get("seed")
        return Change(
            Act(values["act"]), tuple(ids[each] for each in wanted), values.get("table"), values.get("to"),
            secrets.randbits(SEED_BITS) if seed is None else seed,
        )  # fmt: skip

    def _preview_as_dict(self, round_: Round, preview: Preview, change: Change | None) -> dict[str, Any]:
        gone, come = difference(preview.now, preview.after)
        numbers = self._numbers()
        return {
            "seen": seen_mark(round_, preview.now),
            "seed": change.seed if change is not None and change.act is Act.PAIR_REST else None,
            "tables_now": seatings_as_dicts(gone, numbers),
            "tables_after": seatings_as_dicts(come, numbers),
            "cost_now": cost_as_dict(preview.bill_now),
            "cost_after": cost_as_dict(preview.bill_after),
            "best": cost_as_dict(CostReport(0, preview.best.cost)),
            "proved": preview.best.proved,
            "meetings": [
                {"entries": [numbers[each.one], numbers[each.other]], "rounds": each.rounds}
                for each in meetings_of(round_, come)
            ],
            "game_losses": [
                {"entry": penalty.entry.number, "counts": counts}
                for penalty, counts in moved_game_losses(round_, preview)
            ],
        }


def seatings_as_dicts(seatings: Sequence[Seating], numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    """Seatings for a serializer, by the numbers of entries."""
    return [
        {
            "table": each.number, "kind": each.kind.value, "entries": [numbers[seat] for seat in each.seats],
            "locked": each.locked, "begun": each.begun,
        }
        for each in seatings
    ]  # fmt: skip
