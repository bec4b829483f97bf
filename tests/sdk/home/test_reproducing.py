import pytest

from llm_benchmark import home
from llm_benchmark.errors import InvalidInput
from llm_benchmark.home import wording
from llm_benchmark.home.errors import ConfigurationDiffers

from . import editions as e

pytestmark = pytest.mark.sockets


def reproduced(target, folder, claims, *, edition=None, cases=None, own=None, **changes):
    edition = edition or e.quality_edition()
    return home.reproduce(
        e.submission(edition, claims, **changes),
        edition,
        target("good"),
        folder,
        claimed_cases=cases,
        own=own,
    )


def case_scores(right):
    return {case["key"]: float(n < right) for n, case in enumerate(e.CASES)}


class TestReproducing:
    def test_bears_an_honest_claim_out(self, target, tmp_path):
        found = reproduced(target, tmp_path, {"accuracy": 0.75}, cases=case_scores(30))

        assert found.verdict == "consistent"
        assert wording.summary_of(found).replace("\u00a0", " ") == (
            "Consistent: 75.0 % is claimed and you measured 75.0 %. Nothing speaks against the claim; a "
            "measurement of this size cannot confirm it to ±2 points."
        )

    def test_confirms_where_the_tolerance_is_wide_enough(self, target, tmp_path):
        version = e.version(policy={**e.POLICY, "delta": 0.3})
        edition = home.edition("sums", version, e.shown_cases())

        found = reproduced(target, tmp_path, {"accuracy": 0.75}, edition=edition, cases=case_scores(30))

        assert found.verdict == "confirmed"
        assert "wholly inside the tolerance of ±30 points" in wording.summary_of(found)

    def test_refutes_an_inflated_claim(self, target, tmp_path):
        found = reproduced(target, tmp_path, {"accuracy": 1.0}, cases=case_scores(40))

        (judgement,) = found.judgements
        assert found.verdict == "refuted"
        assert judgement.rule == "paired"
        assert judgement.difference_high < -0.02
        assert "worse by at least" in wording.summary_of(found)
        reasons = wording.as_dict(found)["judgements"][0]["reasons"]
        assert reasons[0]["text"] == "Compared case by case: 40 cases, asked by both sides."

    def test_says_that_a_claim_without_cases_is_compared_by_the_weaker_rule(self, target, tmp_path):
        found = reproduced(target, tmp_path, {"accuracy": 0.75, "completion_rate": 1.0})

        assert [judgement.rule for judgement in found.judgements] == ["two_samples", "two_samples"]
        assert [judgement.is_deciding for judgement in found.judgements] == [True, False]

    def test_measures_as_often_as_the_policy_says(self, target, asked, tmp_path):
        version = e.version(policy={**e.POLICY, "sessions": 2})
        edition = home.edition("sums", version, e.shown_cases())
        first = reproduced(target, tmp_path, {"accuracy": 0.75}, edition=edition)
        before = asked("good")

        again = reproduced(target, tmp_path, {"accuracy": 0.75}, edition=edition)

        assert len(first.runs) == 2
        assert (again.judgements, asked("good")) == (first.judgements, before)

    @pytest.mark.parametrize(
        ("configuration", "own", "field"),
        [
            ({"dialect": "llamacpp"}, None, "configuration.dialect"),
            ({"precision": "fp8"}, {"precision": "int4"}, "configuration.precision"),
        ],
    )
    def test_refuses_another_configuration(self, target, tmp_path, configuration, own, field):
        with pytest.raises(ConfigurationDiffers) as refused:
            reproduced(target, tmp_path, {"accuracy": 0.75}, configuration=configuration, own=own)
        assert [error.field for error in refused.value.errors] == [field]

    def test_refuses_a_setting_that_cannot_be_measured(self, target, tmp_path):
        with pytest.raises(InvalidInput) as refused:
            reproduced(target, tmp_path, {"accuracy": 0.75}, configuration={"tools": "[]"})
        assert refused.value.errors[0].field == "configuration.tools"

    def test_refuses_a_claim_on_another_version(self, target, tmp_path):
        with pytest.raises(InvalidInput) as refused:
            reproduced(target, tmp_path, {"accuracy": 0.75}, version_id="another")
        assert refused.value.code == "other_version"
