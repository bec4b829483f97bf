from uuid import uuid4

import pytest

from exchange.storage import FilesystemStore
from exchange.storage.location import Bucket
from exchange.storage.s3 import S3Store
from tests.s3 import S3Server

BUCKET = S3Server.BUCKET


class Disk:
    """A store in a folder, and what lies there."""

    def __init__(self, root):
        self.root, self.store = root, FilesystemStore(root)

    def names(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file())

    def overwrite(self, name, content):
        (self.root / name).write_bytes(content)


class InBucket:
    """The same in a bucket, under a prefix of the test's own."""

    def __init__(self, client):
        self.client, self.prefix = client, f"{uuid4()}/"
        self.store = S3Store(Bucket(BUCKET, self.prefix), client, public=client)

    def names(self):
        found = self.client.list_objects_v2(Bucket=BUCKET, Prefix=self.prefix).get("Contents", ())
        return sorted(item["Key"].removeprefix(self.prefix) for item in found)

    def overwrite(self, name, content):
        self.client.put_object(Bucket=BUCKET, Key=self.prefix + name, Body=content)


@pytest.fixture(scope="session")
def s3_client(s3_server):
    return s3_server.client()


@pytest.fixture
def in_bucket(s3_client):
    return InBucket(s3_client)


@pytest.fixture(params=["disk", pytest.param("s3", marks=pytest.mark.sockets)])
def place(request, tmp_path):
    """Where a store keeps its objects: `store`, `names()`, `overwrite(name, content)`."""
    if request.param == "disk":
        return Disk(tmp_path / "evidence")
    return request.getfixturevalue("in_bucket")


@pytest.fixture
def store(place):
    return place.store
