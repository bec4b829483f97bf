"""A stand-in for an API server: it keeps objects and checks each write by Kubernetes' own schemas.

Discovery, create, read, list, watch, strategic and merge patches, server-side apply, delete. Jobs are
complete, pods have succeeded and the rest is ready as soon as they are there, but Deployments only once
there is a Job. It admits, defaults, schedules and runs nothing.
"""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import yaml

from . import patches, schemas, statuses

VERSION = {"major": "1", "minor": "37", "gitVersion": "v1.37.0"}
RESOURCES = {
    "v1": ("configmaps:ConfigMap", "secrets:Secret", "services:Service", "serviceaccounts:ServiceAccount",
           "pods:Pod", "persistentvolumeclaims:PersistentVolumeClaim", "namespaces:Namespace"),
    "apps/v1": ("deployments:Deployment", "statefulsets:StatefulSet", "replicasets:ReplicaSet"),
    "batch/v1": ("jobs:Job",),
    "autoscaling/v2": ("horizontalpodautoscalers:HorizontalPodAutoscaler",),
    "policy/v1": ("poddisruptionbudgets:PodDisruptionBudget",),
    "networking.k8s.io/v1": ("networkpolicies:NetworkPolicy", "ingresses:Ingress"),
    "monitoring.coreos.com/v1": ("servicemonitors:ServiceMonitor", "prometheusrules:PrometheusRule"),
}  # fmt: skip
VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"]
WATCH_SECONDS = 60


class Cluster:
    """`with Cluster() as cluster`: `cluster.url` answers; `cluster.objects` is what there is."""

    def __init__(self):
        self.objects, self.writes, self.revision = {}, [], 0
        self.jobs_fail = False
        self.lock = threading.RLock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads, self.server.block_on_close = True, False
        self.server.cluster = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def store(self, verb, plural, found):
        """Check and keep it. Raises schemas.Wrong."""
        schemas.check(found)
        with self.lock:
            self.revision += 1
            meta = found["metadata"]
            meta.setdefault("uid", f"uid-{self.revision}")
            meta.setdefault("creationTimestamp", "2026-01-01T00:00:00Z")
            meta["resourceVersion"] = str(self.revision)
            self.objects[plural, meta["name"]] = found
            self.writes.append((verb, found["kind"], meta["name"]))
            return found

    def remove(self, plural, name):
        with self.lock:
            found = self.objects.pop((plural, name), None)
            if found:
                self.writes.append(("delete", found["kind"], name))
            return found

    def of(self, plural, *, named=None):
        with self.lock:
            return [
                self._with_status(found)
                for (kind, name), found in self.objects.items()
                if kind == plural and named in (None, name)
            ]

    def _with_status(self, found):
        """A Deployment is ready once a Job has migrated, since its pods wait for that."""
        if found["kind"] == "Deployment" and not any(plural == "jobs" for plural, _ in self.objects):
            return found
        status = statuses.FAILED if found["kind"] == "Job" and self.jobs_fail else statuses.of(found)
        return {**found, "status": status} if status else found


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        parts = urlsplit(self.path)
        api, plural, name = _address(parts.path)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if plural is None:
            return self._discover(parts.path)
        if name:
            found = self._cluster.of(plural, named=name)
            return self._send(found[0]) if found else self._missing(plural, name)
        named = query.get("fieldSelector", "").partition("metadata.name=")[2] or None
        if query.get("watch"):
            return self._watch(api, plural, named, query)
        kind = _kind(api, plural)
        items, revision = self._cluster.of(plural, named=named), str(self._cluster.revision)
        return self._send(
            {
                "apiVersion": api,
                "kind": f"{kind}List",
                "metadata": {"resourceVersion": revision},
                "items": items,
            }
        )

    def do_POST(self):
        _api, plural, _name = _address(urlsplit(self.path).path)
        asked = self._body()
        if self._cluster.of(plural, named=asked["metadata"]["name"]):
            return self._fail(409, "AlreadyExists", f"{asked['metadata']['name']} already exists")
        return self._write("create", plural, asked, 201)

    def do_PUT(self):
        _api, plural, _name = _address(urlsplit(self.path).path)
        return self._write("update", plural, self._body())

    def do_PATCH(self):
        _api, plural, name = _address(urlsplit(self.path).path)
        found = next(iter(self._cluster.of(plural, named=name)), None)
        kind = self.headers["Content-Type"].partition(";")[0]
        asked = self._body()
        if kind == "application/apply-patch+yaml":
            return self._write("apply", plural, patches.applied(found, asked), 200 if found else 201)
        if found is None:
            return self._missing(plural, name)
        change = patches.strategic if kind == "application/strategic-merge-patch+json" else patches.merge
        return self._write("patch", plural, change(found, asked))

    def do_DELETE(self):
        _api, plural, name = _address(urlsplit(self.path).path)
        self._body()
        found = self._cluster.remove(plural, name)
        return self._send(found) if found else self._missing(plural, name)

    @property
    def _cluster(self):
        return self.server.cluster

    def _body(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return yaml.safe_load(text) if text else {}

    def _write(self, verb, plural, asked, status=200):
        try:
            return self._send(self._cluster.store(verb, plural, asked), status)
        except schemas.Wrong as wrong:
            return self._fail(422, "Invalid", str(wrong))

    def _discover(self, path):
        if path == "/version":
            return self._send(VERSION)
        if path == "/api":
            return self._send({"kind": "APIVersions", "versions": ["v1"]})
        if path == "/apis":
            return self._send({"kind": "APIGroupList", "apiVersion": "v1", "groups": _groups()})
        if path.startswith("/openapi/v3"):
            return self._send(_openapi(path.removeprefix("/openapi/v3").strip("/")))
        api = path.removeprefix("/apis/").removeprefix("/api/")
        if api not in RESOURCES:
            return self._fail(404, "NotFound", path)
        pairs = [pair.split(":") for pair in RESOURCES[api]]
        resources = [
            {
                "name": name,
                "singularName": kind.lower(),
                "namespaced": name != "namespaces",
                "kind": kind,
                "verbs": VERBS,
            }
            for name, kind in pairs
        ]
        return self._send({"kind": "APIResourceList", "groupVersion": api, "resources": resources})

    def _watch(self, api, plural, named, query):
        """What is there, to those who ask for it so, and then nothing more: nothing changes by itself."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        if query.get("sendInitialEvents") == "true":
            for found in self._cluster.of(plural, named=named):
                self._event("ADDED", found)
            end = {
                "resourceVersion": str(self._cluster.revision),
                "annotations": {"k8s.io/initial-events-end": "true"},
            }
            self._event("BOOKMARK", {"apiVersion": api, "kind": _kind(api, plural), "metadata": end})
        seen = int(query.get("resourceVersion") or self._cluster.revision)
        ends = time.monotonic() + WATCH_SECONDS
        while time.monotonic() < ends:
            for found in self._cluster.of(plural, named=named):
                if int(found["metadata"]["resourceVersion"]) > seen:
                    seen = int(found["metadata"]["resourceVersion"])
                    if not self._event("MODIFIED", found):
                        return
            time.sleep(0.05)

    def _event(self, kind, found):
        try:
            self.wfile.write(json.dumps({"type": kind, "object": found}).encode() + b"\n")
            self.wfile.flush()
        except OSError:
            return False
        return True

    def _missing(self, plural, name):
        self._fail(404, "NotFound", f'{plural} "{name}" not found')

    def _fail(self, status, reason, message):
        self._send(
            {
                "kind": "Status",
                "apiVersion": "v1",
                "status": "Failure",
                "reason": reason,
                "message": message,
                "code": status,
            },
            status,
        )

    def _send(self, body, status=200):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def _groups():
    found = []
    for api in RESOURCES:
        group, _, version = api.rpartition("/")
        if group:
            versions = [{"groupVersion": api, "version": version}]
            found.append({"name": group, "versions": versions, "preferredVersion": versions[0]})
    return found


def _openapi(path):
    """No schemas, but the promise that this server checks fields itself: Helm then leaves that to it."""
    places = {(f"apis/{api}" if "/" in api else f"api/{api}"): api for api in RESOURCES}
    if not path:
        return {"paths": {place: {"serverRelativeURL": f"/openapi/v3/{place}"} for place in places}}
    group, _, version = places[path].rpartition("/")
    parameters = [{"name": "fieldValidation", "in": "query", "schema": {"type": "string"}}]
    pairs = [pair.split(":") for pair in RESOURCES[places[path]]]
    paths = {
        f"/{path}/namespaces/{{namespace}}/{plural}/{{name}}": {
            "patch": {
                "parameters": parameters,
                "responses": {},
                "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": kind},
            }
        }
        for plural, kind in pairs
    }
    return {"openapi": "3.0.0", "info": {"title": "stand-in", "version": "1"}, "paths": paths}


def _kind(api, plural):
    return dict(pair.split(":") for pair in RESOURCES[api])[plural]


def _address(path):
    """(`apps/v1`, `deployments`, name or None) of a path; (None, None, None) of discovery."""
    parts = path.strip("/").split("/")
    api, rest = (parts[1:2], parts[2:]) if parts[0] == "api" else (parts[1:3], parts[3:])
    if rest[:1] == ["namespaces"] and len(rest) > 2:
        rest = rest[2:]
    if parts[0] not in ("api", "apis") or not rest:
        return None, None, None
    return "/".join(api), rest[0], rest[1] if len(rest) > 1 else None
