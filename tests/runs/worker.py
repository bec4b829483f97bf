"""A worker in a process of its own: `python -m tests.runs.worker KIND` looks for one run and ends."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]


def start(kind="quality", *, failpoint="", lease_seconds=60):
    """The process; it works on the test's own database, evidence store and allowed addresses."""
    database = connection.settings_dict
    login = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT']}"
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'sdk'}",
        "DJANGO_SETTINGS_MODULE": "exchange.settings.test",
        "DATABASE_URL": f"postgres://{login}/{database['NAME']}",
        "EGRESS_ALLOW": ",".join(settings.EGRESS_ALLOW),
        "EVIDENCE_DIR": str(settings.EVIDENCE_DIR),
        "EXCHANGE_STATE_DIR": str(settings.STATE_DIR),
        "RUN_LEASE_SECONDS": str(lease_seconds),
        "MEASURE_ALONE": "0",
        "FAILPOINT": failpoint,
    }
    return subprocess.Popen([sys.executable, "-m", "tests.runs.worker", kind], cwd=ROOT, env=environment)


if __name__ == "__main__":
    import django

    django.setup()
    from submissions.runs.services import work_once

    sys.exit(0 if work_once(sys.argv[1]) else 3)
