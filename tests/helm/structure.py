"""What no schema says: every part refers to one that is there. Each check yields what is wrong."""

import re

from exchange.processes import NAMES

from .manifest import LASTING, name_of

NAME, LABEL = (
    re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?"),
    re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?"),
)
LONGEST = 63
SUFFIX = {"Job": 6, "StatefulSet": 11}  # what their pods' names and labels have more
LONGEST_STOP = 45


def check_names(manifest):
    for found in manifest.objects:
        name = found["metadata"]["name"]
        most = LONGEST - SUFFIX.get(found["kind"], 0)
        if len(name) > most or not NAME.fullmatch(name):
            yield f"{name_of(found)}: a name of {most} characters at the most"
        for key, value in found["metadata"]["labels"].items():
            if len(value) > LONGEST or not LABEL.fullmatch(value):
                yield f"{name_of(found)}: label {key} is {value!r}"
    names = [name_of(found) for found in manifest.objects]
    yield from (f"{name} is there twice" for name in set(names) if names.count(name) > 1)


def check_processes(manifest):
    found = {
        one["metadata"]["labels"]["app.kubernetes.io/component"]: one for one in manifest.of("Deployment")
    }
    if set(found) != set(NAMES):
        yield f"the Deployments are {sorted(found)}, the processes {sorted(NAMES)}"
    for name, deployment in found.items():
        spec = deployment["spec"]["template"]["spec"]
        if spec["containers"][0].get("args") != [name]:
            yield f"{name} is started by {spec['containers'][0].get('args')}"
        if [one.get("args") for one in spec["initContainers"]] != [["manage", "wait_for_migrations"]]:
            yield f"{name} does not wait for migrations"
        if spec["terminationGracePeriodSeconds"] < LONGEST_STOP:
            yield f"{name} is not given {LONGEST_STOP} s to stop"
        image = spec["containers"][0]["image"]
        if image.rpartition(":")[0].endswith("-measure") != (name == "measure"):
            yield f"{name} runs {image}"
    beat = found["beat"]["spec"]
    if beat["replicas"] != 1 or beat["strategy"]["type"] != "Recreate":
        yield "beat may be there twice, also for a moment"


def check_containers(manifest):
    for pod in manifest.pods:
        for one in pod.containers:
            wants = one.get("resources", {})
            if not {"cpu", "memory"} <= set(wants.get("requests", {})) or "memory" not in wants.get(
                "limits", {}
            ):
                yield f"{name_of(pod.owner)}: {one['name']} has no bounds"
            held = one.get("securityContext", {})
            if (
                held.get("capabilities") != {"drop": ["ALL"]}
                or held.get("allowPrivilegeEscalation") is not False
            ):
                yield f"{name_of(pod.owner)}: {one['name']} may do more than it must"
            if held.get("readOnlyRootFilesystem") is not True:
                yield f"{name_of(pod.owner)}: {one['name']} may write its root filesystem"
        if pod.owner["kind"] in LASTING:
            main = pod.spec["containers"][0]
            wanted = {"startupProbe", "livenessProbe"} | ({"readinessProbe"} if main.get("ports") else set())
            yield from (f"{name_of(pod.owner)} has no {probe}" for probe in sorted(wanted - set(main)))


def check_pods(manifest):
    for pod in manifest.pods:
        held = pod.spec.get("securityContext", {})
        if held.get("runAsNonRoot") is not True or held.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{name_of(pod.owner)} does not hold to the restricted standard"
        if pod.spec.get("automountServiceAccountToken") is not False:
            yield f"{name_of(pod.owner)} is given a token of the cluster"
        if pod.component in (*NAMES, "migrate", "test") and held.get("runAsUser") != 10001:
            yield f"{name_of(pod.owner)} does not run as the image's user"
        if pod.spec.get("imagePullSecrets") != manifest.pods[0].spec.get("imagePullSecrets"):
            yield f"{name_of(pod.owner)} fetches its image by other Secrets"
        volumes = {one["name"] for one in pod.spec.get("volumes", [])}
        mounts = {mount["name"] for one in pod.containers for mount in one.get("volumeMounts", [])}
        claims = {one["metadata"]["name"] for one in pod.owner["spec"].get("volumeClaimTemplates", [])}
        if mounts != volumes | claims:
            yield f"{name_of(pod.owner)}: mounted {sorted(mounts)}, there are {sorted(volumes | claims)}"


def check_selectors(manifest):
    for found in manifest.of(*LASTING):
        wanted = found["spec"]["selector"]["matchLabels"].items()
        if not wanted <= found["spec"]["template"]["metadata"]["labels"].items():
            yield f"{name_of(found)} does not select its own pods"
        if len(manifest.selected(found["spec"]["selector"])) != 1:
            yield f"{name_of(found)} selects the pods of others"
    for found in manifest.of("PodDisruptionBudget"):
        if len(manifest.selected(found["spec"]["selector"])) != 1:
            yield f"{name_of(found)} does not select the pods of one Deployment"


def check_services(manifest):
    for found in manifest.of("Service"):
        pods = manifest.selected(found["spec"]["selector"])
        if len(pods) != 1:
            yield f"{name_of(found)} selects {len(pods)} kinds of pods"
        for port in found["spec"]["ports"]:
            if not all(port["targetPort"] in pod.ports() for pod in pods):
                yield f"{name_of(found)}: no pod has the port {port['targetPort']}"
    services = {one["metadata"]["name"]: one for one in manifest.of("Service")}
    for found in manifest.of("Ingress"):
        for rule in found["spec"]["rules"]:
            backend = rule["http"]["paths"][0]["backend"]["service"]
            ports = services.get(backend["name"], {"spec": {"ports": []}})["spec"]["ports"]
            if backend["port"]["name"] not in [port["name"] for port in ports]:
                yield f"{name_of(found)} leads to a Service and port that are not there"
    for found in manifest.of("StatefulSet"):
        if found["spec"]["serviceName"] not in services:
            yield f"{name_of(found)} names no Service"


def check_autoscaling(manifest):
    deployments = {one["metadata"]["name"]: one for one in manifest.of("Deployment")}
    for found in manifest.of("HorizontalPodAutoscaler"):
        target = deployments.get(found["spec"]["scaleTargetRef"]["name"])
        if target is None or "replicas" in target["spec"]:
            yield f"{name_of(found)} has no Deployment, or one that also sets its replicas"
            continue
        asked = {one["resource"]["name"] for one in found["spec"]["metrics"]}
        for one in target["spec"]["template"]["spec"]["containers"]:
            if not asked <= set(one["resources"].get("requests", {})):
                yield f"{name_of(found)} measures what {one['name']} does not request"


CHECKS = [value for name, value in list(globals().items()) if name.startswith("check_")]
