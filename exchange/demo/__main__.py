"""Start everything, measure at home, claim, let the platform verify and people vote, show boards, stop."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from exchange.embedded import DEFAULT_STATE_DIR
from exchange.supervisor.demo import Demo as Account
from exchange.supervisor.stack import Stack
from llm_benchmark import home
from llm_benchmark.errors import SdkError
from llm_benchmark.measure.plans import Target
from llm_benchmark.models import BenchmarkVersion, TestCase

from . import claims, community, providers, report
from .platform import Platform, Refused

BENCHMARKS = ["demo-general", "demo-arithmetic", "baseline-chat", "baseline-chat-short", "baseline-chat-72"]
ORGANIZATION = "demo-lab"
RIGHT = {"demo-general": 7, "demo-arithmetic": 120}


class Demo:
    """One run of the demo against a running stack."""

    def __init__(self, stack: Stack, platform: Platform, account: Account, folder: Path) -> None:
        self.stack, self.platform, self.account, self.folder = stack, platform, account, folder
        self.editions: dict[str, home.Edition] = {}
        self.targets: dict[str, Target] = {}
        self.deployments: dict[str, str] = {}
        self.organization_id = ""

    def prepare(self) -> None:
        """Install the benchmarks, log in, and read what is going to be asked."""
        report.step("Installing the demo benchmarks and the demo account")
        self.stack.manage("install_demo_benchmarks")
        account = self.account
        self.platform.log_in(username=account.username, email=account.email, password=account.password)
        self.organization_id = self.platform.organization(ORGANIZATION, "Demo Lab")["id"]
        self.stack.manage("mark_demo", ORGANIZATION)
        for slug in BENCHMARKS:
            benchmark = self.platform.get(f"/benchmarks/slug/{slug}")
            version = self.platform.get(f"/benchmark-versions/{benchmark['current_version_id']}")
            cases = self.platform.every(f"/benchmark-versions/{version['id']}/test-cases")
            self.editions[slug] = home.edition(
                slug, msgspec.convert(version, BenchmarkVersion), msgspec.convert(list(cases), list[TestCase])
            )

    def simulated_answers(self) -> dict[str, str]:
        answers: dict[str, str] = {}
        for slug, count in RIGHT.items():
            answers |= providers.answers_right_on(self.editions[slug].questions, count)
        return answers

    def register(self, provider: providers.Provider) -> None:
        """Make the endpoint known, discover its models, remember the deployment to measure."""
        report.step(f"Registering {provider.title} and discovering its models")
        known = {item["name"]: item for item in self.platform.every("/endpoints")}
        body = {
            "name": provider.title,
            "provider_name": provider.title,
            "base_url": provider.base_url,
            "api_key": provider.api_key,
        }
        if provider.title in known:
            endpoint = self.platform.call("PATCH", f"/endpoints/{known[provider.title]['id']}", json=body)
        else:
            body["organization_id"] = self.organization_id
            endpoint = self.platform.post("/endpoints", body)
        self.platform.post(f"/endpoints/{endpoint['id']}/discover")
        for deployment in self.platform.every("/deployments", endpoint_id=endpoint["id"]):
            if deployment["served_name"] == provider.model:
                self.deployments[provider.name] = deployment["id"]
        target = home.target(provider.base_url, provider.model, api_key=provider.api_key, allow_local=True)
        self.targets[provider.name] = replace(target, dialect=home.dialect_of(target))

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
            home.measure(edition, target, folder, exchange=self.platform.base_url, dialect=target.dialect)
            results[key] = home.claims_of(folder, version=edition.version)
        return results

    def claim_and_verify(self, plan: claims.Plan, measured: home.RunClaim) -> bool | None:
        """Submit one claim and wait for its verdict; whether it is the expected one. None: left out."""
        try:
            claim = claims.claim_of(measured, plan)
        except claims.TooFewItems as error:
            report.say(f"  – {plan.provider:<10} {plan.benchmark:<20} {plan.truth:<12} left out: {error}")
            return None
        submission = self.platform.post("/submissions", self._submission(plan, claim))
        verification = self.platform.verdict_on(submission["id"])
        verdict = verification["verdict"] or verification["status"]
        as_expected = verdict in plan.expected
        report.verdict_line(
            who=plan.provider,
            benchmark=plan.benchmark,
            truth=plan.truth,
            verdict=verdict,
            summary=verification["summary"],
            as_expected=as_expected,
        )
        return as_expected

    def _submission(self, plan: claims.Plan, claim: dict[str, Any]) -> dict[str, Any]:
        return {
            "organization_id": self.organization_id,
            "deployment_id": self.deployments[plan.provider],
            "notes": f"Demo: {plan.truth}",
            **claim,
        }

    def show_boards(self) -> None:
        report.heading("Boards")
        for slug in BENCHMARKS:
            report.board(
                self.platform.get(f"/benchmarks/{self.editions[slug].version.benchmark_id}/leaderboard")
            )


def main(state_dir: Path = DEFAULT_STATE_DIR) -> int:
    report.step("Starting PostgreSQL, Valkey, the website, gRPC and the workers")
    ports = providers.free_ports()
    allow = ",".join(f"127.0.0.1:{port}" for port in ports.values())
    with ExitStack() as life:
        account = Account.prepare(state_dir, egress_allow=allow)
        env = {"EGRESS_ALLOW": allow, **community.VOTING_TIMES}
        stack = life.enter_context(Stack(state_dir, env=env))
        platform = life.enter_context(Platform(stack.base_url))
        demo = Demo(stack, platform, account, state_dir / "demo")
        demo.prepare()
        vote = community.open_vote(stack, platform, account)
        for provider in providers.start(life, ports, demo.simulated_answers()).values():
            demo.register(provider)
        measured = demo.measure_at_home()
        report.heading("Claims and verdicts")
        good = [demo.claim_and_verify(plan, measured[plan.provider, plan.benchmark]) for plan in claims.PLANS]
        if vote:
            report.heading("The community's vote")
            good.append(community.outcome(platform, vote))
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
    except (Refused, SdkError) as failed:
        sys.exit(f"The demo stopped: {failed}")
