"""Where in an entry a finding's culprit stands: the line, the column and the length of the value that the message quotes."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace

from rewriter.lexicon.collection import Finding

__all__ = ["caret_lines", "point_at"]

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
WIDEST = 120
"""Characters of a line that a terminal shows; of a longer one the part around the culprit."""


def point_at(finding: Finding, text: str) -> Finding:
    """The finding at the value that it quotes, where that stands in its entry; else as it is.

    >>> found = Finding("W202", "warning", "a.toml", 1, 1, "'Kafka', write 'kafka': Forms are lower case.")
    >>> point_at(found, '[kafka.apache]\\nforms = ["Kafka"]\\n').line
    2
    """
    if finding.column != 1 or not text:
        return finding
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: finding.line - 1])
    for value in _quoted(finding.message):
        line_text = lines[finding.line - 1] if finding.line <= len(lines) else ""
        place = _find(text, start, line_text, value, finding.file, "cues" if "the cue " in finding.message else "")
        if place is not None:
            at, width = place
            line = text.count("\n", 0, at) + 1
            return replace(finding, line=line, column=at - text.rfind("\n", 0, at), width=width)
    width = len(lines[finding.line - 1].split("\t")[0].rstrip()) if finding.line <= len(lines) else 1
    return replace(finding, width=max(1, width))


def _quoted(message: str) -> list[str]:
    """Values that a message quotes, the likeliest culprit first: the last one, but before `, write …` the one that is replaced."""
    head = message.split(", write ")[0]
    found = []
    for match in _QUOTED.finditer(head.rpartition(": ")[0] or head):
        try:
            found.append(str(ast.literal_eval(match[0])))
        except (SyntaxError, ValueError):
            continue
    return [value for value in reversed(found) if value.strip()]


def _find(text: str, start: int, line: str, value: str, file: str, field: str) -> tuple[int, int] | None:
    """Where a value begins in the entry that begins at `start` (behind the name of a field, if any), and its length."""
    if file.endswith(".tsv"):
        at = 0
        for cell in line.split("\t"):
            if cell.rstrip("\r") == value or value in [w.strip() for w in cell.split(",")]:
                return start + at + cell.index(value), len(value)
            at += len(cell) + 1
        return None
    end = start + len(line) if file.endswith(".jsonl") else _end_of(text, start)
    block = text[start:end]
    for spelt in dict.fromkeys((json.dumps(value, ensure_ascii=False), f"'{value}'")):
        at = block.find(spelt, max(0, block.find(field)) if field else 0)
        if at >= 0:
            return start + at, len(spelt)
    match = re.search(rf"^{re.escape(value)}(?=\s*[=.])", block, re.MULTILINE)
    return (start + match.start(), len(value)) if match else None


def _end_of(text: str, start: int) -> int:
    following = _HEADER.search(text, text.find("\n", start) + 1 or len(text))
    return following.start() if following else len(text)


def caret_lines(finding: Finding, text: str) -> list[str]:
    """The line of a finding, and under it carets at the culprit."""
    lines = text.split("\n")
    if finding.line > len(lines):
        return []
    line = lines[finding.line - 1].rstrip("\r").replace("\t", " ")
    at = min(finding.column - 1, len(line))
    width = max(1, min(finding.width, len(line) - at))
    first = max(0, min(at - WIDEST // 3, len(line) - WIDEST)) if len(line) > WIDEST else 0
    shown = line[first : first + WIDEST]
    return [f"    {shown}", f"    {' ' * (at - first)}{'^' * max(1, min(width, WIDEST - (at - first)))}"]
