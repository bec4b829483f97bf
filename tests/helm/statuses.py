"""What a cluster would say of objects when all has gone well."""


def of(found):
    """The status, or None where there is none to speak of."""
    return STATUSES.get(found["kind"], lambda _spec: None)(found.get("spec", {}))


def _deployment(spec):
    count = spec.get("replicas", 1)
    counts = dict.fromkeys(("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"), count)
    reason = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}
    return {**counts, "conditions": [{"type": "Available", "status": "True"}, reason]}


def _stateful_set(spec):
    count = spec["replicas"]
    counts = dict.fromkeys(
        ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "currentReplicas"), count
    )
    return {**counts, "currentRevision": "1", "updateRevision": "1"}


FAILED = {"failed": 1, "conditions": [{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded"}]}
STATUSES = {
    "Deployment": _deployment,
    "StatefulSet": _stateful_set,
    "Job": lambda _spec: {"succeeded": 1, "conditions": [{"type": "Complete", "status": "True"}]},
    "Pod": lambda _spec: {"phase": "Succeeded"},
    "PersistentVolumeClaim": lambda _spec: {"phase": "Bound"},
}
