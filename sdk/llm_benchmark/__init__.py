"""LLM Benchmark Exchange: its client, the command line, and the engine that measures.

`from llm_benchmark import Client` is the start. Names are imported when they are used, so that the command
line and the engine do not wait for what they do not need.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import Client
    from .errors import SdkError
    from .services.base import UNSET
    from .settings import Settings

__version__ = "0.1.0"
__all__ = ["UNSET", "Client", "SdkError", "Settings", "__version__"]
_MODULES = {"Client": "client", "SdkError": "errors", "Settings": "settings", "UNSET": "services.base"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  only when a name is used

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
