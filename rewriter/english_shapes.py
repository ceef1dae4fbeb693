"""How an English query leans on the conversation: pronouns, `that era`, `the tickets`, `a new one`, questions without a subject."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rewriter.english_known import see_about, see_correction, see_definite, see_demonstrative, see_fragment, see_one, see_there
from rewriter.english_pronouns import AUXILIARY, is_dummy, see_pronoun
from rewriter.english_unsaid import see_bare, see_common, see_kind, see_object, see_relating, see_superlative, see_unsaid
from rewriter.lean import Lean, is_named, sentences_of
from rewriter.resources import Resources
from rewriter.text import en
from rewriter.text.reference import (
    ADJECTIVES,
    TALK,
)  # fmt: skip
from rewriter.text.words import Word

__all__ = ["see_english"]

MAX_SENTENCE = 16
"""Spoken words: a longer sentence says itself what it is about."""


def see_english(words: Sequence[Word], resources: Resources) -> Lean | None:
    """The first way in which the query leans, in the order of SHAPES; the sentence that asks is looked at first."""
    every = sentences_of(words)
    spans = [s for s in every if not _reacts(words, *s)] or every[-1:]
    if not spans or sum([w.spoken for w in words]) > 40:
        return None
    for first, last in spans:
        if sum([w.spoken for w in words[first:last]]) <= MAX_SENTENCE:
            lean = see_pronoun(words, first, last, _begin(spans, first))
            if lean is not None:
                return lean
    first, last = next(((a, b) for a, b in reversed(spans) if words[b - 1].text[:1] == "?" and b - a > 2), spans[-1])
    earlier = any([is_named(words, i) for a, b in spans for i in range(a, b) if b <= first])
    if sum([w.spoken for w in words[first:last]]) > MAX_SENTENCE:
        return None
    if len(spans) > 1 and all([w.folded in TALK or not w.spoken or w.folded in en.QUESTION for w in words[first:last]]):
        return None
    if not any([w.spoken and w.folded not in TALK for w in words[first:last]]):
        return None
    if any([words[i].folded == "it" and is_dummy(words, i, last) for i in range(first, last)]):
        return None  # `is it better to …` says all that it asks
    for see, _ in SHAPES:
        if earlier and see is not see_demonstrative:
            continue  # what the question leaves out stands before it
        lean = see(words, first, last, resources)
        if lean is not None:
            return lean
    return None


def _reacts(words: Sequence[Word], first: int, last: int) -> bool:
    """`Wow, that's better than I thought.`, `Cool name!`, `Really?`: talk about the answer, neither question nor antecedent."""
    texts = [w.folded for w in words[first:last] if w.spoken]
    while texts and texts[0] in TALK:
        texts.pop(0)
    if not texts or (len(texts) <= 2 and words[last - 1].text[:1] in "!."):
        return True
    if words[last - 1].text[:1] == "?":
        return texts == ["really"]
    if texts[0] in ("they", "it", "that", "this") and all(
        [t in AUXILIARY or t in ADJECTIVES or t in TALK or t in en.PARTICLES for t in texts[1:]]
    ):
        return True
    return texts[0] in ("that's", "that", "this", "it") and any([t in _SEEMING or t == "'s" for t in texts[:2]])


_SEEMING = frozenset("sounds seems looks is was's makes".split()) | {"that's"}


def _begin(spans: Sequence[tuple[int, int]], first: int) -> int:
    """Where the sentences begin that stand before one without a reaction between."""
    begin = first
    for a, b in reversed(spans):
        if b == begin:
            begin = a
    return begin


SHAPES: tuple[tuple[Callable[[Sequence[Word], int, int, Resources], Lean | None], str], ...] = (
    (see_about, "the whole question is another one's: nothing in it is complete"),
    (see_fragment, "so it is with a mere phrase"),
    (see_there, "a place is pointed at"),
    (see_correction, "so it is with a correction"),
    (see_demonstrative, "says most plainly that something was named"),
    (see_one, "so does a noun that only stands for one"),
    (see_object, "a verb waits for what stands before it in the talk"),
    (see_superlative, "an adjective without its noun"),
    (see_bare, "nothing is named at all"),
    (see_definite, "named as known, though not here"),
    (see_unsaid, "a noun that belongs to something"),
    (see_kind, "one of a kind"),
    (see_relating, "said of one thing, and not in what"),
    (see_common, "last: nothing points back, but nothing says what it is about either"),
)
"""After pronouns, with why each stands where it does."""
