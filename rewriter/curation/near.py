"""What a curator should see before adding a form: entries of the form itself, and forms that are nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rewriter.curation.rows import Row, forms_of_row, key_of, row_of
from rewriter.lexicon.parse import Located
from rewriter.record import record

__all__ = ["Near", "filter_items", "find_near", "laid_over", "search_items"]

ALIKE = 80.0
"""Of 100 (rapidfuzz's ratio): one slip in five letters; below it the list is noise."""


@record
class Near:
    """Entries of the form, and (form, likeness in percent, entry) of nearly equal ones, the likest first."""

    siblings: tuple[Located, ...]
    alike: tuple[tuple[str, int, Located], ...]


def find_near(forms: Iterable[str], items: Sequence[Located], limit: int = 8) -> Near:
    """Siblings of the (folded) forms among the entries, and every entry of up to `limit` near forms."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    wanted = list(dict.fromkeys(forms))
    owners: dict[str, list[Located]] = {}
    for item in items:
        for form in forms_of_row(row_of(item)):
            owners.setdefault(form, []).append(item)
    siblings = list({id(i): i for form in wanted for i in owners.get(form, ())}.values())
    others = [form for form in owners if form not in wanted]
    scores: dict[str, float] = {}
    for form in wanted:
        for other, score, _ in process.extract(form, others, scorer=Indel.normalized_similarity, score_cutoff=ALIKE / 100, limit=limit):
            scores[other] = max(score, scores.get(other, 0))
    shown = {id(item) for item in siblings}
    alike = []
    for form in sorted(scores, key=lambda form: (-scores[form], form))[:limit]:
        fresh = [i for i in owners[form] if id(i) not in shown]
        shown.update(map(id, fresh))
        alike += [(form, round(100 * scores[form]), i) for i in fresh]
    return Near(tuple(siblings), tuple(alike))


def filter_items(items: Iterable[Located], *, status: str = "", domain: str = "") -> list[Located]:
    """Entries of a status and at or below a domain."""
    found = []
    for item in items:
        home = str(item.fields.get("domain", ""))
        if status and str(item.fields.get("status") or "reviewed") != status:
            continue
        if not domain or home == domain or home.startswith(f"{domain}/"):
            found.append(item)
    return found


def search_items(text: str, items: Iterable[Located]) -> list[tuple[Located, str]]:
    """Entries in which some field holds the text (any case), and that field; the best first, otherwise in their order.

    A whole form is best, then whole words in a form, in another field, and what stands inside words; of two the shorter value.
    """
    needle = " ".join(text.casefold().split())
    if not needle:
        return [(item, "") for item in items]
    word = re.compile(rf"(?<!\w){re.escape(needle)}(?!\w)")
    found = []
    for item in items:
        if needle not in " ".join(_texts(item.fields.values())).casefold():
            continue  # most entries: their fields are not looked at one by one
        ranked = [rank for name, value in row_of(item).fields.items() for rank in _ranks(name, value, needle, word)]
        if ranked:
            found.append((min(ranked), item))
    found.sort(key=lambda pair: pair[0][:2])
    return [(item, name) for (_, _, name), item in found]


def _ranks(name: str, value: Any, needle: str, word: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    """How well each text of a field has the needle (0 is best), the text's length, and the field."""
    is_form = name in ("form", "forms")
    for raw in _texts([value]):
        text = raw.casefold()
        if is_form and text == needle:
            yield 0, 0, name
        elif needle in text:
            yield (0 if word.search(text) else 2) + (1 if is_form else 2), len(text), name


def _texts(values: Iterable[Any]) -> Iterator[str]:
    """All that stands inside values, as text."""
    for value in values:
        if isinstance(value, Mapping):
            yield from _texts(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _texts(value)
        else:
            yield str(value)


def laid_over(row: Row, shipped: Iterable[Located]) -> list[str]:
    """What a row of an overlay does to the shipped entries once it is in use, in sentences; none where it replaces nothing."""
    if "form" not in row.fields:
        places = [i for i in shipped if key_of(row_of(i)) == key_of(row)]
        return [f"[{row.id}] takes the place of the shipped entry with this id ({i.file}:{i.line})." for i in places[:1]]
    forms = forms_of_row(row)
    lines = [r for r in map(row_of, shipped) if r.kind == row.kind and forms_of_row(r) == forms]
    told = []
    if any(key_of(r) == key_of(row) and r.fields.get("to") == row.fields.get("to") for r in lines):
        told.append(f"the shipped lexicon has the line {row.id!r} = {row.fields.get('to')!r} already; there is no need of it here.")
    if lines:
        every = "; ".join([str(r.fields.get("to")) for r in lines])
        told.append(f"what stands here for {row.id!r} takes the place of all that the shipped lexicon has for it: {every}.")
    return told
