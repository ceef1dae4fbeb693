"""Labelled cases from a folder of sets; what a case is asked to show follows from its fields.

`cases.jsonl` (or `.jsonl.gz`) has a case a line.  Tasks, by the fields that all of a set's cases have:

| task | fields |
|---|---|
| meanings | `query`, `context` (turns: `role` and `text`, or strings), `expect`: `ask` (true, false, null where both do), `any`, `none` |
| guardrails | `query`, `context`, `expect`: `min_variants`, `max_variants`, `ask`, perhaps `preserve`, `preserve_in_some`, `forbid` |
| translation | `query`, `must` (a list of concepts, each a list of words that say it), perhaps `keep` |
| terms | `query`, `any` (words of practitioners), `none` |
| questions | `query`, `acceptable_starts`, `must` |
| conversations | `raw`, `manual` (as a person rewrote it), `history`, `responses`, perhaps `conv` |
| pages | `a`, `b` (URLs), `want` (`fold` or `keep`) |
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["TASKS", "LabelledSet", "find_sets", "turns_of"]

TASKS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("guardrails", frozenset({"query", "context", "expect"}), frozenset({"min_variants", "max_variants", "ask"})),
    ("meanings", frozenset({"query", "context", "expect"}), frozenset({"ask", "any", "none"})),
    ("translation", frozenset({"query", "must", "keep"}), frozenset()),
    ("questions", frozenset({"query", "acceptable_starts", "must"}), frozenset()),
    ("terms", frozenset({"query", "any", "none"}), frozenset()),
    ("conversations", frozenset({"raw", "manual", "history"}), frozenset()),
    ("pages", frozenset({"a", "b", "want"}), frozenset()),
)
"""Name, fields, and fields of `expect`; the first that fits."""


class LabelledSet(NamedTuple):
    """A set of cases: its name, its task and the file."""

    name: str
    task: str
    cases: tuple[Mapping[str, Any], ...]


def find_sets(folder: Path) -> list[LabelledSet]:
    """The sets of a folder whose cases have a task, by name; others are passed over."""
    found = []
    for place in sorted(folder.iterdir()):
        file = next((f for ending in (".jsonl", ".jsonl.gz") if (f := place / ("cases" + ending)).is_file()), None)
        if file is None:
            continue
        first = next(_read_rows(file), {})
        task = next((name for name, fields, expected in TASKS if _fits(first, fields, expected)), None)
        if task is not None:
            found.append(LabelledSet(place.name, task, tuple(_check_all(file, task))))
    if not found:
        raise SystemExit(
            f"{folder} has no labelled set; give a folder of folders with cases.jsonl as benchmarks/quality/labelled.py describes."
        )
    return found


def _fits(case: Mapping[str, Any], fields: frozenset[str], expected: frozenset[str]) -> bool:
    expect = case.get("expect")
    return fields <= case.keys() and (not expected or (isinstance(expect, Mapping) and expected <= expect.keys()))


def _check_all(file: Path, task: str) -> Iterator[Mapping[str, Any]]:
    fields, expected = next((f, e) for name, f, e in TASKS if name == task)
    for number, case in enumerate(_read_rows(file), 1):
        if not _fits(case, fields, expected):
            raise SystemExit(f"{file}, case {number}: it lacks a field of the task {task}: {', '.join(sorted(fields))}.")
        yield case


def _read_rows(file: Path) -> Iterator[Mapping[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if not isinstance(row, Mapping):
                    raise SystemExit(f"{file}:{number}: this line is no JSON object; write one a line.")
                yield row


def turns_of(case: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Role and text of the turns before a case, oldest first.

    >>> turns_of({"history": ["a", "b"], "responses": ["x"]}), turns_of({"context": ["a", {"role": "assistant", "text": "b"}]})
    ([('user', 'a'), ('assistant', 'x'), ('user', 'b')], [('user', 'a'), ('assistant', 'b')])
    """
    turns: list[tuple[str, str]] = []
    for turn in case.get("context") or ():
        turns.append(("user", turn) if isinstance(turn, str) else (turn["role"], turn.get("text", turn.get("content", ""))))
    responses = list(case.get("responses") or ())
    for number, text in enumerate(case.get("history") or ()):
        turns.append(("user", text))
        if number < len(responses) and responses[number]:
            turns.append(("assistant", responses[number]))
    return turns
