"""Single calls to one endpoint that are no attempts of a run: lists of models, questions of dialect."""

import asyncio
import math
from time import monotonic

from llm_benchmark.measure import protocols
from llm_benchmark.measure.egress import EgressRefused, check_api_key, parse_endpoint_url, resolve
from llm_benchmark.measure.faults import failure, status_fault
from llm_benchmark.measure.plans import Failure, Side, Target
from llm_benchmark.measure.quality.asking import new_loop
from llm_benchmark.measure.wire import MIB, Connections, Response, WireFault, render_request


class EndpointFault(Exception):
    """The endpoint cannot be asked. `failure` says whose side it is on."""

    def __init__(self, reason: Failure) -> None:
        super().__init__(f"{reason.code}: {reason.message}")
        self.failure = reason

    @classmethod
    def of(cls, code: str, message: str) -> "EndpointFault":
        """On the provider's side."""
        return cls(Failure(Side.PROVIDER, code, message))


class Caller:
    """Calls over connections of their own, to an address that is looked up once.

    Raises:
        EndpointFault: here and in `send`.
    """

    def __init__(self, target: Target, *, seconds: float, within: float = math.inf) -> None:
        self._protocol, self._key = protocols.get(target.protocol), target.api_key
        self._seconds, self._ends_at = seconds, monotonic() + within
        try:
            if target.api_key is not None:
                check_api_key(target.api_key)
            self._url = parse_endpoint_url(target.base_url)
            self._path = protocols.path_of(self._url, self._protocol)
            self._pinned = resolve(self._url, target.egress)
        except EgressRefused as refused:
            raise EndpointFault(Failure(Side.SUBMITTER, refused.code, refused.message)) from None

    def list_models(self, query: str, *, limit: int) -> Response:
        """`GET …/models?query`."""
        path = protocols.path_of(self._url, self._protocol, "models")
        return self._send("GET", f"{path}?{query}" if query else path, limit=limit)

    def ask(self, body: bytes) -> Response:
        """Post a question as the protocol has it."""
        return self._send("POST", self._path, body=body)

    def _send(self, method: str, path: str, *, body: bytes | None = None, limit: int = MIB) -> Response:
        headers = self._protocol.headers(self._key)
        request = render_request(method, path, host=self._url.host_header, headers=headers, body=body)
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(self._exchange(request, limit))

    async def _exchange(self, request: bytes, limit: int) -> Response:
        connections = Connections(self._pinned)
        try:
            seconds = max(0.0, min(self._seconds, self._ends_at - monotonic()))
            return await connections.send(request, seconds=seconds, limit=limit)
        except WireFault as fault:
            raise EndpointFault(failure(fault.code)) from None
        finally:
            await connections.close()


def raise_for(response: Response) -> None:
    """Raises EndpointFault for any status but 200."""
    refused = status_fault(response.status)
    if refused:
        raise EndpointFault(failure(refused, status=response.status))
