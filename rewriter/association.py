"""What the words around a form have to do with its senses, by the company that they keep in the cues of all other senses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt

from rewriter.lexicon.association import words_of
from rewriter.lexicon.entries import Sense
from rewriter.record import record
from rewriter.resources import Resources

__all__ = ["associate"]

SCALE = 1000
"""Parts of one in which the likeness of two senses is counted."""


@record
class _Likeness:
    """For each other sense of the pack (by number) how like the senses of a form it is; `own` are the numbers of those themselves."""

    like: Mapping[int, tuple[tuple[int, int], ...]]
    own: frozenset[int]


def associate(form: str, senses: Sequence[Sense], said: Mapping[int, int], resources: Resources) -> list[int]:
    """How much words have to do with each of the senses, in thousandths of what a word could.

    `said` are the numbers of the words (`Resources.word_number`) with their worth in percent.  A word speaks for a sense by the other
    senses that have it: as far as their words are that sense's words.
    """
    likeness = _likeness(form, senses, resources)
    cache = resources.cache("association")
    pack = resources.pack
    totals, mass = [0] * len(senses), 0
    for word, worth in said.items():
        key = (form, word)
        found: tuple[int, Sequence[int]] | None = cache.get(key)
        if found is None:
            places = [p for p in pack.senses_of_word(word) if p not in likeness.own]
            parts = [0] * len(senses)
            for place in places:
                for sense, value in likeness.like.get(place, ()):
                    parts[sense] += value
            weight = pack.word_weight(word)
            found = cache[key] = (weight if places else 0, [p * weight // len(places) for p in parts] if places else parts)
        mass += found[0] * worth
        for sense, part in enumerate(found[1]):
            totals[sense] += part * worth
    return [t // mass for t in totals] if mass else totals


def _likeness(form: str, senses: Sequence[Sense], resources: Resources) -> _Likeness:
    cache = resources.cache("likeness")
    key = (form, tuple([s.id for s in senses]))
    found: _Likeness | None = cache.get(key)
    if found is None:
        found = cache[key] = _compare(senses, resources)
    return found


def _compare(senses: Sequence[Sense], resources: Resources) -> _Likeness:
    """Likeness is the cosine of two senses' words, each by its weight."""
    pack = resources.pack
    own = frozenset([n for s in senses if (n := pack.sense_number(s.id)) is not None])
    like: dict[int, list[tuple[int, int]]] = {}
    for number, sense in enumerate(senses):
        shared: dict[int, int] = {}
        square = 0
        for text in words_of(sense, resources.stem):
            word = pack.word_number(text)
            if word is None:
                continue
            weight = pack.word_weight(word)
            square += weight * weight
            for place in pack.senses_of_word(word):
                shared[place] = shared.get(place, 0) + weight * weight
        norm = max(1, isqrt(square))
        for place, product in shared.items():
            if place not in own:
                like.setdefault(place, []).append((number, product * SCALE // (norm * pack.sense_norm(place))))
    return _Likeness({p: tuple(values) for p, values in like.items()}, own)
