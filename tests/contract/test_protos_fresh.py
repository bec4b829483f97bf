"""The generated code is that of the published contract."""

import subprocess
import sys

import pytest
from django.conf import settings

PROTOS = settings.BASE_DIR / "protos"
GENERATED = settings.BASE_DIR / "exchange" / "api" / "pb"


@pytest.mark.sockets
def test_generating_again_changes_nothing(tmp_path):
    options = [f"--{kind}_out={tmp_path}" for kind in ("python", "pyi", "grpc_python")]
    options += ["--include_imports", f"--descriptor_set_out={tmp_path}/descriptor"]
    files = sorted(path.name for path in PROTOS.glob("*.proto"))
    command = [sys.executable, "-W", "ignore", "-m", "grpc_tools.protoc", f"-Iexchange/api/pb={PROTOS}"]
    subprocess.run([*command, *options, *(f"{PROTOS}/{name}" for name in files)], check=True)

    assert (tmp_path / "descriptor").read_bytes() == (PROTOS / "llm_benchmark.v1.binpb").read_bytes()
    fresh = {path.name: path.read_text() for path in (tmp_path / "exchange" / "api" / "pb").iterdir()}
    committed = {path.name: path.read_text() for path in GENERATED.glob("*_pb2*.py*")}
    assert sorted(fresh) == sorted(committed)
    assert [name for name in fresh if fresh[name] != committed[name]] == []


def test_every_message_is_of_the_published_package():
    from .doors import messages

    assert {message.file.package for message in messages().values()} == {"llm_benchmark.v1"}
