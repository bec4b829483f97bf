from django.http import FileResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from exchange.api.forms import body, parse, query, split_page
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet
from exchange.core.errors import InvalidInput
from submissions import attachments, permissions, selectors, services, verifying

from . import serializers as s

MULTIPART_OVERHEAD = 64 * 1024
UPLOAD = {
    "multipart/form-data": {
        "type": "object",
        "required": ["file", "sha256"],
        "properties": {
            "file": {"type": "string", "format": "binary"},
            "sha256": {"type": "string", "pattern": s.DIGEST},
            "name": {"type": "string", "description": "the file's own name when left out"},
        },
    }
}


def uploaded(request, submission_id):
    """A multipart form's data; its part `file` is the content."""
    data = request.data.dict()
    file = data.pop("file", None)
    if not hasattr(file, "read"):
        raise InvalidInput.of("file", "required", _("Send the file as the part `file`."))
    if "content" in data:
        raise InvalidInput.of("content", "unknown_field", _("There is no such field."))
    return {"name": file.name, **data, "submission_id": submission_id, "content": file}


class SubmissionViewSet(ApiViewSet):
    @extend_schema(
        parameters=[s.ListSubmissionsRequestSerializer], responses=s.SubmissionSerializer(many=True)
    )
    def list(self, request, **path):
        filters, page = split_page(parse(s.ListSubmissionsRequestSerializer, query(request, **path)))
        rows = selectors.list_submissions(actor=request.user, **filters)
        return Response(shown_page(s.SubmissionSerializer, rows, page))

    @extend_schema(request=s.SubmitResultsRequestSerializer, responses={201: s.SubmissionSerializer})
    def create(self, request, **path):
        form = parse(s.SubmitResultsRequestSerializer, body(request, **path))
        submission = services.create_submission(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data, 201)

    @extend_schema(request=s.CheckSubmissionRequestSerializer, responses=s.SubmissionCheckSerializer)
    @action(detail=False, methods=["post"])
    def check(self, request):
        form = parse(s.CheckSubmissionRequestSerializer, body(request))
        checked = services.check_submission(actor=request.user, **form)
        return Response(s.SubmissionCheckSerializer(checked).data)

    @extend_schema(responses=s.SubmissionSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetSubmissionRequestSerializer, {"id": pk})
        submission = selectors.get_submission(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data)

    @extend_schema(request=s.WithdrawSubmissionRequestSerializer, responses=s.SubmissionSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request, pk):
        form = parse(s.WithdrawSubmissionRequestSerializer, body(request, id=pk))
        submission = services.withdraw_submission(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data)

    @extend_schema(request=s.ChangeSubmissionVisibilityRequestSerializer, responses=s.SubmissionSerializer)
    @action(detail=True, methods=["patch"])
    def visibility(self, request, pk):
        form = parse(s.ChangeSubmissionVisibilityRequestSerializer, body(request, id=pk))
        submission = services.change_visibility(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data)


class EvidenceViewSet(ApiViewSet):
    """The files of one submission: /submissions/{submission_id}/evidence."""

    parser_classes = [MultiPartParser]

    def initial(self, request, *args, **kwargs):
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        attachments.check_size(int(length) - MULTIPART_OVERHEAD if length.isdigit() else 0)
        super().initial(request, *args, **kwargs)
        if request.method == "POST":
            permissions.require_uploader(request.user)  # before the body is read

    @extend_schema(parameters=[s.ListEvidenceRequestSerializer], responses=s.EvidenceSerializer(many=True))
    def list(self, request, submission_id):
        form = parse(s.ListEvidenceRequestSerializer, query(request, submission_id=submission_id))
        filters, page = split_page(form)
        rows = selectors.list_evidence(actor=request.user, **filters)
        return Response(shown_page(s.EvidenceSerializer, rows, page))

    @extend_schema(request=UPLOAD, responses={201: s.EvidenceSerializer})
    def add(self, request, submission_id):
        form = parse(s.AddEvidenceRequestSerializer, uploaded(request, submission_id))
        evidence = services.add_evidence(actor=request.user, **form)
        return Response(s.EvidenceSerializer(evidence).data, 201)


class EvidenceContentViewSet(ApiViewSet):
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def download(self, request, pk):
        form = parse(s.DownloadEvidenceRequestSerializer, {"id": pk})
        evidence, file = selectors.open_evidence(actor=request.user, **form)
        shown = FileResponse(
            file, as_attachment=True, filename=evidence.name, content_type=evidence.media_type
        )
        shown["X-Content-Type-Options"] = "nosniff"
        shown["X-Content-SHA256"] = evidence.sha256
        return shown


class VerificationViewSet(ApiViewSet):
    @extend_schema(
        parameters=[s.ListVerificationsRequestSerializer], responses=s.VerificationSerializer(many=True)
    )
    def list(self, request, submission_id):
        form = parse(s.ListVerificationsRequestSerializer, query(request, submission_id=submission_id))
        filters, page = split_page(form)
        rows = selectors.list_verifications(actor=request.user, **filters)
        return Response(shown_page(s.VerificationSerializer, rows, page))

    @extend_schema(responses=s.VerificationBoundSerializer)
    def bound(self, request, submission_id):
        form = parse(s.GetVerificationBoundRequestSerializer, {"submission_id": submission_id})
        bound = verifying.verification_bound(actor=request.user, **form)
        return Response(s.VerificationBoundSerializer(bound).data)

    @extend_schema(request=s.RequestVerificationRequestSerializer, responses={201: s.VerificationSerializer})
    def request_verification(self, request, submission_id):
        data = body(request, submission_id=submission_id)
        form = parse(s.RequestVerificationRequestSerializer, data)
        verification = verifying.request_verification(actor=request.user, **form)
        return Response(s.VerificationSerializer(verification).data, 201)

    @extend_schema(responses=s.VerificationSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetVerificationRequestSerializer, {"id": pk})
        verification = selectors.get_verification(actor=request.user, **form)
        return Response(s.VerificationSerializer(verification).data)

    @extend_schema(request=None, responses=s.VerificationSerializer)
    def cancel(self, request, pk):
        form = parse(s.CancelVerificationRequestSerializer, body(request, id=pk))
        verification = verifying.cancel_verification(actor=request.user, **form)
        return Response(s.VerificationSerializer(verification).data)

    @extend_schema(
        parameters=[s.ListCaseComparisonsRequestSerializer],
        responses=s.CaseComparisonSerializer(many=True),
    )
    def cases(self, request, pk):
        form = parse(s.ListCaseComparisonsRequestSerializer, query(request, verification_id=pk))
        filters, page = split_page(form)
        rows = selectors.list_case_comparisons(actor=request.user, **filters)
        return Response(shown_page(s.CaseComparisonSerializer, rows, page))
