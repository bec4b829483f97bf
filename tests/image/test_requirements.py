import re
from pathlib import Path

import pytest

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements"


def pinned(name):
    text = (REQUIREMENTS / f"{name}.txt").read_text()
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", text, re.MULTILINE))


class TestImages:
    @pytest.mark.parametrize("name", ["server", "measure"])
    def test_run_the_versions_that_are_tested(self, name):
        assert pinned(name).items() <= pinned("test").items()

    def test_measure_with_all_that_the_others_have(self):
        assert pinned("server").items() <= pinned("measure").items()
