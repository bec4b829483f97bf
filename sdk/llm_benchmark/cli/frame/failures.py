"""What went wrong, in words on standard error and as an exit code.

0 done · 1 fault · 2 wrong input or setting · 3 not logged in · 4 not allowed · 5 not found · 6 the present
state forbids it · 7 a limit is reached · 8 the exchange is not reachable · 9 the claim or bundle did not
hold · 10 an extra is not installed · 130 interrupted.
"""

from __future__ import annotations

import io
import json
import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, TextIO

import click
from click.exceptions import NoArgsIsHelpError

from llm_benchmark.cli import PROGRAM
from llm_benchmark.errors import FieldError, NotReached, SdkError, ServerFault, Unauthorized

from .invocation import KEPT, Invocation
from .output import cleaned, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

_LISTS = {
    "benchmark_not_found": "benchmark list",
    "submission_not_found": "submit list",
    "proposal_not_found": "proposal list",
}
DID_NOT_HOLD, NOT_INSTALLED, INTERRUPTED = 9, 10, 130
_STANDARD_ERROR = 2


class NotInstalled(SdkError):
    """A command needs an extra of the package."""

    code = "not_installed"
    exit_code = NOT_INSTALLED

    def __init__(self, command: str, extra: str, *, besides: str = "") -> None:
        more = f" && pip install {besides}" if besides else ""
        super().__init__(f'{command} needs more: pip install "llm-benchmark-exchange[{extra}]"{more}')


class WrongUsage(SdkError):
    """The command line cannot be understood."""

    code = "wrong_usage"
    exit_code = 2


class UnusableFile(SdkError):
    """The system refuses a file or folder."""

    code = "unusable_file"
    exit_code = 2


class ProgramFault(SdkError):
    """The program itself is wrong."""

    code = "program_fault"


def run(program: click.Command, arguments: Sequence[str], invocation: Invocation | None = None) -> int:
    """Run the program; its exit code."""
    _open_what_is_closed()
    _print_anything()
    invocation, out = invocation or Invocation(), sys.stdout
    try:
        code = program.main(list(arguments), prog_name=PROGRAM, obj=invocation, standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except NoArgsIsHelpError as ended:
        click.echo(ended.format_message())
        return 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nInterrupted." if sys.stderr.isatty() else "Interrupted.", err=True)
        return INTERRUPTED
    except (BrokenPipeError, SystemExit) as ended:
        return _ended_early(ended, out)
    except Exception as error:  # noqa: BLE001  people get words, not a stack
        refusal, steps = _refusal(error, is_verbose=invocation.is_verbose)
        steps += _next_steps(refusal, invocation)
        show = _say_json if _is_json(invocation, arguments) else _say
        show(refusal, steps)
        return refusal.exit_code


def _open_what_is_closed() -> None:
    """What was started with `>&-` has no such stream, and the next file opened would stand in its place."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        continue
    os.close(opened)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  for good


def _print_anything() -> None:
    """A name that the terminal's encoding lacks must not end the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _ended_early(ended: BaseException, out: TextIO) -> int:
    """Whoever read the output has enough; nothing more may be written when the interpreter ends.

    Click takes the stream away and exits, Rich exits from within the error.
    """
    is_taken_away, sys.stdout = sys.stdout is not out, out
    if not (is_taken_away or BrokenPipeError in {type(ended), type(ended.__context__)}):
        raise ended
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    return 0


def _refusal(error: Exception, *, is_verbose: bool) -> tuple[SdkError, list[str]]:
    """Any failure as a refusal, and what to do next."""
    if isinstance(error, SdkError):
        return error, []
    if isinstance(error, click.UsageError):
        return WrongUsage(error.format_message()), _usage(error.ctx)
    if isinstance(error, click.ClickException):
        return WrongUsage(error.format_message()), []
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return UnusableFile(f"{where}{error.strerror or error}."), []
    if is_verbose:
        import traceback  # noqa: PLC0415  `--help` does not wait for it

        traceback.print_exception(error)
    text = f"This is a fault of the program itself: {type(error).__name__}: {error}"
    return ProgramFault(text), [] if is_verbose else ["Say the same with -v, and report what it prints."]


def _usage(context: click.Context | None) -> list[str]:
    if context is None:
        return []
    usage = " ".join(context.command.collect_usage_pieces(context))
    return [f"Usage: {context.command_path} {usage}", f"Help: {context.command_path} --help"]


def _is_json(invocation: Invocation, arguments: Sequence[str]) -> bool:
    """Also where the command line failed before its options were read."""
    spelled = {*pairwise(arguments), *arguments}
    if spelled & {"-ojson", "--output=json", ("-o", "json"), ("--output", "json")}:
        return True
    try:
        return invocation.shown_as == "json"
    except SdkError:
        return False


def _say(error: SdkError, steps: Sequence[str]) -> None:
    errors = error.errors
    if len(errors) == 1 and errors[0].message == str(error):
        _print(f"{PROGRAM}: {_named(errors[0])}")
        errors = []
    else:
        _print(f"{PROGRAM}: {_headline(error)}")
    for line in [*map(_named, errors), *steps]:
        _print(line, indent="  ")


def _headline(error: SdkError) -> str:
    """Who reads it on a terminal sees no `errors`, but the lines below."""
    return "The exchange refuses this:" if error.errors and "`errors`" in str(error) else str(error)


def _print(text: str, *, indent: str = "") -> None:
    click.echo(wrapped(cleaned(text), sys.stderr, indent=indent), err=True)


def _named(wrong: FieldError) -> str:
    return f"{wrong.field}: {wrong.message}" if wrong.field else wrong.message


def _say_json(error: SdkError, steps: Sequence[str]) -> None:
    click.echo(json.dumps({"error": {**_as_dict(error), "next_steps": steps}}), err=True)


def _next_steps(error: SdkError, invocation: Invocation) -> list[str]:
    lines = [*error.next_steps]
    if isinstance(error, Unauthorized):
        lines += _log_in(invocation)
    if error.code in _LISTS:
        lines.append(f"Those that you may see: {PROGRAM} {_LISTS[error.code]}")
    if isinstance(error, NotReached):
        lines.append(f"Name another exchange with --api-url, or: {PROGRAM} config set api_url URL")
    if error.retry_after:
        lines.append(f"Try again in {error.retry_after:.0f} s.")
    if isinstance(error, ServerFault) or (error.request_id and error.exit_code == 1):
        lines.append(f"If it lasts, tell the exchange's operators: {error.request_id}")
    return lines


def _log_in(invocation: Invocation) -> list[str]:
    """A token that was named elsewhere wins over a log-in, so it has to go first."""
    try:
        origin = invocation.token_origin
    except SdkError:
        origin = ""
    if origin in {"", KEPT}:
        return [f"Log in with: {PROGRAM} auth login"]
    return [
        f"The token came from {origin}: put a new one there, or leave it out and log in: {PROGRAM} auth login"
    ]


def _as_dict(error: SdkError) -> dict[str, object]:
    return {
        "code": error.code,
        "message": str(error),
        "status": error.status,
        "request_id": error.request_id,
        "errors": [{"field": e.field, "code": e.code, "message": e.message} for e in error.errors],
        "retry_after": error.retry_after,
    }
