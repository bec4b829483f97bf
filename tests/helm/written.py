"""What follows from other files and is kept: k8s/exchange.yaml, the table of values, the chart's alerts.

`python -m tests.helm.written` writes them anew.
"""

import json
import subprocess
import sys

import yaml

from . import tools
from .rendering import CHART, ROOT, objects_of

K8S = ROOT / "k8s"
README = CHART / "README.md"
ALERTS = ROOT / "exchange" / "operate" / "metrics" / "alerts.yaml"
HEAD = "# Rendered from helm/ with k8s/values.yaml by `make k8s`: change those, not this.\n"
BEGINS = "| Value | What it is | Default |\n"


def manifests(helm):
    command = [
        helm,
        "template",
        "exchange",
        CHART,
        "-f",
        K8S / "values.yaml",
        "--namespace",
        "exchange",
        "--skip-tests",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    kept = [_plain(found) for found in objects_of(done.stdout)]
    return HEAD + yaml.dump_all(sorted(kept, key=_place), sort_keys=False, width=1000, allow_unicode=True)


def kustomized(kubectl):
    done = subprocess.run([kubectl, "kustomize", K8S], check=True, capture_output=True, text=True)
    return objects_of(done.stdout)


def _plain(found):
    """Without what speaks of Helm."""
    for meta in (found["metadata"], found.get("spec", {}).get("template", {}).get("metadata", {})):
        for name in ("helm.sh/chart", "app.kubernetes.io/managed-by"):
            meta.get("labels", {}).pop(name, None)
    return found


def _place(found):
    return found["kind"], found["metadata"]["name"]


def readme():
    """The chart's README with a table that is up to date."""
    text = README.read_text(encoding="utf-8")
    return text.partition(BEGINS)[0] + table()


def table():
    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    return BEGINS + "|---|---|---|\n" + "".join(_rows(schema, values, ""))


def _rows(schema, values, path):
    for name, one in schema["properties"].items():
        place = f"{path}{name}"
        if "description" in one:
            shown = json.dumps(values[name], ensure_ascii=False)
            yield f"| `{place}` | {one['description']} | `{shown}` |\n"
        else:
            yield from _rows(one, values[name], f"{place}.")


def wanted(helm):
    """What each file must hold. A chart can only read files of its own folder, so the alerts are copied."""
    return {
        CHART / "files" / "alerts.yaml": ALERTS.read_text(encoding="utf-8"),
        K8S / "exchange.yaml": manifests(helm),
        README: readme(),
    }


def differences(helm):
    """What is kept and would be written otherwise."""
    kept = wanted(helm)
    return [
        str(path.relative_to(ROOT)) for path, text in kept.items() if path.read_text(encoding="utf-8") != text
    ]


def main():
    try:
        helm = next(iter(tools.find().values()))
    except tools.ToolMissingError as missing:
        print(f"Missing: {missing}.", file=sys.stderr)
        return tools.MISSING
    for path, text in wanted(helm).items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
