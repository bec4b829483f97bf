"""The exchange of which the documents speak: what `make demo` leaves behind, in small."""

from contextlib import contextmanager

from benchmarks.demo import shipped
from exchange.demo.providers import KEYS, SIMULATED_MODEL, answers_right_on
from exchange.supervisor.demo import Demo as Account
from llm_benchmark import Client
from llm_benchmark.measure.questions import question
from llm_benchmark.model_server import MODEL_NAME
from llm_benchmark.simulator import Behaviour, Simulator, SimulatorConfig
from tests.e2e.conftest import running_stack

KEY = KEYS["simulated"]
# The demo's real model is played by the simulator here, which does not change what documents show of it.
RIGHT = {SIMULATED_MODEL: 7, MODEL_NAME: 2}
CLAIMED = ((SIMULATED_MODEL, 0), (SIMULATED_MODEL, 6), (MODEL_NAME, 0))
VOTERS = ("demo-voter-1", "demo-voter-2", "demo-voter-3")
VOTING_SECONDS = {"EXCHANGE_GOVERNANCE_VOTING_SECONDS": "10,86400,2592000"}


class World:
    """`demo` with an organization, an endpoint and decided claims; a reviewer; an open vote."""

    def __init__(self, stack, simulator):
        self.stack, self.simulator = stack, simulator
        self.account = Account.prepare(stack.state_dir, egress_allow="")
        self.demo, self.reviewer = self._person("demo"), self._person("demo-reviewer")
        for name in VOTERS:
            self._person(name).close()
        contributors = (("grant_role", name, "contributor") for name in ("demo", *VOTERS))
        self._manage(("install_demo_benchmarks",), ("grant_role", "demo-reviewer", "reviewer"), *contributors)
        self.organization = self.demo.organizations.create(
            slug="demo-lab", name="Demo Lab", type="individual"
        )
        stack.manage("mark_demo", "demo-lab")
        self.benchmark = self.demo.benchmarks.get("demo-general")
        self._claim_and_verify(self._discover())
        self._open_vote()

    def places(self):
        """What the documents name → where it is here."""
        return {
            "127.0.0.1:8000": self.stack.base_url.removeprefix("http://"),
            "127.0.0.1:50051": self.stack.grpc_address,
            "127.0.0.1:8101": self.simulator.host_and_port,
            "DEMO_PASSWORD=…": f"DEMO_PASSWORD={self.account.password}",
        }

    def close(self):
        self.demo.close()
        self.reviewer.close()

    def _manage(self, *commands):
        """All in one process, since most of their time is its start."""
        calls = "; ".join(f"call_command(*{command!r})" for command in commands)
        code = f"from django.core.management import call_command; {calls}"
        self.stack.manage("shell", "--no-imports", "-c", code)

    def _person(self, name):
        with Client(self.stack.base_url, token="") as nobody:
            session = nobody.account.register(
                email=f"{name}@example.org", username=name, password=self.account.password
            )
        return Client(self.stack.base_url, session.access_token)

    def _discover(self):
        endpoint = self.demo.endpoints.register(
            organization_id=self.organization.id, name="Simulated provider", api_key=KEY,
            provider_name="Simulated provider", base_url=self.simulator.base_url,
        )  # fmt: skip
        self.demo.endpoints.discover(endpoint.id)
        return {one.served_name: one.id for one in self.demo.endpoints.deployments(endpoint.id)}

    def _claim_and_verify(self, deployments):
        asked = [
            self._verification_of(self._claimed(deployments[model], RIGHT[model] + too_many))
            for model, too_many in CLAIMED
        ]
        for verification in asked:
            self.demo.verifications.wait(verification.id, timeout=120)

    def _claimed(self, deployment_id, right):
        """A claim to have answered that many of the questions, those first that are answered."""
        questions = answers_right_on(QUESTIONS, right)
        cases = [{"key": q.key, "score": float(questions[q.prompt] == q.reference)} for q in QUESTIONS]
        accuracy = {"name": "accuracy", "value": right / len(QUESTIONS), "sample_count": len(QUESTIONS)}
        return self.demo.submissions.create(
            organization_id=self.organization.id, benchmark="demo-general", deployment_id=deployment_id,
            claims=[accuracy], cases=cases,
        )  # fmt: skip

    def _verification_of(self, submission):
        return self.demo.verifications.request(submission.id, accept=lambda bound: True)

    def _open_vote(self):
        action = {"benchmark_id": self.benchmark.id}
        proposal = self.demo.governance.create(
            type="new_benchmark", title="Endorse Demo: general questions",
            description="Endorse the 15 bilingual questions that come with the exchange.",
            rationale="They are original, public, and can be answered by a small model.",
            action={"kind": "activate_benchmark", "activate_benchmark": action},
        )  # fmt: skip
        self.demo.governance.submit_for_review(proposal.id)
        self.reviewer.governance.review(proposal.id, "approve")
        self.demo.governance.open_voting(proposal.id)


def _questions():
    general = next(iter(shipped())).version
    return [question(general["prompt_template"], case) for case in general["test_cases"]]


QUESTIONS = _questions()


@contextmanager
def running_world():
    models = {
        name: Behaviour(ttft_ms=40, itl_ms=2, answers=answers_right_on(QUESTIONS, right))
        for name, right in RIGHT.items()
    }
    with (
        Simulator(SimulatorConfig(models, api_key=KEY)) as simulator,
        running_stack(simulator, **VOTING_SECONDS) as stack,
    ):
        world = World(stack, simulator)
        try:
            yield world
        finally:
            world.close()
