"""What is checked together: entries, template rules and texts of some lexicon files, with indexes over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rewriter.lexicon.alike import Labels
from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang, Translation
from rewriter.lexicon.parse import Located, Problem
from rewriter.text.normalise import clean

__all__ = ["Check", "Collection", "Finding", "LocatedRule", "Place", "Zipf", "is_normal", "name_of", "place_of", "raw_forms", "values_of"]

Zipf = Callable[[str], tuple[int, int]]
"""Frequency of a folded word in hundredths of a Zipf unit, Indonesian and English; 0 for unknown."""

LIVE = ("", "draft", "reviewed")
"""Entries of these states are compared with one another; a retired one only keeps its id."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check has against a place in a file; `severity` is `error` or `warning`, `width` the length of the culprit."""

    code: str
    severity: str
    file: str
    line: int
    column: int
    message: str
    width: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a check found something, and what."""

    file: str
    line: int
    column: int
    what: str


@dataclass(frozen=True, slots=True)
class LocatedRule:
    """A template rule as written, and its place."""

    fields: Mapping[str, Any]
    file: str
    line: int


@dataclass(frozen=True)
class Collection:
    """Everything a check may look at.

    `domains` are the known paths with their labels; `senses_elsewhere` are ids of lexicons that are not checked.
    """

    items: tuple[Located, ...]
    rules: tuple[LocatedRule, ...]
    problems: tuple[Problem, ...]
    texts: Mapping[str, str]
    domains: Labels
    senses_elsewhere: frozenset[str]
    zipf: Zipf

    @cached_property
    def live(self) -> tuple[Located, ...]:
        """Entries that are not retired."""
        return tuple([i for i in self.items if str(i.fields.get("status", "")) in LIVE])

    @cached_property
    def senses(self) -> tuple[tuple[Located, Sense], ...]:
        """Live senses and idioms, in the order of the files."""
        return tuple([(i, i.entry) for i in self.live if isinstance(i.entry, Sense)])

    @cached_property
    def jargon(self) -> tuple[tuple[Located, Jargon], ...]:
        """Live jargon entries."""
        return tuple([(i, i.entry) for i in self.live if isinstance(i.entry, Jargon)])

    @cached_property
    def translations(self) -> tuple[tuple[Located, Translation], ...]:
        """Live bilingual entries."""
        return tuple([(i, i.entry) for i in self.live if isinstance(i.entry, Translation)])

    @cached_property
    def slang(self) -> tuple[tuple[Located, Slang], ...]:
        """Live slang entries."""
        return tuple([(i, i.entry) for i in self.live if isinstance(i.entry, Slang)])

    @cached_property
    def senses_by_form(self) -> Mapping[str, Sequence[tuple[Located, Sense]]]:
        """Form → its senses, in the order of the files."""
        found: dict[str, list[tuple[Located, Sense]]] = {}
        for item, sense in self.senses:
            for form in sense.forms:
                found.setdefault(form, []).append((item, sense))
        return found

    @cached_property
    def ambiguous(self) -> Mapping[str, Sequence[tuple[Located, Sense]]]:
        """Forms with two senses or more."""
        return {form: senses for form, senses in self.senses_by_form.items() if len(senses) > 1}

    def commonness(self, text: str) -> int:
        """Zipf frequency (hundredths) of a form that is one word, in the language that uses it more; 0 for several words."""
        return 0 if " " in text else max(self.zipf(text))


Check = Callable[[Collection], Iterator[Place]]
"""A check: its docstring, one line, is the message; it yields each place."""


def place_of(item: Located | LocatedRule, what: str) -> Place:
    """The beginning of an entry."""
    return Place(item.file, item.line, 1, what)


def name_of(entry: Entry) -> str:
    """An entry as messages call it."""
    if isinstance(entry, Translation):
        return f"{entry.form!r} = {entry.english!r}"
    if isinstance(entry, Slang):
        return f"{entry.form!r} = {entry.normal!r}"
    return f"[{entry.id}]"


def raw_forms(item: Located) -> list[str]:
    """The forms as the file has them."""
    if isinstance(item.entry, Slang):
        return [str(item.fields.get("form", ""))]
    if isinstance(item.entry, Translation):
        return [str(item.fields.get("id", ""))]
    return [str(f) for f in item.fields.get("forms", ())]


def values_of(value: Any) -> Iterator[str]:
    """All strings inside a field's value."""
    if isinstance(value, str):
        yield value
        return
    for inner in value if isinstance(value, (list, tuple)) else value.values() if isinstance(value, Mapping) else ():
        if isinstance(inner, str):  # a generator for each of a million strings would take a second
            yield inner
        else:
            yield from values_of(inner)


def is_normal(text: str) -> bool:
    """Is a form written as lookups see it?

    >>> is_normal("nano banana"), is_normal("Nano  Banana")
    (True, False)
    """
    return clean(text).folded == text
