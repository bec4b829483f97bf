"""How the wizard's pages put a claim's refusals where their fields are."""

from types import SimpleNamespace

from exchange.core.errors import FieldError, InvalidInput
from submissions.web import refusals

PLACE = SimpleNamespace(deployment=None, version={"metrics": []}, settings=())


class TestErrorsOfCases:
    def test_name_their_lines_and_are_read_once(self, monkeypatch):
        reads = []
        read = refusals.read_cases
        monkeypatch.setattr(refusals, "read_cases", lambda text: reads.append(text) or read(text))
        typed = {"cases": "\n" + '{"key": "q1", "score": "x"}\n' * 3}
        wrong = [FieldError(f"cases[{index}].score", "invalid", "This is no number.") for index in range(3)]

        shown = refusals.ClaimPage(PLACE, typed).errors(InvalidInput(errors=wrong))

        assert [error["message"] for error in shown] == [f"Line {n}: This is no number." for n in (2, 3, 4)]
        assert len(reads) == 1
