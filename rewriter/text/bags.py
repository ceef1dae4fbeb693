"""A phrase as a bag of its content words: found in any order, inflected, with other words between.

People say the same thing in many orders (`telinga kanan berdengung`, `berdengung di telinga`); a lay expression of the lexicon is
found in all of them by the stems of its content words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from rewriter.text import id
from rewriter.text.empty import EMPTY, NEGATIONS

__all__ = ["bag_key", "bag_stem", "bag_words", "subsets"]

LARGEST, SMALLEST = 4, 2
"""Words of a bag: one word alone is no phrase, five are hardly ever all said."""
MOST_WORDS = 9
"""Content words of a query that are combined: beyond that a query says more than lay expressions do."""
_EMPTY = EMPTY - NEGATIONS

Stem = Callable[[str], str]


def bag_words(words: Sequence[str], stem: Stem) -> list[tuple[int, str]]:
    """Index and `bag_stem` of each content word."""
    return [(i, stemmed) for i, word in enumerate(words) if (stemmed := bag_stem(word, stem))]


def bag_stem(word: str, stem: Stem) -> str:
    """The stem of a content word: the English one, without Indonesian clitics; "" for others.  Negations count as content."""
    if word in _EMPTY or not any([c.isalnum() for c in word]):
        return ""
    cut = id.detach_clitic(word) if word.endswith(("nya", "ku", "mu")) and len(word) > 6 else None
    bare = cut[0] if cut else word
    stemmed = stem(bare)
    return _cut_affixes(bare) if stemmed == bare else stemmed


_PREFIX = re.compile(r"(?:di|ke|ter|nge)(?=[b-df-hj-np-tv-z][aiueo])")
_SUFFIX = re.compile(r"(?:kan|in)\Z")


def _cut_affixes(word: str) -> str:
    """The affixes that speech puts in each other's place: `kehapus`, `terhapus`, `dihapus`; `hapusin`, `hapuskan`.

    By shape alone, and the same for expressions and queries: what is cut too far is so on both sides, and one word alone finds nothing.

    >>> [_cut_affixes(w) for w in ("kehapus", "terhapus", "dihapus", "hapusin", "hapuskan", "kerja", "ikan")]
    ['hapus', 'hapus', 'hapus', 'hapus', 'hapus', 'kerja', 'ikan']
    """
    begun = _PREFIX.match(word)
    if begun and len(word) - begun.end() >= 5:
        word = word[begun.end() :]
    ended = _SUFFIX.search(word)
    return word[: ended.start()] if ended and ended.start() >= 5 else word


def bag_key(words: Sequence[str], stem: Stem) -> str:
    """The key of a phrase; "" where it has too few or too many content words.

    >>> bag_key("ringing in the ears".split(), lambda w: {"ringing": "ring", "ears": "ear"}.get(w, w))
    'ear ring'
    """
    stems = sorted({s for _, s in bag_words(words, stem)})
    return " ".join(stems) if SMALLEST <= len(stems) <= LARGEST else ""


def subsets(found: Sequence[tuple[int, str]], spread: Mapping[int, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Keys of all bags within a query's content words, largest first, with the indices of their words.

    `spread` says for each number of words over how many words they may lie.
    """
    found = found[:MOST_WORDS]
    for size in range(min(LARGEST, len(found)), SMALLEST - 1, -1):
        widest = spread[size]
        for chosen in combinations(found, size):
            if chosen[-1][0] - chosen[0][0] < widest:
                stems = sorted({s for _, s in chosen})
                if len(stems) == size:
                    yield " ".join(stems), tuple([i for i, _ in chosen])
