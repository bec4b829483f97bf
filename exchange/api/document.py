"""Serves the API's document."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.views import SpectacularAPIView

from .openapi import Generator


class DocumentView(SpectacularAPIView):
    """As YAML or JSON, the same for everybody."""

    def get(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        media = str(request.accepted_renderer.media_type)
        return HttpResponse(_drawn(media), content_type=f"{media}; charset=utf-8")


@cache
def _drawn(media: str) -> str | bytes:
    """Once a process: it takes seconds, and anybody may ask for it."""
    renderer = next(known for known in DocumentView.renderer_classes if known.media_type == media)
    with translation.override(settings.LANGUAGE_CODE):
        document = Generator().get_schema(public=True)
        return renderer().render(document, renderer_context={})
