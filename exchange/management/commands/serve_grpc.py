"""The gRPC process: one loop waits for calls and for what they bring, a few threads do the work."""

import asyncio
import signal
from concurrent import futures

import grpc
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME
from grpc_reflection.v1alpha import reflection

from exchange import servicers
from exchange.api import tls
from exchange.api.interceptors import AroundEveryCall
from exchange.health.rpc import Health

THREADS = 4
MOST_CALLS = 2000  # that wait for their message or for a thread; those beyond are told to come again
LARGEST_MESSAGE = 9 * 1024 * 1024
GRACE_SECONDS = 20
MINUTE = 60_000
OPTIONS = {
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
    "grpc.max_send_message_length": 128 * 1024 * 1024,
    "grpc.so_reuseport": 0,  # a second server on the same port would get some of the calls
    "grpc.max_concurrent_streams": 100,
    "grpc.max_connection_idle_ms": 5 * MINUTE,
    "grpc.max_connection_age_ms": 30 * MINUTE,
    "grpc.max_connection_age_grace_ms": MINUTE,
}


class Command(BaseCommand):
    help = "Serve the gRPC API."

    def add_arguments(self, parser):
        parser.add_argument("--address", default=settings.GRPC_ADDRESS)

    def handle(self, *args, address, **options):
        try:
            asyncio.run(self.serve(address))
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error

    async def serve(self, address):
        asked_to_stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, asked_to_stop.set)
        health, names = Health(), servicers.service_names()
        server = build_server(health)
        listen(server, address)
        await health.look(names)
        await server.start()
        self.stdout.write(f"gRPC on {address}")
        looking = asyncio.create_task(health.keep_looking(names))
        await asked_to_stop.wait()
        looking.cancel()
        await health.enter_graceful_shutdown()
        await server.stop(GRACE_SECONDS)


def build_server(health: Health) -> grpc.aio.Server:
    """Our services, the health service and, by setting, reflection."""
    server = grpc.aio.server(
        futures.ThreadPoolExecutor(THREADS),
        interceptors=[AroundEveryCall(servicers.message_classes())],
        options=list(OPTIONS.items()),
        maximum_concurrent_rpcs=MOST_CALLS,
    )
    servicers.register(server)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    if settings.GRPC_REFLECTION:
        names = [*servicers.service_names(), SERVICE_NAME, reflection.SERVICE_NAME]
        reflection.enable_server_reflection(names, server)
    return server


def listen(server: grpc.aio.Server, address: str) -> int:
    """The port, which the address may leave open by a 0."""
    credentials = tls.credentials()
    try:
        if credentials is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, credentials)
    except RuntimeError as error:
        raise CommandError(f"{address} is taken; choose another with --address") from error
