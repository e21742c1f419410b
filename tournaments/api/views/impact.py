"""What a correction or a drop would move, looked at before it is saved."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.access import is_allowed
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.impact import ImpactSerializer
from tournaments.api.serializers.matches import CorrectionSerializer
from tournaments.api.views.manual_pairing import seatings_as_dicts
from tournaments.api.views.matches import MatchViewSet, result_in
from tournaments.entries.services.attendance import drop_entry
from tournaments.impact.selectors import Impact, MovedTables
from tournaments.impact.services import look_at
from tournaments.manual_pairing.services import cost_as_dict
from tournaments.models import Entry
from tournaments.results.services.corrections import correct_result


class CorrectionPreviewViewSet(MatchViewSet):
    """A correction before it is saved."""

    resource = "correction"
    access_rules: ClassVar = {"preview": "result.correct"}

    @extend_schema(request=CorrectionSerializer, responses=ImpactSerializer)
    def preview(self, request: Request, slug: str, match_id: int) -> Response:
        """What a correction would move; nothing is stored. It raises what the correction would raise."""
        match, values = self.find_correctable(), self.read(CorrectionSerializer)
        result, reason = result_in(match, values), values["reason"]
        seen = self.find_report(match, values["seen"]).pk if "seen" in values else None
        return answer_look(self, lambda: correct_result(self.actor, match, result, reason, self.now, seen=seen))


class DropPreviewViewSet(EventViewSet):
    """A drop before it is saved."""

    resource = "drop"
    access_rules: ClassVar = {"preview": "entries.manage"}

    @extend_schema(request=None, responses=ImpactSerializer)
    def preview(self, request: Request, slug: str, number: int) -> Response:
        """What the drop of an entry would move; nothing is stored."""
        entry = self.find_entry()
        return answer_look(self, lambda: drop_entry(self.actor, entry, self.now))


def answer_look(view: EventViewSet, act: Callable[[], object]) -> Response:
    """What an act would move, for the caller: tables only for who may see pairings early."""
    impact = look_at(view.event, act, with_tables=is_allowed("round.preview", view.actor, view.event))
    return view.answer(ImpactSerializer, _impact_as_dict(view, impact))


def _impact_as_dict(view: EventViewSet, impact: Impact) -> dict[str, Any]:
    numbers = dict(Entry.objects.filter(tournament=view.event).values_list("pk", "number"))
    stages = dict(view.event.stages.values_list("pk", "number"))
    return {
        "mark": impact.mark,
        "lines": [
            {"entry": numbers[line.entry], "rank_before": line.rank_before, "rank_after": line.rank_after,
             "keys": [{"key": each.key, "before": str(each.before), "after": str(each.after)} for each in line.keys]}
            for line in impact.lines
        ],
        "cuts": [
            {"stage": stages[cut.stage], "begun": cut.begun,
             "seeds": [{"entry": numbers[s.entry], "before": s.before, "after": s.after} for s in cut.seeds]}
            for cut in impact.cuts
        ],
        "rounds": impact.built,
        "tables": None if impact.tables is None else _tables_as_dict(impact.tables, numbers),
        "bouts": [
            {"match": bout.match, "before": [numbers[pk] for pk in bout.before],
             "after": [numbers[pk] for pk in bout.after]}
            for bout in impact.bouts
        ],
    }  # fmt: skip


def _tables_as_dict(tables: MovedTables, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "round": tables.number,
        "published": tables.published,
        "cost_before": cost_as_dict(tables.before),
        "cost_after": cost_as_dict(tables.after),
        "cost_mended": cost_as_dict(tables.repaired),
        "gone": seatings_as_dicts(tables.gone, numbers),
        "come": seatings_as_dicts(tables.come, numbers),
    }
