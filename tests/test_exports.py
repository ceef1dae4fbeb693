"""The public names are those of the contract, and every module says what it gives."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import rewriter

CONTRACT = {
    "rewrite", "rewrite_all", "load_resources", "default_resources", "merge", "Plan", "Variant", "Policy", "Request", "Turn", "Result",
    "Source", "Merged", "Resources", "RewriterError", "LexiconError", "PackError", "PlanError", "InputError", "__version__",
}  # fmt: skip


def module_names() -> list[str]:
    """Modules of the core that import without an extra: frameworks and the command line are tested where they are used."""
    skipped = ("rewriter.integrations", "rewriter.command", "rewriter.cli", "rewriter.__main__", "rewriter.lexicons")
    found = [m.name for m in pkgutil.walk_packages(rewriter.__path__, "rewriter.", onerror=lambda _: None)]
    return [m for m in found if not m.startswith(skipped)]


def test_the_package_gives_what_the_contract_names() -> None:
    assert set(rewriter.__all__) == CONTRACT
    assert len(rewriter.__all__) == len(CONTRACT)


def test_every_public_name_is_there_under_its_own_name() -> None:
    for name in rewriter.__all__:
        thing = getattr(rewriter, name)
        if name != "__version__":
            assert thing.__name__ == name, "no aliases"
            assert thing.__module__.split(".")[0] == "rewriter"
            assert inspect.getdoc(thing), name


def test_the_signatures_are_those_of_the_contract() -> None:
    shown = {name: list(inspect.signature(getattr(rewriter, name)).parameters) for name in CONTRACT if inspect.isfunction(getattr(rewriter, name))}
    assert shown == {
        "rewrite": ["query", "context", "resources", "policy"],
        "rewrite_all": ["requests", "resources", "policy"],
        "load_resources": ["lexicons", "memory", "base"],
        "default_resources": [],
        "merge": ["results", "k", "depth", "limit", "key"],
    }


def test_errors_are_one_tree() -> None:
    for name in ("LexiconError", "PackError", "PlanError", "InputError"):
        assert issubclass(getattr(rewriter, name), rewriter.RewriterError)
    assert issubclass(rewriter.RewriterError, ValueError)


@pytest.mark.parametrize("name", module_names())
def test_a_module_names_in_all_what_it_defines_for_others(name: str) -> None:
    module = importlib.import_module(name)
    public = {
        n
        for n, thing in vars(module).items()
        if not n.startswith("_") and (inspect.isfunction(thing) or inspect.isclass(thing)) and thing.__module__ == name
    }
    declared = set(getattr(module, "__all__", ()))
    assert public - declared == set(), "public, but not in __all__"
    assert {n for n in declared if not hasattr(module, n)} == set(), "in __all__, but not there"
