import io
import re
from html import unescape

import pytest

from exchange.core.models import IdempotencyRecord
from submissions.models import Evidence, Submission
from tests.factories import submissions as f
from tests.factories.accounts import MembershipFactory, OrganizationFactory
from tests.factories.benchmarks import latency

pytestmark = pytest.mark.django_db


def lines(right=8, count=10):
    return "\n".join(f'{{"key": "q{n}", "score": {int(n < right)}}}' for n in range(count))


def upload(text, name="answers.jsonl"):
    file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    file.name = name
    return file


@pytest.fixture
def world(client):
    """A member who is logged in, a deployment, a benchmark, and the address of the claim's form."""
    membership = MembershipFactory(role="member")
    client.force_login(membership.user)
    deployment = f.deployment_of(membership.organization)
    benchmark = f.question_benchmark()

    class World:
        organization = membership.organization
        user = membership.user
        where = f"benchmark={benchmark.pk}&subject=deployment:{deployment.pk}"
        as_model = f"benchmark={benchmark.pk}&subject=organization:{membership.organization.pk}"

        @staticmethod
        def check(where=None, **fields):
            form = {"value_accuracy": "0.8", "cases": lines(), **fields}
            return client.post(f"/submit/claim?{where or World.where}", form)

        @staticmethod
        def submit(page, **fields):
            """Press the button on the page of the checks."""
            return client.post(f"/submit/results?{World.where}", hidden(page) | fields)

    World.deployment, World.benchmark = deployment, benchmark
    return World


def hidden(answer):
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    return {name: unescape(value) for name, value in found if name not in {"csrfmiddlewaretoken", "next"}}


def text_of(answer):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


class TestChoose:
    def test_sends_a_stranger_to_the_log_in_and_back(self, client):
        assert client.get("/submit")["Location"] == "/login?next=%2Fsubmit"
        assert client.get("/submit/claim?x=1")["Location"].startswith("/login?next=")

    def test_offers_ones_own_deployments_and_the_active_benchmarks(self, client, world):
        foreign = f.deployment_of(OrganizationFactory())

        html = client.get("/submit").content.decode()

        assert f"deployment:{world.deployment.pk}" in html
        assert str(foreign.pk) not in html
        assert world.benchmark.name in html

    def test_tells_viewers_that_they_cannot_submit(self, client):
        membership = MembershipFactory(role="viewer")
        client.force_login(membership.user)

        assert "You do not work for an organization yet" in text_of(client.get("/submit"))

    @pytest.mark.parametrize("query", ["", "benchmark=x", "subject=deployment:1"])
    def test_says_what_is_not_chosen(self, client, world, query):
        answer = client.get(f"/submit/claim?{query}")

        assert answer.status_code == 400
        assert "Choose" in text_of(answer)

    def test_does_not_know_another_organizations_deployment(self, client, world):
        foreign = f.deployment_of(OrganizationFactory())
        where = f"benchmark={world.benchmark.pk}&subject=deployment:{foreign.pk}"

        assert client.get(f"/submit/claim?{where}").status_code == 404

    def test_offers_no_claim_in_the_name_of_strangers(self, client, world):
        foreign = OrganizationFactory()
        where = f"benchmark={world.benchmark.pk}&subject=organization:{foreign.pk}"

        assert client.get(f"/submit/claim?{where}").status_code == 404
        MembershipFactory(user=world.user, organization=foreign, role="viewer")
        assert client.get(f"/submit/claim?{where}").status_code == 403


class TestClaim:
    def test_asks_for_each_metric_and_says_what_the_version_fixes(self, client, world):
        answer = client.get(f"/submit/claim?{world.where}")

        assert 'name="value_accuracy"' in answer.content.decode()
        assert "Temperature 0.0" in text_of(answer)

    def test_stores_nothing_when_the_checks_pass(self, world):
        answer = world.check()

        assert answer.status_code == 200
        assert "10 case results: each planned case once" in text_of(answer)
        assert not Submission.objects.exists()

    def test_takes_a_percentage_with_its_sign(self, world):
        assert hidden(world.check(value_accuracy="80 %"))["value_accuracy"] == "80 %"

    def test_keeps_all_that_was_typed_when_it_refuses(self, world):
        answer = world.check(value_accuracy="0.85", notes="Measured at home.", setting_precision="bf16")

        html = answer.content.decode()
        assert answer.status_code == 400
        assert "The mean of the 10 case results is 0.8, not 0.85." in text_of(answer)
        assert all(part in html for part in ("Measured at home.", 'value="bf16"', 'value="0.85"'))
        assert "&quot;q9&quot;" in html

    def test_brings_an_uploaded_file_back_as_text(self, world):
        answer = world.check(cases="", cases_file=upload(lines(7)))

        assert answer.status_code == 400
        assert "These are the lines of answers.jsonl" in text_of(answer)
        assert "&quot;q9&quot;" in answer.content.decode()

    def test_names_all_lines_of_a_case_that_comes_twice(self, world):
        answer = world.check(cases=lines() + '\n{"key": "q3", "score": 1}')

        assert "Case q3 stands on several lines: 4, 11. Each case counts once." in text_of(answer)

    def test_names_the_line_of_a_case_that_is_not_planned(self, world):
        answer = world.check(cases=f"\n{lines(count=9)}\n" + '{"key": "q99", "score": 0}')

        assert "Line 11: This version has no case q99." in text_of(answer)

    def test_offers_no_field_for_a_setting_that_the_version_fixes(self, client, world):
        assert "setting_temperature" not in client.get(f"/submit/claim?{world.where}").content.decode()

    def test_says_which_score_is_not_possible(self, world):
        answer = world.check(value_accuracy="0.85", cases="")

        assert "85 % is not possible with 10 cases. 8 right gives 80.0 %, 9 gives 90.0 %." in text_of(answer)

    def test_refuses_a_number_that_is_none(self, world):
        answer = world.check(value_accuracy="much")

        assert 'id="e-value_accuracy"' in answer.content.decode()

    def test_asks_for_the_model_where_there_is_no_deployment(self, world):
        answer = world.check(where=world.as_model, model_publisher="acme")

        assert answer.status_code == 400
        assert 'id="e-model_name"' in answer.content.decode()

    def test_refuses_a_version_that_was_replaced_meanwhile(self, world):
        world.benchmark.versions.update(version="2.0.0")

        assert world.check(version="1.0.0").status_code == 404
        assert world.check(version="2.0.0").status_code == 200

    def test_comes_back_with_everything_to_change_something(self, client, world):
        page = world.check(notes="Measured at home.")

        answer = client.post(f"/submit/claim?{world.where}", hidden(page) | {"change": "1"})

        assert "What you claim" in text_of(answer)
        assert "Measured at home." in answer.content.decode()

    def test_takes_the_metrics_of_a_load_profile(self, client, world):
        benchmark = f.load_benchmark(metrics=[latency("ttft_p50")])
        where = f"benchmark={benchmark.pk}&subject=deployment:{world.deployment.pk}"

        answer = client.post(f"/submit/claim?{where}", {"value_ttft_p50": "0"})

        assert "A measured time or rate is above 0." in text_of(answer)


class TestSubmitResults:
    def test_takes_in_the_claim_with_its_evidence_and_asks_for_consent(self, client, world):
        page = world.check(cases=lines().replace("\n", "\r\n"), notes="At home.")

        answer = world.submit(page, evidence=[upload("one"), upload("two", "log.txt")])

        submission = Submission.objects.get()
        assert answer["Location"] == f"/submissions/{submission.pk}/verify"
        assert sorted(submission.evidence.values_list("name", flat=True)) == ["answers.jsonl", "log.txt"]
        assert (submission.cases.count(), submission.notes) == (10, "At home.")

    def test_takes_in_a_claim_once_that_is_sent_twice(self, world):
        page = world.check()

        first, second = world.submit(page), world.submit(page)

        assert first["Location"] == second["Location"]
        assert Submission.objects.count() == 1

    def test_stores_nothing_and_names_the_file_when_one_is_refused(self, world):
        page = world.check()

        answer = world.submit(page, evidence=[upload("one"), upload(b"\x7fELF\x00\x01", "run.bin")])

        assert answer.status_code == 400
        assert "run.bin: By its content this is none of" in text_of(answer)
        assert not Submission.objects.exists()
        assert not Evidence.objects.exists()
        assert not IdempotencyRecord.objects.exists()

    def test_goes_to_the_page_of_a_claim_that_cannot_be_verified(self, client, world):
        named = {"model_publisher": "acme", "model_name": "acme-large"}
        page = world.check(where=world.as_model, **named)

        answer = client.post(f"/submit/results?{world.as_model}", hidden(page))

        submission = Submission.objects.get()
        assert answer["Location"] == f"/submissions/{submission.pk}"
        assert submission.model.name == "acme-large"

    def test_checks_once_more(self, world):
        page = world.check()

        answer = world.submit(page, value_accuracy="0.9")

        assert answer.status_code == 400
        assert not Submission.objects.exists()


class TestConsent:
    @pytest.fixture
    def submission(self, world):
        return f.make_submission(organization=world.organization, deployment=world.deployment)

    def test_says_what_is_sent_where_and_what_it_costs(self, client, submission):
        answer = client.get(f"/submissions/{submission.pk}/verify")

        assert submission.deployment.endpoint.base_url in text_of(answer)
        assert "The 10 questions of this version" in text_of(answer)
        assert 'name="accept_bound"' in answer.content.decode()

    def test_is_not_for_strangers(self, client, submission):
        client.logout()
        assert client.get(f"/submissions/{submission.pk}/verify")["Location"].startswith("/login?next=")
        client.force_login(MembershipFactory().user)
        assert client.get(f"/submissions/{submission.pk}/verify").status_code == 403

    def test_starts_the_verification(self, client, submission):
        bound = hidden_bound(client.get(f"/submissions/{submission.pk}/verify"))

        answer = client.post(f"/submissions/{submission.pk}/verify", {"accept_bound": bound})

        assert answer["Location"] == f"/submissions/{submission.pk}"
        assert submission.verifications.get().status == "requested"

    def test_explains_a_refusal_on_the_same_page(self, client, submission):
        answer = client.post(f"/submissions/{submission.pk}/verify", {"accept_bound": "old"})

        assert answer.status_code == 409
        assert "Have it measured again" in text_of(answer)
        assert not submission.verifications.exists()

    def test_leads_to_the_measurement_that_is_already_running(self, client, submission):
        f.make_verification(submission)

        assert client.get(f"/submissions/{submission.pk}/verify")["Location"] == (
            f"/submissions/{submission.pk}"
        )

    def test_says_why_there_is_nothing_to_measure(self, client, world):
        bare = f.make_submission(organization=world.organization, deployment=None)

        assert "This claim names no deployment" in text_of(client.get(f"/submissions/{bare.pk}/verify"))


def hidden_bound(answer):
    return re.search(r'name="accept_bound" value="(\w+)"', answer.content.decode())[1]


class TestAddEvidence:
    def test_adds_a_file_to_ones_own_claim(self, client, world):
        submission = f.make_submission(organization=world.organization, deployment=world.deployment)

        answer = client.post(f"/submissions/{submission.pk}/evidence", {"content": upload("one")})

        assert answer["Location"] == f"/submissions/{submission.pk}#files"
        assert submission.evidence.get().name == "answers.jsonl"

    def test_refuses_strangers_and_nothing(self, client, world):
        foreign = f.make_submission()
        own = f.make_submission(organization=world.organization, deployment=world.deployment)

        assert client.post(f"/submissions/{foreign.pk}/evidence", {"content": upload("x")}).status_code == 403
        assert client.post(f"/submissions/{own.pk}/evidence").status_code == 400


class TestMethodology:
    def test_says_the_numbers_of_the_code(self, client):
        said = text_of(client.get("/methodology"))

        assert "n is at least 149" in said
        assert "p95 from 72 successful requests on, p99 from 368" in said
        assert "Confirmed: the claim of 86.0 % holds." in said
        assert "Refuted: claimed 93.1 %, measured 89.3 %." in said

    def test_says_how_few_sessions_and_saturated_ones_are_judged(self, client):
        said = text_of(client.get("/methodology"))

        assert "Refuted , with fewer than 5 sessions: the whole 99 % interval" in said
        assert "nothing is refuted, understated or confirmed, only consistent or inconclusive" in said
        assert "later than 10 % of the time to the first token" in said

    def test_says_how_rows_are_compared(self, client):
        said = text_of(client.get("/methodology"))

        assert "McNemar’s exact test" in said
        assert "covers at least 90 %" in said
        assert "the adjusted p-value is below 0.05" in said
