"""What `lint --fix` may do unasked: corrections after which every lookup finds at least what it found before, and the same meaning.

Characters that show nothing go, spaces and full-width letters become plain ones, forms are written as lookups see them, doubles and
lines that change nothing go, shards are sorted.  Whatever needs a judgement stays for a person.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from rewriter.curation.edit import change_row, find_rows
from rewriter.curation.rows import LISTS, row_of
from rewriter.lexicon.collection import Finding
from rewriter.text.normalise import INVISIBLE, clean

__all__ = ["FIXABLE", "fix_text"]

FIXABLE = ("W201", "W202", "W203", "W204", "W205", "W206", "W208", "W402", "W503")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_PLAIN = re.compile("[\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\uff01-\uff5e]")


def fix_text(file: str, text: str, findings: Sequence[Finding]) -> str:
    """The text of a file without those of its `findings` that are `FIXABLE`, as far as that goes; the rest stays."""
    codes = {f.code for f in findings}
    if "W204" in codes:
        text = _INVISIBLE.sub("", text)
    if "W205" in codes:
        text = _PLAIN.sub(lambda m: unicodedata.normalize("NFKC", m[0]) if m[0] >= "\uff01" else " ", text)
    if file.endswith(".tsv"):
        return _fix_shard(text, findings)
    if codes & {"W201", "W202", "W203", "W206"}:
        for item in find_rows(file, text):
            changes = _changes(row_of(item).fields)
            if changes:  # no line of another JSONL entry moves, and a table is found by its id
                text = change_row(file, text, item, changes)
    return text


def _changes(fields: Any) -> dict[str, Any]:
    """Fields of an entry that are to be written differently."""
    made: dict[str, Any] = {}
    for name, value in fields.items():
        if name in ("forms", "form"):
            listed = value if isinstance(value, list) else [value]
            fixed: Any = list(dict.fromkeys(f for f in (clean(str(v)).folded for v in listed) if f))
            fixed = fixed if isinstance(value, list) else (fixed or [value])[0]
        elif isinstance(value, str) and name != "id":
            fixed = value.strip()
        elif name in LISTS and name != "cue_weights":
            fixed = [v.strip() if isinstance(v, str) and v.strip() else v for v in value]
        else:
            continue
        if fixed and fixed != value:
            made[name] = fixed
    return made


def _fix_shard(text: str, findings: Sequence[Finding]) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    dropped = {f.line for f in findings if f.code in ("W402", "W503")}
    codes = {f.code for f in findings}
    body = []
    for number, line in enumerate(lines[1:], 2):
        if number in dropped or not line:
            continue
        cells = [cell.strip() for cell in line.split("\t")] if codes & {"W202", "W206"} else line.split("\t")
        if "W202" in codes:
            cells[0] = clean(cells[0]).folded or cells[0]
        body.append("\t".join(cells))
    return end.join([lines[0], *(sorted(body) if "W208" in codes or codes & {"W202", "W206"} else body)]) + end
