"""A unit of translation: English for a stretch of the query, with where it comes from."""

from __future__ import annotations

from rewriter.record import record

__all__ = ["Unit"]


@record
class Unit:
    """English text for `words[start:end]` of the query as written (indices of words, half-open).

    `pos` as in the bilingual shards; `state` is `translated`, `kept` (English already, or protected), `name` (unknown, taken
    for a name) or `dropped` (a particle).
    """

    text: str
    pos: str
    start: int
    end: int
    rule: str
    evidence: tuple[str, ...]
    state: str
    form: str
