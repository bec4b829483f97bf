"""The chart as Helm renders it, for each set of values."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "helm" / "llm-benchmark-exchange"
VALUES = Path(__file__).with_name("values")
LONGEST_RELEASE = "a-release-whose-name-is-as-long-as-helm-allows-it-53c"


def value_sets():
    return sorted(path.stem for path in VALUES.glob("*.yaml"))


def release_of(name):
    return LONGEST_RELEASE if name == "long-names" else "demo"


def lint(helm, name):
    """What Helm finds, or an empty string."""
    done = _run(helm, "lint", "--strict", CHART, "-f", VALUES / f"{name}.yaml")
    return "" if done.returncode == 0 else done.stdout + done.stderr


def template(helm, name, *more, release=None):
    """The objects of one set of values; those of hooks and tests too."""
    done = _run(helm, "template", release or release_of(name), CHART, "-f", VALUES / f"{name}.yaml", *more)
    if done.returncode:
        raise RuntimeError(f"helm template with {name}: {done.stderr}")
    return objects_of(done.stdout)


def within(helm, name):
    """What Helm says against the chart as part of another one, or an empty string."""
    with tempfile.TemporaryDirectory() as folder:
        parent = Path(folder)
        shutil.copytree(CHART, parent / "charts" / CHART.name)
        (parent / "Chart.yaml").write_text("{apiVersion: v2, name: parent, version: 1.0.0}")
        values = yaml.safe_load((VALUES / f"{name}.yaml").read_text(encoding="utf-8"))
        (parent / "values.yaml").write_text(yaml.safe_dump({CHART.name: values}))
        done = _run(helm, "template", "demo", parent)
    return done.stderr if done.returncode else ""


def refusal(helm, name, *sets):
    """What Helm says to values that are not to be had, or an empty string when it takes them."""
    flags = [part for one in sets for part in ("--set", one)]
    done = _run(helm, "template", "demo", CHART, "-f", VALUES / f"{name}.yaml", *flags)
    return done.stderr if done.returncode else ""


def objects_of(text):
    return [found for found in yaml.load_all(text, Loader=yaml.CSafeLoader) if found]


def _run(helm, *arguments):
    return subprocess.run(
        [helm, *map(str, arguments)], check=False, capture_output=True, text=True, timeout=60
    )
