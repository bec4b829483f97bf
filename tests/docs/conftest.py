import pytest

from tests.programs import require


@pytest.fixture(scope="package")
def world():
    from .world import running_world

    require("curl", "node", "npm")
    with running_world() as running:
        yield running
