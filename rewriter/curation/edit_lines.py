"""A TSV or JSONL lexicon with one line added, changed or dropped; the lines of a shard stay sorted."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rewriter.curation.rows import Row
from rewriter.errors import LexiconError
from rewriter.lexicon.parse import BILINGUAL_COLUMNS, SLANG_COLUMNS

__all__ = ["PROVENANCE", "add_lines", "columns_for", "columns_of", "json_line", "replace_line", "shard_line"]

PROVENANCE = ("source", "licence", "origin")
"""Columns of a shard that holds imported lines, behind the usual ones."""


def columns_for(kind: str) -> tuple[str, ...]:
    """The usual columns of a shard."""
    return BILINGUAL_COLUMNS if kind == "translation" else SLANG_COLUMNS[kind.removeprefix("slang-")]


def columns_of(text: str) -> tuple[str, ...]:
    """The columns that the header names."""
    return tuple(text.split("\n", 1)[0].rstrip("\r").split("\t"))


def shard_line(row: Row, columns: Sequence[str]) -> str:
    """A line of a shard.  `LexiconError` where a value cannot stand in one."""
    usual = columns_for(row.kind)
    values = {**row.fields, usual[0]: row.fields.get("form", ""), usual[1]: row.fields.get("to", "")}
    values["when"] = ",".join(row.fields.get("when", ()))
    cells = [str(values.get(column, "")) for column in columns]
    for cell in cells:
        if any(c in cell for c in "\t\n\r"):
            raise LexiconError(f"{cell!r} has a tab or a line end, which a line of a shard cannot hold; delete it.")
    return "\t".join(cells)


def json_line(fields: Mapping[str, Any]) -> str:
    """A line of JSONL, two-language fields as objects."""
    nested: dict[str, Any] = {}
    for name, value in fields.items():
        first, _, last = name.partition(".")
        if last:
            nested.setdefault(first, {})[last] = value
        else:
            nested[name] = value
    return json.dumps(nested, ensure_ascii=False)


def add_lines(text: str, more: Iterable[str], *, is_sorted: bool) -> str:
    """The text with more lines: at their places where the lines are sorted (the first is the header), else at the end."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    while lines and not lines[-1]:
        lines.pop()
    for line in more:
        if is_sorted:
            lines.insert(bisect_left(lines, line, lo=1), line)
        else:
            lines.append(line)
    return end.join(lines) + end


def replace_line(text: str, number: int, line: str | None, *, is_sorted: bool) -> str:
    """The text with line `number` (from 1) written anew, or dropped."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    if line is None or is_sorted:
        del lines[number - 1]
        rest = end.join(lines)
        return rest if line is None else add_lines(rest, [line], is_sorted=True)
    lines[number - 1] = line
    return end.join(lines)
