"""Two organizations with one private thing of each kind, and the requests that would reach them."""

import hashlib
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import MethodType

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, get_resolver
from rest_framework import serializers

from exchange.accounts.models import Token
from exchange.accounts.selectors import actor_for_user
from exchange.storage import get_store
from submissions.models import Submission
from submissions.runs.models import Run
from submissions.services import add_evidence
from tests.contract.doors import deed, rpcs
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory, token_for
from tests.factories.benchmarks import BenchmarkFactory, metric
from tests.factories.endpoints import KEY, DeploymentFactory, EndpointFactory, LanguageModelFactory
from tests.factories.submissions import make_submission, make_verification

HUSH = "hush-hush"
FILE = b"q0,1\n"
VALUES = {
    "metrics": [metric()],
    "claims": [{"name": "accuracy", "value": 0.5}],
    "content": FILE,
    "sha256": hashlib.sha256(FILE).hexdigest(),
    "email": "new@example.org",
    "base_url": "https://api.example.org/v1",
    "version": "9.9.9",
}
PUBLIC_KINDS = {"organization", "model"}


class World:
    """`ids[kind]` is what its organization has of a kind; `person` owns all, `secret` is their token."""

    def __init__(self):
        self.organization = OrganizationFactory()
        self.person = UserFactory()
        member = UserFactory()
        for user, role in ((self.person, "owner"), (member, "member")):
            MembershipFactory(user=user, organization=self.organization, role=role)
        self.secret = token_for(self.person)
        benchmark = BenchmarkFactory(
            organization=self.organization, visibility="private", name=HUSH, description=HUSH, active=True
        )
        endpoint = EndpointFactory(organization=self.organization, name=HUSH, provider_name=HUSH, key=KEY)
        deployment = DeploymentFactory(endpoint=endpoint, served_name=HUSH, model=LanguageModelFactory())
        self.submission = make_submission(
            organization=self.organization, benchmark=benchmark, deployment=deployment, notes=HUSH,
            actor=actor_for_user(self.person),
            claims=[{"name": "accuracy", "value": 0.5, "sample_count": 2}],
            cases=[{"key": "q1", "score": 1.0}, {"key": "q2", "score": 0.0}], visibility="private",
        )  # fmt: skip
        self.evidence = add_evidence(
            actor=actor_for_user(self.person), submission_id=self.submission.pk, name="kept.csv",
            content=FILE, sha256=VALUES["sha256"],
        )  # fmt: skip
        verification = make_verification(self.submission)
        run = verification.runs.get()
        stored = get_store().put_stream(io.BytesIO(HUSH.encode()))
        Run.objects.filter(pk=run.pk).update(
            bundle_sha256=stored.sha256, public_bundle_sha256=stored.sha256, bundle_size_bytes=stored.size
        )
        self.slugs = {"benchmark": benchmark.slug, "organization": self.organization.slug}
        self.ids = {
            "organization": self.organization.pk,
            "user": member.pk,
            "token": Token.objects.get(user=self.person).pk,
            "benchmark": benchmark.pk,
            "version": benchmark.versions.get().pk,
            "endpoint": endpoint.pk,
            "deployment": deployment.pk,
            "model": deployment.model_id,
            "submission": self.submission.pk,
            "verification": verification.pk,
            "run": run.pk,
            "evidence": self.evidence.pk,
        }

    def fingerprint(self):
        """What a stranger's writes would change."""
        return list(Submission.objects.filter(pk=self.submission.pk).values()), list(
            Run.objects.filter(pk=self.ids["run"]).values()
        )


def ids_of(form):
    """Field name → the kind of thing that it names, of every id in a request."""
    found = {}
    for name, field in form().fields.items():
        if isinstance(field, serializers.UUIDField):
            found[name] = (field.source or name).removesuffix("_id")
    if "slug" in form().fields and form.__name__.startswith("Get"):
        found["slug"] = "benchmark"
    return found


def filled(form, worlds):
    """The least valid request, where `worlds[field]` gives the things that the ids name."""
    ids = ids_of(form)
    data = {}
    for name, field in form().fields.items():
        if name in ids:
            world, kind = worlds[name], ids[name]
            data[name] = world.slugs[kind] if name == "slug" else str(world.ids[kind])
        elif field.required or name == "metrics":
            data[name] = _value(name, field)
    return data


def own(form, world):
    return filled(form, dict.fromkeys(ids_of(form), world))


def fields_of(answer):
    """The fields that a refusal names."""
    return [error["field"] for error in answer.json()["errors"]]


def _value(name, field):
    if name in VALUES:
        return VALUES[name]
    if isinstance(field, serializers.ChoiceField):
        return next(iter(field.choices))
    if isinstance(field, serializers.ListField):
        return [_value(name, field.child)]
    return "new-and-long-enough"


@dataclass(frozen=True)
class Route:
    """A REST action that names something. `pattern` has its parameters as `<pk>`."""

    method: str
    pattern: str
    form: type

    def __str__(self):
        return f"{self.method} {self.pattern}"

    def send(self, client, data):
        """Put the ids where the route has them, and the rest into the body or the query."""
        data, path = dict(data), self.pattern
        for parameter in re.findall(r"<(\w+)>", path):
            name = parameter if parameter in data else "id" if "id" in data else next(iter(data))
            path = path.replace(f"<{parameter}>", data.pop(name))
        if "content" not in data:
            return getattr(client, self.method)(path, data)
        data["file"] = SimpleUploadedFile("new.csv", data.pop("content"))
        return getattr(client, self.method)(path, data, format="multipart")


@dataclass(frozen=True)
class Call:
    """An RPC that names something."""

    name: str
    served: Callable
    form: type

    def __str__(self):
        return self.name


def routes():
    for regex, callback in _api_patterns(get_resolver().url_patterns, ""):
        for method, name in getattr(callback, "actions", {}).items():
            form = deed(getattr(callback.cls, name)).form
            if method != "head" and form is not None:
                yield Route(method, f"/{_shown(regex)}", form)


def calls():
    for _service, method, served in rpcs():
        form = deed(served).form
        if form is not None:
            yield Call(method.name, MethodType(served, object()), form)


def pages():
    """The pattern of every page that names something."""
    for pattern in _page_patterns(get_resolver().url_patterns, ""):
        if "<" in pattern:
            yield pattern


def page_of(world, pattern):
    """(the kind of thing that the page is about, its address)"""
    before, parameter, after = re.fullmatch(r"(.*)<\w+:(\w+)>(.*)", pattern).groups()
    kind = before.split("/")[0].removesuffix("s") if parameter == "slug" else parameter.removesuffix("_id")
    thing = world.slugs[kind] if parameter == "slug" else world.ids[kind]
    return kind, f"/{before}{thing}{after}"


def _shown(regex):
    path = re.sub(r"\(\?P<(\w+)>.*?\)(?=/|$|\$)", r"<\1>", regex)
    return path.replace("^", "").removesuffix("$").removesuffix("/?").removesuffix("\\Z").removesuffix("/?")


def _api_patterns(patterns, path):
    for pattern in patterns:
        here = path + str(pattern.pattern)
        if not isinstance(pattern, URLPattern):
            yield from _api_patterns(pattern.url_patterns, here)
        elif here.startswith("api/v1/"):
            yield here, pattern.callback


def _page_patterns(patterns, path):
    for pattern in patterns:
        here = path + str(pattern.pattern)
        if not isinstance(pattern, URLPattern):
            yield from _page_patterns(pattern.url_patterns, here)
        elif not here.startswith("api/"):
            yield here
