"""Forms of entries in memory: what overlays are looked up in, and the order and keys of entries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rewriter.lexicon.entries import Entry, Jargon, Slang, Translation, forms_of
from rewriter.text.bags import bag_key

__all__ = ["MemoryForms", "bags_of", "entry_key", "sort_key"]

_FIRST = re.compile(r"\w+|\W", re.UNICODE)


class MemoryForms:
    """Entries in dictionaries: forms by their first word, longest first; `ids` are the keys of entries and of what they retire."""

    __slots__ = ("_bags", "_by_first", "_by_form", "entries", "ids")

    def __init__(self, entries: Iterable[Entry], retired: Iterable[str] = ()) -> None:
        by_form: dict[str, list[Entry]] = {}
        ordered = sorted(entries, key=sort_key)
        self.entries = ordered
        for entry in ordered:
            for form in forms_of(entry):
                by_form.setdefault(form, []).append(entry)
        self._by_form: dict[str, tuple[Entry, ...]] = {f: tuple(e) for f, e in by_form.items()}
        self._by_first: dict[str, list[str]] = {}
        for form in sorted(self._by_form, key=lambda f: (-len(f), f)):
            first = _FIRST.match(form)
            self._by_first.setdefault(first[0] if first else "", []).append(form)
        self._bags: dict[str, str] | None = None
        self.ids = frozenset(entry_key(e) for e in ordered).union(retired)

    def starting_at(self, text: str, start: int) -> list[tuple[int, tuple[Entry, ...]]]:
        """Every form that is a prefix of `text[start:]`: where it ends, and its entries."""
        first = _FIRST.match(text, start)
        forms: Sequence[str] = self._by_first.get(first[0], ()) if first else ()
        return [(start + len(f), self._by_form[f]) for f in forms if text.startswith(f, start)]

    def bag(self, key: str, stem: Callable[[str], str]) -> str:
        """A lay expression with these content words, the shortest; "" for none."""
        if self._bags is None:
            self._bags = bags_of((f for f, entries in self._by_form.items() if any([isinstance(e, Jargon) for e in entries])), stem)
        return self._bags.get(key, "")

    def exact(self, form: str) -> tuple[Entry, ...]:
        """Entries of a folded form."""
        return self._by_form.get(form, ())


def bags_of(forms: Iterable[str], stem: Callable[[str], str]) -> dict[str, str]:
    """Content words of lay expressions (`rewriter.text.bags`) → one form that has them: the shortest, then the first."""
    bags: dict[str, str] = {}
    for form in sorted(forms, key=lambda f: (len(f), f)):
        bags.setdefault(bag_key(form.split(), stem), form)
    bags.pop("", None)
    return bags


def entry_key(entry: Entry) -> str:
    """What an overlay entry replaces: senses and jargon by id, translations and slang by form."""
    if isinstance(entry, Translation):
        return f"2 {entry.form}"
    if isinstance(entry, Slang):
        return f"3 {entry.form}"
    return f"{entry.KIND} {entry.id}"


def sort_key(entry: Entry) -> tuple[int, str, str]:
    """A total order that depends on content alone, so that the order of files and entries does not matter."""
    name = entry.form if isinstance(entry, (Translation, Slang)) else entry.id
    return (entry.KIND, name, repr(entry.to_row()))
