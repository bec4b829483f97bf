"""The protocols that the simulator speaks, worded apart from the engine's so that each checks the other."""

from collections.abc import Mapping

from .chat import Chat
from .completions import Completions
from .messages import Messages
from .responses import Responses
from .speech import Speech
from .vectors import Embeddings, Rerank, RerankTei

BY_PATH: Mapping[str, Speech] = {
    speech.path: speech
    for speech in (Chat(), Completions(), Responses(), Messages(), Embeddings(), Rerank(), RerankTei())
}

__all__ = ["BY_PATH", "Speech"]
