"""REST and gRPC show the same things: same fields, same kinds, same nulls, same choices, all the way down."""

import pytest
from google.protobuf.descriptor import FieldDescriptor as F
from rest_framework import serializers as s

from exchange.api.convert import enum_prefix

from .doors import messages, serializers

SCALARS = [
    (s.ChoiceField, {F.TYPE_ENUM}),
    (s.BooleanField, {F.TYPE_BOOL}),
    (s.IntegerField, {F.TYPE_INT32, F.TYPE_INT64, F.TYPE_UINT32, F.TYPE_UINT64}),
    (s.FloatField, {F.TYPE_DOUBLE}),
    (s.FileField, {F.TYPE_BYTES}),
    (s.CharField, {F.TYPE_STRING}),
    (s.UUIDField, {F.TYPE_STRING}),
]
WELL_KNOWN = [
    (s.DateTimeField, "google.protobuf.Timestamp"),
    (s.DictField, "google.protobuf.Struct"),
    (s.JSONField, "google.protobuf.Struct"),
]
CHOICES_AS_TEXT = {
    "CreateApiTokenRequest.scopes",
    "DownloadBundleRequest.part",
    "ExportCampaignRequest.format",
    "ExportLeaderboardRequest.format",
    "ListBenchmarksRequest.ordering",
    "RegisterEndpointRequest.protocol",
    "RequestVerificationRequest.repeat_reason",
    "UpdateDeploymentRequest.capability",
    "UpdateEndpointRequest.protocol",
}
"""Where a form is stricter than the message."""


def without_serializer(message):
    """A list's envelope and an empty message have no shape of their own."""
    return not message.fields or [field.name for field in message.fields] == ["items", "next_page_token"]


PAIRED = sorted(name for name in messages() if f"{name}Serializer" in serializers())


@pytest.mark.parametrize("name", sorted(messages()))
def test_every_message_has_a_serializer(name):
    assert f"{name}Serializer" in serializers() or without_serializer(messages()[name])


@pytest.mark.parametrize("name", sorted(serializers()))
def test_every_serializer_has_a_message(name):
    assert name.removesuffix("Serializer") in messages()


@pytest.mark.parametrize("name", PAIRED)
def test_fields_are_the_same(name):
    fields, proto = serializers()[f"{name}Serializer"]().fields, messages()[name].fields_by_name

    assert set(fields) == set(proto)
    for field_name, field in fields.items():
        check(field, proto[field_name], f"{name}.{field_name}")


def check(field, proto, path):
    if is_map(proto):
        check_map(field, proto, path)
    elif isinstance(field, s.ListSerializer | s.ListField):
        assert proto.is_repeated, f"{path} must be repeated"
        check_one(field.child, proto, path)
    elif isinstance(field, s.SerializerMethodField):
        check_annotated(field, proto, path)
    else:
        assert not proto.is_repeated, f"{path} must not be repeated"
        assert not field.allow_null or proto.has_presence, f"{path} must be `optional` in the proto"
        check_one(field, proto, path)


def check_one(field, proto, path):
    if isinstance(field, s.Serializer):
        expected = type(field).__name__.removesuffix("Serializer")
        assert proto.message_type.name == expected, path
    elif isinstance(field, tuple(cls for cls, _name in WELL_KNOWN)):
        known = next(name for cls, name in WELL_KNOWN if isinstance(field, cls))
        assert proto.message_type.full_name == known, path
    else:
        kinds = next((kinds for cls, kinds in SCALARS if isinstance(field, cls)), None)
        if path in CHOICES_AS_TEXT:
            kinds = {F.TYPE_STRING}
        assert kinds is not None, f"{path}: no rule for {type(field).__name__}"
        assert proto.type in kinds, path
        if isinstance(field, s.ChoiceField) and proto.enum_type:
            check_choices(field, proto, path)


def check_choices(field, proto, path):
    prefix = enum_prefix(proto.enum_type)
    names = {value.name.removeprefix(prefix).lower() for value in proto.enum_type.values}
    assert names - {"unspecified"} == {str(choice) for choice in field.choices} - {""}, path


def check_map(field, proto, path):
    assert isinstance(field, s.DictField), f"{path} is a map"
    check_one(field.child, proto.message_type.fields_by_name["value"], path)


def check_annotated(field, proto, path):
    """A method field says its kind by its annotation."""
    method = getattr(field.parent, field.method_name or f"get_{field.field_name}")
    kinds = {
        bool: {F.TYPE_BOOL},
        int: {F.TYPE_INT32, F.TYPE_INT64},
        float: {F.TYPE_DOUBLE},
        str: {F.TYPE_STRING, F.TYPE_ENUM},
        bytes: {F.TYPE_BYTES},
        list: {F.TYPE_MESSAGE, F.TYPE_STRING},
        dict: {F.TYPE_MESSAGE},
    }
    told = method.__annotations__.get("return")
    assert told is not None, f"{path}: annotate what {method.__name__} returns"
    parts = [part for part in getattr(told, "__args__", ()) if part is not type(None)]
    optional = len(parts) == 1 and type(None) in told.__args__
    assert not optional or proto.has_presence, f"{path} must be `optional` in the proto"
    base = parts[0] if optional else told
    base = getattr(base, "__origin__", base)
    assert proto.is_repeated == (base is list), path
    assert proto.type in kinds[base], path


def is_map(proto):
    message = proto.message_type
    return bool(message and message.GetOptions().map_entry)
