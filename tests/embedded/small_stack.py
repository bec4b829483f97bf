"""A supervisor over programs of the test's choice, in a process of its own.

Run by the tests as `python -m tests.embedded.small_stack` with the options of `up`. PROGRAMS in the
environment is a JSON object of name to Python source. Each source is run with the port, the gRPC
port and the state folder as arguments; a program named `migrate` runs once before the others.
"""

import argparse
import json
import logging
import os
import sys
from pathlib import Path

from exchange.processes import Program
from exchange.supervisor import Supervisor

SERVE = """
import http.server, socket, sys, threading
grpc = socket.create_server(("127.0.0.1", int(sys.argv[2])))
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Ready).serve_forever()
"""

if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser()
    parser.add_argument("--state-dir", type=Path)
    parser.add_argument("--port", type=int)
    parser.add_argument("--grpc-port", type=int)
    options = parser.parse_args()
    arguments = (str(options.port), str(options.grpc_port), str(options.state_dir))
    programs = {
        name: Program(name, (sys.executable, "-c", source, *arguments))
        for name, source in json.loads(os.environ["PROGRAMS"]).items()
    }
    migrations = programs.pop("migrate", None)
    Supervisor(
        options.state_dir,
        port=options.port,
        grpc_port=options.grpc_port,
        programs=list(programs.values()),
        migrations=migrations,
    ).run()
