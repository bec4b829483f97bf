import pytest

from llm_benchmark.measure.bundle import BundleManifest, keep_answers, quality_members, write_bundle
from llm_benchmark.measure.plans import Answer, QualityPlan, Question


@pytest.fixture
def bundle(tmp_path):
    plan = QualityPlan([Question("q1", "6 × 7?", "42", "numeric_v1")])
    answers = [Answer(key="q1", text="42", raw=b"{}", latency_ms=1.0, http_status=200)]
    path = tmp_path / "bundle.zip"
    manifest = BundleManifest("quality", {}, {}, {"name": "test", "version": "0"}, {})
    kept = keep_answers(tmp_path / "answers.jsonl", plan.questions, answers)
    write_bundle(path, manifest, quality_members(plan=plan, answers=kept))
    return path


def spoil(path):
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"text":"42"', b'"text":"43"'))


class TestVerifyBundle:
    def test_says_that_a_bundle_is_intact(self, call, bundle):
        ended = call("verify-bundle", bundle, "-o", "table")

        assert ended.code == 0
        assert "Intact: nothing was changed" in ended.out
        assert "compare it with the published one" in ended.out

    def test_names_what_was_changed(self, call, bundle):
        spoil(bundle)

        ended = call("verify-bundle", bundle)

        assert ended.code == 9
        assert "Not intact" in ended.out
        assert "answers.jsonl" in ended.out

    def test_refuses_a_file_of_another_digest(self, call, bundle):
        ended = call("verify-bundle", bundle, "--sha256", "0" * 64, "-o", "json")

        assert ended.code == 9
        assert ended.json["ok"] is False
        assert ended.json["problems"][0]["code"] == "digest"

    def test_gives_programs_the_scores_computed_again(self, call, bundle):
        ended = call("verify-bundle", bundle, "-o", "json")

        assert ended.json["metrics"]["accuracy"]["value"] == 1

    def test_refuses_a_file_that_is_not_there(self, call, tmp_path):
        ended = call("verify-bundle", tmp_path / "none.zip")

        assert ended.code == 2
        assert "does not exist" in ended.err
