"""A process that starts the servers of a folder, says so, and waits to be killed.

Run by the tests as `python -m tests.embedded.starter STATE_DIR`. Its servers are durable.
"""

import json
import signal
import sys
from pathlib import Path

from exchange import embedded

if __name__ == "__main__":
    servers = embedded.start(Path(sys.argv[1]))
    pids = [server.child.pid if server.child else None for server in servers.servers]
    print(json.dumps({**servers.environment(), "pids": pids}), flush=True)
    signal.pause()
