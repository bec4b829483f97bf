"""Measuring at home: the engine of the exchange on your own machine, with evidence that anyone can check.

    edition = home.edition(benchmark.slug, version, cases)
    run = home.measure(edition, home.target("https://api.example.com/v1", "my-model"), Path("run"))
    claim = home.claims_of(Path("run"))

Needs the extra `measure`, for performance also `aiperf`.
"""

from .claims import RunClaim, claims_of
from .editions import Edition, edition, read_cases
from .endpoints import dialect_of, target
from .errors import (
    Cancelled,
    CasesArePrivate,
    CasesDiffer,
    ConfigurationDiffers,
    NotMeasured,
    NotTheFullSet,
    OtherRun,
    RunAltered,
    RunInUse,
    RunUnfinished,
)
from .folder import KeptCase, KeptMetric, KeptRun
from .measuring import measure
from .progress import Phase, Progress
from .reproducing import Reproduction, reproduce

__all__ = [
    "Cancelled",
    "CasesArePrivate",
    "CasesDiffer",
    "ConfigurationDiffers",
    "Edition",
    "KeptCase",
    "KeptMetric",
    "KeptRun",
    "NotMeasured",
    "NotTheFullSet",
    "OtherRun",
    "Phase",
    "Progress",
    "Reproduction",
    "RunAltered",
    "RunClaim",
    "RunInUse",
    "RunUnfinished",
    "claims_of",
    "dialect_of",
    "edition",
    "measure",
    "read_cases",
    "reproduce",
    "target",
]
