import pytest

from exchange.core.storable import DEEPEST, unstorable


def nested(depth):
    return [nested(depth - 1)] if depth else 1


def found(data):
    return [(error.field, error.code) for error in unstorable(data)]


class TestUnstorable:
    @pytest.mark.parametrize(
        ("data", "where"),
        [
            ({"a": "x\0"}, ("a", "null_characters_not_allowed")),
            ({"a": [{"b": "\ud800"}]}, ("a[0].b", "surrogate_characters_not_allowed")),
            ({"a": {"b\0": 1}}, ("a", "null_characters_not_allowed")),
            ({"a": {"\udfff": 1}}, ("a", "surrogate_characters_not_allowed")),
            ({"a": {"b": float("nan")}}, ("a.b", "not_finite")),
            ({"a": [1.0, float("-inf")]}, ("a[1]", "not_finite")),
        ],
        ids=ascii,
    )
    def test_names_the_field(self, data, where):
        assert found(data) == [where]

    def test_names_each_field_that_is_wrong(self):
        assert [field for field, _code in found({"a": "\0", "b": "fine", "c": "\0"})] == ["a", "c"]

    def test_stops_where_the_nesting_is_too_deep(self):
        assert found(nested(DEEPEST)) == []
        assert [code for _field, code in found(nested(DEEPEST + 1))] == ["nested_too_deeply"]

    def test_keeps_text_of_every_plane_and_bytes(self):
        assert found({"é": "日本 🙂", "content": b"\0", "n": 10**30, "none": None}) == []
