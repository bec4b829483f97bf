"""What the doors offer, read from the code: nothing here is listed by hand.

Messages are paired with serializers by name (`XSerializer` is pb.X). A REST action and an RPC are the same
when they call the same services and selectors, so a new app is covered once its routes and servicers exist.
"""

import ast
import importlib
import inspect
import re
import textwrap
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.urls import URLPattern, get_resolver
from rest_framework.serializers import Serializer

from exchange.servicers import SERVICES

READS_AND_WRITES = {"services", "selectors"}
DOORS = {"api", "web"}


@cache
def serializers():
    """Name → class, of every serializer that an app defines in its `api/serializers.py`."""
    found = {}
    for app in apps.get_app_configs():
        name = f"{app.name}.api.serializers"
        ours = Path(app.path).is_relative_to(settings.BASE_DIR) and ".venv" not in Path(app.path).parts
        if not ours or find_spec(f"{app.name}.api") is None or find_spec(name) is None:
            continue
        for cls in vars(importlib.import_module(name)).values():
            if inspect.isclass(cls) and issubclass(cls, Serializer) and cls.__module__ == name:
                assert found.setdefault(cls.__name__, cls) is cls, f"two serializers called {cls.__name__}"
    return found


@cache
def messages():
    """Name → descriptor, of every message in the files of the registered services."""
    files = {module.DESCRIPTOR for module, *_rest in SERVICES}
    return {name: message for file in files for name, message in file.message_types_by_name.items()}


def rpcs():
    """(service, method descriptor, the function that serves it)."""
    for module, _stubs, name, servicer in SERVICES:
        for method in module.DESCRIPTOR.services_by_name[name].methods:
            yield name, method, getattr(servicer, method.name)


def actions():
    """(viewset, action name, function) of every REST route under /api/v1."""
    seen = set()
    for callback in _callbacks(get_resolver().url_patterns, ""):
        for method, name in getattr(callback, "actions", {}).items():
            if method != "head" and (callback.cls, name) not in seen:
                seen.add((callback.cls, name))
                yield callback.cls, name, getattr(callback.cls, name)


def reads():
    """The RPC of every REST action that is a GET."""
    for callback in _callbacks(get_resolver().url_patterns, ""):
        if name := getattr(callback, "actions", {}).get("get"):
            yield getattr(callback.cls, name).operation.rpc


def routes():
    """(path, methods) of every REST route, with an id of nothing for each parameter."""
    for regex, callback in _patterns(get_resolver().url_patterns, ""):
        path = re.sub(r"\(\?P<\w+>.*?\)", str(UUID(int=1)), regex).replace("^", "").removesuffix("/?$")
        yield f"/{path}", set(getattr(callback, "actions", {})) - {"head"}


def page_views():
    """(pattern, function) of every page that is a view of ours."""
    for pattern, callback in every_route(get_resolver().url_patterns):
        function = inspect.unwrap(callback)
        if inspect.isfunction(function) and "web" in function.__module__.split("."):
            yield pattern, function


def _callbacks(patterns, path):
    for _regex, callback in _patterns(patterns, path):
        yield callback


def _patterns(patterns, path):
    return (found for found in every_route(patterns, path) if found[0].startswith("api/v1/"))


def every_route(patterns, path=""):
    """(pattern, callback) of all that is offered over HTTP."""
    for pattern in patterns:
        here = path + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield here, pattern.callback
        else:
            yield from every_route(pattern.url_patterns, here)


@dataclass(frozen=True)
class Deed:
    """What one door's method does: the form it parses and the functions of the domain it calls."""

    form: type | None
    filled: frozenset | None
    """The fields of the form that it can fill; None when the request's body or query fills any."""
    functions: frozenset
    unpacked: object | None
    """The function that gets the form as `**form`."""
    explicit: frozenset
    """The arguments it gets beside the form."""


@cache
def deed(function) -> Deed:
    """Read from the source of the method and of the private functions of its module that it calls."""
    calls = list(_calls(function, set()))
    parsed = [(_resolve(call.args[0], scope), call.args[1]) for call, scope in calls if _is_parse(call)]
    asked = [(call, _resolve(call.func, scope)) for call, scope in calls if _is_domain(call, scope)]
    filled = [(call, called) for call, called in asked if any(word.arg is None for word in call.keywords)]
    call, called = filled[0] if filled else (None, None)
    return Deed(
        form=parsed[0][0] if parsed else None,
        filled=_keys(parsed[0][1]) if parsed else frozenset(),
        functions=frozenset(called for _call, called in asked),
        unpacked=called,
        explicit=frozenset(word.arg for word in call.keywords if word.arg) if call else frozenset(),
    )


def _calls(function, seen):
    function = inspect.unwrap(getattr(function, "__func__", function))
    if function in seen:
        return
    seen.add(function)
    scope = function.__globals__
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Call):
            yield node, scope
            private = scope.get(_name(node.func)) if isinstance(node.func, ast.Name) else None
            if inspect.isfunction(private) and private.__module__ == function.__module__:
                yield from _calls(private, seen)


def _is_parse(call) -> bool:
    return _name(call.func) == "parse"


def _keys(data) -> frozenset | None:
    written = isinstance(data, ast.Dict) and all(isinstance(key, ast.Constant) for key in data.keys)
    return frozenset(key.value for key in data.keys) if written else None


def _name(node) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _resolve(node, scope):
    if isinstance(node, ast.Name):
        return scope.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_resolve(node.value, scope), node.attr, None)
    return None


def _is_domain(call, scope) -> bool:
    """`services.x(…)` or `selectors.x(…)`, or a module beside them that is told the actor."""
    if not isinstance(call.func, ast.Attribute):
        return False
    module = _resolve(call.func.value, scope)
    if not isinstance(module, ModuleType) or DOORS & set(module.__name__.split(".")):
        return False
    told = any(word.arg == "actor" for word in call.keywords)
    return told or bool(READS_AND_WRITES & set(module.__name__.split(".")))
