import pytest

from . import __main__ as image
from . import tools


class TestMissing:
    @pytest.fixture(autouse=True)
    def root(self, monkeypatch):
        monkeypatch.setattr(tools.os, "geteuid", lambda: 0)
        monkeypatch.setattr(tools.shutil, "which", lambda name: f"/usr/bin/{name}")

    def test_root_is_named_and_nothing_passes(self, monkeypatch, capsys):
        monkeypatch.setattr(tools.os, "geteuid", lambda: 1000)
        assert image.main() == 3
        assert "NOT CHECKED: the images. root is missing" in capsys.readouterr().err

    def test_program_is_named_with_the_reason_why_it_cannot_be_had(self, monkeypatch, capsys):
        monkeypatch.setattr(tools.shutil, "which", lambda name: None if name in tools.PACKAGES else name)
        monkeypatch.setattr(tools.apt, "why_not_installable", lambda: "apt-get is not there")
        assert image.main() == 3
        assert "buildah and mmdebstrap missing (apt-get is not there)" in capsys.readouterr().err

    def test_linter_is_named_with_what_installs_it(self, monkeypatch, tmp_path, capsys):
        monkeypatch.setattr(tools, "FREE_BYTES", 0)
        monkeypatch.setattr(tools, "HADOLINT", tmp_path / "hadolint")
        assert image.main() == 3
        assert "hadolint is missing: `make image`" in capsys.readouterr().err

    def test_room_is_asked_for(self, monkeypatch, tmp_path):
        monkeypatch.setattr(tools, "FREE_BYTES", 2**60)
        with pytest.raises(tools.Missing, match="GiB of room"):
            tools.ensure(tmp_path)
