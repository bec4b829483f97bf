"""Every route that people and programs are offered. What watches the processes has `exchange.inside`."""

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from exchange import manager
from exchange.api.document import DocumentView

API = [
    path("", include(manager.OF_TWO_KINDS)),
    path("", include("exchange.accounts.api.urls")),
    path("", include("benchmarks.api.urls")),
    path("", include("leaderboards.api.urls")),  # models/compare before models/{id}
    path("", include("submissions.endpoints.api.urls")),
    path("", include("submissions.runs.api.urls")),
    path("", include("submissions.campaigns.api.urls")),
    path("", include("submissions.api.urls")),
    path("", include("governance.api.urls")),
    path("", include(manager.ALIASES)),
]
PAGES = [
    path("", include("exchange.web.urls")),
    path("", include("exchange.accounts.web.urls")),
    path("", include("benchmarks.web.urls")),
    path("", include("submissions.campaigns.web.urls")),
    path("", include("submissions.web.urls")),
    path("", include("leaderboards.web.urls")),
    path("", include("governance.web.urls")),
]
# Swagger UI sets styles from its script; everything else of the policy stays.
api_docs = csp_update({"style-src": [UNSAFE_INLINE]})(
    SpectacularSwaggerSplitView.as_view(url_name="api-schema")
)
urlpatterns = [
    path("api/schema", DocumentView.as_view(), name="api-schema"),
    path("api/docs", api_docs, name="api-docs"),
    path("api/v1/", include(API)),
    path(settings.OPERATE_PATH, admin.site.urls),
    *PAGES,
]
handler400 = "exchange.web.views.bad_request"
handler403 = "exchange.web.views.forbidden"
handler404 = "exchange.web.views.not_found"
handler500 = "exchange.web.views.broken"
