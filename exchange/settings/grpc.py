"""The gRPC door: its address, its certificate, and whether it tells its contract to tools."""

from os import environ

GRPC_ADDRESS = environ.get("GRPC_ADDRESS", "127.0.0.1:50051")
# How many of our own proxies append to x-forwarded-for before a call gets here. With 0 it is ignored.
GRPC_TRUSTED_PROXIES = int(environ.get("GRPC_TRUSTED_PROXIES", "0"))
# Paths of PEM files, both or neither.
GRPC_TLS_CERT = environ.get("GRPC_TLS_CERT", "")
GRPC_TLS_KEY = environ.get("GRPC_TLS_KEY", "")
GRPC_REFLECTION = environ.get("GRPC_REFLECTION", "0") == "1"
