"""How the API reads, answers, limits and describes itself."""

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.http.api.LinkActorAuthentication",
        "accounts.http.api.TokenActorAuthentication",
        "accounts.http.api.SessionActorAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.http.api.AccessPermission"],
    "DEFAULT_SCHEMA_CLASS": "tournaments.api.schema.ProblemSchema",
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "accounts.http.api.OneRenderer",
    "EXCEPTION_HANDLER": "config.errors.problem_json",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.http.api.StrictJSONParser"],
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.UserRateThrottle",
        "rest_framework.throttling.AnonRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"user": "1200/min", "anon": "600/min"},
    # The server has put the visitor's address in place of a proxy's (FORWARDED_ALLOW_IPS); what else stands in
    # X-Forwarded-For is the visitor's own word.
    "NUM_PROXIES": 0,
}
# Pages of other sites may read what a visitor may: without cookies and tokens, and only by GET.
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ("GET", "HEAD", "OPTIONS")
CORS_ALLOW_HEADERS = ("accept", "accept-language", "if-none-match")
CORS_EXPOSE_HEADERS = ("ETag", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
SPECTACULAR_SETTINGS = {
    "TITLE": "Doomdesk",
    "DESCRIPTION": "Tournaments, entries, decks, rounds, results and standings of card-game events.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "tournaments.api.field_words.describe_fields",
    ],
    "PATH_CONVERTER_OVERRIDES": {"number": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}},
    "ENUM_NAME_OVERRIDES": {
        "EventState": "tournaments.models.Tournament.State",
        "CardListState": "decks.models.CardList.State",
        "EntryState": "tournaments.models.Entry.State",
        "RoundState": "tournaments.models.Round.State",
        "MatchState": "tournaments.models.Match.State",
        "MatchKind": "tournaments.models.Match.Kind",
        "CheckOutcome": "tournaments.models.DeckCheck.Outcome",
        "MatchOutcome": "tournaments.models.SeatResult.Outcome",
        "StageKind": "tournaments.models.Stage.Kind",
        "PenaltyKind": "tournaments.models.Penalty.Kind",
        "CallKind": "tournaments.models.JudgeCall.Kind",
        "CallState": "tournaments.models.JudgeCall.State",
        "ResultKind": "tournaments.models.ResultReport.Kind",
        "SheetState": "tournaments.api.serializers.sheets.SHEET_STATES",
        "ReportedKind": "tournaments.api.serializers.matches.REPORTABLE",
        "WebhookKind": "tournaments.models.Webhook.Kind",
        "WebhookTopic": "tournaments.models.Webhook.Topic",
        "ErrorCode": "tournaments.api.error_codes.CODES",
        "StaffRole": "tournaments.models.Role.Name",
        "KeptApart": "tournaments.api.serializers.events.KEPT_APART",
        "TableAct": "tournaments.api.serializers.manual_pairing.ACTS",
        "PairingFinish": "tournaments.api.serializers.events.FINISHES",
    },
}
