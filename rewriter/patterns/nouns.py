"""Facts about nouns and names that questions need, kept as data in `lexicons/templates/nouns.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text.words import Word, as_text

__all__ = ["insert_before", "join_words", "listed", "name_behind"]


def listed(name: str, resources: Resources) -> frozenset[str]:
    """A list of the file, folded; hyphens of its compounds are spaces."""
    cache = resources.cache("noun lists")
    if name not in cache:
        held = resources.templates.get("nouns", {})
        for part in name.split("."):
            held = held.get(part, ())
        words: Iterable[str] = [w.replace("-", " ") for w in held.split()] if isinstance(held, str) else held
        cache[name] = frozenset([w.casefold() for w in words])
    found: frozenset[str] = cache[name]
    return found


def name_behind(words: Sequence[Word], start: int, names: frozenset[str], longest: int = 3) -> int:
    """Where the longest of the names that begins at `start` ends; 0 for none."""
    for end in range(min(len(words), start + longest), start, -1):
        if as_text(words[start:end]).casefold() in names:
            return end
    return 0


def insert_before(words: Sequence[Word], at: int, text: str, rule: str) -> list[Word]:
    """The words with another one at a place."""
    added = Word(text, text, -1, -1, True, "", "", "insert", rule)
    return [*words[:at], added, replace(words[at], space=True), *words[at + 1 :]]


def join_words(first: Word, last: Word, text: str, rule: str) -> Word:
    """One word for two neighbours; its span is theirs together."""
    return replace(first, text=text, folded=text, end=max(first.end, last.end), kind="rewrite", rule=rule)
