import json

import pytest

from llm_benchmark.cli.benchmarks.writing import EXAMPLE
from submissions.models import Submission
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory
from tests.factories.submissions import case_results, question_benchmark

CLAIM = {"model": {"publisher": "acme", "name": "large", "version": "1"},
         "claims": [{"name": "accuracy", "value": 0.8}], "cases": case_results(8)}  # fmt: skip


class TestBenchmark:
    def test_is_checked_without_an_exchange(self, call, stub):
        http = stub({})
        ended = call("validate", EXAMPLE, "-o", "table", http=http)
        assert ended.code == 0
        assert "llm-benchmark benchmark create" in ended.out
        assert http.requests == []
        assert call("validate", EXAMPLE, "-o", "json").json["test_case_count"] == 2

    def test_is_refused_with_all_that_is_wrong(self, call, tmp_path):
        path = tmp_path / "bad.toml"
        path.write_text(EXAMPLE.read_text().replace("is_primary = true", "is_primary = false"))
        ended = call("validate", path)
        assert ended.code == 2
        assert "metrics: Exactly one metric is the primary one." in ended.err


@pytest.mark.django_db
class TestClaim:
    @pytest.fixture
    def validate(self, exchange_as, tmp_path):
        user = UserFactory()
        MembershipFactory(user=user, organization=OrganizationFactory(), role="member")
        program = exchange_as(user)

        def go(claim, *more):
            path = tmp_path / "claim.json"
            path.write_text(json.dumps(claim))
            return program("validate", path, *more)

        return go

    def test_is_checked_as_if_submitted_and_stored_nowhere(self, validate):
        made = question_benchmark()
        ended = validate({**CLAIM, "benchmark": made.slug}, "-o", "table")
        assert ended.code == 0, ended.err
        assert f"{made.slug} 1.0.0" in ended.out
        assert "llm-benchmark submit --file" in ended.out
        assert not Submission.objects.exists()

    def test_may_be_checked_against_another_benchmark(self, validate):
        made = question_benchmark()
        ended = validate({**CLAIM, "benchmark": "nothing"}, "-b", f"{made.slug}@1.0.0", "-o", "json")
        assert ended.json["benchmark_slug"] == made.slug

    def test_is_refused_with_all_that_is_wrong(self, validate):
        made = question_benchmark()
        claims = [{"name": "accuracy", "value": 7}, {"name": "beauty", "value": 1}]
        ended = validate({**CLAIM, "benchmark": made.slug, "claims": claims})
        assert ended.code == 2
        assert "claims[0]" in ended.err
        assert "claims[1]" in ended.err
