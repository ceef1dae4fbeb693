"""The forms under which a word meets a cue: itself, its English stem, what stands behind Indonesian affixes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rewriter.text import id
from rewriter.text.empty import EMPTY
from rewriter.text.light import LIGHT

__all__ = ["COMMON", "cue_keys", "words_met"]

Stem = Callable[[str], str]
Zipf = Callable[[str], tuple[int, int]]

RARE_STEM = 150
"""A stem must be about as common as the word (1.5 Zipf below at most): `nilai` is not `nila` with a suffix."""
MOST_STEMS = 2
COMMON = 640
"""Zipf 6.4: a word as common stands in any text by chance."""


def cue_keys(word: str, stem: Stem, zipf: Zipf) -> tuple[str, ...]:
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


def words_met(keys: Mapping[str, Sequence[str]], zipf: Zipf) -> dict[str, list[str]]:
    """The other way round: from words with their `cue_keys` to the words that each key meets and that are not the key itself, sorted.

    A key that stands in any text meets nothing but itself.

    >>> words_met({"rings": ("rings", "ring"), "ringing": ("ringing", "ring")}, lambda w: (0, 0))
    {'ring': ['ringing', 'rings']}
    """
    met: dict[str, list[str]] = {}
    for word in sorted(keys):
        for key in keys[word][1:]:
            if key not in LIGHT and key not in EMPTY and max(zipf(key)) <= COMMON:
                met.setdefault(key, []).append(word)
    return met
