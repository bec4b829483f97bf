"""A server that may stand in front of S3: it answers what a test says, or hands the request on."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from exchange.embedded.ports import LOOPBACK

PATIENCE_SECONDS = 60


class LyingServer:
    """`answers` are used up one a request, the last again and again; `requests` are the methods asked."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []
        self.released = threading.Event()
        self._server = ThreadingHTTPServer((LOOPBACK, 0), self._handler())
        self.url = f"http://{LOOPBACK}:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self):
        lying = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                lying.requests.append(self.command)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answers = lying.answers
                (answers.pop(0) if len(answers) > 1 else answers[0])(lying, self, body)

            do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = answer  # noqa: N815

            def log_message(self, *_):
                pass

        return Handler


def says(status, body=b"", *, announced=None):
    """`announced`: the length that is promised; the connection ends after the body."""

    def answer(_lying, handler, _body):
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body) if announced is None else announced))
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = True

    return answer


def stalls(lying, handler, _body):
    """Says nothing until the test is over."""
    lying.released.wait(PATIENCE_SECONDS)
    handler.close_connection = True


def stalls_within(body, *, announced):
    """Begins, and then says nothing until the test is over."""

    def answer(lying, handler, _body):
        handler.send_response(200)
        handler.send_header("Content-Length", str(announced))
        handler.end_headers()
        handler.wfile.write(body)
        handler.wfile.flush()
        stalls(lying, handler, _body)

    return answer


def hands_on(url, *, changing=lambda body: body):
    """Asks the server at `url` the same, with another body."""

    def answer(_lying, handler, body):
        parts = urlsplit(url)
        link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)
        headers = {name: value for name, value in handler.headers.items() if name != "Expect"}
        link.request(handler.command, handler.path, changing(body), headers)
        with link.getresponse() as response:
            says(response.status, response.read())(_lying, handler, body)
        link.close()

    return answer
