"""The forms under which a word meets a cue: itself, its English stem, what stands behind Indonesian affixes."""

from __future__ import annotations

from collections.abc import Callable

from rewriter.text import id

__all__ = ["cue_keys"]

RARE_STEM = 150
"""A stem must be about as common as the word (1.5 Zipf below at most): `nilai` is not `nila` with a suffix."""
MOST_STEMS = 2


def cue_keys(word: str, stem: Callable[[str], str], zipf: Callable[[str], tuple[int, int]]) -> tuple[str, ...]:
    """The keys of a folded word, the word itself first.

    >>> zipf = {"bermain": (520, 0), "main": (530, 480)}
    >>> cue_keys("bermain", lambda w: w, lambda w: zipf.get(w, (0, 0)))
    ('bermain', 'main')
    """
    keys = {word: None, stem(word): None}
    in_id, in_en = zipf(word)
    half, _, other = word.partition("-")
    if other:
        keys[half] = None
        keys[other] = None
    if len(word) >= 5 and in_en <= in_id + 100:
        taken = 0
        for shape, _ in id.stems(word):
            common = zipf(shape)[0]
            if len(shape) >= 4 and common and common >= in_id - RARE_STEM:
                keys[shape] = None
                taken += 1
                if taken == MOST_STEMS:
                    break
    return tuple(keys)
