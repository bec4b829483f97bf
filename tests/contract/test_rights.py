"""Every service and selector there is stands in its app's table of rights, or outside it for a reason."""

import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from .doors import actions, deed, page_views, rpcs
from .matrix import named, public

READS_AND_WRITES = {"services", "selectors"}
NOT_VERBS = {"apps", "errors", "models", "permissions"}


@cache
def domains():
    """App name → its modules of verbs and questions."""
    ours = [app for app in apps.get_app_configs() if Path(app.path).is_relative_to(settings.BASE_DIR)]
    found = {
        app.name: {part.name for part in pkgutil.iter_modules([app.path]) if not part.ispkg} - NOT_VERBS
        for app in ours
        if ".venv" not in Path(app.path).parts
    }
    return {
        app: [importlib.import_module(f"{app}.{name}") for name in sorted(names)]
        for app, names in found.items()
        if names & READS_AND_WRITES
    }


def asked_for(module):
    """All that services and selectors offer; of the modules beside them, the verbs: what is told `actor=`."""
    every = module.__name__.rpartition(".")[2] in READS_AND_WRITES
    return {name for name in public(module) if every or takes_actor(getattr(module, name))}


def takes_actor(function):
    asker = inspect.signature(inspect.unwrap(function)).parameters.get("actor")
    return asker is not None and asker.kind is asker.KEYWORD_ONLY


def table(app):
    return importlib.import_module(f"tests.{app.rpartition('.')[2]}.test_permissions")


def outside(app):
    return set().union(*table(app).OUTSIDE.values())


def called_by_doors():
    served = (function for *_names, function in (*actions(), *rpcs(), *page_views()))
    return set().union(*(deed(function).functions for function in served))


def test_there_are_apps():
    assert {"exchange.accounts", "benchmarks", "submissions.runs", "leaderboards"} <= set(domains())


@pytest.mark.parametrize("app", domains())
def test_a_table_has_all_of_its_app(app):
    offered = set().union(*(asked_for(module) for module in domains()[app]))

    assert offered == named(table(app).MATRIX) | outside(app)


@pytest.mark.parametrize("app", domains())
def test_nothing_stands_in_a_table_and_outside_it(app):
    assert not named(table(app).MATRIX) & outside(app)


@pytest.mark.parametrize("app", domains())
def test_no_door_calls_what_is_outside_but_asks_for_an_actor(app):
    called = {(function.__module__, function.__name__) for function in called_by_doors()}
    skipped = {
        name
        for module in domains()[app]
        for name in outside(app) & public(module)
        if takes_actor(getattr(module, name)) and (module.__name__, name) in called
    }

    assert not skipped
