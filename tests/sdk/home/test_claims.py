import json
import shutil

import pytest

from llm_benchmark import home
from llm_benchmark.errors import InvalidInput

from . import editions as e

pytestmark = pytest.mark.sockets


@pytest.fixture(scope="session")
def measured(simulator, tmp_path_factory):
    from tests.sdk.conftest import KEY

    folder = tmp_path_factory.mktemp("kept")
    target = home.target(simulator.base_url, "good", api_key=KEY, allow_local=True)
    home.measure(e.quality_edition(), target, folder)
    return folder


@pytest.fixture
def folder(measured, tmp_path):
    """A copy that a test may spoil."""
    return shutil.copytree(measured, tmp_path / "run")


class TestClaimsOf:
    def test_claims_what_the_evidence_gives(self, folder):
        claim = home.claims_of(folder, version=e.version())

        assert claim.body["claims"] == [
            {"name": "accuracy", "value": 0.75, "sample_count": e.COUNT},
            {"name": "completion_rate", "value": 1.0, "sample_count": e.COUNT},
        ]
        assert claim.body["version"] == "1.0.0"
        assert claim.body["configuration"] == {"dialect": "vllm"}
        first = claim.body["cases"][0]
        assert (first["key"], first["score"]) == ("sum-1", 1.0)
        assert len(first["answer_digest"]) == 64
        assert claim.evidence == folder / "bundle.zip"

    def test_does_not_believe_a_number_that_was_written_in(self, folder):
        kept = json.loads((folder / "run.json").read_text())
        kept["metrics"][0]["value"] = 0.99
        (folder / "run.json").write_text(json.dumps(kept))

        assert home.claims_of(folder).body["claims"][0]["value"] == 0.75

    def test_refuses_a_tampered_bundle(self, folder):
        bundle = folder / "bundle.zip"
        content = bytearray(bundle.read_bytes())
        content[len(content) // 2] ^= 1
        bundle.write_bytes(content)

        with pytest.raises(home.RunAltered, match="no longer what was measured"):
            home.claims_of(folder)

    @pytest.mark.parametrize("name", ["../secret", "run.json", "public.zip"])
    def test_sends_no_other_file_of_this_machine(self, folder, name):
        """A folder from somebody else names the file that `submit --from-run` publishes."""
        secret = folder.parent / "secret"
        secret.write_text("sk-1")
        (folder / "public.zip").unlink(missing_ok=True)
        (folder / "public.zip").symlink_to(secret)
        kept = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**kept, "evidence": name}))

        with pytest.raises(home.RunAltered, match="is not sent"):
            home.claims_of(folder)

    def test_refuses_the_bundle_of_another_run(self, folder, target, tmp_path):
        home.measure(e.quality_edition(), target("worse"), tmp_path / "other")
        shutil.copy(tmp_path / "other" / "bundle.zip", folder / "bundle.zip")

        with pytest.raises(home.RunAltered, match="not the file"):
            home.claims_of(folder)

    @pytest.mark.parametrize(
        ("version", "field"),
        [
            (e.version(version="2.0.0"), "version"),
            (e.version(benchmark_id="another"), "benchmark_id"),
            (e.version(cases=e.CASES[:3]), "content_hash"),
        ],
    )
    def test_refuses_another_version(self, folder, version, field):
        with pytest.raises(home.OtherRun) as refused:
            home.claims_of(folder, version=version)
        assert refused.value.errors[0].field == field

    def test_refuses_a_folder_without_a_run(self, tmp_path):
        with pytest.raises(home.RunUnfinished, match="Measure into it first"):
            home.claims_of(tmp_path)

    def test_refuses_a_run_that_is_not_complete(self, folder):
        kept = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**kept, "finished_at": None}))

        with pytest.raises(home.RunUnfinished, match="only what is missing"):
            home.claims_of(folder)

    @pytest.mark.parametrize("content", ["", "{}", '{"schema": 7}'])
    def test_refuses_a_record_that_is_none(self, folder, content):
        (folder / "run.json").write_text(content)

        with pytest.raises(InvalidInput, match=r"run\.json cannot be read"):
            home.claims_of(folder)
