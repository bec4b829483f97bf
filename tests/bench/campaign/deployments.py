"""The 19 deployments: how each behaves, and the state that our rules give it."""

from functools import partial

from llm_benchmark.measure.probing import State
from llm_benchmark.simulator import Behaviour

PROBE_TOKENS = 16
SLOW_MS = 500
# Ten answers of 128 tokens take 2.7 s.
Chat = partial(Behaviour, ttft_ms=20, itl_ms=2)

DEPLOYMENTS = {
    "chat-plain": (Chat(), State.ACTIVE),
    "chat-described": (Chat(metadata={"task": "text-generation"}), State.ACTIVE),
    "chat-reasoning": (Chat(reasoning_tokens=PROBE_TOKENS), State.ACTIVE),
    "chat-slow": (Chat(ttft_ms=SLOW_MS), State.ACTIVE),
    "limited-once": (Chat(failure="429", fail_first=1, retry_after="2"), State.UNSTABLE),
    "overloaded-third": (Chat(failure="503", every=3), State.UNSTABLE),
    "broken-fourth": (Chat(failure="500", every=4), State.UNSTABLE),
    "broken-always": (Chat(failure="500"), State.FAILED),
    "not-there": (Chat(failure="404"), State.NOT_AVAILABLE),
    "payload-refused": (Chat(failure="400"), State.FAILED),
    "half-document": (Chat(failure="bad_json"), State.FAILED),
    "no-text": (Chat(failure="empty_text"), State.FAILED),
    "made-for-images": (Chat(failure="mismatch"), State.INCOMPATIBLE),
    "text-embedding": (Behaviour(kind="embedding"), State.ACTIVE),
    "embedqa-asymmetric": (Behaviour(kind="embedding", asymmetric=True), State.ACTIVE),
    "text-reranker": (Behaviour(kind="rerank"), State.ACTIVE),
    "prompt-guard": (Chat(), State.UNSUPPORTED),
    "document-parse": (Chat(), State.UNSUPPORTED),
    "small-vision": (Chat(), State.UNSUPPORTED),
}
# What answers in chat is put under load: 10 requests, 128 tokens in and out, one at a time.
MEASURED = tuple(DEPLOYMENTS)[:7]
