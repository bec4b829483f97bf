import pytest
from django.db import DatabaseError, transaction

from exchange.core import audit, events
from exchange.core.actors import SYSTEM
from exchange.core.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def chain():
    for number in range(3):
        events.publish("thing.counted", actor=SYSTEM, number=number, share=0.1, text="é")
    return list(AuditEntry.objects.order_by("sequence"))


def test_each_entry_names_the_one_before(chain):
    assert [entry.sequence for entry in chain] == [1, 2, 3]
    assert [entry.previous_digest for entry in chain] == [audit.FIRST, chain[0].digest, chain[1].digest]
    assert audit.first_broken(chain) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("facts", {"number": 7}), ("kind", "thing.forged"), ("sequence", 9), ("previous_digest", "1" * 64)],
)
def test_finds_the_entry_that_was_altered(chain, field, value):
    setattr(chain[1], field, value)
    assert audit.first_broken(chain) is chain[1]


def test_finds_a_missing_entry(chain):
    assert audit.first_broken([chain[0], chain[2]]) is chain[2]


@pytest.mark.parametrize("change", ["UPDATE core_auditentry SET kind = 'x'", "DELETE FROM core_auditentry"])
def test_the_database_refuses_to_change_the_chain(chain, change):
    from django.db import connection

    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(change)
