"""Every client shows the board that the exchange has: the same rows, in the same order, to the last digit."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from llm_benchmark import Client
from tests.e2e.people import QUESTIONS, RIGHT
from tests.programs import require
from tests.sdk.mcp.agents import over_stdio

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
CHECKOUT = Path(__file__).parents[2]
EXAMPLE = CHECKOUT / "docs" / "examples" / "node"
CONTRACT = CHECKOUT / "protos" / "llm_benchmark.v1.binpb"
BOARD = "lab-quality"
TEXTS = (
    "id", "submission_id", "model_id", "model_publisher", "model_name", "provider_name", "organization_name",
    "level", "verdict",
)  # fmt: skip
NULLABLE = ("provider_name", "verdict")
NUMBERS = (
    "rank", "rank_low", "rank_high", "value", "low", "high", "confidence", "sample_count", "claimed_value",
    "claim_refuted", "is_simulated", "is_demo",
)  # fmt: skip
FIELDS = TEXTS + NUMBERS
ELSEWHERE = {"publisher": "Somebody else", "name": "=1+1 模型", "version": "2"}


@pytest.fixture(scope="module")
def claims(lab):
    """Two that are measured, one of them refuted, and one that nobody can measure."""
    require("curl", "node", "npm")
    measured = [lab.claim_quality("able", RIGHT), lab.claim_quality("boasting", RIGHT + 10)]
    for asked in [lab.request_over_rest(claim) for claim in measured]:
        assert lab.ended(asked)["status"] == "decided"
    return [*measured, claimed_alone(lab)]


def claimed_alone(lab):
    claim = {"name": "accuracy", "value": 0.35, "sample_count": QUESTIONS}
    body = {"benchmark_id": lab.quality["id"], "model": ELSEWHERE, "claims": [claim]}
    return lab.rest.post("/submissions", {"organization_id": lab.organization["id"], **body})


@pytest.fixture(scope="module")
def benchmark(stack, lab):
    return curled(stack, f"/benchmarks/slug/{BOARD}")


@pytest.fixture(scope="module")
def curl(stack, benchmark, claims):
    """The rows that curl reads; the other clients are held against them."""
    path = f"/benchmarks/{benchmark['id']}/leaderboard?verified_only=false&page_size=100"
    return curled(stack, path)["items"]


def curled(stack, path):
    command = ["curl", "--silent", "--fail", f"{stack.base_url}/api/v1{path}"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def selected(rows):
    return [tuple(row[name] for name in FIELDS) for row in rows]


class TestTheSameBoard:
    def test_has_what_clients_could_get_wrong(self, curl, claims):
        """Otherwise it proves little that they agree."""
        own = [row for row in curl if row["submission_id"] in {claim["id"] for claim in claims}]
        assert len(own) == 3
        assert {row["rank"] is None for row in own} == {True, False}
        assert {row["claim_refuted"] for row in own} == {True, False}
        assert any(row["value"] is not None and row["low"] != round(row["low"], 9) for row in own)

    def test_is_what_the_client_reads(self, stack, curl):
        with Client(stack.base_url, token="") as client:
            rows = [row.as_dict() for row in client.leaderboards.entries(BOARD, verified_only=False)]
        assert rows == curl

    def test_is_what_the_command_line_prints(self, stack, curl, tmp_path):
        command = [sys.executable, "-m", "llm_benchmark.cli", "leaderboard", BOARD, "--all", "-o", "json"]
        env = {**os.environ, "LLM_BENCHMARK_API_URL": stack.base_url, "LLM_BENCHMARK_HOME": str(tmp_path)}
        printed = subprocess.run(command, check=True, capture_output=True, env=env).stdout
        assert json.loads(printed)["items"] == curl

    def test_is_what_an_agent_is_told(self, stack, curl, tmp_path):
        with (tmp_path / "errors").open("w") as errors:
            agent = over_stdio(stack, errors=errors, home=tmp_path)
            board = agent.data("get_leaderboard", benchmark=BOARD, verified_only=False, limit=100)
        assert selected(board["items"]) == selected(curl)

    @pytest.mark.parametrize("format", ["json", "csv"])
    def test_is_what_the_website_exports(self, lab, curl, format):
        exported = exported_from_page(lab.visitor, format)
        rows = json.loads(exported)["items"] if format == "json" else rows_of_csv(exported)
        assert selected(rows) == selected(curl)

    def test_is_what_node_reads_over_grpc(self, stack, curl, benchmark, tmp_path):
        rows = rows_of_node(tmp_path, stack.grpc_address, benchmark["id"])
        assert selected(rows) == selected(curl)


def rows_of_node(folder, address, benchmark_id):
    """With the packages of the documents' example."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(EXAMPLE / name, folder)
    shutil.copy(Path(__file__).with_name("board.mjs"), folder)
    subprocess.run(["npm", "ci"], check=True, cwd=folder, capture_output=True)
    command = ["node", "board.mjs", address, benchmark_id, CONTRACT]
    printed = subprocess.run(command, check=True, cwd=folder, capture_output=True).stdout
    return [as_rest(row) for row in json.loads(printed)["items"]]


def as_rest(row):
    """Enums are REST's words in upper case, with a prefix; what is not known is absent."""
    known = {**dict.fromkeys(FIELDS), **row}
    return {
        **known,
        "level": known["level"].removeprefix("VERIFICATION_LEVEL_").lower(),
        "verdict": known["verdict"] and known["verdict"].removeprefix("VERDICT_").lower(),
    }


def exported_from_page(visitor, format):
    page = visitor.get(f"/benchmarks/{BOARD}", verified_only="false").text
    [link] = re.findall(rf'href="([^"]+format={format}[^"]*)"', page)
    path, query = unescape(link).split("?")
    return visitor.get(path, **dict(parse_qsl(query))).text


def rows_of_csv(text):
    rows = csv.DictReader(io.StringIO(text))
    return [{name: as_json(name, cell) for name, cell in row.items() if name in FIELDS} for row in rows]


def as_json(name, cell):
    """What a spreadsheet's cell means; the apostrophe keeps it from taking a text for a formula."""
    if name in TEXTS:
        return cell.removeprefix("'") or (None if name in NULLABLE else "")
    return json.loads(cell or "null")
