import gzip
from types import SimpleNamespace

import pytest

from llm_benchmark.measure import tokenizer
from llm_benchmark.measure.tokenizer import TokenizerBroken, count_tokens, seed_cache


class TestSeedCache:
    def test_puts_the_file_where_tiktoken_looks(self, tmp_path):
        seed_cache(tmp_path / "cache")

        [file] = (tmp_path / "cache").iterdir()
        assert file.name == "fb374d419588a4632f3f557e76b4b70aebbca790"
        assert file.stat().st_size == 3_613_922

    def test_replaces_a_file_that_was_altered(self, tmp_path):
        file = seed_cache(tmp_path) / "fb374d419588a4632f3f557e76b4b70aebbca790"
        file.write_bytes(b"QUJD 0\n")

        seed_cache(tmp_path)

        assert file.stat().st_size == 3_613_922

    def test_refuses_a_wheel_with_other_content(self, tmp_path, monkeypatch):
        fake = tmp_path / "fake" / "data" / "o200k_base.tiktoken.gz"
        fake.parent.mkdir(parents=True)
        fake.write_bytes(gzip.compress(b"QUJD 0\n"))
        monkeypatch.setattr(tokenizer, "resources", SimpleNamespace(files=lambda _: tmp_path / "fake"))

        with pytest.raises(TokenizerBroken, match="not the one expected"):
            seed_cache(tmp_path / "cache")

        assert not list((tmp_path / "cache").iterdir())


class TestCountTokens:
    @pytest.mark.parametrize(
        ("text", "count"),
        [("", 0), ("hello world", 2), (" word" * 128, 128), ("<|endoftext|>", 7), ("你好", 1)],
    )
    def test_counts_o200k_tokens_and_takes_special_ones_as_text(self, text, count, tmp_path):
        assert count_tokens(text, cache=tmp_path) == count
