"""How a query leans on the conversation: what all shapes share."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.record import record
from rewriter.text.empty import EMPTY
from rewriter.text.reference import ADJECTIVES, AMBIGUOUS_VERBS, BEFORE_VERB, MODIFIERS, TALK, is_superlative
from rewriter.text.words import Word
from rewriter.topics import breaks

__all__ = ["FAINT", "Lean", "is_empty", "is_named", "sentences_of"]


FAINT = "faint"
"""Head of a lean that counts only where the earlier question has the same preposition (`in java`)."""


@record
class Lean:
    """A place of the query that leans on the conversation.

    `shape` is how it was seen; `[start, end)` are the words that give way to the referent or that it belongs to; `head` is the word
    that says what kind of thing is meant (`era` in `that era`, the pronoun itself for a pronoun), "" where nothing does.  `[first,
    last)` is the sentence in which it stands.
    """

    shape: str
    start: int
    end: int
    head: str
    first: int
    last: int


def is_empty(word: Word) -> bool:
    """Carries no content: a function word or a mark."""
    return not word.spoken or (not word.guard and word.folded in EMPTY)


def is_named(words: Sequence[Word], i: int) -> bool:
    """Does the word name a thing by itself: no question, attribute, verb, adjective or talk?"""
    word = words[i]
    if word.guard:
        return True
    if not word.spoken or is_empty(word):
        return False
    if word.text[:1].isupper() and i and words[i - 1].spoken and not word.text.isupper():
        return True
    before = words[i - 1].folded if i else ""
    if before in BEFORE_VERB and word.folded in AMBIGUOUS_VERBS:
        return False
    if word.folded in MODIFIERS and i + 1 < len(words) and breaks(words[i + 1].folded) and words[i + 1].spoken:
        return False
    return not (
        breaks(word.folded)
        or word.folded in ADJECTIVES
        or word.folded in TALK
        or is_superlative(word.folded)
        or before in ("most", "how", "so", "too")
    )


def sentences_of(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Half-open spans of the sentences, each with its end mark."""
    spans: list[tuple[int, int]] = []
    start = 0
    for i, word in enumerate(words):
        if not word.spoken and word.text[:1] in ".?!;" and i + 1 < len(words) and i + 1 > start:
            spans.append((start, i + 1))
            start = i + 1
    if start < len(words):
        spans.append((start, len(words)))
    return [s for s in spans if any([w.spoken for w in words[s[0] : s[1]]])]
