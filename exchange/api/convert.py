"""Plain data <-> protobuf. Strict: a field the other side lacks is an error, not a loss."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
Translate = Callable[[FieldDescriptor, Any], Any]
_INT64 = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
_OPAQUE = "google.protobuf."


def to_message(message_class: type[M], data: Mapping[str, Any]) -> M:
    """A serializer's data as a message. Raises ParseError for a field the message lacks."""
    return ParseDict(_map(data, message_class.DESCRIPTOR, _to_proto), message_class())


def to_data(message: Message) -> dict[str, Any]:
    """A request as a form's data; what was left out stays left out."""
    data = MessageToDict(message, preserving_proto_field_name=True)
    return _map(data, message.DESCRIPTOR, _to_python)


def enum_prefix(enum: EnumDescriptor) -> str:
    """`SUBMISSION_STATUS_UNSPECIFIED` names the prefix `SUBMISSION_STATUS_`."""
    return str(enum.values_by_number[0].name).removesuffix("UNSPECIFIED")


def _to_proto(field: FieldDescriptor, value: Any) -> Any:
    if field.enum_type:
        return enum_prefix(field.enum_type) + str(value).upper()
    if field.type == FieldDescriptor.TYPE_BYTES:
        return base64.b64encode(value).decode()
    return str(value) if field.cpp_type in _INT64 else value


def _to_python(field: FieldDescriptor, value: Any) -> Any:
    if field.enum_type:
        return str(value).removeprefix(enum_prefix(field.enum_type)).lower()
    if field.type == FieldDescriptor.TYPE_BYTES:
        return base64.b64decode(value)
    return int(value) if field.cpp_type in _INT64 else value


def _map(data: Mapping[str, Any], descriptor: Descriptor, translate: Translate) -> dict[str, Any]:
    """Copy `data`, translating enums, bytes and 64-bit numbers, descending into messages."""

    def one(field: FieldDescriptor, value: Any) -> Any:
        if value is None or _is_opaque(field):
            return value
        if field.message_type and isinstance(value, Mapping):
            return _map(value, field.message_type, translate)
        return translate(field, value)

    out = {}
    for name, value in data.items():
        field = descriptor.fields_by_name.get(name)
        if field is None:
            out[name] = value  # ParseDict refuses it, by name
        elif isinstance(value, list) and not _is_opaque(field):
            out[name] = [one(field, item) for item in value]
        else:
            out[name] = one(field, value)
    return out


def _is_opaque(field: FieldDescriptor) -> bool:
    """Maps, structs and timestamps: their JSON is the same on both sides."""
    message = field.message_type
    return bool(message and (message.GetOptions().map_entry or message.full_name.startswith(_OPAQUE)))
