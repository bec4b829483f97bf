"""All that reads answers of providers, one after the other in one process: `python -m tests.hostile.reader`.

Takes {urls, key, seconds} as JSON on standard input; `urls` are base URLs by name. Prints what came of each,
and the most memory that the process ever had, in MiB.
"""

import json
import sys
import threading
from pathlib import Path

from llm_benchmark.measure.plans import EgressRules, Generation, QualityPlan, Question, Target
from llm_benchmark.measure.probing import EndpointFault, Known, check, discover
from llm_benchmark.measure.quality import run_quality
from llm_benchmark.measure.retries import NONE

QUESTIONS, CONCURRENCY = 8, 4


class Forgetful:
    """A sink that keeps codes alone, as one that writes to a database does."""

    def __init__(self):
        self.count, self.codes, self.texts = 0, [], []

    def reserve(self, batch):
        self.count += len(batch)
        return range(self.count - len(batch), self.count)

    def sent(self, attempt_ids):
        pass

    def settled(self, batch):
        self.codes += [item.error for item in batch]
        self.texts += [(item.answer.text or "")[:200] for item in batch if item.answer]

    def heartbeat(self):
        return True


def questions(target, *, streaming, seconds):
    asked = [Question(f"q{number}", "6 x 7?", "42", "exact_match_v1") for number in range(QUESTIONS)]
    plan = QualityPlan(
        asked,
        generation=Generation(max_tokens=8),
        concurrency=CONCURRENCY,
        retry_policy="none",
        streaming=streaming,
        request_timeout_seconds=seconds,
    )
    sink = Forgetful()
    outcome = run_quality(plan, target, sink, threading.Event())
    return {"code": outcome.failure and outcome.failure.code, "kept": repr(outcome) + repr(sink.texts)}


def checked(target, *, seconds):
    finding = check(target, Known(), Forgetful(), threading.Event(), policy=NONE, seconds=seconds)
    return {"code": finding.error, "kept": repr(finding)}


def listed(target, *, seconds):
    try:
        return {"code": None, "kept": repr(discover(target, seconds=seconds, within=seconds))}
    except EndpointFault as fault:
        return {"code": fault.failure.code, "kept": repr(fault.failure)}


def main():
    orders = json.load(sys.stdin)
    found = {name: read(orders, url) for name, url in orders["urls"].items()}
    print(json.dumps({"found": found, "peak_mib": peak_mib()}))


def read(orders, url):
    seconds, rules = orders["seconds"], EgressRules(allow=frozenset({url.split("/")[2]}))
    target = Target(url, "m", orders["key"], egress=rules)
    return {
        "questions": questions(target, streaming=False, seconds=seconds),
        "streams": questions(target, streaming=True, seconds=seconds),
        "check": checked(target, seconds=seconds),
        "list": listed(target, seconds=seconds),
    }


def peak_mib():
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
