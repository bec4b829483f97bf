"""Every key that is referred to exists, and every process is given what production needs."""

import base64
import json
import re
import tempfile
from pathlib import Path

from exchange.health.rpc import LIVE
from exchange.operate.metrics.figures import FIGURES, PREFIX
from exchange.settings.environment import Environment
from exchange.settings.rest import VERSION
from exchange.settings.variables import FILE

from .manifest import name_of

AWS = {
    "AWS_REGION",
    "AWS_ENDPOINT_URL_S3",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_CA_BUNDLE",
}
MOUNTED = "/run/secrets/exchange/"
PLACEHOLDERS = {"EXCHANGE_KEYRING": json.dumps({"first": base64.b64encode(bytes(32)).decode()})}
OWNERS = ("DATABASE_OWNER_URL", "DATABASE_ADMIN_URL")
KEY_BYTES = 32


def check_keys(manifest):
    secrets, configs = manifest.keys("Secret"), manifest.keys("ConfigMap")
    for pod in manifest.pods:
        for kind, name, key in _wanted(pod):
            there = secrets if kind == "Secret" else configs
            if name not in there or key not in (None, *there[name]):
                yield f"{name_of(pod.owner)} wants {key or 'all'} of {kind} {name}, which is not there"
        accounts = [one["metadata"]["name"] for one in manifest.of("ServiceAccount")]
        if pod.spec["serviceAccountName"] not in accounts:
            yield f"{name_of(pod.owner)} has no ServiceAccount"
        claims = [one["metadata"]["name"] for one in manifest.of("PersistentVolumeClaim")]
        for volume in pod.spec.get("volumes", []):
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            if claim not in (None, *claims):
                yield f"{name_of(pod.owner)} mounts {claim}, which is not there"


def _wanted(pod):
    """(kind, name, key or None for all) of each reference."""
    for one in pod.containers:
        for whole in one.get("envFrom", []):
            yield "ConfigMap", whole["configMapRef"]["name"], None
        for entry in one.get("env", []):
            if ref := entry.get("valueFrom", {}).get("secretKeyRef"):
                yield "Secret", ref["name"], ref["key"]
    for volume in pod.spec.get("volumes", []):
        for item in volume.get("configMap", {}).get("items", []):
            yield "ConfigMap", volume["configMap"]["name"], item["key"]
        for source in volume.get("projected", {}).get("sources", []):
            for item in source["secret"]["items"]:
                yield "Secret", source["secret"]["name"], item["key"]


def check_environments(manifest):
    """By the exchange's own reading: unknown names are refused, needed ones missed."""
    for pod in manifest.pods:
        if not pod.is_ours:
            continue
        for one in pod.containers:
            try:
                with tempfile.TemporaryDirectory() as folder:
                    environ = environ_of(manifest, pod, one, Path(folder))
                    Environment(environ).require()
            except Exception as error:  # noqa: BLE001  whatever the settings would say
                yield f"{name_of(pod.owner)}: {one['name']}: {error}"
                continue
            if strange := {name for name in environ if name.startswith("AWS_")} - AWS:
                yield f"{name_of(pod.owner)}: {sorted(strange)} are no variables of the chart"
            for name in OWNERS:
                if name + FILE in environ and pod.component != "migrate":
                    yield f"{name_of(pod.owner)} is given {name}, which is for migrate alone"


def environ_of(manifest, pod, container, folder):
    """As the container would see it, with its secret files in `folder`."""
    environ = dict(manifest.config()) if container.get("envFrom") else {}
    secrets = {
        key: base64.b64decode(value).decode()
        for one in manifest.of("Secret")
        for key, value in one["data"].items()
    }
    files = _files(pod)
    for entry in container["env"]:
        value = entry.get("value", "from a Secret")
        if value.startswith(MOUNTED):
            name = files[value]
            path = folder / name
            path.write_text(secrets.get(name) or PLACEHOLDERS.get(name, "x"))
            value = str(path)
        environ[entry["name"]] = value
    return environ


def _files(pod):
    """The key of each file that is mounted."""
    return {
        f"{MOUNTED}{item['path']}": item["key"]
        for volume in pod.spec["volumes"]
        for source in volume.get("projected", {}).get("sources", [])
        for item in source["secret"]["items"]
    }


def check_files(manifest):
    """A variable that names a file names one that is mounted."""
    for pod in manifest.pods:
        for one in pod.containers:
            mounts = [mount["mountPath"] for mount in one.get("volumeMounts", [])]
            for entry in one.get("env", []):
                path = entry.get("value", "")
                if path.startswith("/run/") and path.rpartition("/")[0] not in mounts:
                    yield f"{name_of(pod.owner)}: nothing is mounted for {entry['name']}"


def check_liveness(manifest):
    """A gRPC process whose loop hangs is seen, and one whose database is away is left alone."""
    for pod in manifest.pods:
        if pod.component == "grpc":
            asked = pod.spec["containers"][0]["livenessProbe"].get("grpc", {}).get("service")
            if asked != LIVE:
                yield f"{name_of(pod.owner)} is alive by {asked}, not by {LIVE}"


def check_generated(manifest):
    for one in manifest.of("Secret"):
        data = {key: base64.b64decode(value).decode() for key, value in one["data"].items()}
        if one["metadata"]["annotations"].get("helm.sh/resource-policy") != "keep":
            yield f"{name_of(one)} would be lost with the release"
        if "EXCHANGE_KEYRING" in data:
            lengths = {len(base64.b64decode(key)) for key in json.loads(data["EXCHANGE_KEYRING"]).values()}
            if lengths != {KEY_BYTES} or len(data["EXCHANGE_SECRET_KEY"]) < 50:
                yield f"{name_of(one)}: keys of another length"


def check_monitoring(manifest):
    known = {PREFIX + one.name for one in FIGURES}
    for found in manifest.of("PrometheusRule"):
        for rule in found["spec"]["groups"][0]["rules"]:
            used = set(re.findall(rf"\b{PREFIX}\w+", rule["expr"]))
            if not used or not used <= known:
                yield f"{rule['alert']} asks for figures that there are not: {sorted(used - known)}"
    web = next(pod for pod in manifest.pods if pod.component == "web")
    for found in manifest.of("ServiceMonitor"):
        [end] = found["spec"]["endpoints"]
        services = [
            one
            for one in manifest.of("Service")
            if found["spec"]["selector"]["matchLabels"].items() <= one["metadata"]["labels"].items()
        ]
        if [port["name"] for one in services for port in one["spec"]["ports"]] != [end["port"]]:
            yield f"{name_of(found)} does not lead to the one Service of web"
        token = end["authorization"]["credentials"]
        if (token["name"], token["key"]) not in [(name, key) for _, name, key in _wanted(web)]:
            yield f"{name_of(found)} shows a token that web does not know"


def check_versions(manifest):
    for found in manifest.objects:
        if found["metadata"]["labels"]["app.kubernetes.io/version"] != VERSION:
            yield f"{name_of(found)} is not labelled with the exchange's version, {VERSION}"


CHECKS = [value for name, value in list(globals().items()) if name.startswith("check_")]
