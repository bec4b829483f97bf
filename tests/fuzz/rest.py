"""REST: requests from the API's document, good and bad, one by one and in chains, by schemathesis."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.fuzz.known import OWNER, PLAIN

CHECKOUT = Path(__file__).resolve().parents[2]
SETTINGS = Path(__file__).with_name("schemathesis.toml")
PROGRAM = [str(Path(sys.executable).with_name("schemathesis")), f"--config-file={SETTINGS}"]
# Left out, and why:
LEFT_OUT = {
    "positive_data_acceptance": "much that a request must hold no schema can say: names that are taken, "
    "metrics that fit a benchmark's kind, what a state forbids",
    "ignored_auth": "replaced by auth_is_asked_for, which knows that what is hidden answers 404",
    "object_level_authorization": "tests/e2e/test_foreign_ids.py asks it of every id at every route",
}
# Who asks, in which phases, and how many times the examples: a chain of requests is one of them.
ROUNDS = [
    (OWNER, "coverage,fuzzing", 1),
    (PLAIN, "fuzzing", 1),
    ("", "fuzzing", 1),
    (OWNER, "stateful", 10),
    (PLAIN, "stateful", 5),
]


def run(world, folder, *, examples, seed):
    """Counts of `requests`, `5xx` and `violations`. Each finding is printed with its curl."""
    found = Counter()
    path = folder / "world.json"
    world.write(path)
    for number, (who, phases, times) in enumerate(ROUNDS):
        print(f"\n— REST, as {who or 'nobody'}: {phases} —", flush=True)
        options = [f"--phases={phases}", f"--max-examples={examples * times}", f"--seed={seed}"]
        if who:
            options.append(f"--header=Authorization: Bearer {world.tokens[who]}")
        env = {"FUZZ_WORLD": str(path), "FUZZ_WHO": who or OWNER}
        found += _schemathesis(world.base_url, folder / f"report-{number}.json", options, env)
    return found


def _schemathesis(base_url, report, options, env):
    command = [
        *PROGRAM, "run", f"{base_url}/api/schema", *options,
        "--checks=all", f"--exclude-checks={','.join(LEFT_OUT)}", "--continue-on-failure",
        "--suppress-health-check=all", "--warnings=off", "--output-sanitize=false", "--no-color",
        "--report=json", f"--report-json-path={report}",
    ]  # fmt: skip
    loaded = {"PYTHONPATH": str(CHECKOUT), "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks"}
    ended = subprocess.run(command, check=False, env={**os.environ, **loaded, **env}, cwd=report.parent)
    return _counts(report, ended.returncode)


def _counts(report, code):
    if not report.exists():
        sys.exit(f"schemathesis ended with {code} and reported nothing")
    told = json.loads(report.read_text())
    if told["errors"]:
        sys.exit(f"schemathesis could not go on: {told['errors']}")
    found = Counter(requests=told["test_cases"]["generated"])
    for failure in told["failures"]:
        found["5xx" if failure["type"] == "ServerError" else "violations"] += failure["count"]
    return found
