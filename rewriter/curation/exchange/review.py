"""Review files: TOML with a table `[[candidate]]` each, as `mine` and `suggest` write them.

A person writes `decision = "accept"` or `"reject"` and completes the fields under `entry`; only what is accepted is read.  A candidate
is the same in another file by its group and form, whatever a person has made of its entry.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rewriter.curation.edit_toml import render_value
from rewriter.curation.exchange.exchanged import Options, Read, Written, decode, refused
from rewriter.curation.rows import KINDS, Row, fields_of
from rewriter.errors import InputError
from rewriter.lexicon.parse import told_by_toml

__all__ = ["DECISIONS", "Key", "decided", "extend_review", "read", "render_review", "write"]

Key = tuple[str, str]
"""Group (of WordNet: synset) and form."""

DECISIONS = ("", "accept", "reject")


def render_review(candidates: Iterable[tuple[Mapping[str, Any], Row]], head: str) -> str:
    """A review file: what is known of each candidate, and the entry as far as it can be proposed ("" is to be filled in)."""
    return "\n\n".join(["\n".join(f"# {line}".rstrip() for line in head.split("\n")), *_blocks(candidates)]) + "\n"


def extend_review(text: str, candidates: Iterable[tuple[Mapping[str, Any], Row]], name: str) -> tuple[str, int]:
    """A review file with the candidates that it lacks behind those that it has, and how many they are; what people wrote stays as it is."""
    has = {_key(table, table.get("entry", {})) for table in _tables(text, name)}
    fresh = _blocks(one for one in candidates if _key(one[0], one[1].fields) not in has)
    return ("\n\n".join([text.rstrip("\n"), *fresh]) + "\n" if fresh else text), len(fresh)


def decided(text: str, name: str) -> frozenset[Key]:
    """What somebody has accepted or rejected in a review file."""
    return frozenset(_key(table, table.get("entry", {})) for table in _tables(text, name) if str(table.get("decision", "")).strip())


def _blocks(candidates: Iterable[tuple[Mapping[str, Any], Row]]) -> list[str]:
    blocks = []
    for about, row in candidates:
        lines = ["[[candidate]]", 'decision = ""']
        lines += [f"{name} = {render_value(value)}" for name, value in about.items()]
        lines += [f"entry.{name} = {render_value(value)}" for name, value in {"kind": row.kind, **row.fields}.items()]
        blocks.append("\n".join(lines))
    return blocks


def _key(about: Mapping[str, Any], entry: Mapping[str, Any]) -> Key:
    """Files of the first version have no `form`: there the entry's first one counts."""
    form = about.get("form") or entry.get("form") or next(iter(entry.get("forms", ())), "")
    return str(about.get("group") or about.get("synset") or ""), str(form)


def write(rows: Sequence[Row], options: Options) -> Written:
    """Entries as candidates to be looked at again."""
    return render_review((({}, row) for row in rows), "Write accept or reject.").encode("utf-8"), ()


def read(data: bytes, options: Options) -> list[Read]:
    """The entries of accepted candidates; one without a decision waits, a rejected one is left out."""
    text = decode(data, options.name)
    tables = _tables(text, options.name)
    lines = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(r"^[ \t]*\[\[candidate\]\]", text, re.MULTILINE)]
    found = []
    for line, table in zip(lines, tables, strict=False):
        one = _read_candidate(f"row {line}", table)
        if one is not None:
            found.append(one)
    return found


def _tables(text: str, name: str) -> list[dict[str, Any]]:
    try:
        tables = tomllib.loads(text).get("candidate", [])
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is no TOML ({told_by_toml(error)}); correct it.") from None
    if not isinstance(tables, list) or (text.strip() and not tables and _says_something(text)):
        raise InputError(f"{name} has no tables [[candidate]]; give a review file as `mine` writes it.")
    return tables


def _says_something(text: str) -> bool:
    """Is there more than comments?  A review file without candidates has only those."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))


def _read_candidate(place: str, table: Mapping[str, Any]) -> Read | None:
    decision = str(table.get("decision", "")).strip().lower()
    entry = table.get("entry")
    entry = entry if isinstance(entry, Mapping) else {}
    if decision == "reject":
        return None
    if decision not in DECISIONS:
        return refused(place, f"its decision is {decision!r}; write accept or reject", entry)
    if not decision:
        return refused(place, "nobody has decided about it; write accept or reject", entry, undecided=True)
    if entry.get("kind") not in KINDS:
        return refused(place, f"it has no entry of a kind; known are {', '.join(KINDS)}", entry)
    kind = str(entry["kind"])
    fields = fields_of({k: v for k, v in entry.items() if k != "kind"})
    wanted = ("id", "forms") if kind in KINDS[:3] else ("form", "to")
    missing = [name for name in wanted if not fields.get(name)]
    return refused(place, f"its entry.{missing[0]} is empty; fill it in", fields) if missing else Read(place, Row(kind, fields))
