"""REST and the document of its operations."""

VERSION = "0.1.0"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["exchange.api.authentication.HeaderOrSession"],
    "DEFAULT_PERMISSION_CLASSES": [],  # services authorise; doors only authenticate
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["exchange.api.parsers.JsonParser"],
    "DEFAULT_SCHEMA_CLASS": "exchange.api.schema.Schema",
    "EXCEPTION_HANDLER": "exchange.api.refusals.as_response",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # `format` is an unknown field like any other
    "SCHEMA_COERCE_PATH_PK": False,  # the API page reads a parameter's type from its route
}
SPECTACULAR_SETTINGS = {
    "TITLE": "LLM Benchmark Exchange",
    "DESCRIPTION": "Benchmarks, claims, measurements and boards, by the same rules as gRPC and the website.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "DEFAULT_GENERATOR_CLASS": "exchange.api.openapi.Generator",
    "SORT_OPERATIONS": False,  # in the order of the routes; the first to an operation has its name
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,  # each form says itself what may be left out
    "PREPROCESSING_HOOKS": ["exchange.api.openapi.of_viewsets"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "exchange.api.openapi.distinct_ids",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_NAME_OVERRIDES": {
        "ActionKind": "governance.models.ActionKind",
        "BenchmarkKind": "benchmarks.models.BenchmarkKind",
        "BenchmarkStatus": "benchmarks.models.BenchmarkStatus",
        "CampaignStatus": "submissions.campaigns.models.CampaignStatus",
        "Capability": "submissions.endpoints.models.CAPABILITIES",
        "CapabilityByHand": "submissions.endpoints.deployments.BY_HAND",
        "CommentKind": "governance.models.CommentKind",
        "DeploymentStatus": "submissions.endpoints.models.STATES",
        "FaultSide": "submissions.runs.api.serializers.SIDES",
        "MetricKind": "benchmarks.models.MetricKind",
        "InvitationStatus": "exchange.accounts.models.InvitationStatus",
        "OrganizationRole": "exchange.accounts.models.OrganizationRole",
        "OrganizationType": "exchange.accounts.models.OrganizationType",
        "Protocol": "submissions.endpoints.api.serializers.ASKED_BY",
        "ProposalStatus": "governance.models.ProposalStatus",
        "ProposalType": "governance.models.ProposalType",
        "SubmissionStatus": "submissions.models.SubmissionStatus",
        "UserRole": "exchange.accounts.api.serializers.ROLES",
    },
}
