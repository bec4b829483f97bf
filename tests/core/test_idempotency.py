from datetime import timedelta

import pytest
from django.db.models.functions import Now

from exchange.core import idempotency
from exchange.core.models import IdempotencyRecord
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db
BODY = {"slug": "acme", "name": "Acme", "type": "enterprise"}


@pytest.fixture
def client(api_as):
    return api_as(UserFactory())


def post(client, body, key):
    return client.post("/api/v1/organizations", body, HTTP_IDEMPOTENCY_KEY=key)


def test_same_key_and_body_give_the_same_answer_once(client):
    first, second = post(client, BODY, "k1"), post(client, BODY, "k1")

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()


def test_same_key_and_other_body_are_refused(client):
    post(client, BODY, "k1")

    answer = post(client, {**BODY, "slug": "other"}, "k1")

    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_mismatch")


def test_a_refused_request_does_not_use_up_its_key(client):
    refused = post(client, {**BODY, "type": "nonsense"}, "k1")
    accepted = post(client, BODY, "k1")

    assert (refused.status_code, accepted.status_code) == (400, 201)


def test_two_people_may_use_the_same_key(client, api_as):
    post(client, BODY, "k1")

    assert post(api_as(UserFactory()), {**BODY, "slug": "other"}, "k1").status_code == 201


def test_a_stored_secret_cannot_be_read_from_the_table(client):
    answer = client.post(
        "/api/v1/tokens", {"name": "ci", "scopes": ["benchmarks:read"]}, HTTP_IDEMPOTENCY_KEY="k1"
    )

    stored = bytes(IdempotencyRecord.objects.get().answer)
    assert answer.json()["secret"].encode() not in stored


def test_keys_are_forgotten_after_a_week(client):
    post(client, BODY, "old")
    post(client, {**BODY, "slug": "other"}, "new")
    old = IdempotencyRecord.objects.order_by("pk").first()
    IdempotencyRecord.objects.filter(pk=old.pk).update(created_at=Now() - timedelta(days=7, seconds=1))

    assert idempotency.forget_old_keys() == 1
    assert IdempotencyRecord.objects.count() == 1
    assert post(client, {**BODY, "slug": "other"}, "new").status_code == 201
