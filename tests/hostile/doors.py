"""All that dials a provider, each as a function of a target that tells how it ended: a code, or None."""

import threading

from llm_benchmark.measure.egress import EgressRefused
from llm_benchmark.measure.gateway import Bounds, Gateway
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.plans import PerformancePlan
from tests.measure.ledger import MemorySink

from . import reader

SECONDS = 10.0
LOAD = PerformancePlan(input_tokens=8, output_tokens=8, requests=1, seed=1)


def listed(target, _folder):
    return reader.listed(target, seconds=SECONDS)["code"]


def checked(target, _folder):
    return reader.checked(target, seconds=SECONDS)["code"]


def questions(target, _folder):
    return reader.questions(target, streaming=False, seconds=SECONDS)["code"]


def loaded(target, folder):
    sink = MemorySink()
    outcome = run_performance(LOAD, target, sink, threading.Event(), workdir=folder)
    assert sink.reservations == []
    return outcome.failure.code


def gateway(target, folder):
    try:
        with Gateway.start(target, Bounds(), folder):
            return None
    except EgressRefused as refused:
        return refused.code


DOORS = {"list": listed, "check": checked, "questions": questions, "load": loaded, "gateway": gateway}
