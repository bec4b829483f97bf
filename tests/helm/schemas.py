"""Kubernetes' own schemas, as kubernetes-validate carries them, read once."""

from functools import cache

import kubernetes_validate
from kubernetes_validate import utils

utils.schema_contents = cache(utils.schema_contents)
CUSTOM = "monitoring.coreos.com/"
VERSIONS = ("1.31", "1.34", "1.37")


class Wrong(Exception):
    """What the schema says."""


def check(found, version=VERSIONS[-1]):
    """Raises Wrong. Custom resources have no schema here."""
    if found["apiVersion"].startswith(CUSTOM):
        return
    plain = {key: value for key, value in found.items() if key != "status"}
    try:
        kubernetes_validate.validate(plain, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        place = ".".join(map(str, error.path))
        name = f"{found['kind']}/{found['metadata']['name']}"
        raise Wrong(f"{name}: {place}: {error.message} (Kubernetes {version})") from None
    except kubernetes_validate.SchemaNotFoundError as error:
        raise Wrong(error.message) from None
