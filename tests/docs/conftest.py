import pytest


@pytest.fixture(scope="package")
def world():
    from .world import running_world

    with running_world() as running:
        yield running
