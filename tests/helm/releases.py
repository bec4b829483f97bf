"""A release's life with the real Helm on the stand-in: install, test, upgrade, roll back, uninstall."""

import json
import os
import subprocess

import psycopg

from .cluster import Cluster
from .rendering import CHART, VALUES, objects_of

RELEASE, NAMESPACE = "exchange", "default"
CHANGED = ("--set", "web.replicas=4,image.tag=0.2.0,config.EXCHANGE_LOG_LEVEL=WARNING")


class Failed(Exception):
    """What did not go as it must."""


class Releases:
    """Helm with a cluster of its own and its records in a database of its own."""

    def __init__(self, helm, cluster, folder, database_url):
        self.helm, self.cluster = helm, cluster
        config = folder / "kubeconfig"
        config.write_text(json.dumps(_kubeconfig(cluster.url)))
        home = {
            name: str(folder / name) for name in ("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")
        }
        self.env = {
            **home, "PATH": os.defpath, "HOME": str(folder), "KUBECONFIG": str(config),
            "HELM_QPS": "1000",
            "HELM_DRIVER": "sql", "HELM_DRIVER_SQL_CONNECTION_STRING": database_url,
        }  # fmt: skip

    def run(self, *arguments):
        return subprocess.run(
            [self.helm, "--namespace", NAMESPACE, *arguments], check=False, capture_output=True, text=True,
            env=self.env, timeout=120,
        )  # fmt: skip

    def must(self, *arguments):
        done = self.run(*arguments)
        if done.returncode:
            raise Failed(f"helm {' '.join(arguments)}: {done.stdout[-500:]}{done.stderr[-1500:]}")
        return done.stdout

    def waits(self):
        """Helm 3 would also wait for ReplicaSets, which only controllers make."""
        return () if self.must("version", "--short").startswith("v3") else ("--wait", "--timeout", "60s")

    def manifest(self):
        return objects_of(self.must("get", "manifest", RELEASE))

    def must_be_there(self):
        """Every object of the release's manifest is in the cluster as it says."""
        there = {(found["kind"], found["metadata"]["name"]): found for found in self.cluster.objects.values()}
        for wanted in self.manifest():
            key = wanted["kind"], wanted["metadata"]["name"]
            if key not in there:
                raise Failed(f"{key} is not in the cluster")
            if place := differs(wanted, there[key]):
                raise Failed(f"{key} differs from the manifest at {place}")


def live(helm, folder, owner_url):
    """The whole life; returns the number of writes that the cluster has checked. Raises Failed."""
    database = f"helm_{folder.name.replace('.', '_').replace('-', '_')}"
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{database}"')
    url = f"{owner_url.rpartition('/')[0]}/{database}?sslmode=disable"
    with Cluster() as cluster:
        helm = Releases(helm, cluster, folder, url)
        secrets = _install(helm)
        _upgrade(helm, secrets)
        _keep_keys(helm, secrets)
        _keep_what_runs(helm)
        _roll_back(helm)
        _refuse_bad(helm)
        _uninstall(helm, secrets)
        return sum(verb != "delete" for verb, _kind, _name in cluster.writes)


def _install(helm):
    said = helm.must("install", RELEASE, str(CHART), "-f", str(VALUES / "defaults.yaml"), *helm.waits())
    if "create_admin" not in said:
        raise Failed("the notes do not say how the first administrator is made")
    helm.must_be_there()
    jobs = [name for kind, name in _there(helm) if kind == "Job"]
    if len(jobs) != 1:
        raise Failed(f"an installation migrates by one Job, not {jobs}")
    helm.must("test", RELEASE)
    if ("create", "Pod", f"{RELEASE}-llm-benchmark-exchange-test") not in _created(helm):
        raise Failed("helm test started no pod")
    return _secrets(helm)


def _upgrade(helm, secrets):
    began = len(helm.cluster.writes)
    helm.must("upgrade", RELEASE, str(CHART), "-f", str(VALUES / "defaults.yaml"), *CHANGED)
    helm.must_be_there()
    writes = helm.cluster.writes[began:]
    job = next(place for place, (verb, kind, _) in enumerate(writes) if kind == "Job" and verb != "delete")
    pods = next(place for place, (_, kind, _) in enumerate(writes) if kind == "Deployment")
    if job > pods:
        raise Failed("an upgrade replaced pods before the migrations had been applied")
    if _secrets(helm) != secrets:
        raise Failed("an upgrade changed the generated secrets")
    if _web(helm)["spec"]["replicas"] != 4:
        raise Failed("the upgrade's values did not reach the cluster")


def _keep_keys(helm, secrets):
    """Whoever names a Secret of their own has not lost the ring that the chart had made."""
    own = ("--set", "secrets.existing=our-secrets,mail.url=")
    helm.must("upgrade", RELEASE, str(CHART), "-f", str(VALUES / "defaults.yaml"), *own)
    if _secrets(helm) != secrets:
        raise Failed("another Secret's name took keys out of the generated one")


def _keep_what_runs(helm):
    """An upgrade whose migrations fail replaces nothing."""
    running = _web(helm)
    helm.cluster.jobs_fail = True
    failed = helm.run(
        "upgrade", RELEASE, str(CHART), "-f", str(VALUES / "defaults.yaml"), "--set", "image.tag=0.3.0"
    )
    helm.cluster.jobs_fail = False
    if failed.returncode == 0 or _web(helm) != running:
        raise Failed("an upgrade went on although its migrations had failed")


def _roll_back(helm):
    helm.must("rollback", RELEASE, "1")
    helm.must_be_there()
    if _web(helm)["spec"]["replicas"] != 2:
        raise Failed("the rollback did not bring the first values back")


def _refuse_bad(helm):
    """What the cluster refuses, Helm reports; otherwise all of the above would prove nothing."""
    bad = helm.run(
        "upgrade", RELEASE, str(CHART), "-f", str(VALUES / "defaults.yaml"),
        "--skip-schema-validation", "--set-string", "web.replicas=notanumber",
    )  # fmt: skip
    if bad.returncode == 0 or "notanumber" not in bad.stderr:
        raise Failed("an object against the schema was not refused")


def _uninstall(helm, secrets):
    helm.must("uninstall", RELEASE)
    left = {kind for kind, _ in _there(helm)}
    if not left <= {"Secret", "Job", "Pod"} or _secrets(helm) != secrets:
        raise Failed(f"uninstalling must leave the generated Secret and ended hooks alone, not {left}")


def differs(wanted, found, place=""):
    """Where what is wanted is not what was found, or an empty string; more may have been found."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if value is not None and (where := differs(value, found.get(key), f"{place}.{key}")):
                return where
        return ""
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return next(
            filter(None, (differs(a, b, f"{place}[]") for a, b in zip(wanted, found, strict=True))), ""
        )
    return "" if wanted == found else place or "."


def _there(helm):
    return [(found["kind"], found["metadata"]["name"]) for found in helm.cluster.objects.values()]


def _created(helm):
    return [("create" if verb == "apply" else verb, kind, name) for verb, kind, name in helm.cluster.writes]


def _secrets(helm):
    return {found["metadata"]["name"]: found["data"] for found in helm.cluster.of("secrets")}


def _web(helm):
    return helm.cluster.of("deployments", named=f"{RELEASE}-llm-benchmark-exchange-web")[0]


def _kubeconfig(url):
    return {
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": NAMESPACE}}],
        "users": [{"name": "u", "user": {}}],
    }  # fmt: skip
