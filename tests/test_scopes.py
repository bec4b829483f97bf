from pathlib import Path

import pytest

from tests.scopes import LONGEST, OWN_WORLD, WORLDS, place_of, scope_of

CHECKOUT = Path(__file__).resolve().parents[1]


class TestScope:
    def test_is_a_file(self):
        assert scope_of("tests/web/test_errors.py::TestX::test_y[a::b]") == "tests/web/test_errors.py"

    def test_is_a_world_for_the_files_that_ask_it(self):
        assert scope_of("tests/e2e/test_journey.py::test_y") == "tests/e2e"
        assert scope_of("tests/e2e/test_attacks.py::test_y") == "tests/e2e/test_attacks.py"


class TestPlace:
    def test_is_before_all_others_for_what_takes_longest(self):
        ids = [
            "tests/web/test_errors.py::test_x",
            f"{LONGEST[1]}/test_y.py::test_x",
            "tests/e2e/test_client.py::t",
        ]
        assert sorted(ids, key=place_of) == [ids[2], ids[1], ids[0]]


@pytest.mark.parametrize("scope", [*LONGEST, *WORLDS, *(f"tests/e2e/{file}" for file in OWN_WORLD)])
def test_everything_that_is_named_is_there(scope):
    assert (CHECKOUT / scope).exists()
