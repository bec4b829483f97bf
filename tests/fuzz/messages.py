"""Requests from the descriptors of messages: valid, at the bounds, hostile, and bytes that are no message."""

import math
from uuid import UUID

from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

DEEPEST, MOST_ITEMS = 4, 3
FAR_FIELD = 12_345  # no message has it
NOT_UTF8 = b"\xc3\x28\xff"
HOSTILE = [
    "", " ", "\0", "\n", "\u202e", "\u200b", "\ufeff", "٣", "𝟙", "NaN", "1e999", "-0", "null", "{}", "%s%n",
    "{0}", "{prompt}", "../../etc/passwd", "' OR ''='", "<script>alert(1)</script>", "2026-13-40", "Bearer x",
    "http://169.254.169.254/", str(UUID(int=0)), "9" * 400, "x" * 20_000, "é" * 3000,
]  # fmt: skip
_INT32 = [0, 1, -1, 2, 100, 101, 2**31 - 1, -(2**31)]
_INT64 = [*_INT32, 2**53, 2**63 - 1, -(2**63)]
_REAL = [0.0, -0.0, 0.5, 1.0, -1.0, 1e-320, 1e308, math.inf, -math.inf, math.nan]
_TIMES = [0, 1, -1, 1_900_000_000, 253_402_300_799, 253_402_300_800, -62_135_596_801, 2**62]
_NUMBERS = {
    Field.CPPTYPE_INT32: _INT32,
    Field.CPPTYPE_INT64: _INT64,
    Field.CPPTYPE_UINT32: [0, 1, 2**32 - 1],
    Field.CPPTYPE_UINT64: [0, 1, 2**64 - 1],
    Field.CPPTYPE_BOOL: [False, True],
    Field.CPPTYPE_FLOAT: [0.0, 1.0, math.inf],
    Field.CPPTYPE_DOUBLE: _REAL,
}


def requests(method, world):
    """Bytes to send to `method`: most are messages, some have something added, a few are none."""
    whole = messages(method.input_type, world, method.name).map(lambda m: m.SerializeToString())
    broken = st.tuples(whole, _additions(method.input_type)).map(b"".join)
    return st.one_of(whole, whole, whole, broken, st.binary(max_size=200))


def huge(method):
    """One request that is large in a field of its own; None where there is no text."""
    texts = [field for field in method.input_type.fields if field.type == Field.TYPE_STRING]
    return b"".join(_delimited(field.number, b"x" * 2_000_000) for field in texts[:3]) if texts else None


def messages(descriptor, world, verb, depth=0):
    if descriptor.full_name == Timestamp.DESCRIPTOR.full_name:
        return st.builds(Timestamp, seconds=st.sampled_from(_TIMES), nanos=st.sampled_from([0, 1, 2**31 - 1]))
    if descriptor.full_name == Struct.DESCRIPTOR.full_name:
        return st.dictionaries(st.sampled_from(HOSTILE), _json(), max_size=3).map(_struct)
    make = message_factory.GetMessageClass(descriptor)
    fields = {field: _values(field, world, verb, depth) for field in descriptor.fields}
    some = {field: st.none() | values | values for field, values in fields.items() if values is not None}
    return st.fixed_dictionaries(some).map(lambda given: _filled(make(), given))


def _values(field, world, verb, depth):
    """What a field may get; None where messages are nested as deep as they go."""
    if field.message_type and depth >= DEEPEST:
        return None
    if field.message_type and field.message_type.GetOptions().map_entry:
        value = _one(field.message_type.fields_by_name["value"], world, verb, depth)
        return st.dictionaries(st.sampled_from(HOSTILE), value, max_size=MOST_ITEMS)
    one = _one(field, world, verb, depth)
    return st.lists(one, max_size=MOST_ITEMS) if field.is_repeated else one


def _one(field, world, verb, depth):
    if field.message_type:
        return messages(field.message_type, world, verb, depth + 1)
    if field.enum_type:
        known = [value.number for value in field.enum_type.values]
        return st.sampled_from([*known, *known, 9999, -1])
    if field.type == Field.TYPE_BYTES:
        return st.binary(max_size=100) | st.just(b"a,b\n1,2\n")
    if field.type == Field.TYPE_STRING:
        return _text(field, world, verb)
    return st.sampled_from(_NUMBERS[field.cpp_type])


def _text(field, world, verb):
    meant = world.meant(field.name, verb)
    other = (
        st.sampled_from(HOSTILE)
        | st.uuids(version=4).map(str)
        | st.text(st.characters(codec="utf-8"), max_size=60)
    )
    return st.one_of(st.sampled_from(meant), st.sampled_from(meant), other) if meant else other


def _json():
    leaves = st.none() | st.booleans() | st.sampled_from(_REAL) | st.sampled_from(HOSTILE)
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=2), max_leaves=5)


def _struct(values):
    made = Struct()
    made.update(values)
    return made


def _filled(message, given):
    for field, value in given.items():
        if value is None:
            continue
        if field.is_repeated and isinstance(value, dict):
            _fill_map(getattr(message, field.name), field, value)
        elif field.is_repeated:
            getattr(message, field.name).extend(value)
        elif field.message_type:
            getattr(message, field.name).CopyFrom(value)
        else:
            setattr(message, field.name, value)
    return message


def _fill_map(target, field, values):
    for key, value in values.items():
        if field.message_type.fields_by_name["value"].message_type:
            target[key].CopyFrom(value)
        else:
            target[key] = value


def _additions(descriptor):
    """A field that nobody knows, text that is no UTF-8, a wrong wire type, or half a field."""
    numbers = [field.number for field in descriptor.fields] or [FAR_FIELD]
    return st.sampled_from(numbers).flatmap(
        lambda number: st.sampled_from(
            [
                _delimited(FAR_FIELD, b"x"),
                _delimited(number, NOT_UTF8),
                _varint(number << 3 | 5) + b"\x01\x02\x03\x04",
                _varint(number << 3 | 2) + b"\x7f",
                _delimited(number, _delimited(number, b"\x0a") * 50),
            ]
        )
    )


def _delimited(number, content):
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
