"""Start everything, measure at home, claim, let the platform verify and people vote, show boards, stop."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from exchange.embedded import DEFAULT_STATE_DIR
from exchange.supervisor.demo import Demo as Account
from exchange.supervisor.stack import Stack
from llm_benchmark import Client, home
from llm_benchmark.errors import SdkError, TimedOut
from llm_benchmark.measure.plans import Target
from llm_benchmark.models import Endpoint, Verification

from . import claims, community, people, providers, report

BENCHMARKS = ["demo-general", "demo-arithmetic", "baseline-chat", "baseline-chat-short", "baseline-chat-72"]
ORGANIZATION = "demo-lab"
RIGHT = {"demo-general": 7, "demo-arithmetic": 120}
PATIENCE_SECONDS = 180
DISCOVERY_TRIES = 3


class Demo:
    """One run of the demo against a running stack."""

    def __init__(self, stack: Stack, client: Client, folder: Path) -> None:
        self.stack, self.client, self.folder = stack, client, folder
        self.editions: dict[str, home.Edition] = {}
        self.targets: dict[str, Target] = {}
        self.deployments: dict[str, str] = {}
        self.organization_id = ""

    def prepare(self) -> None:
        """Install the benchmarks, and read what is going to be asked."""
        report.step("Installing the demo benchmarks and the demo account")
        self.stack.manage("install_demo_benchmarks")
        self.organization_id = people.own_organization(self.client, ORGANIZATION, "Demo Lab").id
        self.stack.manage("mark_demo", ORGANIZATION)
        for slug in BENCHMARKS:
            current = self.client.benchmarks.get(slug).current_version_id or ""
            version = self.client.benchmarks.get_version(current)
            cases = list(self.client.benchmarks.test_cases(version.id))
            self.editions[slug] = home.edition(slug, version, cases)

    def simulated_answers(self) -> dict[str, str]:
        answers: dict[str, str] = {}
        for slug, count in RIGHT.items():
            answers |= providers.answers_right_on(self.editions[slug].questions, count)
        return answers

    def register(self, provider: providers.Provider) -> None:
        """Make the endpoint known, discover its models, remember the deployment to measure."""
        report.step(f"Registering {provider.title} and discovering its models")
        endpoint = self._discovered(self._endpoint(provider))
        for deployment in self.client.endpoints.deployments(endpoint.id):
            if deployment.served_name == provider.model:
                self.deployments[provider.name] = deployment.id
        target = home.target(provider.base_url, provider.model, api_key=provider.api_key, allow_local=True)
        self.targets[provider.name] = replace(target, dialect=home.dialect_of(target))

    def _discovered(self, endpoint: Endpoint) -> Endpoint:
        """With its dialect, which a claim measured at home names; a busy machine may not tell it in time."""
        for _try in range(DISCOVERY_TRIES):
            if (found := self.client.endpoints.discover(endpoint.id)).dialect:
                return found
        raise TimedOut(f"{endpoint.name} answers too slowly here. Run the demo while less else is running.")

    def _endpoint(self, provider: providers.Provider) -> Endpoint:
        endpoints = self.client.endpoints
        for known in endpoints.list(organization_id=self.organization_id):
            if known.name == provider.title:
                return endpoints.update(known.id, base_url=provider.base_url, api_key=provider.api_key)
        return endpoints.register(
            organization_id=self.organization_id,
            name=provider.title,
            provider_name=provider.title,
            base_url=provider.base_url,
            api_key=provider.api_key,
        )

    def measure_at_home(self) -> dict[tuple[str, str], home.RunClaim]:
        """What each provider could honestly claim; what an earlier demo kept is measured again."""
        results: dict[tuple[str, str], home.RunClaim] = {}
        for plan in claims.PLANS:
            key = (plan.provider, plan.benchmark)
            if key in results:
                continue
            report.step(f"Measuring at home: {plan.provider} on {plan.benchmark}")
            target, edition = self.targets[plan.provider], self.editions[plan.benchmark]
            folder = self.folder / f"{plan.provider}-{plan.benchmark}"
            shutil.rmtree(folder, ignore_errors=True)
            home.measure(
                edition, target, folder, exchange=self.client.settings.api_url, dialect=target.dialect
            )
            results[key] = home.claims_of(folder, version=edition.version)
        return results

    def claim_and_verify(self, plan: claims.Plan, measured: home.RunClaim) -> bool | None:
        """Submit one claim and wait for its verdict; whether it is the expected one. None: left out."""
        try:
            claim = claims.claim_of(measured, plan)
        except claims.TooFewItems as error:
            report.say(f"  – {plan.provider:<10} {plan.benchmark:<20} {plan.truth:<12} left out: {error}")
            return None
        verification = self._verification_of(plan, claim)
        verdict = verification.verdict or verification.status
        as_expected = verdict in plan.expected
        report.verdict_line(
            who=plan.provider,
            benchmark=plan.benchmark,
            truth=plan.truth,
            verdict=verdict,
            summary=verification.summary,
            as_expected=as_expected,
        )
        return as_expected

    def _verification_of(self, plan: claims.Plan, claim: dict[str, Any]) -> Verification:
        """Of a claim that is made now; as far as it is when patience ends."""
        submission = self.client.submissions.create(
            organization_id=self.organization_id,
            benchmark=plan.benchmark,
            deployment_id=self.deployments[plan.provider],
            notes=f"Demo: {plan.truth}",
            **claim,
        )
        asked = self.client.verifications.request(submission.id, accept=lambda _bound: True)
        try:
            return self.client.verifications.wait(asked.id, timeout=PATIENCE_SECONDS)
        except TimedOut:
            return self.client.verifications.get(asked.id)

    def show_boards(self) -> None:
        report.heading("Boards")
        for slug in BENCHMARKS:
            report.board(self.client.leaderboards.get(slug))


def main(state_dir: Path = DEFAULT_STATE_DIR) -> int:
    report.step("Starting PostgreSQL, Valkey, the website, gRPC and the workers")
    ports = providers.free_ports()
    allow = ",".join(f"127.0.0.1:{port}" for port in ports.values())
    with ExitStack() as life:
        account = Account.prepare(state_dir, egress_allow=allow)
        env = {"EXCHANGE_EGRESS_ALLOW": allow, **community.VOTING_TIMES}
        stack = life.enter_context(Stack(state_dir, env=env))
        client = life.enter_context(
            people.log_in(
                stack.base_url, username=account.username, email=account.email, password=account.password
            )
        )
        demo = Demo(stack, client, state_dir / "demo")
        demo.prepare()
        vote = community.open_vote(stack, client, account)
        kept = demo.folder / "simulator.json"
        for provider in providers.start(life, ports, demo.simulated_answers(), kept=kept).values():
            demo.register(provider)
        measured = demo.measure_at_home()
        report.heading("Claims and verdicts")
        good = [demo.claim_and_verify(plan, measured[plan.provider, plan.benchmark]) for plan in claims.PLANS]
        if vote:
            report.heading("The community's vote")
            good.append(community.outcome(client, vote))
        made = [verdict for verdict in good if verdict is not None]
        demo.show_boards()
    report.say()
    report.step(
        f"{sum(made)} of {len(made)} as expected{_left_out(good)}. Everything has stopped; the data stays."
    )
    report.say("Next: `make up`, then open http://127.0.0.1:8000")
    return 0 if all(made) else 1


def _left_out(good: Sequence[bool | None]) -> str:
    count = sum(verdict is None for verdict in good)
    return f", {count} left out" if count else ""


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SdkError as failed:
        sys.exit(f"The demo stopped: {failed}")
