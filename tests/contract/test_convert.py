"""The converter loses nothing and lets nothing pass that the other side does not know."""

import pytest
from google.protobuf.json_format import ParseError

from exchange.api.convert import enum_prefix, to_data, to_message
from exchange.api.pb import benchmarks_pb2 as pb

from .doors import messages

ENUMS = sorted(
    {e for message in messages().values() for e in message.file.enum_types_by_name.values()},
    key=lambda enum: enum.name,
)
NESTED = {
    "id": "5f6c1b1e-0000-4000-8000-000000000000",
    "kind": "quality",
    "status": "under_review",
    "content_hash": None,
    "cases_public": True,
    "generation": {"temperature": 0.0, "seed": 2**53 + 1, "max_tokens": None, "stop": ["\n"]},
    "metrics": [
        {"name": "accuracy", "direction": "higher_is_better", "kind": "proportion", "minimum": 0.0},
        {"name": "latency", "direction": "lower_is_better", "kind": "percentile", "maximum": None},
    ],
    "policy": {"tolerances": {"accuracy": 0.25}, "deciding_metrics": ["accuracy"]},
    "created_at": "2026-11-01T12:00:00Z",
}


def without_nulls(data):
    if isinstance(data, dict):
        return {name: without_nulls(value) for name, value in data.items() if value is not None}
    return [without_nulls(item) for item in data] if isinstance(data, list) else data


class TestConversion:
    def test_round_trip_keeps_enums_nested_messages_and_64_bit_numbers(self):
        data = {**NESTED, "status": "superseded"}

        assert to_data(to_message(pb.BenchmarkVersion, data)) == without_nulls(data)

    def test_keeps_a_zero_where_zero_means_something(self):
        message = to_message(pb.Metric, {"minimum": 0.0})

        assert to_data(message) == {"minimum": 0.0}

    def test_keeps_maps_and_structs_as_they_are(self):
        data = {"choices": {"A": "x"}, "scorer_config": {"abs_tolerance": 0.5, "flag": True}}

        assert to_data(to_message(pb.TestCase, data)) == data

    def test_refuses_a_field_that_the_message_lacks(self):
        with pytest.raises(ParseError, match="secret"):
            to_message(pb.Benchmark, {"secret": 1})

    def test_refuses_a_nested_field_that_the_message_lacks(self):
        with pytest.raises(ParseError, match="secret"):
            to_message(pb.BenchmarkVersion, {"metrics": [{"secret": 1}]})

    def test_refuses_an_enum_value_that_the_proto_lacks(self):
        with pytest.raises(ParseError, match="VERY_PUBLIC"):
            to_message(pb.Benchmark, {"visibility": "very_public"})


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.name)
def test_enum_values_share_the_prefix_that_zero_names(enum):
    prefix = enum_prefix(enum)

    assert enum.values_by_number[0].name == f"{prefix}UNSPECIFIED"
    assert all(value.name.startswith(prefix) for value in enum.values)
