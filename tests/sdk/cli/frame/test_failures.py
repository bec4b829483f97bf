import json
import os
import subprocess
import sys

import click
import httpx
import pytest

from llm_benchmark.cli.frame.failures import NotInstalled, run
from llm_benchmark.cli.frame.invocation import Invocation
from llm_benchmark.errors import FieldError, InvalidInput

ESCAPE, TURNED = "\x1b[2J", "\u202e"


def problem(status, code="some_code", detail="It was refused.", errors=(), **headers):
    body = {"code": code, "detail": detail, "request_id": "req_1", "errors": list(errors)}
    return httpx.Response(status, json=body, headers={"Content-Type": "application/problem+json", **headers})


@pytest.fixture
def refused(call, stub):
    """`refused(answer)`: what the program says where the exchange answers so."""

    def get(answer, *more):
        return call("benchmark", "get", "mmlu", *more, http=stub({"GET /benchmarks/slug/mmlu": answer}))

    return get


def failing(error):
    @click.command()
    @click.pass_obj
    def command(_invocation):
        raise error

    return command


class TestExitCodes:
    @pytest.mark.parametrize(
        ("status", "code"),
        [(400, 2), (401, 3), (403, 4), (404, 5), (409, 6), (413, 7), (422, 2), (418, 1), (500, 1)],
    )
    def test_follow_the_kind_of_refusal(self, refused, status, code):
        ended = refused(problem(status))
        assert (ended.code, ended.out) == (code, "")
        assert ended.err.startswith("llm-benchmark: It was refused.\n")

    def test_say_that_an_exchange_is_not_reachable(self, call, monkeypatch):
        def refuse(request):
            raise httpx.ConnectError("connection refused.", request=request)

        monkeypatch.setattr("llm_benchmark.transport.Transport.wait", lambda *_: None, raising=False)
        monkeypatch.setattr("time.sleep", lambda _seconds: None)
        ended = call("benchmark", "get", "mmlu", http=httpx.MockTransport(refuse))
        assert ended.code == 8
        assert "cannot be reached: connection refused. Is the address right?" in ended.err
        assert "llm-benchmark config set api_url URL" in ended.err

    def test_say_that_an_extra_is_missing(self, capsys):
        assert run(failing(NotInstalled("run", "measure")), []) == 10
        assert 'pip install "llm-benchmark-exchange[measure]"' in capsys.readouterr().err

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
    def test_say_that_somebody_interrupted(self, capsys, error):
        assert run(failing(error), []) == 130
        assert capsys.readouterr().err.strip() == "Interrupted."


class TestWords:
    def test_name_each_field_that_is_wrong(self, refused):
        errors = [
            {"field": "claims[0].value", "code": "too_large", "message": "At most 1."},
            {"field": "model", "code": "required", "message": "Name one."},
        ]
        ended = refused(problem(400, detail="Two fields are wrong.", errors=errors))
        assert ended.err.splitlines()[1:] == ["  claims[0].value: At most 1.", "  model: Name one."]

    def test_do_not_point_to_what_only_the_answer_has(self, refused):
        errors = [{"field": "id", "code": "invalid", "message": "Must be a valid UUID."}]
        detail = "The request is not valid. Mend the fields named in `errors` and send it again."
        ended = refused(problem(400, detail=detail, errors=errors))
        assert ended.err.splitlines() == [
            "llm-benchmark: The exchange refuses this:",
            "  id: Must be a valid UUID.",
        ]

    def test_say_a_single_wrong_field_once(self, capsys):
        run(failing(InvalidInput.of("--limit", "too_large", "At most 10.")), [])
        assert capsys.readouterr().err == "llm-benchmark: --limit: At most 10.\n"

    def test_clean_what_others_wrote(self, refused):
        errors = [{"field": f"x{TURNED}", "code": "c", "message": f"{ESCAPE}gone"}]
        ended = refused(problem(409, detail=f"Hello{ESCAPE}", errors=errors))
        assert ESCAPE not in ended.err
        assert TURNED not in ended.err
        assert "Hello\N{REPLACEMENT CHARACTER}[2J" in ended.err

    def test_say_when_to_try_again(self, refused, monkeypatch):
        monkeypatch.setattr("time.sleep", lambda _seconds: None)
        assert "Try again in 120 s." in refused(problem(429, **{"Retry-After": "120"})).err

    def test_name_the_request_where_the_fault_is_the_exchange_s(self, refused):
        assert "tell the exchange's operators: req_1" in refused(problem(500)).err

    def test_break_between_words_on_a_terminal_alone(self, call, stub):
        http = stub({"GET /benchmarks/slug/mmlu": problem(409, detail="word " * 40)})
        assert max(map(len, call("b", "get", "mmlu", http=http, is_watched=True).err.splitlines())) <= 80
        assert len(call("b", "get", "mmlu", http=http).err.splitlines()) == 1


class TestLogIn:
    def test_is_the_next_step_without_a_token(self, refused):
        assert "Log in with: llm-benchmark auth login" in refused(problem(401)).err

    def test_does_not_help_while_another_token_wins(self, refused, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_API_KEY", "lbx_pat_old")
        assert "The token came from LLM_BENCHMARK_API_KEY: put a new one there" in refused(problem(401)).err


class TestJson:
    def test_is_what_programs_get_on_standard_error(self, refused):
        errors = [{"field": "a", "code": "b", "message": "c"}]
        ended = refused(problem(409, code="closed", errors=errors), "-o", "json")
        assert ended.out == ""
        error = json.loads(ended.err)["error"]
        assert (error["code"], error["status"], error["request_id"]) == ("closed", 409, "req_1")
        assert error["errors"] == errors

    @pytest.mark.parametrize(
        "option", [["-o", "json"], ["-ojson"], ["--output=json"], ["--output", "json"]], ids=str
    )
    def test_says_what_is_wrong_with_the_command_line(self, call, option):
        ended = call("benchmark", "list", "--nope", *option)
        error = json.loads(ended.err)["error"]
        assert (ended.code, error["code"]) == (2, "wrong_usage")
        assert "Help: llm-benchmark benchmark list --help" in error["next_steps"]

    def test_is_given_where_it_is_the_output_of_choice(self, call, monkeypatch):
        monkeypatch.setenv("LLM_BENCHMARK_OUTPUT", "json")
        assert json.loads(call("nope").err)["error"]["code"] == "wrong_usage"


class TestFaults:
    def test_are_said_in_one_line(self, capsys):
        assert run(failing(ZeroDivisionError("oh")), []) == 1
        err = capsys.readouterr().err
        assert "fault of the program itself: ZeroDivisionError: oh" in err
        assert "Traceback" not in err

    def test_are_shown_whole_with_v(self, capsys):
        run(failing(ZeroDivisionError("oh")), [], Invocation(is_verbose=True))
        assert "Traceback" in capsys.readouterr().err

    def test_of_files_name_the_file(self, capsys):
        error = PermissionError(13, "Permission denied", "/root/x")
        assert run(failing(error), []) == 2
        assert capsys.readouterr().err == "llm-benchmark: /root/x: Permission denied.\n"


def test_a_field_error_without_a_field_is_a_sentence(capsys):
    run(failing(InvalidInput("No.", errors=[FieldError("", "x", "Because.")])), [])
    assert capsys.readouterr().err == "llm-benchmark: No.\n  Because.\n"


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_stream_that_was_closed_is_no_fault(stream, machine):
    """As a shell closes it: `>&-`."""
    program = [sys.executable, "-m", "llm_benchmark.cli", "config", "show"]
    ended = subprocess.run(program, stderr=subprocess.PIPE, preexec_fn=lambda: os.close(stream), check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
