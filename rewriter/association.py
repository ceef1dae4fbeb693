"""What the words around a form have to do with its senses, by the company that they keep in the cues of all other senses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import repeat
from math import isqrt

from rewriter.lexicon.association import MOST_COMPARED, likeness, words_of
from rewriter.lexicon.entries import Sense
from rewriter.resources import Resources

__all__ = ["associate"]


def associate(form: str, senses: Sequence[Sense], said: Mapping[int, int], resources: Resources) -> list[int]:
    """How much words have to do with each of the senses, in thousandths of what a word could.

    `said` are the numbers of the words (`Resources.word_number`) with their worth in percent.  A word speaks for a sense by the other
    senses that have it: as far as their words are that sense's words.
    """
    pack, cache = resources.pack, resources.cache("association")
    name = (form, tuple([s.id for s in senses]))
    own: list[int] = []
    near: list[Mapping[int, int]] = []
    totals, mass = [0] * len(senses), 0
    for word, worth in said.items():
        found: tuple[int, Sequence[int]] | None = cache.get((name, word))
        if found is None:
            if not near:
                own = [n for s in senses if (n := pack.sense_number(s.id)) is not None]
                near = [_nearest(s, own, resources) for s in senses]
            places = pack.senses_of_word(word)
            others = len(places) - sum([_has(places, n) for n in own])
            weight = pack.word_weight(word) if others else 0
            parts = [sum(map(like.get, places, repeat(0))) * weight // max(1, others) for like in near]
            found = cache[name, word] = (weight, parts)
        mass += found[0] * worth
        for sense, part in enumerate(found[1]):
            totals[sense] += part * worth
    return [t // mass for t in totals] if mass else totals


def _has(places: Sequence[int], number: int) -> bool:
    """Does an ascending sequence hold a number?"""
    at = bisect_left(places, number)
    return at < len(places) and places[at] == number


def _nearest(sense: Sense, own: Sequence[int], resources: Resources) -> Mapping[int, int]:
    """The senses of the pack most like a sense, without the `own` ones of its form: as compiled, or by the words of a sense that the pack
    has not, or not so."""
    pack = resources.pack
    number = None if resources.lays_over(sense) else pack.sense_number(sense.id)
    near = pack.nearest_senses(number) if number is not None else _compare(sense, resources)
    for other in own:
        near.pop(other, None)
    return near


def _compare(sense: Sense, resources: Resources) -> dict[int, int]:
    pack = resources.pack
    known = [n for text in words_of(sense, resources.stem) if (n := pack.word_number(text)) is not None]
    words = [(pack.word_weight(n), places) for n in known if len(places := pack.senses_of_word(n)) <= MOST_COMPARED]
    norm = max(1, isqrt(sum([pack.word_weight(n) ** 2 for n in known])))
    return likeness(words, norm, pack.sense_norms)
