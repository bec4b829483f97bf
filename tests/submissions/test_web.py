import pytest

from tests.factories import submissions as f
from tests.factories.accounts import MembershipFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client):
    membership = MembershipFactory(role="member")
    client.force_login(membership.user)
    return membership


@pytest.fixture
def own(member):
    return f.make_submission(organization=member.organization)


class TestSubmissions:
    def test_ignores_what_others_hang_on_to_links(self, client):
        assert client.get("/submissions?utm_source=letter").status_code == 200

    def test_refuses_a_verdict_that_there_is_not(self, client):
        assert client.get("/submissions?verdict=splendid").status_code == 400


class TestSubmissionPage:
    def test_leads_its_owner_to_the_consent(self, client, own):
        html = client.get(f"/submissions/{own.pk}").content.decode()

        assert f'href="/submissions/{own.pk}/verify"' in html

    def test_offers_strangers_neither_consent_nor_files(self, client):
        claim = f.make_submission()
        html = client.get(f"/submissions/{claim.pk}").content.decode()

        assert "/verify" not in html
        assert "/evidence" not in html

    def test_leads_from_the_verdict_to_its_rule(self, client, own):
        f.decided(own)

        assert 'href="/methodology#quality"' in client.get(f"/submissions/{own.pk}").content.decode()

    def test_shows_what_each_group_of_cases_came_to(self, client, own):
        scores = {"accuracy": 0.5, "low": 0.1, "high": 0.9, "confidence": 0.95, "answered_accuracy": None}
        group = {"group": "<algebra>", "sample_count": 4, "answered_count": 0, **scores}
        f.decided(own).runs.update(findings={"groups": [group]})

        html = client.get(f"/submissions/{own.pk}").content.decode()

        section = html.partition('id="groups"')[2].partition("</section>")[0]
        assert "&lt;algebra&gt;" in section
        assert "50.0\u00a0%" in section

    def test_is_asked_again_while_it_is_measured(self, client, own):
        f.make_verification(own)

        html = client.get(f"/submissions/{own.pk}").content.decode()

        assert f'data-poll="/submissions/{own.pk}/progress"' in html
        assert "Refresh this page" in html


class TestProgress:
    def test_shows_each_session_and_when_it_ends_is_not_known_yet(self, client, own):
        verification = f.make_verification(own)
        f.start(verification.runs.get())

        html = client.get(f"/submissions/{own.pk}/progress").content.decode()

        assert "0 of 10 done." in html
        assert "Too little is done to say when it ends." in html

    def test_says_when_a_worker_was_lost_and_never_takes_calls_for_workers(self, client, own):
        run = f.make_verification(own).runs.get()
        f.start(run)
        assert "was lost" not in client.get(f"/submissions/{own.pk}/progress").content.decode()
        type(run).objects.update(fence=2)

        html = client.get(f"/submissions/{own.pk}/progress").content.decode()

        assert "worker 2: the one before it was lost" in html

    def test_says_when_it_is_over(self, client, own):
        f.decided(own)

        assert "data-done" in client.get(f"/submissions/{own.pk}/progress").content.decode()


class TestWithdraw:
    def test_takes_the_claim_back_with_its_reason(self, client, own):
        answer = client.post(f"/submissions/{own.pk}/withdraw", {"reason": "Wrong precision named."})

        own.refresh_from_db()
        assert (answer.status_code, own.status) == (302, "withdrawn")

    def test_names_a_reason_that_is_too_short(self, client, own):
        answer = client.post(f"/submissions/{own.pk}/withdraw", {"reason": "oops"})

        own.refresh_from_db()
        assert (answer.status_code, own.status) == (400, "accepted")
