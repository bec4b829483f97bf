from django.http import FileResponse
from rest_framework.decorators import action
from rest_framework.response import Response

from exchange.api.forms import parse, query
from exchange.api.operations import BINARY, operation
from exchange.api.views import ApiViewSet
from submissions.runs import selectors

from . import serializers as s


class RunViewSet(ApiViewSet):
    @operation(s.GetRunRequestSerializer, shows=s.RunSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetRunRequestSerializer, {"id": pk})
        return Response(s.RunSerializer(selectors.get_run(actor=request.user, **form)).data)

    @operation(s.DownloadBundleRequestSerializer, files={"application/zip": BINARY})
    @action(detail=True, methods=["get"])
    def bundle(self, request, pk):
        form = parse(s.DownloadBundleRequestSerializer, query(request, run_id=pk))
        opened = selectors.open_bundle(actor=request.user, **form)
        name = f"run-{opened.run_id}-{opened.part}.zip"
        shown = FileResponse(
            opened.content, as_attachment=True, filename=name, content_type="application/zip"
        )
        shown["X-Content-SHA256"] = opened.sha256
        return shown
