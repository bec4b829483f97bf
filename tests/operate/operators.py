"""Operators' commands as processes of their own, forked from one that has imported everything already.

`with Operators(env) as operators: operators.run(["backup", folder], place)` gives the exit code and all that
was said. They use the settings of one machine, with the database and the store of a place.
"""

import json
import os
import sys
from pathlib import Path

from tests.orders import Orders


class Operators(Orders):
    def __init__(self, env):
        super().__init__("tests.operate.operators", env)

    def run(self, arguments, **place):
        answer = self.ask(arguments=[str(part) for part in arguments], **place)
        return answer["code"], Path(answer["said"]).read_text(encoding="utf-8")


def serve():
    for number, line in enumerate(sys.stdin):
        order = json.loads(line)
        said = Path(order["folder"]) / f"said-{os.getpid()}-{number}.txt"
        pid = os.fork() or work(order, said)
        _pid, status = os.waitpid(pid, 0)
        answer = {"code": os.waitstatus_to_exitcode(status), "said": str(said)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def work(order, said):
    file = os.open(said, os.O_WRONLY | os.O_CREAT)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.environ.update(order["env"], FAILPOINT=order["failpoint"])
    code = 1
    try:
        settle(order)
        from django.core.management import ManagementUtility

        ManagementUtility(["manage.py", *order["arguments"]]).execute()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def settle(order):
    """Into the place."""
    from django.conf import settings
    from django.db import connections

    for alias in ("default", "owner"):
        connections.settings[alias]["NAME"] = order["database"]
    if not order["as_owner"]:
        del connections.settings["owner"]
    settings.EVIDENCE_URL = order["evidence"]
    settings.KEYRING = order["ring"]
    settings.KEYRING_ACTIVE = next(iter(order["ring"]))


if __name__ == "__main__":
    import django

    django.setup()
    from exchange.operate import reconcile  # noqa: F401
    from exchange.operate.backup import restoring, saving  # noqa: F401

    serve()
