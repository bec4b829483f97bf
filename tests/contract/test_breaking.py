"""The committed descriptor of the gRPC contract: what would break clients is named."""

import subprocess
import sys

import pytest
from django.conf import settings
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

from .breaking import breaks, read

COMMITTED = settings.BASE_DIR / "protos" / "llm_benchmark.v1.binpb"


def found(contract, kind, name):
    return next(part for file in contract.file for part in getattr(file, kind) if part.name == name)


def field(contract, message, name):
    return next(part for part in found(contract, "message_type", message).field if part.name == name)


def value(contract, enum, name):
    return next(part for part in found(contract, "enum_type", enum).value if part.name == name)


def rpc(contract, service, name):
    return next(part for part in found(contract, "service", service).method if part.name == name)


def removed(parts, name):
    parts.remove(next(part for part in parts if part.name == name))


def file_of(contract, kind, name):
    return next(file for file in contract.file if name in {part.name for part in getattr(file, kind)})


BROKEN = {
    "field Submission.notes was removed.": lambda c: removed(
        found(c, "message_type", "Submission").field, "notes"
    ),
    "field Submission.notes: its number was 23 and is 99.": lambda c: setattr(
        field(c, "Submission", "notes"), "number", 99
    ),
    "field Submission.case_count: its type was int32 and is int64.": lambda c: setattr(
        field(c, "Submission", "case_count"), "type", FieldDescriptorProto.TYPE_INT64
    ),
    "field Submission.status: its type was .llm_benchmark.v1.SubmissionStatus"
    " and is .llm_benchmark.v1.RunStatus.": lambda c: setattr(
        field(c, "Submission", "status"), "type_name", ".llm_benchmark.v1.RunStatus"
    ),
    "field Submission.notes: its cardinality was single and is repeated.": lambda c: setattr(
        field(c, "Submission", "notes"), "label", FieldDescriptorProto.LABEL_REPEATED
    ),
    "field Submission.verdict: its presence was told and is not told.": lambda c: field(
        c, "Submission", "verdict"
    ).ClearField("proto3_optional"),
    "field Submission.notes: its presence was not told and is told.": lambda c: setattr(
        field(c, "Submission", "notes"), "proto3_optional", True
    ),
    "field Submission.notes: its place was alone and is in a oneof.": lambda c: setattr(
        field(c, "Submission", "notes"), "oneof_index", 0
    ),
    "value Verdict.VERDICT_REFUTED was removed.": lambda c: removed(
        found(c, "enum_type", "Verdict").value, "VERDICT_REFUTED"
    ),
    "value Verdict.VERDICT_REFUTED: its number was 4 and is 40.": lambda c: setattr(
        value(c, "Verdict", "VERDICT_REFUTED"), "number", 40
    ),
    "rpc SubmissionService.GetRun was removed.": lambda c: removed(
        found(c, "service", "SubmissionService").method, "GetRun"
    ),
    "rpc SubmissionService.GetRun: its request was .llm_benchmark.v1.GetRunRequest"
    " and is .llm_benchmark.v1.GetSubmissionRequest.": lambda c: setattr(
        rpc(c, "SubmissionService", "GetRun"), "input_type", ".llm_benchmark.v1.GetSubmissionRequest"
    ),
    "rpc SubmissionService.GetRun: its answer was .llm_benchmark.v1.Run"
    " and is stream .llm_benchmark.v1.Run.": lambda c: setattr(
        rpc(c, "SubmissionService", "GetRun"), "server_streaming", True
    ),
    "message EvidenceContent was removed.": lambda c: removed(
        file_of(c, "message_type", "EvidenceContent").message_type, "EvidenceContent"
    ),
    "enum FaultSide was removed.": lambda c: removed(
        file_of(c, "enum_type", "FaultSide").enum_type, "FaultSide"
    ),
    "service EndpointService was removed.": lambda c: removed(
        file_of(c, "service", "EndpointService").service, "EndpointService"
    ),
}
ADDED = {
    "a field": lambda c: found(c, "message_type", "Submission").field.add(name="new", number=99),
    "a value": lambda c: found(c, "enum_type", "Verdict").value.add(name="VERDICT_NEW", number=99),
    "an RPC": lambda c: found(c, "service", "SubmissionService").method.add(name="New"),
    "a message": lambda c: c.file[-1].message_type.add(name="New"),
    "an enum": lambda c: c.file[-1].enum_type.add(name="New"),
    "a service": lambda c: c.file[-1].service.add(name="New"),
}


@pytest.fixture
def before():
    return read(COMMITTED)


@pytest.fixture
def after(before):
    copy = FileDescriptorSet()
    copy.CopyFrom(before)
    return copy


class TestBreaks:
    @pytest.mark.parametrize("told", BROKEN)
    def test_are_named(self, before, after, told):
        BROKEN[told](after)

        assert told in breaks(before, after)

    @pytest.mark.parametrize("what", ADDED)
    def test_are_not_what_is_added(self, before, after, what):
        ADDED[what](after)

        assert before != after
        assert breaks(before, after) == []

    def test_stop_the_command_with_a_way_out(self, after, tmp_path):
        removed(found(after, "message_type", "Submission").field, "notes")
        fresh = tmp_path / "fresh.binpb"
        fresh.write_bytes(after.SerializeToString())

        done = subprocess.run(
            [sys.executable, "-m", "tests.contract.breaking", str(COMMITTED), str(fresh)],
            cwd=settings.BASE_DIR, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.startswith("field Submission.notes was removed.\n")
        assert "llm_benchmark.v2" in done.stderr
