"""The english variant's engine: one flow from words to English words."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lookup import View
from rewriter.record import record, replace
from rewriter.resources import Resources
from rewriter.text.words import Word, as_text
from rewriter.translation.form import english_form
from rewriter.translation.order import english_order
from rewriter.translation.unit import Unit
from rewriter.translation.units import find_units

__all__ = ["English", "translate"]


@record
class English:
    """English words with their sources; `unknown` are words without an entry, `translated` how many units changed."""

    words: tuple[Word, ...]
    unknown: tuple[str, ...]
    translated: int


def translate(view: View, language: str, domains: Sequence[str], resources: Resources, literal: frozenset[str] = frozenset()) -> English:
    """Units (phrases, words, stems) → English order → English form → words."""
    words = view.words
    units = find_units(view, language, domains, resources, literal)
    ordered = english_form(english_order(units))
    out: list[Word] = []
    for unit in ordered:
        out += _write(unit, words)
    unknown = tuple(u.form for u in units if u.state == "name")
    changed = sum(u.state == "translated" for u in units)
    return English(_spaced(out), unknown, changed)


def _write(unit: Unit, words: Sequence[Word]) -> list[Word]:
    """The words of a unit: kept ones as they are in the query, translated ones with the unit's sources."""
    span = words[unit.start : unit.end]
    if unit.state in ("kept", "name") and as_text(span) == unit.text:
        unknown = unit.state == "name" and unit.rule == "keep_word"
        kept = [replace(w, rule="keep_word", evidence=("no-entry",)) if unknown else w for w in span]
        return [replace(w, space=True) if i == 0 else w for i, w in enumerate(kept)]
    places = [(w.start, w.end) for w in span if w.start >= 0]
    start, end = (min(s for s, _ in places), max(e for _, e in places)) if places else (-1, -1)
    kind = "translate" if places else "insert"
    evidence = unit.evidence
    lang = "en" if unit.state != "name" else "und"
    return [Word(part, part.lower(), start, end, True, "", lang, kind, unit.rule, evidence) for part in unit.text.split(" ") if part]


def _spaced(words: list[Word]) -> tuple[Word, ...]:
    """No space at the start, none before closing punctuation."""
    return tuple(
        [replace(w, space=False) if i == 0 or (not w.spoken and not w.guard and w.text in ",.;:!?)%") else w for i, w in enumerate(words)]
    )
