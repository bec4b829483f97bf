"""gRPC: generated calls to every RPC over a real channel, and what must be true of each answer.

Also sends one again: `python -m tests.fuzz.rpc ADDRESS METHOD HEX [AUTHORIZATION]`.
"""

import itertools
import sys
from collections import Counter, defaultdict
from uuid import UUID

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from exchange.servicers import SERVICES, message_classes
from tests.fuzz import messages
from tests.fuzz.known import OWNER, PLAIN

TIMES = 4  # the examples: a call costs less than a request from the document
OUR_FAULT = {
    "INTERNAL",
    "UNKNOWN",
    "UNIMPLEMENTED",
    "UNAVAILABLE",
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "CANCELLED",
}
PATIENCE_SECONDS = 60
SHOWN_OF_A_KIND, LONGEST_SHOWN = 1, 4000
BROKEN = ["Bearer lbx_pat_nobody", "Bearer ", "Basic eDp5", "x", "Bearer " + "y" * 4000]
KEYS = [None, None, None, "once", "k" * 300]
OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
KEEPS_OUR_TOKENS = {"RevokeApiToken"}


def run(world, _folder, *, examples, seed):
    """Counts of `requests`, `5xx` and `violations`. Each kind of finding is printed with its call."""
    print("\n— gRPC —", flush=True)
    with grpc.insecure_channel(world.grpc_address, options=OPTIONS) as channel:
        caller = Caller(channel, world)
        for service, method in _methods():
            before = caller.found.copy()
            _generate(caller, service, method, examples * TIMES, seed)
            print(f"{method.name:32} {_told(caller.found - before)}", flush=True)
    return caller.found


def _methods():
    for module, _stubs, name, _servicer in SERVICES:
        service = module.DESCRIPTOR.services_by_name[name]
        yield from ((service, method) for method in service.methods)


def _generate(caller, service, method, examples, number):
    tokens = st.sampled_from([OWNER, OWNER, OWNER, PLAIN, "", *BROKEN])

    @seed(number)
    @settings(
        max_examples=examples, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(messages.requests(method, caller.world), tokens, st.sampled_from(KEYS))
    def send(request, who, key):
        caller.call(service, method, request, who, key)

    send()
    if large := messages.huge(method):
        caller.call(service, method, large, OWNER, None)


def _told(found):
    return ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))


class Caller:
    """Sends bytes, looks at what comes back and counts what is wrong with it."""

    def __init__(self, channel, world):
        self.found, self.world = Counter(), world
        self._channel, self._classes, self._shown = channel, message_classes(), defaultdict(itertools.count)

    def call(self, service, method, request, who, key):
        path = f"/{service.full_name}/{method.name}"
        if any(kept.encode() in request for kept in self.world.kept):
            return  # nobody revokes our tokens
        token = self.world.tokens.get(who)
        header = f"Bearer {token}" if token else who
        metadata = [("authorization", header)] if header else []
        metadata += [("idempotency-key", key)] if key else []
        self.found["requests"] += 1
        for kind, words in self._wrong(path, request, metadata):
            self.found[kind] += 1
            self._show(path, request, header, kind, words)

    def _wrong(self, path, request, metadata):
        """(kind, words) of all that is wrong with the answer."""
        try:
            answer = self._channel.unary_unary(path)(request, metadata=metadata, timeout=PATIENCE_SECONDS)
        except grpc.RpcError as error:
            yield from wrong_refusal(error)
        else:
            yield from (("violations", words) for words in wrong_answer(self._classes[path][1], answer))

    def _show(self, path, request, header, kind, words):
        if next(self._shown[path, kind, words[:40]]) < SHOWN_OF_A_KIND:
            shown = request.hex()[:LONGEST_SHOWN]
            print(f"✗ {kind}: {path}: {words}")
            print(
                f"  python -m tests.fuzz.rpc {self.world.grpc_address} {path} '{shown}' '{header}'",
                flush=True,
            )


def wrong_refusal(error):
    code = error.code().name
    if code in OUR_FAULT:
        yield "5xx", f"{code}: {error.details()}"
        return
    status = rpc_status.from_call(error)
    info = ErrorInfo()
    reasons = [detail for detail in (status.details if status else ()) if detail.Unpack(info)]
    if not reasons or not info.reason:
        yield "violations", f"{code} without an ErrorInfo: {error.details()}"


def wrong_answer(answer_class, raw):
    """What an answer has that its message does not say, and what it lacks."""
    try:
        answer = answer_class.FromString(raw)
    except DecodeError as error:
        return [f"no {answer_class.DESCRIPTOR.name}: {error}"]
    return list(_wrong_fields(answer, answer_class.DESCRIPTOR.name))


def _wrong_fields(message, where):
    if len(UnknownFieldSet(message)):
        yield f"{where} has a field that nobody knows"
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated or (field.has_presence and not message.HasField(field.name)):
            values = value if field.is_repeated and not _is_map(field) else ()
        else:
            values = [value]
        for item in values:
            yield from _wrong_value(field, item, f"{where}.{field.name}")


def _wrong_value(field, value, where):
    if field.message_type and not field.message_type.full_name.startswith("google."):
        yield from _wrong_fields(value, where)
    elif field.enum_type and not field.enum_type.values_by_number.get(value or -1):
        yield f"{where} is {value}, which means nothing"
    elif field.type == FieldDescriptor.TYPE_STRING and field.name == "id" and not _is_id(value):
        yield f"{where} is no id: {value!r}"


def _is_map(field):
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def _is_id(value):
    try:
        return bool(UUID(value))
    except ValueError:
        return False


def again(address, path, request, authorization=""):
    metadata = [("authorization", authorization)] if authorization else []
    with grpc.insecure_channel(address, options=OPTIONS) as channel:
        return channel.unary_unary(path)(bytes.fromhex(request), metadata=metadata)


if __name__ == "__main__":
    print(again(*sys.argv[1:]))
