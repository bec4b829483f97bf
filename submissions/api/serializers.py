"""The one shape of claims, evidence and verifications, for every door."""

import hashlib
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from benchmarks.content import MOST_CASES, MOST_METRICS
from benchmarks.loads import RANGES
from benchmarks.models import BenchmarkKind, Visibility
from exchange.api.fields import FiniteFloatField, NameField, OptionalChoice, OptionalText
from exchange.api.forms import ListForm
from llm_benchmark.measure.plans import Side
from submissions import wording
from submissions.models import (
    RepeatReason,
    Submission,
    SubmissionStatus,
    Verdict,
    Verification,
    VerificationLevel,
    VerificationStatus,
)

from .fields import DIGEST, ContentField

_LARGEST_COUNT = 2**31 - 1
_LARGEST_SIZE = 2**63 - 1


class MetricClaimSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=64)
    value = FiniteFloatField()
    sample_count = serializers.IntegerField(
        min_value=1, max_value=_LARGEST_COUNT, allow_null=True, default=None
    )


class CaseClaimSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=128, trim_whitespace=False)
    score = FiniteFloatField()
    answer_digest = serializers.RegexField(DIGEST, allow_null=True, default=None)


class ConfigurationSerializer(serializers.Serializer):
    temperature = FiniteFloatField(min_value=0, max_value=2, allow_null=True, required=False)
    top_p = FiniteFloatField(min_value=0, max_value=1, allow_null=True, required=False)
    max_tokens = serializers.IntegerField(
        min_value=1, max_value=RANGES["output_tokens"][1], allow_null=True, required=False
    )
    system_prompt = serializers.CharField(
        max_length=4000, allow_blank=True, allow_null=True, required=False, trim_whitespace=False
    )
    chat_template = serializers.CharField(
        max_length=20_000, allow_blank=True, allow_null=True, required=False, trim_whitespace=False
    )
    tools = serializers.CharField(max_length=20_000, allow_blank=True, allow_null=True, required=False)
    reasoning_effort = serializers.CharField(max_length=32, allow_blank=True, allow_null=True, required=False)
    precision = serializers.CharField(max_length=64, allow_blank=True, allow_null=True, required=False)
    dialect = serializers.CharField(max_length=64, allow_blank=True, allow_null=True, required=False)
    concurrency = serializers.IntegerField(
        min_value=1, max_value=RANGES["concurrency"][1], allow_null=True, required=False
    )
    streaming = serializers.BooleanField(allow_null=True, required=False)


class ModelReferenceSerializer(serializers.Serializer):
    publisher = NameField(max_length=100)
    name = NameField(max_length=200)
    version = NameField(max_length=100, default="", allow_blank=True)


class SubmissionSerializer(serializers.Serializer):
    """Takes what the selectors of submissions give."""

    id = serializers.UUIDField()
    organization_id = serializers.UUIDField()
    organization_name = serializers.CharField(source="organization.name")
    benchmark_id = serializers.UUIDField(source="version.benchmark_id")
    benchmark_slug = serializers.CharField(source="version.benchmark.slug")
    benchmark_name = serializers.CharField(source="version.benchmark.name")
    version_id = serializers.UUIDField()
    version = serializers.CharField(source="version.version")
    kind = serializers.ChoiceField(choices=BenchmarkKind.choices, source="version.benchmark.kind")
    model_id = serializers.UUIDField()
    model_name = serializers.CharField(source="model.name")
    model_publisher = serializers.CharField(source="model.publisher")
    model_version = serializers.CharField(source="model.version")
    deployment_id = serializers.UUIDField(allow_null=True)
    provider_name = serializers.CharField(
        source="deployment.endpoint.provider_name", allow_null=True, default=None
    )
    status = serializers.ChoiceField(choices=SubmissionStatus.choices)
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    level = serializers.ChoiceField(choices=VerificationLevel.choices)
    claims = MetricClaimSerializer(many=True, source="claims.all")
    case_count = serializers.IntegerField()
    configuration = ConfigurationSerializer()
    fingerprint = serializers.CharField()
    notes = serializers.CharField()
    verdict = serializers.ChoiceField(
        choices=Verdict.choices, source="verification.verdict", allow_null=True, default=None
    )
    verification_id = serializers.UUIDField(allow_null=True)
    is_demo = serializers.SerializerMethodField()
    is_simulated = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    status_reason = OptionalText(allow_null=True)

    def get_is_demo(self, submission: Submission) -> bool:
        return submission.organization.is_demo or submission.version.benchmark.is_demo


class SubmissionCheckSerializer(serializers.Serializer):
    """Takes what `services.check_submission` gives."""

    benchmark_id = serializers.UUIDField(source="version.benchmark_id")
    benchmark_slug = serializers.CharField(source="version.benchmark.slug")
    version_id = serializers.UUIDField(source="version.pk")
    version = serializers.CharField(source="version.version")
    model_id = serializers.UUIDField(source="model.pk", allow_null=True, default=None)
    configuration = ConfigurationSerializer()
    fingerprint = serializers.CharField()


class EvidenceSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    media_type = serializers.CharField()
    size_bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()


class EvidenceContentSerializer(serializers.Serializer):
    evidence_id = serializers.UUIDField()
    name = serializers.CharField()
    media_type = serializers.CharField()
    sha256 = serializers.CharField()
    content = serializers.FileField()


class EvidenceUploadSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    part_size_bytes = serializers.IntegerField()
    urls = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField()


class EvidenceLinkSerializer(serializers.Serializer):
    evidence_id = serializers.UUIDField()
    url = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    sha256 = serializers.CharField()
    size_bytes = serializers.IntegerField()


class VerificationBoundSerializer(serializers.Serializer):
    requests = serializers.IntegerField()
    tokens = serializers.IntegerField()
    accept_bound = serializers.CharField()


class ReasonSerializer(serializers.Serializer):
    code = serializers.CharField()
    text = serializers.CharField()
    params = serializers.JSONField()


class MetricJudgementSerializer(serializers.Serializer):
    """Takes a stored judgement and puts its reasons into words."""

    metric = serializers.CharField()
    is_deciding = serializers.BooleanField()
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    rule = serializers.CharField()
    claim = serializers.FloatField(allow_null=True)
    measured = serializers.FloatField(allow_null=True)
    difference = serializers.FloatField(allow_null=True)
    difference_low = serializers.FloatField(allow_null=True)
    difference_high = serializers.FloatField(allow_null=True)
    difference_confidence = serializers.FloatField(allow_null=True)
    tolerance = serializers.FloatField(allow_null=True)
    measured_low = serializers.FloatField(allow_null=True)
    measured_high = serializers.FloatField(allow_null=True)
    sample_count = serializers.IntegerField(allow_null=True)
    needed_count = serializers.IntegerField(allow_null=True)
    reasons = ReasonSerializer(many=True)
    needed_unit = serializers.CharField(allow_null=True)

    def to_representation(self, judgement: Mapping[str, Any]) -> dict[str, Any]:
        reasons = [{**r, "text": wording.reason_text(r, judgement)} for r in judgement["reasons"]]
        return super().to_representation({**judgement, "reasons": reasons})


class VerificationSerializer(serializers.Serializer):
    """Takes what `selectors.get_verification` gives."""

    id = serializers.UUIDField()
    submission_id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=VerificationStatus.choices)
    verdict = OptionalChoice(choices=Verdict.choices, allow_null=True)
    summary = serializers.SerializerMethodField()
    judgements = MetricJudgementSerializer(many=True)
    policy_number = serializers.IntegerField(source="policy.number")
    policy_digest = serializers.CharField(source="policy.digest")
    seed_digest = serializers.CharField()
    seed = serializers.SerializerMethodField()
    request_bound = serializers.IntegerField()
    token_bound = serializers.IntegerField()
    done_count = serializers.SerializerMethodField()
    planned_count = serializers.SerializerMethodField()
    fault_side = OptionalChoice(choices=[side.value for side in Side], allow_null=True)
    fault_code = OptionalText(allow_null=True)
    fault_message = OptionalText(allow_null=True)
    repeat_reason = OptionalText(allow_null=True)
    run_ids = serializers.SerializerMethodField()
    flags = serializers.ListField(child=serializers.CharField())
    requested_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_summary(self, verification: Verification) -> str:
        return wording.summary_of(
            status=verification.status,
            verdict=verification.verdict,
            judgements=verification.judgements,
            fault_side=verification.fault_side,
            fault_message=verification.fault_message,
            done=self.get_done_count(verification),
            planned=self.get_planned_count(verification),
        )

    def get_seed(self, verification: Verification) -> str | None:
        return verification.seed if verification.status == VerificationStatus.DECIDED else None

    def get_done_count(self, verification: Verification) -> int:
        return sum(run.done_count for run in verification.runs.all())

    def get_planned_count(self, verification: Verification) -> int:
        return sum(run.planned_count for run in verification.runs.all())

    def get_run_ids(self, verification: Verification) -> list[str]:
        return [str(run.pk) for run in verification.runs.all()]


class CaseComparisonSerializer(serializers.Serializer):
    """Takes what `selectors.list_case_comparisons` gives."""

    key = serializers.CharField()
    claimed_score = serializers.FloatField(allow_null=True)
    measured_score = serializers.FloatField(allow_null=True)
    measured_answer = serializers.CharField(allow_null=True)
    reference = serializers.CharField(source="shown_reference", allow_null=True)
    error = serializers.SerializerMethodField()
    answer_digest = serializers.SerializerMethodField()

    def get_error(self, case: Any) -> str | None:
        return case.measured_error or case.measured_score_error or None

    def get_answer_digest(self, case: Any) -> str | None:
        raw = case.measured_raw
        return None if raw is None else hashlib.sha256(bytes(raw)).hexdigest()


class ListSubmissionsRequestSerializer(ListForm):
    benchmark_id = serializers.UUIDField(required=False)
    version_id = serializers.UUIDField(required=False)
    model_id = serializers.UUIDField(required=False)
    organization_id = serializers.UUIDField(required=False)
    verdict = serializers.ChoiceField(choices=Verdict.choices, default="", allow_blank=True)


class CheckSubmissionRequestSerializer(serializers.Serializer):
    organization_id = serializers.UUIDField()
    benchmark_id = serializers.UUIDField()
    version = serializers.CharField(max_length=64, default="", allow_blank=True)
    model = ModelReferenceSerializer(allow_null=True, default=None)
    deployment_id = serializers.UUIDField(allow_null=True, default=None)
    claims: "serializers.ListSerializer[Any]" = serializers.ListSerializer(
        child=MetricClaimSerializer(), allow_empty=False, max_length=MOST_METRICS
    )
    cases: "serializers.ListSerializer[Any]" = serializers.ListSerializer(
        child=CaseClaimSerializer(), max_length=MOST_CASES, default=list
    )
    configuration = ConfigurationSerializer(allow_null=True, default=None)


class SubmitResultsRequestSerializer(CheckSubmissionRequestSerializer):
    visibility = serializers.ChoiceField(choices=Visibility.choices, default=Visibility.PUBLIC)
    notes = serializers.CharField(max_length=4000, default="", allow_blank=True)


class GetSubmissionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="submission_id")


class WithdrawSubmissionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="submission_id")
    reason = serializers.CharField(min_length=10, max_length=1000)


class ChangeSubmissionVisibilityRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="submission_id")
    visibility = serializers.ChoiceField(choices=Visibility.choices)


class ListEvidenceRequestSerializer(ListForm):
    submission_id = serializers.UUIDField()


class AddEvidenceRequestSerializer(serializers.Serializer):
    submission_id = serializers.UUIDField()
    name = serializers.CharField(max_length=200, trim_whitespace=False)
    content = ContentField(allow_empty_file=True, use_url=False)
    sha256 = serializers.RegexField(DIGEST)


class DownloadEvidenceRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="evidence_id")


class BeginEvidenceUploadRequestSerializer(serializers.Serializer):
    submission_id = serializers.UUIDField()
    name = serializers.CharField(max_length=200, trim_whitespace=False)
    size_bytes = serializers.IntegerField(min_value=1, max_value=_LARGEST_SIZE)
    sha256 = serializers.RegexField(DIGEST)


class CompleteEvidenceUploadRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="upload_id")


class GetEvidenceLinkRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="evidence_id")


class GetVerificationBoundRequestSerializer(serializers.Serializer):
    submission_id = serializers.UUIDField()


class RequestVerificationRequestSerializer(serializers.Serializer):
    submission_id = serializers.UUIDField()
    accept_bound = serializers.CharField(max_length=64, default="", allow_blank=True)
    repeat_reason = serializers.ChoiceField(choices=RepeatReason.choices, default="", allow_blank=True)


class ListVerificationsRequestSerializer(ListForm):
    submission_id = serializers.UUIDField()


class GetVerificationRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="verification_id")


class CancelVerificationRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="verification_id")


class ListCaseComparisonsRequestSerializer(ListForm):
    verification_id = serializers.UUIDField()
