"""Review files: TOML with a table `[[candidate]]` each, as `mine` and `suggest` write them.

A person writes `decision = "accept"` or `"reject"` and completes the fields under `entry`; only what is accepted is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rewriter.curation.edit_toml import render_value
from rewriter.curation.exchange.exchanged import Options, Read, Written, decode
from rewriter.curation.rows import KINDS, Row, fields_of
from rewriter.errors import InputError
from rewriter.lexicon.parse import told_by_toml

__all__ = ["DECISIONS", "read", "render_review", "write"]

DECISIONS = ("", "accept", "reject")


def render_review(candidates: Iterable[tuple[Mapping[str, Any], Row]], head: str) -> str:
    """A review file: what is known of each candidate, and the entry as far as it can be proposed ("" is to be filled in)."""
    blocks = ["\n".join(f"# {line}".rstrip() for line in head.split("\n"))]
    for about, row in candidates:
        lines = ["[[candidate]]", 'decision = ""']
        lines += [f"{name} = {render_value(value)}" for name, value in about.items()]
        lines += [f"entry.{name} = {render_value(value)}" for name, value in {"kind": row.kind, **row.fields}.items()]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def write(rows: Sequence[Row], options: Options) -> Written:
    """Entries as candidates to be looked at again."""
    return render_review((({}, row) for row in rows), "Write accept or reject.").encode("utf-8"), ()


def read(data: bytes, options: Options) -> list[Read]:
    """The entries of accepted candidates; one without a decision waits, a rejected one is left out."""
    text = decode(data, options.name)
    try:
        tables = tomllib.loads(text).get("candidate", [])
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{options.name} is no TOML ({told_by_toml(error)}); correct it.") from None
    if not isinstance(tables, list):
        raise InputError(f"{options.name} has no tables [[candidate]]; give a review file as `mine` writes it.")
    lines = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(r"^[ \t]*\[\[candidate\]\]", text, re.MULTILINE)]
    found = []
    for line, table in zip(lines, tables, strict=False):
        one = _read_candidate(f"row {line}", table)
        if one is not None:
            found.append(one)
    return found


def _read_candidate(place: str, table: Mapping[str, Any]) -> Read | None:
    decision = str(table.get("decision", "")).strip().lower()
    if decision == "reject":
        return None
    if decision not in DECISIONS:
        return Read(place, None, f"its decision is {decision!r}; write accept or reject")
    if not decision:
        return Read(place, None, "nobody has decided about it; write accept or reject", undecided=True)
    entry = table.get("entry")
    if not isinstance(entry, Mapping) or entry.get("kind") not in KINDS:
        return Read(place, None, f"it has no entry of a kind; known are {', '.join(KINDS)}")
    kind = str(entry["kind"])
    fields = fields_of({k: v for k, v in entry.items() if k != "kind"})
    wanted = ("id", "forms") if kind in KINDS[:3] else ("form", "to")
    missing = [name for name in wanted if not fields.get(name)]
    return Read(place, None, f"its entry.{missing[0]} is empty; fill it in") if missing else Read(place, Row(kind, fields))
