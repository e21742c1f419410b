"""Standings: exact, with the position of the ledger they were computed at, and as CSV."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.downloads import table_download
from accounts.http.paging import BoundedPagination
from journal.ledger.selectors import Head, head_of
from rules_engine.errors import NotFound
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.feature import AskedFeatureSerializer, FeatureSerializer
from tournaments.api.serializers.queries import AskedStandingsSerializer, ComparedSerializer
from tournaments.api.serializers.standings import (
    DIGITS,
    AskedWhatIfSerializer,
    StandingReasonSerializer,
    StandingSerializer,
    WhatIfSerializer,
)
from tournaments.core.rounds import shown_rounds
from tournaments.entries.selectors.entries import members_by_entry
from tournaments.events.exports import standings_table
from tournaments.room.selectors.feature import feature_of
from tournaments.standings.forms.supposed_results import read_supposed
from tournaments.standings.forms.what_if import OTHER_RESULT
from tournaments.standings.selectors.lists import entries_by_id, entries_called, standings_after, tables_without_scores
from tournaments.standings.selectors.reasons import compared_lines, contenders_in, reason_for
from tournaments.standings.selectors.roles import role_neutral
from tournaments.standings.selectors.standings import StandingRow, rows_of, standing_rows
from tournaments.standings.selectors.what_if import suppose_now, supposed_by

LEDGER = {
    "type": "object",
    "description": "Where the event's log stood when this was computed.",
    "properties": {
        "sequence": {"type": "integer", "description": "The number of its newest entry."},
        "hash": {"type": "string", "description": "The head of its chain: the hash of that entry."},
    },
    "required": ["sequence", "hash"],
}
CSV = {"type": "string", "format": "uri-reference", "description": "The same standings as CSV."}


class StandingsPagination(BoundedPagination):
    """A page of standings with the ledger's position; pages with equal positions belong together."""

    about = {"ledger": LEDGER, "csv": CSV}


class StandingsAudience(EventViewSet):
    """What lines of standings are written from."""

    @cached_property
    def rows(self) -> list[StandingRow]:
        """All standings, best first."""
        return standing_rows(self.event)

    @cached_property
    def shared(self) -> Mapping[int, int]:
        """How many entries have each rank."""
        return Counter(row.standing.rank for row in self.rows)

    @cached_property
    def without_scores(self) -> Counter[int]:
        """How many tables of each entry lack the scores that count."""
        return tables_without_scores(self.event)

    @cached_property
    def neutral(self) -> dict[int, Fraction] | None:
        """What each entry won beyond its roles; None for a game of equal roles."""
        return role_neutral(self.event)


class StandingsViewSet(StandingsAudience):
    """The standings of an event."""

    resource = "standings"
    access_rules: ClassVar = {"list": "event.see", "csv": "event.see", "why": "event.see", "what_if": "desk"}
    queries: ClassVar = {
        "list": AskedStandingsSerializer, "why": ComparedSerializer, "what_if": AskedWhatIfSerializer,
    }  # fmt: skip
    pagination_class = StandingsPagination

    @extend_schema(responses=StandingSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Standings after every result so far, best first."""
        head: Head = head_of(self.event.stream)
        response = self.answer_page(StandingSerializer, self.asked_rows())
        response.data["ledger"] = {"sequence": head.sequence, "hash": head.hash}
        response.data["csv"] = reverse("api:standings_csv", args=[slug])
        return response

    def asked_rows(self) -> Sequence[StandingRow]:
        """The lines asked for, as they stand or stood after an earlier round."""
        after, words = self.query["after"], self.query["q"]
        shown = {each.number for each in shown_rounds(self.event)}
        if after is not None and after not in shown:
            raise NotFound("unknown_round", _("This round doesn't exist or isn't published yet."))
        is_newest = after is None or after == max(shown)
        rows = self.rows if is_newest else rows_of(self.event, standings_after(self.event, after))
        called = entries_called(self.event, words) if words else None
        return [row for row in rows if called is None or row.entry.pk in called]

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def csv(self, request: Request, slug: str) -> HttpResponse:
        """Standings as a CSV file."""
        members = members_by_entry(self.event)
        table = standings_table(self.rows, self.event.scoring_policy, members, digits=DIGITS)
        return table_download(f"{slug}-standings", table, marked=False)

    @extend_schema(responses=StandingReasonSerializer)
    def why(self, request: Request, slug: str) -> Response:
        """Why one entry stands above another; one alone is compared with its neighbour."""
        lines = [row.standing for row in self.rows]
        reason = reason_for(self.event, *compared_lines(self.event, lines, self.query["above"], self.query["below"]))
        named = {reason.above.contender, reason.below.contender}
        named.update(contenders_in(reason.one), contenders_in(reason.other))
        entries = {pk: entry.number for pk, entry in entries_by_id(self.event, named).items()}
        return self.answer(StandingReasonSerializer, reason, numbers=entries)

    @extend_schema(responses=WhatIfSerializer)
    def what_if(self, request: Request, slug: str) -> Response:
        """The standings by other rules, points, tiebreakers, rounds, cut or result, for staff; nothing is stored."""
        values = self.query
        points = {name: values.pop(name) for name in ("win", "draw", "loss")}
        round_number, table, typed = (values.pop(name) for name in OTHER_RESULT)
        results = read_supposed(self.event, round_number, table, typed, values["after"]) if typed else {}
        found = suppose_now(
            self.event, supposed_by(self.event.scoring_policy, points=points, results=results, **values)
        )
        numbers = dict(self.event.entries.values_list("pk", "number"))
        return self.answer(WhatIfSerializer, found, numbers=numbers, tiebreakers=found.policy.tiebreakers)


class FeatureViewSet(StandingsAudience):
    """The feature table of a stream."""

    resource = "feature"
    access_rules: ClassVar = {"retrieve": "event.see"}
    queries: ClassVar = {"retrieve": AskedFeatureSerializer}
    pagination_class = None

    @extend_schema(responses=FeatureSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """What a stream shows of a table now, and from when on with its delay; nothing that is secret, whoever asks."""
        return self.answer(FeatureSerializer, feature_of(self.event, now=self.now, **self.query))
