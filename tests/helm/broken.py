"""Each check finds what it is for: a rendering is broken on purpose, in one place at a time."""

# ruff: noqa: E501  a table reads by its rows

from copy import deepcopy

from . import network, references, structure
from .manifest import Manifest

TOKEN = ["spec", "endpoints", 0, "authorization", "credentials", "key"]
SELECTED = {"app.kubernetes.io/component": "nobody"}


def breaks():
    """(what is broken, how, the check that must find it)."""
    return (
        ("a process is missing", drop("Deployment"), structure.check_processes),
        ("beat twice", put("Deployment", ["spec", "replicas"], 2, "beat"), structure.check_processes),
        ("a pod that serves at once", pod_part("Deployment", "initContainers", []), structure.check_processes),
        ("stopped at once", pod_part("Deployment", "terminationGracePeriodSeconds", 5), structure.check_processes),
        ("the image without AIPerf", container("measure", "image", "llm-benchmark-exchange:1"), structure.check_processes),
        ("no bounds", container("web", "resources", {}), structure.check_containers),
        ("no probe", container("grpc", "livenessProbe", None), structure.check_containers),
        ("root", container("web", "securityContext", {}), structure.check_containers),
        ("root in the pod", pod_part("Deployment", "securityContext", {}), structure.check_pods),
        ("a token", pod_part("Deployment", "automountServiceAccountToken", True), structure.check_pods),
        ("a volume nobody mounts", pod_part("Deployment", "volumes", []), structure.check_pods),
        ("an image that cannot be fetched", pod_part("StatefulSet", "imagePullSecrets", []), structure.check_pods),
        ("an image of another user", pod_part("Job", "securityContext", {"runAsUser": 0}), structure.check_pods),
        ("a budget for nobody", put("PodDisruptionBudget", ["spec", "selector"], SELECTED), structure.check_selectors),
        ("a Service to nobody", put("Service", ["spec", "selector"], SELECTED), structure.check_services),
        ("a port that is not there", container("web", "ports", []), structure.check_services),
        ("an ingress to nothing", drop("Service"), structure.check_services),
        ("scaling nothing", put("HorizontalPodAutoscaler", ["spec", "scaleTargetRef", "name"], "x"), structure.check_autoscaling),
        ("scaling what sets its replicas", put("Deployment", ["spec", "replicas"], 1, "web"), structure.check_autoscaling),
        ("a long name", put("Job", ["metadata", "name"], "x" * 60), structure.check_names),
        ("a key that is not there", drop("Secret"), references.check_keys),
        ("no account", drop("ServiceAccount"), references.check_keys),
        ("no configuration", drop("ConfigMap"), references.check_keys),
        ("a needed variable is missing", put("ConfigMap", ["data", "EXCHANGE_MAIL_FROM"], ""), references.check_environments),
        ("a variable nobody reads", put("ConfigMap", ["data", "EXCHANGE_MIAL_FROM"], "x"), references.check_environments),
        ("a file that is not there", container("web", "volumeMounts", []), references.check_files),
        ("no loop that must answer", container("grpc", "livenessProbe", {"grpc": {"port": 50051}}), references.check_liveness),
        ("keys that go with the release", put("Secret", ["metadata", "annotations"], {}), references.check_generated),
        ("an alert about nothing", rule("exchange_nothing > 0"), references.check_monitoring),
        ("a token nobody knows", put("ServiceMonitor", TOKEN, "TOKEN"), references.check_monitoring),
        ("another version", put("Service", ["metadata", "labels", "app.kubernetes.io/version"], "9"), references.check_versions),
        ("everybody reaches out", policy("outside", ["podSelector"], {"matchLabels": {}}), network.check_outside),
        ("private addresses", policy("outside", ["egress", 0, "to", 0, "ipBlock", "except"], []), network.check_outside),
        ("nobody reaches out", drop("NetworkPolicy", "outside"), network.check_outside),
        ("a server for everybody", policy("postgresql", ["ingress", 0, "from", 0, "podSelector"], {"matchLabels": {}}), network.check_strangers),
        ("a server for nobody", drop("NetworkPolicy", "valkey"), network.check_inside),
        ("nothing is denied", drop("NetworkPolicy", "deny"), network.check_inside),
        ("a policy for nobody", policy("doors", ["podSelector"], {"matchLabels": SELECTED}), network.check_selectors),
    )  # fmt: skip


def unnoticed(objects):
    """Names of those that their check does not find."""
    for name, change, check in breaks():
        changed = deepcopy(objects)
        if not change(changed):
            yield f"{name}: nothing to break"
            continue
        try:
            found = list(check(Manifest(changed)))
        except (AssertionError, KeyError, StopIteration):
            continue
        if not found:
            yield name


def _named(objects, kind, ending=""):
    return [one for one in objects if one["kind"] == kind and one["metadata"]["name"].endswith(ending)]


def drop(kind, ending=""):
    def change(objects):
        found = _named(objects, kind, ending)
        objects[:] = [one for one in objects if one not in found]
        return found

    return change


def put(kind, path, value, ending=""):
    def change(objects):
        found = _named(objects, kind, ending)
        for one in found:
            place = one
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
        return found

    return change


def policy(ending, path, value):
    return put("NetworkPolicy", ["spec", *path], value, ending)


def pod_part(kind, part, value):
    return put(kind, ["spec", "template", "spec", part], value)


def container(process, part, value):
    def change(objects):
        [found] = _named(objects, "Deployment", f"-{process}")
        main = found["spec"]["template"]["spec"]["containers"][0]
        main[part] = value
        if value is None:
            del main[part]
        return [found]

    return change


def rule(expression):
    return put("PrometheusRule", ["spec", "groups", 0, "rules", 0, "expr"], expression)
