"""What went wrong, in words on standard error and as an exit code.

0 done · 1 fault · 2 wrong input or setting · 3 not logged in · 4 not allowed · 5 not found · 6 the present state
forbids it · 7 a limit is reached · 8 the exchange is not reachable · 9 the claim or bundle did not hold ·
10 an extra is not installed · 130 interrupted.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from llm_benchmark.errors import NotReached, SdkError, ServerFault, Unauthorized

from . import PROGRAM
from .invocation import Invocation
from .output import cleaned

if TYPE_CHECKING:
    from collections.abc import Sequence

DID_NOT_HOLD, NOT_INSTALLED, INTERRUPTED = 9, 10, 130


class NotInstalled(SdkError):
    """A command needs an extra of the package."""

    code = "not_installed"
    exit_code = NOT_INSTALLED

    def __init__(self, command: str, extra: str) -> None:
        super().__init__(f'{command} needs more: pip install "llm-benchmark-exchange[{extra}]"')


def run(program: click.Command, arguments: Sequence[str]) -> int:
    """Run the program; its exit code."""
    invocation = Invocation()
    try:
        code = program.main(list(arguments), prog_name=PROGRAM, obj=invocation, standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except SdkError as error:
        _say(error, invocation)
        return error.exit_code
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except click.ClickException as wrong:
        wrong.show()
        return 2
    except BrokenPipeError:
        # Whoever read the output has enough; nothing more may be written when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _say(error: SdkError, invocation: Invocation) -> None:
    if invocation.output == "json":
        click.echo(json.dumps({"error": _as_dict(error)}, ensure_ascii=False), err=True)
        return
    click.echo(f"{PROGRAM}: {cleaned(str(error))}", err=True)
    for wrong in error.errors:
        if wrong.message != str(error) or wrong.field:
            click.echo(f"  {cleaned(wrong.field)}: {cleaned(wrong.message)}", err=True)
    for line in _next_steps(error):
        click.echo(f"  {line}", err=True)


def _next_steps(error: SdkError) -> list[str]:
    lines = []
    if isinstance(error, Unauthorized):
        lines.append(f"Log in with: {PROGRAM} auth login")
    if isinstance(error, NotReached):
        lines.append(f"Name another exchange with --api-url, or: {PROGRAM} config set api_url URL")
    if error.retry_after:
        lines.append(f"Try again in {error.retry_after:.0f} s.")
    if isinstance(error, ServerFault) or (error.request_id and error.exit_code == 1):
        lines.append(f"If it lasts, tell the exchange's operators: {error.request_id}")
    return lines


def _as_dict(error: SdkError) -> dict[str, object]:
    return {
        "code": error.code,
        "message": str(error),
        "status": error.status,
        "request_id": error.request_id,
        "errors": [{"field": e.field, "code": e.code, "message": e.message} for e in error.errors],
        "retry_after": error.retry_after,
    }
