"""Score sheets in the API: what one adds up to, without keeping it."""

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from rules_engine.errors import DomainError
from rules_engine.systems import list_systems
from scoring.sheets.tallies.batch import answer, read_sheets
from scoring.sheets.tallies.registry import get_tallier, has_sheet

MAX_SHEETS = 500


class TallyViewSet(ApiViewSet):
    """Tallies that nobody keeps."""

    resource = "tallies"
    stores_nothing = True
    access_rules: ClassVar = {"compute": "public"}
    pagination_class = None

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "game",
                OpenApiTypes.STR,
                OpenApiParameter.PATH,
                description="A game that is scored by sheet: " + ", ".join(
                    system.slug for system in list_systems() if has_sheet(system.slug)
                ),
            )
        ],
        request=OpenApiTypes.OBJECT,
        responses=OpenApiTypes.OBJECT,
    )  # fmt: skip
    def compute(self, request: Request, game: str) -> Response:
        """Add up a score sheet, as the command `tally` does; nothing is stored.

        Many at once are {"sheets": [...]}, answered by {"tallies": [...]} in the same order, with {"error"} for a sheet
        that cannot be tallied. `./run manage tally <game> --help` lists the keys of a sheet.
        """
        tallier, data = get_tallier(game), request.data
        sheets = read_sheets(data, MAX_SHEETS)
        answers = [answer(tallier, sheet) for sheet in sheets]
        if "sheets" not in data and "error" in answers[0]:
            refusal: dict[str, Any] = {key: value for key, value in answers[0].items() if key != "error"}
            raise DomainError("bad_sheet", answers[0]["error"], **refusal)
        return Response({"tallies": answers} if "sheets" in data else answers[0])


urlpatterns = [path("tally/<slug:game>/", TallyViewSet.as_view({"post": "compute"}), name="tally")]
