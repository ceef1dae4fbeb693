"""Entries as rows: the fields that a file may give, in one plain shape for every format."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rewriter.lexicon.entries import Jargon, Slang, Translation
from rewriter.lexicon.parse import Located
from rewriter.record import record
from rewriter.text.normalise import clean, fold

__all__ = [
    "FLAGS", "KINDS", "LISTS", "NUMBERS", "ORDER", "SHARD_FIELDS", "Row", "fields_of", "forms_of_row", "in_full", "key_of", "names_of",
    "row_of",
]  # fmt: skip

KINDS = ("sense", "idiom", "jargon", "translation", "slang-id", "slang-en")
ORDER = (
    "forms", "canonical.en", "canonical.id", "expert.id", "expert.en", "gloss.en", "gloss.id", "domain", "direction", "cues",
    "cue_weights", "literal_cues", "synonyms", "near", "prior", "needs_cue", "keep_form", "since", "until", "source", "licence", "origin",
    "status", "reviewer", "reviewed", "examples",
)  # fmt: skip
"""The fields of senses, idioms and jargon in the order in which they are written."""
LISTS = frozenset({"forms", "expert.id", "expert.en", "cues", "cue_weights", "literal_cues", "synonyms", "near"})
NUMBERS = frozenset({"prior", "cue_weights"})
FLAGS = frozenset({"needs_cue", "keep_form"})
SHARD_FIELDS = ("form", "to", "pos", "when", "domain", "status", "source", "licence", "origin", "reviewer", "reviewed")
"""The fields of translations and slang; `to` is the English, or the normal form."""


@record
class Row:
    """An entry as plain data: `kind` of `KINDS`, and its fields, two-language fields flat (`gloss.en`), dates as text."""

    kind: str
    fields: Mapping[str, Any]

    @property
    def id(self) -> str:
        """`lexeme.sense`; of translations and slang their form."""
        return str(self.fields.get("id") or self.fields.get("form") or "")


def row_of(item: Located) -> Row:
    """The row of an entry that a file holds."""
    entry = item.entry
    if isinstance(entry, (Translation, Slang)):
        raw = item.fields
        first, second = ("id", "en") if isinstance(entry, Translation) else ("form", entry.language)
        when = raw.get("when", "")
        fields = {
            "form": str(raw.get(first, entry.form)), "to": str(raw.get(second, "")), "pos": str(raw.get("pos", "")),
            "when": [str(w).strip() for w in (when.split(",") if isinstance(when, str) else when) if str(w).strip()],
        }  # fmt: skip
        fields |= {name: str(raw[name]) for name in SHARD_FIELDS[4:] if raw.get(name)}
        return Row("translation" if isinstance(entry, Translation) else f"slang-{entry.language}", _without_empty(fields))
    kind = "jargon" if isinstance(entry, Jargon) else "idiom" if entry.idiom else "sense"
    return Row(kind, fields_of(item.fields))


def fields_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a sense, idiom or jargon entry in plain shape; empty ones are left out, unknown ones kept.

    >>> fields_of({"id": "a.b", "gloss": {"en": "x", "id": ""}, "forms": ("a",), "since": datetime.date(2024, 5, 1)})
    {'id': 'a.b', 'forms': ['a'], 'gloss.en': 'x', 'since': '2024-05-01'}
    """
    flat: dict[str, Any] = {}
    for name, value in raw.items():
        if name in ("canonical", "gloss", "expert"):
            both = value if isinstance(value, Mapping) else {"en": value, "id": value}
            flat |= {f"{name}.{language}": _plain(f"{name}.{language}", both.get(language)) for language in ("en", "id")}
        elif name == "cue_weights" and isinstance(value, Mapping):
            cues = _plain("cues", raw.get("cues", ()))
            more = [c for c in value if c not in cues]
            flat["cues"] = [*cues, *more]
            flat[name] = [value.get(c, 100) for c in flat["cues"]]
        elif name != "cues" or "cues" not in flat:
            flat[name] = _plain(name, value)
    known = ("id", *ORDER)
    ordered = {name: flat[name] for name in known if name in flat} | {name: flat[name] for name in flat if name not in known}
    return _without_empty(ordered)


def _plain(name: str, value: Any) -> Any:
    if name in LISTS:
        return [value] if isinstance(value, str) else list(value or ())
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(k): _plain("", v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain("", v) for v in value]
    return value


def _without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}) and value is not False}


def in_full(row: Row) -> Row:
    """The row with what an entry says by leaving it out: a line without a source is curated, without a status an entry is in use.

    >>> in_full(Row("slang-id", {"form": "gw", "to": "gue"})).fields
    {'status': 'reviewed', 'source': 'curated', 'form': 'gw', 'to': 'gue'}
    """
    unsaid = {"status": "reviewed"} | ({"direction": "lay-to-expert"} if row.kind == "jargon" else {})
    return Row(row.kind, {**unsaid, **({"source": "curated"} if "form" in row.fields else {}), **row.fields})


def forms_of_row(row: Row) -> list[str]:
    """Folded forms by which the entry is found."""
    raw = row.fields.get("forms", ()) if "forms" in row.fields else [row.fields.get("form", "")]
    return [f for f in (clean(str(r)).folded for r in raw) if f]


def key_of(row: Row) -> tuple[str, ...]:
    """What makes an entry the same entry in another file or version: its id; of a shard its form, conditions and domain.

    >>> key_of(Row("translation", {"form": "bunga", "to": "interest", "when": ["bank", "kredit"]}))
    ('translation', 'bunga', 'bank,kredit', '')
    """
    if row.kind in ("sense", "idiom", "jargon"):
        return ("jargon" if row.kind == "jargon" else "sense", row.id)
    return (row.kind, clean(row.id).folded, ",".join(sorted(row.fields.get("when", ()))), str(row.fields.get("domain", "")))


def names_of(row: Row) -> frozenset[str]:
    """Everything by which an entry touches another one: its forms, the names that it leads to, its id and those that it names."""
    return frozenset(_names(row))


def _names(row: Row) -> Iterator[str]:
    yield row.id
    yield from forms_of_row(row)
    for name in ("to", "canonical.en", "canonical.id", "expert.en", "expert.id", "synonyms", "near"):
        value = row.fields.get(name, ())
        values: Sequence[str] = [value] if isinstance(value, str) else value
        for text in values:
            yield fold(str(text))
