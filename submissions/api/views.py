from django.http import FileResponse
from django.utils.translation import gettext as _
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from exchange.api.forms import body, parse, query, split_page
from exchange.api.operations import BINARY, TEXT, operation
from exchange.api.shown import shown_page
from exchange.api.views import ApiViewSet
from exchange.core.errors import InvalidInput
from exchange.storage import media
from submissions import attachments, permissions, selectors, services, uploading, verifying

from . import serializers as s

MULTIPART_OVERHEAD = 64 * 1024
UPLOAD = {
    "multipart/form-data": {
        "type": "object",
        "additionalProperties": False,
        "required": ["file", "sha256"],
        "properties": {
            "file": BINARY,
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "name": {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": "the file's own name when left out",
            },
        },
    }
}
KEPT = {
    media.JSON: {"oneOf": [{"type": "object"}, {"type": "array", "items": {}}]},
    **dict.fromkeys((media.JSON_LINES, media.CSV, media.TEXT), TEXT),
    **dict.fromkeys((media.ZIP, media.GZIP), BINARY),
}


def uploaded(request, submission_id):
    """A multipart form's data; its part `file` is the content."""
    data = dict(request.data.items())
    file = data.pop("file", None)
    if not hasattr(file, "read"):
        raise InvalidInput.of("file", "required", _("Send the file as the part `file`."))
    if "content" in data:
        raise InvalidInput.of("content", "unknown_field", _("There is no such field."))
    return {"name": file.name, **data, "submission_id": submission_id, "content": file}


class SubmissionViewSet(ApiViewSet):
    @operation(s.ListSubmissionsRequestSerializer, page_of=s.SubmissionSerializer)
    def list(self, request, **path):
        filters, page = split_page(parse(s.ListSubmissionsRequestSerializer, query(request, **path)))
        rows = selectors.list_submissions(actor=request.user, **filters)
        return Response(shown_page(s.SubmissionSerializer, rows, page))

    @operation(s.SubmitResultsRequestSerializer, creates=s.SubmissionSerializer)
    def create(self, request, **path):
        form = parse(s.SubmitResultsRequestSerializer, body(request, **path))
        submission = services.create_submission(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data, 201)

    @operation(s.CheckSubmissionRequestSerializer, shows=s.SubmissionCheckSerializer)
    @action(detail=False, methods=["post"])
    def check(self, request):
        form = parse(s.CheckSubmissionRequestSerializer, body(request))
        checked = services.check_submission(actor=request.user, **form)
        return Response(s.SubmissionCheckSerializer(checked).data)

    @operation(s.GetSubmissionRequestSerializer, shows=s.SubmissionSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetSubmissionRequestSerializer, {"id": pk})
        submission = selectors.get_submission(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data)

    @operation(s.WithdrawSubmissionRequestSerializer, shows=s.SubmissionSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request, pk):
        form = parse(s.WithdrawSubmissionRequestSerializer, body(request, id=pk))
        submission = services.withdraw_submission(actor=request.user, **form)
        return Response(s.SubmissionSerializer(submission).data)

    @operation(s.ChangeSubmissionVisibilityRequestSerializer, shows=s.SubmissionSerializer)
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

    @operation(s.ListEvidenceRequestSerializer, page_of=s.EvidenceSerializer)
    def list(self, request, submission_id):
        form = parse(s.ListEvidenceRequestSerializer, query(request, submission_id=submission_id))
        filters, page = split_page(form)
        rows = selectors.list_evidence(actor=request.user, **filters)
        return Response(shown_page(s.EvidenceSerializer, rows, page))

    @operation(s.AddEvidenceRequestSerializer, body=UPLOAD, creates=s.EvidenceSerializer)
    def add(self, request, submission_id):
        form = parse(s.AddEvidenceRequestSerializer, uploaded(request, submission_id))
        evidence = services.add_evidence(actor=request.user, **form)
        return Response(s.EvidenceSerializer(evidence).data, 201)


class EvidenceContentViewSet(ApiViewSet):
    @operation(s.DownloadEvidenceRequestSerializer, files=KEPT)
    def download(self, request, pk):
        form = parse(s.DownloadEvidenceRequestSerializer, {"id": pk})
        evidence, file = selectors.open_evidence(actor=request.user, **form)
        shown = FileResponse(
            file, as_attachment=True, filename=evidence.name, content_type=evidence.media_type
        )
        shown["X-Content-Type-Options"] = "nosniff"
        shown["X-Content-SHA256"] = evidence.sha256
        return shown

    @operation(s.GetEvidenceLinkRequestSerializer, shows=s.EvidenceLinkSerializer)
    def link(self, request, pk):
        form = parse(s.GetEvidenceLinkRequestSerializer, {"id": pk})
        link = selectors.get_evidence_link(actor=request.user, **form)
        return Response(s.EvidenceLinkSerializer(link).data)


class EvidenceUploadViewSet(ApiViewSet):
    """Files that clients send straight to the store, where it can be reached."""

    @operation(s.BeginEvidenceUploadRequestSerializer, creates=s.EvidenceUploadSerializer)
    def begin(self, request, submission_id):
        data = body(request, submission_id=submission_id)
        form = parse(s.BeginEvidenceUploadRequestSerializer, data)
        upload = uploading.begin_evidence_upload(actor=request.user, **form)
        return Response(s.EvidenceUploadSerializer(upload).data, 201)

    @operation(s.CompleteEvidenceUploadRequestSerializer, creates=s.EvidenceSerializer)
    def complete(self, request, pk):
        form = parse(s.CompleteEvidenceUploadRequestSerializer, body(request, id=pk))
        evidence = uploading.complete_evidence_upload(actor=request.user, **form)
        return Response(s.EvidenceSerializer(evidence).data, 201)


class VerificationViewSet(ApiViewSet):
    @operation(s.ListVerificationsRequestSerializer, page_of=s.VerificationSerializer)
    def list(self, request, submission_id):
        form = parse(s.ListVerificationsRequestSerializer, query(request, submission_id=submission_id))
        filters, page = split_page(form)
        rows = selectors.list_verifications(actor=request.user, **filters)
        return Response(shown_page(s.VerificationSerializer, rows, page))

    @operation(s.GetVerificationBoundRequestSerializer, shows=s.VerificationBoundSerializer)
    def bound(self, request, submission_id):
        form = parse(s.GetVerificationBoundRequestSerializer, {"submission_id": submission_id})
        bound = verifying.verification_bound(actor=request.user, **form)
        return Response(s.VerificationBoundSerializer(bound).data)

    @operation(s.RequestVerificationRequestSerializer, creates=s.VerificationSerializer)
    def request_verification(self, request, submission_id):
        data = body(request, submission_id=submission_id)
        form = parse(s.RequestVerificationRequestSerializer, data)
        verification = verifying.request_verification(actor=request.user, **form)
        return Response(s.VerificationSerializer(verification).data, 201)

    @operation(s.GetVerificationRequestSerializer, shows=s.VerificationSerializer)
    def retrieve(self, request, pk):
        form = parse(s.GetVerificationRequestSerializer, {"id": pk})
        verification = selectors.get_verification(actor=request.user, **form)
        return Response(s.VerificationSerializer(verification).data)

    @operation(s.CancelVerificationRequestSerializer, shows=s.VerificationSerializer)
    def cancel(self, request, pk):
        form = parse(s.CancelVerificationRequestSerializer, body(request, id=pk))
        verification = verifying.cancel_verification(actor=request.user, **form)
        return Response(s.VerificationSerializer(verification).data)

    @operation(s.ListCaseComparisonsRequestSerializer, page_of=s.CaseComparisonSerializer)
    def cases(self, request, pk):
        form = parse(s.ListCaseComparisonsRequestSerializer, query(request, verification_id=pk))
        filters, page = split_page(form)
        rows = selectors.list_case_comparisons(actor=request.user, **filters)
        return Response(shown_page(s.CaseComparisonSerializer, rows, page))
