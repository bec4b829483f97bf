"""The gRPC process."""

import signal
from concurrent import futures

import grpc
from django.conf import settings
from django.core.management.base import BaseCommand
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from exchange import servicers
from exchange.api.interceptors import AroundEveryCall

THREADS = 4
LARGEST_MESSAGE = 9 * 1024 * 1024
GRACE_SECONDS = 20
OPTIONS = [
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", 128 * 1024 * 1024),
    ("grpc.max_concurrent_streams", 100),
]


class Command(BaseCommand):
    help = "Serve the gRPC API."

    def add_arguments(self, parser):
        parser.add_argument("--address", default=settings.GRPC_ADDRESS)

    def handle(self, *args, address, **options):
        server = build_server()
        if not server.add_insecure_port(address):
            self.stderr.write(f"{address} is taken; choose another with --address")
            raise SystemExit(1)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop(GRACE_SECONDS))
        server.start()
        self.stdout.write(f"gRPC on {address}")
        server.wait_for_termination()


def build_server() -> grpc.Server:
    """Our services and the health service; the port is the caller's to add."""
    server = grpc.server(
        futures.ThreadPoolExecutor(THREADS),
        interceptors=[AroundEveryCall(servicers.message_classes())],
        options=OPTIONS,
    )
    servicers.register(server)
    state = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(state, server)
    state.set("", health_pb2.HealthCheckResponse.SERVING)
    return server
