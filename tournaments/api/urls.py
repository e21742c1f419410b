"""Every address of the API: events here, the rest from the apps below, and the description of it all."""

from django.urls import include, path, register_converter
from django.urls.converters import IntConverter
from drf_spectacular.views import SpectacularJSONAPIView

from accounts.http.access import access
from tournaments.api.views.deck_ready import DeckReadyViewSet
from tournaments.api.views.decks import (
    DeckChecksViewSet,
    EntryDeckViewSet,
    OwnDeckViewSet,
    OwnStackViewSet,
    PublishedDecksViewSet,
)
from tournaments.api.views.docs import DocsView
from tournaments.api.views.entries import (
    EntriesViewSet,
    EntryByesViewSet,
    EntryNeedsViewSet,
    EntryViewSet,
    OwnEntryViewSet,
)
from tournaments.api.views.event_files import EventFileViewSet
from tournaments.api.views.event_templates import REHEARSAL_ACTS, CopiesViewSet
from tournaments.api.views.events import MOVES, STATE_CHANGES, EventDetailViewSet, EventsViewSet
from tournaments.api.views.forecast import ForecastViewSet
from tournaments.api.views.impact import CorrectionPreviewViewSet, DropPreviewViewSet
from tournaments.api.views.leagues import LeaguesViewSet, LeagueViewSet
from tournaments.api.views.manual_pairing import ManualPairingViewSet
from tournaments.api.views.matches import MatchViewSet
from tournaments.api.views.penalties import OwnPenaltiesViewSet, PenaltiesViewSet
from tournaments.api.views.plan import PlanViewSet
from tournaments.api.views.room import (
    ANSWERS,
    CLOCK_ACTS,
    AnnouncementsViewSet,
    CallsViewSet,
    ClockViewSet,
    MatchCallViewSet,
    NoShowsViewSet,
    NotSeenViewSet,
)
from tournaments.api.views.rounds import RoundsViewSet, RoundViewSet
from tournaments.api.views.sheets import RoundSheetsViewSet, SheetViewSet
from tournaments.api.views.staff import AcceptInviteViewSet, InvitesViewSet, LogViewSet, StaffViewSet
from tournaments.api.views.stages import BracketViewSet, CrossTableViewSet, NextStageViewSet, StagesViewSet
from tournaments.api.views.standings import FeatureViewSet, StandingsViewSet
from tournaments.api.views.webhooks import ChangesViewSet, WebhooksViewSet


class NumberConverter(IntConverter):
    """A whole number from 1 that any database column of ours can hold."""

    regex = "[1-9][0-9]{0,17}"


register_converter(NumberConverter, "number")

EVENT = "events/<slug:slug>/"
ENTRY = f"{EVENT}entries/<number:number>/"
ROUND = f"{EVENT}rounds/<number:number>/"
LEAGUE = "leagues/<slug:league>/"
ANNOUNCEMENT = f"{EVENT}announcements/<number:announcement_id>/"
WEBHOOK = f"{EVENT}webhooks/<number:webhook_id>/"
MATCH = f"{EVENT}matches/<number:match_id>/"

MATCH_ACTS = ("report", "confirm", "dispute", "correct", "uphold")
ENTRY_ACTS = {
    "check-in": "check_in",
    "undo-check-in": "undo_check_in",
    "seen": "seen",
    "drop": "drop",
    "return": "return_",
    "personal-link": "personal_link",
}
DECK_ACTS = {"read": "look", "check": "check", "reopen": "reopen", "shut": "shut"}

app_name = "api"
urlpatterns = [
    path("", include("accounts.urls_api")),
    path("", include("decks.api.urls")),
    path("", include("scoring.sheets.api")),
    path("schema/", access("public")(SpectacularJSONAPIView.as_view()), name="schema"),
    path("docs/", access("public")(DocsView.as_view()), name="docs"),
    path("events/", EventsViewSet.as_view({"get": "list", "post": "create"})),
    path(EVENT, EventDetailViewSet.as_view({"get": "retrieve", "put": "update", "patch": "partial_update"})),
    *(path(f"{EVENT}{act}/", EventDetailViewSet.as_view({"post": act})) for act in STATE_CHANGES),
    *(path(f"{EVENT}{name}/", EventDetailViewSet.as_view({"post": act})) for name, act in MOVES.items()),
    path(f"{EVENT}changes/", ChangesViewSet.as_view({"get": "retrieve"})),
    path(f"{EVENT}webhooks/", WebhooksViewSet.as_view({"get": "list", "post": "create"})),
    path(WEBHOOK, WebhooksViewSet.as_view({"delete": "remove"})),
    path(f"{WEBHOOK}resend/", WebhooksViewSet.as_view({"post": "resend"})),
    path(f"{EVENT}file/", EventFileViewSet.as_view({"get": "public"})),
    path(f"{EVENT}file/whole/", EventFileViewSet.as_view({"get": "whole"})),
    path(f"{EVENT}entries/", EntriesViewSet.as_view({"get": "list", "post": "create"})),
    path(f"{EVENT}not-seen/", NotSeenViewSet.as_view({"get": "list"})),
    path(f"{EVENT}no-shows/", NoShowsViewSet.as_view({"get": "list"})),
    path(f"{EVENT}entries/sign-up/", EntriesViewSet.as_view({"post": "sign_up"})),
    path(ENTRY, EntryViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    *(path(f"{ENTRY}{name}/", EntryViewSet.as_view({"post": act})) for name, act in ENTRY_ACTS.items()),
    path(f"{ENTRY}drop/preview/", DropPreviewViewSet.as_view({"post": "preview"})),
    path(f"{ENTRY}byes/", EntryByesViewSet.as_view({"get": "retrieve", "post": "award"})),
    path(f"{ENTRY}byes/take-back/", EntryByesViewSet.as_view({"post": "take_back"})),
    path(f"{ENTRY}needs/", EntryNeedsViewSet.as_view({"get": "retrieve", "put": "fix_table"})),
    path(f"{ENTRY}needs/private/", EntryNeedsViewSet.as_view({"put": "note"})),
    path(f"{ENTRY}needs/keep-apart/", EntryNeedsViewSet.as_view({"post": "keep_apart"})),
    path(f"{ENTRY}needs/let-meet/", EntryNeedsViewSet.as_view({"post": "let_meet"})),
    path(f"{ENTRY}deck/", EntryDeckViewSet.as_view({"get": "published", "put": "update"})),
    *(path(f"{ENTRY}deck/{name}/", EntryDeckViewSet.as_view({"post": act})) for name, act in DECK_ACTS.items()),
    path(f"{EVENT}decks/", PublishedDecksViewSet.as_view({"get": "list"})),
    path(f"{EVENT}deck-checks/", DeckChecksViewSet.as_view({"get": "list"})),
    path(f"{EVENT}deck-checks/draw/", DeckChecksViewSet.as_view({"post": "draw"})),
    path(f"{EVENT}my/", OwnEntryViewSet.as_view({"get": "retrieve"})),
    path(f"{EVENT}my/needs/", OwnEntryViewSet.as_view({"get": "needs"})),
    path(f"{EVENT}my/drop/", OwnEntryViewSet.as_view({"post": "drop"})),
    path(f"{EVENT}my/deck/", OwnDeckViewSet.as_view({"get": "retrieve", "put": "update"})),
    path(f"{EVENT}my/stack/", OwnStackViewSet.as_view({"get": "retrieve", "put": "update"})),
    path(f"{EVENT}my/deck/history/", OwnDeckViewSet.as_view({"get": "history"})),
    path(f"{EVENT}my/penalties/", OwnPenaltiesViewSet.as_view({"get": "list"})),
    path(f"{EVENT}penalties/", PenaltiesViewSet.as_view({"get": "list", "post": "create"})),
    path(f"{EVENT}penalties/<number:penalty_id>/take-back/", PenaltiesViewSet.as_view({"post": "take_back"})),
    path(f"{EVENT}stages/", StagesViewSet.as_view({"get": "retrieve", "put": "update"})),
    path(f"{EVENT}stages/take-back/", StagesViewSet.as_view({"post": "take_back"})),
    path(f"{EVENT}stages/next/", NextStageViewSet.as_view({"get": "retrieve"})),
    path(f"{EVENT}stages/next/begin/", NextStageViewSet.as_view({"post": "begin"})),
    path(f"{EVENT}bracket/", BracketViewSet.as_view({"get": "retrieve"})),
    path(f"{EVENT}crosstable/", CrossTableViewSet.as_view({"get": "retrieve"})),
    path(f"{EVENT}rounds/", RoundsViewSet.as_view({"get": "list", "post": "create"})),
    path(f"{EVENT}fairness/", RoundsViewSet.as_view({"get": "fairness"})),
    path(f"{EVENT}feature/", FeatureViewSet.as_view({"get": "retrieve"}), name="feature"),
    path(f"{EVENT}clock/", ClockViewSet.as_view({"get": "retrieve"})),
    *(path(f"{EVENT}clock/{act}/", ClockViewSet.as_view({"post": act})) for act in CLOCK_ACTS),
    path(f"{MATCH}extra-time/", ClockViewSet.as_view({"post": "extra_time"})),
    path(ROUND, RoundViewSet.as_view({"get": "retrieve"})),
    path(f"{ROUND}sheets/", RoundSheetsViewSet.as_view({"get": "list"})),
    path(f"{ROUND}matches/", RoundViewSet.as_view({"get": "matches"})),
    path(f"{ROUND}recompute/", RoundViewSet.as_view({"get": "recompute"})),
    path(f"{ROUND}arrangement/", ManualPairingViewSet.as_view({"get": "retrieve"})),
    path(f"{ROUND}arrangement/changes/", ManualPairingViewSet.as_view({"get": "changes"})),
    path(f"{ROUND}arrangement/preview/", ManualPairingViewSet.as_view({"post": "preview"})),
    path(f"{ROUND}arrangement/change/", ManualPairingViewSet.as_view({"post": "change"})),
    path(f"{ROUND}publish/", RoundViewSet.as_view({"post": "publish"})),
    path(f"{ROUND}withdraw/", RoundViewSet.as_view({"post": "withdraw"})),
    path(MATCH, MatchViewSet.as_view({"get": "retrieve"})),
    *(path(f"{MATCH}{act}/", MatchViewSet.as_view({"post": act})) for act in MATCH_ACTS),
    path(f"{MATCH}call/", MatchCallViewSet.as_view({"get": "retrieve", "post": "create"})),
    path(f"{MATCH}call/take-back/", MatchCallViewSet.as_view({"post": "withdraw"})),
    path(f"{EVENT}calls/", CallsViewSet.as_view({"get": "list"})),
    *(path(f"{EVENT}calls/<number:call_id>/{act}/", CallsViewSet.as_view({"post": act})) for act in ANSWERS),
    path(f"{MATCH}correction/preview/", CorrectionPreviewViewSet.as_view({"post": "preview"})),
    path(f"{MATCH}sheet/", SheetViewSet.as_view({"get": "retrieve"})),
    path(f"{MATCH}sheet/parts/<int:place>/", SheetViewSet.as_view({"put": "save"})),
    path(f"{MATCH}sheet/tally/", SheetViewSet.as_view({"get": "tally"})),
    path(f"{MATCH}sheet/file/", SheetViewSet.as_view({"post": "file"})),
    path(f"{MATCH}sheet/sign/", SheetViewSet.as_view({"post": "sign"})),
    path(f"{MATCH}placements/", DeckReadyViewSet.as_view({"post": "place"})),
    path(f"{MATCH}placements/begin/", DeckReadyViewSet.as_view({"post": "begin"})),
    path(f"{MATCH}draft/", DeckReadyViewSet.as_view({"post": "draft"})),
    path(f"{MATCH}placements/for/", DeckReadyViewSet.as_view({"post": "place_for"})),
    path(f"{MATCH}placements/take-back/", DeckReadyViewSet.as_view({"post": "take_back"})),
    path(f"{EVENT}standings/", StandingsViewSet.as_view({"get": "list"})),
    path(f"{EVENT}standings/why/", StandingsViewSet.as_view({"get": "why"})),
    path(f"{EVENT}plan/", PlanViewSet.as_view({"get": "retrieve"})),
    path(f"{EVENT}plan/runs/", PlanViewSet.as_view({"post": "start"})),
    path(f"{EVENT}plan/runs/<uuid:run_id>/", PlanViewSet.as_view({"get": "progress"})),
    path(f"{EVENT}plan/runs/<uuid:run_id>/stop/", PlanViewSet.as_view({"post": "stop"})),
    path(f"{EVENT}what-if/", StandingsViewSet.as_view({"get": "what_if"})),
    path(f"{EVENT}standings.csv", StandingsViewSet.as_view({"get": "csv"}), name="standings_csv"),
    path(f"{EVENT}outlook/", ForecastViewSet.as_view({"get": "list"})),
    *(path(f"{EVENT}outlook/{act}/", ForecastViewSet.as_view({"post": act})) for act in ("ask", "stop", "show")),
    path(f"{EVENT}announcements/", AnnouncementsViewSet.as_view({"get": "list", "post": "create"})),
    path(f"{ANNOUNCEMENT}withdraw/", AnnouncementsViewSet.as_view({"post": "withdraw"})),
    path(f"{EVENT}staff/", StaffViewSet.as_view({"get": "list"})),
    path(f"{EVENT}staff/<number:role_id>/", StaffViewSet.as_view({"delete": "remove"})),
    path(f"{EVENT}invites/", InvitesViewSet.as_view({"get": "list", "post": "create"})),
    path(f"{EVENT}invites/<number:invite_id>/", InvitesViewSet.as_view({"delete": "revoke"})),
    path("invites/accept/", AcceptInviteViewSet.as_view({"post": "accept"})),
    path(f"{EVENT}copy/", CopiesViewSet.as_view({"post": "copy"})),
    path(f"{EVENT}rehearse/", CopiesViewSet.as_view({"post": "rehearse"})),
    *(path(f"{EVENT}rehearsal/{name}/", CopiesViewSet.as_view({"post": act})) for name, act in REHEARSAL_ACTS.items()),
    path("leagues/", LeaguesViewSet.as_view({"get": "list", "post": "create"})),
    path(LEAGUE, LeagueViewSet.as_view({"get": "retrieve", "put": "update"})),
    path(f"{LEAGUE}standings/", LeagueViewSet.as_view({"get": "standings"})),
    path(f"{LEAGUE}events/", LeagueViewSet.as_view({"get": "events", "post": "add_event"})),
    path(f"{LEAGUE}events/remove/", LeagueViewSet.as_view({"post": "remove_event"})),
    path(f"{LEAGUE}finish/", LeagueViewSet.as_view({"post": "finish"})),
    path(f"{LEAGUE}reopen/", LeagueViewSet.as_view({"post": "reopen"})),
    path(f"{EVENT}log/", LogViewSet.as_view({"get": "list"})),
]
