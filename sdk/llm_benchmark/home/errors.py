"""Why a measurement at home does not begin, does not end, or cannot be used."""

from collections.abc import Sequence

from llm_benchmark.errors import Conflict, FieldError, PermissionDenied, SdkError
from llm_benchmark.measure.plans import Failure, Side

_BLAME = {
    Side.PLATFORM: "The fault is this machine's; it says nothing about the model.",
    Side.PROVIDER: "The fault is the endpoint's; it says nothing about the model.",
    Side.MODEL: "The model gave nothing that could be measured.",
    Side.SUBMITTER: "The fault is in what was given here; it says nothing about the model.",
}


class CasesArePrivate(PermissionDenied):
    """Without the cases nothing can be asked."""

    code = "cases_private"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The cases of {name} are not public, so it cannot be measured at home. Let the exchange measure "
            "a claim, or name a file with the cases if you have them (JSON lines)."
        )


class CasesDiffer(SdkError):
    """The cases at hand are not those of the version."""

    code = "cases_differ"
    exit_code = 2


class OtherRun(Conflict):
    """The folder holds the run of something else."""

    code = "other_run"

    def __init__(self, field: str, kept: object = None, given: object = None) -> None:
        values = "" if kept is None and given is None else f" ({kept}, not {given})"
        message = f"The run that is kept in this folder has another {field}{values}. Name another folder."
        super().__init__(message, errors=[FieldError(field, self.code, message)])


class ConfigurationDiffers(Conflict):
    """A measurement here would be one of another configuration. `errors` names each setting."""

    code = "configuration_differs"

    def __init__(self, errors: Sequence[FieldError]) -> None:
        text = "The claim is about another configuration: " + " ".join(error.message for error in errors)
        super().__init__(text, errors=errors)


class RunInUse(Conflict):
    """Two processes would spoil each other's measurement."""

    code = "run_in_use"


class RunUnfinished(Conflict):
    """There is nothing to claim yet."""

    code = "run_unfinished"


class NotTheFullSet(Conflict):
    """A part of the questions bears out no claim about all of them."""

    code = "not_the_full_set"

    def __init__(self, asked: int | None) -> None:
        count = "a part" if asked is None else str(asked)
        super().__init__(
            f"This run asked {count} of the questions, and a claim is about all. Measure without a limit."
        )


class RunAltered(SdkError):
    """What was kept is no longer what was measured."""

    code = "run_altered"
    exit_code = 9


class NotMeasured(SdkError):
    """The endpoint was asked and there is no measurement. `side` says whose fault that is."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.message} {_BLAME[failure.side]}", code=failure.code)
        self.side = failure.side


class Cancelled(SdkError):
    """Broken off on request; what was answered is kept."""

    code = "cancelled"
    exit_code = 130

    def __init__(self) -> None:
        super().__init__("Stopped. Run it again in the same folder: only what is missing is asked.")
