"""The chart, by the real Helm 4 and 3 and Kubernetes' own schemas: `python -m tests.helm`.

Ends with 0, with 1 when something is wrong, or with 3 and the name of what is missing here.
"""

import sys
import tempfile
import time
from pathlib import Path

from exchange import embedded
from exchange.settings.rest import VERSION

from . import broken, network, references, releases, rendering, schemas, starting, structure, tools, written
from .manifest import Manifest, name_of
from .refused import REFUSED

PROVED = """
Proved: with Helm {versions} the chart lints strictly and renders {sets} sets of values to {objects}
objects, each valid for Kubernetes {kubernetes}; {refused} wrong values are refused; names, selectors,
ports, keys, variables and network ways fit together ({breaks} ways to break them are noticed); a release
is installed, tested, upgraded, rolled back and uninstalled on a stand-in that checks each of {writes} writes
by the schemas, and keeps its pods when migrations fail. k8s/ and the table of values are up to date.
Not proved: what a real cluster does with it. The stand-in does not admit, default, schedule or start
anything, and has no network that would hold to the policies; custom resources have no schema here; images
are built by `make image`, not here."""


def main():
    began = time.monotonic()
    try:
        helms = tools.find()
    except tools.ToolMissingError as missing:
        print(f"Missing: {missing}. The chart was not checked.", file=sys.stderr)
        return tools.MISSING
    report = Report()
    rendered = render(report, helms)
    judge(report, rendered)
    report.add("refused", refusals(helms))
    report.add(
        "within another chart", filter(None, (rendering.within(one, "defaults") for one in helms.values()))
    )
    report.add("k8s", stale(helms))
    report.add("kustomize", kustomized(helms))
    report.add("starting", starting.refused(Manifest(rendered["defaults"])))
    report.add("images", images(rendered["defaults"]))
    report.add("migrations", upgrades(helms))
    writes = live(report, helms)
    if report.count:
        print(f"{report.count} findings.", file=sys.stderr)
        return 1
    objects = sum(map(len, rendered.values()))
    figures = {
        "versions": " and ".join(helms),
        "kubernetes": ", ".join(schemas.VERSIONS),
        "sets": len(rendered),
        "objects": objects,
        "refused": len(REFUSED),
        "breaks": len(broken.breaks()),
        "writes": writes,
    }
    print(PROVED.format(**figures))
    print(f"FIGURE helm_value_sets {len(rendered)} count")
    print(f"FIGURE helm_objects {objects} count")
    print(f"FIGURE helm_s {time.monotonic() - began:.0f} s")
    return 0


class Report:
    """Says what is wrong as it is found, and counts it."""

    def __init__(self):
        self.count = 0

    def add(self, where, findings):
        for finding in findings:
            self.count += 1
            print(f"{where}: {finding}", file=sys.stderr)


def render(report, helms):
    """The objects of each set of values; those of all Helms are equal but for what is random."""
    rendered = {}
    for name in rendering.value_sets():
        results = {version: rendering.template(helm, name) for version, helm in helms.items()}
        report.add(name, filter(None, (rendering.lint(helm, name) for helm in helms.values())))
        rendered[name] = objects = next(iter(results.values()))
        for version, other in results.items():
            if sorted(map(name_of, other)) != sorted(map(name_of, objects)):
                report.add(name, [f"Helm {version} renders other objects"])
        for kubernetes in schemas.VERSIONS:
            report.add(name, against(objects, kubernetes))
    return rendered


def against(objects, kubernetes):
    for found in objects:
        try:
            schemas.check(found, kubernetes)
        except schemas.Wrong as wrong:
            yield str(wrong)


def judge(report, rendered):
    for name, objects in rendered.items():
        manifest = Manifest(objects)
        checks = [*structure.CHECKS, *references.CHECKS]
        checks += network.CHECKS if manifest.of("NetworkPolicy") else []
        for check in checks:
            report.add(f"{name}: {check.__name__}", check(manifest))
    report.add("not noticed", broken.unnoticed(rendered["breakable"]))
    plain = [name_of(found) for found in rendered["secrets"] if found["kind"] == "Secret"]
    report.add("secrets", (f"{name} is made although all Secrets exist" for name in plain))


def refusals(helms):
    for version, helm in helms.items():
        for name, sets, word in REFUSED:
            said = rendering.refusal(helm, name, *sets)
            if word not in said:
                yield f"Helm {version}: {', '.join(sets)} on {name}: {said.strip() or 'taken'}"


def stale(helms):
    helm = next(iter(helms.values()))
    return (f"{path} is not what the chart gives: make k8s" for path in written.differences(helm))


def kustomized(helms):
    """kubectl builds k8s/ to what is there, each object in its namespace, and to nothing else."""
    built = written.kustomized(next(iter(helms.values())).with_name("kubectl"))
    strays = [
        name_of(one) for one in built if one["kind"] != "Namespace" and "namespace" not in one["metadata"]
    ]
    yield from (f"{name} has no namespace" for name in strays)
    there = rendering.objects_of((written.K8S / "exchange.yaml").read_text(encoding="utf-8"))
    if sorted(map(name_of, built)) != sorted(["Namespace/exchange", *map(name_of, there)]):
        yield "kustomize gives other objects"
    yield from (f"{name_of(one)} is a secret in the open" for one in built if one["kind"] == "Secret")
    yield from (message for version in schemas.VERSIONS for message in against(built, version))


def images(objects):
    used = {one["image"] for pod in Manifest(objects).pods if pod.is_ours for one in pod.containers}
    if used != {f"llm-benchmark-exchange:{VERSION}", f"llm-benchmark-exchange-measure:{VERSION}"}:
        yield f"the images are {sorted(used)}"


def upgrades(helms):
    """Migrations are an ordinary Job at an installation and a hook before an upgrade."""
    for helm in helms.values():
        for flags, hook in (([], None), (["--is-upgrade"], "pre-upgrade")):
            jobs = [one for one in rendering.template(helm, "defaults", *flags) if one["kind"] == "Job"]
            hooks = [one["metadata"]["annotations"].get("helm.sh/hook") for one in jobs]
            if hooks != [hook]:
                yield f"{flags or 'an installation'}: {hooks}"


def live(report, helms):
    writes = 0
    with tempfile.TemporaryDirectory(prefix="helm-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        servers = embedded.start(folder / "state", for_tests=True)
        try:
            for version, helm in helms.items():
                home = folder / f"helm-{version}"
                home.mkdir()
                try:
                    writes += releases.live(helm, home, servers.database_owner_url)
                except releases.Failed as failed:
                    report.add(f"Helm {version}", [str(failed)])
        finally:
            servers.stop()
    return writes


if __name__ == "__main__":
    sys.exit(main())
