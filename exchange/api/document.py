"""Serves the API's document."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer

from .openapi import Generator


class DocumentView(SpectacularAPIView):
    """As YAML or JSON, the same for everybody."""

    def get(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        renderer = request.accepted_renderer
        return HttpResponse(_drawn(type(renderer)), content_type=f"{renderer.media_type}; charset=utf-8")


@cache
def _drawn(renderer: type[BaseRenderer]) -> bytes:
    """Once a process: it takes seconds, and anybody may ask for it."""
    with translation.override(settings.LANGUAGE_CODE):
        document = Generator().get_schema(public=True)
        return bytes(renderer().render(document, renderer_context={}))
