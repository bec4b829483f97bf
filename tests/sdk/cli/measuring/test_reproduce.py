import pytest

from tests.factories.accounts import OrganizationFactory
from tests.factories.benchmarks import active_benchmark
from tests.factories.submissions import decided, deployment_of, make_submission
from tests.sdk.conftest import KEY
from tests.sdk.home import editions as e

pytestmark = [pytest.mark.django_db, pytest.mark.sockets]


@pytest.fixture
def claim():
    """`claim(30)`: of 30 right cases out of 40, with results for each."""
    benchmark = active_benchmark(test_cases=e.CASES, cases_public=True, generation=e.GENERATION)

    def make(right, **changes):
        cases = [
            {"key": one["key"], "score": float(n < right), "answer_digest": None}
            for n, one in enumerate(e.CASES)
        ]
        stated = [{"name": "accuracy", "value": right / e.COUNT, "sample_count": None}]
        form = {"benchmark": benchmark, "deployment": None, "claims": stated, "cases": cases}
        return make_submission(**{**form, **changes})

    return make


@pytest.fixture
def reproduce(call, exchange, simulator, tmp_path):
    def run(submission, *more, **how):
        endpoint = ("--url", simulator.base_url, "-m", "good", "--key-file", "-", "--allow-local")
        arguments = ("reproduce", submission.pk, *endpoint, "--out", tmp_path / "again", *more)
        return call(*arguments, http=exchange, piped=f"{KEY}\n", **how)

    return run


class TestReproduce:
    def test_says_in_words_that_a_claim_is_borne_out(self, reproduce, claim):
        ended = reproduce(claim(30), is_watched=True)

        assert ended.code == 0, ended.err
        assert "Consistent\x1b[0m" in ended.out
        assert ": 75.0\u00a0% is claimed and you measured 75.0\u00a0%." in ended.out
        assert "◇ claimed" in ended.out
        assert "two samples were compared" in " ".join(ended.out.split())
        assert "40 case results are not shown" in ended.out
        assert KEY not in ended.out + ended.err

    def test_refutes_by_the_exit_code(self, reproduce, claim):
        ended = reproduce(claim(40), "-o", "json")

        assert ended.code == 9
        assert ended.json["verdict"] == "refuted"
        assert ended.json["judgements"][0]["reasons"][0]["text"]

    def test_compares_case_by_case_where_a_verification_shows_the_cases(self, reproduce, claim):
        organization = OrganizationFactory()
        served = deployment_of(organization)
        verified = decided(claim(30, organization=organization, deployment=served), right=30)

        ended = reproduce(verified.submission, "-o", "json")

        assert ended.code == 0, ended.err
        assert ended.json["judgements"][0]["rule"] == "paired"

    def test_gives_pipes_what_verify_gives_them(self, reproduce, claim):
        facts = dict(line.split("\t") for line in reproduce(claim(40)).out.splitlines())

        assert facts["verdict"] == facts["accuracy_verdict"] == "refuted"
        assert (facts["accuracy_claimed"], facts["accuracy_measured"]) == ("1.0", "0.75")

    def test_names_its_own_option_where_a_setting_has_no_value(self, reproduce, claim):
        ended = reproduce(claim(30), "--own", "precision")

        assert ended.code == 2
        assert "--own: 'precision' is not NAME=VALUE" in ended.err

    def test_refuses_another_configuration(self, reproduce, claim):
        ended = reproduce(claim(30, configuration={"precision": "fp8"}), "--own", "precision=int4")

        assert ended.code == 6
        assert "configuration.precision: Claimed with precision fp8, and yours is int4." in ended.err
