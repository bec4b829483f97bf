"""What is wrong with pages, collected while journeys go on, so that one fault does not hide the next."""

from collections import Counter
from dataclasses import dataclass

AXE, CONSOLE, SIDEWAYS = "axe_violations", "console_errors", "sideways_scrolling"
KINDS = (AXE, CONSOLE, SIDEWAYS)


@dataclass(frozen=True)
class Finding:
    """`kind` is one of KINDS, `page` a path, `where` a selector or an address."""

    kind: str
    page: str
    where: str
    what: str


class Findings:
    def __init__(self):
        self._looks = {}
        self.pages = set()

    def add(self, finding, look=""):
        """The same fault in another look counts once and names both."""
        self._looks.setdefault(finding, []).append(look)

    def __bool__(self):
        return bool(self._looks)

    def figures(self):
        counts = Counter(finding.kind for finding in self._looks)
        return [f"FIGURE {kind} {counts[kind]} count  target 0" for kind in KINDS]

    def lines(self):
        found = sorted(self._looks.items(), key=lambda item: (item[0].kind, item[0].page))
        return [self._line(finding, dict.fromkeys(filter(None, looks))) for finding, looks in found]

    @staticmethod
    def _line(finding, looks):
        return "  ".join([finding.kind, finding.page, finding.where, finding.what, *looks])
