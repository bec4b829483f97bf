"""What a model is for, and how that is known: by hand, else from its metadata, its name, or what it says."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from llm_benchmark.measure.plans import JSON


class Capability(StrEnum):
    """What kind of request a model is made for."""

    CHAT_TEXT = "chat_text"
    EMBEDDING = "embedding"
    VISION = "vision"
    MULTIMODAL = "multimodal"
    PARSER = "parser"
    TRANSLATION = "translation"
    SAFETY = "safety"
    RERANK = "rerank"
    SPECIAL = "special"
    UNKNOWN = "unknown"


class Source(StrEnum):
    """How a capability is known."""

    METADATA = "metadata"
    NAME = "name"
    PROBE = "probe"
    MANUAL = "manual"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a model, before a check or after it.

    Args:
        source: one of Source; only what was set by hand (`manual`) survives a check.
        confidence: 0 to 1.
        metadata: as the endpoint lists the model.
    """

    capability: Capability = Capability.UNKNOWN
    source: str = Source.UNKNOWN
    confidence: float = 0.0
    metadata: Mapping[str, JSON] = field(default_factory=dict)


METADATA_KEYS = ("task", "pipeline_tag", "capability", "type", "model_type", "endpoint_type")
ANSWERED_CONFIDENCE = 0.9

_OWN_WORD, _OTHER_WORD = 1.0, 0.95
# The words of Hugging Face's tasks and of providers' lists; only those that leave no doubt.
_WORDS: Mapping[Capability, str] = {
    Capability.CHAT_TEXT: "chat llm language text completion conversational text-generation",
    Capability.EMBEDDING: "embeddings embed text-embedding feature-extraction sentence-similarity",
    Capability.VISION: "image-classification object-detection image-segmentation image-feature-extraction",
    Capability.MULTIMODAL: "image-text-to-text image-to-text visual-question-answering any-to-any vlm",
    Capability.PARSER: "parse document-parsing ocr",
    Capability.TRANSLATION: "translate",
    Capability.SAFETY: "moderation guard guardrail",
    Capability.RERANK: "reranker reranking text-ranking",
    Capability.SPECIAL: "image audio text-to-image text-to-speech automatic-speech-recognition text-to-video",
}
_KNOWABLE = frozenset(capability.value for capability in Capability if capability is not Capability.UNKNOWN)
_BY_WORD = {word: capability for capability, words in _WORDS.items() for word in words.split()}
_TOKENS: Mapping[Capability, tuple[float, str]] = {
    Capability.EMBEDDING: (0.8, "embed embedding embeddings embedqa retriever nvclip clip"),
    Capability.PARSER: (0.85, "parse parser"),
    Capability.TRANSLATION: (0.85, "translate translation"),
    Capability.SAFETY: (0.8, "guard safety moderation"),
    Capability.RERANK: (0.8, "rerank reranker rerankqa"),
    Capability.MULTIMODAL: (0.75, "vision vlm vila fuyu"),
}


_PROBED = frozenset({Capability.CHAT_TEXT, Capability.EMBEDDING, Capability.RERANK})


def recognised(model: str, known: Known) -> Known:
    """The first guess: by hand, else metadata, else the name, else what an earlier probe found.

    An earlier probe counts only where this one can find otherwise, so that nothing sticks.
    """
    if known.source == Source.MANUAL:
        return known
    guesses = (_by_metadata(known.metadata), _by_name(model), _by_probe(known))
    found = next(filter(None, guesses), Known())
    return replace(found, metadata=known.metadata)


def refined(guess: Known, *, refusal: str, asked: Capability) -> Known:
    """The guess after a refusal in words: what the model says it is, unless the guess is surer.

    Args:
        asked: what the refused request was for. Its own words say only that this is wrong.
    """
    told = next((told for told in _named(refusal) if told.capability is not asked), None)
    if told is None:
        is_refuted = guess.capability is asked and guess.confidence < ANSWERED_CONFIDENCE
        return Known(metadata=guess.metadata) if is_refuted else guess
    if guess.source == Source.MANUAL or guess.confidence > told.confidence:
        return guess
    return Known(told.capability, told.source, told.confidence, guess.metadata)


def is_about_capability(refusal: str) -> bool:
    """Whether a refusal says that the model is made for something else."""
    return bool(_NOT_THIS_KIND.search(refusal)) or next(_named(refusal), None) is not None


def says_wrong_kind(refusal: str) -> bool:
    """The same in so many words: "not a chat model"."""
    return bool(_NOT_THIS_KIND.search(refusal))


def says_no_such_model(refusal: str) -> bool:
    return bool(_NO_SUCH_MODEL.search(refusal))


_NAMED: tuple[tuple[re.Pattern[str], Capability, float], ...] = (
    (re.compile(r"\bembeddings?\b", re.IGNORECASE), Capability.EMBEDDING, 0.9),
    (re.compile(r"\brerank(er|ing|s)?\b", re.IGNORECASE), Capability.RERANK, 0.9),
    (re.compile(r"\b(vision|images?|multi-?modal)\b", re.IGNORECASE), Capability.MULTIMODAL, 0.8),
    (re.compile(r"\b(is|as) a chat model\b|chat/completions", re.IGNORECASE), Capability.CHAT_TEXT, 0.9),
)
_KINDS = r"(chat|completions?|embeddings?|rerank\w*|language|generative|text[- ]generation)"
_NOT_THIS_KIND = re.compile(
    rf"\bnot an? {_KINDS}[\w -]{{0,20}}?\bmodel\b|\bnot supported in the \S*{_KINDS}"
    rf"|\b(does not|doesn't) support( the)? {_KINDS}",
    re.IGNORECASE,
)
_NO_SUCH_MODEL = re.compile(
    r"\bmodel_not_found\b|\b(no such|unknown) model\b"
    r"|\bmodel\b.{0,220}?\b(does not exist|doesn't exist|not found|is not available)\b",
    re.IGNORECASE | re.DOTALL,
)


def _named(text: str) -> Iterator[Known]:
    return (
        Known(capability, Source.PROBE, confidence)
        for pattern, capability, confidence in _NAMED
        if pattern.search(text)
    )


def _by_metadata(metadata: Mapping[str, JSON]) -> Known | None:
    for key in METADATA_KEYS:
        value = metadata.get(key)
        word = re.sub(r"[\s_]+", "-", value.strip().lower()) if isinstance(value, str) else ""
        own = word.replace("-", "_")
        if own in _KNOWABLE:
            return Known(Capability(own), Source.METADATA, _OWN_WORD)
        if word in _BY_WORD:
            return Known(_BY_WORD[word], Source.METADATA, _OTHER_WORD)
    return None


def _by_name(model: str) -> Known | None:
    """Whole words of the name: `sparse` parses nothing."""
    tokens = frozenset(re.split(r"[^a-z0-9]+", model.lower()))
    for capability, (confidence, words) in _TOKENS.items():
        if not tokens.isdisjoint(words.split()):
            return Known(capability, Source.NAME, confidence)
    return None


def _by_probe(known: Known) -> Known | None:
    return known if known.source == Source.PROBE and known.capability in _PROBED else None
