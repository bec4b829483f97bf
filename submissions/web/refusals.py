"""Puts a claim's refusals where the page has their fields: cases by their line, files by their name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from exchange.core.errors import DomainError
from exchange.web.pages import refused_fields
from exchange.web.words import SETTINGS, word

from .case_lines import CaseLines, read_cases
from .claim_form import Place, Typed, claimed_metrics, field_names

Error = dict[str, str]
_INDEXED = re.compile(r"(claims|cases|evidence)\[(\d+)\](?:\.(\w+))?")


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """What the page showed when the claim was refused. `files` are the names of the evidence."""

    place: Place
    typed: Typed
    files: Sequence[str] = ()

    def errors(self, refusal: DomainError) -> list[Error]:
        found = refused_fields(refusal)
        is_of_cases = any(error["field"].startswith("cases[") for error in found)
        cases = read_cases(self.typed["cases"]) if is_of_cases else CaseLines()
        return [self._shown(error, cases) for error in found]

    def _shown(self, error: Error, cases: CaseLines) -> Error:
        found = _INDEXED.match(error["field"])
        if not found:
            return self._named(error)
        index = int(found[2])
        if found[1] == "claims":
            return self._of_claim(error, index, found[3])
        return self._of_case(error, index, cases) if found[1] == "cases" else self._of_file(error, index)

    def _named(self, error: Error) -> Error:
        """A setting's refusal names it, for the list above the form."""
        message, setting = error["message"], error["field"].partition("configuration.")[2]
        if setting:
            message = _("%(name)s: %(message)s") % {"name": word(SETTINGS, setting), "message": message}
        return {**error, "field": self._field_of(error["field"]), "message": message}

    def _field_of(self, path: str) -> str:
        """The page's name of a field that is in no list; "" for what was chosen on another page."""
        primary = next((m["name"] for m in self.place.version["metrics"] if m["is_primary"]), "")
        renamed = {"claims": f"value_{primary}", "model": "model_name"}.get(path, path)
        known = renamed.replace("configuration.", "setting_").replace("model.", "model_")
        return known if known in field_names(self.place) else ""

    def _of_claim(self, error: Error, index: int, part: str | None) -> Error:
        metric = claimed_metrics(self.place, self.typed)[index]
        kind = "count" if part == "sample_count" else "value"
        message = _("%(name)s: %(message)s") % {"name": metric["title"], "message": error["message"]}
        return {**error, "field": f"{kind}_{metric['name']}", "message": message}

    def _of_case(self, error: Error, index: int, cases: CaseLines) -> Error:
        key = str(cases.rows[index].get("key", ""))
        if error["code"] == "duplicate_case":
            message = _("Case %(key)s stands on several lines: %(lines)s. Each case counts once.")
            message %= {"key": key, "lines": ", ".join(map(str, cases.lines_of(key)))}
        else:
            message = _("Line %(line)d: %(message)s")
            message %= {"line": cases.lines[index], "message": error["message"]}
        return {**error, "field": "cases", "message": message}

    def _of_file(self, error: Error, index: int) -> Error:
        message = _("%(name)s: %(message)s") % {"name": self.files[index], "message": error["message"]}
        return {**error, "field": "evidence", "message": message}
