"""gRPC's own health service, which says of every service what `/accepting` says."""

import asyncio
from collections.abc import Iterable

from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckResponse

from . import checks

BETWEEN_LOOKS_SECONDS = 2.0
LIVE = "live"
"""Asked for by this name, the process says that it answers, whatever has become of the database."""


class Health(health.aio.HealthServicer):
    """SERVING until it has looked."""

    async def look(self, services: Iterable[str]) -> None:
        """Find out once, and say it of `services` and of the server as a whole."""
        report = await asyncio.to_thread(checks.look)
        status = HealthCheckResponse.SERVING if report.accepting else HealthCheckResponse.NOT_SERVING
        for name in ("", *services):
            await self.set(name, status)
        await self.set(LIVE, HealthCheckResponse.SERVING)

    async def keep_looking(self, services: Iterable[str]) -> None:
        while True:
            await asyncio.sleep(BETWEEN_LOOKS_SECONDS)
            await self.look(services)
