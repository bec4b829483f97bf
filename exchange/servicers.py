"""The gRPC counterpart of urls.py: every servicer the server offers."""

from typing import Any

import grpc
from google.protobuf import message_factory

from benchmarks.api.grpc import BenchmarkService
from exchange.accounts.api.grpc import OrganizationService, UserService
from exchange.api.pb import (
    benchmarks_pb2,
    benchmarks_pb2_grpc,
    campaigns_pb2,
    campaigns_pb2_grpc,
    endpoints_pb2,
    endpoints_pb2_grpc,
    governance_pb2,
    governance_pb2_grpc,
    leaderboards_pb2,
    leaderboards_pb2_grpc,
    submissions_pb2,
    submissions_pb2_grpc,
    users_pb2,
    users_pb2_grpc,
)
from governance.api.grpc import GovernanceService
from leaderboards.api.grpc import LeaderboardService
from submissions.api.grpc import SubmissionService
from submissions.campaigns.api.grpc import CampaignService
from submissions.endpoints.api.grpc import EndpointService

SERVICES = [
    (users_pb2, users_pb2_grpc, "UserService", UserService),
    (users_pb2, users_pb2_grpc, "OrganizationService", OrganizationService),
    (benchmarks_pb2, benchmarks_pb2_grpc, "BenchmarkService", BenchmarkService),
    (endpoints_pb2, endpoints_pb2_grpc, "EndpointService", EndpointService),
    (campaigns_pb2, campaigns_pb2_grpc, "CampaignService", CampaignService),
    (leaderboards_pb2, leaderboards_pb2_grpc, "LeaderboardService", LeaderboardService),
    (submissions_pb2, submissions_pb2_grpc, "SubmissionService", SubmissionService),
    (governance_pb2, governance_pb2_grpc, "GovernanceService", GovernanceService),
]


def register(server: grpc.aio.Server) -> None:
    for _messages, stubs, name, servicer in SERVICES:
        getattr(stubs, f"add_{name}Servicer_to_server")(servicer(), server)


def service_names() -> list[str]:
    return [messages.DESCRIPTOR.services_by_name[name].full_name for messages, _stubs, name, _cls in SERVICES]


def message_classes() -> dict[str, tuple[type[Any], type[Any]]]:
    """`/llm_benchmark.v1.UserService/Login` → the classes of its request and its answer."""
    return {
        f"/{service.full_name}/{method.name}": (
            message_factory.GetMessageClass(method.input_type),
            message_factory.GetMessageClass(method.output_type),
        )
        for messages, _stubs, name, _servicer in SERVICES
        for service in [messages.DESCRIPTOR.services_by_name[name]]
        for method in service.methods
    }
