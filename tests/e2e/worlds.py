"""Organizations with one private thing of each kind, and the requests that would reach them."""

import hashlib
import io
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from types import MethodType
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver
from rest_framework import serializers

from exchange.accounts.inviting import invite_member
from exchange.accounts.models import Token
from exchange.accounts.selectors import actor_for_user
from exchange.core import clock
from exchange.core.actors import SiteRole
from exchange.storage import get_store
from leaderboards.models import Entry
from submissions.campaigns.services import start_campaign
from submissions.models import EvidenceUpload, Submission
from submissions.runs.models import Run
from submissions.services import add_evidence
from tests.contract.doors import deed, every_route, page_views, rpcs
from tests.factories.accounts import MembershipFactory, OrganizationFactory, UserFactory, token_for
from tests.factories.benchmarks import BenchmarkFactory, metric
from tests.factories.endpoints import KEY, DeploymentFactory, EndpointFactory, LanguageModelFactory
from tests.factories.governance import CommentFactory, draft_proposal
from tests.factories.leaderboards import measured_quality
from tests.factories.submissions import make_submission, make_verification

HUSH = "hush-hush"
FILE = b"q0,1\n"
VALUES = {
    "metrics": [metric()],
    "claims": [{"name": "accuracy", "value": 0.5}],
    "content": FILE,
    "sha256": hashlib.sha256(FILE).hexdigest(),
    "size_bytes": len(FILE),
    "email": "new@example.org",
    "base_url": "https://api.example.org/v1",
    "version": "9.9.9",
    "input_per_million": "1",
    "output_per_million": "1",
}
PUBLIC_KINDS = {"organization", "model"}
# Where the name of a field does not say it.
NAMED = {
    "parent_id": "comment",
    "submission_ids": "claim",
    "previous": "campaign",
    "profile_version_id": "version",
}
# Parts of an address that name nothing of anybody's: words of ours, people's own public names, versions that
# are looked for in what stands before them, and secrets that open what they were mailed for.
OPEN_PARTS = {"category": "accuracy", "username": "nobody", "number": "1.0.0", "name": "archive",
              "key": "x", "secret": "x"}  # fmt: skip


class World:
    """`ids[kind]` is what its organization has of a kind; `person` owns all, `secret` is their token.

    `hush` stands in all that strangers must not read.
    """

    def __init__(self, hush):
        self.organization = OrganizationFactory()
        self.person = UserFactory(role=SiteRole.CONTRIBUTOR)
        member = UserFactory()
        for user, role in ((self.person, "owner"), (member, "member")):
            MembershipFactory(user=user, organization=self.organization, role=role)
        self.secret = token_for(self.person)
        benchmark = BenchmarkFactory(
            organization=self.organization, visibility="private", name=hush, description=hush, active=True
        )
        endpoint = EndpointFactory(organization=self.organization, name=hush, provider_name=hush, key=KEY)
        deployment = DeploymentFactory(endpoint=endpoint, served_name=hush, model=LanguageModelFactory())
        self.submission = make_submission(
            organization=self.organization, benchmark=benchmark, deployment=deployment, notes=hush,
            actor=actor_for_user(self.person),
            claims=[{"name": "accuracy", "value": 0.5, "sample_count": 2}],
            cases=[{"key": "q1", "score": 1.0}, {"key": "q2", "score": 0.0}], visibility="private",
        )  # fmt: skip
        self.evidence = add_evidence(
            actor=actor_for_user(self.person), submission_id=self.submission.pk, name="kept.csv",
            content=FILE, sha256=VALUES["sha256"],
        )  # fmt: skip
        upload = EvidenceUpload.objects.create(
            submission=self.submission, name=f"{hush}.csv", size_bytes=len(FILE), sha256=VALUES["sha256"],
            handle=hush, expires_at=clock.now() + timedelta(hours=1),
        )  # fmt: skip
        verification = make_verification(self.submission)
        run = verification.runs.get()
        stored = get_store().put_stream(io.BytesIO(hush.encode()))
        Run.objects.filter(pk=run.pk).update(
            not_before=clock.now() + timedelta(days=1),
            bundle_sha256=stored.sha256,
            public_bundle_sha256=stored.sha256,
            bundle_size_bytes=stored.size,
        )
        invitation = invite_member(
            actor=actor_for_user(self.person), organization_id=self.organization.pk, role="member",
            email=f"{hush}@example.org",
        )  # fmt: skip
        proposal = draft_proposal(self.person, title=hush, description=hush, rationale=hush)
        comment = CommentFactory(proposal=proposal, author=self.person, body=hush, kind="question")
        entry = self._entry(benchmark)
        campaign = start_campaign(
            actor=actor_for_user(self.person), organization_id=self.organization.pk,
            endpoint_id=endpoint.pk, mode="full", refresh=False,
        )  # fmt: skip
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
            "upload": upload.pk,
            "entry": entry.pk,
            "claim": entry.submission_id,
            "invitation": invitation.pk,
            "proposal": proposal.pk,
            "comment": comment.pk,
            "campaign": campaign.pk,
        }

    def _entry(self, benchmark):
        """A row of the private benchmark's board."""
        claim = make_submission(
            organization=self.organization, benchmark=benchmark, actor=actor_for_user(self.person),
            claims=[{"name": "accuracy", "value": 0.5, "sample_count": 2}],
            cases=[{"key": "q1", "score": 1.0}, {"key": "q2", "score": 0.0}],
        )  # fmt: skip
        measured_quality(claim, value=0.5)
        return Entry.objects.get(submission=claim)

    def fingerprint(self):
        """What a stranger's writes would change."""
        return list(Submission.objects.filter(pk=self.submission.pk).values()), list(
            Run.objects.filter(pk=self.ids["run"]).values()
        )


class Nowhere:
    """Has the id of nothing for every kind; with `beside`, its public things are those of that world."""

    def __init__(self, beside=None):
        self.ids = defaultdict(uuid4)
        self.slugs = defaultdict(lambda: "no-such-thing")
        if beside is not None:
            self.ids |= {kind: beside.ids[kind] for kind in PUBLIC_KINDS}
            self.slugs["organization"] = beside.slugs["organization"]


def ids_of(form):
    """Field name → the kind of thing that it names, of every id and every list of ids in a request."""
    found = {}
    for name, field in form().fields.items():
        if isinstance(getattr(field, "child", field), serializers.UUIDField):
            kind = (field.source or name).removesuffix("s").removesuffix("_id")
            found[name] = NAMED.get(name, kind)
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
            thing = world.slugs[kind] if name == "slug" else str(world.ids[kind])
            data[name] = [thing] if isinstance(field, serializers.ListField) else thing
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
    """Every REST action that parses a form."""
    for method, pattern, function in _actions():
        if form := deed(function).form:
            yield Route(method, pattern, form)


def named_routes():
    """(method, pattern) of every REST action with something of somebody's in its path."""
    named = {(method, pattern): re.findall(r"<(\w+)>", pattern) for method, pattern, _function in _actions()}
    return {action for action, parts in named.items() if set(parts) - set(OPEN_PARTS)}


def _actions():
    for regex, callback in every_route(get_resolver().url_patterns):
        for method, name in getattr(callback, "actions", {}).items():
            if method != "head":
                yield method, f"/{_shown(regex)}", getattr(callback.cls, name)


def calls():
    for _service, method, served in rpcs():
        form = deed(served).form
        if form is not None:
            yield Call(method.name, MethodType(served, object()), form)


def named_calls():
    """Every RPC whose request names something by its id, or reads it by its slug."""
    for _service, method, _served in rpcs():
        names = [field.name for field in method.input_type.fields]
        by_slug = "slug" in names and method.name.startswith("Get")
        if by_slug or any(name == "id" or name.endswith("_id") for name in names):
            yield method.name


def pages():
    """The pattern of every page that names something of somebody's."""
    for pattern, _view in page_views():
        if set(re.findall(r"<\w+:(\w+)>", pattern)) - set(OPEN_PARTS):
            yield pattern


def page_of(world, pattern):
    """(the kinds of things that the page names, its address)"""
    kinds = []

    def put(match):
        folder, parameter = match.groups()
        if parameter in OPEN_PARTS:
            return f"{folder}/{OPEN_PARTS[parameter]}"
        by_slug = parameter == "slug"
        kinds.append(folder.removesuffix("s") if by_slug else parameter.removesuffix("_id"))
        return f"{folder}/{(world.slugs if by_slug else world.ids)[kinds[-1]]}"

    return kinds, "/" + re.sub(r"([\w-]+)/<(?:\w+:)?(\w+)>", put, pattern)


def _shown(regex):
    path = re.sub(r"\(\?P<(\w+)>.*?\)(?=/|$|\$)", r"<\1>", regex)
    return path.replace("^", "").removesuffix("$").removesuffix("/?").removesuffix("\\Z").removesuffix("/?")
