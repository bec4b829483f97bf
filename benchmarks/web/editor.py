"""Pages that write benchmarks and their versions. Nothing typed is lost when something is refused."""

from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmarks import permissions, selectors, services
from benchmarks.api import serializers as s
from benchmarks.content import MOST_CASES
from benchmarks.errors import VersionIsPublished
from exchange.accounts import selectors as accounts
from exchange.accounts.api.serializers import UserSerializer
from exchange.api.forms import parse
from exchange.core.errors import DomainError, InvalidInput
from exchange.web.pages import page, refused_fields, signed_in, told
from llm_benchmark.measure.scorers import SCORERS

from . import about_form, version_form
from .case_rows import MOST_BYTES, CaseRows, text_of

PREVIEWED = 5


@page
@signed_in
def new_benchmark(request):
    if request.method != "POST":
        return _about_page(request, dict.fromkeys(about_form.NAMES, "") | {"visibility": "public"})
    typed = about_form.typed_in(request)
    try:
        form = parse(s.CreateBenchmarkRequestSerializer, about_form.new_from(typed))
        benchmark = services.create_benchmark(actor=request.actor, **form)
    except DomainError as refusal:
        return _about_page(request, typed, refusal=refusal)
    return redirect("new-version", slug=benchmark.slug)


@page
@signed_in
def edit_benchmark(request, slug):
    found = selectors.get_benchmark_by_slug(actor=request.actor, slug=slug)
    permissions.require_editor(request.actor, found)
    shown = s.BenchmarkSerializer(found).data
    if request.method != "POST":
        return _about_page(request, about_form.typed_from(shown), benchmark=shown)
    typed = about_form.typed_in(request)
    try:
        data = {**about_form.changed_from(typed), "id": found.pk}
        services.update_benchmark(actor=request.actor, **parse(s.UpdateBenchmarkRequestSerializer, data))
    except DomainError as refusal:
        return _about_page(request, typed, benchmark=shown, refusal=refusal)
    return redirect("benchmark", slug=slug)


def _about_page(request, typed, *, benchmark=None, refusal=None):
    context = {
        "benchmark": benchmark,
        "values": typed,
        "organizations": _organizations(request.actor),
        "errors": about_form.on_the_page(refused_fields(refusal)) if refusal else [],
    }
    return _shown(request, "benchmarks/about.html", context, refusal)


def _shown(request, template, context, refusal):
    answer = render(request, template, context, status=refusal.http if refusal else 200)
    return told(answer, refusal) if refusal else answer


def _organizations(actor):
    """Those that the reader may publish for, as (id, name)."""
    profile = UserSerializer(accounts.get_profile(actor=actor)).data
    return [
        (str(one["organization_id"]), one["organization_name"])
        for one in profile["organizations"]
        if one["role"] != "viewer"
    ]


@page
@signed_in
def new_version(request, slug):
    """The draft of the next edition, from what the published one says."""
    found = _to_write(request, slug)
    parent = _published(request, found)
    shown = version_form.typed_from(parent, number="") if parent else version_form.blank(found.kind)
    shown.values.update({"changelog": "", "migration_notes": ""} if parent else {})
    if request.method != "POST":
        return _version_page(request, found, shown, parent=parent)

    def store(data):
        number = {"version": typed.values["version"]} if typed.values["version"] else {}
        data = {**data, **number, "benchmark_id": found.pk}
        if parent and found.kind == "quality" and "test_cases" not in data:
            data["test_cases"] = _cases(request, parent["id"])
        form = parse(s.CreateBenchmarkVersionRequestSerializer, data)
        return services.create_version(actor=request.actor, **form)

    typed = version_form.typed_in(request, shown, found.kind)
    return _stored(request, found, typed, store, parent=parent)


@page
@signed_in
def edit_version(request, slug, number):
    """A draft: what was read, the form to change it, and the way to publish it."""
    found = _to_write(request, slug)
    draft = _draft(request, found, number)
    stored = s.BenchmarkVersionSerializer(draft).data
    shown = version_form.typed_from(stored, number=number)
    if request.method != "POST":
        return _version_page(request, found, shown, draft=stored)

    def store(data):
        form = parse(s.UpdateBenchmarkVersionRequestSerializer, {**data, "id": draft.pk})
        return services.update_version(actor=request.actor, **form)

    typed = version_form.typed_in(request, shown, found.kind)
    return _stored(request, found, typed, store, draft=stored)


def _to_write(request, slug):
    found = selectors.get_benchmark_by_slug(actor=request.actor, slug=slug)
    permissions.require_author(request.actor, found)
    return found


def _published(request, found):
    if found.current_version_id is None:
        return None
    version = selectors.get_version(actor=request.actor, version_id=found.current_version_id)
    return s.BenchmarkVersionSerializer(version).data


def _draft(request, found, number):
    version = selectors.get_version_by_number(actor=request.actor, benchmark_id=found.pk, number=number)
    if version.status != version.Status.DRAFT:
        raise VersionIsPublished
    return version


def _cases(request, version_id, most=MOST_CASES):
    rows = selectors.list_test_cases(actor=request.actor, version_id=version_id)[:most]
    return s.TestCaseSerializer(rows, many=True).data


def _stored(request, found, typed, store, *, parent=None, draft=None):
    """Store what was typed and show it as stored, or the form again with all that is wrong."""
    asked = version_form.Request({}, typed, CaseRows())
    try:
        if file := request.FILES.get("cases_file"):
            typed.values.update({"test_cases": text_of(file), "cases_name": str(file.name)})
        asked = version_form.request_from(typed, found.kind, draft or parent)
        version = store(asked.data)
    except DomainError as refusal:
        errors = asked.on_the_page(refused_fields(refusal))
        about = {"parent": parent, "draft": draft}
        return _version_page(request, found, typed, refusal=refusal, errors=errors, **about)
    return redirect("edit-version", slug=found.slug, number=version.version)


def _version_page(request, found, typed, *, parent=None, draft=None, refusal=None, errors=()):
    context = {
        "benchmark": s.BenchmarkSerializer(found).data,
        "parent": parent,
        "draft": draft,
        "values": typed.values,
        "metrics": typed.rows(),
        "scorers": list(SCORERS),
        "errors": list(errors),
        "most_cases": MOST_CASES,
        "most_mib": MOST_BYTES >> 20,
        "kept": draft or parent,
        "cases": _cases(request, draft["id"], PREVIEWED) if draft else [],
        "content_hash": _hash_of(request, draft) if draft else "",
    }
    return _shown(request, "benchmarks/version.html", context, refusal)


def _hash_of(request, draft):
    return selectors.content_hash_of(selectors.get_version(actor=request.actor, version_id=draft["id"]))


@require_POST
@page
@signed_in
def publish_version(request, slug, number):
    """For ever, so only after a tick in a box."""
    found = _to_write(request, slug)
    draft = _draft(request, found, number)
    try:
        if "confirmed" not in request.POST:
            text = _("Confirm that this edition never changes again.")
            raise InvalidInput.of("confirmed", "required", text)
        services.publish_version(actor=request.actor, version_id=draft.pk)
    except DomainError as refusal:
        shown = s.BenchmarkVersionSerializer(draft).data
        typed = version_form.typed_from(shown, number=number)
        errors = refused_fields(refusal)
        return _version_page(request, found, typed, draft=shown, refusal=refusal, errors=errors)
    return redirect("benchmark", slug=slug)
