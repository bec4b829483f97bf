"""What a change of the gRPC contract takes from clients that exist.

`python -m tests.contract.breaking BEFORE AFTER`, two FileDescriptorSets, names it and exits with 1.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

PACKAGE = "llm_benchmark.v1"
WAY_OUT = (
    "Clients rely on this. Keep what there is and add beside it, with new names and numbers. What has to\n"
    f"break goes into a new package beside {PACKAGE}, such as llm_benchmark.v2, with a descriptor of its own."
)
Facts = dict[str, str | int]


def breaks(before: FileDescriptorSet, after: FileDescriptorSet) -> list[str]:
    """A sentence for each thing that is gone or is not what it was; what was added breaks nothing."""
    now = dict(_contract(after))
    return [told for name, facts in _contract(before) for told in _changes(name, facts, now.get(name))]


def _changes(name: str, before: Facts, after: Facts | None) -> Iterator[str]:
    if after is None:
        yield f"{name} was removed."
        return
    for fact, value in before.items():
        if after[fact] != value:
            yield f"{name}: its {fact} was {value} and is {after[fact]}."


def _contract(files: FileDescriptorSet) -> Iterator[tuple[str, Facts]]:
    """Every part of the package with what clients know of it."""
    for file in files.file:
        if file.package == PACKAGE:
            for service in file.service:
                yield from _service(service)
            for message in file.message_type:
                yield from _message(message, "")
            for enum in file.enum_type:
                yield from _enum(enum, "")


def _service(service: ServiceDescriptorProto) -> Iterator[tuple[str, Facts]]:
    yield f"service {service.name}", {}
    for method in service.method:
        yield (
            f"rpc {service.name}.{method.name}",
            {
                "request": _streamed(method.input_type, is_stream=method.client_streaming),
                "answer": _streamed(method.output_type, is_stream=method.server_streaming),
            },
        )


def _streamed(name: str, *, is_stream: bool) -> str:
    return f"stream {name}" if is_stream else name


def _message(message: DescriptorProto, outer: str) -> Iterator[tuple[str, Facts]]:
    here = f"{outer}{message.name}"
    yield f"message {here}", {}
    for field in message.field:
        yield f"field {here}.{field.name}", _field(field)
    for inner in message.nested_type:
        yield from _message(inner, f"{here}.")
    for enum in message.enum_type:
        yield from _enum(enum, f"{here}.")


def _field(field: FieldDescriptorProto) -> Facts:
    kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    return {
        "number": field.number,
        "type": field.type_name or kind,
        "cardinality": "repeated" if field.label == field.LABEL_REPEATED else "single",
        "presence": "told" if field.proto3_optional else "not told",
        "place": "in a oneof" if field.HasField("oneof_index") and not field.proto3_optional else "alone",
    }


def _enum(enum: EnumDescriptorProto, outer: str) -> Iterator[tuple[str, Facts]]:
    yield f"enum {outer}{enum.name}", {}
    for value in enum.value:
        yield f"value {outer}{enum.name}.{value.name}", {"number": value.number}


def read(path: str) -> FileDescriptorSet:
    """The contract in a file; an empty one where there is none yet."""
    file = Path(path)
    return FileDescriptorSet.FromString(file.read_bytes()) if file.exists() else FileDescriptorSet()


if __name__ == "__main__":
    if found := breaks(*map(read, sys.argv[1:])):
        sys.exit("\n".join([*found, WAY_OUT]))
