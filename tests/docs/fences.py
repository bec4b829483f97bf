"""The fenced blocks of a document, and what is wrong with them as examples."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
RUN = ("sh", "python", "js", "json")
PRINTED = "text"
_PART = re.compile(
    r"<!-- not run: (?P<reason>.+?) -->|^(?P<indent> *)```(?P<language>.*)\n(?P<text>(?:.*\n)*?) *```$",
    re.MULTILINE,
)


@dataclass
class Example:
    """A block that is run, or stands with the reason why it is not.

    Args:
        line: of its first line of code in the document, from 1.
        printed: what a `text` block below says that it prints; `…` is anything.
    """

    language: str
    text: str
    line: int
    not_run: str = ""
    printed: str | None = None


@dataclass
class Document:
    path: Path
    examples: list[Example] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def name(self):
        return str(self.path.relative_to(CHECKOUT)) if self.path.is_relative_to(CHECKOUT) else self.path.name

    @property
    def run(self):
        return [example for example in self.examples if not example.not_run]

    @property
    def left_out(self):
        """`docs/cli.md, line 12: asks for the password`, one an example that is not run."""
        return [f"{self.name}, line {e.line}: {e.not_run}" for e in self.examples if e.not_run]


def documents():
    """Everything that a user reads."""
    paths = [CHECKOUT / "README.md", CHECKOUT / "sdk" / "README.md", *sorted(CHECKOUT.glob("docs/**/*.md"))]
    return [read(path) for path in paths if "node_modules" not in path.parts]


def read(path):
    document, reason = Document(path), ""
    content = path.read_text(encoding="utf-8")
    for part in _PART.finditer(content):
        if part["reason"]:
            reason = part["reason"]
            continue
        line = content.count("\n", 0, part.start()) + 2
        _add(document, Example(part["language"].strip(), _dedented(part), line, reason))
        reason = ""
    if "```" in _PART.sub("", content):
        document.problems.append(f"{document.name}: a fence is not closed")
    return document


def _add(document, example):
    if example.language == PRINTED and not example.not_run and document.examples:
        document.examples[-1].printed = example.text
    elif problem := _problem(example):
        document.problems.append(f"{document.name}, line {example.line}: {problem}")
    else:
        document.examples.append(example)


def _problem(example):
    if not example.language:
        return "a block without a language"
    if example.not_run:
        return ""
    if example.language == PRINTED:
        return "nothing above it can have printed this"
    if example.language not in RUN:
        return f"nobody runs {example.language!r}; it is one of {', '.join(RUN)}, {PRINTED}"
    return _not_json(example.text) if example.language == "json" else ""


def _not_json(text):
    try:
        json.loads(text)
    except ValueError as error:
        return f"no JSON: {error}"
    return ""


def _dedented(part):
    return "".join(line.removeprefix(part["indent"]) for line in part["text"].splitlines(keepends=True))
