"""A real S3 server on this machine: SeaweedFS, from its wheel."""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import httpx
import pytest

from exchange.embedded.lifeline import Child
from exchange.embedded.ports import LOOPBACK, free_port
from exchange.storage.client import connect

KEY, SECRET = "exchange-tests", "a-secret-of-the-tests-alone"
START_SECONDS = 60
_PORTS = [
    f"{part}.port{kind}" for part in ("s3", "master", "volume", "filer", "admin") for kind in ("", ".grpc")
]
_WITHOUT = [
    "-s3.autoCreateBucket=false",
    "-webdav=false",
    "-admin.ui=false",
    "-s3.port.iceberg=0",
    "-s3.port.lance=0",
]


class S3Server:
    """Runs from `with` on, with one key."""

    BUCKET = "evidence"
    ENVIRONMENT = ("AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION")

    def __enter__(self):
        self._folder = Path(tempfile.mkdtemp(prefix="exchange-s3-"))
        self._ports = {name: free_port() for name in _PORTS}
        self.url = f"http://{LOOPBACK}:{self._ports['s3.port']}"
        self.environment = {
            "AWS_ENDPOINT_URL_S3": self.url,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }
        self._child = Child(
            [
                Path(sys.executable).with_name("weed"), "mini", f"-dir={self._folder}",
                f"-ip={LOOPBACK}", f"-ip.bind={LOOPBACK}", *_WITHOUT,
                *(f"-{name}={port}" for name, port in self._ports.items()),
            ],
            log=self._folder / "log",
            env={"PATH": os.defpath, "HOME": str(self._folder), **self.environment},
        )  # fmt: skip
        self._wait()
        return self

    def client(self, **changed):
        """`connect()` with this server's variables, or some that differ."""
        return self.client_in({**self.environment, **changed})

    @staticmethod
    def client_in(environment, **options):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            return connect(**options)

    def __exit__(self, *_):
        self._child.end()
        shutil.rmtree(self._folder, ignore_errors=True)
        for port in self._ports.values():  # it leaves them
            for left in Path(tempfile.gettempdir()).glob(f"seaweedfs-*-{port}.sock"):
                left.unlink(missing_ok=True)

    def _wait(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._child.exit_code() is None:
            try:
                httpx.get(self.url, trust_env=False)
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        pytest.fail(f"SeaweedFS did not start:\n{self._child.tail(40)}")
