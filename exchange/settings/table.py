"""The table of all variables in docs/configuration.md: `python -m exchange.settings.table`."""

from __future__ import annotations

import sys

from .variables import FILE, VARIABLES, Variable


def table() -> str:
    """As Markdown."""
    lines = ["| Variable | For | Default |", "|---|---|---|", *map(_row, VARIABLES)]
    return "\n".join(lines) + "\n"


def _row(variable: Variable) -> str:
    names = f"`{variable.name}`" + (f", `…{FILE}`" if variable.secret else "")
    default = f"`{variable.default}`" if variable.default else ""
    if variable.needed:
        default += " (needed in production)" if default else "needed in production"
    return f"| {names} | {variable.help} | {default} |"


if __name__ == "__main__":
    sys.stdout.write(table())
