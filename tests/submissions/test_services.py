import hashlib
import io
import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from benchmarks.errors import BenchmarkNotFound, VersionNotFound
from benchmarks.models import BenchmarkVersion
from exchange.accounts.errors import NotYourOrganization, OrganizationNotFound
from exchange.core.errors import InvalidInput
from exchange.core.models import AuditEntry
from exchange.storage import DigestMismatch, EvidenceTooLarge, get_store
from llm_benchmark.measure.bundle import BundleManifest, write_bundle
from submissions import attachments, services
from submissions.endpoints.errors import DeploymentNotFound
from submissions.endpoints.models import Endpoint, LanguageModel, ModelAlias
from submissions.errors import (
    BenchmarkNotActive,
    EvidenceNameTaken,
    SubmissionClosed,
    SubmissionNotFound,
    TooManyFiles,
    VersionNotPublished,
)
from submissions.models import CaseClaim, Evidence, MetricClaim, Submission
from tests.factories import submissions as f
from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import (
    BenchmarkFactory,
    active_benchmark,
    case,
    draft_version,
    latency,
    metric,
    published_version,
)

pytestmark = pytest.mark.django_db


def problems(refusal):
    return [(error.field, error.code) for error in refusal.value.errors]


def claim(value, name="accuracy", sample_count=None):
    return {"name": name, "value": value, "sample_count": sample_count}


def count_rows():
    return [
        model.objects.count() for model in (Submission, MetricClaim, CaseClaim, LanguageModel, AuditEntry)
    ]


@pytest.fixture
def refused():
    """`refused(…)`: the problems of a claim that is not taken in; nothing may be left of it."""

    def submit(**changes):
        f.make_submission()
        organization = OrganizationFactory()
        benchmark = changes.pop("benchmark", None) or f.question_benchmark()
        before = count_rows()
        with pytest.raises(InvalidInput) as refusal:
            f.make_submission(organization=organization, benchmark=benchmark, deployment=None, **changes)
        assert count_rows() == before
        return problems(refusal)

    return submit


class TestCreateSubmission:
    def test_keeps_the_claim_with_its_cases(self):
        submission = f.make_submission()
        assert submission.status == "accepted"
        assert submission.level == "unverified"
        assert [(c.name, c.value) for c in submission.claims.all()] == [("accuracy", 0.8)]
        assert submission.cases.count() == submission.case_count == 10
        assert submission.model == submission.deployment.model
        assert AuditEntry.objects.filter(kind="submission.created", subject_id=submission.pk).exists()

    def test_keeps_that_the_provider_was_simulated(self):
        """A later change of the endpoint changes no claim, and no claim a later one."""
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization, is_simulated=True)
        submission = f.make_submission(organization=organization, deployment=deployment)
        Endpoint.objects.update(is_simulated=False)
        submission.refresh_from_db()
        assert submission.is_simulated
        assert not f.make_submission(deployment=None).is_simulated

    def test_makes_a_model_once(self):
        first, second = (f.make_submission(deployment=None) for _ in range(2))
        assert first.model == second.model
        assert first.deployment is None

    def test_knows_a_models_alias(self):
        known = f.make_submission().model
        ModelAlias.objects.create(model=known, publisher="ACME", name="Acme-Large", version="1")
        assert f.make_submission(deployment=None).model == known

    def test_takes_the_named_model_of_the_deployment(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization)
        model = deployment.model
        named = {"publisher": model.publisher, "name": model.name, "version": model.version}
        submission = f.make_submission(organization=organization, deployment=deployment, model=named)
        assert submission.model == model

    def test_refuses_another_model_than_the_deployments(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization)
        with pytest.raises(InvalidInput) as refusal:
            f.make_submission(organization=organization, deployment=deployment, model=f.NAMED_MODEL)
        assert problems(refusal) == [("model", "not_the_deployments")]

    def test_wants_a_model_or_a_deployment(self, refused):
        assert refused(model=None) == [("model", "required")]

    def test_takes_an_external_benchmark_unranked(self):
        submission = f.make_submission(
            benchmark=active_benchmark(kind="external"), claims=[claim(0.5, "score")], cases=[]
        )
        assert submission.verification is None

    def test_takes_performance_claims(self):
        assert f.make_load_submission().claims.count() == 2


class TestCheckSubmission:
    def form(self, **changes):
        organization, benchmark = OrganizationFactory(), f.question_benchmark()
        return {
            "actor": f.submitter_of(organization),
            "organization_id": organization.pk,
            "benchmark_id": benchmark.pk,
            "claims": [claim(0.8)],
            "cases": f.case_results(8),
            "model": f.NAMED_MODEL,
            **changes,
        }

    def test_stores_nothing(self):
        form = self.form()
        before = count_rows()

        checked = services.check_submission(**form)

        assert checked.version.benchmark_id == form["benchmark_id"]
        assert count_rows() == before

    def test_says_at_once_what_is_wrong_with_model_configuration_and_values(self):
        form = self.form(model=None, configuration={"temperature": 1.0}, claims=[claim(0.7)])

        with pytest.raises(InvalidInput) as refusal:
            services.check_submission(**form)

        assert problems(refusal) == [
            ("model", "required"),
            ("configuration.temperature", "fixed_by_version"),
            ("claims[0].value", "does_not_match_cases"),
        ]


class TestSubmitResults:
    def files(self, *contents):
        return [
            services.Attachment(f"file-{n}.txt", io.BytesIO(text), hashlib.sha256(text).hexdigest())
            for n, text in enumerate(contents)
        ]

    def form(self):
        return TestCheckSubmission().form()

    def test_keeps_the_claim_with_its_files(self):
        submission = services.submit_results(evidence=self.files(b"first", b"second"), **self.form())

        assert [file.name for file in submission.evidence.order_by("name")] == ["file-0.txt", "file-1.txt"]

    def test_keeps_neither_when_one_file_is_refused(self):
        form, before = self.form(), count_rows()

        with pytest.raises(InvalidInput) as refusal:
            services.submit_results(evidence=self.files(b"good", b"\x7fELF\x00"), **form)

        assert problems(refusal) == [("evidence[1].file", "unsupported_media_type")]
        assert count_rows() == before

    def test_says_which_file_is_refused_by_the_state(self):
        twice = [*self.files(b"good"), *self.files(b"other")]

        with pytest.raises(EvidenceNameTaken) as refusal:
            services.submit_results(evidence=twice, **self.form())

        assert problems(refusal) == [("evidence[1].name", "taken")]


class TestCreateSubmissionIsForOpenBenchmarks:
    def test_refuses_a_benchmark_that_is_not_active(self):
        organization = OrganizationFactory()
        benchmark = BenchmarkFactory(organization=organization, published=True)
        with pytest.raises(BenchmarkNotActive):
            f.make_submission(organization=organization, benchmark=benchmark)

    def test_hides_another_organizations_draft(self):
        with pytest.raises(BenchmarkNotFound):
            f.make_submission(benchmark=BenchmarkFactory(published=True))

    def test_hides_a_private_benchmark(self):
        benchmark = f.question_benchmark()
        benchmark.visibility = "private"
        benchmark.save()
        with pytest.raises(BenchmarkNotFound):
            f.make_submission(benchmark=benchmark)

    def test_refuses_a_draft_of_a_version(self):
        benchmark = f.question_benchmark()
        draft_version(benchmark, "2.0.0")
        with pytest.raises(VersionNotFound):
            f.make_submission(benchmark=benchmark, version="2.0.0")
        with pytest.raises(VersionNotPublished):
            f.make_submission(organization=benchmark.organization, benchmark=benchmark, version="2.0.0")

    def test_refuses_a_superseded_version(self):
        benchmark = f.question_benchmark()
        published_version(benchmark, "2.0.0")
        with pytest.raises(VersionNotPublished):
            f.make_submission(benchmark=benchmark, version="1.0.0")

    def test_refuses_an_unknown_version(self):
        with pytest.raises(VersionNotFound):
            f.make_submission(version="9.9.9")


class TestCreateSubmissionIsForOnesOwnOrganization:
    def test_hides_another_organization(self):
        with pytest.raises(OrganizationNotFound):
            f.make_submission(actor=f.submitter_of(OrganizationFactory()))

    def test_refuses_a_viewer(self):
        organization = OrganizationFactory()
        with pytest.raises(NotYourOrganization):
            f.make_submission(organization=organization, actor=f.submitter_of(organization, "viewer"))

    def test_hides_another_organizations_deployment(self):
        with pytest.raises(DeploymentNotFound):
            f.make_submission(deployment=f.deployment_of(OrganizationFactory()))


class TestClaimedValues:
    def test_refuses_percent_for_a_share_and_says_what_was_meant(self, refused):
        with pytest.raises(InvalidInput) as refusal:
            f.make_submission(claims=[claim(78.1)], cases=[])
        assert problems(refusal) == [("claims[0].value", "out_of_bounds")]
        assert "Did you mean 0.781?" in refusal.value.errors[0].message
        assert refused(claims=[claim(78.1)], cases=[]) == [("claims[0].value", "out_of_bounds")]

    @pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
    def test_refuses_what_is_not_finite(self, refused, value):
        assert refused(claims=[claim(value)], cases=[]) == [("claims[0].value", "not_finite")]

    def test_refuses_below_the_bounds(self, refused):
        assert refused(claims=[claim(-0.1)], cases=[]) == [("claims[0].value", "out_of_bounds")]

    def test_refuses_more_than_everything_where_the_author_set_no_bounds(self, refused):
        benchmark = f.question_benchmark(metrics=[metric(minimum=None, maximum=None)])
        found = refused(benchmark=benchmark, claims=[claim(1.5)], cases=[])
        assert found == [("claims[0].value", "out_of_bounds")]

    def test_refuses_an_unknown_metric_and_lists_the_known(self, refused):
        found = refused(claims=[claim(0.8), claim(0.8, "f1")])
        assert found == [("claims[1].name", "unknown_metric")]

    def test_refuses_a_metric_claimed_twice(self, refused):
        assert refused(claims=[claim(0.8), claim(0.8)]) == [("claims[1].name", "duplicate_metric")]

    def test_wants_the_primary_metric(self, refused):
        benchmark = f.load_benchmark()
        found = refused(benchmark=benchmark, claims=[claim(9.0, "ttft_p95")], cases=[])
        assert found == [("claims", "primary_metric_missing")]

    def test_refuses_percentiles_out_of_order(self, refused):
        claims = [claim(40.0, "ttft_p50"), claim(39.0, "ttft_p95")]
        found = refused(benchmark=f.load_benchmark(), claims=claims, cases=[])
        assert found == [("claims[1].value", "percentiles_not_ordered")]

    def test_refuses_a_time_of_zero(self, refused):
        found = refused(benchmark=f.load_benchmark(), claims=[claim(0.0, "ttft_p50")], cases=[])
        assert found == [("claims[0].value", "not_positive")]

    def test_names_everything_at_once(self, refused):
        found = refused(claims=[claim(78.1), claim(1.0, "f1")], cases=f.case_results(8, 9))
        assert [code for _field, code in found] == ["out_of_bounds", "unknown_metric", "not_the_full_set"]


class TestPlausibleSpeeds:
    @pytest.mark.parametrize("value", [1e-310, 9.99e-4, 86_400_000.1, 1e300])
    def test_refuses_a_time_that_no_request_takes(self, refused, value):
        found = refused(benchmark=f.load_benchmark(), claims=[claim(value, "ttft_p50")], cases=[])
        assert found == [("claims[0].value", "implausible")]

    @pytest.mark.parametrize("value", [1e-310, 1.1e9])
    def test_refuses_a_rate_that_no_endpoint_has(self, refused, value):
        rate = metric("requests_per_second", kind="rate", unit="1/s", maximum=None)
        found = refused(
            benchmark=f.load_benchmark(metrics=[rate]), claims=[claim(value, rate["name"])], cases=[]
        )
        assert found == [("claims[0].value", "implausible")]

    @pytest.mark.parametrize("value", [0.001, 86_400_000.0])
    def test_takes_the_ends(self, value):
        assert f.make_load_submission({"ttft_p50": value}).claims.get().value == value


_SHARES = ["accuracy", "completion_rate"]


class TestClaimsWithoutCases:
    @pytest.mark.parametrize(
        ("value", "count"), [(0.8, 10), (0.0, 10), (1.0, 10), (0.67, 3), (0.667, 3), (2 / 3, 3)]
    )
    def test_takes_what_some_number_of_right_answers_gives(self, value, count):
        benchmark = f.question_benchmark(count)
        f.make_submission(benchmark=benchmark, claims=[claim(value, sample_count=count)], cases=[])

    @pytest.mark.parametrize(("value", "count"), [(0.85, 10), (0.66, 3), (0.6668, 3), (0.5, 9)])
    @pytest.mark.parametrize("is_stated", [True, False])
    def test_refuses_what_no_number_of_right_answers_gives(self, refused, value, count, is_stated):
        claims = [claim(value, sample_count=count if is_stated else None)]
        found = refused(benchmark=f.question_benchmark(count), claims=claims, cases=[])
        assert found == [("claims[0].value", "impossible_score")]

    @pytest.mark.parametrize("name", ["accuracy", "completion_rate"])
    def test_refuses_to_leave_cases_out_of_what_counts_them_all(self, refused, name):
        """1 of 1 is no perfect score on 10 cases."""
        metrics = [metric("accuracy"), metric("completion_rate", is_primary=False)]
        stated = [claim(1.0, other, sample_count=1 if other == name else None) for other in _SHARES]
        found = refused(benchmark=f.question_benchmark(metrics=metrics), claims=stated, cases=[])
        assert found == [(f"claims[{_SHARES.index(name)}].sample_count", "not_the_full_set")]

    def test_lets_a_share_of_some_cases_rest_on_some(self):
        metrics = [metric("accuracy"), metric("answered_accuracy", is_primary=False)]
        claims = [claim(0.8), claim(1.0, "answered_accuracy", sample_count=8)]
        f.make_submission(benchmark=f.question_benchmark(metrics=metrics), claims=claims, cases=[])

    def test_says_what_is_possible(self):
        benchmark = active_benchmark(kind="external")
        with pytest.raises(InvalidInput) as refusal:
            f.make_submission(
                benchmark=benchmark, claims=[claim(0.8605, "score", sample_count=1000)], cases=[]
            )
        assert str(refusal.value.errors[0].message).replace("\u00a0", " ") == (
            "86.05 % is not possible with 1,000 cases. 860 right gives 86.0 %, 861 gives 86.1 %."
        )

    def test_refuses_more_cases_than_there_are(self, refused):
        found = refused(claims=[claim(0.5, sample_count=20)], cases=[])
        assert found == [("claims[0].sample_count", "more_than_planned")]

    def test_asks_nothing_of_weighted_shares(self):
        benchmark = f.question_benchmark(test_cases=[case("a"), case("b", weight=3.0)])
        f.make_submission(benchmark=benchmark, claims=[claim(0.31)], cases=[])


class TestClaimedCases:
    def test_refuses_a_missing_case(self, refused):
        assert refused(cases=f.case_results(8, 9)) == [("cases", "not_the_full_set")]

    def test_refuses_a_case_twice(self, refused):
        cases = f.case_results(8)
        assert refused(cases=[*cases, cases[3]]) == [("cases[10].key", "duplicate_case")]

    def test_refuses_an_unknown_case(self, refused):
        extra = {"key": "q99", "score": 1.0}
        assert refused(cases=[*f.case_results(8), extra]) == [("cases[10].key", "unknown_case")]

    @pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
    def test_refuses_a_score_that_is_no_share(self, refused, score):
        cases = [*f.case_results(8, 9), {"key": "q9", "score": score}]
        assert refused(cases=cases) == [("cases[9].score", "out_of_bounds")]

    def test_refuses_an_accuracy_that_is_not_their_mean(self, refused):
        assert refused(claims=[claim(0.9)]) == [("claims[0].value", "does_not_match_cases")]

    def test_refuses_a_sample_count_that_is_not_theirs(self, refused):
        found = refused(claims=[claim(0.8, sample_count=9)])
        assert found == [("claims[0].sample_count", "does_not_match_cases")]

    def test_weighs_them(self):
        benchmark = f.question_benchmark(test_cases=[case("a"), case("b", weight=3.0)])
        cases = [{"key": "a", "score": 0.0}, {"key": "b", "score": 1.0}]
        f.make_submission(benchmark=benchmark, claims=[claim(0.75)], cases=cases)

    def test_are_for_quality_benchmarks(self, refused):
        found = refused(
            benchmark=f.load_benchmark(), claims=[claim(40.0, "ttft_p50")], cases=f.case_results(8)
        )
        assert found == [("cases", "not_for_this_kind")]


BOUNDED = (
    st.floats(allow_nan=True, allow_infinity=True)
    | st.floats(-0.5, 1.5)
    | st.integers(-2, 20).map(lambda k: k / 10)
)


class TestEveryStoredClaim:
    @hypothesis_settings(
        max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(value=BOUNDED)
    def test_lies_within_its_bounds(self, value):
        version = BenchmarkVersion.objects.filter(benchmark__status="active").first()
        benchmark = version.benchmark if version else f.question_benchmark()
        with suppress(InvalidInput):
            f.make_submission(benchmark=benchmark, claims=[claim(value)], cases=[], deployment=None)
        assert all(0 <= value <= 1 for value in MetricClaim.objects.values_list("value", flat=True))
        assert MetricClaim.objects.count() == Submission.objects.count()


class TestConfiguration:
    def test_keeps_what_the_version_leaves_open(self):
        submission = f.make_submission(configuration={"top_p": 0.9, "precision": "bf16"})
        assert submission.configuration == {"top_p": 0.9, "precision": "bf16"}

    def test_is_the_same_whether_a_fixed_value_is_repeated_or_not(self):
        plain = f.make_submission()
        repeated = f.make_submission(configuration={"temperature": 0.0, "top_p": None})
        assert plain.fingerprint == repeated.fingerprint

    def test_makes_another_fingerprint(self):
        assert f.make_submission(configuration={"top_p": 0.5}).fingerprint != f.make_submission().fingerprint

    def test_refuses_what_the_version_fixes(self, refused):
        found = refused(configuration={"temperature": 0.7, "max_tokens": 99})
        assert found == [
            ("configuration.temperature", "fixed_by_version"),
            ("configuration.max_tokens", "fixed_by_version"),
        ]

    def test_refuses_a_load_profiles_settings(self, refused):
        found = refused(
            benchmark=f.load_benchmark(),
            claims=[claim(40.0, "ttft_p50")],
            cases=[],
            configuration={"concurrency": 8, "streaming": False, "max_tokens": 64},
        )
        assert found == [
            ("configuration.concurrency", "fixed_by_version"),
            ("configuration.streaming", "fixed_by_version"),
        ]

    def test_refuses_concurrency_for_questions(self, refused):
        assert refused(configuration={"concurrency": 8}) == [
            ("configuration.concurrency", "not_for_this_kind")
        ]

    def test_takes_the_deployments_dialect(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization, dialect={"name": "vllm"})
        submission = f.make_submission(organization=organization, deployment=deployment)
        assert submission.configuration == {"dialect": "vllm"}

    def test_refuses_another_dialect_than_the_deployments(self):
        organization = OrganizationFactory()
        deployment = f.deployment_of(organization, dialect={"name": "vllm"})
        with pytest.raises(InvalidInput) as refusal:
            f.make_submission(
                organization=organization, deployment=deployment, configuration={"dialect": "openai"}
            )
        assert problems(refusal) == [("configuration.dialect", "not_the_deployments")]


class TestWithdrawSubmission:
    def test_leaves_a_tombstone_with_the_reason(self):
        submission = f.make_submission()
        actor = f.submitter_of(submission.organization)
        services.withdraw_submission(
            actor=actor, submission_id=submission.pk, reason="measured on another model"
        )
        submission.refresh_from_db()
        assert (submission.status, submission.status_reason) == ("withdrawn", "measured on another model")
        assert submission.claims.count() == 1
        assert AuditEntry.objects.filter(kind="submission.withdrawn", subject_id=submission.pk).exists()

    def test_cancels_an_open_verification(self):
        submission = f.make_submission()
        verification = f.make_verification(submission)
        services.withdraw_submission(
            actor=f.submitter_of(submission.organization),
            submission_id=submission.pk,
            reason="a mistake of ours",
        )
        verification.refresh_from_db()
        assert verification.status == "cancelled"
        assert {run.status for run in verification.runs.all()} == {"cancelled"}

    def test_happens_once(self):
        submission = f.make_submission()
        actor = f.submitter_of(submission.organization)
        form = {"actor": actor, "submission_id": submission.pk, "reason": "measured wrongly"}
        services.withdraw_submission(**form)
        with pytest.raises(SubmissionClosed):
            services.withdraw_submission(**form)

    def test_refuses_another_organization(self):
        with pytest.raises(NotYourOrganization):
            services.withdraw_submission(
                actor=f.submitter_of(OrganizationFactory()),
                submission_id=f.make_submission().pk,
                reason="not mine to take",
            )

    def test_hides_a_private_claim(self):
        submission = f.make_submission(visibility="private")
        with pytest.raises(SubmissionNotFound):
            services.withdraw_submission(
                actor=f.submitter_of(OrganizationFactory()), submission_id=submission.pk, reason="x" * 10
            )


class TestChangeVisibility:
    def test_tells_the_boards(self):
        submission = f.make_submission()
        actor = f.submitter_of(submission.organization)
        services.change_visibility(actor=actor, submission_id=submission.pk, visibility="private")
        submission.refresh_from_db()
        assert submission.visibility == "private"
        fact = AuditEntry.objects.get(kind="submission.visibility_changed")
        assert (fact.facts["before"], fact.facts["visibility"]) == ("public", "private")

    def test_says_nothing_when_nothing_changes(self):
        submission = f.make_submission()
        actor = f.submitter_of(submission.organization)
        services.change_visibility(actor=actor, submission_id=submission.pk, visibility="public")
        assert not AuditEntry.objects.filter(kind="submission.visibility_changed").exists()

    def test_refuses_a_withdrawn_claim(self):
        submission = f.make_submission()
        actor = f.submitter_of(submission.organization)
        services.withdraw_submission(actor=actor, submission_id=submission.pk, reason="a mistake of ours")
        with pytest.raises(SubmissionClosed):
            services.change_visibility(actor=actor, submission_id=submission.pk, visibility="private")


CONTENT = b'{"accuracy": 0.8}'


@pytest.fixture
def evidence_dir(settings, tmp_path):
    settings.EVIDENCE_URL = (tmp_path / "evidence").as_uri()
    return tmp_path / "evidence"


@pytest.fixture
def add(evidence_dir):
    submission = f.make_submission()
    actor = f.submitter_of(submission.organization)

    def call(content=CONTENT, name="answers.json", sha256=None, **changes):
        form = {"actor": actor, "submission_id": submission.pk, "name": name, "content": content, **changes}
        return services.add_evidence(sha256=sha256 or hashlib.sha256(content).hexdigest(), **form)

    call.submission, call.actor = submission, actor
    return call


def files_in(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


class TestAddEvidence:
    def test_keeps_the_bytes_under_their_digest(self, add):
        evidence = add()
        assert (evidence.size_bytes, evidence.media_type) == (len(CONTENT), "application/json")
        with get_store().open(evidence.sha256) as file:
            assert file.read() == CONTENT

    def test_takes_a_file_that_is_read_piece_by_piece(self, add):
        assert services.add_evidence(
            actor=add.actor,
            submission_id=add.submission.pk,
            name="a.json",
            content=io.BytesIO(CONTENT),
            sha256=hashlib.sha256(CONTENT).hexdigest(),
        ).size_bytes == len(CONTENT)

    def refuse(self, kind, add, evidence_dir, **form):
        before = files_in(evidence_dir), Evidence.objects.count()
        with pytest.raises(kind) as refusal:
            add(**form)
        assert (files_in(evidence_dir), Evidence.objects.count()) == before
        return problems(refusal)

    def test_refuses_another_digest(self, add, evidence_dir):
        found = self.refuse(DigestMismatch, add, evidence_dir, sha256="0" * 64)
        assert found == [("sha256", "digest_mismatch")]

    def test_refuses_an_oversized_file(self, add, evidence_dir, settings):
        settings.EVIDENCE_LARGEST_BYTES = len(CONTENT) - 1
        self.refuse(EvidenceTooLarge, add, evidence_dir)

    def test_takes_a_file_of_exactly_the_limit(self, add, settings):
        settings.EVIDENCE_LARGEST_BYTES = len(CONTENT)
        add()

    @pytest.mark.parametrize(
        "name",
        [
            "../../etc/cron.d/x",
            "/etc/passwd",
            "..\\..\\x",
            "C:\\x",
            "a/../../b",
            ".hidden",
            "",
            "a\x00.json",
            "\u00e9.json",
            "e\u0301.json",
            "a..b",
            "a.json ",
            "x" * 201,
            "\u202ejson.exe",
        ],
    )
    def test_refuses_a_name_that_is_more_than_a_name(self, add, evidence_dir, name):
        assert self.refuse(InvalidInput, add, evidence_dir, name=name) == [("name", "invalid_name")]

    def test_refuses_other_kinds_of_files_whatever_their_name(self, add, evidence_dir):
        found = self.refuse(InvalidInput, add, evidence_dir, content=b"\x89PNG\r\n\x1a\n\x00", name="a.json")
        assert found == [("file", "unsupported_media_type")]

    @pytest.mark.parametrize(("snapshot", "refused"), [({"is_full_set": False}, True), ({}, False)])
    def test_refuses_the_bundle_of_a_part_of_the_cases(self, add, evidence_dir, tmp_path, snapshot, refused):
        manifest = BundleManifest("quality", {}, snapshot, {}, {})
        write_bundle(tmp_path / "b.zip", manifest, {})
        form = {"content": (tmp_path / "b.zip").read_bytes(), "name": "b.zip"}
        if refused:
            found = self.refuse(InvalidInput, add, evidence_dir, **form)
            assert found == [("file", "not_the_full_set")]
        else:
            assert add(**form).media_type == "application/zip"

    def test_refuses_a_name_twice_however_it_is_spelled(self, add, evidence_dir):
        add()
        found = self.refuse(EvidenceNameTaken, add, evidence_dir, name="Answers.JSON", content=b"other")
        assert found == [("name", "taken")]

    def test_refuses_more_files_than_allowed(self, add, evidence_dir, settings):
        settings.EVIDENCE_MOST_FILES = 2
        add(name="a.json")
        add(name="b.json")
        self.refuse(TooManyFiles, add, evidence_dir, name="c.json", content=b"third")

    def test_refuses_a_withdrawn_claim(self, add, evidence_dir):
        services.withdraw_submission(
            actor=add.actor, submission_id=add.submission.pk, reason="a mistake of ours"
        )
        self.refuse(SubmissionClosed, add, evidence_dir)

    def test_refuses_another_organization(self, add, evidence_dir):
        stranger = f.submitter_of(OrganizationFactory())
        self.refuse(NotYourOrganization, add, evidence_dir, actor=stranger)


TIMES = [40.0 + n for n in range(20)]


def aiperf_records(times=TIMES):
    lines = [
        {
            "metadata": {"benchmark_phase": "profiling"},
            "metrics": {"time_to_first_token": {"value": value, "unit": "ms"}},
        }
        for value in times
    ]
    warmup = {"metadata": {"benchmark_phase": "warmup"}, "metrics": {"time_to_first_token": {"value": 999.0}}}
    return b"".join(json.dumps(line).encode() + b"\n" for line in [warmup, *lines])


def aiperf_summary(**changes):
    honest = {"avg": 49.5, "min": 40.0, "max": 59.0, "p50": 49.5, "p90": 57.1, "p95": 58.05, "p99": 58.81}
    return json.dumps({"time_to_first_token": {**honest, **changes}}).encode()


class TestAiperfEvidence:
    def test_takes_exports_that_agree(self, add):
        add(aiperf_records(), "profile_export.jsonl")
        add(aiperf_summary(), "profile_export_aiperf.json")
        assert add.submission.evidence.count() == 2

    @pytest.mark.parametrize("order", [1, -1])
    @pytest.mark.parametrize("key", ["avg", "p50", "p99", "min"])
    def test_refuses_a_tampered_summary_whichever_comes_second(self, add, evidence_dir, order, key):
        files = [("profile_export.jsonl", aiperf_records())]
        files = [*files, ("profile_export_aiperf.json", aiperf_summary(**{key: 20.0}))][::order]
        add(files[0][1], files[0][0])
        kept = files_in(evidence_dir)
        with pytest.raises(InvalidInput) as refusal:
            add(files[1][1], files[1][0])
        assert problems(refusal) == [("file", "evidence_inconsistent")]
        assert files_in(evidence_dir) == kept
        assert add.submission.evidence.count() == 1

    def test_refuses_a_summary_of_nothing(self, add):
        add(aiperf_records([]), "profile_export.jsonl")
        with pytest.raises(InvalidInput) as refusal:
            add(aiperf_summary(), "profile_export_aiperf.json")
        assert problems(refusal) == [("file", "evidence_inconsistent")]

    def test_refuses_a_summary_that_is_not_a_number(self, add):
        add(aiperf_records(), "profile_export.jsonl")
        with pytest.raises(InvalidInput):
            add(aiperf_summary(p50=float("nan")), "profile_export_aiperf.json")

    @pytest.mark.parametrize("content", [b"[1, 2]", b'{"time_to_first_token": 5}', b"not json", b'"text"'])
    def test_refuses_what_is_no_export(self, add, content):
        add(aiperf_records(), "profile_export.jsonl")
        with pytest.raises(InvalidInput) as refusal:
            add(content, "profile_export_aiperf.json")
        assert problems(refusal) == [("file", "evidence_inconsistent")]

    @pytest.mark.parametrize("value", ["1e999", "9" * 400, '{"value": 1}', "[" * 5000])
    @pytest.mark.parametrize("where", ["summary", "records"])
    def test_refuses_numbers_that_no_computer_holds(self, add, where, value):
        summary, records = aiperf_summary(), aiperf_records()
        if where == "summary":
            summary = summary.replace(b"49.5", value.encode(), 1)
        else:
            records = records.replace(b"40.0", value.encode(), 1)
        add(records, "profile_export.jsonl")
        with pytest.raises(InvalidInput) as refusal:
            add(summary, "profile_export_aiperf.json")
        assert problems(refusal) == [("file", "evidence_inconsistent")]

    @pytest.mark.parametrize("large", ["summary", "a line"])
    def test_refuses_what_it_would_have_to_hold_in_memory(self, add, large, monkeypatch):
        longest = max(map(len, aiperf_records().splitlines(keepends=True)))
        limit = len(aiperf_summary()) - 1 if large == "summary" else longest - 1
        monkeypatch.setattr(attachments, "LARGEST_PIECE", limit)
        add(aiperf_records(), "profile_export.jsonl")
        with pytest.raises(InvalidInput) as refusal:
            add(aiperf_summary(), "profile_export_aiperf.json")
        assert problems(refusal) == [("file", "too_large_to_check")]

    def test_reads_records_of_any_length_line_by_line(self, add, monkeypatch):
        monkeypatch.setattr(attachments, "LARGEST_PIECE", len(aiperf_summary()))
        assert len(aiperf_records()) > attachments.LARGEST_PIECE
        add(aiperf_records(), "profile_export.jsonl")
        add(aiperf_summary(), "profile_export_aiperf.json")


def test_metrics_of_other_names_have_no_share(refused):
    benchmark = active_benchmark(
        kind="external",
        metrics=[metric("score", kind="mean", maximum=100.0), latency("cost", is_primary=False)],
    )
    assert refused(benchmark=benchmark, claims=[claim(100.5, "score")], cases=[]) == [
        ("claims[0].value", "out_of_bounds")
    ]
