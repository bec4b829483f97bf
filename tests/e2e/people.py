"""Who goes through the doors: a lab's programs over REST and gRPC, and visitors of the website."""

import re
import time

import grpc
import httpx

from exchange.api.pb import benchmarks_pb2 as benchmarks
from exchange.api.pb import endpoints_pb2 as endpoints
from exchange.api.pb import submissions_pb2 as submissions
from exchange.servicers import SERVICES
from tests.e2e.rest import Rest

KEY = "sk-e2e-0123456789"
PASSWORD = "correct horse battery staple"
PATIENCE_SECONDS = 240
PROFILE = {"input_tokens": 32, "output_tokens": 8, "requests": 6, "warmup_requests": 1}
CONCURRENCY = 2  # with one, a busy machine makes a session invalid, which is right and not meant here
QUESTIONS, RIGHT = 20, 6


def prompt(number):
    return f"What is {number} plus {number}?"


ANSWERS = {prompt(n): str(2 * n) if n < RIGHT else "0" for n in range(QUESTIONS)}


def until(condition):
    """What the condition found; the limit only keeps a broken test from hanging."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)
    return found


class Rpc:
    """`rpc("GetRun", message)` over a real channel, with the bearer token of its owner."""

    def __init__(self, address, token=""):
        self._channel = grpc.insecure_channel(address)
        self._metadata = [("authorization", f"Bearer {token}")] if token else []
        self._methods = {}
        for messages, stubs, name, _servicer in SERVICES:
            stub = getattr(stubs, f"{name}Stub")(self._channel)
            for method in messages.DESCRIPTOR.services_by_name[name].methods:
                self._methods[method.name] = getattr(stub, method.name)

    def __call__(self, name, request):
        return self._methods[name](request, metadata=self._metadata, timeout=60)

    def refusal(self, name, request):
        """The status that a call is refused with."""
        try:
            self(name, request)
        except grpc.RpcError as error:
            return error.code().name
        return "OK"

    def close(self):
        self._channel.close()


class Visitor:
    """A browser without scripts: cookies, forms, and the CSRF token that each form carries."""

    def __init__(self, base_url):
        self._http = httpx.Client(base_url=base_url, timeout=60)

    def get(self, path, **query):
        return self._http.get(path, params=query)

    def post(self, path, on, **fields):
        """Submit a form that stands on the page `on`."""
        token = field(self.get(on).text, "csrfmiddlewaretoken")
        return self._http.post(path, data={"csrfmiddlewaretoken": token, **fields})

    def log_in(self, name):
        return self.post("/login", on="/login", email_or_username=name, password=PASSWORD)

    def close(self):
        self._http.close()


def field(html, name):
    return re.search(rf'name="{name}" value="([^"]+)"', html)[1]


class Lab:
    """A person with an organization, at all three doors."""

    def __init__(self, stack, simulator, name="lab"):
        self.stack, self.simulator, self.name = stack, simulator, name
        self.rest, self.visitor = Rest(stack.base_url), Visitor(stack.base_url)

    def __enter__(self):
        try:
            return self._settle()
        except BaseException:
            self.__exit__()
            raise

    def _settle(self):
        account = {"username": self.name, "email": f"{self.name}@example.org", "password": PASSWORD}
        self.session = self.rest.post("/auth/register", account)
        self.rest.log_in(**account)
        self.rpc = Rpc(self.stack.grpc_address, self.session["access_token"])
        self.organization = self.rest.organization(self.name, f"The {self.name}")
        self.deployments = self._discover()
        self.quality = self._question_benchmark()
        self.speed = self._load_benchmark()
        return self

    def __exit__(self, *_):
        for door in (self.rest, self.visitor, getattr(self, "rpc", None)):
            if isinstance(door, Rest):
                door.__exit__()
            elif door:
                door.close()

    def _discover(self):
        """Registered over gRPC, read back over REST: deployment id by served name."""
        request = endpoints.RegisterEndpointRequest(
            organization_id=self.organization["id"],
            name="simulated",
            provider_name="Simulated provider",
            base_url=self.simulator.base_url,
            api_key=KEY,
        )
        self.endpoint = self.rpc("RegisterEndpoint", request)
        self.rpc("DiscoverModels", endpoints.DiscoverModelsRequest(id=self.endpoint.id))
        found = self.rest.every("/deployments", endpoint_id=self.endpoint.id)
        return {deployment["served_name"]: deployment["id"] for deployment in found}

    def _question_benchmark(self):
        """Written over REST."""
        benchmark = self.rest.post("/benchmarks", self._definition("quality", "accuracy"))
        version = {
            "version": "1.0.0",
            "cases_public": True,
            "generation": {"temperature": 0.0, "max_tokens": 16},
            "metrics": [metric("accuracy", "", "higher_is_better", "proportion", maximum=1.0)],
            "test_cases": [
                {"key": f"q{n}", "prompt": prompt(n), "reference": str(2 * n), "scorer": "numeric_v1"}
                for n in range(QUESTIONS)
            ],
        }
        made = self.rest.post(f"/benchmarks/{benchmark['id']}/versions", version)
        self.rest.post(f"/benchmark-versions/{made['id']}/publish")
        return self._activated(benchmark["slug"])

    def _load_benchmark(self):
        """Written over gRPC."""
        definition = {
            **self._definition("performance", "performance"),
            "kind": benchmarks.BENCHMARK_KIND_PERFORMANCE,
            "category": benchmarks.BENCHMARK_CATEGORY_PERFORMANCE,
        }
        benchmark = self.rpc("CreateBenchmark", benchmarks.CreateBenchmarkRequest(**definition))
        request = benchmarks.CreateBenchmarkVersionRequest(
            benchmark_id=benchmark.id,
            version="1.0.0",
            load_profile=benchmarks.LoadProfile(**PROFILE, concurrency=CONCURRENCY, streaming=True),
            metrics=[
                benchmarks.Metric(
                    name="request_latency_p50", title="Latency", unit="ms", minimum=0.0, is_primary=True,
                    direction=benchmarks.METRIC_DIRECTION_LOWER_IS_BETTER,
                    kind=benchmarks.METRIC_KIND_PERCENTILE,
                )
            ],
            policy=benchmarks.PolicyDraft(
                deciding_metrics=["request_latency_p50"], tolerances={"request_latency_p50": 0.5}
            ),
        )  # fmt: skip
        version = self.rpc("CreateBenchmarkVersion", request)
        self.rpc("PublishBenchmarkVersion", benchmarks.PublishBenchmarkVersionRequest(id=version.id))
        return self._activated(benchmark.slug)

    def _definition(self, kind, category):
        slug = f"{self.name}-{kind}"
        return {
            "organization_id": self.organization["id"], "slug": slug, "name": slug,
            "kind": kind, "category": category,
        }  # fmt: skip

    def _activated(self, slug):
        self.stack.manage("activate_benchmark", slug)
        return self.rest.get(f"/benchmarks/slug/{slug}")

    def claim_quality(self, model, right, **more):
        """A claim that the first `right` questions were answered right, with each question's result."""
        return self._claim(
            self.quality,
            model,
            claims=[{"name": "accuracy", "value": right / QUESTIONS, "sample_count": QUESTIONS}],
            cases=[{"key": f"q{n}", "score": float(n < right)} for n in range(QUESTIONS)],
            **more,
        )

    def claim_speed(self, model, milliseconds, **more):
        claimed = {"name": "request_latency_p50", "value": milliseconds, "sample_count": PROFILE["requests"]}
        return self._claim(self.speed, model, claims=[claimed], **more)

    def _claim(self, benchmark, model, **more):
        return self.rest.post("/submissions", self.claim_body(benchmark, model, **more))

    def claim_body(self, benchmark, model, **more):
        return {
            "organization_id": self.organization["id"],
            "benchmark_id": benchmark["id"],
            "deployment_id": self.deployments[model],
            **more,
        }

    def request_over_rest(self, submission, rest=None):
        rest = rest or self.rest
        path = f"/submissions/{submission['id']}"
        bound = rest.get(f"{path}/verification-bound")["accept_bound"]
        return rest.post(f"{path}/request-verification", {"accept_bound": bound})["id"]

    def request_on_the_website(self, submission):
        page = f"/submissions/{submission['id']}"
        bound = field(self.visitor.get(page).text, "accept_bound")
        answer = self.visitor.post(f"{page}/verify", on=page, accept_bound=bound)
        assert (answer.status_code, answer.headers["Location"]) == (302, page)
        [verification] = self.rest.every(f"{page}/verifications")
        return verification["id"]

    def request_over_grpc(self, submission):
        asked = submissions.GetVerificationBoundRequest(submission_id=submission["id"])
        bound = self.rpc("GetVerificationBound", asked).accept_bound
        request = submissions.RequestVerificationRequest(submission_id=submission["id"], accept_bound=bound)
        return self.rpc("RequestVerification", request).id

    def ended(self, verification_id):
        """The verification, once it is decided, failed or cancelled."""

        def look():
            found = self.rest.get(f"/verifications/{verification_id}")
            return found if found["status"] not in {"requested", "running"} else None

        return until(look)


def metric(name, unit, direction, kind, **more):
    return {
        "name": name, "title": name.capitalize(), "unit": unit, "direction": direction, "kind": kind,
        "minimum": 0.0, "is_primary": True, **more,
    }  # fmt: skip
