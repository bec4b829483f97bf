"""Keys of the ring are changed beside a site at work, and nothing sealed is lost by it."""

import io
import json
import threading

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from exchange.accounts.models import Invitation
from exchange.accounts.secrets import digest_of, invitation_secret
from exchange.core import envelopes, idempotency
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry, IdempotencyRecord
from exchange.core.tenancy import acting_for
from exchange.operate import keys
from submissions.endpoints import credentials
from submissions.endpoints.models import Endpoint, EndpointCredential
from tests.factories.accounts import InvitationFactory
from tests.factories.endpoints import KEY, EndpointFactory

NEW = {"new": envelopes.new_key()}
LOST = "UPDATE endpoints_endpointcredential SET sealed_key = 'x' WHERE id = (SELECT id FROM"
LOST += " endpoints_endpointcredential LIMIT 1)"


@pytest.fixture
def endpoints(db, monkeypatch):
    """Three with a key each, and a ring to which a new key was added that now seals."""
    monkeypatch.setattr(keys, "ROWS_A_TRANSACTION", 2)
    made = EndpointFactory.create_batch(3, key=KEY)
    monkeypatch.setattr(settings, "KEYRING", {**settings.KEYRING, **NEW})
    monkeypatch.setattr(settings, "KEYRING_ACTIVE", "new")
    return made


def run(name, *arguments):
    out = io.StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def opened():
    with acting_for(SYSTEM):
        return [credentials.open_key(endpoint) for endpoint in Endpoint.objects.all()]


def lose_one():
    with acting_for(SYSTEM), connection.cursor() as cursor:
        cursor.execute(LOST)


class TestRotateKeys:
    def test_seals_everything_by_the_active_key(self, endpoints, monkeypatch):
        assert "key of an endpoint: 3 sealed anew, 0 were already, 0 do not open" in run("rotate_keys")
        assert keys.keys_in_use() == {"new": 3}
        monkeypatch.setattr(settings, "KEYRING", NEW)
        assert opened() == [KEY] * 3

    def test_says_which_key_may_be_taken_out(self, endpoints):
        assert "The key test seals nothing. If it is new, set EXCHANGE_KEYRING_ACTIVE=test," in run(
            "rotate_keys"
        )

    def test_finds_nothing_to_do_when_it_is_repeated(self, endpoints):
        run("rotate_keys")
        assert "0 sealed anew, 3 were already" in run("rotate_keys")

    def test_does_the_others_where_one_does_not_open(self, endpoints):
        lose_one()
        with pytest.raises(CommandError, match="1 do not open with this ring"):
            run("rotate_keys")
        assert keys.keys_in_use() == {"new": 2, "": 1}

    def test_keeps_a_key_in_the_ring_that_still_seals(self, endpoints, monkeypatch):
        run("rotate_keys")
        monkeypatch.setattr(settings, "KEYRING_ACTIVE", "test")
        credentials_of_old = EndpointFactory(key=KEY)
        monkeypatch.setattr(settings, "KEYRING_ACTIVE", "new")
        monkeypatch.setattr(keys, "rotate", lambda: ())
        assert credentials_of_old
        assert "seals nothing" not in run("rotate_keys")

    def test_seals_kept_answers_too(self, endpoints, monkeypatch):
        monkeypatch.setattr(settings, "KEYRING_ACTIVE", "test")
        row = IdempotencyRecord(actor_id=endpoints[0].organization_id, key_digest="k")
        row.answer = envelopes.seal(b"{}", bound_to=idempotency.binding_of(row))
        row.save()
        monkeypatch.setattr(settings, "KEYRING_ACTIVE", "new")
        assert "kept answer: 1 sealed anew, 0 were already" in run("rotate_keys")


class TestRotationBesideWriters:
    pytestmark = pytest.mark.django_db(transaction=True)

    def test_does_not_put_an_earlier_key_back(self, endpoints):
        """Somebody stores another key, and commits once the rotation waits for that row."""
        endpoint, stored = endpoints[0], threading.Event()

        def store():
            with transaction.atomic(), acting_for(SYSTEM):
                credentials.store_key(endpoint, "sk-another-key")
                stored.set()
                until_somebody_waits()
            connection.close()

        writer = threading.Thread(target=store)
        writer.start()
        stored.wait()
        run("rotate_keys")
        writer.join()
        assert sorted(opened()) == sorted(["sk-another-key", KEY, KEY])
        assert keys.keys_in_use() == {"new": 3}


def until_somebody_waits():
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')"
    for _try in range(3000):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_sleep(0.01), ({waiting})")
            if cursor.fetchone()[1]:
                return


class TestForgetCredentials:
    def test_deletes_nothing_until_it_is_told_to(self, endpoints):
        lose_one()
        assert "Nothing was deleted" in run("forget_credentials")
        with acting_for(SYSTEM):
            assert EndpointCredential.objects.count() == 3

    def test_deletes_what_no_key_opens_and_tells_the_chain(self, endpoints):
        lose_one()
        said = run("forget_credentials", "--yes")
        assert "does not open" in said
        assert "1 deleted" in said
        assert sorted(opened(), key=str) == [None, KEY, KEY]
        assert AuditEntry.objects.filter(kind="endpoint.key_forgotten").count() == 1

    def test_keeps_a_key_that_is_entered_meanwhile(self, endpoints, monkeypatch):
        lose_one()
        look = keys.shut_rows

        def entered_after(sealed):
            found = list(look(sealed))
            for endpoint in Endpoint.objects.filter(credential__in=[pk for pk, _why in found]):
                credentials.store_key(endpoint, "sk-entered-anew")
            return found

        monkeypatch.setattr(keys, "shut_rows", entered_after)
        assert keys.forget_shut() == 0
        assert sorted(opened()) == sorted(["sk-entered-anew", KEY, KEY])

    def test_says_so_where_every_key_opens(self, endpoints):
        assert run("forget_credentials") == "Every key of an endpoint opens with this ring.\n"

    def test_names_the_key_that_is_missing(self, endpoints, monkeypatch):
        monkeypatch.setattr(settings, "KEYRING", NEW)
        said = run("forget_credentials")
        assert said.count("is sealed by the key test, which is not in the ring") == 3


class TestMakeKey:
    def test_prints_an_entry_that_seals(self, monkeypatch):
        ring = json.loads(run("make_key", "k1"))
        monkeypatch.setattr(settings, "KEYRING", ring)
        monkeypatch.setattr(settings, "KEYRING_ACTIVE", "k1")
        assert envelopes.open_sealed(envelopes.seal(b"s", bound_to="row"), bound_to="row") == b"s"

    def test_takes_no_name_that_the_ring_has(self):
        (name,) = settings.KEYRING
        with pytest.raises(CommandError, match=f"The ring has a key {name} already"):
            run("make_key", name)

    def test_makes_another_each_time(self):
        assert run("make_key") != run("make_key")


class TestSecretKeyFallbacks:
    def test_keep_invitations_good_that_are_mailed_after_the_change(self, db, monkeypatch):
        invitation = InvitationFactory()
        monkeypatch.setattr(settings, "SECRET_KEY_FALLBACKS", [settings.SECRET_KEY])
        monkeypatch.setattr(settings, "SECRET_KEY", "changed")
        row = Invitation.objects.get(pk=invitation.pk)
        assert digest_of(invitation_secret(row.pk, digest=row.digest)) == row.digest
        assert digest_of(invitation_secret(row.pk)) != row.digest
