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

__all__ = ["MOST_SENSES", "Index", "index_senses", "words_of"]

MOST_SENSES = 400
"""A word of more senses tells nothing of any."""


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
