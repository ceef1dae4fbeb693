"""Two versions of a lexicon compared by what they say: entries added, removed, changed, whatever file or order they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rewriter.curation.rows import Row, in_full, key_of, row_of
from rewriter.lexicon.parse import Located
from rewriter.record import record

__all__ = ["Change", "compare", "show_change"]


@record
class Change:
    """An entry that differs: `what` is added, removed, changed or retired; `fields` name → (before, after), None for absent."""

    what: str
    kind: str
    name: str
    where: str
    fields: Mapping[str, tuple[Any, Any]]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        fields = {name: {"before": before, "after": after} for name, (before, after) in self.fields.items()}
        return {"what": self.what, "kind": self.kind, "name": self.name, "where": self.where, "fields": fields}


def compare(old: Iterable[Located], new: Iterable[Located]) -> list[Change]:
    """Changes by kind and name.  Lists count as sets where order says nothing (forms, cues, `when`); where an entry was read from
    (`origin`) is no part of what it says, and what it says by leaving it out (`in_full`) is."""
    before, after = _indexed(old), _indexed(new)
    changes = []
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was is None and now is not None:
            changes.append(_change("added", now, {name: (None, v) for name, v in now[0].fields.items() if name not in ("id", "form")}))
        elif now is None and was is not None:
            changes.append(_change("removed", was, {name: (v, None) for name, v in was[0].fields.items() if name not in ("id", "form")}))
        elif was is not None and now is not None:
            said, says = in_full(was[0]).fields, in_full(now[0]).fields
            names = [n for n in dict.fromkeys((*said, *says)) if n not in ("id", "form", "origin")]
            differing = [n for n in names if _plain(n, said.get(n)) != _plain(n, says.get(n))]
            if differing:
                fields = {n: (was[0].fields.get(n), now[0].fields.get(n)) for n in differing}
                retired = now[0].fields.get("status") == "retired" and was[0].fields.get("status") != "retired"
                changes.append(_change("retired" if retired else "changed", now, fields))
    return changes


def _change(what: str, found: tuple[Row, str], fields: Mapping[str, tuple[Any, Any]]) -> Change:
    row, where = found
    return Change(what, row.kind, row.id, where, fields)


def _indexed(items: Iterable[Located]) -> dict[tuple[str, ...], tuple[Row, str]]:
    """Key → row and place.  Where several lines share a key (two translations under one condition) each is its own."""
    found: dict[tuple[str, ...], tuple[Row, str]] = {}
    for item in items:
        row = row_of(item)
        key = key_of(row)
        if key in found:
            key = (*key, str(row.fields.get("to", item.line)))
        found[key] = (row, f"{item.file}:{item.line}")
    return found


def _plain(name: str, value: Any) -> Any:
    return sorted(map(str, value)) if name in ("forms", "cues", "when", "literal_cues", "near") and isinstance(value, list) else value


def show_change(change: Change) -> list[str]:
    """A change as lines: `+` added, `-` removed, `~` changed, `×` retired; of lists what came and went."""
    sign = {"added": "+", "removed": "-", "changed": "~", "retired": "×"}[change.what]
    lines = [f"{sign} {change.kind} {change.name}  ({change.where})"]
    for name, (before, after) in change.fields.items():
        if isinstance(before, list) and isinstance(after, list):
            gone = [f"-{v}" for v in before if v not in after]
            come = [f"+{v}" for v in after if v not in before]
            lines.append(f"    {name}: {', '.join([*gone, *come]) or 'another order'}")
        elif before is None:
            lines.append(f"    {name}: {_shown(after)}")
        elif after is None:
            lines.append(f"    {name}: {_shown(before)} → nothing")
        else:
            lines.append(f"    {name}: {_shown(before)} → {_shown(after)}")
    return lines


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
