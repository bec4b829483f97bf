"""The objects of one rendering, and the pods that they make."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from exchange.processes import NAMES

LASTING = ("Deployment", "StatefulSet")
# What Secrets and ConfigMaps that exist outside the chart hold, in the sets of values that name them.
OUTSIDE = {
    "our-secrets": (
        "EXCHANGE_SECRET_KEY",
        "EXCHANGE_KEYRING",
        "EXCHANGE_EMAIL_URL",
        "EXCHANGE_METRICS_TOKEN",
        "EXCHANGE_SECRET_KEY_FALLBACKS",
    ),
    "our-postgresql": ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_ADMIN_URL"),
    "our-redis": ("REDIS_URL",),
    "our-s3": ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    "exchange-tls": ("tls.crt", "tls.key"),
    "registry": (".dockerconfigjson",),
}
OUTSIDE_CONFIG = {"our-authorities": ("bundle.pem",)}


@dataclass(frozen=True)
class Pod:
    """`owner` is the object that makes it; `component` what its labels say it is."""

    owner: dict[str, Any]
    labels: dict[str, str]
    spec: dict[str, Any]

    @property
    def component(self) -> str:
        return self.labels["app.kubernetes.io/component"]

    @property
    def containers(self) -> list[dict[str, Any]]:
        return [*self.spec.get("initContainers", []), *self.spec["containers"]]

    @property
    def is_ours(self) -> bool:
        """One of the processes, or what migrates for them."""
        return self.component in (*NAMES, "migrate")

    def ports(self) -> dict[str, int]:
        return {
            port["name"]: port["containerPort"] for one in self.containers for port in one.get("ports", [])
        }


class Manifest:
    def __init__(self, objects: list[dict[str, Any]]) -> None:
        self.objects = objects
        self.pods = list(self._pods())

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [found for found in self.objects if found["kind"] in kinds]

    def selected(self, labels: dict[str, Any]) -> list[Pod]:
        """By a `matchLabels`/`matchExpressions` selector, or by plain labels."""
        return [pod for pod in self.pods if matches(labels, pod.labels)]

    def keys(self, kind: str) -> dict[str, set[str]]:
        """The keys of each ConfigMap or Secret, by its name."""
        found = {one["metadata"]["name"]: set(one.get("data", {})) for one in self.of(kind)}
        outside = OUTSIDE if kind == "Secret" else OUTSIDE_CONFIG
        return found | {name: set(keys) for name, keys in outside.items()}

    def config(self) -> dict[str, str]:
        return {key: value for one in self.of("ConfigMap") for key, value in one["data"].items()}

    def _pods(self) -> Iterator[Pod]:
        for found in self.objects:
            template = found if found["kind"] == "Pod" else found.get("spec", {}).get("template")
            if template:
                yield Pod(found, template["metadata"]["labels"], template["spec"])


def matches(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    if not {"matchLabels", "matchExpressions"} & set(selector):
        return selector.items() <= labels.items()
    wanted = selector.get("matchLabels", {}).items() <= labels.items()
    return wanted and all(
        labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", [])
    )


def name_of(found: dict[str, Any]) -> str:
    return f"{found['kind']}/{found['metadata']['name']}"
