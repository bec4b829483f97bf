"""From log-in to a benchmark that a vote endorsed, by nothing but the installed program."""

import csv
import hashlib
import json
import signal
from types import SimpleNamespace

import pytest

from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.e2e.conftest import running_stack
from tests.e2e.people import ANSWERS, KEY, PASSWORD, QUESTIONS, RIGHT, prompt, until
from tests.e2e.terminals import PATIENCE_SECONDS, Terminal, registered

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]

SHORT = {
    "EXCHANGE_GOVERNANCE_VOTING_SECONDS": "1,10,60",
    "EXCHANGE_GOVERNANCE_TIMELOCK_SECONDS": "0,1,60",
    "EXCHANGE_GOVERNANCE_EXPIRY_SECONDS": "60,600,6000",
}
VOTERS = ("vic", "wim")
REASON = "The questions are clear, and the answers are right."
BENCHMARK = """
[benchmark]
slug = "sums"
name = "Sums"
description = "Sums of a number with itself."
kind = "quality"
category = "accuracy"

[version]
version = "1.0.0"
changelog = "First edition."
cases_public = true
test_cases = "cases.jsonl"

[version.generation]
temperature = 0.0
max_tokens = 16

[[version.metrics]]
name = "accuracy"
title = "Accuracy"
unit = ""
direction = "higher_is_better"
kind = "proportion"
minimum = 0.0
maximum = 1.0
is_primary = true
"""
PROPOSAL = """
type = "new_benchmark"
title = "Endorse the sums"
description = "A first board."
rationale = "Anybody can check it."
benchmark = "sums"
"""
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def provider():
    """Everybody's models answer alike; `slow` takes half a minute for all questions."""
    models = {
        "able": Behaviour(answers=ANSWERS),
        "boasting": Behaviour(answers=ANSWERS),
        "slow": Behaviour(answers=ANSWERS, ttft_ms=6000),
    }
    with Simulator(SimulatorConfig(models, api_key=KEY)) as running:
        yield running


@pytest.fixture(scope="module")
def stack(provider):
    with running_stack(provider, **SHORT) as running:
        yield running


@pytest.fixture(scope="module")
def typed():
    """Every argument that anybody types."""
    return []


@pytest.fixture(scope="module")
def terminal(stack, tmp_path_factory, typed):
    """`terminal("ada")`: somebody who is not logged in."""
    folder = tmp_path_factory.mktemp("terminals")
    return lambda name: Terminal(stack, folder, name, typed)


@pytest.fixture(scope="module")
def lab(stack, terminal):
    with registered(stack, "lab", "contributor") as client:
        client.organizations.create(slug="lab", name="The lab", type="research_institution")
    return terminal("lab").log_in()


@pytest.fixture(scope="module")
def reviewer(stack, terminal):
    registered(stack, "ruth", "reviewer").close()
    return terminal("ruth").log_in()


@pytest.fixture(scope="module")
def voters(stack, terminal):
    for name in VOTERS:
        registered(stack, name, "contributor").close()
    return [terminal(name).log_in() for name in VOTERS]


@pytest.fixture(scope="module")
def stranger(stack, terminal):
    registered(stack, "stranger").close()
    return terminal("stranger").log_in()


@pytest.fixture(scope="module")
def people(lab, reviewer, voters, stranger):
    everybody = [lab, reviewer, *voters, stranger]
    return SimpleNamespace(lab=lab, reviewer=reviewer, stranger=stranger, everybody=everybody)


@pytest.fixture(scope="module")
def benchmark(lab, reviewer):
    """Written by the lab, and made active by somebody else."""
    cases = [
        {"key": f"q{n}", "prompt": prompt(n), "reference": str(2 * n), "scorer": "numeric_v1"}
        for n in range(QUESTIONS)
    ]
    lab.write("cases.jsonl", "".join(json.dumps(case) + "\n" for case in cases))
    made = lab("benchmark", "create", lab.write("sums.toml", BENCHMARK), "--submit")
    assert made.code == 0, made.err
    approved = reviewer.json("benchmark", "approve", "sums", "--reason", REASON)
    assert approved["status"] == "active"
    return "sums"


@pytest.fixture(scope="module")
def endpoint(lab, provider):
    lab.write("provider.key", KEY)
    lab.json("provider", "add", "--url", provider.base_url, "--name", "sim", "--key-file", "provider.key")
    served = lab.json("provider", "discover", "sim")
    assert {deployment["served_name"] for deployment in served} == {"able", "boasting", "slow"}
    return "sim"


@pytest.fixture(scope="module")
def honest(lab, benchmark, endpoint, provider):
    """What the lab measured at home, claimed with its evidence and verified."""
    run = ("run", benchmark, "--url", provider.base_url, "--model", "able", "--key-env", "SIM_KEY")
    measured = lab(*run, "--allow-local", "--out", "run", SIM_KEY=KEY)
    assert measured.code == 0, measured.err
    made = lab.json("submit", "--from-run", "run", "--benchmark", benchmark)
    return made, lab("verify", made["id"], "--yes", "-o", "json")


@pytest.fixture(scope="module")
def inflated(lab, benchmark, endpoint):
    """The older form, as it was typed, with results that somebody made up."""
    lies = [{"key": f"q{n}", "score": float(n < RIGHT + 10)} for n in range(QUESTIONS)]
    cases = lab.write("lies.jsonl", "".join(json.dumps(case) + "\n" for case in lies))
    made = lab.json(
        "submit", "--benchmark", benchmark, "--model", "boasting", "--score", (RIGHT + 10) / QUESTIONS,
        "--cases", cases, "--evidence", cases,
    )  # fmt: skip
    return made, lab("verify", made["id"], "--yes", "-o", "json")


@pytest.fixture(scope="module")
def proposal(lab, reviewer, voters, benchmark):
    """Written, reviewed, opened, and voted on by everybody who may."""
    made = lab.json("proposal", "create", "--file", lab.write("proposal.toml", PROPOSAL), "--submit")["id"]
    reviewer.json("proposal", "comment", made, "Who has checked the questions?", "--kind", "question")
    reviewer.json("proposal", "review", made, "--approve", "--reason", REASON)
    assert lab.json("proposal", "open-voting", made)["electorate_size"] == 2 + len(VOTERS)
    ballot = ("proposal", "vote", made, "--approve", "--reason", REASON)
    voting = [voter.start(*ballot) for voter in (reviewer, *voters)]
    for vote in voting:
        _out, err = vote.communicate(timeout=PATIENCE_SECONDS)
        assert vote.returncode == 0, err
    return made


@pytest.fixture(scope="module")
def executed(lab, proposal):
    def look():
        found = lab.json("proposal", "get", proposal)
        return found if found["status"] not in {"voting", "approved", "queued"} else None

    return until(look)


def test_the_program_knows_who_is_logged_in(lab, terminal):
    assert lab.json("auth", "status")["username"] == "lab"
    assert terminal("nobody")("auth", "status").code == 3


def test_what_was_measured_at_home_is_claimed_with_its_bundle(lab, honest):
    made, _verified = honest
    files = lab.json("submit", "evidence", made["id"])
    [kept] = [path for path in (lab.home / "run").glob("*.zip") if path.name == files[0]["name"]]

    assert made["claims"] == [{"name": "accuracy", "value": RIGHT / QUESTIONS, "sample_count": QUESTIONS}]
    assert made["case_count"] == QUESTIONS
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == files[0]["sha256"]


def test_an_honest_claim_holds(honest):
    _made, verified = honest

    assert (verified.code, verified.json["verdict"]) == (0, "consistent"), verified.err


def test_a_lie_is_refuted_with_exit_code_9(inflated):
    made, verified = inflated

    assert made["model_name"] == "boasting"
    assert (verified.code, verified.json["verdict"]) == (9, "refuted"), verified.err


def test_the_evidence_of_a_verdict_is_kept_and_checked_offline(lab, honest):
    _made, verified = honest
    fetched = lab("verify", "--follow", verified.json["id"], "--keep", "evidence")
    [bundle] = (lab.home / "evidence").glob("*.zip")

    checked = lab("verify-bundle", bundle)
    assert (fetched.code, checked.code) == (0, 0), checked.err
    bundle.write_bytes(bundle.read_bytes().replace(b"accuracy", b"accuracz", 1))
    assert lab("verify-bundle", bundle).code == 9


def test_the_board_ranks_what_was_measured_again(stranger, benchmark, honest, inflated):
    rows = stranger.json("leaderboard", benchmark, "--verified-only", "--limit", 10)["items"]

    exported = stranger("export", benchmark, "--format", "csv").out

    assert {row["model_name"]: row["value"] for row in rows}["able"] == RIGHT / QUESTIONS
    assert {row["submission_id"] for row in csv.DictReader(exported.splitlines())} >= {honest[0]["id"]}


def test_models_are_compared(stranger, benchmark, honest, inflated):
    compared = stranger("compare", benchmark, "able", "boasting", "-o", "json")

    assert compared.code == 0, compared.err
    assert {entry["model_name"] for entry in compared.json["entries"]} == {"able", "boasting"}


def test_the_vote_is_counted_and_carried_out(stranger, executed):
    assert executed["status"] == "executed", executed
    ballots = stranger.json("proposal", "results", executed["id"])["ballots"]
    assert {ballot["voter_name"] for ballot in ballots} == {"ruth", *VOTERS}
    assert stranger.json("benchmark", "get", "sums")["is_endorsed"] is True


def test_whoever_goes_away_while_it_is_measured_comes_back(lab, benchmark, endpoint):
    made = lab.json("submit", "-b", benchmark, "--deployment", "slow", "--score", RIGHT / QUESTIONS)["id"]
    watching = lab.start("verify", made, "--yes")
    until(lambda: is_measured(lab, made))

    watching.send_signal(signal.SIGINT)
    _out, err = watching.communicate(timeout=30)

    assert (watching.returncode, "the measurement goes on" in err) == (130, True), err
    assert is_measured(lab, made)
    assert lab("verify", "--cancel", made).code == 0


def is_measured(lab, submission):
    found = lab("verify", "--follow", "--no-wait", submission, "-o", "json")
    return found.code == 0 and found.json["status"] in {"requested", "running"}


class TestExitCodes:
    """Each kind of refusal has its own, and words that say what to do."""

    def test_by_kind(self, people, terminal, benchmark, honest):
        lab, stranger, reviewer = people.lab, people.stranger, people.reviewer
        made = honest[0]["id"]
        nobody = terminal("nobody-yet")
        table = [
            (2, lab("submit", "--score", "0.3"), "--benchmark"),
            (2, lab("submit", "-b", benchmark, "--deployment", "able", "--score", "3"), "--score"),
            (2, lab("verify", made, "--reason", "dispute"), "--yes"),
            (2, lab("submti", "list"), "submit"),
            (3, nobody("submit", "-b", benchmark, "-m", "a/b", "--score", "0.3"), "auth login"),
            (4, stranger("submit", "withdraw", made, "--reason", "out of sheer spite"), ""),
            (4, stranger("proposal", "create", "--file", stranger.write("p.toml", PROPOSAL)), "contributors"),
            (5, lab("benchmark", "get", "no-such"), ""),
            (5, lab("verify", "--follow", NOBODY), ""),
            (6, lab("verify", made, "--yes"), "--reason"),
            (6, reviewer("benchmark", "approve", benchmark), ""),
            (8, lab("benchmark", "list", "--api-url", "http://127.0.0.1:9"), "--api-url"),
        ]

        for code, ended, said in table:
            assert (ended.code, ended.out) == (code, ""), ended
            assert ended.err.startswith("llm-benchmark: "), ended
            assert said in ended.err, ended

    def test_of_too_many_bytes_is_7(self, lab, honest):
        with (lab.home / "large.txt").open("wb") as file:
            file.truncate(101 * 2**20)

        ended = lab("submit", "evidence", honest[0]["id"], "large.txt")

        assert (ended.code, "the most is" in ended.err) == (7, True), ended

    def test_say_the_same_to_programs(self, lab):
        ended = lab("benchmark", "get", "no-such", "-o", "json")

        assert (ended.out, json.loads(ended.err)["error"]["status"]) == ("", 404)


def test_nobody_typed_a_secret(people, typed, executed, honest, inflated):
    tokens = [token for person in people.everybody for token in person.secrets()]
    words = " ".join(argument for command in typed for argument in command)

    assert (len(typed) > 30, len(tokens)) == (True, 5)
    assert [secret for secret in (PASSWORD, KEY, *tokens) if secret in words] == []
