"""The generated code is that of the published contract."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from google.rpc import status_pb2

PROTOS = settings.BASE_DIR / "protos"
GOOGLE = Path(status_pb2.__file__).parents[2]
GENERATED = settings.BASE_DIR / "exchange" / "api" / "pb"


@pytest.mark.sockets
def test_generating_again_changes_nothing(tmp_path):
    protoc(*(f"--{kind}_out={tmp_path}" for kind in ("python", "pyi", "grpc_python")))

    fresh = {path.name: path.read_text() for path in (tmp_path / "exchange" / "api" / "pb").iterdir()}
    committed = {path.name: path.read_text() for path in GENERATED.glob("*_pb2*.py*")}
    assert sorted(fresh) == sorted(committed)
    assert [name for name in fresh if fresh[name] != committed[name]] == []


@pytest.mark.sockets
def test_describing_again_changes_nothing(tmp_path):
    refusals = ("google/rpc/status.proto", "google/rpc/error_details.proto")
    told = ["--include_imports", f"--descriptor_set_out={tmp_path}/fresh", f"-I{GOOGLE}"]
    protoc(*told, also=refusals)

    assert (tmp_path / "fresh").read_bytes() == (PROTOS / "llm_benchmark.v1.binpb").read_bytes()


def protoc(*options, also=()):
    files = [*(f"{PROTOS}/{name}" for name in sorted(path.name for path in PROTOS.glob("*.proto"))), *also]
    command = [sys.executable, "-W", "ignore", "-m", "grpc_tools.protoc", f"-Iexchange/api/pb={PROTOS}"]
    subprocess.run([*command, *options, *files], check=True)


def test_every_message_is_of_the_published_package():
    from .doors import messages

    assert {message.file.package for message in messages().values()} == {"llm_benchmark.v1"}
