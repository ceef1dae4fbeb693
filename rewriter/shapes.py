"""How a query, or an earlier turn of the user, leans on the conversation."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.context import cut_turn
from rewriter.english_shapes import see_english
from rewriter.indonesian_shapes import see_indonesian
from rewriter.lean import Lean
from rewriter.model import Turn
from rewriter.plain import plain_form
from rewriter.resources import Resources
from rewriter.text.language import query_language
from rewriter.text.normalise import clean
from rewriter.text.protect import find_protected
from rewriter.text.words import Word, split_words

__all__ = ["read_words", "see_lean", "see_turn"]

MAX_TURN = 400
"""Characters: a longer turn says itself what it is about."""


def see_lean(words: Sequence[Word], resources: Resources, language: str) -> Lean | None:
    """The first place at which a query leans, None where it is complete."""
    if language == "en":  # `hrgnya brp` looks English to frequencies
        slang = [w for w in words if not w.guard and plain_form(w.folded, resources) != w.folded]
        if 2 * len(slang) < sum([w.spoken for w in words]) or not slang:
            return see_english(words, resources)
    return see_indonesian(words, resources)


def read_words(text: str, resources: Resources) -> tuple[tuple[Word, ...], str]:
    """The words of an earlier turn of the user, and its language."""
    cache = resources.cache("turn_words")
    found: tuple[tuple[Word, ...], str] | None = cache.get(text)
    if found is None:
        cleaned = clean(cut_turn(text))
        chunks = [c.strip(".,;:!?\"'()") for c in cleaned.folded.split()]
        language = query_language([c for c in chunks if c], resources.language_zipf)
        words = split_words(cleaned, find_protected(cleaned.text), resources.token_rules(language), resources.zipf)
        found = cache[text] = (words, language)
    return found


def see_turn(turn: Turn, resources: Resources) -> tuple[Lean | None, tuple[Word, ...]]:
    """How an earlier turn of the user leaned on what was said before it, with its words."""
    if len(turn.content) > MAX_TURN:
        return None, ()
    cache = resources.cache("leans")
    found: tuple[Lean | None, tuple[Word, ...]] | None = cache.get(turn.content)
    if found is None:
        words, language = read_words(turn.content, resources)
        found = cache[turn.content] = (see_lean(words, resources, language), words)
    return found
