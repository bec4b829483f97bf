"""Plain data <-> protobuf. Strict: a field the other side lacks is an error, not a loss."""

import base64
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from django.utils.translation import gettext as _
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import ParseDict
from google.protobuf.message import DecodeError, Message
from google.protobuf.struct_pb2 import ListValue, Struct
from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.unknown_fields import UnknownFieldSet

from exchange.core.errors import FieldError, InvalidInput

M = TypeVar("M", bound=Message)
_INT64 = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
_OPAQUE = "google.protobuf."
# Anybody may send anything: what is wrong is looked for where that costs little.
_LARGEST_SEARCHED, _DEEPEST_SEARCHED, _MOST_NAMED = 1 << 20, 16, 100


def read(message_class: type[M], raw: bytes) -> M:
    """The message that came over the wire.

    Raises:
        InvalidInput: the bytes are no such message; it names strings that are not UTF-8.
    """
    try:
        return message_class.FromString(raw)
    except DecodeError as error:
        message = _("The message cannot be read: %s") % error
        is_searched = len(raw) <= _LARGEST_SEARCHED
        found = _not_text(message_class.DESCRIPTOR, raw, "") if is_searched else ()
        wrong = list(islice(found, _MOST_NAMED))
        raise InvalidInput(message, errors=wrong or [FieldError("", "malformed_message", message)]) from error


def to_data(message: Message) -> dict[str, Any]:
    """A request as a form's data; what was left out stays left out."""
    return {field.name: _plain(field, value) for field, value in message.ListFields()}


def to_message(message_class: type[M], data: Mapping[str, Any]) -> M:
    """A serializer's data as a message. Raises ParseError for a field the message lacks."""
    return ParseDict(_spelled(data, message_class.DESCRIPTOR), message_class())


def enum_prefix(enum: EnumDescriptor) -> str:
    """`SUBMISSION_STATUS_UNSPECIFIED` names the prefix `SUBMISSION_STATUS_`."""
    return str(enum.values_by_number[0].name).removesuffix("UNSPECIFIED")


def _plain(field: FieldDescriptor, value: Any) -> Any:
    if _is_map(field):
        kind = field.message_type.fields_by_name["value"]
        return {key: _plain_one(kind, item) for key, item in value.items()}
    return [_plain_one(field, item) for item in value] if field.is_repeated else _plain_one(field, value)


def _plain_one(field: FieldDescriptor, value: Any) -> Any:
    if field.enum_type:
        known = field.enum_type.values_by_number.get(value)
        return known.name.removeprefix(enum_prefix(field.enum_type)).lower() if known else str(value)
    if isinstance(value, Struct):
        return _plain_struct(value)
    if isinstance(value, Timestamp):
        return _plain_time(value)
    return to_data(value) if isinstance(value, Message) else value


def _plain_time(value: Timestamp) -> str:
    """What is beyond all years is passed on as the numbers that it is: the form names the field."""
    try:
        return value.ToJsonString()
    except ValueError:
        return f"{value.seconds} s {value.nanos} ns"


def _plain_struct(value: Any) -> Any:
    """Struct knows no whole numbers; JSON does."""
    if isinstance(value, Struct):
        return {name: _plain_struct(item) for name, item in value.items()}
    if isinstance(value, ListValue):
        return [_plain_struct(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _spelled(data: Mapping[str, Any], descriptor: Descriptor) -> dict[str, Any]:
    """Enums, bytes and 64-bit numbers as protobuf's JSON spells them, all the way down."""
    out = {}
    for name, value in data.items():
        field = descriptor.fields_by_name.get(name)
        if field is None:
            out[name] = value  # ParseDict refuses it, by name
        elif isinstance(value, list) and not _is_opaque(field):
            out[name] = [_spelled_one(field, item) for item in value]
        else:
            out[name] = _spelled_one(field, value)
    return out


def _spelled_one(field: FieldDescriptor, value: Any) -> Any:
    if value is None or _is_opaque(field):
        return value
    if field.message_type and isinstance(value, Mapping):
        return _spelled(value, field.message_type)
    if field.enum_type:
        return enum_prefix(field.enum_type) + str(value).upper()
    if field.type == FieldDescriptor.TYPE_BYTES:
        return base64.b64encode(value).decode()
    return str(value) if field.cpp_type in _INT64 else value


def _is_map(field: FieldDescriptor) -> bool:
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def _is_opaque(field: FieldDescriptor) -> bool:
    """Maps, structs and timestamps: their JSON is the same on both sides."""
    return _is_map(field) or bool(field.message_type and field.message_type.full_name.startswith(_OPAQUE))


def _not_text(descriptor: Descriptor, raw: bytes, path: str, depth: int = 0) -> Iterator[FieldError]:
    """protobuf says that some string is not UTF-8, but not which."""
    try:
        parts = UnknownFieldSet(Empty.FromString(raw))
    except DecodeError:
        return
    for part in parts:
        field = descriptor.fields_by_number.get(part.field_number)
        if field is None or not isinstance(part.data, bytes):
            continue
        here = f"{path}.{field.name}" if path else field.name
        if field.message_type and depth < _DEEPEST_SEARCHED:
            yield from _not_text(field.message_type, part.data, here, depth + 1)
        elif field.type == FieldDescriptor.TYPE_STRING and not _is_utf8(part.data):
            yield FieldError(here, "not_utf8", _("This is not UTF-8."))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
