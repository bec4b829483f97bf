"""A document's examples, run in one shell from top to bottom, and held against what it says they print."""

import os
import re
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path

from .fences import CHECKOUT

BREAK = "\x1e"  # printed between two examples
SECONDS = 900  # a load that a busy machine disturbed is measured again after a pause
STARTS = {
    "sh": "{text}",
    "python": "python3 {file}",
    "js": "node {file}",
    "json": f"PYTHONPATH={CHECKOUT} python3 -m tests.docs.configured {{file}}",
}
# `a && b` where a fails does not end a shell by itself, so its status is looked at.
_BREAKS = {"sh": f"\n(exit $?)\nprintf '{BREAK}'\n", "python": f"\nprint('{BREAK}', end='', flush=True)\n"}


def run(document, folder, places, env=os.environ):
    """What is not as the document says, in words; "" where all is.

    Shell blocks share one shell; Python blocks that follow each other are one program.

    Args:
        places: address or setting in the document → where it is in this run.
        env: with which operators' commands find the exchange.
    """
    _furnish(folder)
    code, output = _run(_script(document.run, folder, places), folder, env)
    for documented, here in places.items():
        output = output.replace(here, documented)
    *outputs, last = output.split(BREAK)
    if code or len(outputs) + 1 < len(document.run):
        failed = document.run[len(outputs)]
        wrong = [f"{document.name}, line {failed.line} ended with {code}:\n{last}"]
    else:
        wrong, outputs = [], [*outputs, last]
    return "\n".join([*_differences(document, outputs), *wrong])


def _differences(document, outputs):
    for example, printed in zip(document.run, outputs, strict=False):
        if example.printed is not None and not agrees(printed, example.printed):
            where = f"{document.name}, line {example.line}"
            yield f"{where} printed:\n{printed}\nand not:\n{example.printed}"


def agrees(printed, documented):
    """`…` on a line of its own is any lines, within a line any text; blanks and rules may be of any width."""
    pattern = re.escape(_even(documented)).replace(r"\ ", " ").replace("\\\n", "\n")
    pattern = re.sub(r"(?m)^…\n", r"(?:.*\\n)*", pattern)
    pattern = re.sub(r"(?m)^…$", r"[\\s\\S]*", pattern)
    return re.fullmatch(pattern.replace("…", ".*"), _even(printed)) is not None


def _even(text):
    lines = (re.sub(r"\s+", " ", line).strip() for line in text.strip().splitlines())
    return re.sub("─+", "─", "\n".join(lines))


def _furnish(folder):
    """What a reader has who stands in the checkout."""
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "manage.py").symlink_to(CHECKOUT / "manage.py")
    for part in ("docs/examples", "protos"):
        if (CHECKOUT / part).exists():
            left_out = shutil.ignore_patterns("node_modules")
            shutil.copytree(CHECKOUT / part, folder / part, ignore=left_out)


def _run(script, folder, env):
    path = folder / "session.sh"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", path], cwd=folder, env=_environment(folder, env), timeout=SECONDS,
        text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def _environment(folder, env):
    kept = {name: value for name, value in env.items() if not name.startswith("LLM_BENCHMARK_")}
    return {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
        "LLM_BENCHMARK_HOME": str(folder / "home"),
        "PYTHONUNBUFFERED": "1",
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }


def _script(examples, folder, places):
    groups = groupby(enumerate(examples), key=lambda numbered: numbered[1].language)
    return _BREAKS["sh"].join(
        program for language, group in groups for program in _programs(language, list(group), folder, places)
    )


def _programs(language, numbered, folder, places):
    """Joined where the language has a way to say that an example ends."""
    texts = {number: _here(example.text, places) for number, example in numbered}
    if language in _BREAKS:
        texts = {numbered[0][0]: _BREAKS[language].join(texts.values())}
    for number, text in texts.items():
        file = folder / f"example-{number}.{language}"
        file.write_text(text, encoding="utf-8")
        yield STARTS[language].format(text=text, file=file)


def _here(text, places):
    for documented, here in places.items():
        text = text.replace(documented, here)
    return text
