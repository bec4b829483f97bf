from exchange.api.authentication import actor_of
from exchange.api.convert import to_data, to_message
from exchange.api.forms import parse, split_page
from exchange.api.pb import submissions_pb2 as pb
from exchange.api.pb import submissions_pb2_grpc as pb_grpc
from exchange.api.shown import shown_page
from exchange.api.sizes import LARGEST_BUNDLE, check_message_size
from exchange.storage import EvidenceTooLarge
from submissions import selectors, services, uploading, verifying
from submissions.runs import selectors as run_selectors
from submissions.runs.api import serializers as rs

from . import serializers as s

LARGEST_CONTENT = 8 * 1024 * 1024


class SubmissionService(pb_grpc.SubmissionServiceServicer):
    def ListSubmissions(self, request, context):
        filters, page = split_page(parse(s.ListSubmissionsRequestSerializer, to_data(request)))
        rows = selectors.list_submissions(actor=actor_of(context), **filters)
        return to_message(pb.ListSubmissionsResponse, shown_page(s.SubmissionSerializer, rows, page))

    def SubmitResults(self, request, context):
        form = parse(s.SubmitResultsRequestSerializer, to_data(request))
        submission = services.create_submission(actor=actor_of(context), **form)
        return to_message(pb.Submission, s.SubmissionSerializer(submission).data)

    def CheckSubmission(self, request, context):
        form = parse(s.CheckSubmissionRequestSerializer, to_data(request))
        checked = services.check_submission(actor=actor_of(context), **form)
        return to_message(pb.SubmissionCheck, s.SubmissionCheckSerializer(checked).data)

    def GetSubmission(self, request, context):
        form = parse(s.GetSubmissionRequestSerializer, to_data(request))
        submission = selectors.get_submission(actor=actor_of(context), **form)
        return to_message(pb.Submission, s.SubmissionSerializer(submission).data)

    def WithdrawSubmission(self, request, context):
        form = parse(s.WithdrawSubmissionRequestSerializer, to_data(request))
        submission = services.withdraw_submission(actor=actor_of(context), **form)
        return to_message(pb.Submission, s.SubmissionSerializer(submission).data)

    def ChangeSubmissionVisibility(self, request, context):
        form = parse(s.ChangeSubmissionVisibilityRequestSerializer, to_data(request))
        submission = services.change_visibility(actor=actor_of(context), **form)
        return to_message(pb.Submission, s.SubmissionSerializer(submission).data)

    def ListEvidence(self, request, context):
        filters, page = split_page(parse(s.ListEvidenceRequestSerializer, to_data(request)))
        rows = selectors.list_evidence(actor=actor_of(context), **filters)
        return to_message(pb.ListEvidenceResponse, shown_page(s.EvidenceSerializer, rows, page))

    def AddEvidence(self, request, context):
        if len(request.content) > LARGEST_CONTENT:
            raise EvidenceTooLarge
        form = parse(s.AddEvidenceRequestSerializer, to_data(request))
        evidence = services.add_evidence(actor=actor_of(context), **form)
        return to_message(pb.Evidence, s.EvidenceSerializer(evidence).data)

    def DownloadEvidence(self, request, context):
        form = parse(s.DownloadEvidenceRequestSerializer, to_data(request))
        evidence, file = selectors.open_evidence(actor=actor_of(context), **form)
        with file:
            check_message_size(
                evidence.size_bytes, LARGEST_CONTENT, f"/api/v1/evidence/{evidence.pk}/content"
            )
            return pb.EvidenceContent(
                evidence_id=str(evidence.pk),
                name=evidence.name,
                media_type=evidence.media_type,
                sha256=evidence.sha256,
                content=file.read(),
            )

    def BeginEvidenceUpload(self, request, context):
        form = parse(s.BeginEvidenceUploadRequestSerializer, to_data(request))
        upload = uploading.begin_evidence_upload(actor=actor_of(context), **form)
        return to_message(pb.EvidenceUpload, s.EvidenceUploadSerializer(upload).data)

    def CompleteEvidenceUpload(self, request, context):
        form = parse(s.CompleteEvidenceUploadRequestSerializer, to_data(request))
        evidence = uploading.complete_evidence_upload(actor=actor_of(context), **form)
        return to_message(pb.Evidence, s.EvidenceSerializer(evidence).data)

    def GetEvidenceLink(self, request, context):
        form = parse(s.GetEvidenceLinkRequestSerializer, to_data(request))
        link = selectors.get_evidence_link(actor=actor_of(context), **form)
        return to_message(pb.EvidenceLink, s.EvidenceLinkSerializer(link).data)

    def GetVerificationBound(self, request, context):
        form = parse(s.GetVerificationBoundRequestSerializer, to_data(request))
        bound = verifying.verification_bound(actor=actor_of(context), **form)
        return to_message(pb.VerificationBound, s.VerificationBoundSerializer(bound).data)

    def RequestVerification(self, request, context):
        form = parse(s.RequestVerificationRequestSerializer, to_data(request))
        verification = verifying.request_verification(actor=actor_of(context), **form)
        return to_message(pb.Verification, s.VerificationSerializer(verification).data)

    def ListVerifications(self, request, context):
        filters, page = split_page(parse(s.ListVerificationsRequestSerializer, to_data(request)))
        rows = selectors.list_verifications(actor=actor_of(context), **filters)
        return to_message(pb.ListVerificationsResponse, shown_page(s.VerificationSerializer, rows, page))

    def GetVerification(self, request, context):
        form = parse(s.GetVerificationRequestSerializer, to_data(request))
        verification = selectors.get_verification(actor=actor_of(context), **form)
        return to_message(pb.Verification, s.VerificationSerializer(verification).data)

    def CancelVerification(self, request, context):
        form = parse(s.CancelVerificationRequestSerializer, to_data(request))
        verification = verifying.cancel_verification(actor=actor_of(context), **form)
        return to_message(pb.Verification, s.VerificationSerializer(verification).data)

    def ListCaseComparisons(self, request, context):
        filters, page = split_page(parse(s.ListCaseComparisonsRequestSerializer, to_data(request)))
        rows = selectors.list_case_comparisons(actor=actor_of(context), **filters)
        return to_message(pb.ListCaseComparisonsResponse, shown_page(s.CaseComparisonSerializer, rows, page))

    def GetRun(self, request, context):
        form = parse(rs.GetRunRequestSerializer, to_data(request))
        run = run_selectors.get_run(actor=actor_of(context), **form)
        return to_message(pb.Run, rs.RunSerializer(run).data)

    def DownloadBundle(self, request, context):
        form = parse(rs.DownloadBundleRequestSerializer, to_data(request))
        opened = run_selectors.open_bundle(actor=actor_of(context), **form)
        with opened.content as file:
            rest = f"/api/v1/runs/{opened.run_id}/bundle?part={opened.part}"
            check_message_size(opened.size_bytes, LARGEST_BUNDLE, rest)
            return pb.Bundle(
                run_id=str(opened.run_id), sha256=opened.sha256, content=file.read(), part=opened.part
            )
