import pytest


@pytest.mark.parametrize("command", ["simulate", "serve-model"])
def test_names_the_variable_that_holds_no_key(call, command):
    ended = call(command, "--key-env", "NO_SUCH_VARIABLE")

    assert ended.code == 2
    assert "--key-env env:NO_SUCH_VARIABLE holds nothing." in ended.err
