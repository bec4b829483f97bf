from types import SimpleNamespace

import pytest

from exchange.demo.__main__ import DISCOVERY_TRIES, Demo
from llm_benchmark.errors import TimedOut


def demo_told(*dialects):
    """A demo whose endpoint is found to speak these, one discovery after the other."""
    told = iter(dialects)
    endpoints = SimpleNamespace(discover=lambda _id: SimpleNamespace(dialect=next(told)))
    return Demo(None, SimpleNamespace(endpoints=endpoints), None)


class TestDiscovery:
    endpoint = SimpleNamespace(id="1", name="SmolLM2")

    def test_is_repeated_until_the_dialect_is_known(self):
        assert demo_told("", "llamacpp")._discovered(self.endpoint).dialect == "llamacpp"

    def test_ends_with_what_to_do(self):
        with pytest.raises(TimedOut, match="answers too slowly here"):
            demo_told(*[""] * DISCOVERY_TRIES)._discovered(self.endpoint)
