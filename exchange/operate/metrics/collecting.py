"""The figures as Prometheus's text."""

from collections.abc import Iterable
from typing import Any

from django.db import connection
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from exchange.core.actors import SYSTEM
from exchange.core.tenancy import acting_for

from . import questions
from .figures import FIGURES, PREFIX

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
STATEMENT_MILLISECONDS = 5000


class _Database(Collector):
    def collect(self) -> Iterable[GaugeMetricFamily]:
        families = {
            one.name: GaugeMetricFamily(PREFIX + one.name, one.help, labels=one.labels) for one in FIGURES
        }
        with acting_for(SYSTEM), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(STATEMENT_MILLISECONDS)])

            def ask(statement: str, **values: Any) -> questions.Rows:
                cursor.execute(statement, values)
                return cursor.fetchall()

            for sample in questions.all_of(ask):
                families[sample.name].add_metric(sample.labels, float(sample.value))
        return families.values()


_registry = CollectorRegistry(auto_describe=False)
_registry.register(_Database())


def text() -> bytes:
    """Raises DeadlineExceeded when a statement takes longer than 5 s."""
    return generate_latest(_registry)
