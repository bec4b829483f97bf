"""Endpoints, the deployments found at them, and the models that these serve."""

from __future__ import annotations

from datetime import datetime

from llm_benchmark.models import Deployment, DeploymentStatusChange, Endpoint, LanguageModel, Price
from llm_benchmark.models.choices import Capability, CapabilityByHand, DeploymentStatus, Protocol
from llm_benchmark.paging import Pages

from .base import UNSET, Service, Unset, at


class Endpoints(Service):
    def list(self, *, organization_id: str | None = None) -> Pages[Endpoint]:
        return self._pages("endpoints", Endpoint, organization_id=organization_id)

    def get(self, endpoint_id: str) -> Endpoint:
        return self._transport.get(at("endpoints", endpoint_id), Endpoint)

    def register(
        self,
        *,
        organization_id: str,
        name: str,
        provider_name: str,
        base_url: str,
        api_key: str | Unset = UNSET,
        protocol: Protocol | Unset = UNSET,
    ) -> Endpoint:
        """Where models answer. `discover` finds which.

        Args:
            base_url: what `/chat/completions` is appended to, such as `https://models.example/v1`; or a full
                endpoint, which is used as it is.
            api_key: the provider's; it is sealed on arrival and never shown again.
            protocol: how models are asked there; left out, as a full endpoint's URL says, or by chat.
        """
        body = {
            "organization_id": organization_id, "name": name, "provider_name": provider_name,
            "base_url": base_url, "api_key": api_key, "protocol": protocol,
        }  # fmt: skip
        return self._transport.write("POST", "endpoints", Endpoint, body)

    def update(
        self,
        endpoint_id: str,
        *,
        name: str | Unset = UNSET,
        provider_name: str | Unset = UNSET,
        base_url: str | Unset = UNSET,
        api_key: str | Unset = UNSET,
        protocol: Protocol | Unset = UNSET,
    ) -> Endpoint:
        """Change what is named; the rest stays. Keys are bound to an origin: another needs one again.

        What was discovered is forgotten where the address or the protocol is another.
        """
        body = {
            "name": name, "provider_name": provider_name, "base_url": base_url, "api_key": api_key,
            "protocol": protocol,
        }  # fmt: skip
        return self._transport.write("PATCH", at("endpoints", endpoint_id), Endpoint, body)

    def discover(self, endpoint_id: str) -> Endpoint:
        """Ask the provider which models it serves; `deployments` lists them afterwards."""
        path = at("endpoints", endpoint_id, "discover")
        return self._transport.write("POST", path, Endpoint, has_key=False)

    def deployments(
        self,
        endpoint_id: str | None = None,
        *,
        status: DeploymentStatus | None = None,
        capability: Capability | None = None,
    ) -> Pages[Deployment]:
        """Models at endpoints: of one, or of all that the token's owner may see."""
        return self._pages(
            "deployments", Deployment, endpoint_id=endpoint_id, status=status, capability=capability
        )

    def get_deployment(self, deployment_id: str) -> Deployment:
        return self._transport.get(at("deployments", deployment_id), Deployment)

    def update_deployment(
        self,
        deployment_id: str,
        *,
        capability: CapabilityByHand | Unset = UNSET,
        is_disabled: bool | Unset = UNSET,
    ) -> Deployment:
        """Change what is named.

        Args:
            capability: what it is for, which checks then keep; `automatic` lets the next check find out.
            is_disabled: whether campaigns and verifications leave it alone.
        """
        body = {"capability": capability, "is_disabled": is_disabled}
        return self._transport.write("PATCH", at("deployments", deployment_id), Deployment, body)

    def history(self, deployment_id: str) -> Pages[DeploymentStatusChange]:
        """How it stood, the newest first."""
        return self._pages(at("deployments", deployment_id, "history"), DeploymentStatusChange)

    def prices(self, deployment_id: str) -> Pages[Price]:
        """What it cost and will cost, the latest first."""
        return self._pages(at("deployments", deployment_id, "prices"), Price)

    def set_price(
        self,
        deployment_id: str,
        *,
        input_per_million: str,
        output_per_million: str,
        effective_at: datetime | Unset = UNSET,
    ) -> Price:
        """Say what it costs from a moment on (now, when left out). Earlier prices stay.

        Args:
            input_per_million, output_per_million: US dollars for a million tokens, such as "0.15".
        """
        body = {
            "input_per_million": input_per_million, "output_per_million": output_per_million,
            "effective_at": effective_at,
        }  # fmt: skip
        return self._transport.write("POST", at("deployments", deployment_id, "prices"), Price, body)

    def models(self, *, query: str | None = None) -> Pages[LanguageModel]:
        """All models that results or deployments speak of."""
        return self._pages("models", LanguageModel, query=query)

    def get_model(self, model_id: str) -> LanguageModel:
        return self._transport.get(at("models", model_id), LanguageModel)
