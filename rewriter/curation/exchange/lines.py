"""JSONL: an object a line, fields as in the lexicon's own JSONL, and `kind`.  It holds every field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rewriter.curation.edit_lines import json_line
from rewriter.curation.exchange.exchanged import Options, Read, Written, decode, refused
from rewriter.curation.rows import KINDS, Row, fields_of

__all__ = ["read", "write"]


def write(rows: Sequence[Row], options: Options) -> Written:
    """A line a row."""
    return "".join(json_line({"kind": row.kind, **row.fields}) + "\n" for row in rows).encode("utf-8"), ()


def read(data: bytes, options: Options) -> list[Read]:
    """Rows; the kind is taken from the fields where `kind` does not name it."""
    found = []
    for number, line in enumerate(decode(data, options.name).split("\n"), 1):
        if line.strip():
            found.append(_read_line(f"row {number}", line))
    return found


def _read_line(place: str, line: str) -> Read:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Read(place, None, f"it is no JSON ({error}); write one object a line")
    if not isinstance(raw, dict):
        return Read(place, None, f"it is a JSON {type(raw).__name__}; write one object a line")
    kind = raw.pop("kind", None) or _kind_of(raw)
    if kind not in KINDS:
        return refused(place, f"its kind is {kind!r}; known are {', '.join(KINDS)}", raw)
    if kind == "translation" and "form" not in raw:
        raw = {"form": raw.get("id"), "to": raw.get("en"), **{k: v for k, v in raw.items() if k not in ("id", "en")}}
    try:
        fields = fields_of(raw)
    except (TypeError, ValueError) as error:
        return refused(place, f"a field has a wrong shape ({error})", raw)
    wanted = ("id", "forms") if kind in KINDS[:3] else ("form", "to")
    wrong = [name for name in wanted if not isinstance(fields.get(name), list if name == "forms" else str)]
    why = f"it has no {wrong[0]}; a {kind} needs {' and '.join(wanted)}" if wrong else ""
    return refused(place, why, raw) if wrong else Read(place, Row(kind, fields))


def _kind_of(raw: dict[str, Any]) -> str:
    if "forms" not in raw:
        return "translation"
    return "jargon" if "expert" in raw or "expert.en" in raw or "expert.id" in raw else "sense"
