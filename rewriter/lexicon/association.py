"""Which senses speak in the same words: an index from each word to the senses whose cues and names have it.

Two words that stand together in the cues of other senses belong together, even where no curator wrote one beside the other: `vientiane` and
`kip` meet in Laos.  The index is made when a pack is compiled and read by `rewriter.association`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from rewriter.lexicon.entries import Sense
from rewriter.record import record
from rewriter.text.empty import EMPTY
from rewriter.text.light import LIGHT
from rewriter.text.normalise import fold

__all__ = ["MOST_COMPARED", "MOST_SENSES", "SCALE", "Index", "index_senses", "likeness", "neighbours", "words_of"]

MOST_SENSES = 400
"""A word of more senses tells nothing of any."""
MOST_COMPARED = 100
"""Senses are compared by the words that no more of them have: the others would make them hardly more alike, in twice the time."""
NEAREST = 64
"""Of each sense so many of those most like it are kept; with twice as many nearly nothing more is decided rightly."""
SCALE = 1000
"""Parts of one in which the likeness of two senses is counted."""


@record
class Index:
    """Words with their weights (hundredths of a nat: how rare among senses) and the senses that have them; each sense's norm.

    `words` are sorted; `places[i]` are the senses of `words[i]`, ascending; a sense's number is its place in `ids`, which are sorted.
    """

    ids: Sequence[str]
    norms: Sequence[int]
    words: Sequence[str]
    weights: Sequence[int]
    places: Sequence[Sequence[int]]


def index_senses(senses: Iterable[Sense], stem: Callable[[str], str]) -> Index:
    """The index of these senses; idioms are left out, since their cues tell when a phrase is one and not what it is about."""
    chosen = sorted([s for s in senses if not s.idiom], key=lambda s: s.id)
    places: dict[str, list[int]] = {}
    for number, sense in enumerate(chosen):
        for word in words_of(sense, stem):
            places.setdefault(word, []).append(number)
    words = sorted([w for w, where in places.items() if len(where) <= MOST_SENSES])
    weights = [round(100 * math.log(len(chosen) / len(places[w]))) for w in words]
    squares = [0] * len(chosen)
    for word, weight in zip(words, weights, strict=True):
        for number in places[word]:
            squares[number] += weight * weight
    return Index([s.id for s in chosen], [max(1, math.isqrt(s)) for s in squares], words, weights, [places[w] for w in words])


def words_of(sense: Sense, stem: Callable[[str], str]) -> list[str]:
    """The words and phrases of a sense's cues and names, by their English stems, each once."""
    found: dict[str, None] = {}
    for text in (*sense.cues, *sense.synonyms, sense.canonical_en, sense.canonical_id, *sense.forms):
        folded = fold(text)
        parts = folded.split()
        if len(parts) > 1:
            found[folded] = None
        found.update(dict.fromkeys([stem(p) for p in parts if p not in EMPTY and p not in LIGHT]))
    return list(found)


def neighbours(index: Index) -> list[list[tuple[int, int]]]:
    """For each sense of an index those most like it, as `likeness` has it: their number and likeness, ascending by number."""
    import numpy as np  # spaCy brings it: five million pairs would take as long as everything else in a compile

    of_sense: list[list[int]] = [[] for _ in index.ids]
    for word, where in enumerate(index.places):
        if len(where) <= MOST_COMPARED:
            for number in where:
                of_sense[number].append(word)
    places = [np.array(where, dtype=np.int64) for where in index.places]
    squares = np.array(index.weights, dtype=np.int64) ** 2
    norms = np.array(index.norms, dtype=np.int64)
    found: list[list[tuple[int, int]]] = []
    for number, words in enumerate(of_sense):
        if not words:
            found.append([])
            continue
        alike, at = np.unique(np.concatenate([places[w] for w in words]), return_inverse=True)
        each = np.repeat(squares[words], [len(places[w]) for w in words])
        products = np.bincount(at, weights=each).astype(np.int64)  # sums of whole numbers below 2^53: exact
        values = np.minimum(SCALE, products * SCALE // (norms[number] * norms[alike]))
        kept = (values > 0) & (alike != number)
        nearest = np.sort((SCALE - values[kept]) << 32 | alike[kept])[:NEAREST].tolist()
        found.append(sorted([(code & 0xFFFFFFFF, SCALE - (code >> 32)) for code in nearest]))
    return found


def likeness(words: Iterable[tuple[int, Sequence[int]]], norm: int, norms: Sequence[int]) -> dict[int, int]:
    """How like a sense others are: the cosine of their words, each by its weight, in thousandths; 0 is left out.

    `words` are those of the sense, each with its weight and the senses that have it.
    """
    shared: dict[int, int] = {}
    for weight, where in words:
        square = weight * weight
        for number in where:
            shared[number] = shared.get(number, 0) + square
    return {n: value for n, product in shared.items() if (value := min(SCALE, product * SCALE // (norm * norms[n])))}
