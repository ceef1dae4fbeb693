"""The documents say what is true: their examples are run, and the reference knows every command and option.

A block fenced as `console` that calls `rewriter`, or as `python` with `>>>`, is run, in the order of the file, in one folder and one
namespace a file.  `...` in an expected output stands for anything.  A block that must not be run (it needs a network, or an
installation) is fenced as `text`.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import rewriter
from rewriter.cli import full_app

ROOT = Path(__file__).parents[1]
FILES = [file for file in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if file.exists()]
_FENCED = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MATCHES = doctest.OutputChecker().check_output


def blocks_of(file: Path, language: str, sign: str) -> Iterator[tuple[int, str]]:
    """Line and content of the blocks of a language that hold `sign`."""
    text = file.read_text(encoding="utf-8")
    for match in _FENCED.finditer(text):
        if match[1] == language and re.search(sign, match[2], re.MULTILINE):
            yield text.count("\n", 0, match.start(2)) + 1, match[2]


def commands_of(block: str) -> Iterator[tuple[int, str, str]]:
    r"""Line within the block, command and expected output; a command goes on after a final backslash.

    >>> list(commands_of("$ a \\\n    b\nout\n$ c\n"))
    [(0, 'a \\\n    b', 'out\n'), (3, 'c', '')]
    """
    lines = block.splitlines()
    at = 0
    while at < len(lines):
        start, command = at, lines[at].removeprefix("$ ")
        while lines[at].endswith("\\"):
            at += 1
            command += "\n" + lines[at]
        at += 1
        output = []
        while at < len(lines) and not lines[at].startswith("$ "):
            output.append(lines[at].rstrip() + "\n")
            at += 1
        yield start, command, "".join(output)


@pytest.fixture(scope="module")
def shell_environment(resources: rewriter.Resources, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `rewriter` is the code under test, whatever is installed."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "rewriter"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rewriter "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {
        **os.environ,
        "PATH": path,
        "PYTHONPATH": str(Path(rewriter.__file__).parents[1]),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_console_examples_print_what_the_document_says(file: Path, shell_environment: dict[str, str], tmp_path: Path) -> None:
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("the examples are written for bash")
    wrong = []
    for first, block in blocks_of(file, "console", r"^\$ (.*\| *)?rewriter "):
        for line, command, expected in commands_of(block):
            done = subprocess.run(
                [shell, "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                cwd=tmp_path, env=shell_environment, timeout=300, check=False,
            )  # fmt: skip
            actual = "".join(part.rstrip() + "\n" for part in done.stdout.splitlines())
            if not _MATCHES(expected, actual, doctest.ELLIPSIS):
                wrong.append(f"{file.name}:{first + line}: $ {command}\n{actual}instead of\n{expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_python_examples_print_what_the_document_says(file: Path, resources: rewriter.Resources) -> None:
    names: dict[str, Any] = {}
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    for line, block in blocks_of(file, "python", r"^ *>>> "):
        test = doctest.DocTestParser().get_doctest(block, names, file.name, str(file), line - 1)
        runner.run(test, out=told.append, clear_globs=False)
        names.update(test.globs)
    assert not told, "".join(told)


def commands_in(command: Any, name: str = "rewriter") -> Iterator[tuple[str, Any]]:
    """Every command by its full name, groups before their commands."""
    yield name, command
    for part, child in getattr(command, "commands", {}).items():
        yield from commands_in(child, f"{name} {part}")


REFERENCE = ROOT / "docs" / "cli.md"


def test_the_reference_has_every_command_and_every_option() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    sections = {m[1]: m[2] for m in re.finditer(r"^## `(rewriter [^`]*)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)}
    sections["rewriter"] = text[: text.index("\n## ")]
    missing = []
    for name, command in commands_in(typer.main.get_command(full_app())):
        is_group = bool(getattr(command, "commands", {}))
        section = sections.get("rewriter" if is_group else name)
        if section is None:
            missing.append(f"{name}: has no section")
            continue
        options = [o for p in command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("-")]
        missing += [f"{name} {o}: not in its section" for o in options if not re.search(rf"(?<![\w-]){re.escape(o)}(?![\w-])", section)]
    assert not missing, "\n".join(missing)


def test_the_reference_has_no_command_and_no_option_that_is_gone() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    commands = dict(commands_in(typer.main.get_command(full_app())))
    options = {o for c in commands.values() for p in c.params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
    assert set(re.findall(r"^## `(rewriter [^`]*)`", text, re.MULTILINE)) <= commands.keys()
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) <= options
