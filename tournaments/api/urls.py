"""Every address of the API: events here, the rest from the apps below, and the description of it all."""

from django.urls import URLPattern, URLResolver, include, path, register_converter
from django.urls.converters import IntConverter
from drf_spectacular.views import SpectacularJSONAPIView

from accounts.http.access import access
from tournaments.api.views.client_results import ClientCodeViewSet, ClientResultsViewSet
from tournaments.api.views.deck_ready import DeckReadyViewSet
from tournaments.api.views.decks import (
    DeckChecksViewSet,
    EntryDeckViewSet,
    EventDecksViewSet,
    OwnDeckViewSet,
    OwnStackViewSet,
)
from tournaments.api.views.docs import DocsView
from tournaments.api.views.entries import (
    EntriesViewSet,
    EntryByesViewSet,
    EntryNeedsViewSet,
    EntryViewSet,
    OwnEntryViewSet,
)
from tournaments.api.views.entry_links import EntryLinksViewSet, ManyEntriesViewSet
from tournaments.api.views.event_facts import JobsViewSet, StatisticsViewSet
from tournaments.api.views.event_files import BringViewSet, EventFileViewSet
from tournaments.api.views.event_templates import REHEARSAL_ACTS, CopiesViewSet
from tournaments.api.views.events import MOVES, STATE_CHANGES, EventDetailViewSet, EventsViewSet
from tournaments.api.views.forecast import ForecastViewSet
from tournaments.api.views.games import GameViewSet, ScoringRulesViewSet
from tournaments.api.views.impact import CorrectionPreviewViewSet, DropPreviewViewSet
from tournaments.api.views.league_people import LeagueOrganisersViewSet, LeaguePlayersViewSet
from tournaments.api.views.leagues import LeaguesViewSet, LeagueViewSet
from tournaments.api.views.manual_pairing import ManualPairingViewSet
from tournaments.api.views.matches import MatchViewSet, OwnMatchesViewSet
from tournaments.api.views.penalties import OwnPenaltiesViewSet, PenaltiesViewSet
from tournaments.api.views.people import AccountViewSet, GuestsViewSet, ProfilesViewSet
from tournaments.api.views.plan import NewPlanViewSet, PlanViewSet
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
from tournaments.api.views.table_codes import DoorViewSet, TableCodesViewSet
from tournaments.api.views.teams import OwnTeamViewSet, TeamsViewSet
from tournaments.api.views.undo import UndoViewSet
from tournaments.api.views.webhooks import ChangesViewSet, WebhooksViewSet


class NumberConverter(IntConverter):
    """A whole number from 1 that any database column of ours can hold."""

    regex = "[1-9][0-9]{0,17}"


register_converter(NumberConverter, "number")

MATCH_ACTS = ("report", "confirm", "dispute", "correct", "uphold")
ENTRY_ACTS = {
    "check-in": "check_in",
    "undo-check-in": "undo_check_in",
    "seen": "seen",
    "drop": "drop",
    "return": "return_",
    "personal-link": "personal_link",
}
DECK_ACTS = {"read": "look", "check": "check", "allow": "allow", "reopen": "reopen", "shut": "shut"}

# Nested by what they are of, so that an address is looked for among its like: flat, that took seven times as long.
OF_MATCH = [
    path("extra-time/", ClockViewSet.as_view({"post": "extra_time"})),
    path("", MatchViewSet.as_view({"get": "retrieve"})),
    *(path(f"{act}/", MatchViewSet.as_view({"post": act})) for act in MATCH_ACTS),
    path("client-code/", ClientCodeViewSet.as_view({"post": "create"})),
    path("replays/", ClientCodeViewSet.as_view({"get": "replays"})),
    path("replays/<number:replay_id>/", ClientCodeViewSet.as_view({"get": "replay"})),
    path("call/", MatchCallViewSet.as_view({"get": "retrieve", "post": "create"})),
    path("call/take-back/", MatchCallViewSet.as_view({"post": "withdraw"})),
    path("correction/preview/", CorrectionPreviewViewSet.as_view({"post": "preview"})),
    path("sheet/", SheetViewSet.as_view({"get": "retrieve"})),
    path("sheet/parts/<int:place>/", SheetViewSet.as_view({"put": "save"})),
    path("sheet/tally/", SheetViewSet.as_view({"get": "tally"})),
    path("sheet/file/", SheetViewSet.as_view({"post": "file"})),
    path("sheet/sign/", SheetViewSet.as_view({"post": "sign"})),
    path("sheet/absent/", SheetViewSet.as_view({"post": "absent"})),
    path("sheet/correct/", SheetViewSet.as_view({"post": "correct"})),
    path("placements/", DeckReadyViewSet.as_view({"post": "place"})),
    path("placements/begin/", DeckReadyViewSet.as_view({"post": "begin"})),
    path("draft/", DeckReadyViewSet.as_view({"post": "draft"})),
    path("placements/for/", DeckReadyViewSet.as_view({"post": "place_for"})),
    path("placements/take-back/", DeckReadyViewSet.as_view({"post": "take_back"})),
]
OF_ROUND = [
    path("", RoundViewSet.as_view({"get": "retrieve"})),
    path("sheets/", RoundSheetsViewSet.as_view({"get": "list"})),
    path("matches/", RoundViewSet.as_view({"get": "matches"})),
    path("reports/", RoundViewSet.as_view({"post": "report"})),
    path("recompute/", RoundViewSet.as_view({"get": "recompute"})),
    path("arrangement/", ManualPairingViewSet.as_view({"get": "retrieve"})),
    path("arrangement/changes/", ManualPairingViewSet.as_view({"get": "changes"})),
    path("arrangement/preview/", ManualPairingViewSet.as_view({"post": "preview"})),
    path("arrangement/change/", ManualPairingViewSet.as_view({"post": "change"})),
    path("publish/", RoundViewSet.as_view({"post": "publish"})),
    path("withdraw/", RoundViewSet.as_view({"post": "withdraw"})),
]
OF_ENTRY = [
    path("", EntryViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    *(path(f"{name}/", EntryViewSet.as_view({"post": act})) for name, act in ENTRY_ACTS.items()),
    path("revoke-links/", EntryLinksViewSet.as_view({"post": "revoke_links"})),
    path("members/", TeamsViewSet.as_view({"post": "add_member"})),
    path("members/<number:place>/", TeamsViewSet.as_view({"patch": "change_member"})),
    path("members/<number:place>/remove/", TeamsViewSet.as_view({"post": "remove_member"})),
    path("drop/preview/", DropPreviewViewSet.as_view({"post": "preview"})),
    path("byes/", EntryByesViewSet.as_view({"get": "retrieve", "post": "award"})),
    path("byes/take-back/", EntryByesViewSet.as_view({"post": "take_back"})),
    path("needs/", EntryNeedsViewSet.as_view({"get": "retrieve", "put": "fix_table"})),
    path("needs/private/", EntryNeedsViewSet.as_view({"put": "note"})),
    path("needs/keep-apart/", EntryNeedsViewSet.as_view({"post": "keep_apart"})),
    path("needs/let-meet/", EntryNeedsViewSet.as_view({"post": "let_meet"})),
    path("deck/", EntryDeckViewSet.as_view({"get": "published", "put": "update"})),
    *(path(f"deck/{name}/", EntryDeckViewSet.as_view({"post": act})) for name, act in DECK_ACTS.items()),
    path("deck/export/", EntryDeckViewSet.as_view({"get": "export"})),
]
OF_EVENT: list[URLPattern | URLResolver] = [
    path("matches/<number:match_id>/", include(OF_MATCH)),
    path("rounds/<number:number>/", include(OF_ROUND)),
    path("entries/<number:number>/", include(OF_ENTRY)),
    path("", EventDetailViewSet.as_view({"get": "retrieve", "put": "update", "patch": "partial_update"})),
    *(path(f"{act}/", EventDetailViewSet.as_view({"post": act})) for act in STATE_CHANGES),
    *(path(f"{name}/", EventDetailViewSet.as_view({"post": act})) for name, act in MOVES.items()),
    path("changes/", ChangesViewSet.as_view({"get": "retrieve"})),
    path("webhooks/", WebhooksViewSet.as_view({"get": "list", "post": "create"})),
    path("webhooks/<number:webhook_id>/", WebhooksViewSet.as_view({"delete": "remove"})),
    path("webhooks/<number:webhook_id>/resend/", WebhooksViewSet.as_view({"post": "resend"})),
    path("file/", EventFileViewSet.as_view({"get": "public"})),
    path("file/whole/", EventFileViewSet.as_view({"get": "whole"})),
    path("entries/", EntriesViewSet.as_view({"get": "list", "post": "create"})),
    path("not-seen/", NotSeenViewSet.as_view({"get": "list"})),
    path("no-shows/", NoShowsViewSet.as_view({"get": "list"})),
    path("entries/sign-up/", EntriesViewSet.as_view({"post": "sign_up"})),
    path("entries/check-in/", ManyEntriesViewSet.as_view({"post": "check_in_several"})),
    path("entries/personal-links/", ManyEntriesViewSet.as_view({"post": "personal_links"})),
    path("entries/link-mails/", ManyEntriesViewSet.as_view({"get": "link_mails", "post": "mail_links"})),
    path("entries/join/", TeamsViewSet.as_view({"post": "join"})),
    path("entries.csv", ManyEntriesViewSet.as_view({"get": "csv"})),
    path("decks/", EventDecksViewSet.as_view({"get": "list", "post": "register"})),
    path("deck-checks/", DeckChecksViewSet.as_view({"get": "list"})),
    path("deck-checks/draw/", DeckChecksViewSet.as_view({"post": "draw"})),
    path("my/", OwnEntryViewSet.as_view({"get": "retrieve"})),
    path("my/check-in/", OwnEntryViewSet.as_view({"post": "check_in"})),
    path("my/matches/", OwnMatchesViewSet.as_view({"get": "list"})),
    path("my/team/", OwnTeamViewSet.as_view({"get": "retrieve"})),
    path("my/needs/", OwnEntryViewSet.as_view({"get": "needs"})),
    path("my/drop/", OwnEntryViewSet.as_view({"post": "drop"})),
    path("my/deck/", OwnDeckViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("my/stack/", OwnStackViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("my/deck/history/", OwnDeckViewSet.as_view({"get": "history"})),
    path("my/penalties/", OwnPenaltiesViewSet.as_view({"get": "list"})),
    path("penalties/", PenaltiesViewSet.as_view({"get": "list", "post": "create"})),
    path("penalties/<number:penalty_id>/take-back/", PenaltiesViewSet.as_view({"post": "take_back"})),
    path("stages/", StagesViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("stages/recommended/", StagesViewSet.as_view({"get": "recommended"})),
    path("stages/take-back/", StagesViewSet.as_view({"post": "take_back"})),
    path("stages/next/", NextStageViewSet.as_view({"get": "retrieve"})),
    path("stages/next/begin/", NextStageViewSet.as_view({"post": "begin"})),
    path("bracket/", BracketViewSet.as_view({"get": "retrieve"})),
    path("crosstable/", CrossTableViewSet.as_view({"get": "retrieve"})),
    path("rounds/", RoundsViewSet.as_view({"get": "list", "post": "create"})),
    path("fairness/", RoundsViewSet.as_view({"get": "fairness"})),
    path("feature/", FeatureViewSet.as_view({"get": "retrieve"}), name="feature"),
    path("clock/", ClockViewSet.as_view({"get": "retrieve"})),
    *(path(f"clock/{act}/", ClockViewSet.as_view({"post": act})) for act in CLOCK_ACTS),
    path("calls/", CallsViewSet.as_view({"get": "list"})),
    *(path(f"calls/<number:call_id>/{act}/", CallsViewSet.as_view({"post": act})) for act in ANSWERS),
    path("standings/", StandingsViewSet.as_view({"get": "list"})),
    path("standings/why/", StandingsViewSet.as_view({"get": "why"})),
    path("plan/", PlanViewSet.as_view({"get": "retrieve"})),
    path("plan/runs/", PlanViewSet.as_view({"post": "start"})),
    path("plan/runs/<uuid:run_id>/", PlanViewSet.as_view({"get": "progress"})),
    path("plan/runs/<uuid:run_id>/stop/", PlanViewSet.as_view({"post": "stop"})),
    path("what-if/", StandingsViewSet.as_view({"get": "what_if"})),
    path("standings.csv", StandingsViewSet.as_view({"get": "csv"}), name="standings_csv"),
    path("outlook/", ForecastViewSet.as_view({"get": "list"})),
    *(path(f"outlook/{act}/", ForecastViewSet.as_view({"post": act})) for act in ("ask", "stop", "show")),
    path("announcements/", AnnouncementsViewSet.as_view({"get": "list", "post": "create"})),
    path("announcements/withdrawn/", AnnouncementsViewSet.as_view({"get": "withdrawn"})),
    path("announcements/<number:announcement_id>/withdraw/", AnnouncementsViewSet.as_view({"post": "withdraw"})),
    path("announcements/<number:announcement_id>/again/", AnnouncementsViewSet.as_view({"post": "post_again"})),
    path("table-codes/", TableCodesViewSet.as_view({"get": "list", "post": "issue"})),
    path("table-codes/renew/", TableCodesViewSet.as_view({"post": "renew"})),
    path("table-codes/revoke/", TableCodesViewSet.as_view({"post": "revoke"})),
    path("door/", DoorViewSet.as_view({"get": "retrieve"})),
    path("door/open/", DoorViewSet.as_view({"post": "open"})),
    path("door/close/", DoorViewSet.as_view({"post": "close"})),
    path("door/claims/", DoorViewSet.as_view({"get": "claims"})),
    path("door/claims/<number:claim_id>/", DoorViewSet.as_view({"post": "answer_claim"})),
    path("undo/", UndoViewSet.as_view({"get": "list", "post": "act"})),
    path("staff/", StaffViewSet.as_view({"get": "list"})),
    path("staff/<number:role_id>/", StaffViewSet.as_view({"delete": "remove"})),
    path("invites/", InvitesViewSet.as_view({"get": "list", "post": "create"})),
    path("invites/<number:invite_id>/", InvitesViewSet.as_view({"delete": "revoke"})),
    path("copy/", CopiesViewSet.as_view({"post": "copy"})),
    path("rehearse/", CopiesViewSet.as_view({"post": "rehearse"})),
    *(path(f"rehearsal/{name}/", CopiesViewSet.as_view({"post": act})) for name, act in REHEARSAL_ACTS.items()),
    path("log/", LogViewSet.as_view({"get": "list"})),
    path("log.csv", LogViewSet.as_view({"get": "csv"})),
    path("log/verify/", LogViewSet.as_view({"get": "verify"})),
    path("statistics/", StatisticsViewSet.as_view({"get": "retrieve"})),
    path("statistics.csv", StatisticsViewSet.as_view({"get": "csv"})),
    path("jobs/", JobsViewSet.as_view({"get": "list"})),
    path("jobs/<uuid:job_id>/retry/", JobsViewSet.as_view({"post": "retry"})),
]
OF_LEAGUE = [
    path("", LeagueViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("standings/", LeagueViewSet.as_view({"get": "standings"})),
    path("events/", LeagueViewSet.as_view({"get": "events", "post": "add_event"})),
    path("events/remove/", LeagueViewSet.as_view({"post": "remove_event"})),
    path("standings.csv", LeagueViewSet.as_view({"get": "csv"})),
    path("organisers/", LeagueOrganisersViewSet.as_view({"get": "list", "post": "add"})),
    path("organisers/remove/", LeagueOrganisersViewSet.as_view({"post": "remove"})),
    path("players/", LeaguePlayersViewSet.as_view({"get": "list"})),
    path("players/join/", LeaguePlayersViewSet.as_view({"post": "join"})),
    path("players/part/", LeaguePlayersViewSet.as_view({"post": "part"})),
    path("finish/", LeagueViewSet.as_view({"post": "finish"})),
    path("reopen/", LeagueViewSet.as_view({"post": "reopen"})),
]

app_name = "api"
urlpatterns = [
    path("events/<slug:slug>/", include(OF_EVENT)),
    path("", include("accounts.urls_api")),
    path("", include("decks.api.urls")),
    path("", include("scoring.sheets.api")),
    path("games/<slug:game>/", GameViewSet.as_view({"get": "retrieve"})),
    path("scoring-rules/", ScoringRulesViewSet.as_view({"get": "retrieve"})),
    path("schema/", access("public")(SpectacularJSONAPIView.as_view()), name="schema"),
    path("docs/", access("public")(DocsView.as_view()), name="docs"),
    path("events/", EventsViewSet.as_view({"get": "list", "post": "create"})),
    path("client-results/", ClientResultsViewSet.as_view({"post": "send"})),
    path("invites/accept/", AcceptInviteViewSet.as_view({"post": "accept"})),
    path("leagues/", LeaguesViewSet.as_view({"get": "list", "post": "create"})),
    path("bring/", BringViewSet.as_view({"post": "create"})),
    path("plan/", NewPlanViewSet.as_view({"get": "retrieve"})),
    path("players/<slug:player_id>/", ProfilesViewSet.as_view({"get": "retrieve"})),
    path("me/", AccountViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("me/data/", AccountViewSet.as_view({"get": "data"})),
    path("me/guests/", GuestsViewSet.as_view({"get": "list", "post": "take_over"})),
    path("me/guests/<slug:player_id>/", GuestsViewSet.as_view({"delete": "give_back"})),
    path("me/erase/", AccountViewSet.as_view({"post": "erase"})),
    path("leagues/<slug:league>/", include(OF_LEAGUE)),
]
