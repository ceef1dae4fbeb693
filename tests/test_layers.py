"""A module imports only from layers above it, and only the shell touches files, environment, clock, network or randomness."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rewriter

ROOT = Path(rewriter.__file__).parent

# From the top down.  A line is one layer: a module (or a package with all that is in it) imports from the lines above, and within
# its own line as long as no cycle comes of it.  The longest prefix that fits is a module's line.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("rewriter.version", "rewriter.errors", "rewriter.record"),  # facts that everything may name, and how a record is made
    ("rewriter.report",),  # a plan as plain data, for people
    ("rewriter.model",),  # the records that callers see
    ("rewriter.policy",),  # what a caller may decide
    ("rewriter.text",),  # the two languages; knows no lexicon
    ("rewriter.data",),  # word lists as files
    ("rewriter.lexicon",),  # entries and the files that hold them; knows no pack
    ("rewriter.pack",),  # the lexicon compiled, opened and kept
    ("rewriter.resources",),  # pack, overlay and memory as one thing
    ("rewriter.pack.load",),  # resources from disk
    ("rewriter.lookup",),  # forms in words
    ("rewriter.paraphrase",),  # lay expressions said in other words
    ("rewriter.context", "rewriter.plain"),  # the conversation as data; slang in full
    ("rewriter.topics", "rewriter.lean"),  # what a turn names, and what a query names itself
    ("rewriter.english_known", "rewriter.english_pronouns", "rewriter.english_unsaid", "rewriter.indonesian_shapes"),
    ("rewriter.english_shapes", "rewriter.shapes"),  # how a query leans on the conversation
    ("rewriter.agreement", "rewriter.focus"),  # what the conversation is about
    ("rewriter.domains", "rewriter.cues", "rewriter.association"),  # what speaks for a sense
    ("rewriter.lists", "rewriter.placing", "rewriter.referents", "rewriter.variation"),  # what a query leans on, and where it goes
    ("rewriter.senses", "rewriter.followups"),  # what is meant
    ("rewriter.analysis",),  # all that is known about a query
    ("rewriter.translation",),  # words into English words
    ("rewriter.patterns",),  # the five variants
    ("rewriter.guardrails",),  # which of them are searched
    ("rewriter.engine",),  # the plan
    ("rewriter.urls", "rewriter.fusion"),  # the union of what the searches found
    ("rewriter.dossier",),  # what was asked, searched and found, as a record and a page
    ("rewriter",),  # the front
    ("rewriter.io",),  # files and services
    ("rewriter.batch",),  # many queries from a file
    ("rewriter.integrations",),  # other people's frameworks
    ("rewriter.curation",),  # lexicons edited, exchanged, mined, compared
    ("rewriter.calls", "rewriter.output"),  # people: a call, and how results are shown
    (
        "rewriter.cli_agents", "rewriter.cli_batch", "rewriter.cli_results", "rewriter.curation.commands", "rewriter.curation.cli_add",
        "rewriter.curation.cli_check",
        "rewriter.curation.cli_common", "rewriter.curation.cli_compare", "rewriter.curation.cli_edit", "rewriter.curation.cli_exchange",
        "rewriter.curation.cli_find",        "rewriter.curation.cli_mine",
    ),  # the commands
    ("rewriter.command", "rewriter.cli", "rewriter.__main__"),  # the program
)  # fmt: skip

SHELL = (
    "rewriter.data", "rewriter.pack", "rewriter.io", "rewriter.batch", "rewriter.integrations", "rewriter.calls", "rewriter.output",
    "rewriter.command", "rewriter.cli", "rewriter.cli_agents", "rewriter.cli_batch", "rewriter.cli_results", "rewriter.__main__",
    "rewriter.curation.cli_add", "rewriter.curation.cli_check", "rewriter.curation.cli_common", "rewriter.curation.cli_compare",
    "rewriter.curation.cli_edit", "rewriter.curation.cli_exchange", "rewriter.curation.cli_find", "rewriter.curation.cli_mine",
    "rewriter.curation.exchange", "rewriter.curation.overlay",
    "rewriter.curation.guard", "rewriter.curation.imports", "rewriter.curation.sarif", "rewriter.curation.logs", "rewriter.curation.share",
    "rewriter.curation.store", "rewriter.curation.versions", "rewriter.curation.wordnet", "rewriter.curation.work",
)  # fmt: skip
"""Packages that may touch the world, beside the front itself."""

WORLD = frozenset(
    """asyncio atexit builtins ctypes dbm fcntl fileinput ftplib getpass glob http imaplib importlib io locale logging mmap
    multiprocessing os pathlib platform platformdirs random requests secrets select selectors shelve shutil signal smtplib socket
    sqlite3 ssl subprocess sys tempfile time urllib uuid webbrowser""".split()
)
"""Top-level modules by which code reads files, the environment, the clock, the network or chance."""
WORLD_CALLS = frozenset({"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"})
CLOCK_CALLS = frozenset({"now", "today", "utcnow", "fromtimestamp"})
"""Methods of `datetime` that read the clock or the time zone; its dates as values are fine."""

MODULES = {
    ".".join(["rewriter", *file.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__"): file
    for file in sorted(ROOT.rglob("*.py"))
    if "lexicons" not in file.relative_to(ROOT).parts
}
TREES = {name: ast.parse(file.read_text(encoding="utf-8"), str(file)) for name, file in MODULES.items()}


def layer_of(module: str) -> int:
    """Number of a module's line in the table, -1 for a module that has none."""
    fitting = [
        (len(prefix), number)
        for number, line in enumerate(LAYERS)
        for prefix in line
        if module == prefix or (prefix != "rewriter" and module.startswith(prefix + "."))
    ]
    return max(fitting, default=(0, -1))[1]


def imports_of(module: str) -> Iterator[tuple[str, int]]:
    """Modules that a module imports anywhere in its text, with the line; those of this package by their full name."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}:{node.lineno} imports relatively; write the full name"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (inner if inner in MODULES else str(node.module)), node.lineno


def test_every_module_has_a_layer() -> None:
    assert [m for m in MODULES if layer_of(m) < 0] == []


def test_modules_import_only_from_layers_above() -> None:
    wrong = [
        f"{module}:{line} imports {target}"
        for module in MODULES
        for target, line in imports_of(module)
        if target in MODULES and layer_of(target) > layer_of(module)
    ]
    assert wrong == []


def test_imports_make_no_cycle() -> None:
    graph = {m: sorted({t for t, _ in imports_of(m) if t in MODULES and t != m}) for m in MODULES}
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " → ".join([*path[path.index(module) :], module])
        if module not in done:
            for target in graph[module]:
                visit(target, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def is_shell(module: str) -> bool:
    """May this module touch the world?"""
    return module == "rewriter" or any(module == s or module.startswith(s + ".") for s in SHELL)


@pytest.mark.parametrize("module", [m for m in MODULES if not is_shell(m)])
def test_the_core_touches_nothing_outside_its_arguments(module: str) -> None:
    imported = [f"{target} (line {line})" for target, line in imports_of(module) if target.split(".")[0] in WORLD]
    called = [
        f"{node.func.id}() (line {node.lineno})"
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in WORLD_CALLS
        and (module, node.func.id) != ("rewriter.record", "exec")  # a record's `__init__`, made from its field names as dataclasses do
    ]
    clocks = [
        f"{node.func.attr}() (line {node.lineno})"
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCK_CALLS
    ]
    assert imported + called + clocks == []


@pytest.mark.parametrize("module", list(MODULES))
def test_importing_does_no_work(module: str) -> None:
    """No file is read and nothing is loaded at the level of a module: only definitions, and expressions over them."""
    heavy = {"open", "rewrite", "load_resources", "default_resources", "print"}
    called = [
        f"{node.func.id}() (line {node.lineno})"
        for statement in TREES[module].body
        if not isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.If))
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in heavy
    ]
    assert called == []
