"""Listens to everything a page complains about: its console, its scripts, its policy, its requests."""

from contextlib import contextmanager

from .findings import CONSOLE, Finding

CUT_OFF = "net::ERR_ABORTED"  # a poll or a download that leaving the page ended


class Watch:
    """Hears a browser context from its first page on; what the policy blocks is an error of the console."""

    def __init__(self, context, findings):
        self._findings = findings
        self._expected = set()
        context.on("console", self._console)
        context.on("weberror", self._script)
        context.on("requestfailed", self._request)
        context.on("response", self._response)

    @contextmanager
    def expecting(self, *statuses):
        """Answers that a journey asks for on purpose: a page that does not exist, a form refused."""
        self._expected = set(statuses)
        yield
        self._expected = set()

    def _add(self, page, where, what):
        self._findings.add(Finding(CONSOLE, page, where, what))

    def _console(self, message):
        if message.type != "error":
            return
        if message.text.startswith("Failed to load resource"):
            return  # the answer itself is heard below, with its status
        self._add(message.page.url if message.page else "", message.location["url"], message.text)

    def _script(self, error):
        self._add(error.page.url if error.page else "", "", str(error.error))

    def _request(self, request):
        if request.failure != CUT_OFF:
            self._add(request.frame.url, request.url, str(request.failure))

    def _response(self, response):
        if response.status >= 400 and response.status not in self._expected:
            what = f"{response.request.method} answered {response.status}"
            self._add(response.frame.url, response.url, what)
