"""Two at the same time, on connections of their own."""

import hashlib
import uuid
from functools import partial
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from exchange.accounts.api.grpc import OrganizationService
from exchange.accounts.models import Organization
from exchange.api.pb import users_pb2
from exchange.core import audit, events
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry, IdempotencyRecord
from submissions.models import Evidence
from tests.factories.accounts import MembershipFactory, UserFactory, token_for
from tests.factories.submissions import make_submission
from tests.rpc import call
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
BODY = {"slug": "acme", "name": "Acme", "type": "enterprise"}
AT_ONCE = 4


@pytest.fixture
def token():
    return token_for(UserFactory())


def post(token, path, data, key="k1", **options):
    """Without the test client's fixtures, which are not for threads."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    return Client(raise_request_exception=False).post(f"/api/v1/{path}", data, headers=headers, **options)


class TestOneKey:
    def test_makes_one_row_and_one_answer_over_rest(self, token):
        send = partial(post, token, "organizations", BODY, content_type="application/json")

        answers = together(*[send] * AT_ONCE)

        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
        assert (Organization.objects.count(), IdempotencyRecord.objects.count()) == (1, 1)

    def test_makes_one_row_and_one_answer_over_grpc(self, token):
        request = users_pb2.CreateOrganizationRequest(**{**BODY, "type": "ORGANIZATION_TYPE_ENTERPRISE"})

        def send():
            create = OrganizationService().CreateOrganization
            return call(create, request, token=token, key="k1", answer_class=users_pb2.Organization)

        answers = together(*[send] * AT_ONCE)

        assert len({answer.id for answer in answers}) == 1
        assert Organization.objects.count() == 1

    def test_lets_one_of_two_different_requests_through(self, token):
        sends = [
            partial(post, token, "organizations", {**BODY, "slug": slug}, content_type="application/json")
            for slug in ("one", "two")
        ]

        answers = together(*sends)

        assert sorted(answer.status_code for answer in answers) == [201, 422]
        assert Organization.objects.count() == 1

    def test_makes_one_row_of_a_file_that_is_sent_twice(self, settings, tmp_path):
        settings.EVIDENCE_URL = tmp_path.as_uri()
        submission, user = make_submission(), UserFactory()
        MembershipFactory(user=user, organization=submission.organization)
        token, digest = token_for(user), hashlib.sha256(b"ok").hexdigest()

        def send():
            form = {"file": SimpleUploadedFile("a.txt", b"ok"), "sha256": digest}
            return post(token, f"submissions/{submission.pk}/evidence", form)

        answers = together(*[send] * AT_ONCE)

        assert [answer.status_code for answer in answers] == [201] * AT_ONCE
        assert len({answer.content for answer in answers}) == 1
        assert Evidence.objects.count() == 1

    @pytest.mark.parametrize("form", [{}, {"sha256": "x"}])
    def test_is_no_stumbling_block_for_a_form_without_a_file(self, token, form):
        submission = make_submission()

        answer = post(token, f"submissions/{submission.pk}/evidence", form)

        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


class TestAuditChain:
    def test_has_no_gap_when_facts_are_published_at_the_same_time(self):
        def publish(number, *, undone):
            with transaction.atomic():
                events.publish("thing.counted", actor=SYSTEM, number=number)
                transaction.set_rollback(undone)

        together(*[partial(publish, number, undone=number % 3 == 0) for number in range(9)])

        entries = list(AuditEntry.objects.order_by("sequence"))
        assert [entry.sequence for entry in entries] == list(range(1, 7))
        assert audit.first_broken(entries) is None


def verified():
    out = StringIO()
    call_command("verify_audit_chain", stdout=out)
    return out.getvalue().strip()


class TestVerifyAuditChain:
    @pytest.fixture(autouse=True)
    def chain(self):
        for number in (1, 1.0, 1e22, -0.0, 1e-7, 0.1 + 0.2, 5e-324, 1.7e308):
            events.publish("thing.counted", actor=SYSTEM, number=number, at=[{"number": number}])

    def test_says_how_many_entries_it_read(self):
        assert verified() == "8 entries, unbroken"

    @pytest.mark.parametrize("sequence", [9, 10])
    def test_names_the_first_entry_that_does_not_follow(self, sequence):
        last = AuditEntry.objects.order_by("sequence").last()
        last.sequence, last.event_id, last.previous_digest = sequence, uuid.uuid4(), last.digest
        last.digest = audit.digest_of(last)[::-1] if sequence == 9 else audit.digest_of(last)
        last.save(force_insert=True)

        with pytest.raises(CommandError, match=f"broken at entry {sequence} "):
            verified()
