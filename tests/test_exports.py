"""The public names are those of the contract, and every module says what it gives."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import rewriter

ROOT = Path(rewriter.__file__).parent
CONTRACT = {
    "rewrite", "rewrite_all", "load_resources", "default_resources", "merge", "Plan", "Variant", "Policy", "Request", "Turn", "Result",
    "Source", "Merged", "Resources", "RewriterError", "LexiconError", "PackError", "PlanError", "InputError", "__version__",
}  # fmt: skip


def module_names() -> list[str]:
    """Modules of the core that import without an extra: frameworks and the command line are tested where they are used."""
    skipped = ("rewriter.integrations", "rewriter.calls", "rewriter.command", "rewriter.cli", "rewriter.__main__", "rewriter.lexicons")
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
    functions = [name for name in rewriter.__all__ if inspect.isfunction(getattr(rewriter, name))]
    shown = {name: list(inspect.signature(getattr(rewriter, name)).parameters) for name in functions}
    assert shown == {
        "rewrite": ["query", "context", "resources", "policy"],
        "rewrite_all": ["requests", "resources", "policy"],
        "load_resources": ["lexicons", "memory", "base", "drafts"],
        "default_resources": [],
        "merge": ["results", "k", "depth", "limit", "key"],
    }


def test_errors_are_one_tree() -> None:
    for name in ("LexiconError", "PackError", "PlanError", "InputError"):
        assert issubclass(getattr(rewriter, name), rewriter.RewriterError)
    assert issubclass(rewriter.RewriterError, ValueError)


@pytest.mark.parametrize("name", module_names())
def test_a_module_declares_what_it_gives(name: str) -> None:
    module = importlib.import_module(name)
    declared = getattr(module, "__all__", [])
    assert [n for n in declared if not hasattr(module, n)] == [], "in __all__, but not there"
    assert len(set(declared)) == len(declared)


def test_what_a_module_takes_from_another_is_public_there() -> None:
    wrong = []
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "rewriter":
                source = str(node.module)
                given = set(declared_names(source)) | set(submodules(source))
                wrong += [f"{file.relative_to(ROOT)}:{node.lineno} takes {a.name} from {source}" for a in node.names if a.name not in given]
    assert wrong == []


def declared_names(module: str) -> list[str]:
    """`__all__` of a module, read from its text: the shell's modules need extras to import."""
    base = ROOT.joinpath(*module.split(".")[1:])
    file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and [t.id for t in statement.targets if isinstance(t, ast.Name)] == ["__all__"]:
            return [str(name) for name in ast.literal_eval(statement.value)]
    return []


def submodules(module: str) -> list[str]:
    """Modules directly under a package; nothing under a module."""
    base = ROOT.joinpath(*module.split(".")[1:])
    return [f.stem if f.is_file() else f.name for f in base.iterdir()] if base.is_dir() else []
