"""What the words around a form have to do with its senses, by the company that they keep in the cues of all other senses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isqrt

from rewriter.lexicon.association import MOST_COMPARED, likeness, words_of
from rewriter.lexicon.entries import Sense
from rewriter.record import record
from rewriter.resources import Resources

__all__ = ["associate"]


@record
class _Likeness:
    """For each other sense of the pack (by number) how like the senses of a form it is.

    `own` are the numbers of those themselves, `name` is their form with their ids.
    """

    name: tuple[str, tuple[str, ...]]
    like: Mapping[int, Sequence[tuple[int, int]]]
    own: frozenset[int]


def associate(form: str, senses: Sequence[Sense], said: Mapping[int, int], resources: Resources) -> list[int]:
    """How much words have to do with each of the senses, in thousandths of what a word could.

    `said` are the numbers of the words (`Resources.word_number`) with their worth in percent.  A word speaks for a sense by the other
    senses that have it: as far as their words are that sense's words.
    """
    near = _likeness(form, senses, resources)
    cache = resources.cache("association")
    pack = resources.pack
    totals, mass = [0] * len(senses), 0
    for word, worth in said.items():
        key = (near.name, word)
        found: tuple[int, Sequence[int]] | None = cache.get(key)
        if found is None:
            places = [p for p in pack.senses_of_word(word) if p not in near.own]
            parts = [0] * len(senses)
            for place in places:
                for sense, value in near.like.get(place, ()):
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
        found = cache[key] = _compare(key, senses, resources)
    return found


def _compare(name: tuple[str, tuple[str, ...]], senses: Sequence[Sense], resources: Resources) -> _Likeness:
    own = frozenset([n for s in senses if (n := resources.pack.sense_number(s.id)) is not None])
    like: dict[int, list[tuple[int, int]]] = {}
    for number, sense in enumerate(senses):
        for place, value in _nearest(sense, resources):
            if place not in own:
                like.setdefault(place, []).append((number, value))
    return _Likeness(name, like, own)


def _nearest(sense: Sense, resources: Resources) -> Iterable[tuple[int, int]]:
    """The senses of the pack most like a sense: as compiled, or by the words of a sense that the pack has not, or not so."""
    pack = resources.pack
    number = None if resources.lays_over(sense) else pack.sense_number(sense.id)
    if number is not None:
        return pack.nearest_senses(number)
    known = [n for text in words_of(sense, resources.stem) if (n := pack.word_number(text)) is not None]
    words = [(pack.word_weight(n), places) for n in known if len(places := pack.senses_of_word(n)) <= MOST_COMPARED]
    norm = max(1, isqrt(sum([pack.word_weight(n) ** 2 for n in known])))
    return likeness(words, norm, pack.sense_norms).items()
