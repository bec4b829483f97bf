"""What a model is taken for, without a network."""

import pytest

from llm_benchmark.measure.probing import Capability, Known
from llm_benchmark.measure.probing.capability import (
    is_about_capability,
    recognised,
    refined,
    says_no_such_model,
    says_wrong_kind,
)

CHAT, EMBEDDING, RERANK = Capability.CHAT_TEXT, Capability.EMBEDDING, Capability.RERANK
MULTIMODAL, UNKNOWN = Capability.MULTIMODAL, Capability.UNKNOWN


class TestRecognised:
    @pytest.mark.parametrize(
        ("name", "capability", "confidence"),
        [
            ("nvidia/nv-embedqa-e5-v5", EMBEDDING, 0.8),
            ("text-embedding-3-small", EMBEDDING, 0.8),
            ("nvidia/nvclip", EMBEDDING, 0.8),
            ("llama-nemoretriever-parse", Capability.PARSER, 0.85),
            ("riva-translate-4b", Capability.TRANSLATION, 0.85),
            ("Llama-Guard-4-12B", Capability.SAFETY, 0.8),
            ("bge-reranker-v2-m3", RERANK, 0.8),
            ("llama-3.2-90b-vision-instruct", MULTIMODAL, 0.75),
            ("VILA", MULTIMODAL, 0.75),
        ],
    )
    def test_reads_the_name(self, name, capability, confidence):
        found = recognised(name, Known())

        assert (found.capability, found.source, found.confidence) == (capability, "name", confidence)

    @pytest.mark.parametrize("name", ["guardian-angel", "sparse-chat", "clipper-7b", "revision-2", "gpt-oss"])
    def test_reads_whole_words_only(self, name):
        assert recognised(name, Known()) == Known()

    @pytest.mark.parametrize(
        ("metadata", "capability", "confidence"),
        [
            ({"type": "embedding"}, EMBEDDING, 1.0),
            ({"capability": "CHAT_TEXT"}, CHAT, 1.0),
            ({"task": "rerank"}, RERANK, 1.0),
            ({"pipeline_tag": "feature-extraction"}, EMBEDDING, 0.95),
            ({"pipeline_tag": "text-generation", "type": "model"}, CHAT, 0.95),
            ({"type": "llm"}, CHAT, 0.95),
            ({"model_type": "llama", "endpoint_type": "chat"}, CHAT, 0.95),
            ({"pipeline_tag": "Image Text To Text"}, MULTIMODAL, 0.95),
        ],
    )
    def test_believes_metadata_before_the_name(self, metadata, capability, confidence):
        found = recognised("llama-guard", Known(metadata=metadata))

        assert (found.capability, found.source, found.confidence) == (capability, "metadata", confidence)
        assert found.metadata == metadata

    @pytest.mark.parametrize(
        "metadata", [{"type": 7}, {"type": "model"}, {"task": "unknown"}, {"owned_by": "x"}]
    )
    def test_takes_nothing_from_metadata_that_says_nothing(self, metadata):
        assert recognised("m", Known(metadata=metadata)).capability is UNKNOWN

    def test_keeps_what_was_set_by_hand(self):
        by_hand = Known(CHAT, "manual", 1.0, {"type": "embedding"})

        assert recognised("text-embedding", by_hand) is by_hand

    @pytest.mark.parametrize("before", [Known(EMBEDDING, "name", 0.8), Known(CHAT, "metadata", 1.0)])
    def test_forgets_an_earlier_guess(self, before):
        assert recognised("m", before) == Known()

    @pytest.mark.parametrize("capability", [CHAT, EMBEDDING, RERANK])
    def test_goes_by_an_earlier_probe_that_can_be_tried_again(self, capability):
        assert recognised("m", Known(capability, "probe", 0.9)).capability is capability

    def test_forgets_an_earlier_probe_that_cannot(self):
        assert recognised("m", Known(MULTIMODAL, "probe", 0.8)) == Known()


class TestRefined:
    @pytest.mark.parametrize(
        ("guess", "asked", "refusal", "capability", "confidence"),
        [
            (Known(), CHAT, "This is an embedding model. Use /v1/embeddings.", EMBEDDING, 0.9),
            (Known(), CHAT, "An image is required as input.", MULTIMODAL, 0.8),
            (Known(), CHAT, "This is a reranker.", RERANK, 0.9),
            (Known(), CHAT, "This is not a chat model.", UNKNOWN, 0.0),
            (Known(EMBEDDING, "name", 0.8), EMBEDDING, "This is not an embedding model.", UNKNOWN, 0.0),
            (
                Known(EMBEDDING, "name", 0.8),
                EMBEDDING,
                "It does not support embeddings; it is a chat model.",
                CHAT,
                0.9,
            ),
            (Known(CHAT, "metadata", 1.0), CHAT, "This is an embedding model.", CHAT, 1.0),
            (Known(CHAT, "manual", 1.0), CHAT, "This is an embedding model.", CHAT, 1.0),
        ],
    )
    def test_takes_the_model_at_its_word(self, guess, asked, refusal, capability, confidence):
        found = refined(guess, refusal=refusal, asked=asked)

        assert (found.capability, found.confidence) == (capability, confidence)


class TestRefusals:
    @pytest.mark.parametrize(
        "text",
        [
            "This is not a chat model and thus not supported in the v1/chat/completions endpoint.",
            "This model does not support chat completions.",
            "Use the embeddings endpoint.",
            "Input should contain at least one image.",
        ],
    )
    def test_can_be_about_what_a_model_is_for(self, text):
        assert is_about_capability(text)

    @pytest.mark.parametrize(
        "text",
        ["max_tokens must be above 0", "Unrecognized request argument: seed", "This failure is simulated."],
    )
    def test_can_be_about_something_else(self, text):
        assert not is_about_capability(text)
        assert not says_no_such_model(text)

    @pytest.mark.parametrize(
        "text",
        [
            "The model `gpt-9` does not exist or you do not have access to it.",
            "model 'gpt-9' not found, try pulling it first",
            "No such model: gpt-9",
            '{"code": "model_not_found"}',
        ],
    )
    def test_can_say_that_there_is_no_such_model(self, text):
        assert says_no_such_model(text)

    def test_can_name_the_kind_that_the_model_is_not(self):
        assert says_wrong_kind("This is not a chat model and thus not supported.")
        assert not says_wrong_kind("The embedding model x does not exist.")
