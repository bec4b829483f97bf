"""An exchange that answers what a test says, one answer after the other, and remembers what it was asked."""

import json

import httpx

from llm_benchmark import Client, Settings
from llm_benchmark.transport import Transport

URL = "http://127.0.0.1:1"


def problem(status, code, detail="No.", **headers):
    body = {"code": code, "detail": detail, "request_id": "r-1", "errors": []}
    return httpx.Response(
        status, json=body, headers={name.replace("_", "-"): v for name, v in headers.items()}
    )


class Stub:
    """The last answer is given again and again. An exception is raised instead of answering."""

    def __init__(self, *answers, url=URL, **settings):
        self.answers = list(answers)
        self.requests = []
        self.waits = []
        self.settings = Settings(api_url=url, **settings)
        self.http = httpx.MockTransport(self._answer)
        self.transport = Transport(self.settings, http=self.http, wait=self.waits.append)

    @property
    def client(self):
        return Client(settings=self.settings, http=self.http)

    @property
    def bodies(self):
        return [json.loads(request.content) for request in self.requests]

    def _answer(self, request):
        request.read()
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            return answer(request)
        if isinstance(answer, httpx.Response):
            # A response can be read once.
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        return httpx.Response(200, json=answer)
