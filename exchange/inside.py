"""Routes for those who watch the processes. They pass by sessions, host names and HTTPS."""

from django.urls import re_path

from exchange.health import views
from exchange.operate.metrics.views import metrics

urlpatterns = [
    re_path(r"^live/?$", views.live, name="live"),
    re_path(r"^ready/?$", views.ready, name="ready"),
    re_path(r"^health/?$", views.ready),  # the older name
    re_path(r"^accepting/?$", views.accepting, name="accepting"),
    re_path(r"^metrics/?$", metrics, name="metrics"),
]
