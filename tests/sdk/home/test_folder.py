from pathlib import Path

import pytest

from llm_benchmark import home
from llm_benchmark.errors import InvalidInput
from llm_benchmark.home.folder import Folder, opened


class TestOpened:
    def test_means_the_same_place_wherever_a_process_works(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

        with opened(Path("runs") / "one") as folder:
            assert folder.path == tmp_path / "runs" / "one"

    def test_is_for_one_process_alone(self, tmp_path):
        with opened(tmp_path), pytest.raises(home.RunInUse, match="Wait for it"), opened(tmp_path):
            pass

    def test_is_readable_by_its_owner_alone(self, tmp_path):
        with opened(tmp_path / "run") as folder:
            assert folder.path.stat().st_mode & 0o077 == 0

    def test_refuses_a_place_that_cannot_be_made(self, tmp_path):
        (tmp_path / "file").write_text("")

        with pytest.raises(InvalidInput) as refused, opened(tmp_path / "file" / "run"):
            pass
        assert refused.value.code == "unwritable"


class TestFolder:
    def test_knows_of_no_run_where_none_was_begun(self, tmp_path):
        assert Folder(tmp_path).read() is None

    def test_gives_an_empty_place_for_each_session(self, tmp_path):
        folder = Folder(tmp_path)
        (folder.fresh_session() / "left").write_text("")

        assert list(folder.fresh_session().iterdir()) == []
