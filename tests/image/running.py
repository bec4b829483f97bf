"""Every process in its image: started as user 10001 on a read-only root, asked, and stopped by SIGTERM."""

import json
import time
import urllib.error
import urllib.request
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from exchange.embedded.ports import free_port

from . import settings
from .container import Container, own

WORKERS = ("worker", "measure", "beat")
MEASURING = Path(__file__).with_name("measuring.py")
ORPHANED = Path(__file__).with_name("orphaned.py")
WRITE = "from pathlib import Path\nPath('/app/x').write_text('x')"
HARDENED = "import os; s = os.statvfs('/app'); print(os.getuid(), os.getgid(), s.f_flag & os.ST_RDONLY)"


def every_process(folder, images):
    """What is so, a sentence at a time."""
    ports = {"web_port": free_port(), "grpc_port": free_port()}
    made = (folder, images, settings.environment(**ports))
    yield from _hardened(_container(*made, "server", "looked at"))
    yield from _set_up(_container(*made, "server", "set up", **settings.OWNERS))
    server = _container(*made, "server", "web")
    with server.start("web") as web:
        yield from _web(web, server, ports["web_port"])
    server = _container(*made, "server", "grpc")
    with server.start("grpc") as process:
        process.until(lambda: _serves(ports["grpc_port"]))
        yield "grpc says SERVING to the health service"
    yield from _workers(made)
    measure = _container(*made, "measure", "measured in")
    yield f"AIPerf measures in the image: {measure.run('python', '-c', MEASURING.read_text()).strip()}"


def _container(folder, images, env, target, name, **more):
    root, configuration = images[target]
    uid = int(configuration["User"].split(":")[0])
    state = own(folder / name, uid, 0o700)
    return Container(root, configuration, state=state, secrets=folder / "secrets", env={**env, **more})


def _hardened(server):
    said = server.run("python", "-c", HARDENED).split()
    assert said[:2] == ["10001", "10001"], said
    assert said[2] != "0", said
    yield "a process is user 10001, and its root file system read-only"
    *first, python, _m, _exchange = server.configuration["Entrypoint"]
    assert "reaped" in server.run(*first, python, "-c", ORPHANED.read_text())
    yield "the first process reaps what a measurement leaves"
    assert server.run("pg_dump", "--version").startswith("pg_dump (PostgreSQL) 17")
    assert server.run("pg_restore", "--version")
    yield "pg_dump and pg_restore are there for backups"


def _set_up(server):
    server.enter("migrate")
    server.enter("migrate")
    yield "migrate makes the tables, and finds nothing to do when it is run again"
    server.enter("manage", "check", "--deploy", "--fail-level", "WARNING")
    yield "Django's check of a deployment finds nothing"
    said = server.enter("manage", "create_admin", "first", f"first@{settings.HOST}")
    assert "first is an administrator" in said, said
    yield "manage makes the first administrator"
    said = server.enter("manage", "backup", "/var/lib/exchange/backup", check=False)
    assert "Saved in" in said or "needs pg_dump" in said, said
    yield f"manage backup says: {said.strip().splitlines()[0]}"


def _web(web, server, port):
    web.until(lambda: _status(port, "/ready") == 200)
    yield "web answers /ready with 200 from inside the image"
    uid, rights = web.uid()
    assert (uid, rights) == (10001, 0), (uid, hex(rights))
    yield "web runs as user 10001 and without a capability"
    assert _status(port, "/") == 200
    assert _status(port, "/login", {"X-Forwarded-Proto": "http"}) == 301
    yield "pages are served behind TLS, and redirected to it without"
    check = server.configuration["Healthcheck"]["Test"]
    assert check[0] == "CMD", check
    server.run(*(part.replace(":8000", f":{port}") for part in check[1:]))
    yield "the image's own health check passes"
    manifest = json.loads(server.run("cat", "/app/staticfiles/staticfiles.json"))["paths"]
    assert (
        _status(port, f"/static/{next(name for name in manifest.values() if name.endswith('.css'))}") == 200
    )
    yield "style sheets are served under names with their hash"


def _workers(made):
    started = {
        name: _container(*made, "measure" if name == "measure" else "server", name) for name in WORKERS
    }
    with started["beat"].start("beat") as beat:
        for name in ("worker", "measure"):
            with started[name].start(name) as process:
                process.until(lambda name=name: _alive(started[name], name))
                if name == "worker":
                    beat.until(lambda: _alive(started["beat"], "beat"))
    yield "worker, measure and beat make progress, and end with 0 after SIGTERM"


def _alive(container, kind):
    time.sleep(0.5)
    return "alive, last progress" in container.run(
        "python", "-m", "exchange.alive", "--kind", kind, check=False
    )


def _status(port, path, headers=None):
    """0 while nobody listens."""
    sent = {"Host": settings.HOST, "X-Forwarded-Proto": "https", **(headers or {})}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=sent)
    try:
        with _OPENER.open(request, timeout=20) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        time.sleep(0.5)
        return 0


class _Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


_OPENER = urllib.request.build_opener(_Stays)


def _serves(port):
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        try:
            asked = health_pb2.HealthCheckRequest()
            said = health_pb2_grpc.HealthStub(channel).Check(asked, timeout=5, wait_for_ready=True)
        except grpc.RpcError:
            return False
    return said.status == health_pb2.HealthCheckResponse.SERVING
