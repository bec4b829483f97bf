from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from exchange.api.forms import parse
from exchange.api.views import ApiViewSet
from submissions.runs import selectors

from . import serializers as s


class RunViewSet(ApiViewSet):
    @extend_schema(responses=s.RunSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetRunRequestSerializer, {"id": pk})
        return Response(s.RunSerializer(selectors.get_run(actor=request.user, **form)).data)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"])
    def bundle(self, request, pk):
        form = parse(s.DownloadBundleRequestSerializer, {"run_id": pk})
        run, file = selectors.open_public_bundle(actor=request.user, **form)
        shown = FileResponse(
            file, as_attachment=True, filename=f"run-{run.pk}.zip", content_type="application/zip"
        )
        shown["X-Content-SHA256"] = run.public_bundle_sha256
        return shown
