"""Calls a servicer in this thread, so tests keep one transaction and one connection."""

import grpc
from google.rpc import error_details_pb2, status_pb2

from exchange.api.interceptors import around


class RpcFailed(Exception):
    def __init__(self, status: status_pb2.Status):
        super().__init__(status.message)
        self.status = status
        self.grpc = next(code.name for code in grpc.StatusCode if code.value[0] == status.code)

    def detail(self, kind):
        for packed in self.status.details:
            part = kind()
            if packed.Unpack(part):
                return part
        return None

    @property
    def code(self) -> str:
        return self.detail(error_details_pb2.ErrorInfo).reason

    @property
    def fields(self) -> list[str]:
        found = self.detail(error_details_pb2.BadRequest)
        return [violation.field for violation in found.field_violations] if found else []


class Context:
    def __init__(self, metadata, *, seconds=None):
        self._metadata, self._seconds = metadata, seconds

    def time_remaining(self):
        return self._seconds

    def invocation_metadata(self):
        return self._metadata

    def peer(self):
        return "ipv4:127.0.0.1:1"

    def set_trailing_metadata(self, trailing):
        self._trailing = dict(trailing)

    def abort(self, _code, _details):
        raise RpcFailed(status_pb2.Status.FromString(self._trailing["grpc-status-details-bin"]))


def call(method, request, *, token=None, key=None, answer_class=None, seconds=None):
    metadata = [("authorization", f"Bearer {token}")] if token else []
    metadata += [("idempotency-key", key)] if key else []
    return around(method, answer_class=answer_class)(request, Context(metadata, seconds=seconds))
