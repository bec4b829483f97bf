"""The questions as Inspect wants them; only its own environment can import this."""

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import exact
from inspect_ai.solver import generate


@task
def sums():
    return Task(dataset=json_dataset("sums.jsonl"), solver=generate(), scorer=exact())
